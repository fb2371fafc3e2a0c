"""What suites put into their tables: estimates of records, averages over subspaces, and bounds.

Everything takes records, or columns made of them once. Records that an instrument spoilt are left out,
and `n` says how many remain.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from knowact.core.table import Estimate
from knowact.measures import intervals
from knowact.measures.clusters import SEED, Floats, profiles
from knowact.measures.columns import Coded, Columns, Data, as_columns
from knowact.measures.noise_floor import noise_floor
from knowact.measures.quadrants import DIRECTION_GAP, Quadrant

QUOTABLE: Final = 0.02
"""A run that left more than this share unscored says that its headline is not to be quoted."""


def mean_estimate(
    data: Data, measure: str, seed: int = SEED, limits: tuple[float, float] = (0.0, 1.0)
) -> Estimate:
    """Return a measure's mean over the scored items.

    Args:
        data: The records.
        measure: A result's name, or a quadrant ("Kc/Aw").
        seed: Fixes the bootstrap.
        limits: The least and greatest value the measure can have; infinite where there is none.
    """
    columns = as_columns(data, (measure,))
    return intervals.mean(columns.values(measure), columns.cluster.codes, seed, limits)


def kas_estimate(data: Data, know: str, act: str, seed: int = SEED) -> Estimate:
    """Return KAS over the items where both measures have a value (KAPRO, equation 7)."""
    columns = as_columns(data, (know, act))
    return intervals.harmonic(columns.values(know), columns.values(act), columns.cluster.codes, seed)


def quadrant_estimates(data: Data, seed: int = SEED) -> Mapping[str, Estimate]:
    """Return the four quadrants' shares and DirGap, by the names that tables carry.

    Where items have several trials, also what of the disagreement is chance (`noise_floor`).
    """
    columns = as_columns(data)
    shares = {str(quadrant): mean_estimate(columns, quadrant, seed) for quadrant in Quadrant}
    gap = {DIRECTION_GAP: mean_estimate(columns, DIRECTION_GAP, seed, (-1.0, 1.0))}
    return {**shares, **gap, **noise_floor(columns, seed)}


def average_mean(
    data: Data,
    measure: str,
    by: str,
    seed: int = SEED,
    *,
    limits: tuple[float, float] = (0.0, 1.0),
) -> Estimate:
    """Return the task-weighted average of a measure over subspaces.

    Each subspace weighs as many records as it has, unscored ones included, so that failures of an instrument
    don't shift the average from one subspace to another. There is no average when one of them has nothing
    scored: it would not be comparable with one that has it.

    Args:
        data: The records.
        measure: A result's name, a quadrant, or "DirGap" (with limits -1 and 1).
        by: The label that names the subspace ("boundary").
        seed: Fixes the bootstrap.
        limits: As for `mean_estimate`.
    """
    columns = as_columns(data, (measure,), (by,))
    return _average(
        columns,
        (measure,),
        columns.key(by),
        statistic=intervals.mean_of_totals,
        one=lambda part: mean_estimate(part, measure, seed, limits),
        seed=seed,
    )


def average_kas(data: Data, know: str, act: str, by: str, seed: int = SEED) -> Estimate:
    """Return the task-weighted average of the subspaces' KAS; arguments as for `average_mean`."""
    columns = as_columns(data, (know, act), (by,))
    return _average(
        columns,
        (know, act),
        columns.key(by),
        statistic=intervals.kas_of_totals,
        one=lambda part: kas_estimate(part, know, act, seed),
        seed=seed,
    )


def worst(estimates: Mapping[str, Estimate]) -> tuple[str, Estimate] | None:
    """Return the subspace with the least value, by name; None where none was measured."""
    values = {name: found.value for name, found in estimates.items() if found.value is not None}
    if not values:
        return None
    name = min(sorted(values), key=values.__getitem__)
    return name, estimates[name]


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a headline would lie if all unscored items were wrong, or all right.

    Attributes:
        low: With every unscored item at the least value; None where no item was scored.
        high: With every unscored item at the greatest value.
        scored: How many items have a value.
        unscored: How many should have one and don't.
    """

    low: float | None
    high: float | None
    scored: int
    unscored: int

    @property
    def quotable(self) -> bool:
        """Whether so few are unscored that the headline may be quoted."""
        return self.scored > 0 and self.unscored <= QUOTABLE * (self.scored + self.unscored)


def bounds(values: Floats, missing: int = 0) -> Bounds:
    """Return the bounds of a mean of values from 0 (wrong) to 1 (right).

    Args:
        values: One per item, NaN where it is unscored.
        missing: Further unscored items, those of which there is no record at all.
    """
    scored = values[~np.isnan(values)]
    unscored = len(values) - len(scored) + missing
    if len(scored) == 0:
        return Bounds(None, None, 0, unscored)
    total, n = math.fsum(scored.tolist()), len(scored) + unscored
    return Bounds(total / n, (total + unscored) / n, len(scored), unscored)


def _average(
    columns: Columns,
    measures: tuple[str, ...],
    subspace: Coded[str],
    *,
    statistic: Callable[[Floats], Floats],
    one: Callable[[Columns], Estimate],
    seed: int,
) -> Estimate:
    """Average over subspaces; a cluster that reaches into several of them is drawn as a whole.

    Args:
        columns: The records.
        measures: What the statistic is made of; a record counts when all of them have a value.
        subspace: The subspace of each record.
        statistic: From the sums of the measures and the number of records to the value of a subspace.
        one: The estimate of one subspace, for the interval where no draw differs.
        seed: Fixes the draws.
    """
    values = np.column_stack([columns.values(measure) for measure in measures])
    present = ~np.isnan(values).any(axis=1)
    counts = np.bincount(subspace.codes, minlength=len(subspace.names))
    # Sorted by name, not by first appearance: the order of records must not change what a seed draws.
    codes = [code for code, _ in sorted(enumerate(subspace.names), key=lambda one: one[1]) if counts[code]]
    n = int(present.sum())
    if n == 0 or not np.isin(codes, subspace.codes[present]).all():
        return Estimate(None, n)
    shares = counts[codes] / counts.sum()
    stacked = np.column_stack((values, np.ones(len(values))))[present]
    inside = subspace.codes[present, None] == np.array(codes)
    rows = (inside[:, :, None] * stacked[:, None, :]).reshape(n, -1)
    found = profiles(rows, columns.cluster.codes[present])

    def average(totals: Floats) -> Floats:
        return statistic(totals.reshape(*totals.shape[:-1], len(codes), -1)) @ shares

    point = float(average(found.totals))
    estimate = intervals.percentile(point, average(found.resampled(seed)), n)
    if estimate is not None:
        return estimate
    # All draws agree only where each subspace's do: their intervals then stand in, one by one.
    parts = [one(columns.take(np.flatnonzero(present & (subspace.codes == code)))) for code in codes]
    ends = np.array([(part.low, part.high) for part in parts], dtype=np.float64)
    low, high = (float(end) for end in shares @ ends)
    if math.isnan(low):
        return Estimate(point, n)
    return Estimate(point, n, min(low, point), max(high, point), intervals.UNANIMOUS)
