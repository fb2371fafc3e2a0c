"""Two runs on the same items: the difference, its interval, and how likely chance alone would give it.

Pairing takes the items' difficulty out of the comparison. The p-value is that of a randomisation test:
if the runs were interchangeable, swapping them within any cluster would make no difference, so the
observed difference is held against what such swaps give. For means this is the sign-flip test (Fisher, "The
Design of Experiments", 1935, section 21); swapping works for KAS too, which is no mean.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from knowact.core.errors import BadUsage
from knowact.core.table import Estimate
from knowact.measures import intervals
from knowact.measures.clusters import SEED, Booleans, Floats, Integers, Profiles, profiles
from knowact.measures.columns import Coded, Codes, Columns, Data, as_columns
from knowact.measures.limits import Limits, limits_of
from knowact.measures.subspaces import Subspaces

SWAPS: Final = 10_000
"""Random swaps; the least p-value that they can give is 1 in 10,001."""

SAME_TRIALS: Final = "same trials"
"""How the interval [0, 0] was made: both sides are the same replies, and no value differs."""

NO_DIFFERENCE: Final = (
    "Where no trial differs, the difference is 0.0, and its interval says how far it could lie from 0 on "
    "other items."
)
"""What the interval of two runs that differ nowhere means."""

TRIAL: Final = ("item", "condition", "epoch")
"""What names a trial. Leave "condition" out to compare two conditions of one run."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs side by side, over the trials that both have a value for.

    Attributes:
        first: The first run's value over the matched trials; None without any.
        second: The second run's.
        difference: Second minus first; n counts the matched trials.
        p: Two-sided, not yet corrected for other rows (`holm`); None without matched trials.
        unscored: Trials that both runs have, but at least one without a value.
        only_first: Trials that only the first run has.
        only_second: Trials that only the second run has.
    """

    first: float | None
    second: float | None
    difference: Estimate
    p: float | None
    unscored: int
    only_first: int
    only_second: int

    @property
    def matched(self) -> int:
        """How many trials the comparison rests on."""
        return self.difference.n


def compare_means(
    first: Data,
    second: Data,
    measure: str,
    seed: int = SEED,
    *,
    limits: Limits | None = None,
    trial: Sequence[str] = TRIAL,
    same_trials: bool = False,
    by: str = "",
) -> Comparison:
    """Compare a measure's mean between two runs.

    Args:
        first: Records of one run.
        second: Records of the other, on the same data.
        measure: A result's name, a quadrant, or "DirGap".
        seed: Fixes bootstrap and swaps.
        limits: What values the measure can have; those of its kind (`limits_of`), unless told.
        trial: What two records must have in common to be a pair.
        same_trials: Whether both sides are the same replies, scored twice: if no value differs, none could.
        by: The label of groups that weigh alike: the mean is then that of their means over items
            (`group_means`). Empty where all trials weigh alike.

    Raises:
        BadUsage: A trial occurs twice in one run, or an item is in different clusters.
    """
    left, right = (as_columns(side, (measure,), (by,) if by else ()) for side in (first, second))
    least, greatest = limits or limits_of(measure)
    reach = greatest - least
    asked = _Design((measure,), intervals.mean_of_totals, reach, by, seed, trial, same_trials, alike=bool(by))
    return _compare(left, right, asked)


def compare_kas(
    first: Data,
    second: Data,
    measures: tuple[str, str],
    by: str,
    seed: int = SEED,
    *,
    trial: Sequence[str] = TRIAL,
    same_trials: bool = False,
) -> Comparison:
    """Compare KAS between two runs: of each, the task-weighted average of the subspaces (`average_kas`).

    Args:
        first: Records of one run.
        second: Records of the other, on the same data.
        measures: The names of the results for knowing and acting.
        by: The label that names the subspace, as for `average_kas`.
        seed: Fixes bootstrap and swaps.
        trial: What two records must have in common to be a pair.
        same_trials: As for `compare_means`.

    Raises:
        BadUsage: A trial occurs twice in one run, or an item is in different clusters.
    """
    left, right = (as_columns(side, measures, (by,)) for side in (first, second))
    asked = _Design(measures, intervals.kas_of_totals, 1.0, by, seed, trial, same_trials)
    return _compare(left, right, asked)


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Return p-values corrected for their number by Holm's step-down method, in the given order.

    Holm, "A simple sequentially rejective multiple test procedure", 1979.
    A None (nothing was matched there) stays None and is not counted as a test.

    Raises:
        ValueError: A p-value lies outside 0 to 1, or is NaN.
    """
    tested = [(p, row) for row, p in enumerate(p_values) if p is not None]
    if not all(0 <= p <= 1 for p, _ in tested):
        raise ValueError("p-values lie between 0 and 1")
    adjusted: list[float | None] = [None] * len(p_values)
    reached = 0.0
    for rank, (p, row) in enumerate(sorted(tested)):
        reached = max(reached, min(1.0, p * (len(tested) - rank)))
        adjusted[row] = reached
    return tuple(adjusted)


