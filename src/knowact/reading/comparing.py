"""Comparing a slot of an answer form with a fact: one small comparator per kind, no pattern over prose.

Each comparator first asks whether the value stands in its quotes (a number among the numbers there, a text as
it is), because a value that is not in its quotes is a mistake of whoever filled the form. Only then does it
ask whether the value is right.
"""

import datetime as dt
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal

from knowact.core.task import Fact
from knowact.reading.numbers import Number, digits_of, number_in_words, numbers_in, spelled_fractions
from knowact.reading.quotes import folded, stands_in
from knowact.reading.units import OTHER, Unit, unit_of

ROUNDED: Final = 0.01
"""Share of the value by which rounding in another unit may change it, at most."""

Value = str | float | bool | list[str]
"""What a slot may hold."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a slot holds.

    Attributes:
        value: As the reply has it.
        unit: One of the slot's units; empty where it was left out.
        quotes: Verbatim, each found in the reply before this is made.
    """

    value: Value
    unit: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SlotComparison:
    """What came of a comparison.

    Attributes:
        state: `right`, `wrong`, or `unfounded`: the value cannot be read, or is not in its quotes.
        why: The reason in words.
        verified: Whether the quotes bear the value out; False where they hold no digits to compare with.
    """

    state: Literal["right", "wrong", "unfounded"]
    why: str
    verified: bool = True


def compare(fact: Fact, given: Given) -> SlotComparison:
    """Hold what a slot says against a fact."""
    return _COMPARATORS[fact.kind](fact, given)


def same(fact: Fact, own: Given, rival: Value) -> bool:
    """Whether a rival value says the same as the slot's own ("70 kg (154 lb)" is one amount)."""
    if fact.kind == "number":
        own_amounts, rival_amounts = _amounts(own.value, own.unit, fact), _amounts(rival, "", fact)
        return any(
            math.isclose(a.value, b.value, abs_tol=max(fact.tolerance, a.slack, b.slack))
            for a in own_amounts
            for b in rival_amounts
        )
    if fact.kind in {"date", "time"}:
        read = _dates if fact.kind == "date" else _times
        return bool({*read(str(own.value))} & {*read(str(rival))})
    if fact.kind in {"phone", "identifier"}:
        return _characters(own.value, fact) == _characters(rival, fact)
    return _plain(own.value) == _plain(rival)


def _unfounded(given: Given, why: str) -> SlotComparison:
    return SlotComparison("unfounded", f"{str(given.value)[:40]!r} {why}")


def _held(right: bool, shown: str, meant: str, *, verified: bool = True) -> SlotComparison:  # noqa: FBT001 - the truth itself
    return SlotComparison(
        "right" if right else "wrong", f"{shown} is {'' if right else 'not '}{meant}", verified
    )


# Numbers


@dataclass(frozen=True, slots=True)
class _Amount:
    """One reading of a written amount, in the fact's unit."""

    value: float
    slack: float
    written: tuple[float, ...]
    foreign: str = ""


def _number(fact: Fact, given: Given) -> SlotComparison:
    amounts = _amounts(given.value, given.unit, fact)
    if not amounts:
        # A listed alias may hold no number that can be read: "an hour and a half".
        words = str(given.value)
        if _plain(words) in map(_plain, fact.aliases) and any(
            stands_in(folded(words), folded(quote)) for quote in given.quotes
        ):
            return SlotComparison("right", "it is another way to put the value", verified=False)
        return _unfounded(given, "cannot be read as a number")
    quoted = [number for quote in given.quotes for number in numbers_in(folded(spelled_fractions(quote)))]
    verified = bool(quoted)
    founded = [amount for amount in amounts if _stands_among(amount.written, quoted)] if verified else amounts
    if not founded:
        return _unfounded(given, "is none of the numbers in its quotes")
    target = float(fact.value) if isinstance(fact.value, int | float) else math.nan
    for amount in founded:
        if not amount.foreign and abs(amount.value - target) <= fact.tolerance + amount.slack + _blur(target):
            return SlotComparison("right", f"{amount.value:g} is the value", verified)
    if any(_is_alias(alias, given) for alias in fact.aliases):
        return SlotComparison("right", "it is another way to put the value", verified)
    foreign = founded[0].foreign
    return SlotComparison(
        "wrong", f"the unit is {foreign}" if foreign else f"{founded[0].value:g} is not the value", verified
    )


