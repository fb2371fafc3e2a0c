"""Mentions: where numbers, dates and times stand in a text, and which values they can mean."""

import re
from dataclasses import dataclass

from knowact.reading.cues import cues
from knowact.reading.dates import date_mentions, soft_date_mentions, soft_time_mentions, time_mentions
from knowact.reading.folding import Folded
from knowact.reading.number_words import spelled_numbers
from knowact.reading.spoken_times import foreign_times
from knowact.reading.units import units

Value = float | tuple[int, int, int]
"""A number, a date as year (0 if unsaid), month, day, or a time in minutes after midnight."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A value that stands in a text.

    Attributes:
        kind: `number`, `date`, `time`.
        start: Where it begins in the folded text, sign and currency included.
        end: Where it ends, unit included.
        values: What it can mean: floats; (year or 0, month, day); minutes after midnight.
        unit: The canonical unit that goes with a number; empty if none does.
        exact: Whether a number is written more exactly than one that was rounded off for talking: with
            decimals, or at least three significant digits.
        weak: Whether it can be taken for such a value but need not be meant so ("two", "17.42"); it never
            contradicts another one.
    """

    kind: str
    start: int
    end: int
    values: tuple[Value, ...]
    unit: str = ""
    exact: bool = False
    weak: bool = False


_NUMBER = re.compile(
    r"(?<![a-z\d_.])(?<![a-z]-)(?<!\d[,/'])"
    r"(?:\d{1,3}(?:(?:[ ']|[ ]{2})(?=\d{3}(?!\d))\d{3})+(?:[.,]\d{1,9})?|\d+(?:[.,]\d+)*|\.\d+)"
)
_LIST_MARKER = re.compile(r"^[ >]*\(?\d{1,2}[.)](?=[ ]+\S)", re.MULTILINE)
_SCALE = re.compile(r"[ ]{0,2}(" + "|".join(sorted(cues().scales, key=len, reverse=True)) + r")\b\.?")
_MINUS = re.compile(
    r"(?:(?<![\w°%)])(?<![\d°%)] )-|(?<![\d°%)] )\b(?:minus|moins|menos|meno|negative|min) )[$€£]?\Z"
)
_LOSS = re.compile(
    r"\b(?:loss|deficit|shortfall|overdraft|verlust|perte|perdida|perdita)(?: (?:of|von|de|di))[ ]*[$€£]?\Z"
)
_BELOW_ZERO = re.compile(
    r"[ ]*(?:below zero|in the red|unter null|sous zero|bajo cero|sotto zero|onder nul)\b"
)
_POWER = re.compile(r"[ ]*(?:[\u00d7x*][ ]*10[ ]*\^[ ]*\(?|e)([+-]?\d{1,2})\)?(?!\d)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|eme|e)\b|°(?=[ ]*[a-z]{3,})(?![ ]*(?:c|f|celsius|fahrenheit)\b)")
_WORD_AFTER = re.compile(r"[a-z]")
COMMA_DECIMALS = frozenset({"de", "fr", "es", "it", "pt", "nl"})


def find_mentions(folded: Folded, language: str) -> list[Mention]:
    """Find every date, time and number, in order. Only weak ones overlap others.

    Args:
        folded: The text.
        language: Of the text ("" if unknown); it decides whether `1,234` has decimals.
    """
    text = folded.plain
    dates = [Mention("date", *one) for one in date_mentions(text, language)]
    dotted = [Mention("date", *one, weak=True) for one in soft_date_mentions(text, language)]
    text = _masked(text, dates)
    times = [Mention("time", *one) for one in time_mentions(text)]
    text = _masked(text, times)
    soft = [
        Mention("time", *one, weak=True)
        for one in (*soft_time_mentions(text), *foreign_times(text, language))
    ]
    text = _LIST_MARKER.sub(lambda match: " " * len(match[0]), text)
    return sorted(
        [*dates, *dotted, *times, *soft, *_numbers(text, language), *_words(text)],
        key=lambda one: one.start,
    )


