"""Contacts, calendars and weather of generated data (CAR-bench).

Names of people, ids and the days of calendars are keys: the same for every seed. Addresses, numbers,
meetings and weather are what stands behind them.
"""

import datetime as dt
import random
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import product
from typing import Final

from knowact.core.model import Noun
from knowact.core.seeds import generator
from knowact.worlds.car.databases.drawn_pois import phone_number
from knowact.worlds.car.databases.geography import City
from knowact.worlds.car.databases.ids import numbering
from knowact.worlds.car.databases.rows import (
    CATEGORIES,
    CONDITIONS,
    Calendar,
    Condition,
    Contact,
    Date,
    FullName,
    Meeting,
    Slot,
    Start,
    Weather,
)

PEOPLE: Final = 100
CALENDARS: Final = 100
PHONE_SHARE: Final = len(CATEGORIES)
_YEAR: Final = 2025
_SATURDAY: Final = 5
_SAME_FIRST: Final = 8
_SAME_LAST: Final = 5
"""So many people share the first name, or the last name, that comes first: "Nele" alone says nobody."""
_SLOT_HOURS: Final = 3
_NOON: Final = 4
"""The slot that begins at noon."""
_REDRAW: Final = 0.15
_COLDEST: Final = -16
_WARMEST: Final = 29


class _Words(Noun):
    """What people, their addresses and their meetings are named after."""

    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    domains: tuple[str, ...]
    topics: tuple[str, ...]


@cache
def _words() -> _Words:
    folder = resources.files("knowact.worlds.car.databases")
    return _Words.model_validate_json(folder.joinpath("data/people.json").read_text("utf-8"))


@cache
def _people() -> tuple[tuple[str, str], ...]:
    """Return who is in the address book: first and last names, each pair once."""
    words, draw = _words(), generator(0, "people")
    first_names, last_names = words.first_names, words.last_names
    alike = [(first_names[0], last) for last in draw.sample(last_names, _SAME_FIRST)]
    alike += [(first, last_names[0]) for first in draw.sample(first_names[1:], _SAME_LAST)]
    others = [pair for pair in product(first_names[1:], last_names[1:]) if pair not in alike]
    chosen = [*alike, *draw.sample(others, PEOPLE - len(alike))]
    draw.shuffle(chosen)
    return tuple(chosen)


def draw_contacts(seed: int) -> list[Contact]:
    """Return the address book of a seed."""
    numbers, domains = numbering("con", 4), _words().domains
    contacts: list[Contact] = []
    for index, (first, last) in enumerate(_people()):
        draw = generator(seed, "contact", index)
        contact = Contact(
            id=numbers.id_of(index),
            name=FullName(first_name=first, last_name=last),
            phone_number=phone_number(seed, PHONE_SHARE, index),
            email=f"{first}.{last}{draw.randint(10, 9999)}@{draw.choice(domains)}".lower(),
        )
        contacts.append(contact)
    return contacts


def draw_calendars(seed: int, everybody: Sequence[str], places: Sequence[City]) -> list[Calendar]:
    """Return the calendars of a seed.

    Args:
        seed: The seed of the data.
        everybody: Ids of the contacts, who attend.
        places: The cities, where meetings are.
    """
    days, draw = _weekdays(), generator(0, "days of calendars")
    numbers = numbering("cal", 4)
    calendars: list[Calendar] = []
    for index in range(CALENDARS):
        day = draw.choice(days)
        calendar = Calendar(
            id=numbers.id_of(index),
            date=Date(year=day.year, month=day.month, day=day.day),
            meetings=_meetings(generator(seed, "calendar", index), everybody, places),
        )
        calendars.append(calendar)
    return calendars


def _weekdays() -> list[dt.date]:
    first = dt.date(_YEAR, 1, 1)
    days = (first + dt.timedelta(days=number) for number in range(365))
    return [day for day in days if day.weekday() < _SATURDAY]


def _meetings(
    draw: random.Random, everybody: Sequence[str], places: Sequence[City]
) -> tuple[Meeting, Meeting]:
    first = 12 * 60 + 30 * draw.randint(1, 7)
    second = first + 60 + 30 * draw.randint(0, 5)
    topics = draw.sample(_words().topics, 2)

    def meeting(start: int, topic: str) -> Meeting:
        return Meeting(
            start=Start(hour=f"{start // 60:02d}", minute=f"{start % 60:02d}"),
            duration=draw.choice(("30min", "60min")),
            location=draw.choice(places).name,
            attendees=tuple(draw.sample(everybody, draw.randint(2, 5))),
            topic=topic,
        )

    return meeting(first, topics[0]), meeting(second, topics[1])


def draw_weather(seed: int, city: City) -> Weather:
    """Return a city's weather: a value at noon, and from there a random walk both ways."""
    draw = generator(seed, "weather", city.name)
    slots = 24 // _SLOT_HOURS
    noon = draw.randint(-10, 24), draw.randint(0, 25), draw.randint(45, 95)
    condition: Condition = draw.choice(CONDITIONS)
    values: dict[int, tuple[tuple[int, int, int], Condition]] = {_NOON: (noon, condition)}
    for order in (range(_NOON + 1, slots), range(_NOON - 1, -1, -1)):
        present, sky = noon, condition
        for number in order:
            present = _walked(draw, present)
            sky = draw.choice(CONDITIONS) if draw.random() < _REDRAW else sky
            values[number] = (present, sky)
    return Weather(
        location_id=city.id,
        location_name=city.name,
        weather=tuple(_slot(number, *values[number]) for number in range(slots)),
    )


def _walked(draw: random.Random, values: tuple[int, int, int]) -> tuple[int, int, int]:
    temperature, wind, humidity = values
    return (
        min(max(temperature + draw.randint(-3, 3), _COLDEST), _WARMEST),
        min(max(wind + draw.randint(-4, 4), 0), 35),
        min(max(humidity + draw.randint(-5, 5), 40), 100),
    )


def _slot(number: int, values: tuple[int, int, int], condition: Condition) -> Slot:
    temperature, wind, humidity = values
    return Slot(
        start_time=f"{number * _SLOT_HOURS:02d}:00",
        end_time=f"{(number + 1) * _SLOT_HOURS:02d}:00",
        temperature_c=temperature,
        wind_speed_kph=wind,
        humidity_percent=humidity,
        condition=condition,
    )
