"""Vehicle functions: what opens, warms, blows and shines (CAR-bench).

Nothing here switches anything else: defrosting starts no air conditioning, and no fan.
"""

from typing import Annotated, Final, Literal

from pydantic import JsonValue

from knowact.worlds.car.contract import Car, Fault, car_tool
from knowact.worlds.car.effects import panes, seats, zones
from knowact.worlds.car.fields import Airflow, Colour
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_PERCENT: Final = Rules(minimum=0, maximum=100, multiple_of=1)
Place = Literal["ALL", "DRIVER", "PASSENGER", "DRIVER_REAR", "PASSENGER_REAR", "RIGHT_REAR", "LEFT_REAR"]
"""Where a window or a reading light is."""


class SunroofSet(Shape):
    percentage: float = echo("How far it is open now, in percent.")
    changed: bool = fact("sunroof.changed", "Whether it was elsewhere before.")


@car_tool("Vehicle functions", changes=("sunroof.set",))
def open_close_sunroof(
    car: Car, percentage: Annotated[float, _PERCENT, Attribute("sunroof.target")]
) -> SunroofSet:
    """Move the glass of the sunroof to a given opening.

    Args:
        percentage: How far it should be open, in whole percent: 0 is shut, 100 is as wide as it goes.
    """
    car.state.set("sunroof_position", percentage)
    return SunroofSet(percentage=percentage, changed=car.state.changed)


class SunshadeSet(Shape):
    percentage: float = echo("How far it is drawn back now, in percent.")
    changed: bool = fact("sunshade.changed", "Whether it was elsewhere before.")


@car_tool("Vehicle functions", changes=("sunshade.set",))
def open_close_sunshade(
    car: Car, percentage: Annotated[float, _PERCENT, Attribute("sunshade.target")]
) -> SunshadeSet:
    """Draw the shade below the sunroof back, or pull it shut.

    Args:
        percentage: How far it should be drawn back, in whole percent: 0 is shut, 100 is all the way.
    """
    car.state.set("sunshade_position", percentage)
    return SunshadeSet(percentage=percentage, changed=car.state.changed)


class TrunkDoorSet(Shape):
    action: str = echo("What it was told.")
    changed: bool = fact("trunk.changed", "Whether it was the other way before.")


@car_tool("Vehicle functions", changes=("trunk.set",), confirmation=True)
def open_close_trunk_door(car: Car, action: Literal["OPEN", "CLOSE"]) -> TrunkDoorSet:
    """Open or close the door of the trunk, at the back of the car.

    Args:
        action: OPEN or CLOSE.
    """
    car.state.set("trunk_door_position", action)
    return TrunkDoorSet(action=action, changed=car.state.changed)


class WindowSet(Shape):
    window: str = echo("Which.")
    percentage: float = echo("How far they are open now, in percent.")
    changed: bool = fact("window.changed", "Whether any of them was elsewhere before.")


@car_tool("Vehicle functions", changes=("window.set",))
def open_close_window(
    car: Car, window: Place, percentage: Annotated[float, _PERCENT, Attribute("window.target")]
) -> WindowSet:
    """Move one window, or all four of them, to a given opening.

    Args:
        window: Which window; RIGHT_REAR and LEFT_REAR are other names for the two at the back.
        percentage: How far it should be open, in whole percent: 0 is shut, 100 is all the way down.
    """
    for place in seats(window, car.rules):
        car.state.set(f"window_{place}_position", percentage)
    return WindowSet(window=window, percentage=percentage, changed=car.state.changed)


Zone = Literal["ALL_ZONES", "DRIVER", "PASSENGER"]
_WARMTH: Final = Rules(minimum=0, maximum=3, multiple_of=1)
_CHECKED_UP_TO: Final = 100
"""The published tool lets everything from 0 to 100 degrees pass; the state model below it raises then."""


class AirCirculationSet(Shape):
    mode: str = echo("The mode.")
    changed: bool = fact("air_circulation.changed", "Whether it was another before.")


@car_tool("Vehicle functions", changes=("air_circulation.set",))
def set_air_circulation(car: Car, mode: Literal["FRESH_AIR", "RECIRCULATION", "AUTO"]) -> AirCirculationSet:
    """Choose whether the ventilation takes air from outside or uses the air of the cabin again.

    Args:
        mode: FRESH_AIR from outside, RECIRCULATION for cabin air, AUTO to let the car choose.
    """
    car.state.set("air_circulation", mode)
    return AirCirculationSet(mode=mode, changed=car.state.changed)


