"""95 % intervals.

Wilson for 0/1 rates over independent items; the clustered bootstrap for everything that is clustered or
not 0/1. Where no draw of the bootstrap differs from another it would print an interval of width zero,
which claims certainty after three items; there the width comes from how many clusters could still differ.
"""

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from knowact.core.errors import BadUsage
from knowact.core.table import Estimate
from knowact.measures.clusters import Booleans, Floats, profiles
from knowact.measures.kas import kas
from knowact.measures.limits import SHARE, UNLIMITED, Limits

LEVEL: Final = 0.95
NORMAL: Final = NormalDist().inv_cdf((1 + LEVEL) / 2)
"""1.96: how many standard errors an interval reaches to each side."""

BOOTSTRAP: Final = "cluster bootstrap"
UNANIMOUS: Final = "wilson over clusters"

SAME: Final = 1e-12
"""Values closer than this, in units of the larger of them and one, differ by rounding alone."""


def wilson(successes: int, n: int) -> Estimate:
    """Return a 0/1 rate over independent items with its Wilson score interval.

    Raises:
        ValueError: `successes` is negative or larger than `n`.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} are impossible")
    if n == 0:
        return Estimate(None, 0)
    rate, z2 = successes / n, NORMAL * NORMAL
    centre = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = NORMAL / (1 + z2 / n) * math.sqrt(rate * (1 - rate) / n + z2 / (4 * n * n))
    # At 0 and n one end is the rate itself; rounding must not push it past.
    return Estimate(rate, n, max(0.0, min(centre - half, rate)), min(1.0, max(centre + half, rate)), "wilson")


def mean(
    values: Floats,
    clusters: NDArray[np.integer],
    seed: int,
    limits: Limits = SHARE,
) -> Estimate:
    """Return the mean of what was measured, with Wilson's or a clustered bootstrap interval.

    Wilson's is for shares alone: a difference whose values happen to be all 0 or 1 could have been negative,
    and an amount larger.

    Args:
        values: One per item; NaN says *not measured* and enters nothing.
        clusters: The cluster of each item, as a number from 0.
        seed: Fixes the draws.
        limits: What values the measure can have.

    Raises:
        ValueError: A value lies outside the limits.
    """
    measured = ~np.isnan(values)
    values, clusters = values[measured], clusters[measured]
    if len(values) == 0:
        return Estimate(None, 0)
    _require_within(values, limits)
    if limits == SHARE and _is_rate(values) and len(np.unique(clusters)) == len(clusters):
        return wilson(int(values.sum()), len(values))
    rows = np.column_stack((values, np.ones_like(values)))
    return bootstrapped(rows, clusters, seed, limits, n=len(values))


def percentile(point: float, draws: Floats, n: int) -> Estimate | None:
    """Return `point` with the middle 95 % of the draws, or None where the draws are all the same.

    Draws without a value (NaN: a subspace of which nothing was drawn) are passed over.
    """
    drawn = draws[~np.isnan(draws)]
    if math.isnan(point) or len(drawn) == 0 or float(np.ptp(drawn)) <= SAME * max(1.0, abs(point)):
        return None
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    # With few clusters and a skewed statistic the estimate itself can fall outside; it is always possible.
    return Estimate(point, n, min(float(low), point), max(float(high), point), BOOTSTRAP)


def harmonic(
    know: Floats,
    act: Floats,
    clusters: NDArray[np.integer],
    seed: int,
) -> Estimate:
    """Return KAS of two clustered measures over the items where both were measured.

    Args:
        know: Knowing's value per item, within 0 to 1; NaN says *not measured*.
        act: Acting's value per item, likewise.
        clusters: The cluster of each item, as a number from 0.
        seed: Fixes the draws.

    Raises:
        ValueError: A value lies outside 0 to 1.
    """
    both = ~(np.isnan(know) | np.isnan(act))
    know, act, clusters = know[both], act[both], clusters[both]
    if len(know) == 0:
        return Estimate(None, 0)
    _require_within(np.concatenate((know, act)), SHARE)
    rows = np.column_stack((know, act, np.ones_like(know)))
    estimate = bootstrapped(rows, clusters, seed, statistic=kas_of_totals, n=len(know))
    if estimate.low is not None:
        return estimate
    # KAS grows with each accuracy, so the two lower ends bound it below and the two upper ends above.
    sides = mean(know, clusters, seed), mean(act, clusters, seed)
    return within(estimate, *(kas(*pair) for pair in zip(*map(ends, sides), strict=True)))


def within(estimate: Estimate, low: float, high: float) -> Estimate:
    """Return an estimate of which all draws agree, with ends that were found in another way."""
    point = estimate.value or 0.0
    return Estimate(point, estimate.n, min(low, point), max(high, point), UNANIMOUS)


def ends(estimate: Estimate) -> tuple[float, float]:
    """Return the ends of an interval; 0 for one that is not given."""
    return estimate.low or 0.0, estimate.high or 0.0


def mean_of_totals(totals: Floats) -> Floats:
    """Return the mean per leading index of totals whose last axis is (sum, items); NaN without items."""
    items = totals[..., -1]
    return np.where(items > 0, totals[..., 0] / np.maximum(items, 1.0), np.nan)


def kas_of_totals(totals: Floats) -> Floats:
    """Return KAS per leading index of totals whose last axis is (knowing, acting, items).

    NaN without items. The array form of `kas.kas`; a test holds them together.
    """
    know, act, items = totals[..., 0], totals[..., 1], totals[..., -1]
    either = know + act
    harmonic_sum = 2 * know * act / np.where(either > 0, either, 1.0)
    return np.where(items > 0, harmonic_sum / np.maximum(items, 1.0), np.nan)


def bootstrapped(
    rows: Floats,
    clusters: NDArray[np.integer],
    seed: int,
    limits: Limits = UNLIMITED,
    statistic: Callable[[Floats], Floats] = mean_of_totals,
    *,
    n: int,
) -> Estimate:
    """Return a statistic of sums over rows, with an interval for which clusters are resampled.

    Where all draws come out alike the interval is that of `unanimous`, so without limits there is none.

    Args:
        rows: One per item, a column per quantity that is summed; without NaN.
        clusters: The cluster of each row, as a number from 0.
        seed: Fixes the draws.
        limits: What values the statistic can have.
        statistic: From sums, on the last axis, to the number.
        n: What the number rests on.
    """
    cluster_sums = profiles(rows, clusters)
    point = float(statistic(cluster_sums.totals))
    if math.isnan(point):
        return Estimate(None, n)
    drawn = percentile(point, statistic(cluster_sums.resampled(seed)), n)
    return drawn or unanimous(point, n, cluster_sums.clusters, limits)


def unanimous(point: float, n: int, clusters: int, limits: Limits) -> Estimate:
    """Return the interval where all clusters agree: as far as the share that may yet differ can move it."""
    lowest, highest = limits
    if not (math.isfinite(lowest) and math.isfinite(highest)):
        return Estimate(point, n)
    other = wilson(0, clusters).high or 0.0
    low, high = point - other * (point - lowest), point + other * (highest - point)
    return within(Estimate(point, n), low, high)


class OutOfRange(BadUsage, ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """A result that none can have: nothing of ours writes such a log."""

    def __init__(self, least: float, greatest: float, limits: Limits) -> None:
        super().__init__(
            f"The records hold results from {least:g} to {greatest:g}, outside {limits[0]:g} to "
            f"{limits[1]:g}: a log was edited. Leave it out, or run the suite again."
        )


def _require_within(values: Floats, limits: Limits) -> None:
    least, greatest = float(values.min()), float(values.max())
    if least < limits[0] or greatest > limits[1]:
        raise OutOfRange(least, greatest, limits)


def _is_rate(values: Floats) -> bool:
    zero_or_one: Booleans = (values == 0) | (values == 1)
    return bool(zero_or_one.all())
