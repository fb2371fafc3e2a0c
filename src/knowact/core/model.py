"""The base of every noun that is read from a file."""

from pydantic import BaseModel, ConfigDict


class Noun(BaseModel):
    """Frozen, and refuses unknown fields: a misspelt key in a data file is an error, not a silence."""

    model_config = ConfigDict(frozen=True, extra="forbid")
