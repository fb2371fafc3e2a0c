"""Which variables a call of a set tool writes: for what an agent knows, also when nothing changed."""

from collections.abc import Callable, Mapping
from typing import Final

from pydantic import JsonValue

from knowact.worlds.car.record import CarCalled
from knowact.worlds.car.rules import Rules

_SEATS: Final = ("driver", "passenger", "driver_rear", "passenger_rear")
_ALIASES: Final[Mapping[Rules, Mapping[str, str]]] = {
    Rules.DEFINITION: {"right_rear": "passenger_rear", "left_rear": "driver_rear"},
    Rules.PUBLISHED: {"right_rear": "driver_rear", "left_rear": "passenger_rear"},
}
"""The driver sits on the left, as in all of the data. The published world takes the right rear seat for the
one behind the driver (CAR-bench)."""

NAVIGATION: Final = ("navigation_active", "waypoints_id", "routes_to_final_destination_id")
EDITS: Final = (
    "navigation_add_one_waypoint",
    "navigation_replace_one_waypoint",
    "navigation_replace_final_destination",
    "navigation_delete_waypoint",
    "navigation_delete_destination",
)
"""The tools that change a route while guidance runs."""

WINDOWS: Final = tuple(f"window_{seat}_position" for seat in _SEATS)


def seats(word: JsonValue, rules: Rules) -> tuple[str, ...]:
    """Return the seats that a word stands for, as the state spells them."""
    name = str(word).lower()
    return _SEATS if name == "all" else (_ALIASES[rules].get(name, name),)


def zones(word: JsonValue) -> tuple[str, ...]:
    """Return the front climate zones that a word stands for."""
    return ("driver", "passenger") if word == "ALL_ZONES" else (str(word).lower(),)


def panes(word: JsonValue) -> tuple[str, ...]:
    """Return the windows with defrosting that a word stands for."""
    return ("front", "rear") if word == "ALL" else (str(word).lower(),)


_Effect = Callable[[Mapping[str, JsonValue], Rules], tuple[str, ...]]


def _always(*names: str) -> _Effect:
    return lambda _, __: names


_EFFECTS: Final[Mapping[str, _Effect]] = {
    "open_close_sunroof": _always("sunroof_position"),
    "open_close_sunshade": _always("sunshade_position"),
    "open_close_trunk_door": _always("trunk_door_position"),
    "open_close_window": lambda a, rules: tuple(
        f"window_{seat}_position" for seat in seats(a.get("window"), rules)
    ),
    "set_air_circulation": _always("air_circulation"),
    "set_air_conditioning": _always("air_conditioning"),
    "set_ambient_lights": _always("ambient_light"),
    "set_climate_temperature": lambda a, _: tuple(
        f"climate_temperature_{zone}" for zone in zones(a.get("seat_zone"))
    ),
    "set_fan_airflow_direction": _always("fan_airflow_direction"),
    "set_fan_speed": _always("fan_speed"),
    "set_fog_lights": _always("fog_lights"),
    "set_head_lights_high_beams": _always("head_lights_high_beams"),
    "set_head_lights_low_beams": _always("head_lights_low_beams"),
    "set_reading_light": lambda a, rules: tuple(
        f"reading_light_{seat}" for seat in seats(a.get("position"), rules)
    ),
    "set_seat_heating": lambda a, _: tuple(f"seat_heating_{zone}" for zone in zones(a.get("seat_zone"))),
    "set_steering_wheel_heating": _always("steering_wheel_heating"),
    "set_window_defrost": lambda a, _: tuple(
        f"window_{pane}_defrost" for pane in panes(a.get("defrost_window"))
    ),
    "set_new_navigation": _always(*NAVIGATION),
    "delete_current_navigation": _always(*NAVIGATION),
    **{edit: _always(*NAVIGATION) for edit in EDITS},
    "send_email": _always("email_addresses_sent_mail_to"),
    "call_phone_by_number": _always("phone_numbers_called"),
}

SET_TOOLS: Final = frozenset(_EFFECTS)
"""The 26 tools that change the state."""


def written(call: CarCalled, rules: Rules) -> tuple[str, ...]:
    """Return the variables that a call that succeeded has written; none for a tool that only looks.

    Args:
        call: The call.
        rules: The rule set that its car ran under.
    """
    effect = _EFFECTS.get(call.tool)
    return () if effect is None or not call.ok else effect(call.arguments or {}, rules)
