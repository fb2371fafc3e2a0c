"""Vehicle functions: air, warmth and defrosting (spec car-bench.md, section 2.3).

Nothing here switches anything else: defrosting starts no air conditioning, and no fan.
"""

# ruff: noqa: D417 - agents give every argument but the car, so no docstring describes it

from typing import Annotated, Any, Final, Literal, TypedDict

from knowact.worlds.car.contract import Car, Fault, car_tool
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

Zone = Literal["ALL_ZONES", "DRIVER", "PASSENGER"]
Airflow = Literal[
    "FEET",
    "HEAD",
    "HEAD_FEET",
    "WINDSHIELD",
    "WINDSHIELD_FEET",
    "WINDSHIELD_HEAD",
    "WINDSHIELD_HEAD_FEET",
]
_WARMTH: Final = Rules(minimum=0, maximum=3, multiple_of=1)
_CHECKED_UP_TO: Final = 100
"""The published tool lets everything from 0 to 100 degrees pass; the state model below it raises then."""


def _zones(zone: str) -> tuple[str, ...]:
    return ("driver", "passenger") if zone == "ALL_ZONES" else (zone.lower(),)


class CirculationSet(TypedDict):
    """Where the air comes from, after a call.

    Attributes:
        mode: The mode.
        changed: Whether it was another before.
    """

    mode: Annotated[str, ECHO]
    changed: Annotated[bool, Attribute("air_circulation.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("air_circulation.set",))
def set_air_circulation(car: Car, mode: Literal["FRESH_AIR", "RECIRCULATION", "AUTO"]) -> CirculationSet:
    """Choose whether the ventilation takes air from outside or uses the air of the cabin again.

    Args:
        mode: FRESH_AIR from outside, RECIRCULATION for cabin air, AUTO to let the car choose.
    """
    car.state.set("air_circulation", mode)
    return {"mode": mode, "changed": car.state.changed}


class ConditioningSet(TypedDict):
    """The air conditioning after a call.

    Attributes:
        on: Whether it runs.
        changed: Whether that was different before.
    """

    on: Annotated[bool, ECHO]
    changed: Annotated[bool, Attribute("air_conditioning.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("air_conditioning.set",))
def set_air_conditioning(car: Car, on: bool) -> ConditioningSet:  # noqa: FBT001 - tools are called by keyword
    """Switch the air conditioning on or off.

    Args:
        on: True to switch it on, false to switch it off.
    """
    car.state.set("air_conditioning", on)
    return {"on": on, "changed": car.state.changed}


class TemperatureSet(TypedDict):
    """Climate zones that were set to a temperature.

    Attributes:
        temperature: The temperature, in degrees Celsius.
        seat_zone: Which zones.
        changed: Whether any of them was set to another temperature before.
    """

    temperature: Annotated[float, ECHO]
    seat_zone: Annotated[str, ECHO]
    changed: Annotated[bool, Attribute("climate_temperature.changed")]


def _unlike_any_weather(value: Any) -> Fault:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return Fault.LOGGED if number and not 0 <= value <= _CHECKED_UP_TO else Fault.RAISED


@car_tool(
    domain="Vehicle functions",
    kind="set",
    changes=("climate_temperature.set",),
    verdicts={"temperature": _unlike_any_weather},
)
def set_climate_temperature(
    car: Car,
    temperature: Annotated[
        float, Rules(minimum=16, maximum=28, multiple_of=0.5), Attribute("climate_temperature.target")
    ],
    seat_zone: Zone,
) -> TemperatureSet:
    """Set the temperature that the climate control aims at, for one front seat or both.

    Args:
        temperature: Degrees Celsius, in steps of half a degree.
        seat_zone: Whose side of the car.
    """
    for zone in _zones(seat_zone):
        car.state.set(f"climate_temperature_{zone}", temperature)
    return {"temperature": temperature, "seat_zone": seat_zone, "changed": car.state.changed}


class AirflowSet(TypedDict):
    """Where the fan blows, after a call.

    Attributes:
        direction: The direction.
        changed: Whether it was another before.
    """

    direction: Annotated[str, ECHO]
    changed: Annotated[bool, Attribute("fan_airflow_direction.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("fan_airflow_direction.set",))
def set_fan_airflow_direction(car: Car, direction: Airflow) -> AirflowSet:
    """Choose which outlets the fan blows through.

    Args:
        direction: The outlets; names with two or three parts open all of these at once.
    """
    car.state.set("fan_airflow_direction", direction)
    return {"direction": direction, "changed": car.state.changed}


class FanSet(TypedDict):
    """The fan after a call.

    Attributes:
        level: Its level.
        changed: Whether it was another before.
    """

    level: Annotated[float, ECHO]
    changed: Annotated[bool, Attribute("fan_speed.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("fan_speed.set",))
def set_fan_speed(
    car: Car,
    level: Annotated[float, Rules(minimum=0, maximum=5, multiple_of=1), Attribute("fan_speed.target")],
) -> FanSet:
    """Set how hard the fan blows.

    Args:
        level: 0 for off, 5 for the strongest, in whole steps.
    """
    car.state.set("fan_speed", level)
    return {"level": level, "changed": car.state.changed}


class SeatHeatingSet(TypedDict):
    """Heated seats after a call.

    Attributes:
        level: Their level.
        seat_zone: Which seats.
        changed: Whether any of them had another level before.
    """

    level: Annotated[float, ECHO]
    seat_zone: Annotated[str, ECHO]
    changed: Annotated[bool, Attribute("seat_heating.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("seat_heating.set",))
def set_seat_heating(
    car: Car, level: Annotated[float, _WARMTH, Attribute("seat_heating.target")], seat_zone: Zone
) -> SeatHeatingSet:
    """Set how warm one front seat, or both, are heated.

    Args:
        level: 0 for off, 3 for the warmest, in whole steps.
        seat_zone: Which seat.
    """
    for zone in _zones(seat_zone):
        car.state.set(f"seat_heating_{zone}", level)
    return {"level": level, "seat_zone": seat_zone, "changed": car.state.changed}


class WheelHeatingSet(TypedDict):
    """The heated steering wheel after a call.

    Attributes:
        level: Its level.
        changed: Whether it was another before.
    """

    level: Annotated[float, ECHO]
    changed: Annotated[bool, Attribute("steering_wheel_heating.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("steering_wheel_heating.set",))
def set_steering_wheel_heating(
    car: Car, level: Annotated[float, _WARMTH, Attribute("steering_wheel_heating.target")]
) -> WheelHeatingSet:
    """Set how warm the steering wheel is heated.

    Args:
        level: 0 for off, 3 for the warmest, in whole steps.
    """
    car.state.set("steering_wheel_heating", level)
    return {"level": level, "changed": car.state.changed}


class DefrostSet(TypedDict):
    """Defrosting after a call.

    Attributes:
        on: Whether it runs.
        defrost_window: Of which windows.
        changed: Whether that was different before for any of them.
    """

    on: Annotated[bool, ECHO]
    defrost_window: Annotated[str, ECHO]
    changed: Annotated[bool, Attribute("window_defrost.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("window_defrost.set",))
def set_window_defrost(
    car: Car,
    on: bool,  # noqa: FBT001 - tools are called by keyword
    defrost_window: Literal["ALL", "FRONT", "REAR"],
) -> DefrostSet:
    """Switch the defrosting of the windshield, of the rear window or of both on or off.

    Args:
        on: True to switch it on, false to switch it off.
        defrost_window: FRONT is the windshield, REAR the window at the back.
    """
    for window in ("front", "rear") if defrost_window == "ALL" else (defrost_window.lower(),):
        car.state.set(f"window_{window}_defrost", on)
    return {"on": on, "defrost_window": defrost_window, "changed": car.state.changed}
