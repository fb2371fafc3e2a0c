"""The paper's tables 1 to 3 of our own runs: their records in the shape of published ones, counted alike."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from knowact.core.errors import Place
from knowact.core.record import Record
from knowact.core.table import Estimate, Row, Run, Table, as_table
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.outputs import Against, Answer, Label, PublishedRun
from knowact.suites.fail_talms.published_tables import MEAN_WORDS, POOLED, Measure, Rules, Runs
from knowact.suites.fail_talms.published_tables import table_1 as published_table_1
from knowact.suites.fail_talms.published_tables import table_2 as published_table_2
from knowact.suites.fail_talms.run_groups import NOBODY, RunGroup, groups, helped_pairs

_LABELS: Final[Mapping[float, Label]] = {1.0: Label.YES, 0.5: Label.IDK, 0.0: Label.NO}
_AGAINST: Final[Mapping[float, Against]] = {1.0: Against.WIN, 0.5: Against.TIE, 0.0: Against.LOSE}


def plain_runs(groups: Sequence[RunGroup]) -> list[Runs]:
    """The runs with nobody to ask, one by one."""
    return [Runs(_name(group), _settings(group), {}) for group in groups if group.helper == NOBODY]


def helped_runs(groups: Sequence[RunGroup]) -> list[Runs]:
    """The runs with somebody to ask, one by one, each beside the one that is like it but for that."""
    plain = {helped.run.id: _settings(plain) for plain, helped in helped_pairs(groups)}
    helped = [group for group in groups if group.helper != NOBODY]
    names = Counter(_name(group) for group in helped)
    return [
        Runs(
            f"{name}, {group.helper} helper" if names[name] > 1 else name,
            plain.get(group.run.id, {}),
            _settings(group),
        )
        for group in helped
        for name in (_name(group),)
    ]


def _name(group: RunGroup) -> str:
    return ", ".join(value for key, value in group.keys.items() if key != "helper")


def _settings(group: RunGroup) -> dict[Split, PublishedRun]:
    file, helped = Path(group.run.logs[0]), group.helper != NOBODY
    return {
        Split(setting): _run(Split(setting), _name(group), records, helper=helped, file=file)
        for setting, records in group.settings.items()
    }


def _run(split: Split, model: str, records: Sequence[Record], *, helper: bool, file: Path) -> PublishedRun:
    scored = [record for record in records if record.scored]
    clusters = {name: place for place, name in enumerate(dict.fromkeys(r.cluster for r in scored))}
    answers = tuple(_answer(one, number, clusters, split, file) for number, one in enumerate(scored))
    return PublishedRun(split, model, helper, by_person=False, answers=answers, file=file)


def _answer(record: Record, number: int, clusters: Mapping[str, int], split: Split, file: Path) -> Answer:
    """One record; in perfect and no-tools the base item is the id, so that the two can be joined."""
    base = split in (Split.PERFECT, Split.NO_TOOLS)
    passed = record.value("pass")
    questions = record.value("questions")
    return Answer(
        query_id=clusters[record.cluster] if base else len(clusters) + number,
        skipped=record.value("skipped") == 1,
        ruling=None if math.isnan(passed) else passed == 1,
        tool_label=_LABELS.get(record.value("tools")),
        info_label=_LABELS.get(record.value("info")),
        questions=0 if math.isnan(questions) else int(questions),
        against=_AGAINST.get(record.value("versus")),
        item=None,
        copy=record.epoch,
        place=Place(file, number + 1),
    )


CELLS = (
    *((Measure.PASSED, setting) for setting in (Split.PERFECT, Split.UNDER_SPECIFIED, *UNAVAILABLE)),
    *((Measure.AWARE, setting) for setting in (Split.PERFECT, Split.UNDER_SPECIFIED, *UNAVAILABLE, POOLED)),
)
"""What the paper's Table 3 gives intervals for: shares of some models, here of every one."""


def _counted(
    make: Callable[[Sequence[Runs], Sequence[Rules]], Table],
    runs: Sequence[Run],
    made: Callable[[Sequence[RunGroup]], list[Runs]],
) -> Table:
    """A column per number, each run counted by the rules that it was made under; the note says how."""
    by_rule: dict[Rules, list[RunGroup]] = {rule: [] for rule in Rules}
    for group in groups(runs):
        by_rule[Rules(str(group.run.options.get("rules", Rules.DEFINITION)))].append(group)
    tables = {rule: make(made(some), (rule,)) for rule, some in by_rule.items()}
    silent = {_name(one) for one in by_rule[Rules.PUBLISHED] if not _compared(one)}
    rows = [_blank(row, silent) for table in tables.values() for row in table.rows]
    words: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        settings = words.setdefault(row.keys["number"], {}).setdefault(row.keys["counted"], [])
        if row.keys["setting"] not in settings:
            settings.append(row.keys["setting"])
    counted = "; ".join(f"{number}: {_what(found)}" for number, found in words.items())
    table = tables[Rules.DEFINITION]
    note = f"{counted}. {table.note}" if counted else table.note
    return replace(table, rows=tuple(map(_flat, rows)), note=note)


def _compared(group: RunGroup) -> bool:
    """Whether answers without tools were held against those with them (--win-rate)."""
    return any(not math.isnan(one.value("versus")) for one in group.settings.get(Split.NO_TOOLS, ()))


def _blank(row: Row, silent: Collection[str]) -> Row:
    """A row as it is; without its number where that counts comparisons of a run that made none."""
    counts = row.keys["number"] in (Measure.PASSED, Measure.UNEXPECTED)
    if counts and row.keys["setting"] == Split.NO_TOOLS and row.keys["model"] in silent:
        return replace(row, estimate=Estimate(None, 0))
    return row


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

    Wilson, 95 %, with the number of graded records for n (the paper took the size of the whole setting).
    Variants of one base item are not independent: the other tables resample base items.
    """
    wanted = {(measure.value, str(setting)) for measure, setting in CELLS}
    for row in table_1(runs).rows:
        if (row.measure, row.keys["setting"]) in wanted:
            keys = {**row.keys, "number": row.measure}
            ends = {"value": row.estimate.value, "low": row.estimate.low, "high": row.estimate.high}
            for name, end in ends.items():
                if end is not None:
                    yield Row(keys, name, replace(row.estimate, value=end, low=None, high=None, method=""))
