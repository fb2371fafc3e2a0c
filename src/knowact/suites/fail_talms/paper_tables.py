"""The paper's tables 1 to 3 of our own runs, by the same definitions as of published records."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from knowact.core.table import Row, Run, Table
from knowact.suites.fail_talms.arms import arms
from knowact.suites.fail_talms.as_published import published_runs
from knowact.suites.fail_talms.definitions import Measure, Rules
from knowact.suites.fail_talms.layout import UNAVAILABLE, Split
from knowact.suites.fail_talms.published_tables import MEAN, MEAN_WORDS, POOLED
from knowact.suites.fail_talms.published_tables import table_1 as published_table_1
from knowact.suites.fail_talms.published_tables import table_2 as published_table_2

CELLS = (
    *((Measure.PASSED, setting) for setting in (Split.PERFECT, Split.UNDER_SPECIFIED, *UNAVAILABLE)),
    *((Measure.AWARE, setting) for setting in (Split.PERFECT, Split.UNDER_SPECIFIED, *UNAVAILABLE, POOLED)),
)
"""What the paper's Table 3 gives intervals for: shares of some models, here of every one."""


def _rules(runs: Sequence[Run]) -> tuple[Rules, ...]:
    chosen = {str(run.options.get("rules", "definition")) for run in runs}
    return tuple(rule for rule in Rules if rule in chosen)


def _flat(table: Table, rules: Sequence[Rules]) -> Table:
    """A column per number where all runs follow one set of rules; what each counts goes into the note."""
    if len(rules) > 1:
        return table
    rows = tuple(
        Row(
            {k: v for k, v in row.keys.items() if k not in ("number", "counted")},
            row.keys["number"],
            row.estimate,
        )
        for row in table.rows
    )
    words: dict[str, dict[str, list[str]]] = {}
    for row in table.rows:
        settings = words.setdefault(row.keys["number"], {}).setdefault(row.keys["counted"], [])
        if row.keys["setting"] not in settings:
            settings.append(row.keys["setting"])
    counted = "; ".join(f"{number}: {_what(found)}" for number, found in words.items())
    return replace(table, rows=rows, note=f"{counted}. {table.note}" if counted else table.note)


def _what(found: Mapping[str, Sequence[str]]) -> str:
    """What a number counts, of what; with the settings where that differs between them."""
    if len(found) == 1:
        return next(iter(found))
    return ", ".join(
        f"{words} ({' and '.join(settings)})" for words, settings in found.items() if words != MEAN_WORDS
    )


def table_1(runs: Sequence[Run]) -> Table:
    """Pass rate, awareness, unexpected success and skipped, without anybody to ask."""
    rules = _rules(runs)
    return _flat(published_table_1(published_runs(arms(runs)), rules), rules)


def table_2(runs: Sequence[Run]) -> Table:
    """Pass rate, awareness, unexpected success and interaction, with somebody to ask."""
    rules = _rules(runs)
    helped = [one for one in published_runs(arms(runs)) if one.helped]
    found = _flat(published_table_2(helped, rules), rules)
    return replace(found, note=found.note if found.rows else "It takes a run with --helper.")


def table_3(runs: Sequence[Run]) -> Table:
    """The intervals of the paper's Table 3, for every model, with the n that was graded."""
    rows: list[Row] = []
    for row in table_1(runs).rows:
        wanted = {(measure.value, str(setting)) for measure, setting in CELLS}
        number = row.keys.get("number", row.measure)
        if (number, row.keys["setting"]) in wanted and row.keys["setting"] != MEAN:
            keys = {"model": row.keys["model"], "setting": row.keys["setting"], "number": number}
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
