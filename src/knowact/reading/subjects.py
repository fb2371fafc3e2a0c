"""What is a part of a reply about: one fact, or others? By the words of their labels and what stands for them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from knowact.core.task import Fact
from knowact.reading.anchors import read_label
from knowact.reading.cues import cues
from knowact.reading.folding import fold_words
from knowact.reading.said import word_lists

_WORD = re.compile(r"[^\W\d_][^\W_]*(?:-[^\W_]+)*")
_INITIALS = 3
"""So many words of a label make an abbreviation ("body mass index")."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One fact among others.

    Attributes:
        label: Its label, in folded lower case.
        own: The words that only its label has, each as the patterns that stand for it.
        shared: The words of its label that others have, too.
        rivals: The words that only other labels have.
    """

    label: str
    own: tuple[tuple[re.Pattern[str], ...], ...]
    shared: tuple[tuple[re.Pattern[str], ...], ...]
    rivals: tuple[tuple[re.Pattern[str], ...], ...]

    def nearness(self, plain: str) -> int:
        """How many words of the fact's label a text has, less those of others; 0 where it has none of either.

        A word that others share counts only beside a tie.
        """
        if self.label and self.label in plain:
            return len(self.own) + len(self.shared) + 1
        lead = _count(self.own, plain) - _count(self.rivals, plain)
        return lead or _count(self.shared, plain)

    def speaks(self, plain: str) -> bool:
        """Whether a text speaks of the fact rather than of others."""
        return self.nearness(plain) > 0


def subject_of(fact: Fact, known: Iterable[Fact]) -> Subject:
    """Prepare a fact that stands beside known ones."""
    label = _words(fact.label)
    others = {word for one in known for word in _words(one.label)}
    shared = {word for word in label if any(_alike(word, other) for other in others)}
    rivals = {other for other in others if not any(_alike(word, other) for word in label)}
    return Subject(
        fold_words(fact.label),
        tuple(_patterns(word) for word in label if word not in shared) + _abbreviation(fact.label),
        tuple(_patterns(word) for word in label if word in shared),
        tuple(_patterns(word) for word in sorted(rivals)),
    )


def _alike(one: str, other: str) -> bool:
    """Whether two words of labels are one in two forms ("worked", "working")."""
    return any(pattern.search(other) for pattern in read_label(one).words) or any(
        pattern.search(one) for pattern in read_label(other).words
    )


def _count(words: Sequence[tuple[re.Pattern[str], ...]], plain: str) -> int:
    return sum(any(pattern.search(plain) for pattern in word) for word in words)


@cache
def _words(label: str) -> tuple[str, ...]:
    generic = set(word_lists()["generic"].split()) | set(cues().empty)
    found = (word for word in _WORD.findall(fold_words(label)) if word not in generic and len(word) > 1)
    return tuple(dict.fromkeys(found))


@cache
def _patterns(word: str) -> tuple[re.Pattern[str], ...]:
    """The word in its inflections, and the words that stand for it."""
    groups = [line.split() for line in word_lists()["groups"].split("\n")]
    others = {other for group in groups if word in group for other in group} - {word}
    similar = [re.compile(rf"(?<!\w){re.escape(other.replace('+', ' '))}(?!\w)") for other in sorted(others)]
    return (*read_label(word).words, *similar)


def _abbreviation(label: str) -> tuple[tuple[re.Pattern[str], ...], ...]:
    words = _words(label)
    if len(words) != _INITIALS or " ".join(words) != fold_words(label):
        return ()
    return ((re.compile(rf"(?<!\w){''.join(word[0] for word in words)}(?!\w)"),),)
