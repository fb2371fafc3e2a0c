"""Tables and run summaries for the terminal: aligned columns, plain characters.

Widths count characters as terminals show them. Control characters are shown as U+FFFD, so that a model's
text cannot move the cursor.
"""

import dataclasses
import unicodedata
from collections.abc import Sequence

from knowact.core import clean
from knowact.core.rounding import brackets, number_text
from knowact.core.table import Estimate, Row, Table
from knowact.report.build import RunSummary
from knowact.report.compare import Compared, Telling
from knowact.report.pivot import pivot

_GAP = "  "

TO = " to "

RANGES = (
    "n: the numbers of one line rest on different numbers of trials, items or pairs, the fewest to the most."
)

REASON = 48
"""Characters of a reason beside another one."""


def table_text(table: Table) -> str:
    """Return a table with a column per measure, intervals beside the numbers, and n in the last column.

    All keys are row heads here, because a terminal cannot scroll sideways. Only counts keep keys in columns;
    they need no n.
    """
    narrow = table.counts and len({row.measure for row in table.rows}) == 1
    grid = pivot(table if narrow else dataclasses.replace(table, across=()))
    if not grid.lines:
        empty = clean.one_line(table.note) if table.counts else ""
        return f"{clean.one_line(table.title)}\n{_GAP}{empty or 'nothing measured'}\n"
    rows = [[*grid.corner, *(column[-1] for column in grid.columns)]]
    rows += [[*line.heads, *(_of_table(cell, table) for cell in line.cells)] for line in grid.lines]
    if not table.counts:
        counts = [_range_of_n([cell.estimate for cell in line.cells if cell]) for line in grid.lines]
        rows = [[*row, n] for row, n in zip(rows, ["n", *counts], strict=True)]
    lines = aligned(rows, left=len(grid.corner))
    ranges = [] if table.counts or not any(TO in row[-1] for row in rows) else [RANGES]
    notes = [clean.one_line(note) for note in (*ranges, table.note) if note]
    return "\n".join([_title(table), *lines, *notes]) + "\n"


def compared_text(compared: Compared) -> str:
    """Return the rows of a comparison: both values, the difference with its interval, tests, counts."""
    values, tests = pivot(compared.differences), pivot(compared.tests)
    head = [*values.corner, "first", "second", "difference", *(column[-1] for column in tests.columns)]
    percent = compared.differences.percent
    rows: list[list[str]] = []
    for line, test in zip(values.lines, tests.lines, strict=True):
        first, second, difference = (cell.estimate if cell else None for cell in line.cells)
        numbers = [estimate_text(first, percent=percent), estimate_text(second, percent=percent)]
        numbers.append(estimate_text(difference, percent=percent, signed=True))
        test_cells = [
            _test(column[-1], cell.estimate if cell else None)
            for column, cell in zip(tests.columns, test.cells, strict=True)
        ]
        rows.append([*line.heads, *numbers, *test_cells])
    lines = aligned([head, *rows], left=len(values.corner))
    warning = [f"Warning: {clean.one_line(compared.warning)}"] if compared.warning else []
    note = clean.one_line(compared.differences.note)
    return "\n".join([*warning, _title(compared.differences), *lines, note]) + "\n"


def telling_text(items: Sequence[Telling]) -> str:
    """Return the items that tell two runs apart, a line each, with both values and what decided them."""
    if not items:
        return "The runs differ on no item.\n"
    rows = [["item", "condition", "A", "B", "A because", "B because"]]
    for item in items:
        values = (_plain(number_text(value, percent=True)) for value in (item.first, item.second))
        reasons = (_cut(why) or "-" for why in (item.why_first, item.why_second))
        rows.append([item.item, item.condition, *values, *reasons])
    epochs = max(item.epochs for item in items)
    over = f"; means over up to {epochs} epochs" if epochs > 1 else ""
    return "\n".join([f"The most telling items, percent{over}", *aligned(rows, left=len(rows[0]))]) + "\n"


def _cut(text: str) -> str:
    """A reason that leaves room for the other one."""
    line = clean.one_line(text)
    return line if len(line) <= REASON else f"{line[: REASON - 3]}..."


def run_text(summary: RunSummary) -> str:
    """Return the last lines of `knowact run`: headline, warnings, counts and outcomes."""
    run = summary.run
    lines = [f"{run.suite}, {run.dataset.name}@{run.dataset.version}, {run.model}"]
    lines += [f"{_GAP}Warning: {warning}" for warning in summary.warnings]
    lines += [f"{_GAP}{sentence}" for sentence in summary.headline or ("No headline.",)]
    lines.append(f"{_GAP}{summary.trials}")
    if summary.bounds is not None:
        lines.append(f"{_GAP}{summary.bounds}")
    for probe, outcomes in summary.outcomes.items():
        counts = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in outcomes.items())
        lines.append(f"{_GAP}Outcome of {probe.replace('_', ' ')}: {counts}.")
    for reader in summary.readers:
        calibration = f"; {reader.calibration}" if reader.calibration else ""
        lines.append(f"{_GAP}{reader.role.capitalize()}: {reader.words}{calibration}.")
    if summary.reading:
        counts = ", ".join(f"{name} {count:,}" for name, count in summary.reading.items())
        lines.append(f"{_GAP}Reading: {counts}.")
    return "\n".join(clean.one_line(line) for line in lines) + "\n"


def aligned(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return one line per row; the first `left` columns are left-aligned, the others right-aligned."""
    shown = [[clean.one_line(cell) for cell in row] for row in rows]
    widths = [max(_width(cell) for cell in column) for column in zip(*shown, strict=True)]

    def padded(cell: str, column: int) -> str:
        space = " " * (widths[column] - _width(cell))
        return cell + space if column < left else space + cell

    return [_GAP.join(padded(cell, column) for column, cell in enumerate(row)).rstrip() for row in shown]


def _title(table: Table) -> str:
    return clean.one_line(f"{table.title}, percent" if table.percent else table.title)


def _of_table(row: Row | None, table: Table) -> str:
    if row is not None and table.counts:
        return number_text(row.estimate.value, percent=False, counts=True)
    return estimate_text(row.estimate if row else None, percent=table.percent)


def estimate_text(estimate: Estimate | None, *, percent: bool, signed: bool = False) -> str:
    """Return a value with its interval, as the tables show it; nothing for None."""
    if estimate is None:
        return ""
    if estimate.value is None and estimate.method:
        return f"not computable ({estimate.method})"
    value = number_text(estimate.value, percent=percent, signed=signed)
    return _plain(f"{value} {brackets(estimate, percent=percent)}".rstrip())


def _plain(number: str) -> str:
    """Return a number with an ASCII minus, which shell tools can read."""
    return number.replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-")


def _test(name: str, estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return "-"
    return f"{estimate.value:.4f}" if name.startswith("p") else f"{estimate.value:.0f}"


def _range_of_n(numbers: Sequence[Estimate]) -> str:
    """What the numbers of a line rest on; one that was not measured rests on nothing."""
    counts = {estimate.n for estimate in numbers if estimate.value is not None} or {0}
    low, high = min(counts), max(counts)
    return f"{low}" if low == high else f"{low}{TO}{high}"


def _width(text: str) -> int:
    """Return how many cells a terminal needs: two for a wide character, none for a combining one."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )
