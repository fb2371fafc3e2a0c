"""The paper's tables 1 to 3 of our own runs: their records in the shape of published ones, counted alike."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from knowact.core.errors import Place
from knowact.core.record import NOT_APPLICABLE, Outcome, Record, Status
from knowact.core.table import Estimate, Row, Run, Table, as_table
from knowact.suites.fail_talms.asked import ACT
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.outputs import Against, Answer, Label, PublishedRun
from knowact.suites.fail_talms.published_tables import MEAN, MEAN_WORDS, POOLED, Measure, Rules, Runs
from knowact.suites.fail_talms.published_tables import table_1 as published_table_1
from knowact.suites.fail_talms.published_tables import table_2 as published_table_2
from knowact.suites.fail_talms.run_groups import NOBODY, RunGroup, groups, helped_pairs

_LABELS: Final[Mapping[float, Label]] = {1.0: Label.YES, 0.5: Label.IDK, 0.0: Label.NO}
_AGAINST: Final[Mapping[float, Against]] = {1.0: Against.WIN, 0.5: Against.TIE, 0.0: Against.LOSE}


def plain_runs(every: Sequence[RunGroup]) -> Iterator[tuple[RunGroup, Runs]]:
    """The runs with nobody to ask, one by one."""
    for group in every:
        if group.helper == NOBODY:
            yield group, Runs(_name(group), _settings(group), {})


def helped_runs(every: Sequence[RunGroup]) -> Iterator[tuple[RunGroup, Runs]]:
    """The runs with somebody to ask, one by one, each beside the one that is like it but for that."""
    plain = {helped.run.id: _settings(plain) for plain, helped in helped_pairs(every)}
    helped = [group for group in every if group.helper != NOBODY]
    names = Counter(_name(group) for group in helped)
    for group in helped:
        name = _name(group)
        title = f"{name}, {group.helper} helper" if names[name] > 1 else name
        yield group, Runs(title, plain.get(group.run.id, {}), _settings(group))


def _name(group: RunGroup) -> str:
    return ", ".join(value for key, value in group.keys.items() if key != "helper")


def _rules(group: RunGroup) -> Rules:
    return Rules(str(group.run.options.get("rules", Rules.DEFINITION)))


def _settings(group: RunGroup) -> dict[Split, PublishedRun]:
    """The scored trials of a run as published records, by setting; those that the numbers are about."""
    every = [one for records in group.settings.values() for one in records]
    trials = dict.fromkeys((one.cluster, one.epoch) for one in every)
    bases = {trial: number for number, trial in enumerate(trials)}
    file, helped, rules = Path(group.run.logs[0]), group.helper != NOBODY, _rules(group)
    made: dict[Split, PublishedRun] = {}
    for setting, records in group.settings.items():
        split = Split(setting)
        joined = split in (Split.PERFECT, Split.NO_TOOLS)
        answers: list[Answer] = []
        for number, record in enumerate(records):
            if record.scored and not (rules is Rules.DEFINITION and _complete(record)):
                query_id = bases[record.cluster, record.epoch] if joined else len(bases) + number
                answer = _answer(record, query_id, Place(file, number + 1))
                answers.append(
                    answer if rules is Rules.PUBLISHED else replace(answer, cluster=record.cluster)
                )
        made[split] = PublishedRun(
            split, _name(group), helped, by_person=False, answers=tuple(answers), file=file
        )
    return made


def _complete(record: Record) -> bool:
    """Whether an item of a failure setting lacks nothing after all, because a model does the tool's job."""
    labels = record.labels
    return labels.get("setting") != Split.PERFECT and labels.get("possibility") == "possible"


def _answer(record: Record, query_id: int, place: Place) -> Answer:
    """One trial; the id joins those of one base item in the perfect setting and without tools."""
    passed, questions, skipped = (record.value(name) for name in ("pass", "questions", "skipped"))
    return Answer(
        query_id=query_id,
        skipped=None if math.isnan(skipped) else skipped == 1,
        ruling=None if math.isnan(passed) else passed == 1,
        tool_label=_LABELS.get(record.value("tools")),
        info_label=_LABELS.get(record.value("info")),
        questions=0 if math.isnan(questions) else int(questions),
        against=_AGAINST.get(record.value("versus")),
        item=None,
        copy=record.epoch,
        place=place,
    )


ABOUT: Final = (
    "Counted by the rules of the run. By the definition what was done counts: the pass rate is over what was "
    'attempted, whatever the agent had said; skipped is what a "no" kept it from attempting; '
    "and an item that lacks nothing, because a model does the missing tool's job, is left out. By the "
    'published rules a "no" skips the item, and a skipped item has failed. Intervals: by the definition '
    "base items are resampled where trials or variants share one, else Wilson, 95 %; by the published rules "
    "Wilson, as if the trials were independent."
)
"""How the tables of our own runs count."""

TRIALS: Final = (
    "all: every scored trial (of skipped: that could be skipped); judged: those with a ruling, and those "
    "that were skipped; attempted: those with a ruling that were not skipped; marked as passed: by the "
    "judge; asked: at least one question; win, tie: against its own answer with the tools."
)
"""What the words of `Share.words` mean in our own runs."""

