"""Dates and times in a text, in the forms that people write."""

import datetime as dt
import re
from collections.abc import Iterator

_MONTHS = (
    "january jan januar janvier enero ene gennaio gen janeiro januari",
    "february feb februar fevrier febrero febbraio fevereiro februari",
    "march mar marz maerz mrz mars marzo marco maart",
    "april apr avril abril aprile abr",
    "may mai mayo maggio maio mei mag",
    "june jun juni juin junio giugno junho giu",
    "july jul juli juillet julio luglio julho lug",
    "august aug aout agosto augustus ago",
    "september sep sept septembre septiembre settembre setembro set",
    "october oct oktober okt octobre octubre ottobre outubro ott out",
    "november nov novembre noviembre novembro",
    "december dec dezember dez decembre diciembre dicembre dezembro dic",
)
_NUMBER_OF_MONTH = {word: number for number, words in enumerate(_MONTHS, 1) for word in words.split()}
_MONTH = "|".join(sorted(_NUMBER_OF_MONTH, key=len, reverse=True))
_YEAR = r"(?P<year>(?:1[5-9]|20|21)\d\d)"

_ISO = re.compile(
    rf"(?<![\d-]){_YEAR}(?P<mark>[-/.])(?P<month>0?[1-9]|1[0-2])(?P=mark)(?P<day>0?[1-9]|[12]\d|3[01])(?!\d)"
)
_DAY_FIRST = re.compile(
    rf"(?<![\w.,:])(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|°|º|\.)?[ -]{{0,2}}(?:of |de |di |en )?[ ]?"
    rf"(?P<month>{_MONTH})\b\.?(?:(?:,| de[l]?|[ -])[ ]?(?P<year>(?:1[5-9]|20|21)\d\d)\b)?"
)
_MONTH_FIRST = re.compile(
    rf"(?<!\w)(?P<month>{_MONTH})\b\.?[ ]{{1,2}}(?:the )?(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
    rf"(?![\d:%]|[.,]\d)(?:,?[ ]{{1,2}}(?P<year>(?:1[5-9]|20|21)\d\d)\b)?"
)
_NUMERIC = re.compile(
    r"(?<![\w.,/-])(?P<a>0?[1-9]|[12]\d|3[01])(?P<mark>[./-])(?P<b>0?[1-9]|[12]\d|3[01])(?P=mark)"
    r"(?P<year>(?:1[5-9]|20|21)\d\d|\d\d)(?![\d/-]|[.,]\d)"
)
_DOTTED = re.compile(r"(?<![\w.,/-])(?P<day>0?[1-9]|[12]\d|3[01])\.(?P<month>0?[1-9]|1[0-2])\.(?!\d)")

DateValue = tuple[int, int, int]
"""Year (0 if it is not said), month, day."""


def _date(year: str | None, month: int, day: str | int) -> tuple[DateValue, ...]:
    number = int(year) if year else 0
    number += 2000 if year and len(year) == 2 else 0  # noqa: PLR2004 - two digits of a year
    try:
        dt.date(number or 2000, month, int(day))
    except ValueError:
        return ()
    return ((number, month, int(day)),)


def _day_month_order(text: str, language: str) -> str:
    """Which order slashed dates have in this text: "dm", "md", or "" if nothing tells."""
    if language not in {"", "en"}:
        return "dm"
    orders = {
        "dm" if int(one["a"]) > 12 else "md"  # noqa: PLR2004 - no month has a number above twelve
        for one in _NUMERIC.finditer(text)
        if one["mark"] != "." and (int(one["a"]) > 12) != (int(one["b"]) > 12)  # noqa: PLR2004 - likewise
    }
    return orders.pop() if len(orders) == 1 else ""


