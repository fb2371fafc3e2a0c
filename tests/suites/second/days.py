"""Days counted one by one, without the standard library's calendar. Nothing here imports the world."""

from typing import Final

WEEK: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LENGTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def leap_days_until(year: int) -> int:
    """Leap days of the Gregorian calendar, counted back to the year 1, up to the end of a year."""
    return year // 4 - year // 100 + year // 400


def is_leap(year: int) -> bool:
    return leap_days_until(year) > leap_days_until(year - 1)


def _length(year: int, month: int) -> int:
    return 29 if month == 2 and is_leap(year) else _LENGTHS[month - 1]


def parts(day: str) -> tuple[int, int, int]:
    year, month, number = day.split("-")
    return int(year), int(month), int(number)


def _written(year: int, month: int, number: int) -> str:
    return f"{year:04d}-{month:02d}-{number:02d}"


def next_day(day: str) -> str:
    year, month, number = parts(day)
    if number < _length(year, month):
        return _written(year, month, number + 1)
    return _written(year, month + 1, 1) if month < 12 else _written(year + 1, 1, 1)


def day_before(day: str) -> str:
    year, month, number = parts(day)
    if number > 1:
        return _written(year, month, number - 1)
    return _written(year, month - 1, _length(year, month - 1)) if month > 1 else _written(year - 1, 12, 31)


def weekday(day: str) -> str:
    """Name the day of the week by Zeller's congruence, in which January and February end the year before."""
    year, month, number = parts(day)
    if month < 3:
        year, month = year - 1, month + 12
    century, rest = divmod(year, 100)
    from_saturday = number + 13 * (month + 1) // 5 + rest + rest // 4 + century // 4 + 5 * century
    return WEEK[(from_saturday + 5) % 7]
