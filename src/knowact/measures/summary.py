"""What suites put into their tables: estimates of records, averages over subspaces, and bounds.

Everything takes records, or columns made of them once. Records that an instrument spoilt are left out,
and `n` says how many remain.
"""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from knowact.core.table import Estimate
from knowact.measures import intervals
from knowact.measures.clusters import SEED, Booleans, Floats
from knowact.measures.columns import Data, as_columns
from knowact.measures.limits import Limits, limits_of
from knowact.measures.noise_floor import noise_floor
from knowact.measures.quadrants import DIRECTION_GAP, Quadrant
from knowact.measures.subspaces import Subspaces

QUOTABLE: Final = 0.02
"""A run that left more than this share unscored says that its headline is not to be quoted."""


def mean_estimate(data: Data, measure: str, seed: int = SEED, limits: Limits | None = None) -> Estimate:
    """Return a measure's mean over the scored items.

    Args:
        data: The records.
        measure: A result's name, or a quadrant ("Kc/Aw").
        seed: Fixes the bootstrap.
        limits: What values the measure can have; those of its kind (`limits_of`), unless told.
    """
    columns = as_columns(data, (measure,))
    return intervals.mean(columns.values(measure), columns.cluster.codes, seed, limits or limits_of(measure))


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
    gap = {DIRECTION_GAP: mean_estimate(columns, DIRECTION_GAP, seed)}
    return {**shares, **gap, **noise_floor(columns, seed)}


def average_kas(data: Data, know: str, act: str, by: str, seed: int = SEED) -> Estimate:
    """Return the task-weighted average of the subspaces' KAS: the KAS of a whole run, wherever it is printed.

    There is no average when a subspace has nothing scored (`Subspaces.of`).

    Args:
        data: The records.
        know: The name of the result for knowing.
        act: The name of the result for acting.
        by: The label that names the subspace ("boundary").
        seed: Fixes the bootstrap.
    """
    columns = as_columns(data, (know, act), (by,))
    values = np.column_stack([columns.values(measure) for measure in (know, act)])
    present: Booleans = np.asarray(~np.isnan(values).any(axis=1))
    n, parts = int(present.sum()), Subspaces.of(columns, by, present)
    if n == 0 or parts is None:
        return Estimate(None, n)
    rows = np.column_stack((values, np.ones(len(values))))[present]

    def statistic(totals: Floats) -> Floats:
        return parts.average(totals, intervals.kas_of_totals)

    clusters = columns.cluster.codes[present]
    estimate = intervals.bootstrapped(parts.spread(rows), clusters, seed, statistic=statistic, n=n)
    if estimate.low is not None:
        return estimate
    # All draws agree only where each subspace's do: their intervals then stand in, one by one.
    kept = columns.take(np.flatnonzero(present))
    apart = [kas_estimate(kept.take(np.flatnonzero(own)), know, act, seed) for own in parts.inside.T]
    low, high = (
        math.fsum(share * end for share, end in zip(parts.shares, ends, strict=True))
        for ends in zip(*map(intervals.ends, apart), strict=True)
    )
    return intervals.within(estimate, low, high)


def worst(estimates: Mapping[str, Estimate]) -> tuple[str, Estimate] | None:
    """Return the subspace with the least value, by name; None where none was measured."""
    values = {name: estimate.value for name, estimate in estimates.items() if estimate.value is not None}
    if not values:
        return None
    name = min(sorted(values), key=values.__getitem__)
    return name, estimates[name]
