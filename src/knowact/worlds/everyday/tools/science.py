"""Science: units, and a product. A model does these for handy numbers, and not for long ones."""

from typing import Annotated, Final, Literal, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import by_argument, person_can, person_cannot, tool
from knowact.worlds.everyday.fields import Quantity
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

Volume = Literal["ml", "l", "cup", "tablespoon", "teaspoon"]
Weight = Literal["g", "kg", "oz", "lb"]
Length = Literal["cm", "m", "km", "inch", "foot", "mile"]
Scale = Literal["celsius", "fahrenheit"]

_AMOUNT: Final = Rules(minimum=0, maximum=1e12)
_MILLILITRES: Final[dict[Volume, float]] = {"ml": 1, "l": 1000, "cup": 240, "tablespoon": 15, "teaspoon": 5}
_GRAMS: Final[dict[Weight, float]] = {"g": 1, "kg": 1000, "oz": 28.349523125, "lb": 453.59237}
_CENTIMETRES: Final[dict[Length, float]] = {
    "cm": 1,
    "m": 100,
    "km": 100_000,
    "inch": 2.54,
    "foot": 30.48,
    "mile": 160_934.4,
}
"""Exact by the international yard and pound agreement of 1959."""


class ConvertedVolume(TypedDict):
    """A volume in another unit.

    Attributes:
        amount: The amount in the new unit, rounded to six decimals.
        unit: The new unit.
    """

    amount: Annotated[float, Attribute("volume.amount", is_a="quantity.value")]
    unit: Annotated[str, ECHO]


class ConvertedWeight(TypedDict):
    """A weight in another unit.

    Attributes:
        amount: The amount in the new unit, rounded to six decimals.
        unit: The new unit.
    """

    amount: Annotated[float, Attribute("weight.amount", is_a="quantity.value")]
    unit: Annotated[str, ECHO]


class ConvertedLength(TypedDict):
    """A length in another unit.

    Attributes:
        amount: The amount in the new unit, rounded to six decimals.
        unit: The new unit.
    """

    amount: Annotated[float, Attribute("length.amount", is_a="quantity.value")]
    unit: Annotated[str, ECHO]


def _easily_converted(amount: float) -> bool:
    return limits.handy(amount, limits.SHORTER_FACTOR_DIGITS)


@tool(
    category="Science",
    server="units",
    about=("amount", "from_unit", "to_unit"),
    also_done_by=("multiply",),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="A well-known factor: by head for handy amounts, not for long ones.",
        within=lambda given: _easily_converted(given["amount"]),
    ),
    scenario="A cook has a recipe in cups and spoons and a measuring jug in millilitres.",
    human=person_can("Many cooks know how much goes into a cup or a spoon."),
)
def convert_volume(
    _state: State,
    amount: Annotated[float, Attribute("volume.measure"), _AMOUNT],
    from_unit: Volume,
    to_unit: Volume,
) -> ConvertedVolume:
    """Convert a volume between kitchen units; a cup is 240 ml, a tablespoon 15 ml, a teaspoon 5 ml.

    Args:
        amount: The amount in the old unit.
        from_unit: The old unit.
        to_unit: The new unit.
    """
    millilitres = exact(amount) * exact(_MILLILITRES[from_unit])
    return {"amount": half_up(millilitres / exact(_MILLILITRES[to_unit]), 6), "unit": to_unit}


@tool(
    category="Science",
    server="units",
    about=("amount", "from_unit", "to_unit"),
    also_done_by=("multiply",),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Grams to kilograms is moving a point; ounces and pounds have factors of eight digits.",
        within=lambda given: (
            limits.handy(given["amount"], limits.LONGER_FACTOR_DIGITS)
            and {given["from_unit"], given["to_unit"]} <= {"g", "kg"}
        ),
    ),
    scenario="Somebody packs a parcel, or bakes from a foreign recipe, and needs a weight in another unit.",
    human=person_cannot("Ounces and pounds have factors that nobody multiplies by in passing."),
)
def convert_weight(
    _state: State,
    amount: Annotated[float, Attribute("weight.measure"), _AMOUNT],
    from_unit: Weight,
    to_unit: Weight,
) -> ConvertedWeight:
    """Convert a weight between grams, kilograms, ounces and pounds.

    Args:
        amount: The amount in the old unit.
        from_unit: The old unit.
        to_unit: The new unit.
    """
    grams = exact(amount) * exact(_GRAMS[from_unit])
    return {"amount": half_up(grams / exact(_GRAMS[to_unit]), 6), "unit": to_unit}


