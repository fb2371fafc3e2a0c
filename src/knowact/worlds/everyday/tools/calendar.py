"""Calendar: dates, clock times and what lies between them; the user's events are in `personal_agenda`."""

import calendar
import datetime as dt
from typing import Annotated, Final, Literal

from knowact.worlds.everyday import limits
from knowact.worlds.everyday.clock import WEEKDAYS, minutes_of, weekday
from knowact.worlds.everyday.contract import Server, by_size, never, on, refuse
from knowact.worlds.everyday.fields import ClockTime, Day, DayCount
from knowact.worlds.everyday.state import DEFAULT_CLOCK, State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, fact

_DATES: Final = Server("Calendar", "dates")


class DayCountShown(Shape):
    days: int = fact(
        "dates.distance", "Number of days from the first to the second; negative if the second comes earlier."
    )


@_DATES.tool(
    rubric=by_size(
        on(limits.span, "first", "second"),
        why="Days within a season are counted month by month; decades with their leap years are not.",
    ),
    scenario="Somebody counts the days until a holiday, or since they moved house.",
    person_can="Anybody with a calendar on the wall can count the days.",
)
def count_days(_state: State, first: Day, second: Day) -> DayCountShown:
    """Count the days from one date to another.

    Args:
        first: The date to count from, as YYYY-MM-DD.
        second: The date to count to, as YYYY-MM-DD.
    """
    return DayCountShown(days=(dt.date.fromisoformat(second) - dt.date.fromisoformat(first)).days)


class ShiftedDate(Shape):
    date: str = fact("dates.shifted", "The day, as YYYY-MM-DD.")
    weekday: str = fact("dates.weekday", "Its day of the week.")


@_DATES.tool(
    rubric=by_size(
        on(limits.few_days, "days"),
        why="A few weeks on are counted on the calendar; a thousand days on are not.",
    ),
    scenario="Somebody has a deadline of so many days and wants to know which day that is.",
    person_can="Anybody with a calendar on the wall can count the days.",
)
def shift_date(_state: State, date: Day, days: DayCount) -> ShiftedDate:
    """Find the date, and its weekday, some days after or before another date.

    Args:
        date: The date to start from, as YYYY-MM-DD.
        days: How many days later; negative for earlier.
    """
    try:
        shifted = dt.date.fromisoformat(date) + dt.timedelta(days=days)
    except OverflowError:
        refuse("bad_arguments", "That day lies outside the calendar.", "Stay between the years 1 and 9999.")
    return ShiftedDate(date=shifted.isoformat(), weekday=weekday(shifted))


Birthday = Annotated[str, Attribute("person.birthday"), Rules(format="date")]
"""A type of its own: of all the days that tools report, only this one says how old somebody is."""
DayOfWeek = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_USUAL_TODAY: Final = dt.date.fromisoformat(DEFAULT_CLOCK[:10])
_NEAR_DAYS: Final = 31


def _near(date: str) -> bool:
    """At most a month from the world's usual today: one counts from the date and weekday that are shown."""
    return abs((dt.date.fromisoformat(date) - _USUAL_TODAY).days) <= _NEAR_DAYS


def _near_span(first: str, last: str) -> bool:
    """A season at most, that begins near today."""
    return _near(first) and limits.span(first, last)


class Weekday(Shape):
    weekday: str = fact("date.weekday", "The day of the week, in English.")


@_DATES.tool(
    also_done_by=("shift_date", "count_days", "get_iso_week"),
    rubric=by_size(
        on(_near, "date"),
        why="Within a month one counts on from today; decades with their leap years are not counted by head.",
    ),
    scenario="Somebody plans an evening, or wonders on which day of the week they were born.",
    person_can="A look at a calendar shows it.",
)
def get_weekday(_state: State, date: Day) -> Weekday:
    """Tell which day of the week a date is.

    Args:
        date: The date, as YYYY-MM-DD.
    """
    return Weekday(weekday=weekday(dt.date.fromisoformat(date)))


class IsoWeek(Shape):
    week: int = fact("date.iso_week", "Its number by ISO 8601, 1 to 53.")
    monday: str = fact("date.week_monday", "The Monday that it starts on, YYYY-MM-DD.")