CELLS = (
    *((Measure.PASSED, setting) for setting in (Split.PERFECT, Split.UNDER_SPECIFIED, *UNAVAILABLE)),
    *((Measure.AWARE, setting) for setting in (Split.PERFECT, Split.UNDER_SPECIFIED, *UNAVAILABLE)),
    *((Measure.AWARE, setting) for setting in (MEAN, POOLED)),
)
"""What the paper's Table 3 gives intervals for: shares of some models, here of every one."""


def _counted(
    make: Callable[[Sequence[Runs], Sequence[Rules]], Table],
    runs: Sequence[Run],
    made: Callable[[Sequence[RunGroup]], Iterator[tuple[RunGroup, Runs]]],
) -> Table:
    """A column per number, each run counted by the rules that it was made under; the note says how."""
    rows: list[Row] = []
    for group, published in made(groups(runs)):
        blank = _unmeasured(group)
        for row in make([published], (_rules(group),)).rows:
            silent = (row.keys["setting"], row.keys["number"]) in blank
            rows.append(replace(row, estimate=Estimate(None, 0)) if silent else row)
    words: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        settings = words.setdefault(row.keys["number"], {}).setdefault(row.keys["counted"], [])
        if row.keys["setting"] not in settings:
            settings.append(row.keys["setting"])
    counted = "; ".join(f"{number}: {_what(found)}" for number, found in words.items())
    note = f"{ABOUT} {counted}. {TRIALS}" if counted else f"{ABOUT} {TRIALS}"
    return replace(make((), ()), rows=tuple(map(_flat, rows)), note=note)


def _unmeasured(group: RunGroup) -> set[tuple[str, str]]:
    """The (setting, number) pairs of which a run knows nothing: it did not ask, act, judge or compare."""
    rules, probe = _rules(group), group.run.options.get("probe", "both")
    never: set[Measure] = set()
    if probe == "act":
        never |= {Measure.AWARE, Measure.UNEXPECTED, Measure.SKIPPED}
    if probe == "awareness":
        never |= {Measure.PASSED, Measure.UNEXPECTED, Measure.ASKED}
        if rules is Rules.DEFINITION:
            never.add(Measure.SKIPPED)
    found: set[tuple[str, str]] = set()
    for setting, records in group.settings.items():
        graded = {Measure.PASSED, Measure.UNEXPECTED}
        blank = never if _graded(records) else never | graded
        if setting == Split.NO_TOOLS and rules is Rules.PUBLISHED:
            compared = any(not math.isnan(one.value("versus")) for one in records)
            blank = blank - graded if compared else blank | graded
        if setting in (Split.PERFECT, Split.REPLACEABLE) and rules is Rules.PUBLISHED and probe != "act":
            blank = blank - {Measure.UNEXPECTED}  # As published it is the share that said no.
        found |= {(setting, measure.value) for measure in blank}
        if setting in UNAVAILABLE:
            found |= {(both, measure.value) for both in (MEAN, POOLED) for measure in blank}
    return found


def _graded(records: Sequence[Record]) -> bool:
    """Whether anybody judged what was done; what was skipped has no answer that could stand for the rest."""
    acted = [one for one in records if one.outcomes.get(ACT, Outcome.NOT_RUN) is not Outcome.NOT_RUN]
    judged = any(not math.isnan(one.value("pass")) for one in acted)
    unread = {Status.NOT_JUDGED, Status.JUDGE_ERROR}
    return judged or not any(one.results.get("pass", NOT_APPLICABLE).status in unread for one in acted)


def _flat(row: Row) -> Row:
    head = {key: value for key, value in row.keys.items() if key not in ("number", "counted")}
    return Row(head, row.keys["number"], row.estimate)


def _what(found: Mapping[str, Sequence[str]]) -> str:
    """What a number counts, of what; with the settings where that differs between them."""
    if len(found) == 1:
        return next(iter(found))
    return ", ".join(
        f"{words} ({' and '.join(settings)})" for words, settings in found.items() if words != MEAN_WORDS
    )


def table_1(runs: Sequence[Run]) -> Table:
    """Pass rate, awareness, unexpected success and skipped, without anybody to ask."""
    return _counted(published_table_1, runs, plain_runs)


def table_2(runs: Sequence[Run]) -> Table:
    """Pass rate, awareness, unexpected success and interaction, with somebody to ask."""
    found = _counted(published_table_2, runs, helped_runs)
    return replace(found, note=found.note if found.rows else "Needs a run with --helper.")


@as_table("table-3", "Intervals", "FAIL-TaLMs, Table 3")
def table_3(runs: Sequence[Run]) -> Iterator[Row]:
    """The intervals of the paper's Table 3, for every model, with the n that was graded.

    n is the number of graded records (the paper took the size of the whole setting). Intervals as in
    Table 1: by the definition base items are resampled where trials or variants share one, else Wilson, 95 %.
    """
    wanted = {(measure.value, str(setting)) for measure, setting in CELLS}
    for row in table_1(runs).rows:
        if (row.measure, row.keys["setting"]) in wanted:
            keys = {**row.keys, "number": row.measure}
            ends = {"value": row.estimate.value, "low": row.estimate.low, "high": row.estimate.high}
            for name, end in ends.items():
                if end is not None:
                    yield Row(keys, name, replace(row.estimate, value=end, low=None, high=None, method=""))
