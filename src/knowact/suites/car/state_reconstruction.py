"""A world out of a conversation: the rows that its tool results show.

Published trials live in the published databases, which nobody needs to have here: what a tool that changes
something has to know (where a route leads, whose address it is) an honest agent has been told before. What
the reference names beyond that is taken from its own arguments, because it is right by definition.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from typing import Any, Final, cast

from knowact.suites.car.published_files import items, members
from knowact.worlds.car.databases import Counts, Databases
from knowact.worlds.car.databases.ids import is_contact_id, is_place_id, is_route_id
from knowact.worlds.car.databases.rows import (
    Calendar,
    Category,
    Contact,
    FullName,
    Location,
    Poi,
    Route,
    Weather,
)

_MAILS: Final = "email_addresses"
_NAVIGATION: Final = (("waypoints_id", "routes_to_final_destination_id"), ("waypoints", "routes"))


class SeenDatabases(Databases):
    """Databases that know where some routes lead, and some addresses; nothing else."""

    def __init__(self) -> None:
        self._ends: dict[str, tuple[str, str]] = {}
        self._contacts: dict[str, Contact] = {}

    @property
    def locations(self) -> Mapping[str, Location]:
        """None: no tool that changes something asks for a city."""
        return {}

    @property
    def contacts(self) -> Mapping[str, Contact]:
        """Everybody whose address was seen."""
        return self._contacts

    @property
    def calendars(self) -> Mapping[str, Calendar]:
        """None."""
        return {}

    def poi(self, poi_id: str) -> Poi | None:
        """None."""
        del poi_id

    def pois_at(self, location_id: str, category: Category) -> Sequence[Poi]:
        """None."""
        del location_id, category
        return ()

    def pois_along(self, route_id: str, category: Category) -> Sequence[Poi]:
        """None."""
        del route_id, category
        return ()

    def route(self, route_id: str) -> Route | None:
        """Return a route of which it is known where it leads; its length and time are not, and stand at 0."""
        ends = self._ends.get(route_id)
        if ends is None:
            return None
        return Route(
            route_id=route_id,
            start_id=ends[0],
            destination_id=ends[1],
            name_via="",
            distance_km=0,
            duration_hours=0,
            duration_minutes=0,
            road_types=(),
            includes_toll=False,
            alias=(),
        )

    def routes(self, start_id: str, destination_id: str) -> Sequence[Route]:
        """Return every such route from one place to another."""
        found = (self.route(one) for one, ends in self._ends.items() if ends == (start_id, destination_id))
        return tuple(one for one in found if one is not None)

    def weather(self, location_id: str) -> Weather | None:
        """None."""
        del location_id

    def knows_phone(self, number: str) -> bool:
        """True: which numbers there are is not known here."""
        del number
        return True

    def counts(self) -> Counts:
        """What is known, which is little."""
        return Counts(0, 0, 0, 0, len(self._ends), 0, 0, 0, len(self._contacts))

    def learn(self, value: Any) -> None:
        """Take in every route, contact and guidance that a result shows, however deep."""
        if isinstance(value, list):
            for inner in cast("list[Any]", value):
                self.learn(inner)
        elif isinstance(value, Mapping):
            self._learn_row(cast("Mapping[str, Any]", value))
            for inner in cast("Mapping[str, Any]", value).values():
                self.learn(inner)

    def _learn_row(self, row: Mapping[str, Any]) -> None:
        route, start, end = (row.get(name) for name in ("route_id", "start_id", "destination_id"))
        if isinstance(route, str) and isinstance(start, str) and isinstance(end, str):
            self._ends[route] = (start, end)
        if isinstance(row.get("email"), str) and is_contact_id(str(row.get("id"))):
            self.learn_address(str(row["email"]), str(row["id"]))

    def learn_address(self, address: str, contact_id: str = "") -> None:
        """Take in that somebody has this address."""
        key = contact_id or f"con_{len(self._contacts):04d}"
        if all(contact.email != address for contact in self._contacts.values()):
            name = FullName(first_name="", last_name="")
            self._contacts[key] = Contact(id=key, name=name, phone_number="", email=address)

    def learn_guidance(self, stops: Any, routes: Any) -> None:
        """Take in a route of several legs: each leads from one stop to the next."""
        legs, listed = list(pairwise(items(stops))), items(routes)
        if len(legs) == len(listed):
            for route, (start, end) in zip(listed, legs, strict=True):
                self._ends.setdefault(str(route), (str(start), str(end)))

    def learn_call(self, tool: str, arguments: Mapping[str, Any], result: Any = None) -> None:
        """Take in what a call that succeeded, or one of the reference, must have known."""
        told = members(result)
        if tool == "set_new_navigation":
            stops, start = items(told.get("waypoints")), told.get("start_id")
            whole = stops if start is None or stops[:1] == [start] else [start, *stops]
            self.learn_guidance(whole, arguments.get("route_ids"))
        elif tool == "send_email":
            for address in items(arguments.get(_MAILS)):
                self.learn_address(str(address))
        for stops, routes in (("new_waypoints_id", "new_routes_id"), ("new_waypoints", "new_routes")):
            self.learn_guidance(told.get(stops), told.get(routes))
        for name_of_stops, name_of_routes in _NAVIGATION:
            self.learn_guidance(told.get(name_of_stops), told.get(name_of_routes))
        self._learn_edit(arguments)

    def _learn_edit(self, arguments: Mapping[str, Any]) -> None:
        """An edit names both ends of the routes that lead to and from the new stop."""
        new = arguments.get("waypoint_id_to_add") or arguments.get("new_waypoint_id")
        before = arguments.get("waypoint_id_before_new_waypoint")
        after = arguments.get("waypoint_id_after_new_waypoint")
        leads_to = arguments.get("route_id_leading_to_new_waypoint")
        leads_on = arguments.get("route_id_leading_away_from_new_waypoint")
        for route, start, end in ((leads_to, before, new), (leads_on, new, after)):
            if isinstance(route, str) and isinstance(start, str) and isinstance(end, str):
                self._ends.setdefault(route, (start, end))

    def infer(self, actions: Sequence[tuple[str, Mapping[str, Any]]], places: Iterable[str]) -> None:
        """Take in the routes of a reference that nobody has seen: their ids carry both ends' letters.

        Args:
            actions: Name and arguments of each action.
            places: Ids of places that the task names besides.

        A route is taken in where one pair of places fits its id, and only one: of the pairs whose routes the
        reference looks up, else of all places that the task names.
        """
        looked_up = {
            (str(arguments.get("start_id")), str(arguments.get("destination_id")))
            for tool, arguments in actions
            if tool == "get_routes_from_start_to_destination"
        }
        named = {
            *places,
            *(text for _, arguments in actions for text in _texts(arguments) if is_place_id(text)),
        }
        for route in (text for _, arguments in actions for text in _texts(arguments) if is_route_id(text)):
            for pairs in (looked_up, set(permutations(sorted(named), 2))):
                fitting = [pair for pair in pairs if _head(*pair) == route.rpartition("_")[0]]
                if len(fitting) == 1:
                    self._ends.setdefault(route, fitting[0])
                    break


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, however deep."""
    if isinstance(value, str):
        yield value
        return
    inside = items(value) if isinstance(value, list) else members(value).values()
    for one in inside:
        yield from _texts(one)


def _head(start: str, end: str) -> str:
    """What the id of a route between two places begins with: kinds and letters of both (spec, 2.11)."""
    kinds = "".join("p" if place.startswith("poi_") else "l" for place in (start, end))
    letters = [place.split("_")[1] if place.count("_") > 1 else "" for place in (start, end)]
    return f"r{kinds}_{letters[0]}_{letters[1]}"
