"""The base of every noun that is read from a file."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Words = Annotated[str, StringConstraints(pattern=r"\S")]
"""A text with something in it to be seen: a blank entry of a list of words would be found everywhere."""


class Noun(BaseModel):
    """Frozen, and refuses unknown fields: a misspelt key in a data file is an error, not a silence."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Row(Noun):
    """A noun that has a line of its own in a data set.

    Attributes:
        id: Unique in its data set.
    """

    id: str = Field(min_length=1)
