"""From runs to a report: everything that the page, the JSON and the CSV files show, computed once.

It knows a suite only by its `Suite` object: tables, figures and the verdict in words are made there.
What is added here is the bookkeeping that holds for every suite (interfaces.md, "Report" and "Scoring
failures"; validity.md, section 5): how many trials were planned, recorded and scored, how they ended,
and whether a headline may be quoted.
"""

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from knowact.core.record import Ending, Record, Status
from knowact.core.suite import Suite
from knowact.core.table import Figure, Run, Table
from knowact.core.transcript import Transcript
from knowact.measures.summary import QUOTABLE, bounds
from knowact.report import readers
from knowact.report.limits import limits_in_words
from knowact.report.readers import Rates, Reader, no_rates

EMBED_LIMIT = 500
"""Up to so many trials the page carries their transcripts; above, it would grow to tens of megabytes."""

TrialKey: TypeAlias = tuple[str, str, str, int]
"""Run, item, condition, epoch."""


@dataclass(frozen=True, slots=True)
class ReportInput:
    """What a report is made from.

    Attributes:
        suites: Each suite with its runs, in the order shown. Ids of runs are unique over all of them.
        transcripts: Those that are at hand; they are shown for up to `EMBED_LIMIT` trials.
        view_command: The command that opens one trial in the engine's viewer.
        rates: The measured error rates of models in roles.
    """

    suites: Sequence[tuple[Suite, Sequence[Run]]]
    transcripts: Mapping[TrialKey, Transcript]
    view_command: Callable[[Run, Record], str]
    rates: Rates = no_rates


@dataclass(frozen=True, slots=True)
class Bounds:
    """The mean of the headline verdict, and what it would be with all unscored trials wrong or right.

    Attributes:
        measure: The verdict's name.
        value: Its mean over the trials that have it.
        wrong: The mean if every unscored trial counted 0.
        right: The mean if every unscored trial counted 1.
        unscored: How many trials lack this verdict; those that lack another one only are not among them.
    """

    measure: str
    value: float
    wrong: float
    right: float
    unscored: int


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run, in words and counts.

    Attributes:
        verdict: The result in words, the most important sentence first; empty when nothing was scored.
        no_headline: Why the headline is not judged, and what to do about it, which is the first sentence
            then; empty where there is one, and where nothing was scored.
        warnings: What a reader must know before quoting anything.
        endings: By probe, how often each ending occurred.
        judged: By measure, how often each status other than a value occurred.
        readers: Who read what the agent said, and who else played a role.
        reading: What happened while it was read, each by its name and how often ("forms repaired").
        unscored: Planned trials that lack something: never recorded, spoilt by the instrument, or without
            some verdict because a form stayed invalid or the judge had no majority.
        bounds: Only where some trial lacks the headline verdict and that lies between 0 and 1.
    """

    run: Run
    verdict: tuple[str, ...]
    warnings: tuple[str, ...]
    endings: Mapping[str, Mapping[str, int]]
    judged: Mapping[str, Mapping[str, int]]
    unscored: int
    bounds: Bounds | None
    no_headline: str = ""
    readers: tuple[Reader, ...] = ()
    reading: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def recorded(self) -> int:
        """Trials that came to an end, well or badly."""
        return len(self.run.records)

    @property
    def quotable(self) -> bool:
        """Whether few enough trials are unscored for the headline to be quoted."""
        return bool(self.run.scored) and self.unscored <= QUOTABLE * self.run.planned


@dataclass(frozen=True, slots=True)
class SuiteSection:
    """Everything about one suite. `warnings` hold for all its runs together, and stand above all numbers."""

    suite: Suite
    runs: tuple[RunSummary, ...]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One trial. `transcript` is None where it is not embedded; `view` is the command that opens it."""

    run: Run
    record: Record
    view: str
    transcript: Transcript | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A finished report; `as_json`, `as_csv` and `page` only write it down."""

    sections: tuple[SuiteSection, ...]
    items: tuple[ItemRow, ...]

    @property
    def runs(self) -> tuple[RunSummary, ...]:
        """All runs, over all suites."""
        return tuple(run for section in self.sections for run in section.runs)


def build(source: ReportInput) -> Report:
    """Make a report.

    Suites without a run are left out. A table or figure whose id occurs in several suites gets the
    suite's name in front, so that ids are unique in a report.

    Raises:
        ValueError: Two runs have the same id, or one suite has two tables or figures of the same id.
    """
    chosen = [(suite, tuple(runs)) for suite, runs in source.suites if runs]
    ids = Counter(run.id for _, runs in chosen for run in runs)
    twice = [run for run, count in ids.items() if count > 1]
    if twice:
        raise ValueError(f"two runs of one report have the id {twice[0]!r}")
    sections = _with_unique_ids([_section(suite, runs, source.rates) for suite, runs in chosen])
    return Report(sections=sections, items=_items(source, [run for _, runs in chosen for run in runs]))


def summary(suite: Suite, run: Run, rates: Rates = no_rates) -> RunSummary:
    """Sum up one run; also for the lines that close `knowact run`."""
    unread = _judge_errors(run, suite.measures)
    unscored = max(0, run.planned - run.scored) + unread
    silent = readers.not_judged(suite, run)
    said = _headline(suite, run) if run.scored else ()
    return RunSummary(
        run=run,
        verdict=(silent, *said) if silent else said,
        no_headline=silent,
        warnings=(*readers.warnings_of(run), *_warnings(run, unscored, unread)),
        readers=readers.readers(run, rates),
        reading=readers.reading_counts(suite, run.records),
        endings=_endings(run.records),
        judged=_judged(suite, run.records),
        unscored=unscored,
        bounds=_bounds(suite, run),
    )


def _headline(suite: Suite, run: Run) -> tuple[str, ...]:
    """The suite's sentences; the first one is never shown without the limits that it rests on."""
    said = suite.verdict(run)
    return (" ".join([*limits_in_words(run), *said[:1]]), *said[1:]) if said else tuple(limits_in_words(run))


