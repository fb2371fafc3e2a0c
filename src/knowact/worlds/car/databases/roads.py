"""Roads between two places: lengths, durations, names and toll, drawn as CAR-bench says.

Roads belong to an unordered pair; both directions have the same values.
"""

import math
import random
from dataclasses import dataclass
from typing import Final

from knowact.worlds.car.databases.rows import Route

LONGEST: Final = 1.21 * 1.05
"""How much longer than the great circle the longest road is."""
_KINDS: Final = ("country road", "highway", "urban")
_TOLL: Final = "includes toll road"
_TOLL_RATE: Final = 0.1
_RANKS: Final = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class Road:
    """One alternative between two places, in whole minutes."""

    km: float
    minutes: int
    kinds: tuple[str, ...]
    toll: bool
    numbers: tuple[str, ...]


def roads(draw: random.Random, straight_km: float, *, speed: float, alternatives: int) -> tuple[Road, ...]:
    """Draw the alternatives between two places, fastest first.

    Args:
        draw: Where chance comes from.
        straight_km: The great-circle distance.
        speed: The usual speed in km/h.
        alternatives: How many.
    """
    base = straight_km * draw.uniform(1.19, 1.21)
    drawn: list[Road] = []
    for number in range(alternatives):
        length = base if number == 0 else base * draw.uniform(0.95, 1.05)
        pace = speed if number == 0 else speed * draw.uniform(0.99, 1.01)
        minutes = whole_minutes(length / pace * 60 * draw.uniform(0.98, 1.02))
        kinds = tuple(sorted(draw.sample(_KINDS, draw.randint(1, len(_KINDS)))))
        toll = draw.random() < _TOLL_RATE
        # A road of no length would make its fractions meaningless.
        km = max(round(length, 2), 0.01)
        drawn.append(
            Road(km, max(minutes, 1), (*kinds, _TOLL) if toll else kinds, toll, _numbers(draw, kinds))
        )
    return tuple(sorted(drawn, key=lambda road: (road.minutes, road.km)))


def _numbers(draw: random.Random, kinds: tuple[str, ...]) -> tuple[str, ...]:
    numbers: set[str] = set()
    for _ in range(draw.randint(1, 3)):
        kind = draw.choice(kinds)
        letter = {"highway": "A", "urban": draw.choice("LK"), "country road": "B"}[kind]
        numbers.add(f"{letter}{draw.randint(1, 99 if letter == 'A' else 999)}")
    return tuple(sorted(numbers))


def whole_minutes(minutes: float) -> int:
    """Round up; what is a hair above a whole minute only because of binary fractions is not."""
    return math.ceil(round(minutes, 6))


def aliases(alternatives: tuple[Road, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the names of each alternative: by rank, the fastest and the shortest."""
    shortest = min(range(len(alternatives)), key=lambda number: alternatives[number].km)
    return tuple(
        (
            *(("fastest",) if number == 0 else ()),
            _RANKS[number],
            *(("shortest",) if number == shortest else ()),
        )
        for number in range(len(alternatives))
    )


def named(numbers: tuple[str, ...], *, backwards: bool = False) -> str:
    """Return the numbers of the roads in the order in which they are driven."""
    return ", ".join(reversed(numbers) if backwards else numbers)


def route_over(
    road: Road, names: tuple[str, ...], route_id: str, start_id: str, destination_id: str, *, backwards: bool
) -> Route:
    """Return the route that a road makes in one direction; `names` are its aliases."""
    hours, minutes = divmod(road.minutes, 60)
    return Route(
        route_id=route_id,
        start_id=start_id,
        destination_id=destination_id,
        name_via=named(road.numbers, backwards=backwards),
        distance_km=road.km,
        duration_hours=hours,
        duration_minutes=minutes,
        road_types=road.kinds,
        includes_toll=road.toll,
        alias=names,
        base_route_id=None,
    )


def driven(mark_km: float, fastest_km: float, *, to_poi: bool) -> float:
    """Return how much of a city-to-city route is driven to a place beside it, or from there on.

    Args:
        mark_km: The place's kilometre in the direction of the route.
        fastest_km: The length of the fastest alternative, on which that is measured.
        to_poi: Whether the way leads to the place; else it leads on from there.
    """
    fraction = round(mark_km / fastest_km, 3)
    return fraction if to_poi else max(0.0, 1 - fraction)


def part_of(
    base: Route, route_id: str, start_id: str, destination_id: str, *, fraction: float, detour_km: float
) -> Route:
    """Return the part of a city-to-city route that leads to, or from, a place beside it.

    Args:
        base: The route that the place is beside.
        route_id: The part's own id.
        start_id: Where the part starts.
        destination_id: Where it ends.
        fraction: How much of the base route is driven.
        detour_km: From the base route to the place, at 50 km/h.
    """
    whole = whole_minutes(base.minutes * fraction + detour_km / 50 * 60)
    hours, minutes = divmod(whole, 60)
    return base.model_copy(
        update={
            "route_id": route_id,
            "start_id": start_id,
            "destination_id": destination_id,
            "distance_km": round(base.distance_km * fraction + detour_km, 2),
            "duration_hours": hours,
            "duration_minutes": minutes,
            "base_route_id": base.route_id,
        }
    )
