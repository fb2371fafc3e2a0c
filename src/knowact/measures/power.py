"""How many items a comparison takes: power of a chi-square test, and of two shares.

The chi-square test of goodness of fit is what FAIL-TaLMs rests its "at most 92 queries" on (appendix E).
What a benchmark compares are shares, of the same items or of different
ones; their sample sizes are those of the usual normal approximations (Fleiss, Levin and Paik, "Statistical
Methods for Rates and Proportions", chapter 4; Connor, "Sample size for testing differences in proportions
for the paired-sample design", Biometrics 43, 1987).

scipy is no dependency: the non-central chi-square distribution is summed as the Poisson mixture of central
ones that it is, and a central one is a regularised incomplete gamma function.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

SMALL, MEDIUM, LARGE = 0.1, 0.3, 0.5
"""Cohen's convention for w ("Statistical Power Analysis for the Behavioral Sciences", 1988, chapter 7)."""

_NORMAL: Final = NormalDist()
_TINY: Final = 1e-17
"""Terms of a sum below this change nothing in double precision."""
_HALVINGS: Final = 200
"""More than enough for any bracket of doubles to close."""
_MOST_DF: Final = 10_000
"""Nobody has more bins; beyond it the sums would need more care."""
_LEAST_EFFECT: Final = 1e-6
"""Effects and differences below this would take more than a million million items."""
_MOST_EFFECT: Final = 1e6
"""Beyond this one item is enough, and the square is soon no number."""
_LEAST_ALPHA: Final = 1e-12
"""Rarer false alarms than this are lost in the rounding of one minus alpha."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A number of items that was worked out.

    Attributes:
        exact: As the formula gives it (per group, where there are two).
        needed: The whole number that suffices.
    """

    exact: float

    @property
    def needed(self) -> int:
        """The next whole number; 2 less than a millionth above one is that one, by rounding alone."""
        return max(1, math.ceil(self.exact - 1e-6))


def goodness_of_fit(effect: float, alpha: float, power: float, df: int) -> Sample:
    """Return how many items a chi-square test of goodness of fit takes.

    Args:
        effect: Cohen's w, the root of the sum of (p - p0)² / p0 over the bins; at least 1e-6.
        alpha: Chance of a false alarm.
        power: Chance of finding an effect of this size; above alpha.
        df: Degrees of freedom: bins less one.

    Raises:
        ValueError: An argument is impossible.
    """
    _require(effect >= _LEAST_EFFECT, f"an effect is a number of at least {_LEAST_EFFECT:g}")
    _require(effect <= _MOST_EFFECT, f"an effect is a number of no more than {_MOST_EFFECT:g}")
    _require_chances(alpha, power)
    _require(1 <= df <= _MOST_DF, f"degrees of freedom are a whole number from 1 to {_MOST_DF:,}")
    critical = chi_square_quantile(1 - alpha, df)
    # Power depends on n and w by n w² alone, so that is what is searched.
    centre = _root(lambda noncentrality: chi_square_tail(critical, df, noncentrality), power)
    return Sample(centre / effect**2)


def two_shares(first: float, second: float, alpha: float, power: float) -> Sample:
    """Return how many items *each of two groups* of different items takes to tell two shares apart.

    Two-sided, groups of equal size, without continuity correction:
    n = (z_alpha √(2 p̄ (1 - p̄)) + z_power √(p1 (1 - p1) + p2 (1 - p2)))² / (p1 - p2)².

    Raises:
        ValueError: A share lies outside 0 to 1, both are (nearly) equal, or a chance is impossible.
    """
    _require_shares(first, second)
    _require_chances(alpha, power)
    mean = (first + second) / 2
    under_null = math.sqrt(2 * mean * (1 - mean))
    under_effect = math.sqrt(first * (1 - first) + second * (1 - second))
    reach = _two_sided(alpha) * under_null + _NORMAL.inv_cdf(power) * under_effect
    return Sample((reach / (first - second)) ** 2)


def two_shares_paired(first: float, second: float, discordant: float, alpha: float, power: float) -> Sample:
    """Return how many items take McNemar's test to tell two shares of the *same* items apart.

    Two-sided (Connor 1987): n = (z_alpha √D + z_power √(D - d²))² / d², with d = p1 - p2.

    Args:
        first: Share of one run.
        second: Share of the other.
        discordant: D, the share of items on which the two runs differ, either way.
        alpha: Chance of a false alarm.
        power: Chance of finding the difference.

    Raises:
        ValueError: As for `two_shares`, or `discordant` lies outside `discordant_range`.
    """
    _require_shares(first, second)
    _require_chances(alpha, power)
    low, high = discordant_range(first, second)
    # A share that was computed may be off by rounding where it should lie on the edge.
    inside = low - 1e-9 <= discordant <= high + 1e-9
    _require(inside, f"with these shares, items that differ are between {low:.3g} and {high:.3g} of all")
    gap = first - second
    left = math.sqrt(max(0.0, discordant - gap**2))
    reach = _two_sided(alpha) * math.sqrt(discordant) + _NORMAL.inv_cdf(power) * left
    return Sample((reach / gap) ** 2)


