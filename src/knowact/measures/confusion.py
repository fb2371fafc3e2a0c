"""Yes or no against what is so: can the request be handled, and does the agent say so?

The class of interest is *no*: something is missing (ICT, section 4). Each incomplete item is paired with a
complete one, so that a constant answer is exposed: the headline is the share of pairs of which both sides are
right.

An unreadable answer is counted by name. It is the wrong answer for accuracy, both recalls, balanced
accuracy, MCC and the pair; for F1 it is a miss on an incomplete item and nothing on a complete one, where
nobody has said *no*. `bounds` says what it could change at most.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np

from knowact.core.record import Answer, Said
from knowact.core.table import Estimate
from knowact.measures import intervals
from knowact.measures.clusters import SEED, Floats, numbered, profiles
from knowact.measures.paired import SWAPS, Comparison, compared_sums


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


CELLS: Final[Mapping[tuple[bool, Said], int]] = {
    (False, "no"): 0,
    (False, "yes"): 1,
    (False, "unreadable"): 2,
    (True, "yes"): 3,
    (True, "no"): 4,
    (True, "unreadable"): 5,
}
"""Where (complete, said) is counted in the totals of the statistics."""


def scored(answers: Iterable[Answer]) -> list[Answer]:
    """Return the answers that no instrument spoilt.

    Raises:
        ValueError: A pair has two complete or two incomplete items, or its items are in two clusters.
    """
    seen = set[tuple[str, bool]]()
    cluster_of = dict[str, str]()
    kept = list[Answer]()
    for answer in answers:
        if (answer.pair, answer.complete) in seen:
            side = "complete" if answer.complete else "incomplete"
            raise ValueError(f"the pair {answer.pair!r} has two {side} items")
        if cluster_of.setdefault(answer.pair, answer.cluster) != answer.cluster:
            raise ValueError(f"the items of the pair {answer.pair!r} are in different clusters")
        seen.add((answer.pair, answer.complete))
        if answer.said is not None:
            kept.append(answer)
    return kept


def value(score: Score, answers: Iterable[Answer]) -> float:
    """Return a score without its interval; NaN where nothing that it needs was scored."""
    return float(STATISTICS[score](sums(scored(answers)).sum(axis=0)))


def estimate(score: Score, answers: Iterable[Answer], seed: int = SEED) -> Estimate:
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
    clusters, n = numbered([answer.cluster for answer in kept]), len(kept)
    drawn = intervals.bootstrapped(sums(kept), clusters, seed, statistic=STATISTICS[score], n=n)
    if drawn.value is None or drawn.low is not None:
        return drawn
    return _of_both_recalls(score, kept, drawn, seed)


def both_scored(answers: Iterable[Answer]) -> list[Answer]:
    """Return the scored answers whose pair is scored on both sides."""
    kept = scored(answers)
    sides = Counter(answer.pair for answer in kept)
    return [answer for answer in kept if sides[answer.pair] > 1]


def rests_on(score: Score, answers: Iterable[Answer]) -> int:
    """Return what a score rests on: scored items, those of one class for a recall, whole pairs for pairs."""
    kept, rate = scored(answers), _RATES.get(score)
    return len(kept if rate is None else rate(kept))


def constant(answers: Iterable[Answer], said: Said) -> list[Answer]:
    """Return what a policy would have said that answers alike everywhere, on the same scored items."""
    return [replace(answer, said=said) for answer in scored(answers)]


@dataclass(frozen=True, slots=True)
class Ends:
    """A score under two readings of the same answers, the lower one first; None where there is none."""

    low: float | None
    high: float | None


def constant_policies(answers: Sequence[Answer]) -> Mapping[Score, Mapping[Said, float]]:
    """Return every score of the policies "always no" and "always yes"."""
    always: tuple[Said, Said] = ("no", "yes")
    same = {said: constant(answers, said) for said in always}
    return {score: {said: value(score, same[said]) for said in always} for score in Score}


def bounds(score: Score, answers: Sequence[Answer]) -> Ends:
    """Return a score as if every unreadable answer had been a *yes*, and as if it had been a *no*.

    Nobody knows which class the published runs mapped them to.
    """
    readings: tuple[Said, Said] = ("yes", "no")
    values = [
        value(
            score,
            [replace(answer, said=said) if answer.said == "unreadable" else answer for answer in answers],
        )
        for said in readings
    ]
    return Ends(None, None) if np.isnan(values).any() else Ends(min(values), max(values))


_WIDTH: Final = len(CELLS) + 2
"""The columns of a sum: the six cells, then pairs that are right on both sides, and pairs."""


def sums(kept: Sequence[Answer]) -> Floats:
    """Return one row per scored answer, as `STATISTICS` sum them.

    A one stands in the answer's cell; a whole pair is counted in the row of its incomplete item.
    """
    complete = {answer.pair: answer for answer in kept if answer.complete}
    rows = np.zeros((len(kept), _WIDTH))
    for row, answer in zip(rows, kept, strict=True):
        assert answer.said is not None
        row[CELLS[answer.complete, answer.said]] = 1
        other = None if answer.complete else complete.get(answer.pair)
        if other is not None:
            row[-2:] = answer.right and other.right, 1
    return rows


def _of_both_recalls(score: Score, kept: Sequence[Answer], drawn: Estimate, seed: int) -> Estimate:
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
    return intervals.within(drawn, *ends)


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
    return [(lacking.right and complete.right, lacking.cluster) for lacking, complete in whole_pairs(kept)]


def whole_pairs(kept: Sequence[Answer]) -> list[tuple[Answer, Answer]]:
    """Return the incomplete and the complete item of each pair that is scored on both sides."""
    complete = {answer.pair: answer for answer in kept if answer.complete}
    incomplete = (answer for answer in kept if not answer.complete and answer.pair in complete)
    return [(answer, complete[answer.pair]) for answer in incomplete]


_RATES: Final[Mapping[Score, Callable[[Sequence[Answer]], Rated]]] = {
    Score.ACCURACY: lambda kept: [(answer.right, answer.cluster) for answer in kept],
    Score.RECALL_NO: lambda kept: [(answer.right, answer.cluster) for answer in kept if not answer.complete],
    Score.RECALL_YES: lambda kept: [(answer.right, answer.cluster) for answer in kept if answer.complete],
    Score.PAIR_ACCURACY: pairs,
    Score.UNREADABLE: lambda kept: [(answer.said == "unreadable", answer.cluster) for answer in kept],
}


@dataclass(frozen=True, slots=True)
class McNemar:
    """In how many clusters which of two is right more often.

    The trials of an item, the items of a pair and the pairs made of one base task are no independent
    witnesses, so a cluster has one verdict. Where each cluster is one item in one trial this is McNemar's
    table.

    Attributes:
        only_first: The first one is.
        only_second: The second one is.
        alike: Both are as often.
    """

    only_first: int
    only_second: int
    alike: int

    @property
    def n(self) -> int:
        """The clusters with anything that both have a scored answer for."""
        return self.only_first + self.only_second + self.alike

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
    # Python's whole numbers throughout: 2 ** tosses overflows those of numpy, and floats at a thousand items.
    tosses, fewer = int(only_first + only_second), int(min(only_first, only_second))
    tail = sum(math.comb(tosses, heads) for heads in range(fewer + 1))
    return min(1.0, 2 * tail / 2**tosses)


def mcnemar(first: Iterable[Answer], second: Iterable[Answer]) -> McNemar:
    """Compare who is right on more items of each cluster.

    Items that one of both lacks or that are unscored are left out.
    """
    ours, theirs = _matched(first, second)
    return verdicts(
        [before.right - after.right for before, after in zip(ours, theirs, strict=True)],
        [item.cluster for item in ours],
    )


def mcnemar_pairs(first: Iterable[Answer], second: Iterable[Answer]) -> McNemar:
    """Compare who has both sides of more pairs of a cluster right."""
    ours, theirs = _matched(first, second)
    sides = {(item.pair, item.complete): place for place, item in enumerate(ours)}
    whole = [
        (place, sides[item.pair, True])
        for place, item in enumerate(ours)
        if not item.complete and (item.pair, True) in sides
    ]
    leads = [(ours[a].right and ours[b].right) - (theirs[a].right and theirs[b].right) for a, b in whole]
    return verdicts(leads, [ours[place].cluster for place, _ in whole])


def verdicts(leads: Sequence[float], clusters: Sequence[Hashable]) -> McNemar:
    """Give each cluster one verdict.

    Args:
        leads: By how much the first one is ahead in each row (1, 0 or -1).
        clusters: The cluster of each row.

    Raises:
        ValueError: The lengths differ.
    """
    sums: dict[Hashable, float] = {}
    for lead, cluster in zip(leads, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + lead
    ahead, behind = (sum(sign * lead > 0 for lead in sums.values()) for sign in (1, -1))
    return McNemar(ahead, behind, len(sums) - ahead - behind)


def compare(score: Score, first: Sequence[Answer], second: Sequence[Answer], seed: int = SEED) -> Comparison:
    """Compare a score between two models or strategies, over the items that both have a scored answer for.

    Args:
        score: What to compare.
        first: The answers of one.
        second: The answers of the other, on the same items.
        seed: Fixes bootstrap and swaps.

    Returns:
        The difference is second minus first, with the n of `rests_on`; its interval resamples clusters, its
        p-value swaps the two within clusters.

    Raises:
        ValueError: An item is in different clusters.
    """
    ours, theirs = _matched(first, second)
    keys = [{(item.pair, item.complete) for item in side} for side in (first, second)]
    common = len(keys[0] & keys[1])
    left = (common - len(ours), len(keys[0]) - common, len(keys[1]) - common)
    n = rests_on(score, ours)
    if not ours:
        return Comparison(None, None, Estimate(None, n), None, *left)
    before, after = sums(ours), sums(theirs)
    clusters = numbered([item.cluster for item in ours])
    cluster_sums = profiles(np.concatenate((before, after), axis=1), clusters)
    moved = profiles(after - before, clusters).swapped(seed, SWAPS)
    swapped = cluster_sums.totals + np.concatenate((moved, -moved), axis=1)
    reach = 2.0 if score is Score.MCC else 1.0

    def of_side(totals: Floats, side: int) -> Floats:
        return STATISTICS[score](np.split(totals, 2, axis=-1)[side])

    return compared_sums(cluster_sums, swapped, of_side, reach, seed, left=left, n=n)


def _matched(first: Iterable[Answer], second: Iterable[Answer]) -> tuple[list[Answer], list[Answer]]:
    """Return the items that both have a scored answer for, in one order."""
    ours, theirs = ({(item.pair, item.complete): item for item in scored(side)} for side in (first, second))
    keys = sorted(ours.keys() & theirs.keys())
    for key in keys:
        if ours[key].cluster != theirs[key].cluster:
            raise ValueError(f"an item of the pair {key[0]!r} is in different clusters in both runs")
    return [ours[key] for key in keys], [theirs[key] for key in keys]
