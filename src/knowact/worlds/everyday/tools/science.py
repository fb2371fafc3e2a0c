"""Science: units, arithmetic, numerals and the elements. A model does these for handy numbers only."""

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal

from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import Server, by_size, listed, never, on, public, refuse
from knowact.worlds.everyday.fields import Quantity
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_UNITS: Final = Server("Science", "units")
_ARITHMETIC: Final = Server("Science", "arithmetic")

Volume = Literal["ml", "l", "cup", "tablespoon", "teaspoon"]
Weight = Literal["g", "kg", "oz", "lb"]
Length = Literal["cm", "m", "km", "inch", "foot", "mile"]
Scale = Literal["celsius", "fahrenheit"]

_AMOUNT: Final = Rules(minimum=0, maximum=1e12)
_MILLILITRES: Final[Mapping[str, float]] = {"ml": 1, "l": 1000, "cup": 240, "tablespoon": 15, "teaspoon": 5}
_GRAMS: Final[Mapping[str, float]] = {"g": 1, "kg": 1000, "oz": 28.349523125, "lb": 453.59237}
_CENTIMETRES: Final[Mapping[str, float]] = {
    "cm": 1,
    "m": 100,
    "km": 100_000,
    "inch": 2.54,
    "foot": 30.48,
    "mile": 160_934.4,
}
"""Exact by the international yard and pound agreement of 1959."""


def _converted(amount: float, factors: Mapping[str, float], from_unit: str, to_unit: str) -> float:
    return half_up(exact(amount) * exact(factors[from_unit]) / exact(factors[to_unit]), 6)


def _metric(amount: float, from_unit: str, to_unit: str) -> bool:
    """A handy amount, and no unit that takes a product."""
    return limits.three_digits(amount) and {from_unit, to_unit} <= {"g", "kg", "cm", "m", "km"}


class ConvertedVolume(Shape):
    amount: float = fact("volume.amount", "The amount in the new unit, rounded to six decimals.")
    unit: str = echo("The new unit.")


