"""Rows of published files as pydantic models, and the one loader of all of them.

A row says what its columns hold, whatever they are written in. What a validator refuses it refuses with a
`Complaint`; the loader adds file, line and field.
"""

from dataclasses import replace
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, JsonValue

from knowact.datasets.lines import Complaint, parse
from knowact.datasets.members import Members, whole_number


class PublishedRow(BaseModel):
    """A row of a published file, or an object in one; fields that nobody here reads may be there."""

    model_config = ConfigDict(frozen=True, extra="ignore")


R = TypeVar("R", bound=PublishedRow)


def _not_blank(text: str) -> str:
    if not text.strip():
        raise Complaint("this must be a text that is not blank", "write it out")
    return text


def _whole(value: JsonValue) -> int:
    number = whole_number(value)
    if number is None:
        raise Complaint("this must be a whole number", "number it as other rows and files refer to it")
    return number


Text = Annotated[str, AfterValidator(_not_blank)]
"""A text that says something."""

WholeNumber = Annotated[int, BeforeValidator(_whole)]
"""A whole number, which may be written as a text or with a point."""


def read_row(model: type[R], row: Members) -> R:
    """Build a row from an object, whose members may be spelt in another way.

    Raises:
        BadData: A member is missing, or of another kind.
    """
    names = [field.alias or name for name, field in model.model_fields.items()]
    value = {name: row.value[key] for name in names if (key := row.key(name)) is not None}
    return parse(model, replace(row, value=value))
