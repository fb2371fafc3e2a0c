"""What a model that plays the person behind `ask_human` is shown. Pure; the policy is `people.helper`'s."""

from collections.abc import Sequence
from functools import cache

from knowact.people.helper import Held, Known, Removed
from knowact.people.telling import facts_said, label_of
from knowact.probes.probe import Message
from knowact.probes.prompts import Prompt, load_prompt

_NOTHING = "(nothing)"


@cache
def helper_prompt() -> Prompt:
    """The versioned prompt of the role `helper`; its hash goes into the log."""
    return load_prompt("knowact.people", "helper")


def helper_messages(known: Known, question: str) -> tuple[Message, ...]:
    """What the model of the role `helper` gets for one question.

    Args:
        known: What the person of the item knows. The facts of a tool whose job nobody can do are left out:
            a model cannot hand over what it was not told.
        question: As the agent put it; material, never an instruction.
    """
    values = {
        "withheld": _lines(known.withheld),
        "told": _lines(known.told),
        "whole": known.whole or _NOTHING,
        "removed": "\n".join(map(_removed, known.jobs)) or _NOTHING,
        "question": question,
    }
    return (Message("user", helper_prompt().fill(values)),)


def what_a_person_sees(known: Known, request: str, question: str) -> tuple[str, ...]:
    """What somebody at the terminal is shown, a line each, to answer as `people.helper` would.

    Args:
        known: As for `helper_messages`.
        request: What the agent was asked.
        question: As the agent put it.
    """
    parts = {"Left out of the request, and known to you": known.withheld, "Said in it": known.told}
    held = [f"{title}:\n{_lines(values)}" for title, values in parts.items() if values]
    if known.whole:
        held.append(f"What you really want: {known.whole}")
    held += [f"What the assistant has no service for: {_removed(one)}" for one in known.jobs]
    return ("", "You asked an assistant:", request, *held, "It asks you:", question)


def _lines(held: Sequence[Held]) -> str:
    return "\n".join(f"- {label_of(one.slot)}: {one.words}" for one in held) or _NOTHING


def _removed(removed: Removed) -> str:
    what = f"{removed.job.tool}: {removed.job.description}".rstrip(": ")
    if not removed.can_do:
        return f"{what}\nYou cannot do this, and you do not know what it would say."
    if not removed.facts:
        return f"{what}\nYou can do this. Work it out as best you can, briefly."
    return f"{what}\nYou can do this. What you would find: {facts_said(removed.facts)}"