@_DATES.tool(
    also_done_by=("count_days", "shift_date", "get_weekday"),
    rubric=by_size(
        on(_near, "date"),
        why="Within a month one counts the weeks of this year; other years start on other weekdays.",
    ),
    scenario="An office plans by calendar weeks, and somebody has only a date.",
    person_can="Many calendars print the number of the week.",
)
def get_iso_week(_state: State, date: Day) -> IsoWeek:
    """Tell in which ISO 8601 calendar week a date lies, and on which Monday that week starts.

    Args:
        date: The date, as YYYY-MM-DD.
    """
    day = dt.date.fromisoformat(date)
    try:
        monday = day - dt.timedelta(days=day.weekday())
    except OverflowError:
        refuse("bad_arguments", "That week lies outside the calendar.", "Stay between the years 1 and 9999.")
    return IsoWeek(week=day.isocalendar().week, monday=monday.isoformat())


class TimeSpan(Shape):
    minutes: int = fact("clock.span", "Minutes from the first to the second.")


@_DATES.tool(
    also_done_by=("get_working_time",),
    rubric=never(why="Hours and minutes are counted on from one clock time to the other."),
    scenario="Somebody has two appointments on one day and wonders how long there is in between.",
    person_can="Anybody who reads a clock counts this in passing.",
)
def get_time_span(_state: State, start: ClockTime, end: ClockTime) -> TimeSpan:
    """Work out the minutes from one clock time to a later one of the same day.

    Args:
        start: The earlier time, HH:MM on the 24-hour clock.
        end: The later time.
    """
    begun, done = minutes_of(start), minutes_of(end)
    if done <= begun:
        refuse("bad_arguments", f"{end} does not come after {start}.", "Give an end later on the same day.")
    return TimeSpan(minutes=done - begun)


class WeekdayCount(Shape):
    count: int = fact("dates.weekday_count", "How many such days there are.")


@_DATES.tool(
    about=("weekday", "first", "last"),
    also_done_by=("count_days", "get_weekday", "get_iso_week", "shift_date"),
    rubric=by_size(
        on(_near_span),
        why="The Fridays of the next weeks are counted on the fingers; those of thirty years are not.",
    ),
    scenario="Somebody counts the Fridays until a holiday, or the Sundays that a market has been held.",
    person_can="With a calendar at hand one counts down the column.",
)
def count_weekdays(_state: State, weekday: DayOfWeek, first: Day, last: Day) -> WeekdayCount:
    """Count how often a day of the week comes from one date to another, both included.

    Args:
        weekday: The day of the week.
        first: The first date, as YYYY-MM-DD.
        last: The last date, as YYYY-MM-DD.
    """
    start, end = dt.date.fromisoformat(first), dt.date.fromisoformat(last)
    if end < start:
        refuse("bad_arguments", f"{last} comes before {first}.", "Give the earlier date first.")
    wait = (WEEKDAYS.index(weekday) - start.weekday()) % len(WEEKDAYS)
    return WeekdayCount(count=((end - start).days - wait) // len(WEEKDAYS) + 1)


class Age(Shape):
    years: int = fact("person.age", "Completed years.")


@_DATES.tool(
    also_done_by=("count_days",),
    rubric=never(why="One subtracts two years, and one more before the birthday."),
    scenario="Somebody writes a card and wants to know how old a friend will be on the day of the party.",
    person_can="Anybody can work out an age from a birthday.",
)
def get_age(_state: State, birthday: Birthday, date: Day) -> Age:
    """Tell how many years old somebody is on a day.

    Who was born on 29 February turns a year older on 1 March in common years.

    Args:
        birthday: The date of birth, as YYYY-MM-DD.
        date: The day to tell the age on, as YYYY-MM-DD.
    """
    born, day = dt.date.fromisoformat(birthday), dt.date.fromisoformat(date)
    if day < born:
        refuse("bad_arguments", f"On {date} that person was not born yet.", "Give a day after the birthday.")
    before_birthday = (day.month, day.day) < (born.month, born.day)
    return Age(years=day.year - born.year - before_birthday)


class LeapYear(Shape):
    leap: bool = fact("year.leap", "True if that year has a 29 February.")


@_DATES.tool(
    also_done_by=("count_days", "shift_date"),
    rubric=never(why="Divisible by four, but a full century only by four hundred."),
    scenario="Somebody fills in a planner and wonders whether its February has 29 days.",
    person_can="Most people know the rule.",
)
def check_leap_year(
    _state: State, year: Annotated[int, Attribute("year.number"), Rules(minimum=1583, maximum=9999)]
) -> LeapYear:
    """Check whether a year of the Gregorian calendar is a leap year.

    Args:
        year: The year, from 1583 on.
    """
    return LeapYear(leap=calendar.isleap(year))
