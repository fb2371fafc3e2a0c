"""What car tools take and show of the databases: the formats of ids, and the shapes of rows.

Field names are the published ones. What the published world shows beside them (all routes of a place, its
kilometre on each, what a route was derived from) only costs context, so it is left out unless the
published rules are asked for.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from knowact.worlds.car.contract import Car, Fault, refuse
from knowact.worlds.car.databases import ids
from knowact.worlds.car.databases.rows import Poi, Route
from knowact.worlds.typed.schema import Attribute, Rules, Shape, fact, part

_TWO_PARTS: Final = len("loc_")
_THREE_PARTS: Final = len("loc_mun_")
_FOUR_PARTS: Final = len("rll_ber_mun_")
"""The published world looks at single characters of an id: what is too short for that raises there, and only
what is long enough and wrong is reported."""


_FORMS: Final = {
    "location": (ids.is_location_id, "a city, like loc_xxx_123456", _THREE_PARTS),
    "poi": (ids.is_poi_id, "a point of interest, like poi_xxx_123456", _THREE_PARTS),
    "place": (ids.is_place_id, "a city or a point of interest, like loc_xxx_123456", _THREE_PARTS),
    "route": (ids.is_route_id, "a route, like rll_xxx_xxx_123456", _FOUR_PARTS),
    "plug": (ids.is_plug_id, "a plug, like plg_cha_123456", _THREE_PARTS),
    "contact": (ids.is_contact_id, "a contact, like con_1234", _TWO_PARTS),
}
"""By kind of id: whether a text has its form, what it is the id of, and which texts raise there."""


def check_id(
    kind: Literal["location", "poi", "place", "route", "plug", "contact"], text: str, parameter: str
) -> None:
    """Refuse what cannot be the id of something of a kind; `parameter` is what the agent calls it."""
    fits, owner, separators = _FORMS[kind]
    if not fits(text):
        fault = Fault.LOGGED if len(text) >= separators else Fault.RAISED
        message = f"{parameter} must be the id of {owner}; {text[:40]!r} is none."
        refuse("bad_arguments", message, "Look the id up first.", fault=fault)


LocationId = Annotated[str, Attribute("location.id")]
PlaceId = Annotated[str, Attribute("place.id")]
RouteId = Annotated[str, Attribute("route.id")]
Month = Annotated[int, Attribute("day.month"), Rules(minimum=1, maximum=12)]
Day = Annotated[int, Attribute("day.day"), Rules(minimum=1, maximum=31)]


class PositionShown(Shape):
    """A point on the map."""

    longitude: float = fact("place.longitude", "Degrees, east positive.")
    latitude: float = fact("place.latitude", "Degrees, north positive.")


class PlugShown(Shape):
    """A plug of a charging station."""

    plug_id: str = fact("plug.id", "Its id.")
    power_type: str = fact("plug.power_type", "AC or DC.")
    power_kw: int = fact("plug.power", "Its greatest power in kilowatts.")
    availability: str = fact("plug.availability", "Whether it is available, occupied or in maintenance.")


class AtKilometer(Shape):
    """How far along a route something is."""

    at_route_kilometer: float = fact("poi.kilometer", "Kilometres from the route's start.")


class PoiShown(Shape):
    """A point of interest."""

    id: str = fact(("poi.id", "place.id"), "Its id.")
    name: str = fact("poi.name", "What it is called.")
    category: str = fact("poi.category", "What kind of place it is.")
    position: PositionShown = part("Where it is.")
    opening_hours: str = fact("poi.opening_hours", 'From when to when it is open, "HH:00h - HH:00h".')
    phone_number: str = fact(("poi.phone_number", "phone.number"), "Its phone number.")
    corresponding_location_id: str | None = fact(
        "poi.location", "The city that it is in; left out where it lies along a road.", default=None
    )
    corresponding_route_ids: list[str] | None = fact(
        "poi.routes", "The routes that it lies along, where the rule set shows them.", default=None
    )
    route_positions: dict[str, AtKilometer] | None = fact(
        "poi.kilometers", "Its kilometre on them by direction, where the rule set shows it.", default=None
    )
    charging_plugs: list[PlugShown] | None = part(
        "The plugs of a charging station; left out for everything else.", default=None
    )


class RouteShown(Shape):
    """A way from one place to another."""

    route_id: str = fact("route.id", "Its id.")
    start_id: str = fact("route.start", "Where it starts.")
    destination_id: str = fact("route.destination", "Where it ends.")
    name_via: str = fact("route.roads", "The roads that it takes.")
    distance_km: float = fact("route.distance", "Its length in kilometres.")
    duration_hours: int = fact("route.hours", "Whole hours that it takes.")
    duration_minutes: int = fact("route.minutes", "Minutes beside the hours.")
    road_types: list[str] = fact(
        "route.road_types", "What kinds of road it takes, and whether there is toll."
    )
    includes_toll: bool = fact("route.toll", "Whether there is toll to pay.")
    alias: list[str] = fact(
        "route.alias", "What it is among its alternatives: first, second, third, fastest, shortest."
    )
    base_route_id: str | None = fact(
        "route.base", "The route that it is a part of, where the rule set shows it.", default=None
    )


def poi_shown(car: Car, poi: Poi) -> PoiShown:
    """Return what an agent sees of a point of interest."""
    return PoiShown.of(poi, **hidden(car))


def hidden(car: Car) -> Mapping[str, None]:
    """What the rule set does not show of a point of interest."""
    return {} if car.published else {"corresponding_route_ids": None, "route_positions": None}


def route_shown(car: Car, route: Route) -> RouteShown:
    """Return what an agent sees of a route."""
    return RouteShown.of(route) if car.published else RouteShown.of(route, base_route_id=None)
