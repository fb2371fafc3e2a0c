"""Navigation: searching points of interest in a city or along a route (CAR-bench)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import JsonValue

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.car.databases.rows import CATEGORIES, Category, Poi, Route
from knowact.worlds.car.guidance import known_route
from knowact.worlds.car.shapes import (
    LocationId,
    PoiShown,
    RouteId,
    check_id,
    hidden,
    poi_shown,
)
from knowact.worlds.typed.schema import Shape, fact, part

NEAR_KM: Final = 25
"""How far before or after the asked kilometre a place may lie. The published description says 10, the
published search takes 25; the description here says what is done, and a test checks that."""
SHOWN: Final = 3
"""So many places along a route are shown."""
_CHARGING: Final = "charging_stations"

Filter = Literal[
    "any::currently_open", "charging_stations::has_available_plug", "charging_stations::has_dc_plug"
]
RouteFilter = Literal[
    "any::currently_open",
    "charging_stations::has_available_plug",
    "charging_stations::has_dc_plug",
    "any::sort_by_distance",
]


def _listed(value: JsonValue) -> Fault:
    """Of the published search: filters that it does not know it reports, anything else makes it raise."""
    return Fault.LOGGED if isinstance(value, list) else Fault.RAISED


def _unlisted(value: JsonValue) -> Fault:
    """Of the published search along a route, which forgets to log them."""
    return Fault.UNLOGGED if isinstance(value, list) else Fault.RAISED


class PoisAtLocation(Shape):
    pois_found: list[PoiShown] = part("Every place that fits.")


@car_tool(
    "Navigation",
    about=("location_id", "category_poi"),
    faults={"filters": _listed},
    open_when_published=("category_poi",),
)
def search_poi_at_location(
    car: Car, location_id: LocationId, category_poi: Category, filters: list[Filter] | None = None
) -> PoisAtLocation:
    """Search the points of interest of one kind in a city.

    Args:
        location_id: The id of the city.
        category_poi: What kind of place is wanted.
        filters: Which of them to keep: those open now; charging stations with a free plug, or with direct
            current.
    """
    check_id("location", location_id, "location_id")
    if not category_poi:
        refuse("bad_arguments", "The category is empty.", fault=Fault.UNLOGGED)
    if location_id not in car.databases.locations:
        refuse("not_found", f"There is no city {location_id!r}.", "Look the city up by its name first.")
    # Only the published rules let a category through that there is not.
    pois = car.databases.pois_at(location_id, category_poi) if category_poi in CATEGORIES else ()
    return PoisAtLocation(
        pois_found=[poi_shown(car, poi) for poi in pois if _passes(car, poi, filters or ())]
    )


class DetourKm(Shape):
    """How much farther it is over a place."""

    detour: float = fact("poi.detour_km", "The distance.")
    unit: str = fact("poi.detour_unit", "Its unit.")


class DetourTime(Shape):
    """How much longer it takes over a place."""

    hour: int = fact("poi.detour_hours", "Whole hours.")
    minutes: int = fact("poi.detour_minutes", "Minutes beside the hours.")


class PoiOnTheWay(PoiShown):
    """A point of interest along a route."""

    corresponding_location_id: str | None = fact(
        "poi.location", "The city that it is in; places along a road are in none.", default=None
    )
    at_kilometer: float | None = fact(
        "poi.kilometer", "Its kilometre on the asked route, where the rule set shows it.", default=None
    )
    detour_from_route_km: DetourKm = part("How much farther it is over this place.")
    detour_from_route_time: DetourTime = part("How much longer it takes over this place.")


class PoisAlongRoute(Shape):
    pois_found_along_route: list[PoiOnTheWay] = part("At most three places, the smallest detour first.")


@car_tool("Navigation", about=("route_id", "category_poi"), faults={"filters": _unlisted})
def search_poi_along_the_route(
    car: Car,
    route_id: RouteId,
    category_poi: Category,
    at_kilometer: int | None = None,
    filters: list[RouteFilter] | None = None,
) -> PoisAlongRoute:
    """Search the points of interest of one kind along a route between two cities.

    Shows the three with the smallest detour in time, each with its detour.

    Args:
        route_id: The id of the route.
        category_poi: What kind of place is wanted.
        at_kilometer: About where, in kilometres from the start of the route: only places at most 25 km
            before or after that count. It has to be given for charging stations.
        filters: Which of them to keep: those open now; charging stations with a free plug, or with direct
            current. `any::sort_by_distance` sorts by the detour in kilometres instead.
    """
    route = _searched(car, route_id)
    if category_poi == _CHARGING and at_kilometer is None:
        message = "To search charging stations along a route, at_kilometer has to be given."
        refuse("bad_arguments", message, "Say about where on the route the stop should be.")
    if at_kilometer is not None and not car.published and not 0 <= at_kilometer <= route.distance_km:
        message = f"The route is {route.distance_km:g} km long: kilometre {at_kilometer} is not on it."
        refuse("bad_arguments", message, "Give a kilometre between 0 and the length of the route.")
    kept = filters or ()
    stops = [
        _stop(car, route, poi, kilometer)
        for poi, kilometer in _placed(car, route, category_poi)
        if (at_kilometer is None or abs(kilometer - at_kilometer) <= NEAR_KM) and _passes(car, poi, kept)
    ]
    by_distance = "any::sort_by_distance" in kept
    stops.sort(key=lambda stop: stop.farther_km if by_distance else stop.longer_minutes)
    return PoisAlongRoute(pois_found_along_route=[_shown(car, stop) for stop in stops[:SHOWN]])


@dataclass(frozen=True, slots=True)
class _Stop:
    """A place along a route: its kilometre on it, and what it costs to go there."""

    poi: Poi
    kilometer: float
    farther_km: float
    longer_minutes: int


def _searched(car: Car, route_id: str) -> Route:
    check_id("route", route_id, "route_id")
    route = known_route(car, route_id)
    if not {route.start_id, route.destination_id} <= car.databases.locations.keys():
        message = "Only routes between two cities can be searched."
        refuse("bad_arguments", message, "Take the route between the two cities.")
    return route


def _placed(car: Car, route: Route, category: Category) -> Sequence[tuple[Poi, float]]:
    """Return the places along a route with their kilometre on it.

    Their marks are measured on the fastest alternative. The published world takes them as they are for
    every other, too.
    """
    fastest = car.databases.routes(route.start_id, route.destination_id)[0]
    stretch = 1.0 if car.published else route.distance_km / max(fastest.distance_km, 0.01)
    marks = (
        (poi, poi.kilometer(route.route_id)) for poi in car.databases.pois_along(route.route_id, category)
    )
    return [(poi, round(mark * stretch, 2)) for poi, mark in marks if mark is not None]


def _stop(car: Car, route: Route, poi: Poi, kilometer: float) -> _Stop:
    detour = car.databases.detour(route, poi.id)
    if detour is None:
        refuse("not_found", f"There is no way to {poi.name} from this route.", fault=Fault.UNLOGGED)
    farther = detour.there.distance_km + detour.on.distance_km - route.distance_km
    longer = detour.there.minutes + detour.on.minutes - route.minutes
    return _Stop(poi, kilometer, max(0.0, round(farther, 2)), max(0, longer))


def _shown(car: Car, stop: _Stop) -> PoiOnTheWay:
    """Return what an agent sees of a place along a route."""
    hours, minutes = divmod(stop.longer_minutes, 60)
    return PoiOnTheWay.of(
        stop.poi,
        **hidden(car),
        at_kilometer=None if car.published else stop.kilometer,
        detour_from_route_km=DetourKm(detour=stop.farther_km, unit="km"),
        detour_from_route_time=DetourTime(hour=hours, minutes=minutes),
    )


def _passes(car: Car, poi: Poi, filters: Sequence[str]) -> bool:
    plugs = poi.charging_plugs or ()
    now = car.context.current_datetime
    checks = {
        "any::currently_open": lambda: is_open(poi.opening_hours, now.hour * 60 + now.minute),
        "charging_stations::has_available_plug": lambda: any(p.availability == "available" for p in plugs),
        "charging_stations::has_dc_plug": lambda: any(p.power_type == "DC" for p in plugs),
        "any::sort_by_distance": lambda: True,
    }
    return all(checks[name]() for name in filters)


def is_open(opening_hours: str, minute: int) -> bool:
    """Whether a place is open at a minute of the day, first and last minute included.

    Args:
        opening_hours: As `Poi.opening_hours`; an end before the start lies on the next day.
        minute: Minutes since midnight.
    """
    start, end = (int(hour[:2]) * 60 for hour in opening_hours.split(" - "))
    return start <= minute <= end if start <= end else minute >= start or minute <= end
