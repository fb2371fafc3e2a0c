"""What job boards list: pure functions of the seed, of trade and city, and of time (see `sources`)."""

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from knowact.core.seeds import generator
from knowact.worlds.everyday.places import city

Trade = Literal[
    "baker",
    "bus driver",
    "carpenter",
    "cook",
    "electrician",
    "florist",
    "gardener",
    "hairdresser",
    "nurse",
    "plumber",
    "teacher",
    "translator",
]


@dataclass(frozen=True, slots=True)
class Openings:
    """What is open in a trade: how many places, the usual pay in cents per hour, the newest listing."""

    places: int
    cents_per_hour: int
    newest: str


def openings(seed: int, trade: Trade, place: str, day: dt.date) -> Openings:
    """Return what the job board lists for a trade in a city on a day."""
    city(place)
    draw = generator(seed, "openings", trade, place, day.isoformat())
    newest = day - dt.timedelta(days=draw.randint(0, 12))
    return Openings(draw.randint(2, 96), draw.randint(26, 62) * 50, newest.isoformat())