@dataclass(frozen=True, slots=True)
class _Design:
    """What is compared.

    Attributes:
        measures: The measures that the statistic is made of.
        statistic: From the sums of the measures and the number of records to the value of a subspace.
        reach: How far two values of it can lie apart.
        by: The label that names the subspace; empty where all trials are one.
        seed: Fixes bootstrap and swaps.
        trial: What two records must have in common to be a pair.
        same_trials: Whether both sides are the same replies.
        alike: Whether subspaces weigh alike, and in each of them items, however often they were tried.
    """

    measures: tuple[str, ...]
    statistic: Callable[[Floats], Floats]
    reach: float
    by: str
    seed: int
    trial: Sequence[str]
    same_trials: bool
    alike: bool = False


def _compare(first_run: Columns, second_run: Columns, asked: _Design) -> Comparison:
    rows = _pairs(first_run, second_run, asked.trial)
    before, after = first_run.take(rows[0]), second_run.take(rows[1])
    _require_same_clusters(before, after)
    sides = [np.column_stack([side.values(name) for name in asked.measures]) for side in (before, after)]
    present: Booleans = np.asarray(~np.isnan(np.column_stack(sides)).any(axis=1))
    n, common = int(present.sum()), len(before)
    left = (common - n, len(first_run) - common, len(second_run) - common)
    parts = Subspaces.of(before, asked.by, present)
    if n == 0 or parts is None:
        return Comparison(None, None, Estimate(None, n), None, *left)
    first, second = (side[present] for side in sides)
    clusters = before.cluster.codes[present]
    weights = np.ones((n, 1))
    if asked.alike:
        parts, weights = parts.alike(), _one_per_item(before.item.codes[present])
    cluster_sums = profiles(
        parts.spread(np.column_stack((first * weights, second * weights, weights))), clusters
    )

    def value(totals: Floats, side: int) -> Floats:
        return parts.average(totals, lambda some: _of_side(some, len(asked.measures), side, asked.statistic))

    shift = profiles(parts.spread((second - first) * weights), clusters)
    swapped = _swaps(parts, cluster_sums.totals, shift.swapped(asked.seed, SWAPS))
    compared = compared_sums(cluster_sums, swapped, value, asked.reach, asked.seed, left=left, n=n)
    if asked.same_trials and np.array_equal(first, second):
        return replace(compared, difference=Estimate(0.0, n, 0.0, 0.0, SAME_TRIALS))
    return compared


