"""Arguments drawn at random, and how people put them into words."""

import datetime as dt
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from knowact.worlds.everyday.places import CITIES
from knowact.worlds.everyday.private import keys
from version_1.words import (
    Clock,
    Draw,
    FarDay,
    Fractional,
    Key,
    Lines,
    NearDay,
    OneOf,
    Place_,
    Say,
    Several,
    Whole,
)

_NEARBY: Final = ("Amsterdam", "Antwerp", "Brussels", "Cologne", "Ghent", "Hamburg", "Paris", "Rotterdam")
_WEEK: Final = 6
_ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Said:
    """A value and the words for it.

    Attributes:
        value: What the call carries.
        words: A noun phrase ("Saturday", "80 euros").
        on: The same as an adverbial, for days ("on Saturday", "tomorrow"); else the noun phrase.
        origin: `context` where the words mean the value only together with what the agent is shown.
    """

    value: Any
    words: str
    on: str
    origin: Literal["query", "context"] = "query"


def draw(how: Draw, today: dt.date, rng: random.Random, say: Say = "") -> Said:
    """Draw one value and put it into words."""
    match how:
        case NearDay(day=(first, last)):
            return near_day(today + dt.timedelta(days=rng.randint(first, last)), today)
        case FarDay(date=(first, last)):
            start = dt.date.fromisoformat(first)
            span = (dt.date.fromisoformat(last) - start).days
            return far_day(start + dt.timedelta(days=rng.randint(0, span)))
        case Lines():
            chosen = rng.sample(how.lines, rng.randint(*how.count))
            return _said("\n".join(chosen), ", ".join(chosen), say)
        case Several():
            values = _several(how, today, rng)
            return _said(values, _and([number(value) for value in values]), say)
        case _:
            value = _plain(how, rng)
            return _said(value, number(value), say)


def near_day(day: dt.date, today: dt.date) -> Said:
    """Say a day near today as people do: by its distance, its weekday or its date without the year."""
    ahead = (day - today).days
    relative = {0: "today", 1: "tomorrow", -1: "yesterday"}.get(ahead)
    if relative:
        return Said(day.isoformat(), relative, relative, "context")
    words = _DAYS[day.weekday()] if 1 < ahead <= _WEEK else f"{day.day} {_MONTHS[day.month - 1]}"
    return Said(day.isoformat(), words, f"on {words}", "context")


def far_day(day: dt.date) -> Said:
    """Say a day in full."""
    words = f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
    return Said(day.isoformat(), words, f"on {words}")


def spoken(value: Any, say: Say = "") -> Said:
    """Say a value that nobody drew, an earlier step's result: days in full, the rest as `say` has it."""
    if isinstance(value, str) and _ISO_DAY.fullmatch(value):
        return far_day(dt.date.fromisoformat(value))
    return _said(value, number(value), "" if isinstance(say, Mapping) and str(value) not in say else say)


def number(value: Any) -> str:
    """Write a value as people do: numbers with thousands commas, everything else as it is."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, int) or value.is_integer():
        return f"{int(value):,}"
    return f"{value:,}"


def _said(value: Any, plain: str, say: Say) -> Said:
    words = say[str(value)] if isinstance(say, Mapping) else say.replace("{}", plain) or plain
    return Said(value, words, words)


def _several(how: Several, today: dt.date, rng: random.Random) -> list[Any]:
    values: list[Any] = []
    wanted = rng.randint(*how.count)
    for _ in range(wanted * 20):
        value = draw(how.list_of, today, rng).value
        if value not in values:
            values.append(value)
        if len(values) == wanted:
            break
    return values


def _plain(how: OneOf | Whole | Fractional | Clock | Key | Place_, rng: random.Random) -> Any:
    match how:
        case OneOf():
            return rng.choice(how.one_of)
        case Whole(whole=(low, high)):
            return rng.randrange(low, high + 1, how.step)
        case Fractional(decimal=(low, high), places=places):
            scale = 10**places
            units = rng.randint(round(low * scale), round(high * scale))
            return (units if units % 10 else units + 1) / scale
        case Clock(time=(first, last)):
            start, end = _minutes(first), _minutes(last)
            at = rng.randrange(start, end + 1, how.step)
            return f"{at // 60:02d}:{at % 60:02d}"
        case Key():
            return rng.choice(how.only or keys(how.table))
        case Place_():
            return rng.choice(cities(how.city))


def cities(which: Literal["any", "coastal", "nearby"]) -> Sequence[str]:
    """The cities of one kind."""
    if which == "nearby":
        return _NEARBY
    return [name for name, city in CITIES.items() if which == "any" or city.coastal]


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def admits(how: Draw, value: Any, today: dt.date) -> bool:
    """Whether a way of drawing could have given a value; only for places, keys and days near today."""
    match how:
        case Place_():
            return value in cities(how.city)
        case Key():
            return value in (how.only or keys(how.table))
        case NearDay(day=(first, last)):
            return first <= (dt.date.fromisoformat(value) - today).days <= last
        case _:
            return False


def reworded(how: Draw, said: Said, say: Say) -> Said:
    """Put a value that was drawn elsewhere into the words of this phrasing."""
    return said if isinstance(how, NearDay) else _said(said.value, number(said.value), say)
