"""Which calls of a reference need the driver's yes or another call first, by the rules and how things stand.

A model judges whether an agent asked (the seven judged policies); here only *when* it has to is worked out,
so that the scripted driver and the built-in agents know.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from knowact.core.world import Call
from knowact.suites.car.goals import Reference
from knowact.worlds.car.effects import EDITS
from knowact.worlds.car.policies.applies import CONFIRMED, WIDEST_WITHOUT_WARNING
from knowact.worlds.car.record import Values
from knowact.worlds.car.session import CarSession, Step

PLEASANT: Final = frozenset({"sunny", "cloudy", "partly_cloudy"})
"""Weather in which the sunroof may be opened without asking (LLM-POL:008)."""

_ROUGH: Final = ("thunderstorm", "hail")
"""Weather in which fog lights may be switched on without asking (LLM-POL:008)."""


_NAVIGATION: Final = ("set_new_navigation", "delete_current_navigation", *EDITS)
_FIRST: Final[Mapping[str, tuple[str, ...]]] = {
    "open_close_sunroof": ("open_close_sunshade",),
    "set_air_conditioning": ("open_close_window", "set_fan_speed"),
    "set_window_defrost": ("set_fan_speed", "set_fan_airflow_direction", "set_air_conditioning"),
    "set_fog_lights": ("set_head_lights_low_beams", "set_head_lights_high_beams"),
    "set_head_lights_high_beams": ("set_fog_lights",),
    **dict.fromkeys(_NAVIGATION, _NAVIGATION),
}
"""What has to be done before what (AUT-POL:005, 010, 011, 013, 014)."""


def consents(reference: Sequence[Reference], session: CarSession) -> dict[int, str]:
    """Return the calls that need a yes, by their place, with the id of the policy that says so.

    Args:
        reference: In order.
        session: A fresh session in the task's first state.
    """
    found: dict[int, str] = {}
    weather = _weather(session)
    cooling_from_the_start = session.snapshot()["air_conditioning"]
    fog = any(one.tool == "set_fog_lights" and one.arguments.get("on") for one in reference)
    for place, one in enumerate(reference):
        before = session.snapshot()
        step = session.do(Call(one.tool, one.arguments))
        if not step.changes:
            continue
        # What the rule for fog lights demands needs no yes of its own (D-12).
        demanded = fog and one.tool == "set_head_lights_high_beams" and one.arguments.get("on") is False
        if one.tool in CONFIRMED and not demanded:
            found[place] = "LLM-POL:004"
        elif _against_the_weather(one, step, before, weather):
            found[place] = "LLM-POL:008"
        elif cooling_from_the_start and _wastes(step):
            found[place] = "LLM-POL:007"
    return found


def prerequisites(reference: Sequence[Reference], place: int) -> tuple[int, ...]:
    """Return the calls that a rule, or the author, wants before one, by their place.

    The windows and the fan for the air conditioning, the beams for the fog lights, and so on: without them
    the call would break a rule. Changes of the navigation build on each other.
    """
    one = reference[place]
    wanted = _FIRST.get(one.tool, ())
    eases = one.arguments.get("on") is False or one.arguments.get("percentage") == 0
    before = [
        earlier
        for earlier in range(place)
        if not eases and reference[earlier].tool in wanted and not _opens_a_window(reference[earlier])
    ]
    return tuple(sorted({*one.after, *before}))


def _opens_a_window(one: Reference) -> bool:
    return one.tool == "open_close_window" and one.arguments.get("percentage") != 0


def _weather(session: CarSession) -> str:
    """The condition where the car is, now."""
    context = session.car.context
    now = context.current_datetime
    rows = session.car.databases.weather(context.current_location.id)
    slots = rows.weather if rows is not None else ()
    minute = f"{now.hour:02}:{now.minute:02}"
    return next((slot.condition for slot in reversed(slots) if slot.start_time <= minute), "")


def _against_the_weather(one: Reference, step: Step, before: Values, weather: str) -> bool:
    if one.tool == "open_close_sunroof":
        opened: Any = step.changes[0].after
        was: Any = before["sunroof_position"]
        return opened > was and weather not in PLEASANT
    return (
        one.tool == "set_fog_lights"
        and one.arguments.get("on") is True
        and not any(word in weather for word in _ROUGH)
    )


def _wastes(step: Step) -> bool:
    moved: Sequence[Mapping[str, Any]] = [
        {"before": change.before, "after": change.after}
        for change in step.changes
        if change.name.startswith("window_") and change.name.endswith("_position")
    ]
    return any(one["after"] > max(one["before"], WIDEST_WITHOUT_WARNING) for one in moved)