def _blur(target: float) -> float:
    """What binary fractions cannot tell apart."""
    return 1e-9 * max(1.0, abs(target))


def _amounts(value: Value, unit: str, fact: Fact) -> list[_Amount]:
    """Every reading of an amount, in the fact's unit: "1.234 km", "2 h 15 min", "twelve"."""
    home = unit_of(fact.unit)
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not math.isfinite(value):
            return []
        step = numbers_in(f"{value:.15g}")[0].step
        return [_amount([float(value)], [unit], [step], home, fact)]
    text = folded(spelled_fractions(str(value)))
    numbers = numbers_in(text)
    if not numbers:
        words = number_in_words(text)
        return [] if words is None else [_amount([words], [unit], [0.0], home, fact)]
    numbers = _outermost(numbers)
    units = [_unit_behind(text, number, home) for number in numbers]
    if len(numbers) == 1:
        before = text[: numbers[0].start].strip(" -")
        units = [unit or units[0] or before]
    elif not all(units) or home is None:
        return []
    steps = [number.step for number in numbers]
    return [
        _amount(list(readings), units, steps, home, fact)
        for readings in itertools.product(*(sorted(number.readings) for number in numbers[:4]))
    ]


def _outermost(numbers: Sequence[Number]) -> list[Number]:
    """Numbers that lie in no other one: "12 500" is one number where it can be."""
    return [
        number
        for number in numbers
        if not any(o is not number and o.start <= number.start and number.end <= o.end for o in numbers)
    ]


_UNIT_BEHIND: Final = re.compile(r" ?-?([^\d\s,;()]+(?: [^\d\s,;()]+)?)")


def _unit_behind(text: str, number: Number, home: Unit | None) -> str:
    """A known unit right behind a number, of two words or one."""
    if match := _UNIT_BEHIND.match(text, number.end):
        for written in (match[1], match[1].split(" ")[0], match[1].rstrip(".")):
            if unit_of(written, home):
                return written
    return ""


def _amount(
    written: list[float], units: list[str], steps: list[float], home: Unit | None, fact: Fact
) -> _Amount:
    """The sum of the parts in the fact's unit, and what rounding in another unit may have cost."""
    total = slack = 0.0
    for value, unit, step in zip(written, units, steps, strict=True):
        own = unit_of(unit, home)
        if unit == OTHER:
            return _Amount(total, 0.0, tuple(written), "another one")
        if own is None or home is None:
            # A fact's unit that no table has is none of those that a table has.
            if own and fact.unit:
                return _Amount(value, 0.0, tuple(written), unit)
            total += value
        elif own.dimension != home.dimension:
            return _Amount(value, 0.0, tuple(written), unit)
        else:
            total += own.convert(value, home) if len(written) == 1 else value * own.factor / home.factor
            # In "2 h 15 min" the minutes were rounded, not the hours.
            slack = 0.0 if own == home else step / 2 * own.factor / home.factor
    return _Amount(total, min(slack, ROUNDED * abs(total)), tuple(written))


def _stands_among(values: Sequence[float], quoted: Sequence[Number]) -> bool:
    """Whether each value is a number of the quotes; a minus may be said in words."""
    readings = [reading for number in quoted for reading in number.readings]
    return all(
        any(math.isclose(way, reading) for way in (value, abs(value)) for reading in readings)
        for value in values
    )


def _is_alias(alias: str, given: Given) -> bool:
    """Whether the slot says a listed alias: the same number in the same unit, or the same words."""
    if _plain(alias) == _plain(given.value):
        return True
    mine, other = numbers_in(folded(str(given.value))), numbers_in(folded(alias))
    if len(other) != 1 or not mine or not mine[0].readings & other[0].readings:
        return False
    unit = given.unit or _unit_behind(folded(str(given.value)), mine[0], None)
    return unit_of(unit) == unit_of(_unit_behind(folded(alias), other[0], None))