def _masked(text: str, mentions: list[Mention]) -> str:
    pieces, position = list[str](), 0
    for one in mentions:
        pieces += [text[position : one.start], "\x00" * (one.end - one.start)]
        position = one.end
    return "".join([*pieces, text[position:]])


def _numbers(text: str, language: str) -> list[Mention]:
    found = list[Mention]()
    end = 0
    for match in _NUMBER.finditer(text):
        if match.start() < end:
            continue  # the exponent of the number before
        values = readings(match[0], language)
        end = match.end()
        if not values or _ORDINAL.match(text, end):
            continue
        factor, end = _scaled(text, end)
        unit, end = _unit(text, end)
        if not unit and factor == 1 and not _POWER.match(text, end) and _WORD_AFTER.match(text, end):
            continue  # part of a name
        start = match.start()
        money = units().before.search(text, max(0, start - 8), start)
        if money is not None:
            unit, start = units().canonical[money[1]], money.start()
        minus = _MINUS.search(text, max(0, start - 12), start)
        if minus is not None:
            start = minus.start()
        power, end = _power(text, end)
        unit, end = _unit(text, end) if not unit else (unit, end)
        loss = _LOSS.search(text, max(0, start - 20), start)
        sign = -1 if minus or loss or _BELOW_ZERO.match(text, end) else 1
        factor *= power
        scaled = tuple(sign * value * factor for value in values)
        found.append(Mention("number", start, end, scaled, unit, _is_exact(match[0])))
    return found


def _words(text: str) -> list[Mention]:
    found = list[Mention]()
    for start, word_end, value in spelled_numbers(text):
        unit, end = _unit(text, word_end)
        minus = _MINUS.search(text, max(0, start - 12), start)
        sign = -1 if minus or _BELOW_ZERO.match(text, end) else 1
        begin = minus.start() if minus else start
        found.append(Mention("number", begin, end, (sign * value,), unit, weak=True))
    return found


def _power(text: str, end: int) -> tuple[float, int]:
    """The power of ten of a number in scientific notation."""
    power = _POWER.match(text, end)
    return (10.0 ** int(power[1]), power.end()) if power else (1, end)


def _scaled(text: str, end: int) -> tuple[int, int]:
    scale = _SCALE.match(text, end)
    return (cues().scales[scale[1]], scale.end()) if scale else (1, end)


def _unit(text: str, end: int) -> tuple[str, int]:
    unit = units().after.match(text, end)
    if unit is None:
        return "", end
    return units().of(unit[1]), unit.end()


def _is_exact(digits: str) -> bool:
    whole = re.sub(r"\D", "", digits)
    has_decimals = re.search(r"[.,]\d{1,2}\Z", digits) is not None
    return has_decimals or len(whole.strip("0")) > 2  # noqa: PLR2004 - see `Mention.exact`


def readings(digits: str, language: str = "") -> tuple[float, ...]:
    """Which numbers a run of digits with separators can mean; none if it is no number (a version)."""
    digits = re.sub(r"[ ']", "", digits)
    marks = re.findall(r"[.,]", digits)
    if len(digits) > 300:  # noqa: PLR2004 - noise; Python converts no endless digits
        return ()
    if not marks:
        return (float(digits),)
    groups = re.split(r"[.,]", digits)
    grouped = all(len(group) == 3 for group in groups[1:]) and 1 <= len(groups[0]) <= 3  # noqa: PLR2004 - thousands
    if len(set(marks)) == 2:  # noqa: PLR2004 - both marks occur: the last one is the decimal one
        inner = all(len(group) == 3 for group in groups[1:-1])  # noqa: PLR2004 - thousands
        once = marks.count(marks[-1]) == 1
        return (float("".join(groups[:-1]) + "." + groups[-1]),) if inner and once else ()
    if len(marks) > 1:
        return (float("".join(groups)),) if grouped else ()
    decimal = float(".".join(groups) if groups[0] else "0." + groups[1])
    if not grouped or groups[0] == "0":
        return (decimal,)
    thousands = float("".join(groups))
    if not language:
        return (thousands, decimal) if marks[0] == "," else (decimal, thousands)
    return (decimal,) if (marks[0] == ",") == (language in COMMA_DECIMALS) else (thousands,)
