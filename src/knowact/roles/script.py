"""What a simulated user wants and says: persona and script.

A script holds no state of the world and no reference: whoever plays it can't give away what it does not hold.
"""

from typing import Literal

from pydantic import Field

from knowact.core.model import Noun, Words

Style = Literal["commanding", "conversational", "questioning"]
"""How the user speaks: as to a servant, as to a friend, or as to somebody who knows better."""

Proficiency = Literal["", "low", "high"]
"""How much the user knows about the subject; empty where nothing is said of it."""


class Persona(Noun):
    """Who the user is.

    Attributes:
        age: In years; None where the data don't say.
        words: The persona as published data describe it; empty for ours.
    """

    age: int | None = Field(default=None, ge=16, le=99)
    style: Style = "conversational"
    proficiency: Proficiency = ""
    words: str = ""


class Detail(Noun):
    """Something that the user says only when asked."""

    says: Words


class Script(Noun):
    """A conversation from the user's side.

    Attributes:
        opening: The first message.
        later: Further wishes, each raised when the agent is done with the one before.
        details: What is told when asked, and not before.
    """

    opening: Words
    later: tuple[Words, ...] = ()
    details: tuple[Detail, ...] = ()
