"""What a reader has to know before any number: one list above all of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core.record import Outcome
from knowact.core.table import Run
from knowact.core.transcript import Transcript, Transcripts, no_transcripts
from knowact.report.readers import Reader

MUCH: Final = 0.2
"""A probe of which more than this share could not be read says little about the agent."""

ASSISTANT: Final = "assistant"


@dataclass(frozen=True, slots=True)
class Unread:
    """A probe of a run whose replies often could not be read, with one such reply where it is at hand."""

    probe: str
    count: int
    asked: int
    reply: str

    def __str__(self) -> str:
        return (
            f"Unreadable: {self.count:,} of {self.asked:,} replies to {self.probe.replace('_', ' ')} could "
            "not be read, and count as wrong."
        )


LOOKED_INTO: Final = 5
"""Trials whose transcripts are read in search of a reply to show."""


def unread(run: Run, transcripts: Transcripts = no_transcripts) -> tuple[Unread, ...]:
    """The probes of a run of which more than `MUCH` could not be read.

    Args:
        run: The run.
        transcripts: Reads transcripts, for one reply to show.
    """
    unreadable: list[Unread] = []
    for probe in dict.fromkeys(name for record in run.records for name in record.outcomes):
        asked = [r for r in run.records if r.outcomes.get(probe, Outcome.NOT_RUN) is not Outcome.NOT_RUN]
        lost = [record for record in asked if record.outcomes[probe] is Outcome.UNREADABLE]
        if len(lost) > MUCH * len(asked):
            reply = next(_replies(probe, transcripts(run, lost[:LOOKED_INTO])), "")
            unreadable.append(Unread(probe, len(lost), len(asked), reply))
    return tuple(unreadable)


def _replies(probe: str, transcripts: Iterable[Transcript]) -> Iterator[str]:
    """The last words of the agent in each of some trials."""
    for kept in transcripts:
        for name, turns in kept.probes:
            if name == probe:
                yield from (turn.text for turn in reversed(turns) if turn.role == ASSISTANT and turn.text)


def not_calibrated(readers: Sequence[Reader]) -> Iterator[str]:
    """A sentence for each model in a role that reads replies, and whose error rates nobody measured."""
    for reader in readers:
        if reader.measure and reader.role in {"extractor", "judge"}:
            errs = f"{reader.by} errs as {reader.role}"
            yield f"Not calibrated: nobody measured how often {errs}. Run: {reader.measure}"