def _numeric(match: re.Match[str], order: str) -> tuple[DateValue, ...]:
    a, b, year = int(match["a"]), int(match["b"]), match["year"]
    day_first = _date(year, b, a) if b <= 12 else ()  # noqa: PLR2004 - months
    month_first = _date(year, a, b) if a <= 12 and match["mark"] != "." else ()  # noqa: PLR2004 - months
    if day_first and month_first and order:
        return day_first if order == "dm" else month_first
    return tuple(dict.fromkeys((*day_first, *month_first)))


def date_mentions(text: str, language: str) -> list[tuple[int, int, tuple[DateValue, ...]]]:
    """Find dates as (start, end, readings); an ambiguous one has two readings."""
    order = _day_month_order(text, language)
    found = list[tuple[int, int, tuple[DateValue, ...]]]()
    # Where decimals have a point, "7.8." is a number at the end of a sentence.
    dotted = () if language in {"", "en"} else (_DOTTED,)
    for pattern in (_ISO, _NUMERIC, _DAY_FIRST, _MONTH_FIRST, *dotted):
        for match in pattern.finditer(text):
            if pattern is _NUMERIC:
                values = _numeric(match, order)
            else:
                parts = match.groupdict()
                month = parts["month"]
                number = _NUMBER_OF_MONTH.get(month) or int(month)
                values = _date(parts.get("year"), number, parts["day"])
            if values:
                found.append((match.start(), match.end(), values))
    return _without_overlaps([*found, *_days_alone(text)])


def soft_date_mentions(text: str, language: str) -> Iterator[tuple[int, int, tuple[DateValue, ...]]]:
    """Find what may be a dotted date or a number at the end of a sentence, where decimals have a point."""
    if language not in {"", "en"}:
        return
    for match in _DOTTED.finditer(text):
        if values := _date(None, int(match["month"]), match["day"]):
            yield match.start(), match.end(), values


_DAY_ALONE = re.compile(
    r"\bthe (?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)\b(?! (?:of|floor|street|place|row|time)\b)"
)
_MONTH_ALONE = re.compile(rf"(?<!\w)(?P<month>{_MONTH})\b(?:[ ]{_YEAR}\b)?(?![ ]\d)")
_MONTH_REACH = 60
"""A day without its month belongs to a month that was named so few characters before."""


def _days_alone(text: str) -> Iterator[tuple[int, int, tuple[DateValue, ...]]]:
    """Days whose month stands before them ("in February 2025, on the 28th")."""
    for match in _DAY_ALONE.finditer(text):
        months = [*_MONTH_ALONE.finditer(text, max(0, match.start() - _MONTH_REACH), match.start())]
        if months and (
            values := _date(months[-1]["year"], _NUMBER_OF_MONTH[months[-1]["month"]], match["day"])
        ):
            yield match.start(), match.end(), values


def _without_overlaps(
    found: list[tuple[int, int, tuple[DateValue, ...]]],
) -> list[tuple[int, int, tuple[DateValue, ...]]]:
    kept, end = list[tuple[int, int, tuple[DateValue, ...]]](), 0
    for one in sorted(found, key=lambda one: (one[0], -one[1])):
        if one[0] >= end:
            kept.append(one)
            end = one[1]
    return kept


_CLOCK = re.compile(
    r"(?<![\w.:,/-])(?P<hour>[01]?\d|2[0-3])"
    r"(?:(?:[:h]| h )(?P<minute>[0-5]\d)(?::[0-5]\d)?|\.(?P<dotted>[0-5]\d)(?=[ ]*(?:uhr|uur|[ap]\.?m\b)))"
    r"(?P<half>[ ]?(?:[ap]\.m\.|[ap]m\b))?(?:[ ]?(?:uhr|uur|h|hrs|hours)\b)?(?![\d:])"
)
_HOUR = re.compile(
    r"(?<![\w.:,/-])(?P<hour>[01]?\d|2[0-3])[ ]?(?:(?P<half>[ap]\.m\.|[ap]m\b)|(?P<oclock>o'clock|uhr|uur)\b)"
)
_NAMED = re.compile(
    r"(?<!\w)(?<!past )(?<!to )(?<!after )(?<!before )"
    r"(?:(?P<noon>12 noon|noon|midday)|(?P<midnight>midnight|mitternacht))(?!\w)"
)
_AFTERNOON = re.compile(
    r"[ ,]{0,2}(?:in the |at |this |tomorrow |de la |da |del |du |am |'s )?"
    r"(?:afternoon|evening|night|tonight|nachmittags?|abends?|apres-midi|soir|tarde|noche|pomeriggio|sera|noite"
    r"|'s middags|middag|avond)\b"
)