# Dates and times

_MONTHS: Final = {
    word: number
    for number, words in enumerate(
        (
            "january jan januar janvier enero gennaio janeiro januari",
            "february feb februar fevrier febrero febbraio fevereiro februari",
            "march mar marz mars marzo marco maart",
            "april apr avril abril aprile",
            "may mai mayo maggio maio mei maj",
            "june jun juni juin junio giugno junho",
            "july jul juli juillet julio luglio julho",
            "august aug aout agosto augustus augusti",
            "september sep sept septembre septiembre settembre setembro",
            "october oct oktober okt octobre octubre ottobre outubro",
            "november nov novembre noviembre novembro",
            "december dec dezember dez decembre diciembre dicembre dezembro",
        ),
        1,
    )
    for word in words.split()
}
_ISO_DATE: Final = re.compile(r"(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})")
_MARKED_DATE: Final = re.compile(r"(?<!\d)(\d{1,2})\s?[-/.]\s?(\d{1,2})(?:\s?[-/.]\s?(\d{4}|\d{2}))?(?!\d)")
_MONTH_DAY: Final = re.compile(r"(?<!\d)--(\d{2})-(\d{2})")
_LETTERS: Final = re.compile(r"[^\W\d_]+")


def _dates(text: str) -> list[tuple[int, int, int]]:
    """Every date that a text may mean, as (year or 0, month, day)."""
    plain = _unaccented(folded(text))
    if match := _ISO_DATE.search(plain):
        return _valid([(int(match[1]), int(match[2]), int(match[3]))])
    if match := _MONTH_DAY.search(plain):
        return _valid([(0, int(match[1]), int(match[2]))])
    months = _months_in(plain)
    digits = digits_of(plain)
    if months:
        years = [digit for digit in digits if digit >= 1000][:1]  # noqa: PLR2004 - four digits
        days = [digit for digit in digits if 1 <= digit <= 31]  # noqa: PLR2004 - days of a month
        return _valid([(years[0] if years else 0, months[0], day) for day in days[:1]])
    if match := _MARKED_DATE.search(plain):
        year = _whole_year(match[3])
        left, right = int(match[1]), int(match[2])
        return _valid([(year, right, left), (year, left, right)])
    return []


def _months_in(plain: str) -> list[int]:
    return [_MONTHS[word] for word in _LETTERS.findall(plain) if word in _MONTHS]


def _whole_year(written: str | None) -> int:
    """A year of four digits or two; 0 where none is written."""
    year = int(written or 0)
    return year + 2000 if 0 < year < 100 else year  # noqa: PLR2004 - two digits of a year


def _unaccented(plain: str) -> str:
    return plain.translate(str.maketrans("äáàâéèêëíïóôöúûüçñ", "aaaaeeeeiiooouuucn"))


