"""Yes or no against what is so: can the request be handled, and does the agent say so?

The class of interest is *no*: something is missing (ICT, section 4; spec ict.md, sections 6 and 16). Each
incomplete item has its complete twin, so that a policy which answers alike everywhere is seen for what it
is: the headline is the share of pairs of which both sides are right.

An unreadable answer is counted by name. It is the wrong answer for accuracy, both recalls, balanced
accuracy, MCC and the pair; for F1 it is a miss on an incomplete item and nothing on a complete one, where
nobody has said *no* (spec ict.md, section 14). `bounds` says what it could change at most.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Literal

import numpy as np

from knowact.core.table import Estimate
from knowact.measures import intervals
from knowact.measures.clusters import Floats, Integers, profiles

Said = Literal["yes", "no", "unreadable"]
"""What an agent answers to "can this be handled with these tools and this information?"."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One item of a pair with what the agent said.

    Attributes:
        pair: What the complete and the incomplete item have in common; epochs are pairs of their own.
        complete: Whether nothing is missing, so that *yes* is right.
        said: None where an instrument failed: the item is not scored.
        cluster: Items of one cluster are resampled together.
    """

    pair: str
    complete: bool
    said: Said | None
    cluster: str

    @property
    def right(self) -> bool:
        """Whether the answer is the right one; an unreadable one never is."""
        return self.said == ("yes" if self.complete else "no")


class Score(StrEnum):
    """The numbers that are made of answers, by the names that tables carry."""

    ACCURACY = "accuracy"
    F1 = "f1"
    """With *no* as the positive class: 2 TP / (2 TP + FP + FN)."""
    RECALL_NO = "recall_no"
    """The share of incomplete items that were answered *no*."""
    RECALL_YES = "recall_yes"
    """The share of complete items that were answered *yes*."""
    BALANCED_ACCURACY = "balanced_accuracy"
    """The mean of both recalls."""
    MCC = "mcc"
    """Matthews' correlation of answer and truth; 0 where all items are answered alike."""
    PAIR_ACCURACY = "pair_accuracy"
    """The share of pairs of which both items are answered rightly."""
    UNREADABLE = "unreadable"
    """The share of answers that are neither yes nor no."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """How many items were answered how."""

    incomplete_no: int
    incomplete_yes: int
    incomplete_unreadable: int
    complete_yes: int
    complete_no: int
    complete_unreadable: int

    @property
    def n(self) -> int:
        """How many items were scored."""
        return sum(self.cells)

    @property
    def cells(self) -> tuple[int, ...]:
        """The counts in the order of `CELLS`."""
        incomplete = (self.incomplete_no, self.incomplete_yes, self.incomplete_unreadable)
        return (*incomplete, self.complete_yes, self.complete_no, self.complete_unreadable)


CELLS: Final[Mapping[tuple[bool, Said], int]] = {
    (False, "no"): 0,
    (False, "yes"): 1,
    (False, "unreadable"): 2,
    (True, "yes"): 3,
    (True, "no"): 4,
    (True, "unreadable"): 5,
}
"""Where (complete, said) is counted, in `Confusion` and in the totals of the statistics."""


def scored(answers: Iterable[Answer]) -> list[Answer]:
    """Return the answers that no instrument spoilt.

    Raises:
        ValueError: A pair has two complete or two incomplete items, or its items are in two clusters.
    """
    seen = set[tuple[str, bool]]()
    cluster_of = dict[str, str]()
    kept = list[Answer]()
    for one in answers:
        if (one.pair, one.complete) in seen:
            side = "complete" if one.complete else "incomplete"
            raise ValueError(f"the pair {one.pair!r} has two {side} items")
        if cluster_of.setdefault(one.pair, one.cluster) != one.cluster:
            raise ValueError(f"the items of the pair {one.pair!r} are in different clusters")
        seen.add((one.pair, one.complete))
        if one.said is not None:
            kept.append(one)
    return kept


def confusion(answers: Iterable[Answer]) -> Confusion:
    """Count the scored answers."""
    counts = [0] * len(CELLS)
    for one in scored(answers):
        assert one.said is not None
        counts[CELLS[one.complete, one.said]] += 1
    return Confusion(*counts)


def value(score: Score, answers: Iterable[Answer]) -> float:
    """Return a score without its interval; NaN where nothing that it needs was scored."""
    return float(STATISTICS[score](sums(scored(answers)).sum(axis=0)))


def estimate(score: Score, answers: Iterable[Answer], seed: int) -> Estimate:
    """Return a score with its interval: Wilson's for rates over independent items, else a bootstrap.

    Args:
        score: What to compute.
        answers: Of one agent under one strategy.
        seed: Fixes the draws.

    `n` counts what the score rests on: items, those of one class for a recall, pairs for the pair accuracy
    (a pair of which one side is not scored is left out).
    """
    kept = scored(answers)
    rate = _RATES.get(score)
    if rate is not None:
        rows = rate(kept)
        return intervals.mean(
            np.array([float(right) for right, _ in rows]), numbered([cluster for _, cluster in rows]), seed
        )
    if not kept:
        return Estimate(None, 0)
    found = profiles(sums(kept), numbered([one.cluster for one in kept]))
    statistic = STATISTICS[score]
    point = float(statistic(found.totals))
    if np.isnan(point):
        return Estimate(None, len(kept))
    drawn = intervals.percentile(point, statistic(found.resampled(seed)), len(kept))
    return drawn or _of_both_recalls(score, kept, point, seed)


def estimates(answers: Iterable[Answer], seed: int) -> Mapping[Score, Estimate]:
    """Return every score with its interval."""
    kept = list(answers)
    return {score: estimate(score, kept, seed) for score in Score}


def constant(answers: Iterable[Answer], said: Said) -> list[Answer]:
    """Return what a policy would have said that answers alike everywhere, on the same scored items."""
    return [replace(one, said=said) for one in scored(answers)]


@dataclass(frozen=True, slots=True)
class Ends:
    """A score under two readings of the same answers, the lower one first; None where there is none."""

    low: float | None
    high: float | None


def constant_policies(answers: Sequence[Answer]) -> Mapping[Score, Mapping[Said, float]]:
    """Return every score of the policies "always no" and "always yes" (spec ict.md, section 16, 1)."""
    always: tuple[Said, Said] = ("no", "yes")
    same = {said: constant(answers, said) for said in always}
    return {score: {said: value(score, same[said]) for said in always} for score in Score}


def bounds(score: Score, answers: Sequence[Answer]) -> Ends:
    """Return a score as if every unreadable answer had been a *yes*, and as if it had been a *no*.

    Spec ict.md, section 14: nobody knows which class the published runs mapped them to.
    """
    readings: tuple[Said, Said] = ("yes", "no")
    found = [
        value(score, [replace(one, said=said) if one.said == "unreadable" else one for one in answers])
        for said in readings
    ]
    return Ends(None, None) if np.isnan(found).any() else Ends(min(found), max(found))


def numbered(names: Sequence[str]) -> Integers:
    """Number names from 0, in an order that their sequence cannot change."""
    places = {name: place for place, name in enumerate(sorted(set(names)))}
    return np.array([places[name] for name in names], dtype=np.int64)


_WIDTH: Final = len(CELLS) + 2
"""The columns of a sum: the six cells, then pairs that are right on both sides, and pairs."""


def sums(kept: Sequence[Answer]) -> Floats:
    """Return one row per scored answer, as `STATISTICS` sum them.

    A one stands in the answer's cell; a whole pair is counted in the row of its incomplete item.
    """
    twins = {one.pair: one for one in kept if one.complete}
    rows = np.zeros((len(kept), _WIDTH))
    for row, one in zip(rows, kept, strict=True):
        assert one.said is not None
        row[CELLS[one.complete, one.said]] = 1
        twin = None if one.complete else twins.get(one.pair)
        if twin is not None:
            row[-2:] = one.right and twin.right, 1
    return rows


def _of_both_recalls(score: Score, kept: Sequence[Answer], point: float, seed: int) -> Estimate:
    """Return the interval where no draw differs: the score at both recalls' lower and upper ends.

    F1, balanced accuracy and MCC all grow with each recall when the sizes of the classes stay.
    """
    sides = [estimate(side, kept, seed) for side in (Score.RECALL_NO, Score.RECALL_YES)]
    totals = sums(kept).sum(axis=0)
    ends = list[float]()
    for upper in (False, True):
        cells = np.zeros(_WIDTH)
        for first, side in zip((0, 3), sides, strict=True):
            size = float(totals[first : first + 3].sum())
            share = (side.high if upper else side.low) or 0.0
            cells[first : first + 2] = share * size, (1 - share) * size
        ends.append(float(STATISTICS[score](cells)))
    return Estimate(point, len(kept), min(ends[0], point), max(ends[1], point), intervals.UNANIMOUS)


def _over(part: Floats, whole: Floats) -> Floats:
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan)


def _recall_no(totals: Floats) -> Floats:
    return _over(totals[..., 0], totals[..., 0:3].sum(axis=-1))


def _recall_yes(totals: Floats) -> Floats:
    return _over(totals[..., 3], totals[..., 3:6].sum(axis=-1))


def _f1(totals: Floats) -> Floats:
    """2 TP / (2 TP + FP + FN), where an unreadable answer on a complete item is no false alarm."""
    hits = 2 * totals[..., 0]
    return _over(hits, hits + totals[..., 1] + totals[..., 2] + totals[..., 4])


def _mcc(totals: Floats) -> Floats:
    """Matthews' correlation (Matthews 1975), unreadable answers counted as the wrong ones."""
    hits, misses = totals[..., 0], totals[..., 1] + totals[..., 2]
    passes, alarms = totals[..., 3], totals[..., 4] + totals[..., 5]
    both = (hits + misses) * (passes + alarms)
    spread = (hits + alarms) * (passes + misses)
    share = hits * passes - misses * alarms
    # A constant answer correlates with nothing: by the usual convention, and as its limit, that is 0.
    measured = share / np.sqrt(np.where(both * spread > 0, both * spread, 1.0))
    return np.where(both > 0, np.where(spread > 0, measured, 0.0), np.nan)