def time_mentions(text: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Find times of day as (start, end, readings in minutes after midnight), in order."""
    found = [one for pattern in (_CLOCK, _HOUR, _NAMED) for one in _times(pattern, text)]
    end = 0
    for one in sorted(found):
        if one[0] >= end:
            end = one[1]
            yield one


def _times(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    for match in pattern.finditer(text):
        parts = match.groupdict()
        if "noon" in parts:
            yield match.start(), match.end(), (720 if parts["noon"] else 0,)
            continue
        hour = int(parts["hour"])
        minute = int(parts.get("minute") or parts.get("dotted") or 0)
        half = (parts.get("half") or "").strip()[:1]
        if half and 1 <= hour <= 12:  # noqa: PLR2004 - hours of a half day
            hour = hour % 12 + (12 if half == "p" else 0)
        elif hour < 12 and _AFTERNOON.match(text, match.end()):  # noqa: PLR2004 - hours of a half day
            hour += 12
        yield match.start(), match.end(), (hour * 60 + minute,)


_POINTED = re.compile(
    r"(?<![\w.,:/-])(?P<hour>[01]?\d|2[0-3])"
    r"(?:\.(?P<minute>[0-5]\d)|(?<=\d\d)(?P<dotted>[0-5]\d)[ ]?(?:hours|hrs|h|uhr)\b)(?!\d|[.:]\d|%)"
)
_SPOKEN_HOURS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_SPOKEN_MINUTES = {
    "quarter": 15,
    "a quarter": 15,
    "half": 30,
    "five": 5,
    "ten": 10,
    "twenty": 20,
    "twenty-five": 25,
}
_SPOKEN = re.compile(
    rf"(?<!\w)(?P<minutes>{'|'.join(_SPOKEN_MINUTES)}|[0-5]?\d)(?: minutes?)? (?P<way>past|after|to|before)"
    rf" (?P<hour>{'|'.join(_SPOKEN_HOURS)}|1[0-2]|[1-9])\b(?![:.]\d)"
)
_PART_OF_DAY = re.compile(
    r"[ ,]{0,2}(?:o'clock )?(?:in the |at |this )?"
    r"(?P<part>morning|afternoon|evening|night|a\.?m\b|p\.?m\b)"
)
_NIGHT_BEGINS = 5
"""An hour above this "at night" is before midnight."""


def soft_time_mentions(text: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Find what may be a time but need not: "17.42", "1742 hours", "a quarter past nine"."""
    yield from _times(_POINTED, text)
    for match in _SPOKEN.finditer(text):
        minutes = _SPOKEN_MINUTES.get(match["minutes"])
        minutes = int(match["minutes"]) if minutes is None else minutes
        spoken = match["hour"]
        hour = _SPOKEN_HOURS.index(spoken) + 1 if spoken in _SPOKEN_HOURS else int(spoken)
        morning = (hour % 12 * 60 + (minutes if match["way"] in {"past", "after"} else -minutes)) % 720
        part = _PART_OF_DAY.match(text, match.end())
        if part is None:
            yield match.start(), match.end(), (morning, morning + 720)
        else:
            is_night = part["part"] == "night" and hour > _NIGHT_BEGINS
            is_late = is_night or part["part"] == "afternoon" or part["part"][0] in "ep"
            yield match.start(), match.end(), (morning + 720 * is_late,)
