"""Science: averages, prime factors, fractions, Roman numerals, and the elements."""

import math
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Final, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import (
    by_argument,
    near,
    never,
    person_can,
    person_cannot,
    public,
    refuse,
    tool,
)
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

_SMALL: Final = 400
"""Up to here only the eight primes below twenty have to be tried."""
_FRACTION_DIGITS: Final = 2
_ROMAN: Final = ((90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


class Average(TypedDict):
    """The middle of some numbers.

    Attributes:
        average: Their sum divided by how many there are, rounded to two decimals.
        count: How many there are.
    """

    average: Annotated[float, Attribute("numbers.average", is_a="quantity.value")]
    count: Annotated[int, ECHO]


def _few_short(numbers: Sequence[float]) -> bool:
    """At most five numbers of at most three digits."""
    short = (limits.handy(number, limits.LONGER_FACTOR_DIGITS) for number in numbers)
    return len(numbers) <= limits.ADDENDS and all(short)


@tool(
    category="Science",
    server="arithmetic",
    about=("numbers",),
    also_done_by=("add_amounts",),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Four marks are averaged by head; two dozen readings with decimals are not.",
        within=lambda given: _few_short(given["numbers"]),
    ),
    scenario="A pupil, a runner or a gardener has a row of marks or readings and wants their average.",
    human=person_cannot("A long row of figures takes pencil, paper and patience."),
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
    mean = sum((Decimal(repr(number)) for number in numbers), Decimal(0)) / len(numbers)
    return {"average": float(mean.quantize(Decimal("0.01"), ROUND_HALF_UP)) + 0.0, "count": len(numbers)}


class Primality(TypedDict):
    """Whether a number can be divided.

    Attributes:
        prime: Whether it is a prime number.
        smallest_factor: The smallest prime that divides it; the number itself if it is prime.
    """

    prime: Annotated[bool, Attribute("number.prime")]
    smallest_factor: Annotated[int, Attribute("number.smallest_factor", is_a="quantity.value")]


def _seen_at_once(number: int) -> bool:
    """A number up to 400, or one whose last digit or sum of digits shows a factor."""
    return number <= _SMALL or any(number % factor == 0 for factor in (2, 3, 5))


@tool(
    category="Science",
    server="arithmetic",
    about=("number",),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Up to 400 only the primes below 20 are tried; six digits ask for many divisions.",
        within=lambda given: _seen_at_once(given["number"]),
    ),
    scenario="A pupil, or somebody with a puzzle, wants to know whether a number is prime.",
    human=person_cannot("Large numbers ask for dozens of divisions."),
)
def check_prime(
    _state: State, number: Annotated[int, Attribute("number.whole"), Rules(minimum=2, maximum=1_000_000_000)]
) -> Primality:
    """Tell whether a whole number is prime, and its smallest prime factor.

    Args:
        number: The number.
    """
    candidates = (2, *range(3, math.isqrt(number) + 1, 2))
    factor = next((prime for prime in candidates if prime < number and number % prime == 0), number)
    return {"prime": factor == number, "smallest_factor": factor}


class LowestTerms(TypedDict):
    """A fraction that cannot be reduced further.

    Attributes:
        fraction: The fraction in lowest terms, such as "2/3".
        divisor: The greatest number that divides both old terms.
    """

    fraction: Annotated[str, Attribute("fraction.lowest_terms")]
    divisor: Annotated[int, Attribute("fraction.common_divisor", is_a="quantity.value")]


@tool(
    category="Science",
    server="arithmetic",
    about=("numerator", "denominator"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Terms of two digits are reduced by head; terms of six digits ask for a chain of divisions.",
        within=lambda given: max(len(str(given[term])) for term in given) <= _FRACTION_DIGITS,
    ),
    scenario="A pupil checks a fraction, or somebody wants a share in the simplest terms.",
    human=person_cannot("Long terms ask for a chain of divisions."),
)
def simplify_fraction(
    _state: State,
    numerator: Annotated[int, Attribute("fraction.numerator"), Rules(minimum=1, maximum=1_000_000_000)],
    denominator: Annotated[int, Attribute("fraction.denominator"), Rules(minimum=1, maximum=1_000_000_000)],
) -> LowestTerms:
    """Reduce a fraction to lowest terms.

    Args:
        numerator: The number above the line.
        denominator: The number below the line.
    """
    divisor = math.gcd(numerator, denominator)
    return {"fraction": f"{numerator // divisor}/{denominator // divisor}", "divisor": divisor}


class RomanValue(TypedDict):
    """What a Roman numeral stands for.

    Attributes:
        value: The number.
    """

    value: Annotated[int, Attribute("roman.value", is_a="quantity.value")]


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        while number >= value:
            written, number = written + letters, number - value
    return written


@tool(
    category="Science",
    server="numerals",
    about=("numeral",),
    rubric=never(why="Numerals below C have five letters and one rule."),
    scenario="Somebody reads a chapter, a king or a clock face that is numbered in Roman numerals.",
    human=person_can("Most people learnt to read small Roman numerals at school."),
)
def read_roman_numeral(
    _state: State, numeral: Annotated[str, Attribute("roman.numeral"), Rules(max_length=10)]
) -> RomanValue:
    """Read a Roman numeral from I to XCIX.

    Args:
        numeral: The numeral in capital letters, such as "XLVII".
    """
    values = {_roman(number): number for number in range(1, 100)}
    if numeral not in values:
        fix = "Give one from I to XCIX in its usual spelling, such as XLVII."
        refuse("bad_arguments", f"{numeral!r} is no such Roman numeral.", fix)
    return {"value": values[numeral]}


class Element(TypedDict):
    """A chemical element.

    Attributes:
        symbol: Its symbol.
        name: Its English name, in lower case.
        number: Its atomic number.
        mass: Its standard atomic weight.
    """

    symbol: Annotated[str, ECHO]
    name: Annotated[str, Attribute("element.name", is_a="text.value")]
    number: Annotated[int, Attribute("element.number", is_a="quantity.value")]
    mass: Annotated[float, Attribute("element.mass", is_a="quantity.value")]


@tool(
    category="Science",
    server="elements",
    about=("symbol",),
    rubric=public(why="The periodic table hangs in every classroom."),
    scenario="A pupil does chemistry homework and needs an element's number or weight.",
    human=person_can("Anybody with a school book can look at the periodic table."),
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
    found = known.get(symbol)
    if found is None:
        refuse("not_found", f"No element has the symbol {symbol!r}.", near(symbol, known))
    return {
        "symbol": symbol,
        "name": str(found.name),
        "number": int(found.number),
        "mass": round(float(found.mass), 6),
    }
