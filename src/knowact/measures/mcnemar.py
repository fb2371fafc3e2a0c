"""Two models or strategies on the same questions: McNemar's test, and the difference with its interval.

McNemar's test (McNemar 1947, in its exact form) looks at the items alone on which just one of both is
right; it takes items for independent. The differences of scores resample and swap whole clusters, and so
hold where items are not.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from knowact.core.table import Estimate
from knowact.measures import intervals
from knowact.measures.clusters import Floats, profiles
from knowact.measures.confusion import STATISTICS, Answer, Score, numbered, scored, sums
from knowact.measures.paired import SWAPS, Comparison


@dataclass(frozen=True, slots=True)
class McNemar:
    """On how many matched items which of two is right.

    Attributes:
        both: Both are.
        only_first: Only the first one is.
        only_second: Only the second one is.
        neither: None is.
    """

    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def p(self) -> float:
        """The exact two-sided p-value; 1 where they never differ."""
        return exact_p(self.only_first, self.only_second)


def exact_p(only_first: int, only_second: int) -> float:
    """Return the chance that a fair coin splits the differing items at least as unevenly.

    Raises:
        ValueError: A count is negative.
    """
    if only_first < 0 or only_second < 0:
        raise ValueError(f"{only_first} and {only_second} are no counts")
    tosses, fewer = only_first + only_second, min(only_first, only_second)
    # Whole numbers throughout: 2 ** tosses overflows a float where a thousand items differ.
    tail = sum(math.comb(tosses, heads) for heads in range(fewer + 1))
    return min(1.0, 2 * tail / 2**tosses)


def mcnemar(first: Iterable[Answer], second: Iterable[Answer]) -> McNemar:
    """Compare who is right, item by item; items that one of both lacks or that are unscored are left out."""
    one, other = _matched(first, second)
    return _counted([(before.right, after.right) for before, after in zip(one, other, strict=True)])


def mcnemar_pairs(first: Iterable[Answer], second: Iterable[Answer]) -> McNemar:
    """Compare who has both sides of a pair right, pair by pair."""
    one, other = _matched(first, second)
    sides = {(item.pair, item.complete): place for place, item in enumerate(one)}
    whole = [
        (place, sides[item.pair, True])
        for place, item in enumerate(one)
        if not item.complete and (item.pair, True) in sides
    ]
    return _counted([(one[a].right and one[b].right, other[a].right and other[b].right) for a, b in whole])


def compare(score: Score, first: Sequence[Answer], second: Sequence[Answer], seed: int) -> Comparison:
    """Compare a score between two models or strategies, over the items that both have a scored answer for.

    Args:
        score: What to compare.
        first: The answers of one.
        second: The answers of the other, on the same items.
        seed: Fixes bootstrap and swaps.

    Returns:
        The difference is second minus first; its interval resamples clusters, its p-value swaps the two
        within clusters.

    Raises:
        ValueError: An item is in different clusters.
    """
    one, other = _matched(first, second)
    keys = [{(item.pair, item.complete) for item in side} for side in (first, second)]
    common = len(keys[0] & keys[1])
    left = (common - len(one), len(keys[0]) - common, len(keys[1]) - common)
    nothing = Comparison(None, None, Estimate(None, len(one)), None, *left)
    if not one:
        return nothing
    statistic = STATISTICS[score]
    before, after = sums(one), sums(other)
    clusters = numbered([item.cluster for item in one])
    found = profiles(np.concatenate((before, after), axis=1), clusters)
    values = [float(side) for side in _both(found.totals, statistic)]
    if np.isnan(values).any():
        return nothing
    point = values[1] - values[0]
    drawn = _both(found.resampled(seed), statistic)
    reach = 2.0 if score is Score.MCC else 1.0
    interval = intervals.percentile(point, drawn[1] - drawn[0], len(one))
    moved = profiles(after - before, clusters).swapped(seed, SWAPS)
    swapped = _both(found.totals + np.concatenate((moved, -moved), axis=1), statistic)
    further = np.abs(swapped[1] - swapped[0]) >= abs(point) - intervals.SAME
    return Comparison(
        values[0],
        values[1],
        interval or intervals.unanimous(point, len(one), found.clusters, (-reach, reach)),
        # What was observed counts as one of the swaps: that keeps the p-value from ever being zero.
        float(further.sum() + 1) / (SWAPS + 1),
        *left,
    )


def _both(totals: Floats, statistic: Callable[[Floats], Floats]) -> tuple[Floats, Floats]:
    """Apply the statistic to the first and the second half of the totals' last axis."""
    width = totals.shape[-1] // 2
    return statistic(totals[..., :width]), statistic(totals[..., width:])


def _matched(first: Iterable[Answer], second: Iterable[Answer]) -> tuple[list[Answer], list[Answer]]:
    """Return the items that both have a scored answer for, in one order."""
    one, other = ({(item.pair, item.complete): item for item in scored(side)} for side in (first, second))
    keys = sorted(one.keys() & other.keys())
    for key in keys:
        if one[key].cluster != other[key].cluster:
            raise ValueError(f"an item of the pair {key[0]!r} is in different clusters in both runs")
    return [one[key] for key in keys], [other[key] for key in keys]


def _counted(right: Sequence[tuple[bool, bool]]) -> McNemar:
    return McNemar(
        *(right.count(case) for case in ((True, True), (True, False), (False, True), (False, False)))
    )
