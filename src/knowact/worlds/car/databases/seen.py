"""Databases out of a conversation: the rows that its tool results show.

Published trials live in the published databases, which nobody needs to have here: what a tool that changes
something has to know (where a route leads, whose address it is) an honest agent has been told before. What
the reference names beyond that is taken from its own arguments, because it is right by definition.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, permutations
from typing import Final

from pydantic import JsonValue

from knowact.worlds.car.databases.base import Counts, InMemory, SmallRows
from knowact.worlds.car.databases.ids import is_contact_id, is_place_id, is_route_id
from knowact.worlds.car.databases.rows import Category, Contact, FullName, Poi, Route
from knowact.worlds.car.timeline import texts, within
from knowact.worlds.paths import elements

_GUIDANCE: Final = (
    ("waypoints_id", "routes_to_final_destination_id"),
    ("waypoints", "routes"),
    ("new_waypoints_id", "new_routes_id"),
    ("new_waypoints", "new_routes"),
)
"""What variables and results call the stops of a guidance, and the routes between them."""


class SeenDatabases(InMemory):
    """Databases that know where some routes lead, and some addresses; nothing else."""

    def __init__(self) -> None:
        super().__init__(SmallRows())
        self._ends: dict[str, tuple[str, str]] = {}
        self._by_address: dict[str, Contact] = {}

    @property
    def contacts(self) -> Mapping[str, Contact]:
        """Everybody whose address was seen."""
        return {contact.id: contact for contact in self._by_address.values()}

    def poi(self, poi_id: str) -> Poi | None:
        """None: no tool that changes something asks for a place."""
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
            distance_km=0,
            duration_hours=0,
            duration_minutes=0,
            route_id=route_id,
            start_id=ends[0],
            destination_id=ends[1],
            name_via="",
            road_types=(),
            includes_toll=False,
            alias=(),
        )

    def routes(self, start_id: str, destination_id: str) -> Sequence[Route]:
        """Return every such route from one place to another."""
        fitting = (name for name, ends in self._ends.items() if ends == (start_id, destination_id))
        return tuple(route for route in map(self.route, fitting) if route is not None)

    def knows_phone(self, number: str) -> bool:
        """True: which numbers there are is not known here."""
        del number
        return True

    def counts(self) -> Counts:
        """What is known, which is little."""
        return Counts(0, 0, 0, 0, len(self._ends), 0, 0, 0, len(self._by_address))

    def learn(self, value: JsonValue | Mapping[str, JsonValue]) -> None:
        """Take in every route, contact and guidance that a result or a configuration shows, however deep."""
        for element in value if isinstance(value, list) else ():
            self.learn(element)
        row = value if isinstance(value, Mapping) else {}
        email, contact_id = row.get("email"), row.get("id")
        if isinstance(email, str) and isinstance(contact_id, str) and is_contact_id(contact_id):
            self._learn_address(email, contact_id)
        # A row is surer than what follows from a guidance, whichever comes first.
        self._learn_route(row.get("route_id"), row.get("start_id"), row.get("destination_id"), sure=True)
        for stops, routes in _GUIDANCE:
            self._learn_guidance(elements(row.get(stops)), elements(row.get(routes)))
        for inner in row.values():
            self.learn(inner)

    def learn_call(self, tool: str, arguments: Mapping[str, JsonValue], result: JsonValue = None) -> None:
        """Take in what a call that succeeded, or one of the reference, must have known."""
        if tool == "send_email":
            for address in elements(arguments.get("email_addresses")):
                self._learn_address(str(address), str(address))
        elif tool == "set_new_navigation":
            stops, start = elements(within(result, "waypoints")), within(result, "start_id")
            whole = stops if start is None or list(stops[:1]) == [start] else [start, *stops]
            self._learn_guidance(whole, elements(arguments.get("route_ids")))
        # An edit names both ends of the routes that lead to and from the new stop.
        new = arguments.get("waypoint_id_to_add") or arguments.get("new_waypoint_id")
        before = arguments.get("waypoint_id_before_new_waypoint")
        after = arguments.get("waypoint_id_after_new_waypoint")
        self._learn_route(arguments.get("route_id_leading_to_new_waypoint"), before, new)
        self._learn_route(arguments.get("route_id_leading_away_from_new_waypoint"), new, after)

    def _learn_guidance(self, stops: Sequence[JsonValue], routes: Sequence[JsonValue]) -> None:
        """Take in a route of several legs: each leads from one stop to the next."""
        if len(stops) == len(routes) + 1:
            for route, (start, end) in zip(routes, pairwise(stops), strict=True):
                self._learn_route(route, start, end)

    def _learn_route(self, route: JsonValue, start: JsonValue, end: JsonValue, *, sure: bool = False) -> None:
        if isinstance(route, str) and isinstance(start, str) and isinstance(end, str):
            self._ends[route] = (start, end) if sure else self._ends.get(route, (start, end))

    def _learn_address(self, address: str, contact_id: str) -> None:
        name = FullName(first_name="", last_name="")
        made = Contact(id=contact_id, name=name, phone_number="", email=address)
        self._by_address.setdefault(address, made)

    def infer(self, actions: Sequence[tuple[str, Mapping[str, JsonValue]]], places: Iterable[str]) -> None:
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
        spelt = [text for _, arguments in actions for text in texts(arguments)]
        named = {*places, *filter(is_place_id, spelt)}
        for route in filter(is_route_id, spelt):
            for pairs in (looked_up, set(permutations(sorted(named), 2))):
                fitting = [pair for pair in pairs if _head(*pair) == route.rpartition("_")[0]]
                if len(fitting) == 1:
                    self._learn_route(route, *fitting[0])
                    break


def _head(start: str, end: str) -> str:
    """What the id of a route between two places begins with: kinds and letters of both."""
    kinds = "".join("p" if place.startswith("poi_") else "l" for place in (start, end))
    letters = [place.split("_")[1] if place.count("_") > 1 else "" for place in (start, end)]
    return f"r{kinds}_{letters[0]}_{letters[1]}"