def _valid(dates: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    known: list[tuple[int, int, int]] = []
    for year, month, day in dict.fromkeys(dates):
        with suppress(ValueError):
            dt.date(year or 2000, month, day)
            known.append((year, month, day))
    return known


def _date(fact: Fact, given: Given) -> SlotComparison:
    dates = _dates(str(given.value))
    if not dates:
        return _unfounded(given, "cannot be read as a date")
    quoted = _unaccented(" ".join(map(folded, given.quotes)))
    flat = digits_of(quoted)
    if flat and not (dates := [date for date in dates if date[2] in flat]):
        return SlotComparison("unfounded", "the day is none of the numbers in its quotes")
    dated = [match for pattern in (_ISO_DATE, _MARKED_DATE) for match in pattern.finditer(quoted)]
    named = set(_months_in(quoted))
    # A quote may name one date in words and another in digits; "May" alone may be no month.
    months = named | set(flat) if dated else named
    if (named - {5} or dated) and not (dates := [date for date in dates if date[1] in months]):
        return SlotComparison("unfounded", "the month is none of those in its quotes")
    expected = dt.date.fromisoformat(str(fact.value))
    years = [number for number in flat if 1900 <= number < 2200]  # noqa: PLR2004 - what is a year in a quote
    years += [_whole_year(match[3]) for match in _MARKED_DATE.finditer(quoted) if len(match[3] or "") == 2]  # noqa: PLR2004
    for year, month, day in dates:
        # A year that the reply does not say is filled in from elsewhere and proves nothing.
        right_year = not years or (year in {0, expected.year} and expected.year in years)
        if (month, day) == (expected.month, expected.day) and right_year:
            return SlotComparison("right", f"{expected.isoformat()} is the date", bool(flat))
    return SlotComparison("wrong", f"{str(given.value)[:40]} is not the date", bool(flat))


_CLOCK: Final = re.compile(
    r"(?<!\d)(\d{1,2})(?:\s?[:.h時时]\s?(\d{2}))?\s?(?:uhr|h|o'clock)?\s?(a\.?m|p\.?m)?"
)


def _times(text: str) -> list[tuple[int, int]]:
    """Every time of day that a text may mean, as (hour, minute)."""
    plain = folded(text)
    if plain in {"noon", "midday"}:
        return [(12, 0)]
    if plain == "midnight":
        return [(0, 0)]
    match = _CLOCK.search(plain)
    if match is None:
        return []
    hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "")[:1]
    if half and not 1 <= hour <= 12:  # noqa: PLR2004 - hours of a half day
        half = ""
    hour = (
        hour % 12 + (12 if half == "p" else 0) if half else hour % 24 if (hour, minute) == (24, 0) else hour
    )
    return [(hour, minute)] if hour < 24 and minute < 60 else []  # noqa: PLR2004 - a day


def _time(fact: Fact, given: Given) -> SlotComparison:
    readings = _times(str(given.value))
    if not readings:
        return _unfounded(given, "cannot be read as a time of day")
    (hour, minute), quotes = readings[0], [folded(quote) for quote in given.quotes]
    # "Twenty to six" has other digits than 17:40, or none: only a clock's digits can be held against it.
    clocks = [clock for quote in quotes for clock in _clocks(quote)]
    halves = {half for quote in quotes for half in _HALF.findall(quote)}
    other_half = bool(halves) and ("p" if hour >= NOON else "a") not in halves
    if other_half or (clocks and not any(_shows(h, m, hour, minute) for h, m in clocks)):
        return _unfounded(given, "is none of the times in its quotes")
    expected = dt.time.fromisoformat(str(fact.value))
    right = (hour, minute) == (expected.hour, expected.minute)
    numbers = (number for quote in quotes for number in digits_of(quote))
    verified = bool(clocks) or (minute == 0 and any((hour - number) % 12 == 0 for number in numbers))
    return _held(right, f"{hour:02}:{minute:02}", "the time", verified=verified)


_HOURS_MINUTES: Final = re.compile(r"(?<!\d)(\d{1,2})\s?[:.h時时]\s?(\d{2})(?!\d)")


_HALF: Final = re.compile(r"\d\s?([ap])\.?m\b")
NOON: Final = 12


def _shows(clock_hour: int, clock_minute: int, hour: int, minute: int) -> bool:
    """Whether a clock can show a time of day; up to twelve it doesn't tell the half of the day."""
    exact = clock_hour == 0 or clock_hour > NOON
    return minute == clock_minute and (hour == clock_hour % 24 if exact else (hour - clock_hour) % NOON == 0)


def _clocks(plain: str) -> Iterator[tuple[int, int]]:
    for match in _HOURS_MINUTES.finditer(plain):
        if int(match[1]) <= 24 and int(match[2]) < 60:  # noqa: PLR2004 - a day
            yield int(match[1]), int(match[2])


# Texts, choices, yes or no, lists

_EDGES: Final = " .,;:!?'\"()[]"
_ARTICLES: Final = ("the ", "a ", "an ")


def _plain(value: object) -> str:
    """A text as it is compared: folded, without punctuation at its ends, hyphens as blanks, no article."""
    plain = " ".join(folded(str(value)).strip(_EDGES).replace("-", " ").replace("/", " ").split())
    return next((plain.removeprefix(article) for article in _ARTICLES if plain.startswith(article)), plain)


