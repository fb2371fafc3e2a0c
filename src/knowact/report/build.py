"""From runs to a report: everything that the page, the JSON and the CSV files show, computed once.

Tables, figures and headline come from the `Suite` object. This module adds the bookkeeping of every suite:
how many trials were planned, recorded and scored, their outcomes, and whether the headline may be quoted.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from knowact.core.record import (
    CRASHED,
    CUT_OFF,
    OUT_OF_TIME,
    OUTCOME_NAMES,
    OVER_CONTEXT,
    Outcome,
    Record,
    Status,
)
from knowact.core.suite import Suite
from knowact.core.table import DatasetInfo, Figure, Run, Table
from knowact.core.transcript import Transcript, Transcripts, no_transcripts
from knowact.measures.going_ahead import sets_figure, sets_table, sizes_table
from knowact.measures.headline import not_judged
from knowact.measures.losses import Bounds, Trials, bounds, trials_of
from knowact.measures.profile import profile_table, usual
from knowact.measures.summary import QUOTABLE
from knowact.report import readers
from knowact.report.overview import (
    NOTHING,
    Overview,
    headlines_table,
    knowing_figure,
    knowing_table,
    overview,
)
from knowact.report.pictures import same_colours
from knowact.report.readers import ReaderRates, RolePlayer, no_rates
from knowact.report.treatments import treatments

HEADLINES = 2
"""Tables that come before the figures; suites list their most important tables first."""

MANY = 0.1
"""A limit that ended a smaller share of a probe's trials barely moves the headline."""

TrialKey: TypeAlias = tuple[str, str, str, int]
"""Run, item, condition, epoch."""


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


@dataclass(frozen=True, slots=True)
class ReportInput:
    """The input of a report.

    Attributes:
        suites: Each suite with its runs, in the order shown. Run ids are unique.
        transcripts: Reads transcripts; called for as many trials as the page has room for.
        view_command: The command that opens one trial in the engine's viewer.
        rates: The measured error rates of models in roles.
        more: Further tables, by the suite's name, to stand behind its own.
    """

    suites: Sequence[tuple[Suite, Sequence[Run]]]
    transcripts: Transcripts
    view_command: Callable[[Run, Record], str]
    rates: ReaderRates = no_rates
    more: Mapping[str, Sequence[Table]] = field(default_factory=dict[str, Sequence[Table]])


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run, in words and counts.

    Attributes:
        headline: The result in sentences, the most important one first; empty if nothing was scored.
        no_headline: Why the headline is not judged, and the fix; then it is the first sentence of `headline`.
            Empty if the headline is judged or nothing was scored.
        warnings: What to know before quoting a number.
        outcomes: Per probe, how often it ended in each way (`Record.outcome_names`).
        judged: Per measure, how often each status other than a value occurred.
        readers: The models in roles.
        reading: Events of reading replies, by name, and how often ("forms repaired").
        trials: The planned trials by what became of them.
        bounds: Only if some trial that the headline would rest on was lost.
        unread: The probes of which so much could not be read that a reader has to know it first.
    """

    run: Run
    headline: tuple[str, ...]
    warnings: tuple[str, ...]
    outcomes: Mapping[str, Mapping[str, int]]
    judged: Mapping[str, Mapping[str, int]]
    trials: Trials
    bounds: Bounds | None
    no_headline: str = ""
    readers: tuple[RolePlayer, ...] = ()
    reading: Mapping[str, int] = field(default_factory=dict[str, int])
    unread: tuple[Unread, ...] = ()

    @property
    def recorded(self) -> int:
        """Trials with a record, scored or not."""
        return len(self.run.records)

    @property
    def quotable(self) -> bool:
        """Whether so few trials are unscored that the headline may be quoted."""
        return bool(self.run.scored) and _lacking(self.trials) <= QUOTABLE * self.run.planned


@dataclass(frozen=True, slots=True)
class SuiteSection:
    """Everything about one suite. `warnings` are about all its runs together, and come before all numbers."""

    suite: Suite
    runs: tuple[RunSummary, ...]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One trial. `view` is the command that opens it in the engine's viewer."""

    run: Run
    record: Record
    view: str


