"""Which calls of a CAR reference need the driver's yes, worked out from the rules and the state of the car.

A model judges whether an agent asked; this only says when it has to, and holds the data to that.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from knowact.core.world import Call
from knowact.suites.car.goals import Reference
from knowact.worlds.car.policies.applies import CONFIRMED, WIDEST_WITHOUT_WARNING
from knowact.worlds.car.record import Values
from knowact.worlds.car.session import CarState, Step

PLEASANT: Final = frozenset({"sunny", "cloudy", "partly_cloudy"})
"""Weather in which the sunroof may be opened without asking (LLM-POL:008)."""

_ROUGH: Final = ("thunderstorm", "hail")
"""Weather in which fog lights may be switched on without asking (LLM-POL:008)."""


def consents(reference: Sequence[Reference], session: CarState) -> dict[int, str]:
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
        # What the rule for fog lights demands needs no yes of its own.
        demanded = fog and one.tool == "set_head_lights_high_beams" and one.arguments.get("on") is False
        if one.tool in CONFIRMED and not demanded:
            found[place] = "LLM-POL:004"
        elif _against_the_weather(one, step, before, weather):
            found[place] = "LLM-POL:008"
        elif cooling_from_the_start and _wastes(step):
            found[place] = "LLM-POL:007"
    return found


def _weather(session: CarState) -> str:
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
    moved: list[tuple[Any, Any]] = [
        (one.before, one.after) for one in step.changes if re.fullmatch("window_.*_position", one.name)
    ]
    return any(after > max(before, WIDEST_WITHOUT_WARNING) for before, after in moved)
