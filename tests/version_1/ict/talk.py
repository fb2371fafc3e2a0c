"""What is said around requests, read from `talk.yaml`, and the shapes of dialogues.

Five to seven messages, as in the paper's dialogues (spec ict.md, section 4: 6.18 and 5.18 lines on average).
A call and the answer after it are a message each; both twins of a pair have one shape.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Final

import yaml
from pydantic import Field, ValidationError

from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.core.task import Dialogue, Utterance
from version_1.ict.past import Exchange

_Lines = Annotated[tuple[str, ...], Field(min_length=6)]
_Pairs = Annotated[tuple[tuple[str, str], ...], Field(min_length=6)]


class Talk(Noun):
    """The file; its comment says what is what."""

    thanks: _Lines
    acknowledged: _Lines
    small_talk: _Pairs
    leads: _Lines
    means: _Lines
    slips: _Pairs
    written: _Lines
    other: _Lines
    please: _Lines


@lru_cache(maxsize=1)
def talk() -> Talk:
    """Read the file.

    Raises:
        BadData: It is not as it should be.
    """
    name = "talk.yaml"
    text = resources.files("version_1.ict").joinpath(name).read_text("utf-8")
    try:
        return Talk.model_validate(yaml.safe_load(text))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadData(first["msg"], Place(Path(name), field=where), "correct the entry") from None


class Shape(StrEnum):
    """How a dialogue goes before its last message."""

    TWO_CALLS = "two_calls"
    """One request, two calls for it, the answer: five messages."""
    REMARK_LAST = "remark_last"
    """A request, a call, the answer; then a remark and a word to it: six."""
    REMARK_FIRST = "remark_first"
    """The remark and the word to it come first: six."""
    TWICE = "twice"
    """Two requests, each with its call and its answer: seven."""

    @property
    def has_remark(self) -> bool:
        """Whether the user makes a remark that has a message of its own."""
        return self in {Shape.REMARK_FIRST, Shape.REMARK_LAST}


SHAPES: Final[Mapping[Shape, float]] = {
    Shape.TWO_CALLS: 0.15,
    Shape.REMARK_LAST: 0.25,
    Shape.REMARK_FIRST: 0.25,
    Shape.TWICE: 0.35,
}
"""How often each comes: 6.2 messages on average."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A dialogue without its last message.

    Attributes:
        shape: Which messages there are.
        exchanges: What was asked and answered: one, or two where the shape is `TWICE`.
        remark: What the user says besides, and the assistant's word to it.
        acknowledged: The assistant's word where another remark takes the place of that one.
        thanks: How the user goes on after an answer.
    """

    shape: Shape
    exchanges: tuple[Exchange, ...]
    remark: tuple[str, str]
    acknowledged: str
    thanks: str

    def dialogue(self, last: str, told: str = "") -> tuple[Dialogue, int]:
        """Write the dialogue.

        Args:
            last: The last message.
            told: Something that the user says before, in the remark or with the first request.

        Returns:
            The dialogue, and the number of the message that `told` is in, or of the last one.
        """
        found: list[Utterance] = []
        first = self.exchanges[0]
        remark = [
            Utterance(role="user", text=told or self.remark[0]),
            Utterance(role="assistant", text=self.acknowledged if told else self.remark[1]),
        ]
        if self.shape is Shape.REMARK_FIRST:
            found += [*remark, *_said(first)]
        elif self.shape is Shape.REMARK_LAST:
            found += [*_said(first), *remark]
        else:
            found += _said(first, told)
            for exchange in self.exchanges[1:]:
                found += _said(exchange, self.thanks)
        thanks = self.thanks if self.shape in {Shape.TWO_CALLS, Shape.REMARK_FIRST} else ""
        found.append(Utterance(role="user", text=f"{thanks} {last}".strip()))
        place = found.index(remark[0]) if self.shape.has_remark else 0
        return Dialogue(utterances=tuple(found)), place if told else len(found) - 1


def scene_of(shape: Shape, exchanges: Sequence[Exchange], rng: random.Random) -> Scene:
    """Draw what is said around some exchanges."""
    words = talk()
    return Scene(
        shape,
        tuple(exchanges),
        rng.choice(words.small_talk),
        rng.choice(words.acknowledged),
        rng.choice(words.thanks),
    )


def _said(exchange: Exchange, before: str = "") -> list[Utterance]:
    return [
        Utterance(role="user", text=f"{before} {exchange.request}".strip()),
        *(Utterance(role="assistant", calls=(call,)) for call in exchange.calls),
        Utterance(role="assistant", text=exchange.answer),
    ]
