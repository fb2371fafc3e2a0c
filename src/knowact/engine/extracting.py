"""Extraction: a reply is read into its answer form, in a chat of its own, when the agent is done.

The role `extractor` fills the form; a built-in agent's is filled from what it declares. An invalid form is
sent back once with what is wrong with it; one that stays invalid leaves the reply unscored.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from inspect_ai.model import ChatMessage, ChatMessageUser, Model, ModelOutput
from inspect_ai.util import span

from knowact.core.declared import Declared
from knowact.engine.outputs import limit_of
from knowact.engine.roles import EXTRACTOR, as_response, keyed, players, role_reply
from knowact.people.extractor import (
    Extraction,
    Reading,
    by_declaration,
    extraction_text,
    repair_text,
    unread,
)
from knowact.reading.answer_form import AnswerForm, Results
from knowact.reading.json_text import last_object

Spend = Callable[[ModelOutput], None]
"""Writes down one call of a model, for records that tell apart who spent what."""


_LIMITS: Final[Mapping[str, str]] = {
    "tokens": "it was cut off at the token limit",
    "context": "the request did not fit the context of the model that fills it",
}


def unwritten(_: ModelOutput) -> None:
    """Write nothing down: the engine's log has every call in any case."""


async def extract(wanted: Reading, key: str) -> Extraction | None:
    """Fill the form of one reply; None where nobody can.

    Args:
        wanted: The reply and its form.
        key: What this call is about, for a file in the role.
    """
    bound = players(EXTRACTOR)
    if not bound and wanted.declared is None:
        return None
    if not wanted.reply.strip():
        return unread(wanted.form)
    if not bound:
        return by_declaration(wanted, wanted.declared or Declared())
    text = extraction_text(wanted.form, wanted.request, wanted.reply)
    async with span("extraction"):
        with keyed(key):
            results, filled, repaired = await fill(bound[0], wanted.form, text, wanted.reply)
    return Extraction(str(bound[0]), results, filled, repaired)


async def fill(
    model: Model, form: AnswerForm, text: str, reply: str, spend: Spend = unwritten
) -> tuple[Results, object, bool]:
    """Have a model fill a form; one that is invalid is sent back once with what is wrong with it.

    Args:
        model: Who fills it.
        form: What is filled.
        text: What the model is shown.
        reply: The words that quotes are checked against.
        spend: Writes down each call.

    Returns:
        What the form comes to, the form itself, and whether the first one was invalid.
    """
    schema = as_response("answer_form", form.schema())
    messages: list[ChatMessage] = [ChatMessageUser(content=text)]
    output = await role_reply(model, messages, response_schema=schema)
    spend(output)
    results, filled = _scored(form, reply, output)
    repaired = not results.valid
    # What did not fit the context fits it even less with a form and its faults behind it.
    if repaired and output.choices and limit_of(output) != "context":
        messages += [output.message, ChatMessageUser(content=repair_text(results))]
        output = await role_reply(model, messages, response_schema=schema)
        spend(output)
        results, filled = _scored(form, reply, output)
    return results, filled, repaired


def _scored(form: AnswerForm, reply: str, output: ModelOutput) -> tuple[Results, object]:
    """What a form comes to, and the form; where it is invalid, a limit of its model is the first reason."""
    filled = last_object(output.completion, whole=True)
    results, limit = form.score(reply, filled), limit_of(output)
    if results.valid or not limit:
        return results, filled
    return replace(results, problems=(_LIMITS[limit], *results.problems)), filled
