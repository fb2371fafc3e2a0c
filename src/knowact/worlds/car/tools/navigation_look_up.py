"""Navigation: looking up places and routes (CAR-bench)."""

from functools import cache
from typing import Annotated, Final

from pydantic import JsonValue

from knowact.worlds.car import shapes
from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.car.databases.geography import cities
from knowact.worlds.car.databases.ids import is_poi_id
from knowact.worlds.car.guidance import known_route
from knowact.worlds.car.shapes import PlaceId, RouteId, check_id
from knowact.worlds.car.spelling import FARTHEST, folded, mistakes, nearest
from knowact.worlds.typed.schema import Attribute, Rules, Shape, fact, part
from knowact.worlds.typed.validate import near

_NAME: Final = Rules(max_length=200)
_PART: Final = Rules(minimum=0, maximum=100_000)


@cache
def _other_names() -> dict[str, str]:
    """Return what else people call the cities, folded, and the names that the data have."""
    return {folded(alias): city.name for city in cities() for alias in city.aliases}


def _logged(_value: JsonValue) -> Fault:
    """Of the published look-up: it reports a name that is no text, and one that nothing is like."""
    return Fault.LOGGED


class LocationFound(Shape):
    id: str = fact(("location.id", "place.id"), "Its id.")


@car_tool("Navigation", faults={"location": _logged})
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
    return LocationFound(id=known[name])


def _by_name(location: str, known: dict[str, str]) -> str | None:
    """Return the city that is meant, if it is only one."""
    for name in (location, location.partition(",")[0]):
        other = _other_names().get(folded(name))
        if other in known:
            return other
        alike = nearest(name, known)
        if len(alike) == 1:
            return alike[0]
    return None


def _by_distance(location: str, known: dict[str, str]) -> str | None:
    """Return the first of the cities with the fewest mistakes, as the published world does."""
    ranked = [(mistakes(location.lower(), name.lower()), name) for name in known]
    best = min((distance for distance, _ in ranked), default=FARTHEST + 1)
    return next((name for distance, name in ranked if distance == best <= FARTHEST), None)


class RoutesFound(Shape):
    routes: list[shapes.RouteShown] = part("All of them, fastest first.")


@car_tool("Navigation")
def get_routes_from_start_to_destination(car: Car, start_id: PlaceId, destination_id: PlaceId) -> RoutesFound:
    """Look up the routes from one place to another, with their lengths, durations, roads and toll.

    At least one of the two has to be a city: there are no routes between two points of interest.

    Args:
        start_id: The id of the city or point of interest to start from.
        destination_id: The id of the city or point of interest to go to.
    """
    check_id("place", start_id, "start_id")
    check_id("place", destination_id, "destination_id")
    if is_poi_id(start_id) and is_poi_id(destination_id):
        message = "There are no routes between two points of interest."
        refuse("bad_arguments", message, "Start from a city, or go to one.")
    routes = car.databases.routes(start_id, destination_id)
    if not routes:
        unknown = [place for place in (start_id, destination_id) if car.databases.place(place) is None]
        message = f"There is no route from {start_id!r} to {destination_id!r}."
        refuse("not_found", message, f"There is no place {unknown[0]!r}." if unknown else "")
    return RoutesFound(routes=[shapes.route_shown(car, route) for route in routes])


class WaypointShown(Shape):
    """A stop of the present navigation."""

    id: str = fact("waypoint.id", "Its id.")
    name: str = fact("waypoint.name", "What it is called.")
    position: shapes.PositionShown = part("Where it is.")
    iso2: str | None = fact(
        "waypoint.country", "The country of a city, where the data have it.", default=None
    )
    category: str | None = fact(
        "waypoint.category", "What kind of place a point of interest is.", default=None
    )
    opening_hours: str | None = fact(
        "waypoint.opening_hours", "When a point of interest is open.", default=None
    )
    phone_number: str | None = fact(
        ("waypoint.phone_number", "phone.number"), "The phone number of a point of interest.", default=None
    )


class NavigationDetails(Shape):
    """The present navigation in full."""

    waypoints: list[WaypointShown] = part(
        "Its stops, start and destination included; without those that no database has."
    )
    routes: list[shapes.RouteShown] = part("The routes between them, likewise.")


class NavigationState(Shape):
    navigation_active: bool = fact("navigation.active", "Whether the car is guiding.")
    waypoints_id: list[str] = fact(
        ("waypoint.id", "place.id"), "The ids of the stops, the start first and the destination last."
    )
    routes_to_final_destination_id: list[str] = fact("route.id", "The ids of the routes between them.")
    details: NavigationDetails | None = part("Stops and routes in full, where asked for.", default=None)


@car_tool("Navigation")
def get_current_navigation_state(
    car: Car,
    detailed_information: bool = False,
) -> NavigationState:
    """Look up whether the car is guiding, over which stops and routes.

    Args:
        detailed_information: Whether stops and routes are shown in full, beside their ids.
    """
    stops, routes = car.state.texts("waypoints_id"), car.state.texts("routes_to_final_destination_id")
    places = (car.databases.place(stop) for stop in stops)
    ways = (car.databases.route(route) for route in routes)
    details = NavigationDetails(
        waypoints=[WaypointShown.of(place) for place in places if place is not None],
        routes=[shapes.route_shown(car, way) for way in ways if way is not None],
    )
    return NavigationState(
        navigation_active=car.state.on("navigation_active"),
        waypoints_id=stops,
        routes_to_final_destination_id=routes,
        details=details if detailed_information else None,
    )


class RoutePart(Shape):
    distance_km: float = fact("route.part_distance", "Its length in kilometres, to one decimal.")
    time_minutes: float = fact("route.part_minutes", "What it takes in minutes, to one decimal.")


@car_tool("Navigation", about=("route_id", "time_minutes", "distance_km"))
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
    check_id("route", route_id, "route_id")
    route = known_route(car, route_id)
    if (time_minutes is None) == (distance_km is None):
        refuse("bad_arguments", "Give either a time or a distance.", "Leave one of the two out.")
    if time_minutes is not None:
        if time_minutes > route.minutes:
            refuse("bad_arguments", f"The whole route takes {route.minutes} minutes only.")
        distance = route.distance_km * time_minutes / max(route.minutes, 1)
        return RoutePart(distance_km=round(distance, 1), time_minutes=time_minutes)
    assert distance_km is not None
    if distance_km > route.distance_km:
        refuse("bad_arguments", f"The whole route is {route.distance_km:g} km long only.")
    minutes = route.minutes * distance_km / max(route.distance_km, 0.01)
    return RoutePart(distance_km=distance_km, time_minutes=round(minutes, 1))
