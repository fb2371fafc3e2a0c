"""What a hallucination task takes away: the main part, and every other way to the same end.

Navigation can be changed by seven tools that write the same three variables; taking one of them away blocks
nothing as long as others get there. Whether they do is a search over the possible sequences of stops
(`way_around`), which supposes that there is a route from anywhere to anywhere: what it calls blocked is
blocked.
"""

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from knowact.core.condition import Mask
from knowact.core.tool import Tool
from knowact.core.world import Call
from knowact.suites.car.goals import Reference, Told
from knowact.suites.car.tasks import Kind
from knowact.worlds.car.removal import Removed, removed

Stops = tuple[str, ...]

EDITING: Final = (
    "set_new_navigation",
    "navigation_add_one_waypoint",
    "navigation_replace_one_waypoint",
    "navigation_replace_final_destination",
    "navigation_delete_waypoint",
    "navigation_delete_destination",
    "delete_current_navigation",
)
_SHORTEST: Final = 2
"""A navigation has a start and a destination."""


def kind_of(path: str) -> Kind:
    """Return what a removed path is a path of."""
    if path.startswith("result."):
        return "result"
    depth = path.count(".")
    return "tool" if not depth else "parameter" if depth == 1 else "nested parameter"


def stops(values: Mapping[str, Any]) -> Stops:
    """Return the stops of a setup or a state; none where the car is not guiding."""
    return tuple(values.get("waypoints_id") or ()) if values.get("navigation_active") else ()


def unusable(paths: Sequence[str], tools: Mapping[str, Tool]) -> frozenset[str]:
    """Return the tools that are gone, or that lack a parameter without which they can't be called."""
    taken = removed(paths, list(tools.values()))
    lame = {
        change.tool
        for change in taken.changes
        if isinstance(change, Mask)
        and change.part == "parameter"
        and change.name in tools[change.tool].required
    }
    return frozenset(lame) | taken.hidden


def way_around(start: Stops, end: Stops, here: str, tools: Collection[str]) -> tuple[str, ...]:
    """Return the tools of a shortest way from one sequence of stops to another; nothing if there is none.

    Args:
        start: The stops at first; none where the car is not guiding.
        end: The stops that are wanted.
        here: Where the car stands.
        tools: What there is to change them with.
    """
    places = sorted({*start, *end} - {here}) if end else sorted({*start} - {here})
    longest = max(len(start), len(end)) + 1
    seen: set[Stops] = {start}
    waiting: deque[tuple[Stops, tuple[str, ...]]] = deque([(start, ())])
    while waiting:
        now, way = waiting.popleft()
        for tool, after in _steps(now, here, places, longest):
            if tool not in tools or after in seen:
                continue
            if after == end:
                return (*way, tool)
            seen.add(after)
            waiting.append((after, (*way, tool)))
    return ()


def _steps(now: Stops, here: str, places: Sequence[str], longest: int) -> Iterator[tuple[str, Stops]]:
    """Yield what every tool could make of the stops."""
    if not now:
        yield from (("set_new_navigation", one) for one in _sequences((here,), places, longest))
        return
    yield "delete_current_navigation", ()
    inner = range(1, len(now) - 1)
    for place in places:
        if len(now) < longest:
            for index in range(1, len(now) + 1):
                yield "navigation_add_one_waypoint", (*now[:index], place, *now[index:])
        for index in inner:
            yield "navigation_replace_one_waypoint", (*now[:index], place, *now[index + 1 :])
        yield "navigation_replace_final_destination", (*now[:-1], place)
    for index in inner:
        yield "navigation_delete_waypoint", (*now[:index], *now[index + 1 :])
    if len(now) > _SHORTEST:
        yield "navigation_delete_destination", now[:-1]


def _sequences(begun: Stops, places: Sequence[str], longest: int) -> Iterator[Stops]:
    for place in places:
        one = (*begun, place)
        yield one
        if len(one) < longest:
            yield from _sequences(one, [other for other in places if other != place], longest)


def lost_calls(
    reference: Sequence[Reference], paths: Sequence[str], tools: Mapping[str, Tool]
) -> tuple[int, ...]:
    """Return the calls of a reference that cannot be made, or whose result does not tell, by their place.

    A call that hangs on one of those is lost as well.

    Args:
        reference: In order.
        paths: What was taken away.
        tools: All tools of the world by name.
    """
    stuck, blind = stuck_and_blind(reference, removed(paths, list(tools.values())))
    return tuple(sorted(stuck | blind))


def stuck_and_blind(reference: Sequence[Reference], taken: Removed) -> tuple[frozenset[int], frozenset[int]]:
    """Return the calls that cannot be made without some parts, and those that don't tell all they should."""
    stuck: set[int] = set()
    blind: set[int] = set()
    for place, one in enumerate(reference):
        told = [source for sources in one.told.values() for source in sources]
        untold = any(source.step in stuck or is_hidden(source, reference, taken) for source in told)
        if (
            taken.forbids(Call(one.tool, one.arguments))
            or untold
            or {*one.knowing, *one.after} & (stuck | blind)
        ):
            stuck.add(place)
        masked = taken.masked(one.tool, "result")
        if any(_hidden(field, masked) for field in one.reads):
            blind.add(place)
    return frozenset(stuck), frozenset(blind)


def is_hidden(told: Told, reference: Sequence[Reference], taken: Removed) -> bool:
    """Whether the field that an argument comes from was taken out of the result."""
    return _hidden(told.field, taken.masked(reference[told.step].tool, "result"))


def _hidden(field: str, masked: Sequence[str]) -> bool:
    return any(field == one or field.startswith((f"{one}.", f"{one}[]")) for one in masked)