def compared_sums(
    cluster_sums: Profiles,
    swapped: Floats,
    value: Callable[[Floats, int], Floats],
    reach: float,
    seed: int,
    *,
    left: tuple[int, int, int],
    n: int,
) -> Comparison:
    """Compare a statistic of two runs: the interval resamples clusters, the p-value swaps the runs in them.

    Args:
        cluster_sums: The sums of both runs.
        swapped: Totals after each random swap.
        value: From totals and a side (0 or 1) to that run's number; without one, nothing is compared.
        reach: How far two numbers can lie apart.
        seed: Fixes the bootstrap.
        left: Trials that are unscored, only in the first run, only in the second.
        n: What the difference rests on.
    """
    first, second = (float(value(cluster_sums.totals, side)) for side in (0, 1))
    point, drawn = second - first, cluster_sums.resampled(seed)
    if np.isnan(point):
        return Comparison(None, None, Estimate(None, n), None, *left)
    difference = intervals.percentile(point, value(drawn, 1) - value(drawn, 0), n)
    difference = difference or intervals.unanimous(point, n, cluster_sums.clusters, (-reach, reach))
    gaps = np.abs(value(swapped, 1) - value(swapped, 0))
    rounding = intervals.SAME * max(1.0, abs(first), abs(second))
    # What was observed counts as one of the swaps: that keeps the p-value from ever being zero.
    further = 1 + float((gaps >= abs(point) - rounding).sum())
    return Comparison(first, second, difference, further / (1 + len(gaps)), *left)


def _one_per_item(items: Codes) -> Floats:
    """Weights of trials, as one column, that sum to 1 over the trials of each item."""
    return 1 / np.bincount(items)[items][:, None]


def _of_side(totals: Floats, width: int, side: int, statistic: Callable[[Floats], Floats]) -> Floats:
    """Apply the statistic to one run's sums out of totals over (first, second, items)."""
    own = totals[..., side * width : (side + 1) * width]
    return statistic(np.concatenate((own, totals[..., -1:]), axis=-1))


def _swaps(parts: Subspaces, observed: Floats, moved: Floats) -> Floats:
    """Return the totals after each random swap.

    Args:
        parts: The subspaces.
        observed: The sums over (first run, second run, items) of each subspace.
        moved: Per draw, what the swapped clusters add to the first run and take from the second.
    """
    totals, added = parts.apart(observed), parts.apart(moved)
    assert totals.shape[-1] == 2 * added.shape[-1] + 1
    nothing = np.zeros((*added.shape[:-1], 1))
    return (totals + np.concatenate((added, -added, nothing), axis=-1)).reshape(len(moved), -1)


def _pairs(
    one_run: Columns, other_run: Columns, trial: Sequence[str]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows of the trials that both have, pair by pair."""
    keys: tuple[Integers, Integers] = (np.zeros(len(one_run), np.int64), np.zeros(len(other_run), np.int64))
    for name in trial:
        if name == "epoch":
            left, right = one_run.epoch, other_run.epoch
        else:
            left, right = _shared_codes(_text(one_run, name), _text(other_run, name))
        base = 1 + int(max(left.max(initial=0), right.max(initial=0)))
        keys = (keys[0] * base + left, keys[1] * base + right)
    for side in keys:
        if len(np.unique(side)) != len(side):
            raise BadUsage(f"A run has two records with the same {', '.join(trial)}; merge or drop one.")
    _, left_rows, right_rows = np.intersect1d(*keys, assume_unique=True, return_indices=True)
    return left_rows, right_rows


def _text(columns: Columns, name: str) -> Coded[str]:
    return columns.item if name == "item" else columns.key(name)


def _shared_codes(left: Coded[str], right: Coded[str]) -> tuple[Integers, Integers]:
    """Bring two columns of names onto one numbering."""
    known = {name: code for code, name in enumerate(left.names)}
    renamed = np.array([known.setdefault(name, len(known)) for name in right.names], dtype=np.int64)
    return left.codes.astype(np.int64), renamed[right.codes]


def _require_same_clusters(before: Columns, after: Columns) -> None:
    left, right = _shared_codes(before.cluster, after.cluster)
    if (left != right).any():
        raise BadUsage("The two runs put an item into different clusters: they are not on the same data.")
