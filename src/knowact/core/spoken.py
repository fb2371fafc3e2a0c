"""Values in plain words, as labels and test texts say them."""

import calendar
import datetime as dt
import re
from typing import Final

from pydantic import JsonValue

DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
TIME: Final = re.compile(r"\d{2}:\d{2}")
"""How plans write days and times of day."""


def spoken(value: JsonValue) -> str:
    """A value in plain words: lists with commas, numbers with thousands commas, days in full."""
    if isinstance(value, list):
        return ", ".join(map(spoken, value))
    if isinstance(value, str) and DAY.fullmatch(value):
        day = dt.date.fromisoformat(value)
        return f"{day.day} {calendar.month_name[day.month]} {day.year}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,}"
