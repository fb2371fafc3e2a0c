"""From a table's long form to rows and columns, for the page and for the terminal."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeVar

from knowact.core.table import Row, Table

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GridRow:
    """One row of the grid: its heads, and one cell per column (None where the table has no number)."""

    heads: tuple[str, ...]
    cells: tuple[Row | None, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A pivoted table.

    Attributes:
        corner: The keys that make the row heads.
        columns: For each column its heads, outermost first; all of one length.
        lines: The rows, in the order of their first appearance in the table.
    """

    corner: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    lines: tuple[GridRow, ...]

    @property
    def levels(self) -> int:
        """The number of rows of column heads."""
        return len(self.columns[0]) if self.columns else 0

    def spans(self, level: int) -> tuple[tuple[str, int], ...]:
        """The heads of one level, each with the number of columns it spans."""
        spans: list[tuple[str, int]] = []
        before: tuple[str, ...] | None = None
        for column in self.columns:
            here = column[: level + 1]
            if here == before:
                head, width = spans[-1]
                spans[-1] = (head, width + 1)
            else:
                spans.append((column[level], 1))
            before = here
        return tuple(spans)

    @property
    def ns(self) -> list[set[int]]:
        """The different n of the cells of each column."""
        columns = zip(*(line.cells for line in self.lines), strict=True)
        return [{cell.estimate.n for cell in column if cell is not None} for column in columns]

    @property
    def starts(self) -> frozenset[int]:
        """The columns that start a group of equal outermost heads; none without groups."""
        if self.levels < 2:  # noqa: PLR2004 - one level of heads groups nothing
            return frozenset()
        widths = (width for _, width in self.spans(0))
        return frozenset(accumulate(widths)) - {len(self.columns)}


def one_n(table: Table) -> int | None:
    """The n of all numbers of a table that has rows; None where they differ, and of counts."""
    first, *others = {row.estimate.n for row in table.rows}
    return None if others or table.counts else first


def signed(table: Table) -> frozenset[str]:
    """The measures with a negative number; these also show plus signs."""
    return frozenset(row.measure for row in table.rows if (row.estimate.value or 0) < 0)


def facts(table: Table, shortened: Callable[[str], str] = str) -> list[str]:
    """Where a table comes from, its unit and how its intervals were made."""
    if table.counts:
        return [shortened(table.source), "counts"]
    given = [row.estimate.method for row in table.rows if row.estimate.low is not None]
    methods = sorted({shortened(method) for method in given if method})
    intervals = f"95 % intervals: {', '.join(methods)}" if methods else "no intervals"
    return [shortened(table.source), *(["percent"] if table.percent else []), intervals]


def pivot(table: Table, hidden: Collection[str] = ()) -> Grid:
    """Put the keys of `table.across` and the measure into columns, the other keys into row heads.

    A single measure is the outermost head, over all columns. A key that a row lacks counts as empty.

    Args:
        table: The long form.
        hidden: Keys that are no heads, because all rows have the same value.

    Raises:
        ValueError: Two rows of the table are for the same cell.
    """
    keys = _in_order(key for row in table.rows for key in row.keys)
    across = tuple(key for key in table.across if key in keys and key not in hidden)
    down = tuple(key for key in keys if key not in (*across, *hidden))
    single = len({row.measure for row in table.rows}) == 1

    def column_of(row: Row) -> tuple[str, ...]:
        heads = tuple(row.keys.get(key, "") for key in across)
        return (row.measure, *heads) if single else (*heads, row.measure)

    def heads_of(row: Row) -> tuple[str, ...]:
        return tuple(row.keys.get(key, "") for key in down)

    cells: dict[tuple[tuple[str, ...], tuple[str, ...]], Row] = {}
    for row in table.rows:
        place = (heads_of(row), column_of(row))
        if place in cells:
            raise ValueError(f"table {table.id!r} has two numbers for {dict(row.keys)!r}, {row.measure!r}")
        cells[place] = row
    columns = _nested([column for _, column in cells])
    return Grid(
        corner=down,
        columns=columns,
        lines=tuple(
            GridRow(heads, tuple(cells.get((heads, column)) for column in columns))
            for heads in _in_order(heads for heads, _ in cells)
        ),
    )


def _in_order(things: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(things))


def _nested(columns: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Sort so that equal outer heads stand together, each level in order of first appearance."""
    ranks: dict[tuple[int, str], int] = {}
    for column in columns:
        for level, head in enumerate(column):
            ranks.setdefault((level, head), len(ranks))
    distinct = _in_order(columns)
    return tuple(sorted(distinct, key=lambda c: [ranks[level, head] for level, head in enumerate(c)]))
