"""What car tools take and show of the databases: the formats of ids, and the shapes of rows.

Field names are the published ones. What the published world shows beside them (all routes of a place, its
kilometre on each, what a route was derived from) only costs context, so it is left out unless the
published rules are asked for.
"""

from collections.abc import Callable
from typing import Annotated, Any, Final

from knowact.worlds.car.contract import Car, Fault, refuse
from knowact.worlds.car.databases import ids
from knowact.worlds.car.databases.rows import Poi, Route, shown
from knowact.worlds.typed.schema import Attribute, Rules, Shape

_TWO_PARTS: Final = len("loc_")
_THREE_PARTS: Final = len("loc_mun_")
_FOUR_PARTS: Final = len("rll_ber_mun_")
"""The published world looks at single characters of an id: what is too short for that raises there, and only
what is long enough and wrong is reported."""


def check_location(text: str) -> None:
    """Refuse what cannot be a city's id."""
    clause = "location_id must be the id of a city, like loc_xxx_123456"
    _check(ids.is_location_id, text, clause, _THREE_PARTS)


def check_poi(text: str) -> None:
    """Refuse what cannot be the id of a charging station."""
    clause = "charging_station_id must be the id of a point of interest, like poi_xxx_123456"
    _check(ids.is_poi_id, text, clause, _THREE_PARTS)


def check_place(text: str, parameter: str) -> None:
    """Refuse what can be the id neither of a city nor of a point of interest."""
    clause = f"{parameter} must be the id of a city or a point of interest, like loc_xxx_123456"
    _check(ids.is_place_id, text, clause, _THREE_PARTS)


def check_route(text: str, parameter: str) -> None:
    """Refuse what cannot be the id of a route."""
    clause = f"{parameter} must be the id of a route, like rll_xxx_xxx_123456"
    _check(ids.is_route_id, text, clause, _FOUR_PARTS)


def check_plug(text: str) -> None:
    """Refuse what cannot be the id of a charging plug."""
    clause = "charging_station_plug_id must be the id of a plug, like plg_cha_123456"
    _check(ids.is_plug_id, text, clause, _THREE_PARTS)


def check_contact(text: str) -> None:
    """Refuse what cannot be the id of a contact."""
    _check(ids.is_contact_id, text, "contact_ids must be the id of a contact, like con_1234", _TWO_PARTS)


def _check(fits: Callable[[str], bool], text: str, clause: str, separators: int) -> None:
    if not fits(text):
        fault = Fault.LOGGED if len(text) >= separators else Fault.RAISED
        refuse("bad_arguments", f"{clause}; {text[:40]!r} is none.", "Look the id up first.", fault=fault)


LocationId = Annotated[str, Attribute("location.id")]
PlaceId = Annotated[str, Attribute("place.id")]
RouteId = Annotated[str, Attribute("route.id")]
Month = Annotated[int, Attribute("day.month"), Rules(minimum=1, maximum=12)]
Day = Annotated[int, Attribute("day.day"), Rules(minimum=1, maximum=31)]

_INTERNAL: Final = ("corresponding_route_ids", "route_positions", "base_route_id")


class PositionShown(Shape):
    """A point on the map.

    Attributes:
        longitude (float, place.longitude): Degrees, east positive.
        latitude (float, place.latitude): Degrees, north positive.
    """


class PlugShown(Shape):
    """A plug of a charging station.

    Attributes:
        plug_id (str, plug.id): Its id.
        power_type (str, plug.power_type): AC or DC.
        power_kw (int, plug.power): Its greatest power in kilowatts.
        availability (str, plug.availability): Whether it is available, occupied or in maintenance.
    """


class AtKilometer(Shape):
    """How far along a route something is.

    Attributes:
        at_route_kilometer (float, poi.kilometer): Kilometres from the route's start.
    """


class PoiShown(Shape):
    """A point of interest.

    Attributes:
        id (str, poi.id, place.id): Its id.
        name (str, poi.name): What it is called.
        category (str, poi.category): What kind of place it is.
        position (PositionShown): Where it is.
        opening_hours (str, poi.opening_hours): From when to when it is open, "HH:00h - HH:00h".
        phone_number (str, poi.phone_number, phone.number): Its phone number.
        corresponding_location_id (str, poi.location, optional): The city that it is in; left out where it
            lies along a road.
        corresponding_route_ids (list[str], poi.routes, optional): The routes that it lies along, where the
            rule set shows them.
        route_positions (dict[str, AtKilometer], poi.kilometers, optional): Its kilometre on them by
            direction, where the rule set shows it.
        charging_plugs (list[PlugShown], optional): The plugs of a charging station; left out for everything
            else.
    """


class RouteShown(Shape):
    """A way from one place to another.

    Attributes:
        route_id (str, route.id): Its id.
        start_id (str, route.start): Where it starts.
        destination_id (str, route.destination): Where it ends.
        name_via (str, route.roads): The roads that it takes.
        distance_km (float, route.distance): Its length in kilometres.
        duration_hours (int, route.hours): Whole hours that it takes.
        duration_minutes (int, route.minutes): Minutes beside the hours.
        road_types (list[str], route.road_types): What kinds of road it takes, and whether there is toll.
        includes_toll (bool, route.toll): Whether there is toll to pay.
        alias (list[str], route.alias): What it is among its alternatives: first, second, third, fastest,
            shortest.
        base_route_id (str, route.base, optional): The route that it is a part of, where the rule set shows
            it.
    """


def _facts(car: Car, row: Poi | Route) -> dict[str, Any]:
    found = shown(row)
    if not car.published:
        for name in _INTERNAL:
            found.pop(name, None)
    return found


def poi_shown(car: Car, poi: Poi) -> dict[str, Any]:
    """Return what an agent sees of a point of interest."""
    return _facts(car, poi)


def route_shown(car: Car, route: Route) -> dict[str, Any]:
    """Return what an agent sees of a route."""
    return _facts(car, route)
