"""The route that the car guides along: waypoints, and one route between each and the next.

What the seven navigation tools share: reading and writing the three variables, and the checks that
several of them make (CAR-bench).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from knowact.worlds.car.contract import Car, Fault, refuse
from knowact.worlds.car.databases.rows import Route

STARTS_HERE: Final = "AUT-POL:016"
NEEDS_GUIDANCE: Final = "AUT-POL:017"
ONE_GUIDANCE: Final = "AUT-POL:018"
TWO_WAYPOINTS: Final = "AUT-POL:019"
"""The policies that these tools find violated."""


@dataclass(frozen=True, slots=True)
class Guidance:
    """Where the car is being guided: `routes[n]` leads from `waypoints[n]` to `waypoints[n + 1]`."""

    waypoints: tuple[str, ...]
    routes: tuple[str, ...]

    @property
    def start(self) -> str:
        """The first waypoint; empty where there is none."""
        return self.waypoints[0] if self.waypoints else ""

    @property
    def destination(self) -> str:
        """The last waypoint; empty where there is none."""
        return self.waypoints[-1] if self.waypoints else ""

    def spliced(self, first: int, last: int, places: Sequence[str], routes: Sequence[str]) -> "Guidance":
        """Return it with other places and routes between the waypoints at two indexes.

        Args:
            first: Index of the waypoint after which something else comes; it stays.
            last: Index of the waypoint before which the something else ends; it stays, if it is one.
            places: What comes between them now.
            routes: The routes from the first over the places to the last.
        """
        return Guidance(
            (*self.waypoints[: first + 1], *places, *self.waypoints[last:]),
            (*self.routes[:first], *routes, *self.routes[last:]),
        )


def current(car: Car) -> Guidance:
    """Return the active guidance; without any, the call is refused (AUT-POL:017)."""
    if not car.state.on("navigation_active"):
        refuse(
            "conflict",
            "No navigation is active, so there is nothing to change.",
            "Set a new navigation.",
            policy=NEEDS_GUIDANCE,
        )
    state = car.state
    return Guidance(tuple(state.texts("waypoints_id")), tuple(state.texts("routes_to_final_destination_id")))


def guide(car: Car, guidance: Guidance) -> None:
    """Write a guidance that is active from now on."""
    if car.published and guidance.start != car.context.current_location.id:
        # There the state notices, whoever writes, and lets it be.
        car.breaches.append(STARTS_HERE)
    car.state.set("navigation_active", True)
    car.state.set("waypoints_id", guidance.waypoints)
    car.state.set("routes_to_final_destination_id", guidance.routes)


def known_route(car: Car, route_id: str, fault: Fault = Fault.LOGGED) -> Route:
    """Return a route; an unknown one is refused."""
    route = car.databases.route(route_id)
    if route is None:
        refuse("not_found", f"There is no route {route_id!r}.", "Look the routes up first.", fault=fault)
    return route


def must_lead(route: Route, start: str, destination: str) -> None:
    """Refuse a route that does not lead from the one place to the other."""
    if (route.start_id, route.destination_id) != (start, destination):
        message = (
            f"The route {route.route_id!r} leads from {route.start_id!r} to {route.destination_id!r}, "
            f"not from {start!r} to {destination!r}."
        )
        refuse("conflict", message, f"Look up the routes from {start!r} to {destination!r}.")


def stop_at(guidance: Guidance, place: str) -> int:
    """Return the index of a waypoint between start and destination; any other place is refused."""
    inner = guidance.waypoints[1:-1]
    if place not in inner:
        _refuse_stop(guidance, place)
    return inner.index(place) + 1


def _refuse_stop(guidance: Guidance, place: str) -> NoReturn:
    if place not in guidance.waypoints:
        stops = ", ".join(guidance.waypoints[1:-1]) or "none"
        refuse("conflict", f"{place!r} is no waypoint of this navigation.", f"Stops on the way: {stops}.")
    # The published tools look for a neighbour that the destination does not have, and raise.
    fault = Fault.RAISED if place == guidance.destination else Fault.LOGGED
    message = f"{place!r} is the start or the destination, not a stop on the way."
    refuse("conflict", message, "Use the tools for the destination, or set a new navigation.", fault=fault)
