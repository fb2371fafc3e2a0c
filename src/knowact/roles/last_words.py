"""What an agent said last about each thing, by the answer forms of its messages. Pure.

Each message is read into a form of its own, when the conversation is over. What was said last about a thing
counts, so that an agent may correct itself in a later message; within one message, rival values state
nothing. Each form is held against the world as it stood at its message, so that "it's at 20 now", true when
it was said, is no lie once the user has asked for 22.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from knowact.core.conversation import Called, Said, Trial
from knowact.core.task import Fact
from knowact.reading.answer_form import AnswerForm, FormResults, State

Slots = Callable[[Mapping[str, JsonValue]], Sequence[Fact]]
"""From the world's variables to what is right to say then, a slot of the form each: the same slots always."""


@dataclass(frozen=True, slots=True)
class LastWord:
    """What the agent said last about one thing.

    Attributes:
        fact: What it is, and what is right in the end.
        state: As the form's slot has it; "unread" where the form that could say more cannot be used.
        step: The message; 0 where no message speaks of it.
        why: The reason in words.
    """

    fact: Fact
    state: State | Literal["unread"]
    step: int
    why: str


def last_words(trial: Trial, slots: Slots) -> tuple[LastWord, ...] | None:
    """What the agent said last about each thing, in the order of the form.

    Args:
        trial: With the forms that an extractor filled.
        slots: What is right to say, by the state of the world.

    Returns:
        A word per slot; None where some message was never read.
    """
    read = [(step, form) for step, form in _read(trial, slots) if form is not None]
    if len(read) < sum(bool(text.strip()) for text in trial.words("assistant")):
        return None
    return tuple(_last(read[::-1], place, fact) for place, fact in enumerate(slots(trial.final)))


def _last(read: Sequence[tuple[int, FormResults]], place: int, fact: Fact) -> LastWord:
    for step, form in read:
        slot = form.slots[place]
        if not form.valid:
            return LastWord(fact, "unread", step, form.why)
        if slot.state != "not_stated":
            return LastWord(fact, slot.state, step, slot.why)
    return LastWord(fact, "not_stated", 0, "the agent does not say it")


def _read(trial: Trial, slots: Slots) -> Iterator[tuple[int, FormResults | None]]:
    """Each message of the agent with its form, held against the world as it stood then."""
    filled = {form.step: form.filled for form in trial.forms}
    state = dict(trial.initial)
    for event in trial.events:
        if isinstance(event, Called):
            state.update((change.name, change.after) for change in event.changes)
        elif isinstance(event, Said) and event.role == "assistant" and event.step in filled:
            yield event.step, AnswerForm(tuple(slots(state))).score(event.text, filled[event.step])
