"""What cities measure and publish: pure functions of the seed, of the city and of time (see `sources`)."""

import datetime as dt
from dataclasses import dataclass
from typing import Final, Literal

from knowact.core.seeds import generator
from knowact.worlds.everyday.places import city

Garage = Literal["station", "town hall", "opera", "market"]
Trend = Literal["rising", "steady", "falling"]
_STEADY_BELOW: Final = 3
"""Centimetres a day that nobody on the quay would call a change."""


@dataclass(frozen=True, slots=True)
class BikeCounter:
    """What the post beside the busiest cycle path shows. Counts in tens, as the post rounds them."""

    so_far: int
    yesterday: int
    peak: str


def bike_counter(seed: int, place: str, now: dt.datetime) -> BikeCounter:
    """Return how many cyclists passed today up to this hour, and yesterday; and yesterday's peak."""
    city(place)
    today = generator(seed, "bikes", place, now.strftime("%Y-%m-%d %H"))
    before = generator(seed, "bikes", place, (now.date() - dt.timedelta(days=1)).isoformat())
    peak = f"{before.randint(7, 18):02d}:{before.choice((0, 15, 30, 45)):02d}"
    return BikeCounter(today.randint(11, 98) * 10, before.randint(101, 899) * 10, peak)


@dataclass(frozen=True, slots=True)
class WaterGauge:
    """A gauge in the water: centimetres above its zero, and the change in a day."""

    level: int
    change: int
    trend: Trend


def water_gauge(seed: int, place: str, now: dt.datetime) -> WaterGauge:
    """Return what a city's water gauge shows at this hour."""
    city(place)
    draw = generator(seed, "gauge", place, now.strftime("%Y-%m-%d %H"))
    change = draw.randint(-24, 32)
    trend: Trend = "steady" if abs(change) < _STEADY_BELOW else "rising" if change > 0 else "falling"
    return WaterGauge(draw.randint(62, 640), change, trend)


@dataclass(frozen=True, slots=True)
class Library:
    """A city's central library today."""

    visitors: int
    free_seats: int
    closes: str


def library(seed: int, place: str, now: dt.datetime) -> Library:
    """Return how busy a city's central library is at this hour, and when it closes today."""
    city(place)
    draw = generator(seed, "library", place, now.strftime("%Y-%m-%d %H"))
    day = generator(seed, "library hours", place, now.date().isoformat())
    closes = f"{day.randint(17, 22)}:{day.choice((0, 30)):02d}"
    return Library(draw.randint(14, 620), draw.randint(3, 180), closes)


@dataclass(frozen=True, slots=True)
class CarPark:
    """A public garage at this hour; the price is in cents per hour."""

    free: int
    cents_per_hour: int


def car_park(seed: int, place: str, garage: Garage, now: dt.datetime) -> CarPark:
    """Return how many spaces a garage has left, and what an hour costs there today."""
    city(place)
    spaces = generator(seed, "car park", place, garage, now.strftime("%Y-%m-%d %H"))
    price = generator(seed, "car park price", place, garage, now.date().isoformat())
    return CarPark(spaces.randint(2, 340), price.randint(9, 48) * 10)
