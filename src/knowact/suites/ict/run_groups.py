"""Row heads of the tables: one run and what is not as usual about it; and records as answers."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core.record import Outcome, Record, Status
from knowact.core.table import Run
from knowact.measures.confusion import Answer, Said
from knowact.measures.run_tables import Head, row_heads
from knowact.probes.strategies import NONE
from knowact.roles.baseline import ANNOTATOR
from knowact.suites.ict.asked import EXPLICIT, IMPLICIT
from knowact.suites.ict.conduct import CALL, CLASSES, RESTRAINED
from knowact.suites.ict.layout import PARTS
from knowact.suites.ict.probes import ZERO, of_the_question

COLUMNS: Final = tuple(part.short for part in PARTS)
"""AR-AB, AR-TB, UR-AB, UR-TB: replacements and removals, in dialogues and in single requests."""


@dataclass(frozen=True, slots=True)
class RunGroup:
    """One run. `keys` is its row head; `strategy` and `plain` say how it asked."""

    run: Run
    keys: Mapping[str, str]

    @property
    def strategy(self) -> str:
        """How the explicit question was asked."""
        return of_the_question(str(self.run.options.get("strategy", ZERO)))

    @property
    def plain(self) -> bool:
        """Whether it was asked in one plain text, as base models are."""
        return bool(self.run.options.get("plain", False))

    @property
    def published(self) -> bool:
        """Whether it counts by the published rules."""
        return self.run.options.get("rules") == "published"

    @property
    def output_tokens(self) -> str:
        """Mean output tokens of one trial, over all of its probes."""
        written = [record.tokens[1] for record in self.run.records if record.scored]
        return f"{sum(written) / len(written):,.0f}" if written else ""

    def records(self, part: str = "", kind: str = "paper", *, scored: bool = True) -> list[Record]:
        """The scored records of a part, or of all parts; those after a call's outcome are not among them."""
        return [
            record
            for record in self.run.records
            if (record.scored or not scored)
            and "call" not in record.labels
            and record.labels.get("kind") == kind
            and (not part or record.labels["part"] == part)
        ]

    @property
    def unjudged(self) -> int:
        """Trials whose words nobody read. Conduct is then not given: what is left would be no fair sample."""
        return _left_unread(self.records())


def groups(runs: Sequence[Run]) -> list[RunGroup]:
    """One per run of an agent, told apart by strategy, data and whatever else differs; people stand apart."""
    runs = [run for run in runs if ANNOTATOR not in run.options]
    heads = row_heads([(run, {"model": run.model, "strategy": _strategy(run)}) for run in runs])
    return [RunGroup(run, keys) for run, keys in zip(runs, heads, strict=True)]


def heads(runs: Sequence[Run]) -> list[Head]:
    """The row heads with all their records, for the tables that every suite has."""
    return [Head(group.keys, group.run.records) for group in groups(runs)]


def _strategy(run: Run) -> str:
    strategy = str(run.options.get("strategy", ZERO))
    return (ZERO if strategy == NONE else strategy) + (", plain" if run.options.get("plain") else "")


def _left_unread(records: Iterable[Record]) -> int:
    results = [record.results.get(IMPLICIT) for record in records if record.scored]
    return sum(one is not None and one.status is Status.NOT_JUDGED for one in results)


def explicit_answers(records: Iterable[Record], probe: str = EXPLICIT) -> list[Answer]:
    """What was said, item by item."""
    return _answers(records, probe, lambda record: _said(record, probe))


def conduct_answers(records: Iterable[Record]) -> list[Answer]:
    """What was done, as yes (a call), no (a question or a statement of limits) or neither of them.

    By the published rules, which read no words, anything but a call is a no.
    """
    return _answers(records, IMPLICIT, _conduct)


def all_or_none(records: Sequence[Record]) -> list[Answer]:
    """What was done on the paper's two classes; nothing where some of the replies were not read.

    Calls are seen without a reader, so that what is left would be no fair sample.
    """
    paper = [record for record in records if record.labels.get("kind") == "paper"]
    return [] if _left_unread(paper) else conduct_answers(paper)


def _answers(records: Iterable[Record], probe: str, answer: Callable[[Record], Said | None]) -> list[Answer]:
    return [
        Answer(pair_of(record), not _lacks(record), answer(record), record.cluster)
        for record in records
        if record.outcomes.get(probe, Outcome.NOT_RUN) is not Outcome.NOT_RUN
    ]


def pair_of(record: Record) -> str:
    """Epochs are pairs of their own, and so are the outcomes of a call."""
    return f"{record.labels['pair']} {record.labels.get('call', '')} {record.epoch}"


def _lacks(record: Record) -> bool:
    return record.labels["gold"] != "complete"


def _said(record: Record, probe: str) -> Said | None:
    if record.outcomes[probe].instrument:
        return None
    if record.outcomes[probe] is not Outcome.ANSWERED:
        return "unreadable"
    right = record.value(probe) == 1
    yes = right != _lacks(record)
    return "yes" if yes else "no"


def _done(record: Record) -> Said | None:
    called = record.value("called")
    return None if math.isnan(called) else "yes" if called else "no"


def _conduct(record: Record) -> Said | None:
    if math.isnan(record.value(IMPLICIT)):
        return None
    if not any(f"implicit_{name}" in record.flags for name in CLASSES):
        return _done(record)  # by the published rules words have no class
    if record.value(IMPLICIT) == 1:
        return "no" if _lacks(record) else "yes"
    if f"implicit_{CALL}" in record.flags:
        return "yes"
    return "no" if any(f"implicit_{name}" in record.flags for name in RESTRAINED) else "unreadable"
