"""Requests with marks where values stand, so that one value can be put otherwise and all else stays.

A plan is worded with marks in place of the words for its arguments; filling them gives the request as it is,
or with a phrase in place of a value, or with a value left out. What is not marked is the same in all of
them, letter for letter.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from version_1.bind import raised
from version_1.compose import Book, Composed, compose
from version_1.draw import Said
from version_1.parts import Part
from version_1.words import Register

_MARK: Final = re.compile(r"⟦(\d+)\.(\w+)(:on)?(?:\|, and )?⟧")
_UNFIT: Final = re.compile(
    r"(?:\b(?:my|our|your|the|a|an|this|that|number|plate|vehicle|car|van|line|lot|no|each|every|mere|says|said)"
    r"|[“\"#/\u00d7:(-])\s?$",
    re.IGNORECASE,
)
"""What a phrase with an article of its own cannot follow."""
_STAND_ALONE: Final = re.compile(r"[\s.,;:?!)]|$")
_STOPS: Final = re.compile(r"[\s]|[.,;?!](?=\s|$)|$")
_SENTENCE: Final = re.compile(r"(?<=[.?!])\s+")
_NOT_BEFORE_GAP: Final = re.compile(
    r"\b(?:is|are|was|be|lives?|living|stands?|standing|waiting|sits?|arrives?|it|that|somewhere|stuck|going|as)$"
)
"""Words that ask for what is left out after them."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One argument of a plan."""

    step: int
    parameter: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A request with marks.

    Attributes:
        text: With marks.
        said: The words for every mark.
        composed: Which fields it asks for, and of which phrasings it was made; its text is the plain request.
    """

    text: str
    said: Mapping[Slot, Said]
    composed: Composed

    def filled(self, instead: Mapping[Slot, str] | None = None) -> str:
        """Fill the marks.

        Args:
            instead: Noun phrases in place of some values.
        """
        text, position = "", 0
        for match in _MARK.finditer(self.text):
            text += self.text[position : match.start()]
            slot = Slot(int(match[1]), match[2])
            said, phrase = self.said[slot], (instead or {}).get(slot)
            if phrase is not None:
                words = f"on {phrase}" if match[3] else phrase
            else:
                words = said.on if match[3] else said.words
            starts = not text.strip() or text.rstrip().endswith((".", "?", "!"))
            text += raised(words) if starts and words != str(said.value) else words
            position = match.end()
        return text + self.text[position:]

    def replaceable(self, slot: Slot) -> bool:
        """Whether a phrase can take the place of a value: it stands there once, and on its own."""
        found = self._find(slot)
        if found is None:
            return False
        before, after = self.text[: found.start()], self.text[found.end() :]
        return not _UNFIT.search(before) and bool(_STAND_ALONE.match(after)) and before[-1:] in ("", " ")

    def without(self, slot: Slot) -> str:
        """Leave a value out, with the preposition before it; "" where the sentence would not bear it."""
        found = self._find(slot)
        if found is None:
            return ""
        before, after = self.text[: found.start()], self.text[found.end() :]
        lead = " " if found[3] else " in "
        if not before.endswith(lead) or not _STOPS.match(after) or after.startswith(" and "):
            return ""
        before = before.removesuffix(lead)
        if not before[-1:].isalnum() and before[-1:] != "⟧":
            return ""
        if _NOT_BEFORE_GAP.search(before):
            return ""
        return replace(self, text=before + after).filled()

    def _find(self, slot: Slot) -> re.Match[str] | None:
        found = [one for one in _MARK.finditer(self.text) if Slot(int(one[1]), one[2]) == slot]
        return found[0] if len(found) == 1 else None


def changed_sentence(plain: str, shown: str) -> tuple[str, str]:
    """Return the sentence that two versions of a request differ in, as each of them has it."""
    before, after = _SENTENCE.split(plain), _SENTENCE.split(shown)
    if len(before) != len(after):
        return plain, shown
    return next((pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]), (plain, shown))


def marked(parts: Sequence[Part], tone: Register, rng: random.Random, book: Book) -> Marked:
    """Word a plan with marks.

    Raises:
        NoWords: The parts have no phrasing that fits.
    """
    said: dict[Slot, Said] = {}
    with_marks: list[Part] = []
    for number, part in enumerate(parts):
        bound = dict(part.bound)
        for name, one in part.bound.items():
            if name in part.links or not one.words:
                continue
            slot = Slot(number, name)
            said[slot] = one
            # A value with an "and" or a comma asks for a pause after the clause that it stands in.
            pause = "|, and " if " and " in one.words or "," in one.words else ""
            bound[name] = replace(one, words=f"⟦{number}.{name}{pause}⟧", on=f"⟦{number}.{name}:on{pause}⟧")
        with_marks.append(replace(part, bound=bound))
    composed = compose(with_marks, tone, rng, book)
    found = Marked(composed.text, said, composed)
    return replace(found, composed=replace(composed, text=found.filled()))
