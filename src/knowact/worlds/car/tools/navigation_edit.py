"""Navigation: setting, changing and ending the guidance (CAR-bench).

Everything is checked before anything is written; the published tools raise in some of these cases, which
the `fault` of a refusal says.
"""

from itertools import pairwise
from typing import Annotated, TypeVar

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.car.guidance import (
    ONE_GUIDANCE,
    STARTS_HERE,
    TWO_WAYPOINTS,
    Guidance,
    current,
    guide,
    known_route,
    must_lead,
    stop_at,
)
from knowact.worlds.car.shapes import check_id
from knowact.worlds.typed.schema import Attribute, Shape, echo, fact

Waypoint = Annotated[str, Attribute("waypoint.id")]
NewPlace = Annotated[str, Attribute("place.id")]
RouteId = Annotated[str, Attribute("route.id")]


class NewNavigation(Shape):
    navigation_set: bool = echo("That it has.")
    start_id: str = fact("navigation.start", "Where it starts.")
    waypoints: list[str] = fact("navigation.waypoint", "All places in order, start and destination included.")
    destination_id: str = fact("navigation.destination", "Where it ends.")
    changed: bool = echo("That it was not active before.")


@car_tool("Navigation", changes=("navigation.set",))
def set_new_navigation(car: Car, route_ids: Annotated[list[str], Attribute("route.id")]) -> NewNavigation:
    """Start the guidance to a destination, over one route or over several that follow each other.

    Only while no navigation is active; the first route must start where the car is.

    Args:
        route_ids: The routes in order; each starts where the one before it ends.
    """
    if car.state.on("navigation_active"):
        message = "A navigation is active already."
        fix = "Change it with the tools for waypoints and destination, or delete it first."
        refuse("conflict", message, fix, policy=ONE_GUIDANCE)
    if not route_ids:
        refuse("bad_arguments", "There is no route to follow.", "Give at least one.", fault=Fault.RAISED)
    for route_id in route_ids:
        check_id("route", route_id, "route_ids")
    rest = [known_route(car, route_id) for route_id in route_ids[1:]]
    routes = [known_route(car, route_ids[0], fault=Fault.RAISED), *rest]
    for before, after in pairwise(routes):
        if before.destination_id != after.start_id:
            message = f"The route {after.route_id!r} does not start where {before.route_id!r} ends."
            refuse("conflict", message, f"Choose one that starts at {before.destination_id!r}.")
    start, here = routes[0].start_id, car.context.current_location
    if start != here.id and not car.published:
        message = f"The first route starts at {start!r}, but the car is in {here.name} ({here.id!r})."
        fix = "Choose routes from where the car is."
        refuse("conflict", message, fix, fault=Fault.UNLOGGED, policy=STARTS_HERE)
    waypoints = [start, *(route.destination_id for route in routes)]
    guide(car, Guidance(tuple(waypoints), tuple(route_ids)))
    return NewNavigation(
        navigation_set=True,
        start_id=start,
        waypoints=waypoints,
        destination_id=waypoints[-1],
        changed=car.state.changed,
    )


_Edited = TypeVar("_Edited", bound=Shape)


def _guided(car: Car, guidance: Guidance, kind: type[_Edited]) -> _Edited:
    """Guide along a changed route, and say so: that it is done, places, routes, whether that is a change."""
    guide(car, guidance)
    values = (True, list(guidance.waypoints), list(guidance.routes), car.state.changed)
    return kind.filled(dict(zip(kind.names(), values, strict=True)))


class AddedWaypoint(Shape):
    waypoint_added: bool = echo("That it was added.")
    new_waypoints_id: list[str] = fact("navigation.waypoint", "All places in order now.")
    new_routes_id: list[str] = fact("navigation.route", "The routes between them.")
    changed: bool = echo("That the navigation was another before.")


