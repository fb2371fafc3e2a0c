"""What suites put into their tables: estimates of records, averages over subspaces, and bounds.

Everything takes records, or columns made of them once. Records that an instrument spoilt are left out,
and `n` says how many remain.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from knowact.core.table import Estimate
from knowact.measures import intervals
from knowact.measures.clusters import Floats, profiles
from knowact.measures.columns import Coded, Columns, Data, as_columns
from knowact.measures.kas import kas
from knowact.measures.quadrants import DIRECTION_GAP, Quadrant

QUOTABLE: Final = 0.02
"""A run that left more than this share unscored says that its headline is not to be quoted (validity.md)."""


def mean_estimate(data: Data, measure: str, seed: int, limits: tuple[float, float] = (0.0, 1.0)) -> Estimate:
    """Return a measure's mean over the scored items.

    Args:
        data: The records.
        measure: A verdict's name, or a quadrant ("Kc/Aw").
        seed: Fixes the bootstrap.
        limits: The least and greatest value the measure can have; infinite where there is none.
    """
    columns = as_columns(data, (measure,))
    return intervals.mean(columns.values(measure), columns.cluster.codes, seed, limits)


def kas_estimate(data: Data, know: str, act: str, seed: int) -> Estimate:
    """Return KAS over the items where both measures have a value (KAPRO, equation 7)."""
    columns = as_columns(data, (know, act))
    return intervals.harmonic(columns.values(know), columns.values(act), columns.cluster.codes, seed)


def quadrant_estimates(data: Data, seed: int) -> Mapping[str, Estimate]:
    """Return the four quadrants' shares and DirGap, by the names that tables carry."""
    columns = as_columns(data)
    shares = {str(quadrant): mean_estimate(columns, quadrant, seed) for quadrant in Quadrant}
    return shares | {DIRECTION_GAP: mean_estimate(columns, DIRECTION_GAP, seed, (-1.0, 1.0))}


