"""Sentences beside a request that say what phrases mean, so that a phrase alone tells nothing.

*Crossed twins* (validity.md, section 4). Complete or not, a request with a phrase has two such sentences:
one says what a phrase means, the other what one does not mean. The request's phrase occurs twice, another
one once; there are two values and one "not". Only who is who differs. (A tenth has one sentence.)
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from knowact.suites.fail_talms.cases import Told
from version_1 import bind
from version_1.draw import Said, draw
from version_1.fail_talms.marked import Slot
from version_1.fail_talms.recipe import Base
from version_1.fail_talms.withhold import says
from version_1.vague import Vague, sentences, vague

Where = Literal["before", "after", "remark"]
_WHERE: Final[Mapping[Where, float]] = {"before": 0.3, "after": 0.3, "remark": 0.4}
_ONE_SENTENCE: Final = 0.1
"""So many queries with a phrase have one sentence that says what a phrase means; the others have two, of
which one says what a phrase does not mean. Complete or not, two make the query's phrase occur twice and
another one once, and bring two values and one "not"."""
_TRIES: Final = 200


@dataclass(frozen=True, slots=True)
class Shape:
    """How a phrase is put into a query; a perfect query and its crossed twin share it."""

    slot: Slot
    phrase: str
    where: Where
    alone: bool
    """Whether there is only one sentence."""


@dataclass(slots=True)
class Shown:
    """A query with what is said before it, and the sentences of both that say what phrases mean."""

    query: str
    remarks: list[str] = field(default_factory=list[str])
    told: list[Told] = field(default_factory=list[Told])


def shape_of(base: Base, slot: Slot, rng: random.Random) -> Shape:
    """Draw how a phrase is put into a query."""
    entry = entry_of(base, slot)
    where = rng.choices(list(_WHERE), list(_WHERE.values()))[0]
    return Shape(slot, rng.choice(entry.phrases), where, rng.random() < _ONE_SENTENCE)


def entry_of(base: Base, slot: Slot) -> Vague:
    """Return the phrases for a slot."""
    return vague()[base.parts[slot.step].tool, slot.parameter]


def beside_the_point(base: Base, shape: Shape, rng: random.Random) -> list[Told]:
    """Say what the shape's phrase does not mean, and what another one does; or one of these."""
    teller = Teller(base, shape, rng)
    told = [teller.not_own(), teller.other(holds=True)]
    return [rng.choice(told)] if shape.alone else told


class Teller:
    """Makes sentences about phrases; no value comes twice, and only the slot's own is one of the item's."""

    def __init__(self, base: Base, shape: Shape, rng: random.Random) -> None:
        self._base, self._shape, self._rng = base, shape, rng
        self._part = base.parts[shape.slot.step]
        self._entry = entry_of(base, shape.slot)
        self._taken: list[Any] = [one.value for step in base.task.plan for one in step.arguments.values()]

    def own(self) -> Told:
        """Say what the phrase means."""
        return self._told(self._shape.phrase, self._base.said(self._shape.slot), holds=True, resolves=True)

    def not_own(self) -> Told:
        """Say one thing that it does not mean."""
        return self._told(self._shape.phrase, self._value(), holds=False)

    def other(self, *, holds: bool) -> Told:
        """Say what another phrase means, or does not."""
        phrase = self._rng.choice([one for one in self._entry.phrases if one != self._shape.phrase])
        return self._told(phrase, self._value(), holds=holds)

    def _told(self, phrase: str, said: Said, *, holds: bool, resolves: bool = False) -> Told:
        text = self._entry.sentence(self._rng.choice(sentences()), phrase, said, holds=holds)
        return Told(text=text, phrase=phrase, value=said.value, holds=holds, resolves=resolves)

    def _value(self) -> Said:
        """Draw a value that nothing in the item has.

        Raises:
            ValueError: There is none.
        """
        name = self._shape.slot.parameter
        how, say = self._part.variant.draw[name], self._part.words.say_of(self._part.variant, name)
        for _ in range(_TRIES):
            said = draw(how, bind.TODAY, self._rng, say)
            if said.value not in self._taken and not says(self._base.task.opening.text, said):
                self._taken.append(said.value)
                return said
        raise ValueError(f"no other value for {self._part.tool}.{name}")


def tell(shown: Shown, shape: Shape, told: Sequence[Told], rng: random.Random) -> None:
    """Put sentences where a shape has them."""
    shown.told = list(told)
    texts = [one.text for one in told]
    rng.shuffle(texts)
    match shape.where:
        case "remark":
            shown.remarks = texts
        case "before":
            shown.query = " ".join([*texts, shown.query])
        case "after":
            ended = shown.query if shown.query.endswith((".", "?", "!")) else f"{shown.query}."
            shown.query = " ".join([ended, *texts])
