"""Who gets what: the cheapest way to give every row a column of its own.

The Hungarian method in its form with potentials (Kuhn 1955; Munkres 1957), in whole numbers, so that equal
costs give equal pairs on every machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

_FAR = 1 << 60


def cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return the column of each row such that the sum of the costs is least.

    Args:
        costs: A row each, all of one length; there are at least as many columns as rows.

    Raises:
        ValueError: There are fewer.
    """
    columns = len(costs[0]) if costs else 0
    if len(costs) > columns:
        raise ValueError("every row needs a column of its own")
    placed = _Placed(costs, columns)
    for row in range(1, len(costs) + 1):
        placed.add(row)
    found = [0] * len(costs)
    for column, row in enumerate(placed.owner[1:]):
        if row:
            found[row - 1] = column
    return found


@dataclass(slots=True)
class _Placed:
    """Rows and columns are counted from 1; column 0 holds the row that is being placed."""

    costs: Sequence[Sequence[int]]
    columns: int
    owner: list[int] = field(init=False)
    of_row: list[int] = field(init=False)
    of_column: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.owner = [0] * (self.columns + 1)
        self.of_row = [0] * (len(self.costs) + 1)
        self.of_column = [0] * (self.columns + 1)

    def add(self, row: int) -> None:
        """Place one more row, moving others along a cheapest path to a column that is free."""
        self.owner[0] = row
        here, came = 0, [0] * (self.columns + 1)
        slack, done = [_FAR] * (self.columns + 1), [False] * (self.columns + 1)
        while self.owner[here]:
            done[here] = True
            self._look(here, slack, came, done)
            open_ = [column for column in range(1, self.columns + 1) if not done[column]]
            there = min(open_, key=slack.__getitem__)
            self._shift(slack[there], slack, done)
            here = there
        while here:
            self.owner[here] = self.owner[came[here]]
            here = came[here]

    def _look(self, here: int, slack: list[int], came: list[int], done: list[bool]) -> None:
        row = self.owner[here]
        for column in range(1, self.columns + 1):
            rest = self.costs[row - 1][column - 1] - self.of_row[row] - self.of_column[column]
            if not done[column] and rest < slack[column]:
                slack[column], came[column] = rest, here

    def _shift(self, least: int, slack: list[int], done: list[bool]) -> None:
        for column in range(self.columns + 1):
            if done[column]:
                self.of_row[self.owner[column]] += least
                self.of_column[column] -= least
            else:
                slack[column] -= least