@car_tool("Navigation", changes=("navigation.waypoint_added",))
def navigation_add_one_waypoint(
    car: Car,
    waypoint_id_to_add: NewPlace,
    waypoint_id_before_new_waypoint: Waypoint,
    route_id_leading_to_new_waypoint: RouteId,
    waypoint_id_after_new_waypoint: Annotated[str | None, Attribute("waypoint.id")] = None,
    route_id_leading_away_from_new_waypoint: Annotated[str | None, Attribute("route.id")] = None,
) -> AddedWaypoint:
    """Add one place to the active navigation: between two neighbours, or behind the destination.

    A place behind the destination becomes the new destination; then the last two arguments are left out.

    Args:
        waypoint_id_to_add: The new place.
        waypoint_id_before_new_waypoint: The place of the navigation that it comes after.
        route_id_leading_to_new_waypoint: A route from that place to the new one.
        waypoint_id_after_new_waypoint: The place of the navigation that comes next.
        route_id_leading_away_from_new_waypoint: A route from the new place to the next one.
    """
    before, after = waypoint_id_before_new_waypoint, waypoint_id_after_new_waypoint
    to, away = route_id_leading_to_new_waypoint, route_id_leading_away_from_new_waypoint
    _check_formats([waypoint_id_to_add, before, after], [to, away])
    guidance = current(car)
    if before not in guidance.waypoints:
        refuse("conflict", f"{before!r} is no waypoint of this navigation.", _on_the_way(guidance))
    if after is None or away is None:
        _check_appending(guidance, before, left_out=after is None and away is None)
        must_lead(known_route(car, to), before, waypoint_id_to_add)
        last = len(guidance.waypoints)
        changed = guidance.spliced(last - 1, last, [waypoint_id_to_add], [to])
    else:
        neighbours = list(pairwise(guidance.waypoints))
        if (before, after) not in neighbours:
            message = f"{after!r} does not come right after {before!r} in this navigation."
            refuse("conflict", message, _on_the_way(guidance))
        must_lead(known_route(car, to), before, waypoint_id_to_add)
        must_lead(known_route(car, away), waypoint_id_to_add, after)
        first = neighbours.index((before, after))
        changed = guidance.spliced(first, first + 1, [waypoint_id_to_add], [to, away])
    return _guided(car, changed, AddedWaypoint)


def _check_formats(places: list[str | None], routes: list[str | None]) -> None:
    for place in places:
        if place is not None:
            check_id("place", place, "a waypoint")
    for route in routes:
        if route is not None:
            check_id("route", route, "a route")


def _check_appending(guidance: Guidance, before: str, *, left_out: bool) -> None:
    if before != guidance.destination:
        message = f"{before!r} is not the destination, so something comes after the new place."
        fix = "Say which place comes next, and which route leads there."
        refuse("bad_arguments", message, fix)
    if not left_out:
        message = "The next place and the route that leads there belong together."
        refuse("bad_arguments", message, "Give both or leave out both.")


def _on_the_way(guidance: Guidance) -> str:
    return f"Its waypoints are: {', '.join(guidance.waypoints) or 'none'}."


class ReplacedWaypoint(Shape):
    waypoint_replaced: bool = echo("That it was replaced.")
    new_waypoints: list[str] = fact("navigation.waypoint", "All places in order now.")
    new_routes: list[str] = fact("navigation.route", "The routes between them.")
    changed: bool = echo("Whether the navigation was another before.")


@car_tool("Navigation", changes=("navigation.waypoint_replaced",))
def navigation_replace_one_waypoint(
    car: Car,
    waypoint_id_to_replace: Waypoint,
    new_waypoint_id: NewPlace,
    route_id_leading_to_new_waypoint: RouteId,
    route_id_leading_away_from_new_waypoint: RouteId,
) -> ReplacedWaypoint:
    """Put another place where a stop on the way was; start and destination stay.

    Args:
        waypoint_id_to_replace: The stop that is no longer wanted.
        new_waypoint_id: The place to go to instead.
        route_id_leading_to_new_waypoint: A route from the place before it to the new one.
        route_id_leading_away_from_new_waypoint: A route from the new one to the place after it.
    """
    to, away = route_id_leading_to_new_waypoint, route_id_leading_away_from_new_waypoint
    _check_formats([waypoint_id_to_replace, new_waypoint_id], [to, away])
    guidance = current(car)
    leading_to, leading_away = known_route(car, to), known_route(car, away)
    if new_waypoint_id in {guidance.start, guidance.destination}:
        message = f"{new_waypoint_id!r} is the start or the destination already."
        refuse("conflict", message, "Delete the stop instead.")
    index = stop_at(guidance, waypoint_id_to_replace)
    must_lead(leading_to, guidance.waypoints[index - 1], new_waypoint_id)
    must_lead(leading_away, new_waypoint_id, guidance.waypoints[index + 1])
    changed = guidance.spliced(index - 1, index + 1, [new_waypoint_id], [to, away])
    return _guided(car, changed, ReplacedWaypoint)


