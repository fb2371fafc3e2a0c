"""What is a part of a reply about: one fact, or others? Told by the words of labels and their synonyms."""

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
_SHORT_WORD = 2
"""Words of up to so many letters name no thing."""
_SHORT = 6
"""Words of up to so many letters stand for themselves; of longer ones the stem does."""
_VERB_OF_ALL = r"\b(?: \w+){0,4} (?:are|have|look|start|begin|consist|come|can|differ|must|may|need|vary)\b"
_INITIALS = 3
"""So many words of a label make an abbreviation ("body mass index")."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One fact among others.

    Attributes:
        label: Its label, in folded lower case.
        phrases: The label, and the label without what it quotes, as replies are read without quotations.
        own: The words that only its label has, each as the patterns that stand for it.
        shared: The words of its label that others have, too.
        rivals: The words that only other labels have.
        kinds: The words of its label in the plural, with a verb.
    """

    label: str
    phrases: tuple[str, ...]
    own: tuple[tuple[re.Pattern[str], ...], ...]
    shared: tuple[tuple[re.Pattern[str], ...], ...]
    rivals: tuple[tuple[re.Pattern[str], ...], ...]
    kinds: tuple[re.Pattern[str], ...]

    def nearness(self, plain: str) -> int:
        """How many words of the fact's label a text has, less those of others; 0 where it has none of either.

        A word that others share counts only beside a tie.
        """
        if any(phrase in plain for phrase in self.phrases):
            return len(self.own) + len(self.shared) + 1
        lead = _count(self.own, plain) - _count(self.rivals, plain)
        return lead or _count(self.shared, plain)

    def in_general(self, plain: str) -> bool:
        """Whether a text speaks of all things of the kind ("reservation codes have ...")."""
        return any(kind.search(plain) for kind in self.kinds)

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
        tuple(_phrases(fold_words(fact.label))),
        tuple(_patterns(word) for word in label if word not in shared) + _abbreviation(fact.label),
        tuple(_patterns(word) for word in label if word in shared),
        tuple(_patterns(word) for word in sorted(rivals)),
        tuple(
            re.compile(rf"\b{re.escape(word)}(?:s| numbers| codes| names| titles){_VERB_OF_ALL}")
            for word in _heads(fact.label)
        ),
    )


def _phrases(plain: str) -> list[str]:
    rest = " ".join(re.sub(r'"[^"]*"', " ", plain).split())
    return [phrase for phrase in (plain, rest) if len(phrase.split()) >= _INITIALS or phrase == plain != ""]


def _heads(label: str) -> list[str]:
    """The words of a label that name a thing in the singular, up to what it belongs to."""
    head = re.split(r" (?:of|for|from|at|on|in|to|by|that|where|until|and)\b", fold_words(label))[0]
    return [word for word in _WORD.findall(head) if not word.endswith("s") and len(word) > _SHORT_WORD]


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
    return (*_forms(word), *similar)


def _forms(word: str) -> tuple[re.Pattern[str], ...]:
    """A word in its inflections; a short one has few ("prime" is no "primality")."""
    if len(word) > _SHORT:
        return read_label(word).words
    stem = re.escape(word.removesuffix("e") if len(word) > _SHORT - 2 else word)
    return (re.compile(rf"(?<!\w){stem}(?:e?s|e?d|ing|e|'s)?(?!\w)"), *_sides(word))


def _sides(word: str) -> tuple[re.Pattern[str], ...]:
    """The other words of its side, where it takes sides ("won", "winner")."""
    return tuple(side for side, _ in read_label(word).sides)


def _abbreviation(label: str) -> tuple[tuple[re.Pattern[str], ...], ...]:
    words = _words(label)
    if len(words) != _INITIALS or " ".join(words) != fold_words(label):
        return ()
    return ((re.compile(rf"(?<!\w){''.join(word[0] for word in words)}(?!\w)"),),)
