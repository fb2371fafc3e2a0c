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
from knowact.core.table import Table
from knowact.report.build import ItemRow, Report

Cell: TypeAlias = str | int | float | bool | None

_FORMULA = re.compile(r"[\s\0]*[=+\-@\t\r]")
"""Spreadsheets skip leading blanks before the sign."""

_UNSAFE_IN_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def as_csv(report: Report) -> dict[str, str]:
    """Return the text of each file by its name ("main.csv", ..., "items.csv"); lines end with CR LF."""
    files: dict[str, str] = {}
    every = (*(table for section in report.sections for table in section.tables), *report.tables)
    for table in every:
        files[_file_name(table.id, taken={*files, "items.csv"})] = table_csv(table)
    files["items.csv"] = items_csv(report.items)
    return files


def table_csv(table: Table) -> str:
    """Return one table in long form: its keys, then measure, value, n, low, high, method."""
    keys = list(dict.fromkeys(key for row in table.rows for key in row.keys))
    head = [*(_text(key) for key in keys), "measure", "value", "n", "low", "high", "method"]

    def line(place: int) -> list[Cell]:
        row, estimate = table.rows[place], table.rows[place].estimate
        return [
            *(_text(row.keys.get(key, "")) for key in keys),
            _text(row.measure),
            estimate.value,
            estimate.n,
            estimate.low,
            estimate.high,
            _text(estimate.method),
        ]

    return _written(head, (line(place) for place in range(len(table.rows))))


def items_csv(items: Sequence[ItemRow]) -> str:
    """Return one line per trial: what it was, its outcomes, its results."""
    labels = _union(item.record.labels for item in items)
    probes = _union(item.record.outcomes for item in items)
    measures = _union(item.record.results for item in items)
    flags = _union(item.record.flags for item in items)
    head = ["run", "suite", "model", "item", "condition", "epoch", "cluster"]
    head += [f"label {name}" for name in labels] + [f"outcome {name}" for name in probes]
    head += ["scored", "required", "needed", "used", "calls", "knew", "acted"]
    head += [f"result {name}" for name in measures] + [f"status {name}" for name in measures]
    head += ["input_tokens", "output_tokens", "seconds", "cost", *(f"flag {name}" for name in flags), "view"]

    def line(item: ItemRow) -> list[Cell]:
        run, record = item.run, item.record
        return [
            *(_text(part) for part in (run.id, run.suite, run.model, record.item, record.condition)),
            record.epoch,
            _text(record.cluster),
            *(_text(record.labels.get(name, "")) for name in labels),
            *(_text(record.outcomes.get(name, "")) for name in probes),
            record.scored,
            *(_tools(tools) for tools in (record.required, record.needed, record.used)),
            record.calls,
            record.knew,
            record.acted,
            *(record.results[name].value if name in record.results else None for name in measures),
            *(_text(record.results[name].status if name in record.results else "") for name in measures),
            *record.tokens,
            record.seconds,
            record.cost,
            *(record.flags.get(name, 0) for name in flags),
            _text(item.view),
        ]

    return _written([_text(name) for name in head], (line(item) for item in items))


def _union(mappings: Iterable[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(name for mapping in mappings for name in mapping))


def _tools(tools: frozenset[str] | None) -> str:
    """Return names in order, one per line: "none" for an empty set, "unknown" if unreadable."""
    if tools is None:
        return "unknown"
    return _text("\n".join(sorted(tools)) if tools else "none")


def _text(value: object) -> str:
    shown = clean.text(value)
    return f"'{shown}" if _FORMULA.match(shown) else shown


def _written(head: Sequence[str], lines: Iterable[Sequence[Cell]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows([clean.plain(cell) for cell in line] for line in lines)
    return out.getvalue()


def _file_name(table_id: str, taken: set[str]) -> str:
    """Return a file name that every system allows and that differs from all others, ignoring case."""
    stem = _UNSAFE_IN_NAME.sub("-", table_id).strip("-.")[:80] or "table"
    used = {name.lower() for name in taken}
    name, count = f"{stem}.csv", 1
    while name.lower() in used:
        count += 1
        name = f"{stem}-{count}.csv"
    return name