class ReplacedDestination(Shape):
    destination_replaced: bool = echo("That it was replaced.")
    new_waypoints: list[str] = fact("navigation.waypoint", "All places in order now.")
    new_routes: list[str] = fact("navigation.route", "The routes between them.")
    changed: bool = echo("Whether the navigation was another before.")


@car_tool("Navigation", changes=("navigation.destination_replaced",))
def navigation_replace_final_destination(
    car: Car, new_destination_id: NewPlace, route_id_leading_to_new_destination: RouteId
) -> ReplacedDestination:
    """Go to another destination in the end; the stops on the way stay.

    Args:
        new_destination_id: Where to go instead.
        route_id_leading_to_new_destination: A route from the place before the destination to the new one.
    """
    route_id = route_id_leading_to_new_destination
    _check_formats([new_destination_id], [route_id])
    guidance = current(car)
    route = known_route(car, route_id)
    if new_destination_id == guidance.start:
        message = f"{new_destination_id!r} is where the navigation starts."
        refuse("conflict", message, "Delete the navigation instead.")
    last = len(guidance.waypoints) - 1
    must_lead(route, guidance.waypoints[last - 1] if last > 0 else guidance.start, new_destination_id)
    changed = guidance.spliced(last - 1, last + 1, [new_destination_id], [route_id])
    return _guided(car, changed, ReplacedDestination)


class DeletedWaypoint(Shape):
    waypoint_deleted: bool = echo("That it was taken out.")
    new_waypoints: list[str] = fact("navigation.waypoint", "All places in order now.")
    new_routes: list[str] = fact("navigation.route", "The routes between them.")
    changed: bool = echo("That the navigation was another before.")


@car_tool("Navigation", changes=("navigation.waypoint_deleted",))
def navigation_delete_waypoint(
    car: Car, waypoint_id_to_delete: Waypoint, route_id_without_waypoint: RouteId
) -> DeletedWaypoint:
    """Take one stop on the way out of the active navigation.

    Args:
        waypoint_id_to_delete: The stop.
        route_id_without_waypoint: A route from the place before it straight to the place after it.
    """
    _check_formats([waypoint_id_to_delete], [route_id_without_waypoint])
    guidance = current(car)
    route = known_route(car, route_id_without_waypoint)
    index = stop_at(guidance, waypoint_id_to_delete)
    must_lead(route, guidance.waypoints[index - 1], guidance.waypoints[index + 1])
    changed = guidance.spliced(index - 1, index + 1, [], [route_id_without_waypoint])
    return _guided(car, changed, DeletedWaypoint)


class DeletedDestination(Shape):
    destination_deleted: bool = echo("That the last place was taken off.")
    new_waypoints: list[str] = fact("navigation.waypoint", "All places in order now.")
    new_routes: list[str] = fact("navigation.route", "The routes between them.")
    changed: bool = echo("That the navigation was another before.")


@car_tool("Navigation", changes=("navigation.destination_deleted",))
def navigation_delete_destination(car: Car, destination_id_to_delete: Waypoint) -> DeletedDestination:
    """Take the destination off the active navigation; the stop before it becomes the destination.

    Args:
        destination_id_to_delete: The present destination.
    """
    _check_formats([destination_id_to_delete], [])
    guidance = current(car)
    at_least = 3
    if len(guidance.waypoints) < at_least:
        message = "Start and destination are all that there is, and a navigation needs both."
        refuse("conflict", message, "Replace the destination or delete the navigation.", policy=TWO_WAYPOINTS)
    if destination_id_to_delete != guidance.destination:
        message = f"{destination_id_to_delete!r} is not the destination."
        refuse("conflict", message, f"The destination is {guidance.destination!r}.")
    changed = Guidance(guidance.waypoints[:-1], guidance.routes[:-1])
    return _guided(car, changed, DeletedDestination)


class DeletedNavigation(Shape):
    navigation_active: bool = echo("False from now on.")
    new_waypoints: list[str] = echo("Nothing.")
    new_routes: list[str] = echo("Nothing.")
    changed: bool = fact("navigation.was_active", "Whether there was anything to end.")


@car_tool("Navigation", changes=("navigation.deleted",))
def delete_current_navigation(car: Car) -> DeletedNavigation:
    """End the guidance and forget the route; harmless where there is none."""
    car.state.set("navigation_active", False)
    car.state.set("waypoints_id", ())
    car.state.set("routes_to_final_destination_id", ())
    return DeletedNavigation(
        navigation_active=False, new_waypoints=[], new_routes=[], changed=car.state.changed
    )
