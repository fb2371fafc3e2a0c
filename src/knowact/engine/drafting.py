"""The role `writer` reads prose documentation, for `knowact tools draft`."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from knowact.core.prompts import Prompt
from knowact.forge.asking import NotYet, ToAsk, not_as_asked
from knowact.tools.prose import Piece
from knowact.tools.prose_form import Form, checked, form_schema

TOLD: Final = 10
"""Unsupported entries that a model is told of, so that it can correct them."""


def to_read(one: Piece, prompt: Prompt) -> ToAsk[tuple[Piece, Form]]:
    """Ask a model to fill a form for a piece of documentation.

    A form with quotes that don't stand in its piece is sent back once. What then still has none is for
    whoever merges the forms to throw away.
    """
    schema = form_schema()

    def read(reply: Mapping[str, Any], attempt: int) -> tuple[Piece, Form]:
        if not any(name in reply for name in Form.model_fields):
            raise NotYet
        try:
            form = Form.model_validate(reply)
        except ValidationError as error:
            raise not_as_asked(error) from error
        _, dropped = checked(one, form)
        if dropped and attempt == 1:
            raise NotYet(*dropped[:TOLD])
        return one, form

    where = f"{one.file}, piece {one.number}"
    text = prompt.fill({"piece": where, "text": one.text})
    return ToAsk(f"{one.file}.{one.number}", text, read, f"no usable reading of {where}", schema=schema)
