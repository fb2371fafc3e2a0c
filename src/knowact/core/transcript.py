"""Transcripts: what was said and called in one trial, for people to read."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from knowact.core.record import Record
from knowact.core.table import Run

CONVERSATION: Final = "conversation"
"""The name of a conversation among a trial's probes, and of its first attempt in logs."""


def attempt_name(number: int) -> str:
    """Return the name of an attempt at a conversation in logs; `number` counts from 1."""
    return CONVERSATION if number == 1 else f"{CONVERSATION}, attempt {number}"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. `calls` holds (tool, arguments as JSON) in order.

    `problem` is a tool's error kind, or the error with which an agent that is no model broke off.

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


Transcripts: TypeAlias = Callable[[Run, Sequence[Record]], Iterable[Transcript]]
"""Reads the transcripts of some trials of one run, in any order; a trial that has none is left out."""


def no_transcripts(run: Run, records: Sequence[Record]) -> Iterable[Transcript]:  # noqa: ARG001 - a protocol's
    """There are none."""
    return ()
