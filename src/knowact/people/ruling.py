"""Rulings: what a message does about the parts of a task, and what a simulated user did wrong. Pure.

Both are answer forms whose quotes are checked (`reading.answer_form`), filled by a judge in several votes. A
built-in agent's message is ruled on by what it declares, in one vote, through the same checks.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from knowact.core.declared import Declared
from knowact.core.parts import Part
from knowact.core.prompts import Prompt, load_prompt
from knowact.core.votes import Vote
from knowact.reading.answer_form import AnswerForm, Results

MESSAGE_ACTS: Final = ("acknowledged", "claimed", "asked")
"""What a message of an agent can do about a part."""

FAULT: Final = "did"
"""What a simulated user can do about a fault."""


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
    return {name: load_prompt("knowact.people", name) for name in ("ruling", "user_faults")}


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


def on_user(name: str, faults: Mapping[str, str], scenario: str, talk: str) -> ToRule:
    """What a judge is asked about the lines of a simulated user, when the conversation is over.

    Args:
        name: Unique in the trial.
        faults: What could be wrong with them: by name, in words.
        scenario: What the user was told, and what only the agent may settle.
        talk: All that both sides said.
    """
    parts = [Part(fault, words) for fault, words in faults.items()]
    form = AnswerForm.from_facts((), parts, acts=(FAULT,))
    values = {"scenario": scenario, "talk": talk, "schema": _schema(form)}
    return ToRule(name, form, ruling_prompts()["user_faults"].fill(values), talk)


def _schema(form: AnswerForm) -> str:
    return json.dumps(form.schema(), ensure_ascii=False)


def as_vote(results: Results) -> Vote | None:
    """A filled form as a vote; None where it cannot be used."""
    return {part.id: dict(part.acts) for part in results.parts} if results.valid else None
