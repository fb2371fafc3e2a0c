"""Vehicle functions: lights, inside and outside (spec car-bench.md, section 2.3)."""

# ruff: noqa: D417, FBT001 - agents give every argument but the car, by keyword; no docstring describes the car

from typing import Annotated, Literal, TypedDict

from knowact.worlds.car.contract import Car, car_tool
from knowact.worlds.car.tools.vehicle_body import Place, places_at
from knowact.worlds.typed.schema import ECHO, Attribute

LightColor = Literal["RED", "GREEN", "BLUE", "YELLOW", "WHITE", "PINK", "ORANGE", "PURPLE", "CYAN", "NONE"]


class AmbientSet(TypedDict):
    """The ambient lights after a call.

    Attributes:
        on: What they were told.
        lightcolor: The colour they were told.
        changed: Whether they looked different before.
    """

    on: Annotated[bool, ECHO]
    lightcolor: Annotated[str, ECHO]
    changed: Annotated[bool, Attribute("ambient_light.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("ambient_light.set",))
def set_ambient_lights(car: Car, on: bool, lightcolor: LightColor) -> AmbientSet:
    """Switch the coloured lights of the cabin on in some colour, or off.

    Args:
        on: True to switch them on, false to switch them off.
        lightcolor: The colour; NONE leaves them dark, even when switched on.
    """
    car.state.set("ambient_light", lightcolor if on and lightcolor != "NONE" else "OFF")
    return {"on": on, "lightcolor": lightcolor, "changed": car.state.changed}


class FogLightsSet(TypedDict):
    """The fog lights after a call.

    Attributes:
        on: Whether they burn.
        changed: Whether that was different before.
    """

    on: Annotated[bool, ECHO]
    changed: Annotated[bool, Attribute("fog_lights.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("fog_lights.set",))
def set_fog_lights(car: Car, on: bool) -> FogLightsSet:
    """Switch the fog lights on or off; no other light changes with them.

    Args:
        on: True to switch them on, false to switch them off.
    """
    car.state.set("fog_lights", on)
    return {"on": on, "changed": car.state.changed}


class HighBeamsSet(TypedDict):
    """The high beams after a call.

    Attributes:
        on: Whether they burn.
        changed: Whether that was different before.
    """

    on: Annotated[bool, ECHO]
    changed: Annotated[bool, Attribute("head_lights_high_beams.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("head_lights_high_beams.set",), confirmation=True)
def set_head_lights_high_beams(car: Car, on: bool) -> HighBeamsSet:
    """Switch the high beams of the head lights on or off; no other light changes with them.

    Args:
        on: True to switch them on, false to switch them off.
    """
    car.state.set("head_lights_high_beams", on)
    return {"on": on, "changed": car.state.changed}


class LowBeamsSet(TypedDict):
    """The low beams after a call.

    Attributes:
        on: Whether they burn.
        changed: Whether that was different before.
    """

    on: Annotated[bool, ECHO]
    changed: Annotated[bool, Attribute("head_lights_low_beams.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("head_lights_low_beams.set",))
def set_head_lights_low_beams(car: Car, on: bool) -> LowBeamsSet:
    """Switch the low beams of the head lights on or off; no other light changes with them.

    Args:
        on: True to switch them on, false to switch them off.
    """
    car.state.set("head_lights_low_beams", on)
    return {"on": on, "changed": car.state.changed}


class ReadingLightSet(TypedDict):
    """Reading lights after a call.

    Attributes:
        position: Which.
        changed: Whether any of them was different before.
    """

    position: Annotated[str, ECHO]
    changed: Annotated[bool, Attribute("reading_light.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("reading_light.set",))
def set_reading_light(car: Car, position: Place, on: bool) -> ReadingLightSet:
    """Switch the reading light above one seat, or all four of them, on or off.

    Args:
        position: Above which seat; RIGHT_REAR and LEFT_REAR are other names for the two at the back.
        on: True to switch it on, false to switch it off.
    """
    for place in places_at(car, position):
        car.state.set(f"reading_light_{place}", on)
    return {"position": position, "changed": car.state.changed}