STATISTICS: Final[Mapping[Score, Callable[[Floats], Floats]]] = {
    Score.ACCURACY: lambda totals: _over(totals[..., 0] + totals[..., 3], totals[..., :6].sum(axis=-1)),
    Score.F1: _f1,
    Score.RECALL_NO: _recall_no,
    Score.RECALL_YES: _recall_yes,
    Score.BALANCED_ACCURACY: lambda totals: (_recall_no(totals) + _recall_yes(totals)) / 2,
    Score.MCC: _mcc,
    Score.PAIR_ACCURACY: lambda totals: _over(totals[..., -2], totals[..., -1]),
    Score.UNREADABLE: lambda totals: _over(totals[..., 2] + totals[..., 5], totals[..., :6].sum(axis=-1)),
}
"""From sums over (the six `CELLS`, pairs right on both sides, pairs) to the score, per leading index."""

Rated = list[tuple[bool, str]]
"""Of a rate: whether it holds, and the cluster, one entry per item or pair."""


def pairs(kept: Sequence[Answer]) -> Rated:
    """Return, for each pair that is scored on both sides, whether both are right, with its cluster."""
    twins = {one.pair: one for one in kept if one.complete}
    incomplete = (one for one in kept if not one.complete and one.pair in twins)
    return [(one.right and twins[one.pair].right, one.cluster) for one in incomplete]


_RATES: Final[Mapping[Score, Callable[[Sequence[Answer]], Rated]]] = {
    Score.ACCURACY: lambda kept: [(one.right, one.cluster) for one in kept],
    Score.RECALL_NO: lambda kept: [(one.right, one.cluster) for one in kept if not one.complete],
    Score.RECALL_YES: lambda kept: [(one.right, one.cluster) for one in kept if one.complete],
    Score.PAIR_ACCURACY: pairs,
    Score.UNREADABLE: lambda kept: [(one.said == "unreadable", one.cluster) for one in kept],
}