@tool(
    category="Science",
    server="units",
    about=("amount", "from_unit", "to_unit"),
    also_done_by=("multiply",),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Within metric units it is moving a point; inches, feet and miles need a product.",
        within=lambda given: (
            limits.handy(given["amount"], limits.LONGER_FACTOR_DIGITS)
            and {given["from_unit"], given["to_unit"]} <= {"cm", "m", "km"}
        ),
    ),
    scenario="Somebody reads a distance or a height in one system of units and thinks in another.",
    human=person_cannot("Inches, feet and miles have factors that nobody multiplies by in passing."),
)
def convert_length(
    _state: State,
    amount: Annotated[float, Attribute("length.measure"), _AMOUNT],
    from_unit: Length,
    to_unit: Length,
) -> ConvertedLength:
    """Convert a length between metric units and inches, feet and miles.

    Args:
        amount: The amount in the old unit.
        from_unit: The old unit.
        to_unit: The new unit.
    """
    centimetres = exact(amount) * exact(_CENTIMETRES[from_unit])
    return {"amount": half_up(centimetres / exact(_CENTIMETRES[to_unit]), 6), "unit": to_unit}


class Degrees(TypedDict):
    """A temperature on another scale.

    Attributes:
        degrees: The temperature, rounded to two decimals.
        scale: The new scale.
    """

    degrees: Annotated[float, Attribute("temperature.converted", is_a="quantity.value")]
    scale: Annotated[str, ECHO]


@tool(
    category="Science",
    server="units",
    about=("degrees", "to_scale"),
    also_done_by=("multiply",),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Times nine fifths and plus 32: by head for whole degrees, not for many decimals.",
        within=lambda given: limits.handy(given["degrees"], limits.LONGER_FACTOR_DIGITS),
    ),
    scenario="A traveller hears a temperature in Fahrenheit and wants it in Celsius, or the other way round.",
    human=person_can("A thermometer with both scales hangs in many kitchens."),
)
def convert_temperature(
    _state: State,
    degrees: Annotated[float, Attribute("temperature.degrees"), Rules(minimum=-1e6, maximum=1e6)],
    to_scale: Scale,
) -> Degrees:
    """Convert a temperature from the other scale to Celsius or Fahrenheit.

    Args:
        degrees: The temperature on the old scale.
        to_scale: The new scale; the old one is the other of the two.
    """
    old = exact(degrees)
    new = old * 9 / 5 + 32 if to_scale == "fahrenheit" else (old - 32) * 5 / 9
    return {"degrees": half_up(new, 2), "scale": to_scale}


class Product(TypedDict):
    """A product.

    Attributes:
        product: The product, rounded to six decimals.
    """

    product: Annotated[float, Attribute("number.product", is_a="quantity.value")]


@tool(
    category="Science",
    server="arithmetic",
    about=("left", "right"),
    also_done_by=(
        "get_rain_volume",
        "get_fuel_needed",
        "get_percentage",
        "get_yearly_pay",
        "get_late_fee",
        "get_energy_burnt",
        "get_oven_time",
        "scale_picture",
        "scale_recipe",
    ),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Two digits times three is paper and pencil; seven times eight is not.",
        within=lambda given: limits.product(given["left"], given["right"]),
    ),
    scenario="Somebody needs a product: so many pieces at such a price, or two large numbers, exactly.",
    human=person_cannot("Nobody multiplies long numbers in passing."),
)
def multiply(_state: State, left: Quantity, right: Quantity) -> Product:
    """Multiply two numbers.

    Args:
        left: The first number.
        right: The second number.
    """
    if isinstance(left, int) and isinstance(right, int):
        return {"product": left * right}
    return {"product": half_up(exact(left) * exact(right), 6)}
