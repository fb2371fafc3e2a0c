"""Repetition: exact and near duplicates among texts, and how varied their wording is.

Texts are *exact* duplicates if nothing but case, widths of characters and white space tells them apart, and
*near* ones from a threshold of the Jaccard index of their shingles on (`overlap`). MinHash and banding only
find the pairs worth looking at; what is reported is the index itself. A pair just at the threshold is missed
with a probability of at most one in a million, a closer one with less. Pairs of middling similarity are
looked at in vain, so tens of thousands of texts from a few templates take long.
"""

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from knowact.core import seeds
from knowact.retrieval import overlap
from knowact.retrieval.overlap import Codes

_WORD = re.compile(r"[^\W_]+")
"""A run of letters or digits. Nothing is stemmed: "order" beside "orders" is variety."""


class Pair(NamedTuple):
    """Two texts by their indices, the lower one first, and the Jaccard index of their shingles."""

    first: int
    second: int
    score: float


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left of a collection, and what became of the rest.

    Attributes:
        indices: The texts that stay, ascending.
        dropped: Each text that goes, with the one that it repeats, which stays.
        exact: How many of them are exact duplicates of a text before them.
        near: How many are not, but near a text that stays.
    """

    indices: tuple[int, ...]
    dropped: Mapping[int, int]
    exact: int
    near: int


def similarity(one: str, other: str) -> float:
    """Return the Jaccard index of two texts' shingles: 1 for exact duplicates, 0 if they share none."""
    sets = [overlap.shingles(overlap.normalised(text)) for text in (one, other)]
    return overlap.jaccard(sets[0], sets[1:])[0]


def near(texts: Sequence[str], threshold: float) -> list[Pair]:
    """Return all pairs of texts at or above a similarity, exact duplicates included, in ascending order.

    Args:
        texts: The collection. A thousand texts that are all alike have half a million pairs.
        threshold: The least Jaccard index to report, 0.11 to 1.

    Raises:
        ValueError: The threshold lies outside.
    """
    groups = _exact_groups(texts)
    copies = list(groups.values())
    found = [Pair(*pair, 1.0) for group in copies for pair in itertools.combinations(group, 2)]
    seen = _Seen(list(groups), threshold)
    for second in range(len(copies)):
        for first, score in seen.like(second):
            pairs = itertools.product(copies[first], copies[second])
            found += [Pair(min(pair), max(pair), score) for pair in pairs]
        seen.enter(second)
    return sorted(found)


def without_duplicates(texts: Sequence[str], threshold: float) -> Kept:
    """Keep the first of each kind: go through the texts in order and drop what repeats one that was kept.

    So no two texts that stay are as near as the threshold. Nearness does not carry over: a text may go for
    one neighbour and a third, near only to the one that went, stays. Which texts stay depends on the order.

    Args:
        texts: The collection, the preferred ones first.
        threshold: The Jaccard index from which on a text counts as a repetition, 0.11 to 1.

    Raises:
        ValueError: The threshold lies outside.
    """
    groups = _exact_groups(texts)
    firsts = [group[0] for group in groups.values()]
    seen = _Seen(list(groups), threshold)
    kept: list[int] = []
    dropped: dict[int, int] = {}
    for place, (first, *copies) in enumerate(groups.values()):
        repeated = first
        if alike := seen.like(place):
            # The nearest; of equals the first.
            repeated = firsts[max(alike, key=lambda match: (match[1], -match[0]))[0]]
            dropped[first] = repeated
        else:
            seen.enter(place)
            kept.append(first)
        dropped |= dict.fromkeys(copies, repeated)
    exact = len(texts) - len(groups)
    return Kept(tuple(kept), dict(sorted(dropped.items())), exact, near=len(dropped) - exact)


def distinct_2(texts: Iterable[str]) -> float:
    """Return how varied the wording is: different pairs of neighbouring words over all such pairs.

    After Li et al., "A Diversity-Promoting Objective Function for Neural Conversation Models" (NAACL 2016),
    who divide by the number of words instead. Case and punctuation don't count; a pair lies within one text.
    It falls with the number of texts, so only equally many compare (`distinct_2_over_draws`).

    Raises:
        ValueError: No text has two words.
    """
    return _distinct([_bigrams(text) for text in texts])


def distinct_2_over_draws(texts: Sequence[str], size: int = 68, draws: int = 200, seed: int = 0) -> float:
    """Return the mean of `distinct_2` over random draws without replacement.

    Args:
        texts: The collection; its order doesn't matter.
        size: Texts per draw; FAIL-TaLMs' published sample has 68 original queries, and 0.60.
        draws: How many draws.
        seed: Fixes them.

    Raises:
        ValueError: There are not that many texts, nothing is drawn, or a draw has no two words in a row.
    """
    if not 1 <= size <= len(texts) or draws < 1:
        raise ValueError(f"{draws} draws of {size} texts cannot be made from {len(texts)} of them")
    pairs = [_bigrams(text) for text in sorted(texts)]
    return (
        math.fsum(
            _distinct(seeds.generator(seed, "distinct-2", draw).sample(pairs, size)) for draw in range(draws)
        )
        / draws
    )


def tokens(text: str) -> list[str]:
    """Return the words that distinct-n counts: runs of letters or digits in lower case."""
    return _WORD.findall(text.casefold())


def _bigrams(text: str) -> list[tuple[str, str]]:
    return list(itertools.pairwise(tokens(text)))


def _distinct(texts: Iterable[Sequence[tuple[str, str]]]) -> float:
    pairs = [pair for text in texts for pair in text]
    if not pairs:
        raise ValueError("no text has two words, so there are no pairs of words to count")
    return len(set(pairs)) / len(pairs)


def _exact_groups(texts: Iterable[str]) -> dict[str, list[int]]:
    """Return the places of each text by its normalised form, in order of first appearance."""
    groups: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        groups.setdefault(overlap.normalised(text), []).append(place)
    return groups


class _Seen:
    """Which of the texts entered so far another one is like; texts go by their places.

    Args:
        texts: All that will ever be entered or compared, normalised.
        threshold: The least Jaccard index that counts.
    """

    def __init__(self, texts: Sequence[str], threshold: float) -> None:
        rows = overlap.rows_of_a_band(threshold)
        self.threshold = threshold
        self.sets: list[Codes] = [overlap.shingles(text) for text in texts]
        self.buckets = overlap.buckets(overlap.signatures(self.sets), rows)
        self.entered: defaultdict[int, list[int]] = defaultdict(list)

    def like(self, place: int) -> list[tuple[int, float]]:
        """Return the entered ones at or above the threshold, ascending, with their scores."""
        met = {other for bucket in self.buckets[place] for other in self.entered.get(bucket, ())}
        possible = [other for other in sorted(met) if self._close_in_size(place, other)]
        scores = overlap.jaccard(self.sets[place], [self.sets[other] for other in possible])
        return [match for match in zip(possible, scores, strict=True) if match[1] >= self.threshold]

    def _close_in_size(self, place: int, other: int) -> bool:
        """Whether they could be near: at best the smaller set lies in the larger one."""
        small, large = sorted((len(self.sets[place]), len(self.sets[other])))
        return small / large >= self.threshold

    def enter(self, place: int) -> None:
        """Let others be compared with this one from now on."""
        for bucket in self.buckets[place]:
            self.entered[bucket].append(place)
