"""Which index of a category is which place: the same for every seed, so that ids are.

First come the places in cities, then those along the roads of each pair of cities. A pair gets as many
indexes as its longest possible road has places; how many it really has depends on the seed.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from typing import Final

from knowact.worlds.car.databases.drawn_pois import EVERY_KM, PER_CITY
from knowact.worlds.car.databases.geography import airports, cities, kilometers
from knowact.worlds.car.databases.roads import LONGEST
from knowact.worlds.car.databases.rows import Category

AIRPORTS: Final[Category] = "airports"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two cities, by number, the lower one first.

    Attributes:
        low: The city where the forward routes start.
        high: The city where they end.
        straight_km: Their great-circle distance.
        first: The index of the first place along their roads.
        room: For how many places there are indexes.
    """

    low: int
    high: int
    straight_km: float
    first: int
    room: int


@dataclass(frozen=True, slots=True)
class InCity:
    """A place in a city; `rank` counts from 0 within its category."""

    city: int
    rank: int


@dataclass(frozen=True, slots=True)
class Beside:
    """A place along the roads of a pair; `stop` counts from 1, one every `EVERY_KM`."""

    pair: Pair
    stop: int


@cache
def pairs() -> dict[tuple[int, int], Pair]:
    """Return every pair of cities by their numbers, in the order of their indexes."""
    every = cities()
    by_cities: dict[tuple[int, int], Pair] = {}
    first = len(every) * PER_CITY
    for low in range(len(every)):
        for high in range(low + 1, len(every)):
            straight = kilometers(every[low].spot, every[high].spot)
            room = int(straight * LONGEST / EVERY_KM)
            by_cities[low, high] = Pair(low, high, straight, first, room)
            first += room
    return by_cities


@cache
def _firsts() -> tuple[list[int], list[Pair]]:
    every = list(pairs().values())
    return [pair.first for pair in every], every


def indexes_in(category: Category, city: int) -> range:
    """Return the indexes of a category's places in a city."""
    if category != AIRPORTS:
        return range(city * PER_CITY, (city + 1) * PER_CITY)
    mine = [number for number, airport in enumerate(airports()) if airport.city == city]
    return range(mine[0], mine[-1] + 1) if mine else range(0)


def place_at(category: Category, index: int) -> InCity | Beside | None:
    """Return which place an index is; None if it is no index of the category."""
    if category == AIRPORTS:
        return InCity(airports()[index].city, 0) if index < len(airports()) else None
    if index < len(cities()) * PER_CITY:
        return InCity(*divmod(index, PER_CITY))
    firsts, every = _firsts()
    pair = every[bisect_right(firsts, index) - 1]
    stop = index - pair.first + 1
    return Beside(pair, stop) if stop <= pair.room else None
