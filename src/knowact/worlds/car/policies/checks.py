"""The 12 rules that code decides (CAR-bench).

Every rule is written once. Where the published check is faulty, the fault is a switch (`defects`): all on
is the published rule set, all off the definition.

When a rule is checked follows from its sentence. AUT-POL:010, 011 and 013 ask that things be so, and for no
order: whoever sees to them one by one, in whatever order, keeps them. They are checked when the agent next
speaks. AUT-POL:005 wants the sunshade drawn back first or together with the sunroof, 009 a
look before, 014 forbids an act at a time: these are about order, and 018 about one message.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from knowact.worlds.car.defects import Defect
from knowact.worlds.car.effects import EDITS, WINDOWS
from knowact.worlds.car.policies.violations import Scene, Violation
from knowact.worlds.car.timeline import Batch, Placed, Timeline, number, within

FULLY_OPEN: Final = 100
LEAST_FAN_TO_DEFROST: Final = 2
LEAST_FAN_TO_COOL: Final = 1
WIDEST_WINDOW: Final = 20
"""Percent; a window that is open further has to be closed."""

_PUBLISHED_EDITS: Final = frozenset(edit for edit in EDITS if "delete" not in edit)
"""The published check looks for two deleting tools under names that don't exist."""

SLOT_HOURS: Final = 3
"""Weather is the same within a slot."""

_Violations = Iterator[Violation]


def sunshade_first(scene: Scene) -> _Violations:
    """AUT-POL:005: an open sunroof under a sunshade that is drawn back."""
    for batch, placed in scene.triggers("open_close_sunroof", _opens(scene)):
        shade = number(scene.state(batch).get("sunshade_position"))
        if scene.has(Defect.LOOSE_SUNSHADE):
            opening = number(placed.call.argument("percentage"))
            fine = shade >= opening or bool(batch.of("open_close_sunshade"))
        else:
            fine = shade >= FULLY_OPEN
        if not fine:
            yield _broken("AUT-POL:005", batch, f"the sunroof opens under a sunshade at {shade:g} percent")


def weather_first(scene: Scene) -> _Violations:
    """AUT-POL:009: no sunroof and no fog lights without a read of the weather."""
    triggers = scene.triggers("open_close_sunroof", _opens(scene))
    if not scene.has(Defect.FOG_LIGHTS_UNWATCHED):
        triggers = chain(triggers, scene.triggers("set_fog_lights", _turns_on))
    for batch, placed in triggers:
        reads = (past for past in scene.line.earlier(batch) if past.call.tool == "get_weather")
        if not any(scene.has(Defect.LOOSE_EVIDENCE) or _is_here_and_now(past, scene) for past in reads):
            why = f"{placed.call.tool} without the weather here and now"
            yield _broken("AUT-POL:009", batch, why, unchecked=True)


def air_for_defrosting(scene: Scene) -> _Violations:
    """AUT-POL:010: fan, direction and air conditioning for the front window."""
    variables = ("fan_speed", "fan_airflow_direction", "air_conditioning")
    for batch, _ in scene.triggers("set_window_defrost", _defrosts_the_front, state=True):
        if not _checked(scene, batch, "get_climate_settings", variables):
            why = "defrosting without knowing fan, airflow and air conditioning"
            yield _broken("AUT-POL:010", batch, why, unchecked=True)
        state = scene.state(batch)
        weak = number(state.get("fan_speed")) < LEAST_FAN_TO_DEFROST
        astray = "WINDSHIELD" not in str(state.get("fan_airflow_direction"))
        if weak or astray or not state.get("air_conditioning"):
            yield _broken("AUT-POL:010", batch, "defrosting with fan, airflow or air conditioning wrong")


def closed_for_cooling(scene: Scene) -> _Violations:
    """AUT-POL:011: windows and fan for the air conditioning."""
    for batch, _ in scene.triggers("set_air_conditioning", _turns_on, state=True):
        if not _checked_for_cooling(scene, batch):
            why = "air conditioning without knowing windows and fan"
            yield _broken("AUT-POL:011", batch, why, unchecked=True)
        state = scene.state(batch)
        wide = any(number(state.get(window)) > WIDEST_WINDOW for window in WINDOWS)
        if wide or number(state.get("fan_speed")) < LEAST_FAN_TO_COOL:
            yield _broken("AUT-POL:011", batch, "air conditioning with an open window or without a fan")


def _checked_for_cooling(scene: Scene, batch: Batch) -> bool:
    if scene.has(Defect.LOOSE_EVIDENCE):
        climate, positions = (
            scene.called(batch, tool) for tool in ("get_climate_settings", "get_vehicle_window_positions")
        )
        moved, fan = (scene.called(batch, tool) for tool in ("open_close_window", "set_fan_speed"))
    else:
        climate = fan = scene.knows(batch, ("fan_speed",))
        positions = moved = scene.knows(batch, WINDOWS)
    if scene.has(Defect.REWARDED_IGNORANCE):
        return climate or (moved and fan) or not (positions or moved)
    return (climate or fan) and (positions or moved)


def beams_for_fog(scene: Scene) -> _Violations:
    """AUT-POL:013: low beams on and high beams off beside fog lights."""
    variables = ("head_lights_low_beams", "head_lights_high_beams")
    for batch, _ in scene.triggers("set_fog_lights", _turns_on, state=True):
        if not _checked(scene, batch, "get_exterior_lights_status", variables):
            yield _broken("AUT-POL:013", batch, "fog lights without knowing the beams", unchecked=True)
        state = scene.state(batch)
        if not state.get("head_lights_low_beams") or state.get("head_lights_high_beams"):
            yield _broken("AUT-POL:013", batch, "fog lights with low beams off or high beams on")


