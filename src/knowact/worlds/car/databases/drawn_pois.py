"""Points of interest of generated data: names, hours, plugs and places (CAR-bench)."""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from knowact.core.model import Noun
from knowact.core.seeds import derive
from knowact.worlds.car.databases.geography import Spot, moved
from knowact.worlds.car.databases.ids import letters, numbering
from knowact.worlds.car.databases.rows import (
    CATEGORIES,
    Availability,
    Category,
    Plug,
    Poi,
    Position,
    PowerType,
    RoutePosition,
)

PER_CITY: Final = 2
"""Of every category but airports."""
EVERY_KM: Final = 50
MOST_PLUGS: Final = 5
ALWAYS: Final = "00:00h - 24:00h"
_HOURS: Final[Mapping[Category, tuple[int, int, int, int]]] = {
    "bakery": (6, 8, 12, 16),
    "fast_food": (6, 8, 18, 24),
    "supermarkets": (6, 8, 18, 24),
    "restaurants": (8, 13, 17, 22),
    "parking": (0, 8, 20, 24),
}
"""Earliest and latest hour of opening, earliest and latest of closing; the other categories never close."""
_AC_KW: Final = (11, 22)
_DC_KW: Final = (50, 100, 150, 200, 250, 300, 350)
_AVAILABILITIES: Final[tuple[Availability, ...]] = ("available", "occupied", "maintenance")
_PHONES: Final = 10**7
_PHONE_FACTOR: Final = 6_180_339
"""Coprime to ten, so that a number leads back to who has it."""
_PHONE_SHARE: Final = 10**6
"""So many numbers per category; contacts have the share after the last category."""
_PHONE_HEAD: Final = "49199"
"""The German area code 199 is for traffic between exchanges: these numbers ring nobody."""


class _Names(Noun):
    """What places are called: each country's language, and by language words and what is made of them."""

    languages: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]
    patterns: Mapping[str, Mapping[Category, tuple[str, ...]]]


@cache
def _names() -> _Names:
    folder = resources.files("knowact.worlds.car.databases")
    return _Names.model_validate_json(folder.joinpath("data/poi_names.json").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Along:
    """Which stretch of road something is beside.

    Attributes:
        route_ids: The six routes, forward ones first.
        forward: Direction of the forward ones (the start of their ids).
        backward: Direction of the others.
        forward_km: Kilometre on the forward ones.
        backward_km: Kilometre on the others.
    """

    route_ids: tuple[str, ...]
    forward: str
    backward: str
    forward_km: float
    backward_km: float


def poi_id(category: Category, index: int) -> str:
    """Return the id of a category's POI at an index."""
    return numbering(f"poi_{letters(category)}").id_of(index)


def draw_poi(  # noqa: PLR0917 - one POI, said once
    draw: random.Random,
    seed: int,
    category: Category,
    index: int,
    spot: Spot,
    where: str | Along,
    name: str,
) -> Poi:
    """Draw a POI; everything about it that is not given comes from `draw`.

    Args:
        draw: Where chance comes from.
        seed: The seed of the data, for the phone number.
        category: Its category.
        index: Its index in the category, for ids.
        spot: Where it is.
        where: The id of its city, or the stretch of road.
        name: Its name.
    """
    hours = _hours(draw, category)
    along = where if isinstance(where, Along) else None
    return Poi(
        id=poi_id(category, index),
        name=name,
        category=category,
        position=Position(longitude=round(spot.longitude, 4), latitude=round(spot.latitude, 4)),
        opening_hours=hours,
        phone_number=phone_number(seed, CATEGORIES.index(category), index),
        corresponding_location_id=where if isinstance(where, str) else None,
        corresponding_route_ids=along.route_ids if along else None,
        route_positions=_positions(along) if along else None,
        charging_plugs=_plugs(draw, index) if category == "charging_stations" else None,
    )


def _positions(along: Along) -> dict[str, RoutePosition]:
    return {
        along.forward: RoutePosition(at_route_kilometer=along.forward_km),
        along.backward: RoutePosition(at_route_kilometer=along.backward_km),
    }


def language_of(country: str) -> str:
    """Return the language that names have in a country."""
    return _names().languages[country]


def shuffled_names(draw: random.Random, category: Category, language: str) -> list[str]:
    """Return every name that a category can have in a language, each once, in an order of chance.

    Neighbours take them in turn, so that no two of them have the same.
    """
    names = _names()
    words, patterns = names.words[language], names.patterns[language][category]
    every = [pattern.format(word) for word in words for pattern in patterns]
    draw.shuffle(every)
    return every


def _hours(draw: random.Random, category: Category) -> str:
    if category not in _HOURS:
        return ALWAYS
    earliest, latest, first_end, last_end = _HOURS[category]
    return f"{draw.randint(earliest, latest):02d}:00h - {draw.randint(first_end, last_end):02d}:00h"


def _plugs(draw: random.Random, index: int) -> tuple[Plug, ...]:
    numbers = numbering("plg_cha")
    plugs: list[Plug] = []
    for number in range(draw.randint(1, MOST_PLUGS)):
        kind: PowerType = draw.choice(("AC", "DC"))
        plugs.append(
            Plug(
                plug_id=numbers.id_of(index * MOST_PLUGS + number),
                power_type=kind,
                power_kw=draw.choice(_AC_KW if kind == "AC" else _DC_KW),
                availability=draw.choices(_AVAILABILITIES, (60, 35, 5))[0],
            )
        )
    return tuple(plugs)


def beside(draw: random.Random, spot: Spot, distance_km: float) -> Spot:
    """Return a point at a distance, in a direction of chance."""
    return moved(spot, distance_km, draw.uniform(0, 2 * math.pi))


def in_town(draw: random.Random, centre: Spot) -> Spot:
    """Return a point 0.03 to 0.06 degrees east or west, and as much north or south, of a city's centre."""

    def offset() -> float:
        return draw.choice((-1, 1)) * draw.uniform(0.03, 0.06)

    return Spot(centre.longitude + offset(), centre.latitude + offset())


@lru_cache(maxsize=16)
def _phone_offset(seed: int) -> int:
    """Return what a seed adds to every number."""
    return derive(seed, "phones") % _PHONES


def phone_number(seed: int, share: int, index: int) -> str:
    """Return the phone number of a category's POI, or of a contact; no two are alike."""
    number = ((share * _PHONE_SHARE + index) * _PHONE_FACTOR + _phone_offset(seed)) % _PHONES
    return f"+{_PHONE_HEAD[:2]} {_PHONE_HEAD[2:]} {number:07d}"


def phone_owner(seed: int, number: str) -> tuple[int, int] | None:
    """Return the share and the index whose phone number this could be; None for foreign ones."""
    digits = "".join(character for character in number if character.isdigit() and character.isascii())
    if not digits.startswith(_PHONE_HEAD) or len(digits) != len(_PHONE_HEAD) + 7:
        return None
    shifted = int(digits[len(_PHONE_HEAD) :]) - _phone_offset(seed)
    return divmod(shifted * pow(_PHONE_FACTOR, -1, _PHONES) % _PHONES, _PHONE_SHARE)