def _text(fact: Fact, given: Given) -> SlotComparison:
    written = str(given.value)
    if fact.exact:
        bare = written.strip().strip("`'\"\u201c\u201d*")
        if not any(bare in quote for quote in given.quotes):
            return SlotComparison("unfounded", "the value does not stand in its quotes letter for letter")
        return _held(bare == fact.value, "it", "the value letter for letter")
    value = folded(written).strip(_EDGES)
    if not value or not any(stands_in(value, folded(quote)) for quote in given.quotes):
        return _unfounded(given, "does not stand in its quotes")
    accepted = {_plain(accepted_value) for accepted_value in (fact.value, *fact.aliases)}
    # Blanks in an account number or a postcode are typography.
    close = any(sign.isdigit() for sign in value) and _plain(written).replace(" ", "")
    right = _plain(written) in accepted or close in {
        accepted_value.replace(" ", "") for accepted_value in accepted
    }
    return _held(right, repr(written[:60]), "the value")


# Phone numbers and other identifiers

_RUN: Final = re.compile(r"\d+|[^\W\d_]+")
"""Letters or digits; what stands between such runs only groups them."""


def _identifier(fact: Fact, given: Given) -> SlotComparison:
    characters = _characters(given.value, fact)
    if not characters or not any(_is_made_of_runs(characters, quote) for quote in given.quotes):
        return _unfounded(given, "does not stand in its quotes")
    accepted = {_characters(accepted_value, fact) for accepted_value in (fact.value, *fact.aliases)}
    return _held(characters in accepted, repr(str(given.value)[:60]), "the value")


def _characters(value: object, fact: Fact) -> str:
    """The letters and digits of an identifier, in order; of a phone number without a sign in front."""
    runs = _RUN.findall(folded(str(value)))
    if fact.kind == "phone" and runs[:1] == ["plus"]:
        runs = runs[1:]
    return "".join(runs)


def _is_made_of_runs(characters: str, quote: str) -> bool:
    """Whether some runs of a quote, one behind another, come to these characters."""
    runs = _RUN.findall(folded(quote))
    starts = itertools.accumulate(map(len, runs), initial=0)
    edges, whole = set(starts), "".join(runs)
    places = (match.start() for match in re.finditer(f"(?={re.escape(characters)})", whole))
    return any(place in edges and place + len(characters) in edges for place in places)


def _choice(fact: Fact, given: Given) -> SlotComparison:
    options = {_plain(option): option for option in fact.options}
    chosen = options.get(_plain(given.value))
    if chosen is None:
        return _unfounded(given, "is none of the options")
    return _held(chosen == fact.value, repr(chosen), "the value")


YES_NO: Final[Mapping[str, bool]] = {"yes": True, "no": False, "true": True, "false": False}


def _yes_no(fact: Fact, given: Given) -> SlotComparison:
    answer = YES_NO.get(_plain(given.value))
    if answer is None:
        return _unfounded(given, "is neither yes nor no")
    word = "yes" if answer else "no"
    return SlotComparison("right" if answer is fact.value else "wrong", f"it says {word}")


def _list(fact: Fact, given: Given) -> SlotComparison:
    if not isinstance(given.value, list):
        return _unfounded(given, "is not a list")
    quotes = [folded(quote) for quote in given.quotes]
    lost = [entry for entry in given.value if not any(stands_in(folded(entry), quote) for quote in quotes)]
    if lost:
        return SlotComparison("unfounded", f"{lost[0][:40]!r} does not stand in its quotes")
    entries, expected = ([_plain(entry) for entry in many] for many in (given.value, _entries(fact)))
    right = entries == expected if fact.ordered else set(entries) == set(expected)
    return _held(right, "it", "the list")


def _entries(fact: Fact) -> Sequence[str]:
    return fact.value if isinstance(fact.value, tuple) else ()


_COMPARATORS: Final[Mapping[str, Callable[[Fact, Given], SlotComparison]]] = {
    "number": _number,
    "text": _text,
    "phone": _identifier,
    "identifier": _identifier,
    "date": _date,
    "time": _time,
    "choice": _choice,
    "yes_no": _yes_no,
    "list": _list,
}