def _section(suite: Suite, runs: tuple[Run, ...], rates: Rates) -> SuiteSection:
    mixture = readers.mixture_warning(runs)
    return SuiteSection(
        suite=suite,
        runs=tuple(summary(suite, run, rates) for run in runs),
        tables=tables(suite, runs),
        figures=tuple(make(labelled(runs)) for make in suite.figures),
        warnings=(mixture,) if mixture else (),
    )


def labelled(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Runs whose models are named as tables and figures show them: self-read ones say so."""
    return tuple(dataclasses.replace(run, model=readers.label(run)) for run in runs)


def tables(suite: Suite, runs: Sequence[Run]) -> tuple[Table, ...]:
    """A suite's tables of some runs, which rank only what was read by the same models."""
    alike = not readers.mixture_warning(runs)
    unranked = frozenset(readers.label(run) for run in runs if run.self_read)
    shown = labelled(runs)
    return tuple(
        dataclasses.replace(table, highest=table.highest and alike, unranked=unranked)
        for table in (make(shown) for make in suite.tables)
    )


def _with_unique_ids(sections: Sequence[SuiteSection]) -> tuple[SuiteSection, ...]:
    owners: Counter[str] = Counter()
    for section in sections:
        own = [part.id for part in (*section.tables, *section.figures)]
        twice = [name for name, count in Counter(own).items() if count > 1]
        if twice:
            raise ValueError(
                f"suite {section.suite.name!r} has two tables or figures with the id {twice[0]!r}"
            )
        owners.update(own)

    def unique(name: str, section: SuiteSection) -> str:
        return f"{section.suite.name}-{name}" if owners[name] > 1 else name

    return tuple(
        dataclasses.replace(
            section,
            tables=tuple(dataclasses.replace(t, id=unique(t.id, section)) for t in section.tables),
            figures=tuple(dataclasses.replace(f, id=unique(f.id, section)) for f in section.figures),
        )
        for section in sections
    )


def _items(source: ReportInput, runs: Sequence[Run]) -> tuple[ItemRow, ...]:
    embed = sum(len(run.records) for run in runs) <= EMBED_LIMIT

    def transcript(run: Run, record: Record) -> Transcript | None:
        key = (run.id, record.item, record.condition, record.epoch)
        return source.transcripts.get(key) if embed else None

    return tuple(
        ItemRow(run, record, source.view_command(run, record), transcript(run, record))
        for run in runs
        for record in run.records
    )


def _warnings(run: Run, unscored: int, unread: int) -> tuple[str, ...]:
    if not run.scored:
        return (f"None of the {run.planned:,} planned trials was scored. {_reason(run)}",)
    found: list[str] = []
    if len(run.records) < run.planned:
        missing = run.planned - len(run.records)
        found.append(f"Not finished: {missing:,} of {run.planned:,} planned trials have no record.")
    if unscored > QUOTABLE * run.planned:
        lack = "are unscored or not wholly read" if unread else "are unscored"
        found.append(
            f"Not to be quoted: {unscored:,} of {run.planned:,} planned trials {lack}, "
            f"{100 * unscored / run.planned:.1f} % of them; at most {100 * QUOTABLE:.0f} % may be."
        )
    return tuple(found)


def _reason(run: Run) -> str:
    if run.problems:
        return run.problems[0]
    if not run.records:
        return "No trial left a record."
    failed = Counter(e.value for record in run.records for e in record.endings.values() if e.instrument)
    most = ", ".join(f"{ending.replace('_', ' ')} ({count})" for ending, count in failed.most_common())
    return f"The probes ended with: {most}."


def _endings(records: Sequence[Record]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[Ending]] = {}
    for record in records:
        for probe, ending in record.endings.items():
            counts.setdefault(probe, Counter())[ending] += 1
    return {
        probe: {ending.value: found[ending] for ending in Ending if ending in found}
        for probe, found in counts.items()
    }


def _judged(suite: Suite, records: Sequence[Record]) -> dict[str, dict[str, int]]:
    shown: dict[str, dict[str, int]] = {}
    for measure in suite.measures:
        found = Counter(r.verdicts[measure].status for r in records if measure in r.verdicts)
        without = {status.value: found[status] for status in Status if status in found}
        without.pop(Status.VALUE.value, None)
        if without:
            shown[measure] = without
    return shown


def _judge_errors(run: Run, measures: Sequence[str]) -> int:
    """Scored trials that lack one of some measures because a form or the judge failed."""
    return sum(
        any(
            (verdict := record.verdicts.get(name)) is not None and verdict.status is Status.JUDGE_ERROR
            for name in measures
        )
        for record in run.records
        if record.scored
    )


def _bounds(suite: Suite, run: Run) -> Bounds | None:
    valued = (one for one in suite.measures if not all(math.isnan(r.value(one)) for r in run.records))
    headline = next(valued, None)
    if headline is None:
        return None
    unscored = max(0, run.planned - run.scored) + _judge_errors(run, (headline,))
    if not unscored:
        return None
    every = (record.value(headline) for record in run.records if record.scored)
    values = [value for value in every if not math.isnan(value)]
    if not values or not all(0 <= value <= 1 for value in values):
        return None
    ends = bounds(np.array(values), missing=unscored)
    if ends.low is None or ends.high is None:
        return None
    return Bounds(headline, math.fsum(values) / len(values), ends.low, ends.high, unscored)