def trial_key(item: ItemRow) -> TrialKey:
    """What names a trial among those of all runs."""
    return item.run.id, item.record.item, item.record.condition, item.record.epoch


@dataclass(frozen=True, slots=True)
class Report:
    """A finished report, which `as_json`, `as_csv` and `page` write.

    Attributes:
        tables: Those of several suites together.
        figures: Likewise.
        transcripts: Reads transcripts of its trials; only the page needs any.
        overview: All runs beside each other.
    """

    sections: tuple[SuiteSection, ...]
    items: tuple[ItemRow, ...]
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    transcripts: Transcripts = no_transcripts
    overview: Overview = NOTHING

    @property
    def runs(self) -> tuple[RunSummary, ...]:
        """All runs, over all suites."""
        return tuple(run for section in self.sections for run in section.runs)

    @property
    def every_table(self) -> list[tuple[Suite | None, Table]]:
        """All tables with their suites, then those of several suites together."""
        own = [(section.suite, table) for section in self.sections for table in section.tables]
        return [*own, *((None, table) for table in self.tables)]

    @property
    def every_figure(self) -> list[tuple[Suite | None, Figure]]:
        """Likewise all figures."""
        own = [(section.suite, figure) for section in self.sections for figure in section.figures]
        return [*own, *((None, figure) for figure in self.figures)]


def build(source: ReportInput) -> Report:
    """Make a report.

    Suites without a run are left out. Where suites share the id of a table or figure, the suite's name is
    put in front of it.

    Raises:
        ValueError: Two runs have the same id, or one suite has two tables or figures of the same id.
    """
    chosen = [(suite, tuple(runs)) for suite, runs in source.suites if runs]
    ids = Counter(run.id for _, runs in chosen for run in runs)
    twice = [run for run, count in ids.items() if count > 1]
    if twice:
        raise ValueError(f"two runs of one report have the id {twice[0]!r}")
    several = [(suite, [suite.with_traits(run) for run in labelled(runs)]) for suite, runs in chosen]
    sections = _with_unique_ids(
        [
            _section(suite, runs, whole, source)
            for (suite, runs), (_, whole) in zip(chosen, several, strict=True)
        ]
    )
    items = _items(source, chosen, several)
    unranked = frozenset(run.id for _, runs in chosen for run in runs if not _ranked(run, runs))
    silent = {summary.run.id: summary.no_headline for section in sections for summary in section.runs}
    above = overview(several, silent, unranked)
    answering = [(suite.answers, runs) for suite, runs in several]
    sets = sets_table(answering)
    more = [_profiles(several, unranked), sets, sizes_table(answering)]
    tables = tuple(table for table in (headlines_table(above), knowing_table(above), *more) if table.rows)
    figures = tuple(figure for figure in (knowing_figure(above), sets_figure(sets)) if figure.spec)
    sections, figures = _coloured_alike(sections, figures)
    return Report(sections, items, tables, figures, source.transcripts, above)


def _profiles(several: Sequence[tuple[Suite, Sequence[Run]]], unranked: frozenset[str]) -> Table:
    """The table of profiles; it ranks models only where all were on the same suites and data."""
    table = profile_table(several)
    shown = {(row.keys["model"], row.keys["suite"]) for row in table.rows}
    data: dict[str, set[tuple[str, DatasetInfo]]] = {}
    for suite, runs in several:
        for model in {run.model for run in runs if (run.model, suite.name) in shown}:
            usual_run = usual(suite, [run for run in runs if run.model == model])
            data.setdefault(model, set()).add((suite.name, usual_run.dataset))
    alike = len({frozenset(used) for used in data.values()}) == 1
    apart = {run.model for _, runs in several for run in runs if run.id in unranked or not alike}
    return dataclasses.replace(table, unranked=frozenset(apart))


def _ranked(run: Run, runs: Sequence[Run]) -> bool:
    """Whether a run is ranked with others: neither did its own model read it, nor do readers differ."""
    return not (run.self_read or readers.mixture_warning(runs))


