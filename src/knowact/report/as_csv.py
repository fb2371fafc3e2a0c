"""`csv/`: one file per table in long form, and `items.csv` with one line per trial.

A text cell that starts like a formula gets an apostrophe in front, because a spreadsheet would run what a
model wrote. Number columns stay as they are, so that a minus stays a minus.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from knowact.core import clean
from knowact.core.record import Record
from knowact.core.table import Run, Table
from knowact.report.build import ItemRow, Report

CsvCell: TypeAlias = str | int | float | bool | None
TrialValue: TypeAlias = str | int | float | bool | frozenset[str] | None

_FORMULA = re.compile(r"[\s\0]*[=+\-@\t\r]")
"""Spreadsheets skip leading blanks before the sign."""

_UNSAFE_IN_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def as_csv(report: Report) -> dict[str, str]:
    """Return the text of each file by its name ("main.csv", ..., "items.csv"); lines end with CR LF."""
    files: dict[str, str] = {}
    taken = {"items"}
    for _, table in report.every_table:
        files[f"{file_stem(table.id, taken)}.csv"] = table_csv(table)
    files["items.csv"] = items_csv(report.items)
    return files


def table_csv(table: Table) -> str:
    """Return one table in long form: its keys, then measure, value, n, low, high, method."""
    keys = list(dict.fromkeys(key for row in table.rows for key in row.keys))
    head = [*(_text(key) for key in keys), "measure", "value", "n", "low", "high", "method"]

    def line(place: int) -> list[CsvCell]:
        row, estimate = table.rows[place], table.rows[place].estimate
        return [
            *(_text(row.keys.get(key, "")) for key in keys),
            _text(row.measure),
            *map(clean.plain, (estimate.value, estimate.n, estimate.low, estimate.high)),
            _text(estimate.method),
        ]

    return _written(head, (line(place) for place in range(len(table.rows))))


def items_csv(items: Sequence[ItemRow]) -> str:
    """Return one line per trial: what it was, its outcomes, its results."""
    head = columns_of([item.record for item in items])
    # Of the columns of several suites, a trial has few.
    blank = {name: _cell(name, None) for name in head}

    def line(item: ItemRow) -> list[CsvCell]:
        row = row_of(item.run, item.record)
        cells = {**blank, **{name: _cell(name, value) for name, value in row.items()}}
        return [*cells.values(), _text(item.view)]

    return _written([*map(_text, head), "view"], (line(item) for item in items))


def _cell(column: str, value: TrialValue) -> CsvCell:
    """A cell as a spreadsheet takes it; the tools that an agent said or used are "unknown" if unreadable."""
    if column in {"required", "needed", "used"}:
        return _tools(value if isinstance(value, frozenset) else None)
    if value is None and column.startswith("flag "):
        return 0
    if value is None and column.startswith(("label ", "outcome ", "status ")):
        return ""
    assert not isinstance(value, frozenset)
    return _text(value) if isinstance(value, str) else clean.plain(value)


def _tools(tools: frozenset[str] | None) -> str:
    """Return names in order, one per line: "none" for an empty set, "unknown" if unreadable."""
    if tools is None:
        return "unknown"
    return _text("\n".join(sorted(tools)) if tools else "none")


def _text(value: object) -> str:
    shown = clean.text(value)
    return f"'{shown}" if _FORMULA.match(shown) else shown


def _written(head: Sequence[str], lines: Iterable[Sequence[CsvCell]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows(lines)
    return out.getvalue()


def file_stem(name: str, taken: set[str]) -> str:
    """Return a file name without its suffix, such as every system allows; adds it to those that are taken.

    It differs from all others, ignoring case.
    """
    stem = _UNSAFE_IN_NAME.sub("-", name).strip("-.")[:80] or "table"
    unique, count = stem, 1
    while unique.lower() in taken:
        count += 1
        unique = f"{stem}-{count}"
    taken.add(unique.lower())
    return unique


def columns_of(records: Sequence[Record]) -> tuple[str, ...]:
    """The columns of some records' rows, in order: records of several suites have the columns of all."""
    kinds = {
        "label": [record.labels for record in records],
        "outcome": [record.outcome_names for record in records],
        "result": [record.results for record in records],
        "flag": [record.flags for record in records],
    }
    named = {
        kind: list(dict.fromkeys(name for mapping in mappings for name in mapping))
        for kind, mappings in kinds.items()
    }
    return (
        *("run", "suite", "model", "item", "condition", "epoch", "cluster"),
        *(f"label {name}" for name in named["label"]),
        *(f"outcome {name}" for name in named["outcome"]),
        *("scored", "required", "needed", "used", "calls", "knew", "acted"),
        *(f"result {name}" for name in named["result"]),
        *(f"status {name}" for name in named["result"]),
        *("input_tokens", "output_tokens", "seconds", "cost"),
        *(f"flag {name}" for name in named["flag"]),
    )


def row_of(run: Run, record: Record) -> Mapping[str, TrialValue]:
    """The cells of one trial by their columns; a column that is not among them has no value.

    Sets of tools are None where they could not be read; a flag that was not raised has no column.
    """
    return {
        "run": run.id,
        "suite": run.suite,
        "model": run.model,
        "item": record.item,
        "condition": record.condition,
        "epoch": record.epoch,
        "cluster": record.cluster,
        **{f"label {name}": value for name, value in record.labels.items()},
        **{f"outcome {name}": ending for name, ending in record.outcome_names.items()},
        "scored": record.scored,
        "required": record.required,
        "needed": record.needed,
        "used": record.used,
        "calls": record.calls,
        "knew": record.knew,
        "acted": record.acted,
        **{f"result {name}": result.value for name, result in record.results.items()},
        **{f"status {name}": result.status.value for name, result in record.results.items()},
        "input_tokens": record.tokens[0],
        "output_tokens": record.tokens[1],
        "seconds": record.seconds,
        "cost": record.cost,
        **{f"flag {name}": count for name, count in record.flags.items()},
    }
