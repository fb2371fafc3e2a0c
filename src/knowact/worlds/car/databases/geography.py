"""Where the car's world lies: 48 cities and 17 airports, and distances on the globe.

Names and coordinates are public facts, to a hundredth of a degree; no seed changes them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.car.databases.ids import letters, numbering

EARTH_KM: Final = 6371.0
_DEGREE_KM: Final = EARTH_KM * math.pi / 180
_MUNICH: Final = "loc_mun_9995"
"""An id of four digits where all others have six; the default context of every published task names it."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A point on the globe, in degrees; east and north are positive."""

    longitude: float
    latitude: float


@dataclass(frozen=True, slots=True)
class City:
    """A city.

    Attributes:
        number: Its place in the list.
        name: What the data call it.
        country: Its country's two-letter code.
        spot: Where it is.
        aliases: Other names that people use for it.
    """

    number: int
    name: str
    country: str
    spot: Spot
    aliases: tuple[str, ...] = ()

    @property
    def letters(self) -> str:
        """The three letters that stand for it in ids; no two cities share them."""
        return letters(self.name)

    @property
    def id(self) -> str:
        """Its id, the same for every seed."""
        return _MUNICH if self.number == 0 else numbering(f"loc_{self.letters}").id_of(self.number)


@dataclass(frozen=True, slots=True)
class Airport:
    """An airport, and the number of the city that it belongs to."""

    name: str
    spot: Spot
    city: int


class _Row(Noun):
    """A line of the files of cities and airports; of an airport neither country nor aliases are said."""

    name: str
    iso2: str = ""
    longitude: float
    latitude: float
    aliases: tuple[str, ...] = ()

    @property
    def spot(self) -> Spot:
        return Spot(self.longitude, self.latitude)


def _rows(file: str) -> list[_Row]:
    text = resources.files("knowact.worlds.car.databases").joinpath(f"data/{file}").read_text("utf-8")
    return [_Row.model_validate_json(line) for line in text.splitlines()]


@cache
def cities() -> tuple[City, ...]:
    """Return all cities, in the order of their numbers."""
    return tuple(
        City(number, row.name, row.iso2, row.spot, row.aliases)
        for number, row in enumerate(_rows("cities.jsonl"))
    )


@cache
def airports() -> tuple[Airport, ...]:
    """Return the airports that a city has: each German city's nearest one, if no earlier city has it."""
    every = [(row.name, row.spot) for row in _rows("airports.jsonl")]
    owners: dict[int, int] = {}
    for city in cities():
        if city.country == "DE":
            nearest = min(range(len(every)), key=lambda number: kilometers(city.spot, every[number][1]))
            owners.setdefault(nearest, city.number)
    return tuple(Airport(*every[number], city) for number, city in sorted(owners.items()))


def kilometers(start: Spot, end: Spot) -> float:
    """Return the great-circle distance of two points in kilometres."""
    return EARTH_KM * _angle(start, end)


def _angle(start: Spot, end: Spot) -> float:
    north, south = math.radians(start.latitude), math.radians(end.latitude)
    across = math.radians(end.longitude - start.longitude)
    half = math.sin((south - north) / 2) ** 2 + math.cos(north) * math.cos(south) * math.sin(across / 2) ** 2
    return 2 * math.asin(math.sqrt(half))


def great_circle(start: Spot, end: Spot) -> Callable[[float], Spot]:
    """Return what gives, for a fraction of the way between two different points, the point there."""
    angle, ends = _angle(start, end), (_vector(start), _vector(end))
    whole = math.sin(angle)

    def point(fraction: float) -> Spot:
        near, far = math.sin((1 - fraction) * angle) / whole, math.sin(fraction * angle) / whole
        x, y, z = (near * first + far * last for first, last in zip(*ends, strict=True))
        return Spot(math.degrees(math.atan2(y, x)), math.degrees(math.atan2(z, math.hypot(x, y))))

    return point


def _vector(spot: Spot) -> tuple[float, float, float]:
    longitude, latitude = math.radians(spot.longitude), math.radians(spot.latitude)
    around = math.cos(latitude)
    return around * math.cos(longitude), around * math.sin(longitude), math.sin(latitude)


def moved(spot: Spot, distance_km: float, bearing: float) -> Spot:
    """Return the point a few kilometres away, in a direction in radians clockwise from north."""
    north = distance_km * math.cos(bearing) / _DEGREE_KM
    east = distance_km * math.sin(bearing) / (_DEGREE_KM * math.cos(math.radians(spot.latitude)))
    return Spot(spot.longitude + east, spot.latitude + north)
