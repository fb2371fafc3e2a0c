"""Which rules a task touches: those whose trigger comes up when its reference is carried out."""

from collections.abc import Callable, Mapping
from typing import Final

from knowact.suites.car.proofs import Proofs
from knowact.suites.car.tasks import CarTask
from knowact.worlds.car.defects import defects
from knowact.worlds.car.effects import EDITS
from knowact.worlds.car.policies.applies import to_judge
from knowact.worlds.car.policies.catalogue import POLICIES
from knowact.worlds.car.record import Called
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.timeline import Timeline


def _called(*tools: str) -> Callable[[Called], bool]:
    return lambda call: call.tool in tools


def _on(tool: str) -> Callable[[Called], bool]:
    return lambda call: call.tool == tool and call.argument("on") is True


def _opens_the_sunroof(call: Called) -> bool:
    def number(value: object) -> float:
        return value if isinstance(value, int | float) else 0.0

    return any(
        one.name == "sunroof_position" and number(one.after) > number(one.before) for one in call.changes
    )


def _watches_the_weather(call: Called) -> bool:
    return _opens_the_sunroof(call) or _on("set_fog_lights")(call)


def _defrosts_the_front(call: Called) -> bool:
    return _on("set_window_defrost")(call) and call.argument("defrost_window") in ("FRONT", "ALL")


def _writes_the_stops(call: Called) -> bool:
    return any(one.name == "waypoints_id" and one.after for one in call.changes)


_BY_CODE: Final[Mapping[str, Callable[[Called], bool]]] = {
    "AUT-POL:005": _opens_the_sunroof,
    "AUT-POL:009": _watches_the_weather,
    "AUT-POL:010": _defrosts_the_front,
    "AUT-POL:011": _on("set_air_conditioning"),
    "AUT-POL:013": _on("set_fog_lights"),
    "AUT-POL:014": _on("set_head_lights_high_beams"),
    "AUT-POL:016": _writes_the_stops,
    "AUT-POL:017": _called(*EDITS),
    "AUT-POL:018": _called("set_new_navigation", *EDITS),
    "AUT-POL:019": _called("navigation_delete_destination"),
    "AUT-POL:023": _called("get_entries_from_calendar"),
    "AUT-POL:024": _called("get_weather"),
}
"""The triggers of the rules that code decides, as `policies.toml` words them."""


def touched(proofs: Proofs, task: CarTask) -> tuple[str, ...]:
    """Return the ids of the rules that come up in a task, with all its parts there, in catalogue order."""
    trial = proofs.played(task)
    found = set(to_judge(Timeline(trial), defects(Rules.DEFINITION)))
    found |= {policy for policy, comes_up in _BY_CODE.items() if any(map(comes_up, trial.calls))}
    return tuple(policy for policy in POLICIES if policy in found)
