"""Which numbers of a table are the best: marked alike on the page, in LaTeX and in Markdown."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from knowact.core.suite import load_terms
from knowact.core.table import Better, Estimate, Table, Term
from knowact.core.traits import MEANING
from knowact.report.pivot import pivot

SHARED: Final[Mapping[str, Term]] = {
    **load_terms("knowact.measures"),
    **{str(trait): Term(f"{meaning.capitalize()}.", "higher") for trait, meaning in MEANING.items()},
}
"""What the words in the heads of tables mean that several suites share, and which values are good."""

RUN_HEAD: Final = "model"
"""The row head that names an agent: rows of tables without it (policies, classes) do not compete."""

DATA_HEAD: Final = "data"
"""The row head that names a data set: rows on different data do not compete."""

MARKED: Final = "bold: best, or not told apart"
"""What a table says of itself in which some number is marked."""


def term_of(word: str, own: Mapping[str, Term]) -> Term | None:
    """What a word means, if anybody says: the suite itself, or what all suites share."""
    return own.get(word) or SHARED.get(word)


def best_rows(table: Table, own: Mapping[str, Term]) -> frozenset[int]:
    """The rows, by `id`, whose number is the best of its column or not told apart from it; see `leaders`.

    Args:
        table: Its columns are the measures, for each value of the keys that go across.
        own: The words of the table's suite.
    """
    return frozenset(_best(table, own))


def _best(table: Table, own: Mapping[str, Term]) -> Iterator[int]:
    grid = pivot(table)
    if RUN_HEAD not in grid.corner:
        return
    at = grid.corner.index(DATA_HEAD) if DATA_HEAD in grid.corner else None
    data = [None if at is None else line.heads[at] for line in grid.lines]
    for place, name in product(range(len(grid.columns)), dict.fromkeys(data)):
        cells = [
            line.cells[place] if here == name and table.unranked.isdisjoint(line.heads) else None
            for line, here in zip(grid.lines, data, strict=True)
        ]
        measure = next((cell.measure for cell in cells if cell is not None), "")
        term = term_of(measure, own)
        better: Better = term.better if term else "higher" if table.highest else ""
        best_cells = leaders([None if cell is None else cell.estimate for cell in cells], better)
        yield from (id(cells[at]) for at in best_cells)


def leaders(estimates: Sequence[Estimate | None], better: Better) -> frozenset[int]:
    """Which of some numbers are the best: the best one, its ties, and all whose intervals overlap its.

    None of them where that is all of them, where fewer than two were measured, or where no value is good.
    """
    sign = -1.0 if better == "lower" else 1.0
    known = [
        (sign * estimate.value, place, estimate)
        for place, estimate in enumerate(estimates)
        if estimate is not None and estimate.value is not None
    ]
    if not better or not known:
        return frozenset()
    _, _, top = max(known, key=lambda ranked: ranked[:1])
    alike = frozenset(
        place for _, place, estimate in known if estimate.value == top.value or _overlap(estimate, top)
    )
    return alike if len(alike) < len(known) else frozenset()


def _overlap(left: Estimate, right: Estimate) -> bool:
    if left.low is None or left.high is None or right.low is None or right.high is None:
        return False
    return left.low <= right.high and right.low <= left.high