class AirConditioningSet(Shape):
    on: bool = echo("Whether it runs.")
    changed: bool = fact("air_conditioning.changed", "Whether that was different before.")


@car_tool("Vehicle functions", changes=("air_conditioning.set",))
def set_air_conditioning(car: Car, on: bool) -> AirConditioningSet:
    """Switch the air conditioning on or off.

    Args:
        on: True to switch it on, false to switch it off.
    """
    car.state.set("air_conditioning", on)
    return AirConditioningSet(on=on, changed=car.state.changed)


def _unlike_any_weather(value: JsonValue) -> Fault:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return Fault.RAISED
    return Fault.RAISED if 0 <= value <= _CHECKED_UP_TO else Fault.LOGGED


class ClimateTemperatureSet(Shape):
    temperature: float = echo("The temperature, in degrees Celsius.")
    seat_zone: str = echo("Which zones.")
    changed: bool = fact(
        "climate_temperature.changed", "Whether any of them was set to another temperature before."
    )


@car_tool(
    "Vehicle functions", changes=("climate_temperature.set",), faults={"temperature": _unlike_any_weather}
)
def set_climate_temperature(
    car: Car,
    temperature: Annotated[
        float, Rules(minimum=16, maximum=28, multiple_of=0.5), Attribute("climate_temperature.target")
    ],
    seat_zone: Zone,
) -> ClimateTemperatureSet:
    """Set the temperature that the climate control aims at, for one front seat or both.

    Args:
        temperature: Degrees Celsius, in steps of half a degree.
        seat_zone: Whose side of the car.
    """
    for zone in zones(seat_zone):
        car.state.set(f"climate_temperature_{zone}", temperature)
    return ClimateTemperatureSet(temperature=temperature, seat_zone=seat_zone, changed=car.state.changed)


class FanAirflowDirectionSet(Shape):
    direction: str = echo("The direction.")
    changed: bool = fact("fan_airflow_direction.changed", "Whether it was another before.")


@car_tool("Vehicle functions", changes=("fan_airflow_direction.set",))
def set_fan_airflow_direction(car: Car, direction: Airflow) -> FanAirflowDirectionSet:
    """Choose which outlets the fan blows through.

    Args:
        direction: The outlets; names with two or three parts open all of these at once.
    """
    car.state.set("fan_airflow_direction", direction)
    return FanAirflowDirectionSet(direction=direction, changed=car.state.changed)


class FanSpeedSet(Shape):
    level: float = echo("Its level.")
    changed: bool = fact("fan_speed.changed", "Whether it was another before.")


@car_tool("Vehicle functions", changes=("fan_speed.set",))
def set_fan_speed(
    car: Car,
    level: Annotated[float, Rules(minimum=0, maximum=5, multiple_of=1), Attribute("fan_speed.target")],
) -> FanSpeedSet:
    """Set how hard the fan blows.

    Args:
        level: 0 for off, 5 for the strongest, in whole steps.
    """
    car.state.set("fan_speed", level)
    return FanSpeedSet(level=level, changed=car.state.changed)


class SeatHeatingSet(Shape):
    level: float = echo("Their level.")
    seat_zone: str = echo("Which seats.")
    changed: bool = fact("seat_heating.changed", "Whether any of them had another level before.")


@car_tool("Vehicle functions", changes=("seat_heating.set",))
def set_seat_heating(
    car: Car, level: Annotated[float, _WARMTH, Attribute("seat_heating.target")], seat_zone: Zone
) -> SeatHeatingSet:
    """Set how warm one front seat, or both, are heated.

    Args:
        level: 0 for off, 3 for the warmest, in whole steps.
        seat_zone: Which seat.
    """
    for zone in zones(seat_zone):
        car.state.set(f"seat_heating_{zone}", level)
    return SeatHeatingSet(level=level, seat_zone=seat_zone, changed=car.state.changed)


class SteeringWheelHeatingSet(Shape):
    level: float = echo("Its level.")
    changed: bool = fact("steering_wheel_heating.changed", "Whether it was another before.")


