"""Asking the models that read replies: an extractor fills answer forms, a judge votes and rules.

Each is asked in a chat of its own when the agent is done. What a built-in agent declares of its words takes a
model's place. An invalid form is sent back once with what is wrong with it; one that stays invalid leaves the
reply unscored.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from inspect_ai.model import ChatMessage, ChatMessageUser, Model, ModelOutput
from inspect_ai.util import span

from knowact.core.declared import Declared
from knowact.core.votes import Vote
from knowact.engine.outputs import limit_of
from knowact.engine.roles import EXTRACTOR, JUDGE, as_response, keyed, players, role_reply
from knowact.engine.stored import Kept
from knowact.reading.answer_form import AnswerForm, FormResults
from knowact.reading.json_text import last_object
from knowact.roles.extractor import (
    Extraction,
    Reading,
    by_declaration,
    extraction_text,
    repair_text,
    unread,
)
from knowact.roles.judge import UNREADABLE, VOTE_LIMITS, Ballot, Votes, read_member, read_vote
from knowact.roles.ruling import ToRule, as_vote

Spend = Callable[[ModelOutput], None]
"""Writes down one call of a model, for records that tell apart who spent what."""


_LIMITS: Final[Mapping[str, str]] = {
    "tokens": "it was cut off at the token limit",
    "context": "the request did not fit the context of the model that fills it",
}


def unwritten(_: ModelOutput) -> None:
    """Write nothing down: the engine's log has every call in any case."""


async def extract(
    wanted: Reading, key: str, stored: Kept | None = None, *, spend: Spend = unwritten
) -> Extraction | None:
    """Fill the form of one reply; None where nobody can.

    Args:
        wanted: The reply and its form.
        key: What this call is about, for a file in the role.
        stored: What was filled before; it stands where nobody is bound.
        spend: Writes down each call.
    """
    bound = players(EXTRACTOR)
    if not bound and stored is not None and (before := stored.extraction(wanted)) is not None:
        return before
    if not bound and wanted.declared is None:
        return None
    if not wanted.reply.strip():
        return unread(wanted.form)
    if not bound:
        return by_declaration(wanted, wanted.declared or Declared())
    text = extraction_text(wanted.form, wanted.request, wanted.reply)
    async with span("extraction"):
        with keyed(key):
            results, filled, repaired = await fill(bound[0], wanted.form, text, wanted.reply, spend)
    return Extraction(str(bound[0]), results, filled, repaired)


async def fill(
    model: Model, form: AnswerForm, text: str, reply: str, spend: Spend = unwritten
) -> tuple[FormResults, object, bool]:
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


def _scored(form: AnswerForm, reply: str, output: ModelOutput) -> tuple[FormResults, object]:
    """What a form comes to, and the form; where it is invalid, a limit of its model is the first reason."""
    filled = last_object(output.completion, whole=True)
    results, limit = form.score(reply, filled), limit_of(output)
    if results.valid or not limit:
        return results, filled
    return replace(results, problems=(_LIMITS[limit], *results.problems)), filled


async def poll(
    ballot: Ballot, key: str = "", spend: Spend = unwritten, stored: Kept | None = None
) -> Votes | None:
    """Ask the judge for its votes; several bound models take turns.

    Without a judge, a built-in agent's own declaration is the one vote; for every other agent nobody votes.

    Args:
        ballot: The question.
        key: What it is about, for a file in the role; the number of the vote is added.
        spend: Writes down each call, for records that tell apart who spent what.
        stored: What was cast before; it stands where nobody is bound.
    """
    judges = players(JUDGE)
    if not judges and stored is not None and (before := stored.votes_on(ballot)) is not None:
        return before
    if not judges:
        return Votes(ballot.choices, (ballot.declared,)) if ballot.declared else None
    cast: list[str] = []
    why: list[str] = []
    quotes: list[str] = []
    async with span("judging"):
        for number in range(ballot.votes):
            # Every model sees every prompt: prompts change with each vote, models after a round of prompts.
            model = judges[number // len(ballot.prompts) % len(judges)]
            prompt = ballot.prompts[number % len(ballot.prompts)]
            with keyed(f"{key}/{ballot.name}/{number + 1}"):
                output = await role_reply(model, prompt)
            spend(output)
            cast.append(read_vote(output.completion, ballot.choices, ballot.told))
            limit = VOTE_LIMITS.get(limit_of(output), "") if cast[-1] == UNREADABLE else ""
            why.append(limit or read_member(output.completion, "why"))
            quotes.append(read_member(output.completion, "quote"))
    return Votes(ballot.choices, tuple(cast), tuple(why), tuple(quotes))


async def rule(question: ToRule, votes: int, key: str, spend: Spend = unwritten) -> list[Vote | None] | None:
    """Ask the judge for rulings on words, each a form of its own; several bound models take turns.

    Without a judge, what a built-in agent declares of its words is the one ruling; for every other agent
    nobody rules.

    Args:
        question: The words and the form.
        votes: How many rulings are asked for.
        key: What it is about, for a file in the role; name and number of the vote are added.
        spend: Writes down each call.

    Returns:
        The votes; None among them for a form that stayed invalid.
    """
    form, judges = question.form, players(JUDGE)
    if not judges:
        declared = question.declared
        return None if declared is None else [as_vote(form.score(question.said, form.declared(declared)))]
    theirs = last_object(question.said)
    cast: list[Vote | None] = []
    async with span("judging"):
        for number in range(votes):
            with keyed(f"{key}/{question.name}/{number + 1}"):
                model = judges[number % len(judges)]
                results, filled, _ = await fill(model, form, question.text, question.said, spend)
            # Who is judged may have written a form for the judge to copy.
            cast.append(None if filled and filled == theirs else as_vote(results))
    return cast
