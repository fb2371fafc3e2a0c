"""What a simulated user did wrong: what code can tell, and what a judge is asked. Pure.

A trial whose user was at fault says nothing about the agent. Nobody is excused because a trial went wrong:
neither the code nor the judge sees calls, reward or agent.
"""

from collections.abc import Mapping
from typing import Final

from knowact.core.conversation import Ruled, Said, Trial

JUDGED: Final[Mapping[str, str]] = {
    "made_up": "the user says a wish, a number or a name that neither the scenario holds nor the assistant "
    "has said",
    "revealed": "the user gives a detail that nobody asked for and that the scenario keeps for later, or "
    "answers for what the scenario leaves to the assistant",
    "agreed": "the user agrees to a proposal that the scenario speaks against, or declines one that it wants",
    "skipped_wish": "the user leaves without having raised a wish of the scenario (quote the last line)",
    "early_stop": "the user leaves while the assistant waits for an answer or has announced something that "
    "is still to be done (quote the assistant's last words)",
    "in_circles": "the user says the same thing again and again although the assistant has answered it",
    "gave_up": "the user leaves as out of script although the assistant has asked nothing beside it (quote "
    "the assistant's last words)",
}
"""What a judge looks for: by name, in words."""

FAULTS: Final[Mapping[str, str]] = {
    **JUDGED,
    "empty": "the user says nothing",
    "unreadable": "the user replies with neither a message nor a control word, or with both",
    "overlong": "the user says more than anybody would in one message",
    "gone": "the user is no longer there: the input of the terminal has come to its end",
}
"""All faults. The last four are found where a line is read (`people.lines`, `engine.users`)."""


def left_at_once(trial: Trial) -> bool:
    """Whether the user left before the agent had said anything, which needs no judge."""
    answered = any(isinstance(event, Said) and event.role == "assistant" for event in trial.events)
    left = any(isinstance(event, Ruled) and event.by == "user" for event in trial.events)
    return left and not answered


def conversation_text(trial: Trial) -> str:
    """All that both sides said, a line each, and how the user left."""
    lines = [_line(event) for event in trial.events if isinstance(event, Said)]
    left = [event for event in trial.events if isinstance(event, Ruled) and event.by == "user"]
    return "\n".join([*lines, *(f"[The user leaves: {event.word}]" for event in left)])


def _line(event: Said) -> str:
    return f"{'User' if event.role == 'user' else 'Assistant'}: {event.text}"