def summary(
    suite: Suite,
    run: Run,
    rates: ReaderRates = no_rates,
    transcripts: Transcripts = no_transcripts,
    whole: Run | None = None,
) -> RunSummary:
    """Sum up one run, for a report and for the last lines of `knowact run`.

    Args:
        suite: The run's.
        run: As it was read from its log.
        rates: The measured error rates of models in roles.
        transcripts: Reads transcripts.
        whole: The run with all its results, where somebody has made it already.
    """
    trials, whole = trials_of(suite, run), whole or suite.with_traits(run)
    silent = not_judged(suite, whole)
    sentences = _headline(suite, run) if run.scored else ()
    unreadable = unread(run, transcripts)
    return RunSummary(
        run=run,
        headline=(silent, *sentences) if silent else sentences,
        no_headline=silent,
        warnings=(
            *map(str, unreadable),
            *readers.warnings_of(run),
            *_warnings(run, trials),
        ),
        unread=unreadable,
        readers=readers.readers(run, rates),
        reading=readers.reading_counts(suite, run.records),
        outcomes=_outcomes(run.records),
        judged=_judged(suite, run.records),
        trials=trials,
        bounds=bounds(suite, whole),
    )


def _headline(suite: Suite, run: Run) -> tuple[str, ...]:
    """The suite's sentences. The first one includes the model's limits, or a low number says too much."""
    limits, sentences = list(limits_in_words(run)), suite.summary_lines(run)
    return (" ".join([*limits, *sentences[:1]]), *sentences[1:]) if sentences else tuple(limits)


def limits_in_words(run: Run) -> Iterator[str]:
    """A sentence for each limit of the model that ended many trials of some probe."""
    most = run.options.get("max_tokens")
    tokens = f" (max_tokens {most})" if most else ""
    for flag, happened in (
        (CUT_OFF, f"an answer was cut off at the token limit{tokens}"),
        (OVER_CONTEXT, "a request did not fit the model's context"),
        (OUT_OF_TIME, "the agent took longer than it may"),
        (CRASHED, "the agent crashed"),
    ):
        if probes := list(_many(run, flag)):
            *first, last = probes
            where = f"{', '.join(first)} and {last}" if first else last
            yield f"In {where}, {happened}."


def _many(run: Run, flag: str) -> Iterator[str]:
    """The probes that a limit ended often: "20 of 20 trials of tools needed"."""
    for probe, asked in _asked(run):
        ended = sum(flag + probe in record.flags for record in asked)
        if ended and ended >= MANY * len(asked):
            yield f"{ended:,} of {len(asked):,} trials of {probe.replace('_', ' ')}"


def _asked(run: Run) -> Iterator[tuple[str, list[Record]]]:
    """Each probe, with the trials in which it was asked."""
    for probe in dict.fromkeys(name for record in run.records for name in record.outcomes):
        yield probe, [r for r in run.records if r.outcomes.get(probe, Outcome.NOT_RUN) is not Outcome.NOT_RUN]


def _section(
    suite: Suite, runs: tuple[Run, ...], complete: Sequence[Run], source: ReportInput
) -> SuiteSection:
    mixture = readers.mixture_warning(runs)
    # First, because they say what is wrong with a log that was edited.
    summaries = tuple(
        summary(suite, run, source.rates, source.transcripts, whole)
        for run, whole in zip(runs, complete, strict=True)
    )
    own, paired = tables(suite, runs), treatments(suite, labelled(runs))
    # The suite's first tables hold its headline, and come before all others.
    more = (paired.differences, paired.tests) if paired else ()
    return SuiteSection(
        suite=suite,
        runs=summaries,
        tables=(*own[:HEADLINES], *more, *own[HEADLINES:], *source.more.get(suite.name, ())),
        figures=tuple(suite.figures(labelled(runs))),
        warnings=(mixture,) if mixture else (),
    )


