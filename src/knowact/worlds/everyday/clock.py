"""Days of the week, times of day as "HH:MM", and the days that something can be asked about."""

import datetime as dt
from typing import Final, Literal

from knowact.worlds.everyday.contract import refuse

WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAY_MINUTES: Final = 24 * 60
_BOOKED_AHEAD: Final = 60


def weekday(day: dt.date) -> str:
    """Return the English name of a day of the week, whatever the machine's language is."""
    return WEEKDAYS[day.weekday()]


def minutes_of(time: str) -> int:
    """Return how many minutes after midnight a time of day is."""
    return int(time[:2]) * 60 + int(time[3:])


def clock_time(minutes: int) -> str:
    """Return the time of day that is so many minutes after midnight."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def day_between(
    date: str,
    first: dt.date,
    last: dt.date,
    message: str,
    *,
    ask: str = "Ask for",
    code: Literal["not_found", "bad_arguments"] = "not_found",
) -> dt.date:
    """Return a day from the first to the last; any other is refused.

    Args:
        date: The day, as YYYY-MM-DD.
        first: The earliest day.
        last: The latest day.
        message: What an agent reads of any other day.
        ask: What the agent is told to do instead, before "a day from ... to ...".
        code: What kind of refusal it is.
    """
    day = dt.date.fromisoformat(date)
    if not first <= day <= last:
        refuse(code, message, f"{ask} a day from {first.isoformat()} to {last.isoformat()}.")
    return day


def check_booking(
    today: dt.date, date: str, time: str, hours: tuple[str, str], *, unbookable: str, closed: str
) -> None:
    """Refuse a booking that is not for tomorrow to sixty days ahead, or not within the opening hours.

    Args:
        today: The day that the clock shows.
        date: The day of the booking, as YYYY-MM-DD.
        time: Its time.
        hours: When the place opens and closes.
        unbookable: What an agent reads of a day that cannot be booked.
        closed: What an agent reads of a time at which the place is closed.
    """
    first, last = today + dt.timedelta(days=1), today + dt.timedelta(days=_BOOKED_AHEAD)
    day_between(date, first, last, unbookable, ask="Choose", code="bad_arguments")
    opens, closes = hours
    if not opens <= time <= closes:
        refuse("bad_arguments", closed, f"Choose a time from {opens} to {closes}.")