def task_weighted(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the weighted mean; NaN without weight, or if a weighted value is NaN.

    An average that silently lost a subspace would not be comparable with one that has it.

    Raises:
        ValueError: The lengths differ, or a weight is negative.
    """
    if len(values) != len(weights) or any(weight < 0 for weight in weights):
        raise ValueError("an average needs one weight, not negative, for each value")
    total = math.fsum(weights)
    if total == 0:
        return math.nan
    pairs = zip(values, weights, strict=True)
    return math.fsum(value * weight for value, weight in pairs if weight) / total


def average_mean(
    data: Data,
    measure: str,
    by: str,
    seed: int,
    *,
    weights: Mapping[str, float] | None = None,
    limits: tuple[float, float] = (0.0, 1.0),
) -> Estimate:
    """Return the task-weighted average of a measure over subspaces (spec kapro.md, sections 8.1 and 12).

    Args:
        data: The records.
        measure: A verdict's name, a quadrant, or "DirGap" (with limits -1 and 1).
        by: The label that names the subspace ("boundary").
        seed: Fixes the bootstrap.
        weights: By subspace; there is no average when one that has a weight has nothing scored. Left
            out, each weighs as many records as it has, unscored ones included, so that failures of an
            instrument don't shift the average from one subspace to another.
        limits: As for `mean_estimate`.

    Raises:
        ValueError: `weights` lacks a subspace that occurs.
    """
    columns = as_columns(data, (measure,), (by,))
    return _average(
        columns,
        (measure,),
        columns.key(by),
        weights,
        statistic=intervals.mean_of_totals,
        one=lambda part: mean_estimate(part, measure, seed, limits),
        seed=seed,
    )


def average_kas(
    data: Data, know: str, act: str, by: str, seed: int, *, weights: Mapping[str, float] | None = None
) -> Estimate:
    """Return the task-weighted average of the subspaces' KAS; arguments as for `average_mean`."""
    columns = as_columns(data, (know, act), (by,))
    return _average(
        columns,
        (know, act),
        columns.key(by),
        weights,
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
        """Whether so few are unscored that the headline may be quoted (validity.md, section 5)."""
        return self.scored > 0 and self.unscored <= QUOTABLE * (self.scored + self.unscored)


def bounds(values: Floats, lowest: float = 0.0, highest: float = 1.0, missing: int = 0) -> Bounds:
    """Return the bounds of a mean.

    Args:
        values: One per item, NaN where it is unscored.
        lowest: The value of a wrong item.
        highest: The value of a right item.
        missing: Further unscored items, those of which there is no record at all.
    """
    scored = values[~np.isnan(values)]
    unscored = len(values) - len(scored) + missing
    if len(scored) == 0:
        return Bounds(None, None, 0, unscored)
    total, n = math.fsum(scored.tolist()), len(scored) + unscored
    return Bounds((total + unscored * lowest) / n, (total + unscored * highest) / n, len(scored), unscored)


def mean_bounds(
    data: Data, measure: str, missing: int = 0, limits: tuple[float, float] = (0.0, 1.0)
) -> Bounds:
    """Return the bounds of `mean_estimate`; `missing` counts planned trials without a record.

    Items to which the measure does not apply, or that nobody was asked to judge, are not unscored.
    """
    columns = as_columns(data, (measure,))
    values = columns.values(measure)
    return bounds(values[~np.isnan(values) | columns.failed(measure)], *limits, missing)


def kas_bounds(data: Data, know: str, act: str, missing: int = 0) -> Bounds:
    """Return the bounds of `kas_estimate`: KAS grows with each accuracy, so both ends come from both."""
    columns = as_columns(data, (know, act))
    lacking = np.isnan(columns.values(know)) | np.isnan(columns.values(act))
    due = ~lacking | columns.failed(know) | columns.failed(act)
    knowing, acting = (
        bounds(np.where(lacking, np.nan, columns.values(name))[due], missing=missing) for name in (know, act)
    )
    if knowing.low is None or knowing.high is None or acting.low is None or acting.high is None:
        return knowing
    low, high = kas(knowing.low, acting.low), kas(knowing.high, acting.high)
    return Bounds(low, high, knowing.scored, knowing.unscored)


def _average(
    columns: Columns,
    measures: tuple[str, ...],
    subspace: Coded[str],
    weights: Mapping[str, float] | None,
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
        weights: By subspace; None weighs by records.
        statistic: From the sums of the measures and the number of records to the value of a subspace.
        one: The estimate of one subspace, for the interval where no draw differs.
        seed: Fixes the draws.
    """
    values = np.column_stack([columns.values(measure) for measure in measures])
    present = ~np.isnan(values).any(axis=1)
    weight = _weights(subspace, weights)
    code_of = {name: code for code, name in enumerate(subspace.names)}
    codes = [code_of.get(name, -1) for name in weight]
    measured = present & np.isin(subspace.codes, codes)
    n = int(measured.sum())
    if n == 0 or not np.isin(codes, subspace.codes[measured]).all():
        return Estimate(None, n)
    shares = np.array(list(weight.values())) / math.fsum(weight.values())
    stacked = np.column_stack((values, np.ones(len(values))))[measured]
    inside = subspace.codes[measured, None] == np.array(codes)
    rows = (inside[:, :, None] * stacked[:, None, :]).reshape(n, -1)
    found = profiles(rows, columns.cluster.codes[measured])

    def average(totals: Floats) -> Floats:
        return statistic(totals.reshape(*totals.shape[:-1], len(codes), -1)) @ shares

    point = float(average(found.totals))
    estimate = intervals.percentile(point, average(found.resampled(seed)), n)
    if estimate is not None:
        return estimate
    # All draws agree only where each subspace's do: their intervals then stand in, one by one.
    parts = [one(columns.take(np.flatnonzero(measured & (subspace.codes == code)))) for code in codes]
    low = task_weighted([math.nan if part.low is None else part.low for part in parts], shares.tolist())
    high = task_weighted([math.nan if part.high is None else part.high for part in parts], shares.tolist())
    if math.isnan(low) or math.isnan(high):
        return Estimate(point, n)
    return Estimate(point, n, min(low, point), max(high, point), intervals.UNANIMOUS)


def _weights(subspace: Coded[str], weights: Mapping[str, float] | None) -> Mapping[str, float]:
    """Return the subspaces that count, with their weights.

    Sorted by name, not by first appearance: the order of records must not change what a seed draws. A
    subspace that was given a weight counts even where no record is left of it.
    """
    counts = np.bincount(subspace.codes, minlength=len(subspace.names))
    records = {name: float(count) for name, count in zip(subspace.names, counts, strict=True) if count}
    chosen = records if weights is None else weights
    lacking = sorted(set(records) - set(chosen))
    if lacking or any(weight < 0 for weight in chosen.values()):
        raise ValueError(f"each subspace needs a weight that is not negative; lacking: {lacking}")
    return {name: chosen[name] for name in sorted(chosen) if chosen[name] > 0}
