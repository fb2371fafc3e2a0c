"""The shapes in which tools show rows of the databases.

Field names are the published ones. What the published world shows beside them (all routes of a place, its
kilometre on each, what a route was derived from) only costs context, so it is left out unless the
published rules are asked for (defect D-60).
"""

from typing import Annotated, Any, Final, NotRequired, TypedDict, cast

from knowact.worlds.car.contract import Car
from knowact.worlds.car.databases.rows import Poi, Route, shown
from knowact.worlds.typed.schema import Attribute, Rules

LocationId = Annotated[str, Attribute("location.id")]
PlaceId = Annotated[str, Attribute("place.id")]
RouteId = Annotated[str, Attribute("route.id")]
Month = Annotated[int, Attribute("day.month"), Rules(minimum=1, maximum=12)]
Day = Annotated[int, Attribute("day.day"), Rules(minimum=1, maximum=31)]

_INTERNAL: Final = ("corresponding_route_ids", "route_positions", "base_route_id")


class PositionShown(TypedDict):
    """A point on the map.

    Attributes:
        longitude: Degrees, east positive.
        latitude: Degrees, north positive.
    """

    longitude: Annotated[float, Attribute("place.longitude")]
    latitude: Annotated[float, Attribute("place.latitude")]


class PlugShown(TypedDict):
    """A plug of a charging station.

    Attributes:
        plug_id: Its id.
        power_type: AC or DC.
        power_kw: Its greatest power in kilowatts.
        availability: Whether it is available, occupied or in maintenance.
    """

    plug_id: Annotated[str, Attribute("plug.id")]
    power_type: Annotated[str, Attribute("plug.power_type")]
    power_kw: Annotated[int, Attribute("plug.power")]
    availability: Annotated[str, Attribute("plug.availability")]


class AtKilometer(TypedDict):
    """How far along a route something is.

    Attributes:
        at_route_kilometer: Kilometres from the route's start.
    """

    at_route_kilometer: Annotated[float, Attribute("poi.kilometer")]


class PoiShown(TypedDict):
    """A point of interest.

    Attributes:
        id: Its id.
        name: What it is called.
        category: What kind of place it is.
        position: Where it is.
        opening_hours: From when to when it is open, "HH:00h - HH:00h".
        phone_number: Its phone number.
        corresponding_location_id: The city that it is in; left out where it lies along a road.
        corresponding_route_ids: The routes that it lies along, where the rule set shows them.
        route_positions: Its kilometre on them by direction, where the rule set shows it.
        charging_plugs: The plugs of a charging station; left out for everything else.
    """

    id: Annotated[str, Attribute("poi.id"), Attribute("place.id")]
    name: Annotated[str, Attribute("poi.name")]
    category: Annotated[str, Attribute("poi.category")]
    position: PositionShown
    opening_hours: Annotated[str, Attribute("poi.opening_hours")]
    phone_number: Annotated[str, Attribute("poi.phone_number"), Attribute("phone.number")]
    corresponding_location_id: NotRequired[Annotated[str, Attribute("poi.location")]]
    corresponding_route_ids: NotRequired[list[Annotated[str, Attribute("poi.routes")]]]
    route_positions: NotRequired[Annotated[dict[str, AtKilometer], Attribute("poi.kilometers")]]
    charging_plugs: NotRequired[list[PlugShown]]


class RouteShown(TypedDict):
    """A way from one place to another.

    Attributes:
        route_id: Its id.
        start_id: Where it starts.
        destination_id: Where it ends.
        name_via: The roads that it takes.
        distance_km: Its length in kilometres.
        duration_hours: Whole hours that it takes.
        duration_minutes: Minutes beside the hours.
        road_types: What kinds of road it takes, and whether there is toll.
        includes_toll: Whether there is toll to pay.
        alias: What it is among its alternatives: first, second, third, fastest, shortest.
        base_route_id: The route that it is a part of, where the rule set shows it.
    """

    route_id: Annotated[str, Attribute("route.id")]
    start_id: Annotated[str, Attribute("route.start")]
    destination_id: Annotated[str, Attribute("route.destination")]
    name_via: Annotated[str, Attribute("route.roads")]
    distance_km: Annotated[float, Attribute("route.distance")]
    duration_hours: Annotated[int, Attribute("route.hours")]
    duration_minutes: Annotated[int, Attribute("route.minutes")]
    road_types: list[Annotated[str, Attribute("route.road_types")]]
    includes_toll: Annotated[bool, Attribute("route.toll")]
    alias: list[Annotated[str, Attribute("route.alias")]]
    base_route_id: NotRequired[Annotated[str, Attribute("route.base")]]


def _facts(car: Car, row: Poi | Route) -> dict[str, Any]:
    found = shown(row)
    if not car.published:
        for name in _INTERNAL:
            found.pop(name, None)
    return found


def poi_shown(car: Car, poi: Poi) -> PoiShown:
    """Return what an agent sees of a point of interest."""
    return cast("PoiShown", _facts(car, poi))


def route_shown(car: Car, route: Route) -> RouteShown:
    """Return what an agent sees of a route."""
    return cast("RouteShown", _facts(car, route))
