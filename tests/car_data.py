"""A part of generated data, written as a folder in the published layout."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from knowact.core.model import Noun
from knowact.worlds.car.databases import Databases
from knowact.worlds.car.databases.rows import CATEGORIES, Poi, Route, shown

NAVIGATION = "navigation"
PEOPLE = "productivity_and_communication"


def write_folder(folder: Path, databases: Databases, cities: Sequence[str]) -> Path:
    """Write what lies in, and between, the named cities; return the folder.

    Args:
        folder: Where the two folders go.
        databases: Where the rows come from.
        cities: Names of cities.
    """
    places = [city for city in databases.locations.values() if city.name in cities]
    between = [route for a in places for b in places for route in databases.routes(a.id, b.id)]
    bound = [poi for city in places for kind in CATEGORIES for poi in databases.pois_at(city.id, kind)]
    beside = {
        poi.id: poi
        for route in between
        for kind in CATEGORIES
        for poi in databases.pois_along(route.route_id, kind)
    }
    pois = [*bound, *beside.values()]
    to_poi = [one for city in places for poi in pois for one in databases.routes(city.id, poi.id)]
    from_poi = [one for city in places for poi in pois for one in databases.routes(poi.id, city.id)]
    rows: dict[tuple[str, str], Iterable[dict[str, Any]]] = {
        (NAVIGATION, "locations"): map(shown, places),
        (NAVIGATION, "pois"): map(shown, pois),
        (NAVIGATION, "weather"): _shown(databases.weather(city.id) for city in places),
        (NAVIGATION, "routes_location_location"): map(shown, between),
        (NAVIGATION, "routes_location_poi"): map(shown, (one for one in to_poi if not one.base_route_id)),
        (NAVIGATION, "routes_poi_location"): map(shown, (one for one in from_poi if not one.base_route_id)),
        (NAVIGATION, "routes_metadata"): [
            _metadata(databases, one) for one in (*to_poi, *from_poi) if one.base_route_id
        ],
        (PEOPLE, "contacts"): map(shown, databases.contacts.values()),
        (PEOPLE, "calendars"): map(shown, databases.calendars.values()),
    }
    for (part, name), lines in rows.items():
        (folder / part).mkdir(exist_ok=True, parents=True)
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (folder / part / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def _shown(rows: Iterable[Noun | None]) -> list[dict[str, Any]]:
    return [shown(row) for row in rows if row is not None]


def _metadata(databases: Databases, route: Route) -> dict[str, Any]:
    base = databases.route(route.base_route_id or "")
    assert base is not None
    ends = databases.place(route.start_id), databases.place(route.destination_id)
    poi = next(one for one in ends if isinstance(one, Poi))
    alternatives = databases.routes(base.start_id, base.destination_id)
    return {
        "route_id": route.route_id,
        "start_id": route.start_id,
        "destination_id": route.destination_id,
        "base_route_id": base.route_id,
        "route_alternative": alternatives.index(base),
        "detour_distance_km": _detour(databases, poi, route, base),
    }


def _detour(databases: Databases, poi: Poi, route: Route, base: Route) -> float:
    """How far from the road it is, to about 10 m, as lengths give away."""
    if poi.corresponding_location_id is not None:
        return round(route.distance_km - base.distance_km, 2)
    detour = databases.detour(base, poi.id)
    assert detour is not None
    return round((detour.there.distance_km + detour.on.distance_km - base.distance_km) / 2, 2)
