"""What a simulated driver knows, and how much of it is said when (spec car-bench.md, section 1.9).

A script holds no state of the car and no reference: a driver who plays it can't give away what it has not.
"""

from typing import Literal

from pydantic import Field

from knowact.core.model import Noun, Words

Style = Literal["commanding", "conversational", "questioning"]
"""How the driver speaks: as to a servant, as to a friend, or as to somebody who knows better."""

Proficiency = Literal["", "low", "high"]
"""How much the driver knows about cars; empty where nothing is said of it."""


class Persona(Noun):
    """Who drives (spec, section 6.1).

    Attributes:
        age: In years; None where the data don't say.
        words: The persona as published data describe it; empty for ours.
    """

    age: int | None = Field(default=None, ge=16, le=99)
    style: Style = "conversational"
    proficiency: Proficiency = ""
    words: str = ""


class Detail(Noun):
    """Something that the driver says only when asked.

    Attributes:
        about: Words and phrases by which a question asks for it, in lower case; a `*` at the end lets a word
            go on ("warm*").
        says: The answer.
    """

    about: tuple[Words, ...] = Field(min_length=1)
    says: Words


class Script(Noun):
    """A conversation from the driver's side.

    Attributes:
        opening: The first message.
        later: Further wishes, each raised when the assistant is done with the one before.
        details: What is revealed when asked, and not before.
        secrets: Words by which a question asks for something that the assistant has to settle itself; the
            driver never answers those, but may agree to one proposal.
        lacks: Words for the part that was taken away; empty where everything is there.
        looks_up: What is asked back when the assistant wants to hear from the driver what it should find out.
    """

    opening: Words
    later: tuple[Words, ...] = ()
    details: tuple[Detail, ...] = ()
    secrets: tuple[Words, ...] = ()
    lacks: tuple[Words, ...] = ()
    looks_up: str = "I don't know. Can't you look that up?"