@car_tool("Vehicle functions", changes=("steering_wheel_heating.set",))
def set_steering_wheel_heating(
    car: Car, level: Annotated[float, _WARMTH, Attribute("steering_wheel_heating.target")]
) -> SteeringWheelHeatingSet:
    """Set how warm the steering wheel is heated.

    Args:
        level: 0 for off, 3 for the warmest, in whole steps.
    """
    car.state.set("steering_wheel_heating", level)
    return SteeringWheelHeatingSet(level=level, changed=car.state.changed)


class WindowDefrostSet(Shape):
    on: bool = echo("Whether it runs.")
    defrost_window: str = echo("Of which windows.")
    changed: bool = fact("window_defrost.changed", "Whether that was different before for any of them.")


@car_tool("Vehicle functions", changes=("window_defrost.set",))
def set_window_defrost(
    car: Car,
    on: bool,
    defrost_window: Literal["ALL", "FRONT", "REAR"],
) -> WindowDefrostSet:
    """Switch the defrosting of the windshield, of the rear window or of both on or off.

    Args:
        on: True to switch it on, false to switch it off.
        defrost_window: FRONT is the windshield, REAR the window at the back.
    """
    for window in panes(defrost_window):
        car.state.set(f"window_{window}_defrost", on)
    return WindowDefrostSet(on=on, defrost_window=defrost_window, changed=car.state.changed)


LightColor = Literal[Colour, "NONE"]


class AmbientLightsSet(Shape):
    on: bool = echo("What they were told.")
    lightcolor: str = echo("The colour they were told.")
    changed: bool = fact("ambient_light.changed", "Whether they looked different before.")


@car_tool("Vehicle functions", changes=("ambient_light.set",))
def set_ambient_lights(car: Car, on: bool, lightcolor: LightColor) -> AmbientLightsSet:
    """Switch the coloured lights of the cabin on in some colour, or off.

    Args:
        on: True to switch them on, false to switch them off.
        lightcolor: The colour; NONE leaves them dark, even when switched on.
    """
    car.state.set("ambient_light", lightcolor if on and lightcolor != "NONE" else "OFF")
    return AmbientLightsSet(on=on, lightcolor=lightcolor, changed=car.state.changed)


class FogLightsSet(Shape):
    on: bool = echo("Whether they burn.")
    changed: bool = fact("fog_lights.changed", "Whether that was different before.")


@car_tool("Vehicle functions", changes=("fog_lights.set",))
def set_fog_lights(car: Car, on: bool) -> FogLightsSet:
    """Switch the fog lights on or off; no other light changes with them.

    Args:
        on: True to switch them on, false to switch them off.
    """
    car.state.set("fog_lights", on)
    return FogLightsSet(on=on, changed=car.state.changed)


class HighBeamsSet(Shape):
    on: bool = echo("Whether they burn.")
    changed: bool = fact("head_lights_high_beams.changed", "Whether that was different before.")


@car_tool("Vehicle functions", changes=("head_lights_high_beams.set",), confirmation=True)
def set_head_lights_high_beams(car: Car, on: bool) -> HighBeamsSet:
    """Switch the high beams of the head lights on or off; no other light changes with them.

    Args:
        on: True to switch them on, false to switch them off.
    """
    car.state.set("head_lights_high_beams", on)
    return HighBeamsSet(on=on, changed=car.state.changed)


class LowBeamsSet(Shape):
    on: bool = echo("Whether they burn.")
    changed: bool = fact("head_lights_low_beams.changed", "Whether that was different before.")


@car_tool("Vehicle functions", changes=("head_lights_low_beams.set",))
def set_head_lights_low_beams(car: Car, on: bool) -> LowBeamsSet:
    """Switch the low beams of the head lights on or off; no other light changes with them.

    Args:
        on: True to switch them on, false to switch them off.
    """
    car.state.set("head_lights_low_beams", on)
    return LowBeamsSet(on=on, changed=car.state.changed)


class ReadingLightSet(Shape):
    position: str = echo("Which.")
    changed: bool = fact("reading_light.changed", "Whether any of them was different before.")


@car_tool("Vehicle functions", changes=("reading_light.set",))
def set_reading_light(car: Car, position: Place, on: bool) -> ReadingLightSet:
    """Switch the reading light above one seat, or all four of them, on or off.

    Args:
        position: Above which seat; RIGHT_REAR and LEFT_REAR are other names for the two at the back.
        on: True to switch it on, false to switch it off.
    """
    for place in seats(position, car.rules):
        car.state.set(f"reading_light_{place}", on)
    return ReadingLightSet(position=position, changed=car.state.changed)
