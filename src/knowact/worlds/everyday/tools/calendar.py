"""Calendar: distances between days. The user's own appointments are in `personal`."""

import datetime as dt
from typing import Annotated, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import by_argument, person_can, refuse, tool
from knowact.worlds.everyday.fields import Day, DayCount
from knowact.worlds.everyday.state import State, weekday
from knowact.worlds.typed.schema import Attribute


class DayDistance(TypedDict):
    """How far two days are apart.

    Attributes:
        days: Number of days from the first to the second; negative if the second comes earlier.
    """

    days: Annotated[int, Attribute("dates.distance", is_a="duration.days")]


@tool(
    category="Calendar",
    server="dates",
    about=("first", "second"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Days within a season are counted month by month; decades with their leap years are not.",
        within=lambda given: limits.span(given["first"], given["second"]),
    ),
    scenario="Somebody counts the days until a holiday, or since they moved house.",
    human=person_can("Anybody with a calendar on the wall can count the days."),
)
def count_days(_state: State, first: Day, second: Day) -> DayDistance:
    """Count the days from one date to another.

    Args:
        first: The date to count from, as YYYY-MM-DD.
        second: The date to count to, as YYYY-MM-DD.
    """
    return {"days": (dt.date.fromisoformat(second) - dt.date.fromisoformat(first)).days}


class ShiftedDay(TypedDict):
    """A day some days away.

    Attributes:
        date: The day, as YYYY-MM-DD.
        weekday: Its day of the week.
    """

    date: Annotated[str, Attribute("dates.shifted", is_a="day.date")]
    weekday: Annotated[str, Attribute("dates.weekday", is_a="text.value")]


@tool(
    category="Calendar",
    server="dates",
    about=("date", "days"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="A few weeks on are counted on the calendar; a thousand days on are not.",
        within=lambda given: abs(given["days"]) <= limits.DAYS,
    ),
    scenario="Somebody has a deadline of so many days and wants to know which day that is.",
    human=person_can("Anybody with a calendar on the wall can count the days."),
)
def shift_date(_state: State, date: Day, days: DayCount) -> ShiftedDay:
    """Find the date, and its weekday, some days after or before another date.

    Args:
        date: The date to start from, as YYYY-MM-DD.
        days: How many days later; negative for earlier.
    """
    try:
        shifted = dt.date.fromisoformat(date) + dt.timedelta(days=days)
    except OverflowError:
        refuse("bad_arguments", "That day lies outside the calendar.", "Stay between the years 1 and 9999.")
    return {"date": shifted.isoformat(), "weekday": weekday(shifted)}
