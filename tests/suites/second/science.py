"""Science worked out a second time: digit by digit, by crossing off, by reading what is written.

Nothing here imports the world.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from suites.second.exact import exact

Arguments = Mapping[str, Any]

# In the base of each kind: millilitres, grams, centimetres. Pound, ounce, inch, foot and mile are the
# international ones of 1959: the pound is 0.45359237 kg and has sixteen ounces, the inch is 2.54 cm, and
# the mile has 5,280 feet of twelve inches.
_POUND: Final = Fraction("453.59237")
_INCH: Final = Fraction("2.54")
_VOLUMES: Final = {"ml": 1, "l": 1000, "cup": 240, "tablespoon": 15, "teaspoon": 5}
_WEIGHTS: Final = {"g": 1, "kg": 1000, "oz": _POUND / 16, "lb": _POUND}
_LENGTHS: Final = {
    "cm": 1,
    "m": 100,
    "km": 100_000,
    "inch": _INCH,
    "foot": 12 * _INCH,
    "mile": 63_360 * _INCH,
}
_UNITS: Final = _VOLUMES | _WEIGHTS | _LENGTHS
_ROMAN_TENS: Final = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC")
_ROMAN_ONES: Final = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")


def converted(a: Arguments) -> dict[str, Any]:
    """How often the new unit fits into the whole amount."""
    whole = exact(a["amount"]) * _UNITS[a["from_unit"]]
    return {"amount": whole / _UNITS[a["to_unit"]], "unit": a["to_unit"]}


def temperature(a: Arguments) -> dict[str, Any]:
    """Along the straight line through the points where water freezes and boils."""
    points = {"celsius": (0, 100), "fahrenheit": (32, 212)}
    new = points.pop(a["to_scale"])
    ((freezes, boils),) = points.values()
    above = (exact(a["degrees"]) - freezes) / (boils - freezes)
    return {"degrees": new[0] + above * (new[1] - new[0]), "scale": a["to_scale"]}


def product(a: Arguments) -> dict[str, Fraction]:
    """Double the left number and halve the right one, as peasants did."""
    doubled, right = exact(a["left"]), exact(a["right"])
    halved, total = abs(right.numerator), Fraction(0)
    while halved:
        halved, odd = divmod(halved, 2)
        total += odd * doubled
        doubled += doubled
    return {"product": (total if right > 0 else -total) / right.denominator}


def mean(a: Arguments) -> dict[str, Any]:
    """Move the mean towards each number that comes in."""
    middle, count = Fraction(0), 0
    for number in a["numbers"]:
        count += 1
        middle += (exact(number) - middle) / count
    return {"average": middle, "count": count}


@lru_cache(maxsize=1)
def _least_factors(below: int) -> list[int]:
    """The smallest prime factor of every number, by the sieve of Eratosthenes, largest primes first."""
    least = list(range(below))
    for number in range(int(below**0.5) + 1, 1, -1):
        least[number * number :: number] = [number] * len(range(number * number, below, number))
    return least


def primality(a: Arguments) -> dict[str, Any]:
    """Cross off the multiples: what is left is prime. Good for numbers below a million."""
    number: int = a["number"]
    least = _least_factors(1_000_000)[number]
    return {"prime": least == number, "smallest_factor": least}


def lowest_terms(a: Arguments) -> dict[str, Any]:
    """Divide both terms by every number that divides both, for as long as it does."""
    above, below, divisor, step = a["numerator"], a["denominator"], 1, 2
    while step <= min(above, below):
        if above % step or below % step:
            step += 1
        else:
            above, below, divisor = above // step, below // step, divisor * step
    return {"fraction": f"{above}/{below}", "divisor": divisor}


def roman(a: Arguments) -> dict[str, int]:
    """Write all numbers and look where the numeral stands."""
    written = [tens + ones for tens in _ROMAN_TENS for ones in _ROMAN_ONES]
    return {"value": written.index(a["numeral"])}


SECOND: Final[dict[str, Callable[[Arguments], Mapping[str, Any]]]] = {
    "convert_volume": converted,
    "convert_weight": converted,
    "convert_length": converted,
    "convert_temperature": temperature,
    "multiply": product,
    "average_numbers": mean,
    "check_prime": primality,
    "simplify_fraction": lowest_terms,
    "read_roman_numeral": roman,
}
