"""Navigation: looking up places and routes (spec car-bench.md, section 2.7)."""

# ruff: noqa: D417 - agents give every argument but the car, so no docstring describes it

from functools import cache
from typing import Annotated, Any, Final, NotRequired, TypedDict, cast

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.car.databases.geography import cities
from knowact.worlds.car.databases.ids import is_poi_id
from knowact.worlds.car.databases.rows import Location, Poi, shown
from knowact.worlds.car.formats import check_place, check_route
from knowact.worlds.car.shapes import (
    PlaceId,
    PositionShown,
    RouteId,
    RouteShown,
    route_shown,
)
from knowact.worlds.car.spelling import FARTHEST, folded, mistakes, nearest
from knowact.worlds.typed.nearest import near
from knowact.worlds.typed.schema import Attribute, Rules

_NAME: Final = Rules(max_length=200)
_PART: Final = Rules(minimum=0, maximum=100_000)


class LocationFound(TypedDict):
    """A city that was found by its name.

    Attributes:
        id: Its id.
    """

    id: Annotated[str, Attribute("location.id"), Attribute("place.id")]


@cache
def _other_names() -> dict[str, str]:
    """Return what else people call the cities, folded, and the names that the data have."""
    return {folded(alias): city.name for city in cities() for alias in city.aliases}


def _logged(_value: Any) -> Fault:
    """Of the published look-up: it reports a name that is no text, and one that nothing is like."""
    return Fault.LOGGED


@car_tool(domain="Navigation", kind="get", verdicts={"location": _logged})
def get_location_id_by_location_name(
    car: Car, location: Annotated[str, Attribute("location.name"), _NAME]
) -> LocationFound:
    """Find the id of a city by its name; a letter or two may be wrong.

    Only cities can be found so, no points of interest.

    Args:
        location: The city's name.
    """
    if not location.strip():
        refuse("bad_arguments", "The name of the city is empty.", "Give the name of a city.")
    known = {city.name: city.id for city in car.databases.locations.values()}
    name = _by_distance(location, known) if car.published else _by_name(location, known)
    if name is None:
        refuse("not_found", f"There is no city named {location[:60]!r}.", near(location, known))
    return {"id": known[name]}


def _by_name(location: str, known: dict[str, str]) -> str | None:
    """Return the city that is meant, if it is only one (defect D-51)."""
    for said in (location, location.partition(",")[0]):
        other = _other_names().get(folded(said))
        if other in known:
            return other
        found = nearest(said, known)
        if len(found) == 1:
            return found[0]
    return None


def _by_distance(location: str, known: dict[str, str]) -> str | None:
    """Return the first of the cities with the fewest mistakes, as the published world does."""
    ranked = [(mistakes(location.lower(), name.lower()), name) for name in known]
    best = min((distance for distance, _ in ranked), default=FARTHEST + 1)
    return next((name for distance, name in ranked if distance == best <= FARTHEST), None)


class RoutesFound(TypedDict):
    """The ways from one place to another.

    Attributes:
        routes: All of them, fastest first.
    """

    routes: list[RouteShown]


@car_tool(domain="Navigation", kind="get")
def get_routes_from_start_to_destination(car: Car, start_id: PlaceId, destination_id: PlaceId) -> RoutesFound:
    """Look up the routes from one place to another, with their lengths, durations, roads and toll.

    At least one of the two has to be a city: there are no routes between two points of interest.

    Args:
        start_id: The id of the city or point of interest to start from.
        destination_id: The id of the city or point of interest to go to.
    """
    check_place(start_id, "start_id")
    check_place(destination_id, "destination_id")
    if is_poi_id(start_id) and is_poi_id(destination_id):
        message = "There are no routes between two points of interest."
        refuse("bad_arguments", message, "Start from a city, or go to one.")
    found = car.databases.routes(start_id, destination_id)
    if not found:
        unknown = [place for place in (start_id, destination_id) if car.databases.place(place) is None]
        message = f"There is no route from {start_id!r} to {destination_id!r}."
        refuse("not_found", message, f"There is no place {unknown[0]!r}." if unknown else "")
    return {"routes": [route_shown(car, route) for route in found]}


