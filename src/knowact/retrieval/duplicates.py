"""Repetition: exact and near duplicates among texts.

Texts are *exact* duplicates if nothing but case, widths of characters and white space tells them apart, and
*near* ones from a threshold of the Jaccard index of their shingles on (`overlap`). MinHash and banding only
find the pairs worth looking at; what is reported is the index itself. A pair just at the threshold is missed
with a probability of at most one in a million, a closer one with less. Pairs of middling similarity are
looked at in vain, so tens of thousands of texts from a few templates take long.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knowact.retrieval import overlap
from knowact.retrieval.overlap import Codes

_WORD = re.compile(r"[^\W_]+")
"""A run of letters or digits. Nothing is stemmed: "order" beside "orders" is variety."""


@dataclass(frozen=True, slots=True)
class Deduplicated:
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


def without_duplicates(texts: Sequence[str], threshold: float) -> Deduplicated:
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
    return Deduplicated(tuple(kept), dict(sorted(dropped.items())), exact, near=len(dropped) - exact)


def tokens(text: str) -> list[str]:
    """Return the words of a text: runs of letters or digits in lower case."""
    return _WORD.findall(text.casefold())


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
