"""Transcripts: what was said and called in one trial, for people to read."""

from dataclasses import dataclass
from typing import Final

CONVERSATION: Final = "conversation"
"""The name of a conversation among a trial's probes, and of its first attempt in logs."""


def attempt_name(number: int) -> str:
    """Return the name of an attempt at a conversation in logs; `number` counts from 1."""
    return CONVERSATION if number == 1 else f"{CONVERSATION}, attempt {number}"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. `calls` holds (tool, arguments as JSON) in order; `problem` a tool's error kind.

    `decided` says why the trial failed at this message; it is empty in all others.
    The roles "state", "judge", "simulated user" and "limit" are no messages. They hold what the agent never
    saw: changes of the world, control words, rulings, limits of the model.
    """

    role: str
    text: str
    calls: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    decided: str = ""


@dataclass(frozen=True, slots=True)
class Transcript:
    """One trial's messages, by probe, in the order of asking. `error` is the engine's, if it failed."""

    item: str
    condition: str
    epoch: int
    probes: tuple[tuple[str, tuple[Turn, ...]], ...]
    error: str = ""