def discordant_range(first: float, second: float) -> tuple[float, float]:
    """Return the least and the greatest share of items on which two runs with these shares can differ."""
    return abs(first - second), min(first + second, 2 - first - second)


def discordant_by_chance(first: float, second: float) -> float:
    """Return the share of items that differ if the two runs have nothing to do with each other."""
    return first * (1 - second) + second * (1 - first)


def chi_square_quantile(probability: float, df: int) -> float:
    """Return the value that a central chi-square stays below with this probability.

    Raises:
        ValueError: The probability does not lie strictly between 0 and 1, or `df` is not positive.
    """
    _require(0 < probability < 1, "a probability lies strictly between 0 and 1")
    _require(df >= 1, "degrees of freedom are a positive whole number")
    return _root(lambda value: _lower_gamma(df / 2, value / 2), probability)


def chi_square_tail(value: float, df: int, noncentrality: float = 0.0) -> float:
    """Return the probability that a (non-central) chi-square exceeds a value.

    The mixture Σ Poisson(j; λ/2) · P(central chi-square with df + 2 j > value), summed outwards from its
    largest weight until nothing is left to add.

    Raises:
        ValueError: An argument is negative, or `df` is not positive.
    """
    _require(value >= 0 and noncentrality >= 0, "a chi-square and its non-centrality are not negative")
    _require(df >= 1, "degrees of freedom are a positive whole number")
    mean, half = noncentrality / 2, value / 2
    if mean == 0:
        return 1 - _lower_gamma(df / 2, half)
    middle = int(mean)
    below, weight = 0.0, _poisson(middle, mean)
    number = middle
    while number >= 0 and weight > _TINY:
        below += weight * _lower_gamma(df / 2 + number, half)
        weight *= number / mean
        number -= 1
    number, weight = middle + 1, _poisson(middle + 1, mean)
    while weight > _TINY:
        below += weight * _lower_gamma(df / 2 + number, half)
        number += 1
        weight *= mean / number
    return min(1.0, max(0.0, 1 - below))


def _poisson(number: int, mean: float) -> float:
    return math.exp(number * math.log(mean) - mean - math.lgamma(number + 1))


def _lower_gamma(shape: float, value: float) -> float:
    """The regularised lower incomplete gamma function P(shape, value)."""
    if value <= 0:
        return 0.0
    scale = math.exp(shape * math.log(value) - value - math.lgamma(shape))
    if value < shape + 1:
        return min(1.0, scale * _gamma_series(shape, value))
    return max(0.0, 1 - scale * _gamma_fraction(shape, value))


def _gamma_series(shape: float, value: float) -> float:
    """Σ value^k / (shape (shape + 1) … (shape + k)); it converges fast below the mean."""
    term = total = 1 / shape
    while term > total * _TINY:
        shape += 1
        term *= value / shape
        total += term
    return total


def _gamma_fraction(shape: float, value: float) -> float:
    """The continued fraction of the upper function (Lentz's method); it converges fast above the mean."""
    ahead = value + 1 - shape
    numerator, denominator = 1e300, 1 / ahead
    result = denominator
    for step in range(1, 100_000):
        factor = -step * (step - shape)
        ahead += 2
        denominator = 1 / _not_zero(factor * denominator + ahead)
        numerator = _not_zero(ahead + factor / numerator)
        change = denominator * numerator
        result *= change
        if abs(change - 1) < 1e-15:  # noqa: PLR2004 - what double precision can tell from one
            break
    return result


def _not_zero(number: float) -> float:
    return number if abs(number) > 1e-300 else 1e-300  # noqa: PLR2004 - Lentz's guard against division by zero


def _root(rising: Callable[[float], float], target: float) -> float:
    """Return where a function that rises from below the target on [0, ∞) reaches it, by bisection."""
    low, high = 0.0, 1.0
    while rising(high) < target:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if rising(middle) < target else (low, middle)
    return (low + high) / 2


def _two_sided(alpha: float) -> float:
    return _NORMAL.inv_cdf(1 - alpha / 2)


def _require_chances(alpha: float, power: float) -> None:
    _require(_LEAST_ALPHA <= alpha < 1, f"alpha lies between {_LEAST_ALPHA:g} and 1")
    _require(alpha < power < 1, "power lies above alpha and below 1")


def _require_shares(first: float, second: float) -> None:
    _require(0 <= first <= 1 and 0 <= second <= 1, "a share lies between 0 and 1")
    _require(abs(first - second) >= _LEAST_EFFECT, f"shares must differ by at least {_LEAST_EFFECT:g}")


def _require(fine: bool, otherwise: str) -> None:  # noqa: FBT001 - reads like an assertion
    if not fine:
        raise ValueError(otherwise)
