"""Rows of published files as pydantic models; `lines.parse` is the one loader of all of them.

A row says what its columns hold, whatever they are written in. What a validator refuses it refuses with a
`Complaint`; the loader adds file, line and field.
"""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from knowact.datasets.lines import Complaint


class PublishedRow(BaseModel):
    """A row of a published file, or an object in one; fields that nobody here reads may be there."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def _not_blank(text: str) -> str:
    if not text.strip():
        raise Complaint("this must be a text that is not blank", "write it out")
    return text


Text = Annotated[str, AfterValidator(_not_blank)]
"""A text that says something."""
