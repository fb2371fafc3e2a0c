"""Rulings: what a message does about the parts of a task, and what a simulated user did wrong. Pure.

Both are answer forms whose quotes are checked (`reading.answer_form`), filled by a judge in several votes. A
built-in agent's message is ruled on by what it declares, in one vote, through the same checks.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from knowact.core.conversation import Called, Event, Said
from knowact.core.declared import Declared
from knowact.core.parts import Part
from knowact.core.prompts import Prompt, load_prompt
from knowact.core.votes import Vote
from knowact.reading.answer_form import AnswerForm, FormResults

MESSAGE_ACTS: Final = ("acknowledged", "claimed", "asked")
"""What a message of an agent can do about a part."""

FAULT: Final = "did"
"""What a simulated user can do about a fault."""

SHORT: Final = 200
"""Characters of a result that a judge reads where what it decides has no need of it."""

LONG: Final = 6_000
"""Characters of a result that a decision is about: three routes, or a dozen places."""

ALL: Final = ("*",)
"""In place of names of tools: all of them."""


@dataclass(frozen=True, slots=True)
class ToRule:
    """What a judge rules on.

    Attributes:
        name: Unique in a trial.
        form: What is filled.
        text: What the judge is shown, the form included.
        said: The words that quotes are checked against.
        declared: What a built-in agent says of its own words; None for every other agent.
    """

    name: str
    form: AnswerForm
    text: str
    said: str
    declared: Declared | None = None


@cache
def ruling_prompts() -> Mapping[str, Prompt]:
    """The prompts for rulings, by file name; their hashes go into the log."""
    return {name: load_prompt("knowact.roles", name) for name in ("ruling", "user_faults")}


def on_message(
    name: str,
    parts: Sequence[Part],
    before: str,
    message: str,
    *,
    shuffle: str,
    declared: Declared | None = None,
) -> ToRule:
    """What a judge is asked about one message of an agent.

    Args:
        name: Unique in the trial.
        parts: The parts of the task, the same for all versions of it.
        before: What the user said and the tools returned before the message.
        message: The agent's words.
        shuffle: The task's id: it fixes the order of the parts.
        declared: What a built-in agent declares.
    """
    form = AnswerForm.from_facts((), parts, acts=MESSAGE_ACTS, shuffle=shuffle)
    values = {"before": before, "message": message, "schema": _schema(form)}
    text = ruling_prompts()["ruling"].fill(values)
    return ToRule(name, form, text, message, declared)


def on_user(name: str, faults: Mapping[str, str], scenario: str, conversation: str) -> ToRule:
    """What a judge is asked about the lines of a simulated user, when the conversation is over.

    Args:
        name: Unique in the trial.
        faults: What could be wrong with them: by name, in words.
        scenario: What the user was told, and what only the agent may settle.
        conversation: All that both sides said.
    """
    parts = [Part(fault, words) for fault, words in faults.items()]
    form = AnswerForm.from_facts((), parts, acts=(FAULT,))
    values = {"scenario": scenario, "talk": conversation, "schema": _schema(form)}
    return ToRule(name, form, ruling_prompts()["user_faults"].fill(values), conversation)


def one_entry(question: ToRule, act: str, part: Part) -> str:
    """What a judge is shown, with one entry of the form in place of its schema, as people are asked."""
    return question.text.replace(_schema(question.form), f"{act}: {part.words}")


def _schema(form: AnswerForm) -> str:
    return as_json(form.schema())


def as_vote(results: FormResults) -> Vote | None:
    """A filled form as a vote; None where it cannot be used."""
    return {part.id: dict(part.acts) for part in results.parts} if results.valid else None


def account(
    events: Sequence[Event],
    *,
    state: Collection[str] = (),
    results: Sequence[str] = ALL,
    silent: Collection[str] = (),
    user: str = "User",
) -> str:
    """Tell a conversation to a judge, a line per event: all of it is material, marked as such.

    Args:
        events: Of the record.
        state: The variables that are told whenever they change; empty for all.
        results: The tools whose results are told at length; `ALL` for every tool.
        silent: Tools of private notes, whose calls are not told.
        user: What the user is called.
    """
    return "\n".join(_told(events, state, results, silent, user))


def _told(
    events: Sequence[Event],
    state: Collection[str],
    results: Sequence[str],
    silent: Collection[str],
    user: str,
) -> Iterator[str]:
    for event in events:
        if isinstance(event, Said):
            yield f"{user if event.role == 'user' else 'Assistant'}: {as_json(event.text)}"
        elif isinstance(event, Called) and event.tool not in silent:
            yield _call_told(event, LONG if results == ALL or event.tool in results else SHORT)
            changed = {
                change.name: change.after for change in event.changes if not state or change.name in state
            }
            if changed:
                yield f"  [now: {as_json(changed)}]"


def _call_told(call: Called, longest: int) -> str:
    came = f"failed: {call.problem.message}" if call.problem is not None else as_json(call.result)
    if len(came) > longest:
        came = f"{came[:longest]} [cut: {len(came):,} characters in all]"
    # Agents invent names of tools, too, and one with a line break in it would pass for several events.
    name = call.tool if call.tool.isidentifier() else as_json(call.tool)
    return f"[Call {name}({as_json(dict(call.arguments or {}))}) -> {came}]"


def as_json(value: Any) -> str:
    """A value as judges read it."""
    return json.dumps(value, ensure_ascii=False)
