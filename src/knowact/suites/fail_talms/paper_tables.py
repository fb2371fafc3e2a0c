"""The paper's tables 1 to 3 of our own runs, by the same definitions as of published records."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from knowact.core.table import Row, Run, Table
from knowact.suites.fail_talms.arms import Arm, arms
from knowact.suites.fail_talms.as_published import helped_runs, plain_runs
from knowact.suites.fail_talms.definitions import Measure, Rules
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.published_tables import MEAN_WORDS, POOLED, Runs
from knowact.suites.fail_talms.published_tables import table_1 as published_table_1
from knowact.suites.fail_talms.published_tables import table_2 as published_table_2

CELLS = (
    *((Measure.PASSED, setting) for setting in (Split.PERFECT, Split.UNDER_SPECIFIED, *UNAVAILABLE)),
    *((Measure.AWARE, setting) for setting in (Split.PERFECT, Split.UNDER_SPECIFIED, *UNAVAILABLE, POOLED)),
)
"""What the paper's Table 3 gives intervals for: shares of some models, here of every one."""


def _counted(
    make: Callable[[Sequence[Runs], Sequence[Rules]], Table],
    runs: Sequence[Run],
    made: Callable[[Sequence[Arm]], list[Runs]],
) -> Table:
    """A column per number, each run counted by the rules that it was made under; the note says how."""
    by_rule: dict[Rules, list[Arm]] = {rule: [] for rule in Rules}
    for arm in arms(runs):
        by_rule[Rules(str(arm.run.options.get("rules", Rules.DEFINITION)))].append(arm)
    tables = {rule: make(made(some), (rule,)) for rule, some in by_rule.items()}
    rows = [row for table in tables.values() for row in table.rows]
    words: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        settings = words.setdefault(row.keys["number"], {}).setdefault(row.keys["counted"], [])
        if row.keys["setting"] not in settings:
            settings.append(row.keys["setting"])
    counted = "; ".join(f"{number}: {_what(found)}" for number, found in words.items())
    table = tables[Rules.DEFINITION]
    note = f"{counted}. {table.note}" if counted else table.note
    return replace(table, rows=tuple(map(_flat, rows)), note=note)


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
    return replace(found, note=found.note if found.rows else "It takes a run with --helper.")


def table_3(runs: Sequence[Run]) -> Table:
    """The intervals of the paper's Table 3, for every model, with the n that was graded."""
    rows: list[Row] = []
    wanted = {(measure.value, str(setting)) for measure, setting in CELLS}
    for row in table_1(runs).rows:
        if (row.measure, row.keys["setting"]) in wanted:
            keys = {**row.keys, "number": row.measure}
            ends = {"value": row.estimate.value, "low": row.estimate.low, "high": row.estimate.high}
            rows += [
                Row(keys, name, replace(row.estimate, value=end, low=None, high=None, method=""))
                for name, end in ends.items()
                if end is not None
            ]
    note = (
        "Wilson, 95 %, with the number of graded records for n (the paper took the size of the whole "
        "setting). Variants of one base item are not independent: the tables below resample base items."
    )
    return Table("table-3", "Intervals", "FAIL-TaLMs, Table 3", tuple(rows), note=note)