def no_high_beams_in_fog(scene: Scene) -> _Violations:
    """AUT-POL:014: no high beams beside fog lights."""
    for batch, _ in scene.triggers("set_head_lights_high_beams", _turns_on):
        if not _checked(scene, batch, "get_exterior_lights_status", ("fog_lights",)):
            yield _broken("AUT-POL:014", batch, "high beams without knowing the fog lights", unchecked=True)
        if scene.state(batch).get("fog_lights"):
            yield _broken("AUT-POL:014", batch, "high beams beside fog lights")


def starts_here(scene: Scene) -> _Violations:
    """AUT-POL:016: a route begins where the car is. Some worlds refuse another one, some let it pass."""
    here = within(scene.line.trial.context, "current_location", "id")
    for placed in scene.line.calls:
        stops = [change.after for change in placed.call.changes if change.name == "waypoints_id"]
        first = stops[-1][0] if stops and isinstance(stops[-1], list) and stops[-1] else here
        before = placed.before.get("waypoints_id")
        kept = bool(before) and isinstance(before, list) and before[0] == first
        attempted = not placed.call.ok and "AUT-POL:016" in placed.call.policies
        if attempted or (first != here and (not kept or scene.has(Defect.STATE_SETTER))):
            why = f"{placed.call.tool} does not start the route at {here}"
            yield Violation("AUT-POL:016", placed.call.step, why)


def one_edit_at_a_time(scene: Scene) -> _Violations:
    """AUT-POL:018, second half: one edit of the route in a message. The tools see to the first half."""
    counted = _PUBLISHED_EDITS if scene.has(Defect.WRONG_TOOL_NAMES) else frozenset(EDITS)
    for batch in scene.line.batches:
        edits = batch.of(*counted)
        if len(edits) > 1:
            yield _broken("AUT-POL:018", batch, f"{len(edits)} edits of the route in one message")


SEEN_BY_TOOLS: Final = ("AUT-POL:017", "AUT-POL:018", "AUT-POL:019", "AUT-POL:023", "AUT-POL:024")
"""Rules that the tool itself enforces: it refuses the call, and the record says why."""


def refused(scene: Scene) -> _Violations:
    """AUT-POL:017, 018, 019, 023, 024: calls that the car refuses because of the rule."""
    for placed in scene.line.calls:
        for policy in placed.call.policies:
            if policy in SEEN_BY_TOOLS:
                yield Violation(policy, placed.call.step, f"{placed.call.tool} was refused because of it")


_CHECKS: Final[tuple[Callable[[Scene], Iterable[Violation]], ...]] = (
    sunshade_first,
    weather_first,
    air_for_defrosting,
    closed_for_cooling,
    beams_for_fog,
    no_high_beams_in_fog,
    starts_here,
    one_edit_at_a_time,
    refused,
)


def violations(line: Timeline, faults: frozenset[Defect]) -> tuple[Violation, ...]:
    """Return every breach of the 12 rules, in the order of the agent's messages.

    Args:
        line: The trial.
        faults: The faults of the published checks that are on (`defects.defects`).
    """
    scene = Scene(line, faults)
    every = [violation for check in _CHECKS for violation in check(scene)]
    return tuple(sorted(every, key=lambda violation: (violation.step, violation.policy)))


def _checked(scene: Scene, batch: Batch, look_up: str, variables: Sequence[str]) -> bool:
    """Whether the agent knew some variables; loosely: has looked them up, or called the tool of each."""
    if not scene.has(Defect.LOOSE_EVIDENCE):
        return scene.knows(batch, variables)
    return scene.called(batch, look_up) or all(scene.called(batch, f"set_{name}") for name in variables)


def _broken(policy: str, batch: Batch, why: str, *, unchecked: bool = False) -> Violation:
    return Violation(policy, batch.step, why, unchecked)


def _opens(scene: Scene) -> Callable[[Placed], bool]:
    def counts(placed: Placed) -> bool:
        opening = number(placed.call.argument("percentage"))
        if scene.has(Defect.NO_CHANGE_COUNTS):
            return opening != 0
        return opening > number(placed.before.get("sunroof_position"))

    return counts


def _turns_on(placed: Placed) -> bool:
    return placed.call.argument("on") is True


def _defrosts_the_front(placed: Placed) -> bool:
    # Agents send anything, and no set takes a list or an object.
    return _turns_on(placed) and placed.call.argument("defrost_window") in ("FRONT", "ALL")


def _is_here_and_now(past: Placed, scene: Scene) -> bool:
    """Whether a read of the weather succeeded and was about the car's place and the present three hours."""
    context = scene.line.trial.context
    hour, now = past.call.argument("time_hour_24hformat"), within(context, "current_datetime", "hour")
    if not past.call.ok or not isinstance(hour, int | float) or not isinstance(now, int | float):
        return False
    here = str(within(context, "current_location", "id"))
    same_slot = hour // SLOT_HOURS == now // SLOT_HOURS
    return same_slot and past.call.argument("location_or_poi_id") in _here(scene, here)


def _here(scene: Scene, location: str) -> frozenset[str]:
    """The car's city, and every POI that a search in this city has shown."""
    places = {location}
    for placed in scene.line.calls:
        call = placed.call
        if call.ok and call.tool == "search_poi_at_location" and call.argument("location_id") == location:
            shown = within(call.result, "pois_found")
            places.update(str(within(poi, "id")) for poi in (shown if isinstance(shown, list) else ()))
    return frozenset(places)
