"""Vehicle functions: what opens and closes (spec car-bench.md, section 2.3)."""

# ruff: noqa: D417 - agents give every argument but the car, so no docstring describes it

from typing import Annotated, Final, Literal, TypedDict

from knowact.worlds.car.contract import Car, car_tool
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

_PERCENT: Final = Rules(minimum=0, maximum=100, multiple_of=1)
Place = Literal["ALL", "DRIVER", "PASSENGER", "DRIVER_REAR", "PASSENGER_REAR", "RIGHT_REAR", "LEFT_REAR"]
"""Where a window or a reading light is."""


def places_at(car: Car, place: str) -> tuple[str, ...]:
    """Return the places that a name stands for, as the state spells them.

    The driver sits on the left, as in all of the data. The published world takes the right rear seat for
    the one behind the driver (defect D-52).
    """
    right, left = ("driver_rear", "passenger_rear") if car.published else ("passenger_rear", "driver_rear")
    named = {
        "ALL": ("driver", "passenger", "driver_rear", "passenger_rear"),
        "RIGHT_REAR": (right,),
        "LEFT_REAR": (left,),
    }
    return named.get(place, (place.lower(),))


class SunroofMoved(TypedDict):
    """A sunroof that was told where to go.

    Attributes:
        percentage: How far it is open now, in percent.
        changed: Whether it was elsewhere before.
    """

    percentage: Annotated[float, ECHO]
    changed: Annotated[bool, Attribute("sunroof.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("sunroof.set",))
def open_close_sunroof(
    car: Car, percentage: Annotated[float, _PERCENT, Attribute("sunroof.target")]
) -> SunroofMoved:
    """Move the glass of the sunroof to a given opening.

    Args:
        percentage: How far it should be open, in whole percent: 0 is shut, 100 is as wide as it goes.
    """
    car.state.set("sunroof_position", percentage)
    return {"percentage": percentage, "changed": car.state.changed}


class SunshadeMoved(TypedDict):
    """A sunshade that was told where to go.

    Attributes:
        percentage: How far it is drawn back now, in percent.
        changed: Whether it was elsewhere before.
    """

    percentage: Annotated[float, ECHO]
    changed: Annotated[bool, Attribute("sunshade.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("sunshade.set",))
def open_close_sunshade(
    car: Car, percentage: Annotated[float, _PERCENT, Attribute("sunshade.target")]
) -> SunshadeMoved:
    """Draw the shade below the sunroof back, or pull it shut.

    Args:
        percentage: How far it should be drawn back, in whole percent: 0 is shut, 100 is all the way.
    """
    car.state.set("sunshade_position", percentage)
    return {"percentage": percentage, "changed": car.state.changed}


class TrunkMoved(TypedDict):
    """A trunk door that was told to open or close.

    Attributes:
        action: What it was told.
        changed: Whether it was the other way before.
    """

    action: Annotated[str, ECHO]
    changed: Annotated[bool, Attribute("trunk.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("trunk.set",), confirmation=True)
def open_close_trunk_door(car: Car, action: Literal["OPEN", "CLOSE"]) -> TrunkMoved:
    """Open or close the door of the trunk, at the back of the car.

    Args:
        action: OPEN or CLOSE.
    """
    car.state.set("trunk_door_position", action)
    return {"action": action, "changed": car.state.changed}


class WindowMoved(TypedDict):
    """Windows that were told where to go.

    Attributes:
        window: Which.
        percentage: How far they are open now, in percent.
        changed: Whether any of them was elsewhere before.
    """

    window: Annotated[str, ECHO]
    percentage: Annotated[float, ECHO]
    changed: Annotated[bool, Attribute("window.changed")]


@car_tool(domain="Vehicle functions", kind="set", changes=("window.set",))
def open_close_window(
    car: Car, window: Place, percentage: Annotated[float, _PERCENT, Attribute("window.target")]
) -> WindowMoved:
    """Move one window, or all four of them, to a given opening.

    Args:
        window: Which window; RIGHT_REAR and LEFT_REAR are other names for the two at the back.
        percentage: How far it should be open, in whole percent: 0 is shut, 100 is all the way down.
    """
    for place in places_at(car, window):
        car.state.set(f"window_{place}_position", percentage)
    return {"window": window, "percentage": percentage, "changed": car.state.changed}
