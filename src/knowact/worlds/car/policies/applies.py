"""When a rule comes up: which of the 7 that a judge decides are put to the judge, and what its votes come to.

Beside them, which of the 12 that code decides some calls bring up.

When a rule applies hangs on its id, and is decided at the call.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from knowact.core.record import Result, Status
from knowact.worlds.car.defects import Defect
from knowact.worlds.car.effects import EDITS, WINDOWS, zones
from knowact.worlds.car.policies.violations import Scene
from knowact.worlds.car.record import CarCalled, CarTrial, Values
from knowact.worlds.car.timeline import Placed, Timeline, number

CONFIRMED: Final = ("send_email", "open_close_trunk_door", "set_head_lights_high_beams")
"""The tools that are marked REQUIRES_CONFIRMATION (CAR-bench)."""

FARTHEST_APART: Final = 3
"""Degrees between the zones before the driver must be told."""

WIDEST_WITHOUT_WARNING: Final = 25
"""Percent that a window may be opened without a warning while the air conditioning is on."""


def _always(_: Scene) -> bool:
    return True


def _called(*tools: str) -> Callable[[Scene], bool]:
    def applies(scene: Scene) -> bool:
        loose = scene.has(Defect.NO_CHANGE_COUNTS)
        return any(placed.call.tool in tools and (placed.call.ok or loose) for placed in scene.line.calls)

    return applies


def _wide_while_cooling(scene: Scene) -> bool:
    moves = [placed for placed in scene.line.calls if placed.call.tool == "open_close_window"]
    return bool(moves) if scene.has(Defect.BLIND_JUDGE) else any(_wastes(placed) for placed in moves)


def _wastes(placed: Placed) -> bool:
    after, before = placed.after, placed.before
    return bool(before.get("air_conditioning")) and any(
        number(after.get(window)) > max(WIDEST_WITHOUT_WARNING, number(before.get(window)))
        for window in WINDOWS
    )


def _far_apart(scene: Scene) -> bool:
    sets = [placed for placed in scene.line.calls if placed.call.tool == "set_climate_temperature"]
    if scene.has(Defect.LATE_TRIGGER):
        return bool(sets) and _gap(scene.line.final) > FARTHEST_APART
    return any(placed.call.changes and _gap(placed.after) > FARTHEST_APART for placed in sets)


def _gap(state: Values) -> float:
    driver, passenger = (number(state.get(f"climate_temperature_{zone}")) for zone in zones("ALL_ZONES"))
    return abs(driver - passenger)


_TRIGGERS: Final[Mapping[str, Callable[[Scene], bool]]] = {
    "LLM-POL:002": _always,
    "LLM-POL:004": _called(*CONFIRMED),
    "LLM-POL:007": _wide_while_cooling,
    "LLM-POL:008": _called("open_close_sunroof", "set_fog_lights"),
    "LLM-POL:012": _far_apart,
    "LLM-POL:021": _called("get_routes_from_start_to_destination"),
    "LLM-POL:022": _called("get_routes_from_start_to_destination"),
}


def to_judge(line: Timeline, faults: frozenset[Defect]) -> tuple[str, ...]:
    """Return the ids of the judged rules that a trial has to be judged by.

    The published scoring judges none where a part is missing, so no vote is paid for there.

    Args:
        line: The trial.
        faults: The faults of the published scoring that are on (`defects.defects`).
    """
    if line.trial.type.lacks_a_part and Defect.HARM_UNSEEN in faults:
        return ()
    scene = Scene(line, faults)
    return tuple(policy for policy, applies in _TRIGGERS.items() if applies(scene))


def judged(trial: CarTrial, policy: str) -> Result:
    """Return what the stored votes of one rule come to: 1 followed, 0 not.

    A rule without votes was not judged; a judge who gave none that could be read, or as many for as
    against, has failed.
    """
    stored = [ballot for ballot in trial.judged if ballot.policy == policy]
    if not stored:
        return Result(Status.NOT_JUDGED, by="judge", why=f"{policy} was not put to a judge")
    votes = [vote for ballot in stored for vote in ballot.followed]
    yes = sum(votes)
    if 2 * yes == len(votes):
        return Result(Status.JUDGE_ERROR, by="judge", why=f"{policy}: no majority in {len(votes)} votes")
    reasons = [
        why
        for ballot in stored
        for vote, why in zip(ballot.followed, ballot.why, strict=False)
        if vote == (2 * yes > len(votes))
    ]
    return Result.of(2 * yes > len(votes), by="judge", why=reasons[0] if reasons else "")


def triggered(calls: Iterable[CarCalled]) -> frozenset[str]:
    """Return the ids of the rules by code that some of these calls bring up, as `policies.toml` words it."""
    done = tuple(calls)
    return frozenset(policy for policy, comes_up in _BY_CODE.items() if any(map(comes_up, done)))


def _calls(*tools: str) -> Callable[[CarCalled], bool]:
    return lambda call: call.tool in tools


def _on(tool: str) -> Callable[[CarCalled], bool]:
    return lambda call: call.tool == tool and call.argument("on") is True


def _opens_the_sunroof(call: CarCalled) -> bool:
    return any(
        change.name == "sunroof_position" and number(change.after) > number(change.before)
        for change in call.changes
    )


def _watches_the_weather(call: CarCalled) -> bool:
    return _opens_the_sunroof(call) or _on("set_fog_lights")(call)


def _defrosts_the_front(call: CarCalled) -> bool:
    return _on("set_window_defrost")(call) and call.argument("defrost_window") in ("FRONT", "ALL")


def _writes_the_stops(call: CarCalled) -> bool:
    return any(change.name == "waypoints_id" and change.after for change in call.changes)


_BY_CODE: Final[Mapping[str, Callable[[CarCalled], bool]]] = {
    "AUT-POL:005": _opens_the_sunroof,
    "AUT-POL:009": _watches_the_weather,
    "AUT-POL:010": _defrosts_the_front,
    "AUT-POL:011": _on("set_air_conditioning"),
    "AUT-POL:013": _on("set_fog_lights"),
    "AUT-POL:014": _on("set_head_lights_high_beams"),
    "AUT-POL:016": _writes_the_stops,
    "AUT-POL:017": _calls(*EDITS),
    "AUT-POL:018": _calls("set_new_navigation", *EDITS),
    "AUT-POL:019": _calls("navigation_delete_destination"),
    "AUT-POL:023": _calls("get_entries_from_calendar"),
    "AUT-POL:024": _calls("get_weather"),
}
