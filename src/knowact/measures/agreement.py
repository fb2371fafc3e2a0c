"""How far people agree: the observed share, and kappa, which discounts what chance would give.

Cohen's kappa for two raters (Cohen, "A coefficient of agreement for nominal scales", 1960) and Fleiss'
for more (Fleiss, "Measuring nominal scale agreement among many raters", 1971; here with as many ratings
per item as there are, so a skipped question costs that rating alone). Intervals: clusters of items
resampled.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from knowact.core.table import Estimate
from knowact.core.verdict import Verdict
from knowact.measures.clusters import SEED, Floats, numbered, profiles
from knowact.measures.intervals import NORMAL, bootstrapped, percentile
from knowact.measures.limits import SHARE

Ratings: TypeAlias = Sequence[Sequence[str | None]]
"""One row per item, one column per rater in a fixed order; None where there is no answer."""

TWO: Final = 2


@dataclass(frozen=True, slots=True)
class BothSaid:
    """What two readers said about the same words.

    Attributes:
        kind: What is ruled on: an act, a ballot, the facts of a form.
        first: What the earlier reader said; None for no majority, or a form that cannot be used.
        second: What the later one said.
    """

    cluster: str
    kind: str
    first: str | None
    second: str | None


def both_said(first: Iterable[Verdict], second: Iterable[Verdict]) -> list[BothSaid]:
    """What two readers said about the same things, in the order of the second."""
    before = {verdict.key: verdict for verdict in first}
    return [
        BothSaid(verdict.cluster, verdict.kind, before[verdict.key].said, verdict.said)
        for verdict in second
        if verdict.key in before
    ]


def observed(ratings: Ratings, clusters: Sequence[str], seed: int = SEED) -> Estimate:
    """Return the share of pairs of raters that say the same of an item, averaged over the items.

    Items that fewer than two raters answered enter nothing; n counts the others.
    """
    counts, numbers = _counted(ratings, clusters)
    if len(counts) == 0:
        return Estimate(None, 0)
    rows = np.column_stack((_pairs(counts), np.ones(len(counts))))
    return bootstrapped(rows, numbers, seed, SHARE, n=len(counts))


def kappa(ratings: Ratings, clusters: Sequence[str], seed: int = SEED) -> Estimate:
    """Return Cohen's kappa where there are two raters, and Fleiss' where there are more.

    There is none where chance alone would make everybody agree (all answers are the same), and no interval
    where all draws come out alike.

    Args:
        ratings: See `Ratings`; Cohen's takes the items that both answered, Fleiss' those of two or more.
        clusters: The cluster of each item.
        seed: Fixes the draws.

    Raises:
        ValueError: Fewer than two raters, or rows of different lengths.
    """
    raters = {len(row) for row in ratings}
    if not ratings:
        return Estimate(None, 0)
    if len(raters) > 1 or min(raters) < TWO:
        raise ValueError("kappa takes two raters or more, and a place for each of them in every row")
    rows, numbers = _cohen(ratings, clusters) if raters == {TWO} else _fleiss(ratings, clusters)
    if len(rows) == 0:
        return Estimate(None, 0)
    statistic = _cohen_of_totals if raters == {TWO} else _fleiss_of_totals
    return bootstrapped(rows, numbers, seed, statistic=statistic, n=len(rows))


def _categories(ratings: Ratings) -> dict[str, int]:
    names = sorted({rating for row in ratings for rating in row if rating is not None})
    return {name: place for place, name in enumerate(names)}


def _counted(ratings: Ratings, clusters: Sequence[str]) -> tuple[Floats, NDArray[np.int64]]:
    """Count the ratings of each category, for the items that have at least two."""
    if len(ratings) != len(clusters):
        raise ValueError(f"{len(ratings)} items and {len(clusters)} clusters do not fit")
    places = _categories(ratings)
    kept = [row for row, given in enumerate(ratings) if sum(rating is not None for rating in given) >= TWO]
    counts = np.zeros((len(kept), len(places)))
    for at, row in enumerate(kept):
        for rating in ratings[row]:
            if rating is not None:
                counts[at, places[rating]] += 1
    return counts, numbered([clusters[row] for row in kept])


def _pairs(counts: Floats) -> Floats:
    """The share of pairs of raters that agree, per item."""
    raters = counts.sum(axis=1)
    return ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))


def _fleiss(ratings: Ratings, clusters: Sequence[str]) -> tuple[Floats, NDArray[np.int64]]:
    counts, numbers = _counted(ratings, clusters)
    return np.column_stack((counts, _pairs(counts), np.ones(len(counts)))), numbers


def _fleiss_of_totals(totals: Floats) -> Floats:
    """Kappa per leading index of totals: ratings per category, agreeing pairs, items."""
    ratings, agreeing, items = totals[..., :-2], totals[..., -2], totals[..., -1]
    shares = ratings / ratings.sum(axis=-1, keepdims=True)
    return _corrected(agreeing / items, (shares**2).sum(axis=-1))


def _cohen(ratings: Ratings, clusters: Sequence[str]) -> tuple[Floats, NDArray[np.int64]]:
    """One row per item that both answered, with a one in the cell of the confusion matrix."""
    if len(ratings) != len(clusters):
        raise ValueError(f"{len(ratings)} items and {len(clusters)} clusters do not fit")
    places = _categories(ratings)
    width = len(places)
    kept = [row for row, given in enumerate(ratings) if None not in given]
    cells = np.zeros((len(kept), width * width))
    for at, row in enumerate(kept):
        first, second = (places[rating] for rating in ratings[row] if rating is not None)
        cells[at, first * width + second] = 1
    return cells, numbered([clusters[row] for row in kept])


def _cohen_of_totals(totals: Floats) -> Floats:
    """Kappa per leading index of totals, which are a confusion matrix laid flat."""
    width = round(totals.shape[-1] ** 0.5)
    shares = (totals / totals.sum(axis=-1, keepdims=True)).reshape(*totals.shape[:-1], width, width)
    by_chance = (shares.sum(axis=-1) * shares.sum(axis=-2)).sum(axis=-1)
    return _corrected(np.trace(shares, axis1=-2, axis2=-1), by_chance)


def _corrected(agreeing: Floats, by_chance: Floats) -> Floats:
    room = 1 - by_chance
    defined = room > 1e-12  # noqa: PLR2004 - what rounding leaves of nothing
    return np.where(defined, (agreeing - by_chance) / np.where(defined, room, 1.0), np.nan)


FEWEST_FOR_R: Final = 3
"""Two points always lie on a line: their r says nothing."""
_FEWEST_FOR_INTERVAL: Final = 4
"""The standard error of z is 1 / sqrt(n - 3)."""
FEWEST_FOR_P: Final = 10
"""Models; with fewer a p-value says more of their number than of the correlation."""


def pearson(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """Return r over the points of which both coordinates are measured (not NaN); n counts those.

    There is no r under three points or when one coordinate never varies, and no interval under four
    points or when r is exactly 1 or -1, where z is infinite.

    Raises:
        ValueError: The lengths differ, or a coordinate is infinite.
    """
    if len(x) != len(y):
        raise ValueError(f"{len(x)} and {len(y)} coordinates do not make points")
    points = np.array([x, y], dtype=np.float64)
    if np.isinf(points).any():
        raise ValueError("r of infinite coordinates is not defined")
    points = points[:, ~np.isnan(points).any(axis=0)]
    n = points.shape[1]
    # Asking for equality, not for a deviation of zero: the mean of equal numbers may be off by rounding.
    if n < FEWEST_FOR_R or any(float(np.ptp(row)) == 0 for row in points):
        return Estimate(None, n)
    # Scaling first: squares of very small or large deviations would vanish or overflow.
    deviations = points - points.mean(axis=1, keepdims=True)
    deviations /= np.abs(deviations).max(axis=1, keepdims=True)
    r = float(deviations[0] @ deviations[1] / math.sqrt(float((deviations**2).sum(axis=1).prod())))
    r = max(-1.0, min(1.0, r))
    if n < _FEWEST_FOR_INTERVAL or abs(r) == 1:
        return Estimate(r, n)
    reach = NORMAL / math.sqrt(n - 3)
    return Estimate(r, n, math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach), "fisher z")


def p_of_r(r: Estimate) -> Estimate:
    """Return how often chance alone would give a Pearson's r as far from zero, on its n points (two-sided).

    Exact for points without correlation drawn from a normal distribution: r * sqrt(v / (1 - r^2)) has
    Student's t distribution with v = n - 2 degrees of freedom. For whole v that is a finite sum in the angle
    whose sine is |r| (Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4).
    """
    if r.value is None:
        return Estimate(None, r.n)
    freedom, sine = r.n - 2, abs(r.value)
    squared = max(0.0, 1 - sine * sine)
    odd = freedom % 2
    term = math.sqrt(squared) if odd else 1.0
    total = 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= squared * (power + 1) / (power + 2)
    inside = (math.asin(sine) + sine * total) * 2 / math.pi if odd else sine * total
    return Estimate(min(1.0, max(0.0, 1 - inside)), r.n)


def clustered_pearson(
    x: Sequence[float], y: Sequence[float], clusters: Sequence[str], seed: int = SEED
) -> tuple[Estimate, Estimate | None]:
    """Return r over points that are not all independent, and its p if there are ten points or more.

    Where each point is a cluster of its own, the interval is Fisher's; else clusters are resampled, and there
    is none with fewer than four of them. p is that of as many points as there are clusters, which its n
    counts.

    Args:
        x: One coordinate of each point.
        y: The other one.
        clusters: The cluster of each point.
        seed: Fixes the draws.
    """
    r, several = pearson(x, y), len(set(clusters))
    if r.value is None:
        return r, None
    p = p_of_r(Estimate(r.value, several)) if r.n >= FEWEST_FOR_P and several >= FEWEST_FOR_R else None
    if several == r.n:
        return r, p
    if several < _FEWEST_FOR_INTERVAL:
        return Estimate(r.value, r.n), p
    points = np.column_stack((x, y))
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    left, right = points.T
    sums = np.column_stack((np.ones(r.n), left, right, left * left, right * right, left * right))
    drawn = profiles(sums, numbered(clusters)).resampled(seed)
    n, sum_x, sum_y, sum_xx, sum_yy, sum_xy = drawn.T
    spread = np.sqrt(np.clip((n * sum_xx - sum_x**2) * (n * sum_yy - sum_y**2), 0, None))
    alike = spread < 1e-9 * n**2  # one coordinate does not vary in this draw
    draws = np.where(alike, np.nan, (n * sum_xy - sum_x * sum_y) / np.where(alike, 1.0, spread))
    return percentile(r.value, np.clip(draws, -1, 1), r.n) or Estimate(r.value, r.n), p