@_UNITS.tool(
    about=("amount", "from_unit", "to_unit"),
    also_done_by=("multiply",),
    rubric=by_size(
        on(limits.two_digits, "amount"),
        why="A well-known factor: by head for handy amounts, not for long ones.",
    ),
    scenario="A cook has a recipe in cups and spoons and a measuring jug in millilitres.",
    person_can="Many cooks know how much goes into a cup or a spoon.",
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
    return ConvertedVolume(amount=_converted(amount, _MILLILITRES, from_unit, to_unit), unit=to_unit)


class ConvertedWeight(Shape):
    amount: float = fact("weight.amount", "The amount in the new unit, rounded to six decimals.")
    unit: str = echo("The new unit.")


@_UNITS.tool(
    about=("amount", "from_unit", "to_unit"),
    also_done_by=("multiply",),
    rubric=by_size(
        on(_metric),
        why="Grams to kilograms is moving a point; ounces and pounds have factors of eight digits.",
    ),
    scenario="Somebody packs a parcel, or bakes from a foreign recipe, and needs a weight in another unit.",
    person_cannot="Ounces and pounds have factors that nobody multiplies by in passing.",
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
    return ConvertedWeight(amount=_converted(amount, _GRAMS, from_unit, to_unit), unit=to_unit)


class ConvertedLength(Shape):
    amount: float = fact("length.amount", "The amount in the new unit, rounded to six decimals.")
    unit: str = echo("The new unit.")


@_UNITS.tool(
    about=("amount", "from_unit", "to_unit"),
    also_done_by=("multiply",),
    rubric=by_size(
        on(_metric),
        why="Within metric units it is moving a point; inches, feet and miles need a product.",
    ),
    scenario="Somebody reads a distance or a height in one system of units and thinks in another.",
    person_cannot="Inches, feet and miles have factors that nobody multiplies by in passing.",
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
    return ConvertedLength(amount=_converted(amount, _CENTIMETRES, from_unit, to_unit), unit=to_unit)


class ConvertedTemperature(Shape):
    degrees: float = fact("temperature.converted", "The temperature, rounded to two decimals.")
    scale: str = echo("The new scale.")


@_UNITS.tool(
    about=("degrees", "to_scale"),
    also_done_by=("multiply",),
    rubric=by_size(
        on(limits.three_digits, "degrees"),
        why="Times nine fifths and plus 32: by head for whole degrees, not for many decimals.",
    ),
    scenario="A traveller hears a temperature in Fahrenheit and wants it in Celsius, or the other way round.",
    person_can="A thermometer with both scales hangs in many kitchens.",
)
def convert_temperature(
    _state: State,
    degrees: Annotated[float, Attribute("temperature.degrees"), Rules(minimum=-1e6, maximum=1e6)],
    to_scale: Scale,
) -> ConvertedTemperature:
    """Convert a temperature from the other scale to Celsius or Fahrenheit.

    Args:
        degrees: The temperature on the old scale.
        to_scale: The new scale; the old one is the other of the two.
    """
    old = exact(degrees)
    new = old * 9 / 5 + 32 if to_scale == "fahrenheit" else (old - 32) * 5 / 9
    return ConvertedTemperature(degrees=half_up(new, 2), scale=to_scale)


class Product(Shape):
    product: float = fact("number.product", "The product, rounded to six decimals.")


@_ARITHMETIC.tool(
    also_done_by=(
        *("get_rain_volume", "get_fuel_needed", "get_percentage", "get_yearly_pay", "get_late_fee"),
        *("get_energy_burnt", "get_oven_time", "scale_picture", "scale_recipe"),
    ),
    rubric=by_size(
        on(limits.product, "left", "right"),
        why="Two digits times three is paper and pencil; seven times eight is not.",
    ),
    scenario="Somebody needs a product: so many pieces at such a price, or two large numbers, exactly.",
    person_cannot="Nobody multiplies long numbers in passing.",
)
def multiply(_state: State, left: Quantity, right: Quantity) -> Product:
    """Multiply two numbers.

    Args:
        left: The first number.
        right: The second number.
    """
    if isinstance(left, int) and isinstance(right, int):
        return Product(product=left * right)
    return Product(product=half_up(exact(left) * exact(right), 6))


_NUMERALS: Final = Server("Science", "numerals")
_ELEMENTS: Final = Server("Science", "elements")

_SMALL: Final = 400
"""Up to here only the eight primes below twenty have to be tried."""
_FRACTION_DIGITS: Final = 2
_ROMAN: Final = ((90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def _few_short(numbers: Sequence[float]) -> bool:
    """At most five numbers of at most three digits."""
    return len(numbers) <= limits.ADDENDS and all(map(limits.three_digits, numbers))


class Average(Shape):
    average: float = fact(
        "numbers.average", "Their sum divided by how many there are, rounded to two decimals."
    )
    count: int = echo("How many there are.")


@_ARITHMETIC.tool(
    also_done_by=("add_amounts",),
    rubric=by_size(
        on(_few_short), why="Four marks are averaged by head; two dozen readings with decimals are not."
    ),
    scenario="A pupil, a runner or a gardener has a row of marks or readings and wants their average.",
    person_cannot="A long row of figures takes pencil, paper and patience.",
)
def average_numbers(
    _state: State,
    numbers: Annotated[
        list[Annotated[float, Rules(minimum=-1e9, maximum=1e9)]],
        Attribute("numbers.list"),
        Rules(min_items=1, max_items=1_000),
    ],
) -> Average:
    """Work out the arithmetic mean of some numbers.

    Args:
        numbers: The numbers.
    """
    return Average(average=half_up(sum(map(exact, numbers), exact(0)) / len(numbers), 2), count=len(numbers))


def _seen_at_once(number: int) -> bool:
    """A number up to 400, or one whose last digit or sum of digits shows a factor."""
    return number <= _SMALL or any(number % factor == 0 for factor in (2, 3, 5))


class PrimeCheck(Shape):
    prime: bool = fact("number.prime", "Whether it is a prime number.")
    smallest_factor: int = fact(
        "number.smallest_factor", "The smallest prime that divides it; the number itself if it is prime."
    )


@_ARITHMETIC.tool(
    rubric=by_size(
        on(_seen_at_once),
        why="Up to 400 only the primes below 20 are tried; six digits ask for many divisions.",
    ),
    scenario="A pupil, or somebody with a puzzle, wants to know whether a number is prime.",
    person_cannot="Large numbers ask for dozens of divisions.",
)
def check_prime(
    _state: State, number: Annotated[int, Attribute("number.whole"), Rules(minimum=2, maximum=1_000_000_000)]
) -> PrimeCheck:
    """Tell whether a whole number is prime, and its smallest prime factor.

    Args:
        number: The number.
    """
    candidates = (2, *range(3, math.isqrt(number) + 1, 2))
    factor = next((prime for prime in candidates if prime < number and number % prime == 0), number)
    return PrimeCheck(prime=factor == number, smallest_factor=factor)


def _short_terms(numerator: int, denominator: int) -> bool:
    """Two digits above and below the line."""
    return max(len(str(numerator)), len(str(denominator))) <= _FRACTION_DIGITS


class SimplifiedFraction(Shape):
    fraction: str = fact("fraction.lowest_terms", 'The fraction in lowest terms, such as "2/3".')
    divisor: int = fact("fraction.common_divisor", "The greatest number that divides both old terms.")


@_ARITHMETIC.tool(
    rubric=by_size(
        on(_short_terms),
        why="Terms of two digits are reduced by head; terms of six digits ask for a chain of divisions.",
    ),
    scenario="A pupil checks a fraction, or somebody wants a share in the simplest terms.",
    person_cannot="Long terms ask for a chain of divisions.",
)
def simplify_fraction(
    _state: State,
    numerator: Annotated[int, Attribute("fraction.numerator"), Rules(minimum=1, maximum=1_000_000_000)],
    denominator: Annotated[int, Attribute("fraction.denominator"), Rules(minimum=1, maximum=1_000_000_000)],
) -> SimplifiedFraction:
    """Reduce a fraction to lowest terms.

    Args:
        numerator: The number above the line.
        denominator: The number below the line.
    """
    divisor = math.gcd(numerator, denominator)
    return SimplifiedFraction(fraction=f"{numerator // divisor}/{denominator // divisor}", divisor=divisor)


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        while number >= value:
            written, number = written + letters, number - value
    return written


class RomanNumeral(Shape):
    value: int = fact("roman.value", "The number.")


@_NUMERALS.tool(
    rubric=never(why="Numerals below C have five letters and one rule."),
    scenario="Somebody reads a chapter, a king or a clock face that is numbered in Roman numerals.",
    person_can="Most people learnt to read small Roman numerals at school.",
)
def read_roman_numeral(
    _state: State, numeral: Annotated[str, Attribute("roman.numeral"), Rules(max_length=10)]
) -> RomanNumeral:
    """Read a Roman numeral from I to XCIX.

    Args:
        numeral: The numeral in capital letters, such as "XLVII".
    """
    values = {_roman(number): number for number in range(1, 100)}
    if numeral not in values:
        fix = "Give one from I to XCIX in its usual spelling, such as XLVII."
        refuse("bad_arguments", f"{numeral!r} is no such Roman numeral.", fix)
    return RomanNumeral(value=values[numeral])


class Element(Shape):
    symbol: str = echo("Its symbol.")
    name: str = fact("element.name", "Its English name, in lower case.")
    number: int = fact("element.number", "Its atomic number.")
    mass: float = fact("element.mass", "Its standard atomic weight.")


@_ELEMENTS.tool(
    rubric=public(why="The periodic table hangs in every classroom."),
    scenario="A pupil does chemistry homework and needs an element's number or weight.",
    person_can="Anybody with a school book can look at the periodic table.",
)
def get_element(
    _state: State, symbol: Annotated[str, Attribute("element.symbol"), Rules(max_length=3)]
) -> Element:
    """Look up a chemical element by its symbol.

    Args:
        symbol: The symbol, such as "Fe".
    """
    # Imported here, for it takes longer than the whole world.
    from periodictable import elements

    known = {element.symbol: element for element in elements if element.number > 0}
    element = listed(known, symbol, f"No element has the symbol {symbol!r}.")
    return Element(
        symbol=symbol, name=str(element.name), number=int(element.number), mass=round(float(element.mass), 6)
    )