def labelled(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Runs with their models named as in tables and figures: self-read ones are marked."""
    return tuple(dataclasses.replace(run, model=readers.label(run)) for run in runs)


def tables(suite: Suite, runs: Sequence[Run]) -> tuple[Table, ...]:
    """A suite's tables of some runs; they rank only runs that the same models read."""
    unranked = frozenset(readers.label(run) for run in runs if not _ranked(run, runs))
    return tuple(dataclasses.replace(table, unranked=unranked) for table in suite.tables(labelled(runs)))


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


def _coloured_alike(
    sections: Sequence[SuiteSection], together: Sequence[Figure]
) -> tuple[tuple[SuiteSection, ...], tuple[Figure, ...]]:
    """The same figures, in which each run has one colour."""
    every = [*(figure for section in sections for figure in section.figures), *together]
    specs = iter(same_colours([figure.spec for figure in every]))
    alike = tuple(
        dataclasses.replace(
            section,
            figures=tuple(dataclasses.replace(figure, spec=next(specs)) for figure in section.figures),
        )
        for section in sections
    )
    return alike, tuple(dataclasses.replace(figure, spec=next(specs)) for figure in together)


def _items(
    source: ReportInput,
    chosen: Sequence[tuple[Suite, Sequence[Run]]],
    complete: Sequence[tuple[Suite, Sequence[Run]]],
) -> tuple[ItemRow, ...]:
    """Every trial, with all its results, of runs that are named as they are."""
    return tuple(
        ItemRow(run, record, source.view_command(run, record))
        for (_, runs), (_, whole) in zip(chosen, complete, strict=True)
        for run, whole_run in zip(runs, whole, strict=True)
        for record in whole_run.records
    )


def _lacking(trials: Trials) -> int:
    """Trials that lack a result on the account of an instrument or of a reader."""
    return trials.unscored + trials.incomplete


def _warnings(run: Run, trials: Trials) -> tuple[str, ...]:
    if not run.scored:
        return (f"None of the {run.planned:,} planned trials was scored. {_reason(run)}",)
    warnings: list[str] = []
    if len(run.records) < run.planned:
        missing = run.planned - len(run.records)
        warnings.append(f"Unfinished: {missing:,} of {run.planned:,} planned trials have no record.")
    if (lacking := _lacking(trials)) > QUOTABLE * run.planned:
        lack = "are unscored or lack a result" if trials.incomplete else "are unscored"
        warnings.append(
            f"Do not quote: {lacking:,} of {run.planned:,} planned trials "
            f"({100 * lacking / run.planned:.1f} %) {lack}; the limit is {100 * QUOTABLE:.0f} %."
        )
    return tuple(warnings)


def _reason(run: Run) -> str:
    if run.problems:
        return run.problems[0]
    if not run.records:
        return "No trial left a record."
    failed = Counter(e.value for record in run.records for e in record.outcomes.values() if e.instrument)
    most = ", ".join(f"{outcome.replace('_', ' ')} ({count})" for outcome, count in failed.most_common())
    return f"Outcomes of the probes: {most}."


def _outcomes(records: Sequence[Record]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for record in records:
        for probe, ending in record.outcome_names.items():
            counts.setdefault(probe, Counter())[ending] += 1
    return {
        probe: {ending: outcomes[ending] for ending in OUTCOME_NAMES if ending in outcomes}
        for probe, outcomes in counts.items()
    }


def _judged(suite: Suite, records: Sequence[Record]) -> dict[str, dict[str, int]]:
    shown: dict[str, dict[str, int]] = {}
    for measure in suite.measures:
        statuses = Counter(r.results[measure].status for r in records if measure in r.results)
        without = {status.value: statuses[status] for status in Status if status in statuses}
        without.pop(Status.VALUE.value, None)
        if without:
            shown[measure] = without
    return shown


LOOKED_INTO: Final = 5
"""Trials whose transcripts are read in search of a reply to show."""


def unread(run: Run, transcripts: Transcripts = no_transcripts) -> tuple[Unread, ...]:
    """The probes of a run of which more than `MUCH` could not be read.

    Args:
        run: The run.
        transcripts: Reads transcripts, for one reply to show.
    """
    unreadable: list[Unread] = []
    for probe, asked in _asked(run):
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


def not_calibrated(readers: Sequence[RolePlayer]) -> Iterator[str]:
    """A sentence for each model in a role that reads replies, and whose error rates nobody measured."""
    for reader in readers:
        if reader.measure and reader.role in {"extractor", "judge"}:
            errs = f"{reader.by} errs as {reader.role}"
            yield f"Not calibrated: nobody measured how often {errs}. Run: {reader.measure}"
