"""Pass^k and Pass@k: does it work every time, and does it work at all?

Of n trials of an item, c succeeded. Both are the unbiased estimators over
every way to choose k of the n trials (hypergeometric): Pass^k after tau-bench (arXiv 2406.12045), Pass@k
after Codex (arXiv 2107.03374, section 2.1). Items that come from one base task are resampled together.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Self

import numpy as np

from knowact.core.errors import BadUsage
from knowact.core.record import Record
from knowact.core.table import Estimate
from knowact.measures import intervals
from knowact.measures.clusters import Floats, numbered, profiles

AVERAGE: Final = ""
"""The kind under which the unweighted mean over all kinds stands."""

WIDER: Final = "wider of averaged ends and cluster bootstrap"
"""How the average's interval is made where a kind's items, or all draws, are alike: see `_with_ends`."""


def pass_hat(successes: int, trials: int, k: int) -> float:
    """Return the chance that k trials, drawn from these without replacement, all succeeded.

    C(c, k) / C(n, k).

    Raises:
        ValueError: k lies outside 1 to `trials`, or `successes` outside 0 to `trials`.
    """
    _require_possible(successes, trials, k)
    return math.comb(successes, k) / math.comb(trials, k)


def pass_at(successes: int, trials: int, k: int) -> float:
    """Return the chance that of k trials, drawn from these without replacement, one or more succeeded.

    1 - C(n - c, k) / C(n, k).

    Raises:
        ValueError: k lies outside 1 to `trials`, or `successes` outside 0 to `trials`.
    """
    _require_possible(successes, trials, k)
    every = math.comb(trials, k)
    return (every - math.comb(trials - successes, k)) / every


def _require_possible(successes: int, trials: int, k: int) -> None:
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials are impossible")
    if not 1 <= k <= trials:
        raise ValueError(f"k = {k} trials cannot be drawn from {trials}")


@dataclass(frozen=True, slots=True)
class Tally:
    """How often one item was tried, and how often that went well.

    Attributes:
        kind: The type of task; kinds are averaged without weights.
        cluster: Items of one base task share it.
        unscored: Further trials that an instrument spoilt.
        failed: How many of the unscored have failed even if what was lost had gone well: of a pair, one
            member failed and the other was lost.
        succeeded: How many of the unscored are known to have succeeded; see `withheld`.
    """

    item: str
    kind: str
    cluster: str
    successes: int
    trials: int
    unscored: int = 0
    failed: int = 0
    succeeded: int = 0

    def __post_init__(self) -> None:
        lost = min(self.failed, self.succeeded, self.unscored - self.failed - self.succeeded)
        if not 0 <= self.successes <= self.trials or lost < 0:
            raise ValueError(f"{self.successes} successes of {self.trials} trials are impossible")

    @classmethod
    def of(cls, item: str, kind: str, cluster: str, values: Sequence[float | None]) -> Self:
        """Count what the trials of an item came to: 1, 0, or None for one that was not scored."""
        known = [value for value in values if value is not None]
        return cls(
            item, kind, cluster, sum(value == 1 for value in known), len(known), len(values) - len(known)
        )

    def with_unscored(self, *, succeeded: bool) -> Self:
        """Return the same as if every spoilt trial had succeeded, or had failed."""
        return type(self)(
            item=self.item,
            kind=self.kind,
            cluster=self.cluster,
            successes=self.successes + (self.unscored - self.failed if succeeded else self.succeeded),
            trials=self.trials + self.unscored,
        )

    def withheld(self) -> Self:
        """Return the same without a scored trial: what is known of them counts in the bounds alone."""
        return replace(
            self,
            successes=0,
            trials=0,
            unscored=self.trials + self.unscored,
            failed=self.failed + self.trials - self.successes,
            succeeded=self.succeeded + self.successes,
        )


def tallies(records: Iterable[Record], measure: str, label: str) -> tuple[Tally, ...]:
    """Count the successes of every item under every condition.

    Args:
        records: Of one run.
        measure: The result that is 1 for a success and 0 for a failure. A record that an instrument
            spoilt, or whose result is missing, counts as unscored.
        label: Which of the records' labels says the kind.

    Raises:
        ValueError: A result is neither 0 nor 1, or the records of one item disagree on kind or cluster.
    """
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.item, record.condition), []).append(record)
    return tuple(_tally(group, measure, label) for group in groups.values())


def _tally(group: Sequence[Record], measure: str, label: str) -> Tally:
    first = group[0]
    if len({(record.labels.get(label, ""), record.cluster) for record in group}) > 1:
        raise ValueError(f"the trials of {first.item!r} disagree on their kind or cluster")
    values = [record.value(measure) if record.scored else math.nan for record in group]
    if not {value for value in values if not math.isnan(value)} <= {0.0, 1.0}:
        raise ValueError(f"{measure!r} of {first.item!r} is not a success or a failure")
    scored = [None if math.isnan(value) else value for value in values]
    return Tally.of(first.item, first.labels.get(label, ""), first.cluster, scored)


class Power(StrEnum):
    """Which of the two; the values are what tables print."""

    HAT = "Pass^k"
    AT = "Pass@k"

    @property
    def estimator(self) -> Callable[[int, int, int], float]:
        """From successes, trials and k to a number."""
        return pass_hat if self is Power.HAT else pass_at


@dataclass(frozen=True, slots=True)
class Rate:
    """Pass^k or Pass@k of one kind of task, or of their average.

    Attributes:
        estimate: Over the items with k scored trials or more.
        least: The value if every spoilt trial had failed; None where even so an item lacks trials.
        most: The value if every spoilt trial had succeeded; likewise.
        left_out: Items with fewer than k scored trials.
        unscored: Spoilt trials of all items.
        items: How many there are: what the bounds are over.
    """

    kind: str
    estimate: Estimate
    least: float | None
    most: float | None
    left_out: int
    unscored: int
    items: int


def rates(items: Sequence[Tally], power: Power, k: int, seed: int) -> dict[str, Rate]:
    """Return Pass^k or Pass@k per kind, and their unweighted mean under `AVERAGE` where there are several.

    Args:
        items: One per item.
        power: Which of the two.
        k: How many trials are looked at.
        seed: Fixes the draws of the bootstrap over base tasks.

    Raises:
        BadUsage: k is no positive number, or no item was tried k times.
    """
    require_trials(items, k)
    kinds = list(dict.fromkeys(item.kind for item in items))
    out = {kind: _rate([item for item in items if item.kind == kind], power, k, seed) for kind in kinds}
    if len(kinds) > 1:
        out[AVERAGE] = _average(items, out, power, k, seed)
    return out


def require_trials(items: Sequence[Tally], k: int) -> None:
    """Refuse a k that nothing here can answer.

    Raises:
        BadUsage: k is no positive number, or no item was tried k times.
    """
    if k < 1:
        raise BadUsage(f"k must be 1 or more, not {k}.")
    planned = max((item.trials + item.unscored for item in items), default=0)
    if k > planned:
        raise BadUsage(
            f"Pass^{k} and Pass@{k} need {k} trials of each task, but no task has more than {planned}: "
            f"run with --trials {k}, or choose a smaller k."
        )


def _rate(items: Sequence[Tally], power: Power, k: int, seed: int) -> Rate:
    enough = [item for item in items if item.trials >= k]
    estimate = _mean_of(enough, [power.estimator(item.successes, item.trials, k) for item in enough], seed)
    return Rate(
        kind=items[0].kind,
        estimate=estimate,
        least=_bound(items, power, k, succeeded=False),
        most=_bound(items, power, k, succeeded=True),
        left_out=len(items) - len(enough),
        unscored=sum(item.unscored for item in items),
        items=len(items),
    )


def _mean_of(items: Sequence[Tally], values: Sequence[float], seed: int) -> Estimate:
    return intervals.mean(np.array(values), numbered([item.cluster for item in items]), seed)


def _bound(items: Iterable[Tally], power: Power, k: int, *, succeeded: bool) -> float | None:
    supposed = [item.with_unscored(succeeded=succeeded) for item in items]
    if any(item.trials < k for item in supposed):
        return None
    return math.fsum(power.estimator(item.successes, item.trials, k) for item in supposed) / len(supposed)


def _average(items: Sequence[Tally], per_kind: Mapping[str, Rate], power: Power, k: int, seed: int) -> Rate:
    """Average over kinds; clusters reach over kinds, so a base task is drawn with all that comes from it."""
    enough = [item for item in items if item.trials >= k]
    # Sorted, not by first appearance: the order of records must not change what a seed draws.
    kinds = sorted(per_kind)
    least, most = (
        _mean(ends) for ends in zip(*((rate.least, rate.most) for rate in per_kind.values()), strict=True)
    )
    left_out, unscored = len(items) - len(enough), sum(item.unscored for item in items)
    if any(rate.estimate.value is None for rate in per_kind.values()):
        return Rate(AVERAGE, Estimate(None, 0), least, most, left_out, unscored, len(items))
    rows = np.zeros((len(enough), 2 * len(kinds)))
    for row, item in enumerate(enough):
        place = kinds.index(item.kind)
        rows[row, place] = power.estimator(item.successes, item.trials, k)
        rows[row, len(kinds) + place] = 1.0
    gathered = profiles(rows, numbered([item.cluster for item in enough]))
    point = float(_mean_of_means(gathered.totals))
    draws = _mean_of_means(gathered.resampled(seed))
    drawn = intervals.percentile(point, draws, len(enough))
    estimate = drawn or Estimate(point, len(enough))
    parts = [rate.estimate for rate in per_kind.values()]
    if drawn is None or any(part.method == intervals.UNANIMOUS or part.value in {0.0, 1.0} for part in parts):
        estimate = _with_ends(estimate, parts)
    return Rate(AVERAGE, estimate, least, most, left_out, unscored, len(items))


def _with_ends(estimate: Estimate, parts: Sequence[Estimate]) -> Estimate:
    """Widen an average's interval to the average of its parts' ends, where that reaches further.

    The bootstrap takes a part whose items are all alike for certain; its own interval does not. So it does an
    average to which every base task adds the same, one part losing what another gains. Averaging
    the ends is how intervals combine when parts move together (MOVER of Zou and Donner, 2008, with
    correlation one). Parts share base tasks, so nothing narrower is safe.
    """
    ends = [(part.low, part.high) for part in parts]
    lows, highs = _mean(low for low, _ in ends), _mean(high for _, high in ends)
    low = min(end for end in (estimate.value, estimate.low, lows) if end is not None)
    high = max(end for end in (estimate.value, estimate.high, highs) if end is not None)
    return Estimate(estimate.value, estimate.n, low, high, WIDER)


def _mean_of_means(totals: Floats) -> Floats:
    """Totals whose last axis is (sum per kind, items per kind); NaN where a kind was not drawn at all."""
    half = totals.shape[-1] // 2
    sums, items = totals[..., :half], totals[..., half:]
    means = np.where(items > 0, sums / np.maximum(items, 1.0), np.nan)
    return np.asarray(means.mean(axis=-1))


def _mean(values: Iterable[float | None]) -> float | None:
    known = list(values)
    measured = [value for value in known if value is not None]
    return math.fsum(measured) / len(measured) if len(measured) == len(known) else None


def retry_estimate(items: Sequence[Tally], most: int, seed: int) -> Estimate:
    """Return the mean over k = 1 to `most` of Pass@k - Pass^k: 0 for an agent that never wavers.

    Items with fewer than `most` scored trials are left out; empty where no item has that many. The interval
    resamples base tasks.
    """
    enough = [item for item in items if item.trials >= most]
    return _mean_of(enough, [_gap(item, most) for item in enough], seed)


def _gap(item: Tally, most: int) -> float:
    """Return the mean over k of how much an item gains where one success of k is enough, not all."""
    gains = [
        pass_at(item.successes, item.trials, k) - pass_hat(item.successes, item.trials, k)
        for k in range(1, most + 1)
    ]
    return math.fsum(gains) / most
