"""How many items it takes: to compare at all, and until the end of an interval lies beyond a bound.

The estimate is taken for the truth and only the interval shrinks: a plan for the next run, no promise.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from knowact.core.table import Estimate
from knowact.measures.clusters import Booleans
from knowact.measures.columns import Coded, Data, as_columns
from knowact.measures.intervals import wilson

FEWEST: Final = 6
"""Of fewer independent items no sentence compares anything: even if all of them differ one way, an exact sign
test at 5 % does not tell that from chance (2 / 2**5 is above 0.05, 2 / 2**6 below)."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What a number rests on. Further trials of an item add to the trials alone.

    Attributes:
        trials: How often an item (or a pair of items) was tried and measured.
        items: Which ones; an item under another condition is another one.
        clusters: The clusters that they are of: the independent ones among them count once.
    """

    trials: int
    items: frozenset[Hashable]
    clusters: frozenset[str]

    @classmethod
    def of(cls, measured: Sequence[tuple[Hashable, str]]) -> Self:
        """Count measured trials, each given by its item and that item's cluster."""
        items, clusters = {item for item, _ in measured}, {cluster for _, cluster in measured}
        return cls(len(measured), frozenset(items), frozenset(clusters))

    @classmethod
    def together(cls, parts: Iterable["Basis"]) -> Self:
        """What the parts of a number rest on, taken together; no trial is in two of them."""
        every = list(parts)
        return cls(
            sum(part.trials for part in every),
            frozenset[Hashable]().union(*(part.items for part in every)),
            frozenset[str]().union(*(part.clusters for part in every)),
        )

    def counted(self, unit: str = "item") -> str:
        """Say how much it is: "1 item", "6 items", or "12 trials of 6 items"."""
        number = len(self.items)
        items = f"{number:,} {unit}{'' if number == 1 else 's'}"
        return items if self.trials == number else f"{self.trials:,} trials of {items}"


def basis(data: Data, measures: Sequence[str] = ()) -> Basis:
    """Return what the records rest on in which all these measures have a value.

    Args:
        data: The records.
        measures: Names of results, or derived ones ("DirGap"); none for every scored record.
    """
    columns = as_columns(data, measures)
    values = [columns.values(name) for name in measures]
    has: Booleans = np.logical_and.reduce([columns.scored, *(~np.isnan(column) for column in values)])
    items, conditions, clusters = (
        _names(coded, has) for coded in (columns.item, columns.condition, columns.cluster)
    )
    return Basis.of(list(zip(zip(items, conditions, strict=True), clusters, strict=True)))


def _names(coded: Coded[str], chosen: Booleans) -> list[str]:
    codes: list[int] = coded.codes[chosen].tolist()
    return [coded.names[code] for code in codes]


def enough(clusters: Iterable[str]) -> bool:
    """Return whether a number that rests on these clusters may stand in a sentence that compares."""
    return len(set(clusters)) >= FEWEST


MOST = 1_000_000
"""Beyond this nobody runs a suite."""


def items_for_bound(estimate: Estimate, bound: float, *, at_least: bool) -> int | None:
    """Return how many items would put the interval's end beyond a bound, were the estimate the truth.

    Of independent 0/1 rates by Wilson's interval; otherwise by its width, which shrinks with the root of the
    number of items. Items of one cluster come with their cluster.

    Args:
        estimate: With its interval.
        bound: What the end must reach.
        at_least: Whether the lower end must reach it from above; else the upper end from below.

    Returns:
        The number, at least as many as there are; None where no number does it: the estimate itself lies on
        the wrong side of the bound or on it, it has no interval, or it would take more than a million.
    """
    if estimate.value is None or estimate.low is None or estimate.high is None or estimate.n < 1:
        return None
    distance = estimate.value - bound if at_least else bound - estimate.value
    if distance <= 0:
        return None
    if estimate.method == "wilson":
        return _by_wilson(estimate, bound, at_least=at_least)
    half = estimate.value - estimate.low if at_least else estimate.high - estimate.value
    needed = math.ceil(estimate.n * max(1.0, (half / distance) ** 2) - 1e-6)
    return needed if needed <= MOST else None


def _by_wilson(estimate: Estimate, bound: float, *, at_least: bool) -> int | None:
    rate = estimate.value or 0.0

    def reaches(n: int) -> bool:
        interval = wilson(round(rate * n), n)
        end = interval.low if at_least else interval.high
        return end is not None and (end >= bound if at_least else end <= bound)

    few, many = estimate.n, estimate.n
    while not reaches(many):
        few, many = many, 2 * many
        if many > MOST:
            return None
    while few < many:
        middle = (few + many) // 2
        few, many = (few, middle) if reaches(middle) else (middle + 1, many)
    return many
