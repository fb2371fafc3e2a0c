"""Cross-domain: sums, and times of day (spec car-bench.md, section 2.10)."""

# ruff: noqa: D417 - agents give every argument but the car, so no docstring describes it

import datetime as dt
from typing import Annotated, Final, TypedDict

from knowact.worlds.car.arithmetic import value_of
from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.typed.schema import Attribute, Rules

_PUBLISHED_MONTH: Final = 30
"""In the published calculator every month has so many days, and none follows upon it (defect D-62)."""
_LONG: Final = Rules(minimum=-100_000, maximum=100_000)


class MathResult(TypedDict):
    """A sum.

    Attributes:
        result: What it comes to, rounded to two decimals.
    """

    result: Annotated[float, Attribute("sum.result")]


@car_tool(domain="Cross-domain", kind="get")
def calculate_math(
    car: Car, expression: Annotated[str, Rules(max_length=500), Attribute("sum.expression")]
) -> MathResult:
    """Work out a sum.

    Args:
        expression: Numbers, + - * / and brackets, such as "(3 + 4) * 2.5".
    """
    return {"result": round(value_of(expression, powers=car.published), 2)}


class DateTime(TypedDict):
    """A minute of a day.

    Attributes:
        year: The year.
        month: 1 to 12.
        day: Of the month.
        hour: 0 to 23.
        minute: 0 to 59.
    """

    year: Annotated[int, Rules(minimum=1, maximum=9999), Attribute("moment.year")]
    month: Annotated[int, Rules(minimum=1, maximum=12), Attribute("moment.month")]
    day: Annotated[int, Rules(minimum=1, maximum=31), Attribute("moment.day")]
    hour: Annotated[int, Rules(minimum=0, maximum=23), Attribute("moment.hour")]
    minute: Annotated[int, Rules(minimum=0, maximum=59), Attribute("moment.minute")]


class Span(TypedDict):
    """A length of time.

    Attributes:
        hours: Hours.
        minutes: Minutes, beside the hours.
    """

    hours: Annotated[int, _LONG]
    minutes: Annotated[int, _LONG]


@car_tool(domain="Cross-domain", kind="get")
def calculate_datetime(
    car: Car,
    original_datetime: Annotated[DateTime, Attribute("moment.start")],
    times_to_add: Annotated[list[Span], Rules(max_items=100), Attribute("moment.spans")],
) -> DateTime:
    """Work out which date and time it is some hours and minutes after another.

    Args:
        original_datetime: The date and time to start from.
        times_to_add: The lengths of time to add, one after the other.
    """
    minutes = sum(60 * int(span["hours"]) + int(span["minutes"]) for span in times_to_add)
    if car.published:
        return _in_months_of_thirty_days(original_datetime, minutes)
    given = original_datetime
    try:
        began = dt.datetime(  # noqa: DTZ001 - the car has one clock
            int(given["year"]),
            int(given["month"]),
            int(given["day"]),
            int(given["hour"]),
            int(given["minute"]),
        )
        end = began + dt.timedelta(minutes=minutes)
    except (ValueError, OverflowError):
        refuse("bad_arguments", "There is no such date.", "Check day, month and year.", fault=Fault.UNLOGGED)
    return {"year": end.year, "month": end.month, "day": end.day, "hour": end.hour, "minute": end.minute}


def _in_months_of_thirty_days(start: DateTime, minutes: int) -> DateTime:
    days, minute = divmod(int(start["hour"]) * 60 + int(start["minute"]) + minutes, 24 * 60)
    day = int(start["day"]) + days
    if not 1 <= day <= _PUBLISHED_MONTH:
        refuse("bad_arguments", f"There is no day {day} in a month.", fault=Fault.UNLOGGED)
    return {
        "year": int(start["year"]),
        "month": int(start["month"]),
        "day": day,
        "hour": minute // 60,
        "minute": minute % 60,
    }
