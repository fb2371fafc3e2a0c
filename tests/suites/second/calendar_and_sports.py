"""Days, matches and made-up data, worked out a second time: day by day, match by match, digit by digit.

Nothing here imports the world.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from suites.second.clock import minutes_until
from suites.second.days import day_before, is_leap, next_day, parts, weekday
from suites.second.exact import exact

Arguments = Mapping[str, Any]

_DOUBLED: Final = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
"""The sum of the digits of twice a digit."""


def _walk(first: str, last: str) -> Iterator[str]:
    """Yield the days from the first to the last, both included."""
    while first <= last:
        yield first
        first = next_day(first)


def days_counted(a: Arguments) -> dict[str, int]:
    forwards = sum(1 for _ in _walk(a["first"], a["second"]))
    backwards = sum(1 for _ in _walk(a["second"], a["first"]))
    return {"days": forwards - 1 if forwards else 1 - backwards}


def shifted(a: Arguments) -> dict[str, str]:
    day = a["date"]
    for _ in range(abs(a["days"])):
        day = next_day(day) if a["days"] > 0 else day_before(day)
    return {"date": day, "weekday": weekday(day)}


def named(a: Arguments) -> dict[str, str]:
    return {"weekday": weekday(a["date"])}


def iso_week(a: Arguments) -> dict[str, Any]:
    """A week belongs to the year of its Thursday: its number is how many Thursdays that year has had."""
    monday = a["date"]
    while weekday(monday) != "Monday":
        monday = day_before(monday)
    thursday = next_day(next_day(next_day(monday)))
    new_year = f"{parts(thursday)[0]:04d}-01-01"
    week = sum(weekday(day) == "Thursday" for day in _walk(new_year, thursday))
    return {"week": week, "monday": monday}


def span(a: Arguments) -> dict[str, int]:
    return {"minutes": minutes_until(a["start"], a["end"])}


def weekdays_counted(a: Arguments) -> dict[str, int]:
    return {"count": sum(weekday(day) == a["weekday"] for day in _walk(a["first"], a["last"]))}


def age(a: Arguments) -> dict[str, int]:
    """Count the birthdays; in common years 1 March stands in for 29 February."""
    birthday, years = parts(a["birthday"]), 0
    while True:
        year, month, number = birthday[0] + years + 1, birthday[1], birthday[2]
        if (month, number) == (2, 29) and not is_leap(year):
            month, number = 3, 1
        if (year, month, number) > parts(a["date"]):
            return {"years": years}
        years += 1


def leap(a: Arguments) -> dict[str, bool]:
    """A leap year has a day between 28 February and 1 March."""
    return {"leap": next_day(f"{a['year']:04d}-02-28") == f"{a['year']:04d}-02-29"}


def _valid_by_luhn(digits: str) -> bool:
    """From the right, every second digit counts twice; the sum must be a multiple of ten."""
    values = [int(digit) for digit in reversed(digits)]
    return (sum(values[::2]) + sum(_DOUBLED[value] for value in values[1::2])) % 10 == 0


def luhn(a: Arguments) -> dict[str, int]:
    """Try all digits: only one makes the number valid."""
    (digit,) = (digit for digit in range(10) if _valid_by_luhn(f"{a['digits']}{digit}"))
    return {"check_digit": digit}


def combinations(a: Arguments) -> dict[str, int]:
    """With each further field, as many again for each of its choices."""
    count = 1
    for choices in a["choices"]:
        count = sum(count for _ in range(choices))
    return {"combinations": count}


def address(a: Arguments) -> dict[str, str]:
    first, last = a["name"].lower().split()
    local = {
        "first.last": f"{first}.{last}",
        "f.last": f"{first[0]}.{last}",
        "last.first": f"{last}.{first}",
        "firstlast": f"{first}{last}",
    }
    return {"email": f"{local[a.get('pattern', 'first.last')]}@{a['domain'].lower()}"}


def padded(a: Arguments) -> dict[str, str]:
    """Digit by digit from the right; when the number is used up, the digits are zeros."""
    left, text = a["number"], ""
    for _ in range(a["width"]):
        left, digit = divmod(left, 10)
        text = f"{digit}{text}"
    assert not left, "the number must fit"
    return {"text": text}


def pace(a: Arguments) -> dict[str, Fraction]:
    """From the distance in one second."""
    kilometres_in_a_second = exact(a["distance_km"]) / (exact(a["minutes"]) * 60)
    return {"seconds_per_km": 1 / kilometres_in_a_second, "speed_kmh": kilometres_in_a_second * 3600}


def round_robin(a: Arguments) -> dict[str, int]:
    """Every team plays those that came before it; the matches then wait until a pitch is free."""
    matches = [(one, other) for other in range(a["teams"]) for one in range(other)]
    waiting, minutes = len(matches), 0
    while waiting > 0:
        waiting, minutes = waiting - a["pitches"], minutes + a["minutes"]
    return {"matches": len(matches), "total_minutes": minutes}


def success(a: Arguments) -> dict[str, Any]:
    """What the failures leave of a hundred per cent."""
    missed = a["tried"] - a["made"]
    return {"percent": 100 - Fraction(100 * missed, a["tried"]), "missed": missed}


SECOND: Final[dict[str, Callable[[Arguments], Mapping[str, Any]]]] = {
    "count_days": days_counted,
    "shift_date": shifted,
    "get_weekday": named,
    "get_iso_week": iso_week,
    "get_time_span": span,
    "count_weekdays": weekdays_counted,
    "get_age": age,
    "check_leap_year": leap,
    "get_luhn_digit": luhn,
    "count_test_cases": combinations,
    "make_placeholder_email": address,
    "pad_number": padded,
    "get_running_pace": pace,
    "plan_round_robin": round_robin,
    "get_success_rate": success,
}
