"""One table as texts for print: what LaTeX and Markdown have in common.

Each number stands with its interval. n stands where it is said least often: in the line below the title, in a
column of its own, in the column heads, or beside each number.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from knowact.core import clean
from knowact.core.rounding import brackets, number_text
from knowact.core.table import Estimate, Row, Table, Term
from knowact.report.best import MARKED, best_rows
from knowact.report.pivot import Grid, facts, one_n, pivot, signed

COLUMNS: Final = 6
"""A table with more columns of numbers than fit on paper has all its keys in row heads instead."""

LONGEST: Final = 160
"""Characters of a name; a longer one is cut, because no column could hold it."""


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """One number, its interval ("[51.0, 73.9]"), and what it rests on ("n 45"), empty if said elsewhere.

    Attributes:
        best: Whether it is to be set in bold: the best of its column, or not told apart from it.
    """

    value: str = ""
    interval: str = ""
    n: str = ""
    best: bool = False

    @property
    def small(self) -> str:
        """What stands behind the number."""
        return " ".join(filter(None, (self.interval, f"({self.n})" if self.n else "")))


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """One row: its heads and its cells."""

    heads: tuple[str, ...]
    cells: tuple[PrintedCell, ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """A table as texts.

    Attributes:
        facts: Where it comes from, its unit, how its intervals were made, and n if it is the same everywhere.
        corner: The heads of the columns of row heads.
        levels: Per level of column heads, outermost first, each head with the number of columns it spans.
    """

    title: str
    facts: str
    note: str
    corner: tuple[str, ...]
    levels: tuple[tuple[tuple[str, int], ...], ...]
    lines: tuple[PrintedRow, ...]

    @property
    def columns(self) -> int:
        """How many columns stand beside the row heads."""
        return sum(span for _, span in self.levels[-1]) if self.levels else 0


def printed(table: Table, own: Mapping[str, Term]) -> Printed:
    """Return a table that has rows as texts; `own` are the words of its suite, which say what is good."""
    best = best_rows(table, own)
    grid, marked = pivot(table), MARKED
    if len(grid.columns) > COLUMNS and table.across:
        grid = pivot(replace(table, across=()))
        marked = f"{MARKED}, among rows of the same {' and '.join(map(named, table.across))}"
    of_lines = [_ns(line.cells) for line in grid.lines]
    n = one_n(table)
    stated = table.counts or n is not None
    by_line = not stated and all(len(ns) == 1 for ns in of_lines)
    by_column = not (stated or by_line) and all(len(ns) == 1 for ns in grid.ns)
    everywhere = not (stated or by_line or by_column)
    # A row head that is the same in all rows is said once.
    corner = range(len(grid.corner))
    common = [place for place in corner[1:] if len({line.heads[place] for line in grid.lines}) == 1]
    kept = [place for place in corner if place not in common]
    common_heads = [
        f"{named(grid.corner[place])}: {named(grid.lines[0].heads[place]) or 'none'}" for place in common
    ]
    levels = [[(named(head), span) for head, span in grid.spans(level)] for level in range(grid.levels)]
    if by_column:
        levels[-1] = [
            (f"{head} (n {min(ns):,})", 1) for (head, _), ns in zip(levels[-1], grid.ns, strict=True)
        ]
    if by_line:
        levels = [[*level, ("", 1)] for level in levels[:-1]] + [[*levels[-1], ("n", 1)]]
    return Printed(
        title=named(table.title),
        facts="; ".join(
            [
                *facts(table, _short),
                *common_heads,
                *([] if n is None else [f"n {n:,}"]),
                *([marked] if best else []),
            ]
        ),
        note=" ".join(clean.text(table.note).split()),
        corner=tuple(named(grid.corner[place]) for place in kept),
        levels=tuple(map(tuple, levels)),
        lines=tuple(
            PrintedRow(heads, (*cells, PrintedCell(f"{min(ns):,}")) if by_line else cells)
            for heads, cells, ns in zip(
                [tuple(_short(line.heads[place]) for place in kept) for line in grid.lines],
                _cells(table, grid, best, n=everywhere),
                of_lines,
                strict=True,
            )
        ),
    )


def markdown(table: Table, own: Mapping[str, Term]) -> str:
    """Return a table as Markdown (GitHub's), with its title, what it rests on, and its note."""
    shown = printed(table, own)
    levels = [[head for head, span in level for _ in range(span)] for level in shown.levels]
    columns = [[level[place] for level in levels] for place in range(shown.columns)]
    # Markdown knows one row of heads only: the levels are joined.
    head = [*shown.corner, *(" · ".join(dict.fromkeys(filter(None, column))) for column in columns)]
    rule = [*("---" for _ in shown.corner), *("---:" for _ in range(shown.columns))]
    rows = [_row([*map(_field, line.heads), *map(_marked, line.cells)]) for line in shown.lines]
    lines = [_row(map(_field, head)), _row(rule), *rows]
    parts = [f"**{_field(shown.title)}**", _field(shown.facts), "\n".join(lines)]
    return "\n\n".join([*parts, *([_field(shown.note)] if shown.note else [])]) + "\n"


def named(name: str) -> str:
    """Return a name as people read it: blanks for underscores, on one line, not endless."""
    return _short(name.replace("_", " "))


def _short(name: str) -> str:
    line = " ".join(clean.text(name).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"


def _ns(cells: Iterable[object]) -> set[int]:
    return {cell.estimate.n for cell in cells if isinstance(cell, Row)}


def _cells(table: Table, grid: Grid, best: frozenset[int], *, n: bool) -> list[tuple[PrintedCell, ...]]:
    """The cells of each line; with `n` each says what it rests on."""
    changes = signed(table)
    return [
        tuple(
            PrintedCell()
            if row is None
            else replace(_cell(row.estimate, table, signed=row.measure in changes, n=n), best=id(row) in best)
            for row in line.cells
        )
        for line in grid.lines
    ]


def _cell(estimate: Estimate, table: Table, *, signed: bool, n: bool) -> PrintedCell:
    value = number_text(estimate.value, percent=table.percent, signed=signed, counts=table.counts)
    if table.counts:
        return PrintedCell(value)
    return PrintedCell(value, brackets(estimate, percent=table.percent), f"n {estimate.n:,}" if n else "")


def _row(fields: Iterable[str]) -> str:
    return f"| {' | '.join(fields)} |"


def _marked(cell: PrintedCell) -> str:
    """A cell with its number in bold where that is the best."""
    value = _field(cell.value)
    return " ".join(filter(None, (f"**{value}**" if cell.best else value, _field(cell.small))))


def _field(text: str) -> str:
    """Return text that Markdown shows as it is: no cell ends in it, and no markup begins."""
    shown = "".join(f"\\{sign}" if sign in "\\`*_{}[]<>|~#&" else sign for sign in clean.one_line(text))
    return shown.replace("://", ":\\//")