class WaypointShown(TypedDict):
    """A stop of the present navigation.

    Attributes:
        id: Its id.
        name: What it is called.
        position: Where it is.
        iso2: The country of a city, where the data have it.
        category: What kind of place a point of interest is.
        opening_hours: When a point of interest is open.
        phone_number: The phone number of a point of interest.
    """

    id: Annotated[str, Attribute("waypoint.id")]
    name: Annotated[str, Attribute("waypoint.name")]
    position: PositionShown
    iso2: NotRequired[Annotated[str, Attribute("waypoint.country")]]
    category: NotRequired[Annotated[str, Attribute("waypoint.category")]]
    opening_hours: NotRequired[Annotated[str, Attribute("waypoint.opening_hours")]]
    phone_number: NotRequired[Annotated[str, Attribute("waypoint.phone_number"), Attribute("phone.number")]]


class NavigationDetails(TypedDict):
    """The present navigation in full.

    Attributes:
        waypoints: Its stops, start and destination included; without those that no database has.
        routes: The routes between them, likewise.
    """

    waypoints: list[WaypointShown]
    routes: list[RouteShown]


class NavigationState(TypedDict):
    """The present navigation.

    Attributes:
        navigation_active: Whether the car is guiding.
        waypoints_id: The ids of the stops, the start first and the destination last.
        routes_to_final_destination_id: The ids of the routes between them.
        details: Stops and routes in full, where asked for.
    """

    navigation_active: Annotated[bool, Attribute("navigation.active")]
    waypoints_id: list[Annotated[str, Attribute("waypoint.id"), Attribute("place.id")]]
    routes_to_final_destination_id: list[RouteId]
    details: NotRequired[NavigationDetails]


@car_tool(domain="Navigation", kind="get")
def get_current_navigation_state(
    car: Car,
    detailed_information: bool = False,  # noqa: FBT001, FBT002 - the published parameter
) -> NavigationState:
    """Look up whether the car is guiding, over which stops and routes.

    Args:
        detailed_information: Whether stops and routes are shown in full, beside their ids.
    """
    stops, routes = car.state.texts("waypoints_id"), car.state.texts("routes_to_final_destination_id")
    found: NavigationState = {
        "navigation_active": car.state.on("navigation_active"),
        "waypoints_id": stops,
        "routes_to_final_destination_id": routes,
    }
    if detailed_information:
        places = (car.databases.place(stop) for stop in stops)
        ways = (car.databases.route(route) for route in routes)
        found["details"] = {
            "waypoints": [_stop(place) for place in places if place is not None],
            "routes": [route_shown(car, way) for way in ways if way is not None],
        }
    return found


def _stop(place: Location | Poi) -> WaypointShown:
    told = WaypointShown.__annotations__
    return cast("WaypointShown", {name: value for name, value in shown(place).items() if name in told})


class RoutePart(TypedDict):
    """A part of a route, driven at the route's usual pace.

    Attributes:
        distance_km: Its length in kilometres, to one decimal.
        time_minutes: What it takes in minutes, to one decimal.
    """

    distance_km: Annotated[float, Attribute("route.part_distance")]
    time_minutes: Annotated[float, Attribute("route.part_minutes")]


@car_tool(domain="Navigation", kind="get", about=("route_id", "time_minutes", "distance_km"))
def convert_route_distance_and_time(
    car: Car,
    route_id: RouteId,
    time_minutes: Annotated[int | None, _PART] = None,
    distance_km: Annotated[int | None, _PART] = None,
) -> RoutePart:
    """Work out how far along a route one is after some time, or how long some distance along it takes.

    Exactly one of time and distance has to be given.

    Args:
        route_id: The id of the route.
        time_minutes: Minutes since the start of the route.
        distance_km: Kilometres from the start of the route.
    """
    check_route(route_id, "route_id")
    route = car.databases.route(route_id)
    if route is None:
        refuse("not_found", f"There is no route {route_id!r}.", "Look the routes up first.")
    if (time_minutes is None) == (distance_km is None):
        refuse("bad_arguments", "Give either a time or a distance.", "Leave one of the two out.")
    if time_minutes is not None:
        if time_minutes > route.minutes:
            refuse("bad_arguments", f"The whole route takes {route.minutes} minutes only.")
        distance = route.distance_km * time_minutes / max(route.minutes, 1)
        return {"distance_km": round(distance, 1), "time_minutes": time_minutes}
    assert distance_km is not None
    if distance_km > route.distance_km:
        refuse("bad_arguments", f"The whole route is {route.distance_km:g} km long only.")
    minutes = route.minutes * distance_km / max(route.distance_km, 0.01)
    return {"distance_km": distance_km, "time_minutes": round(minutes, 1)}
