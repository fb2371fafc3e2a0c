"""How many items it takes: to compare at all, and until the end of an interval lies beyond a bound.

The estimate is taken for the truth and only the interval shrinks: a plan for the next run, no promise.
"""

import math
from typing import Final

from knowact.core.table import Estimate
from knowact.measures.intervals import wilson

FEWEST: Final = 6
"""Of fewer items no sentence compares anything: even if all of them differ one way, an exact sign test at 5 %
does not tell that from chance (2 / 2**5 is above 0.05, 2 / 2**6 below)."""

MOST = 1_000_000
"""Beyond this nobody runs a suite."""


def items_for_bound(found: Estimate, bound: float, *, at_least: bool) -> int | None:
    """Return how many items would put the interval's end beyond a bound, were the estimate the truth.

    Of independent 0/1 rates by Wilson's interval; otherwise by its width, which shrinks with the root of the
    number of items. Items of one cluster come with their cluster.

    Args:
        found: The estimate, with its interval.
        bound: What the end must reach.
        at_least: Whether the lower end must reach it from above; else the upper end from below.

    Returns:
        The number, at least as many as there are; None where no number does it: the estimate itself lies on
        the wrong side of the bound or on it, it has no interval, or it would take more than a million.
    """
    if found.value is None or found.low is None or found.high is None or found.n < 1:
        return None
    distance = found.value - bound if at_least else bound - found.value
    if distance <= 0:
        return None
    if found.method == "wilson":
        return _by_wilson(found, bound, at_least=at_least)
    half = found.value - found.low if at_least else found.high - found.value
    needed = math.ceil(found.n * max(1.0, (half / distance) ** 2) - 1e-6)
    return needed if needed <= MOST else None


def _by_wilson(found: Estimate, bound: float, *, at_least: bool) -> int | None:
    rate = found.value or 0.0

    def reaches(n: int) -> bool:
        one = wilson(round(rate * n), n)
        end = one.low if at_least else one.high
        return end is not None and (end >= bound if at_least else end <= bound)

    few, many = found.n, found.n
    while not reaches(many):
        few, many = many, 2 * many
        if many > MOST:
            return None
    while few < many:
        middle = (few + many) // 2
        few, many = (few, middle) if reaches(middle) else (middle + 1, many)
    return many
