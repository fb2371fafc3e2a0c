"""What the paper says of its tasks, for ours: counts by type and sub-type, and by length."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from knowact.core.count_charts import count_bars
from knowact.core.suite import Item
from knowact.core.table import Estimate, Figure, Row, Table


def _counts(items: Sequence[Item], first: str, second: str) -> list[Row]:
    tasks = {item.task.id: item.labels for item in items}.values()
    found = Counter((labels[first], labels[second]) for labels in tasks)
    return [
        Row({first: one, second: two}, "tasks", Estimate(count, len(tasks)))
        for (one, two), count in sorted(found.items(), key=lambda row: (row[0][0], _order(row[0][1])))
    ]


def _order(value: str) -> tuple[int, str]:
    return (int(value), "") if value.isdigit() else (0, value)


def by_subtype(items: Sequence[Item]) -> Table:
    """Tasks by type and sub-type."""
    rows = tuple(_counts(items, "type", "subtype"))
    note = "The paper reports on 100 base, 90 hallucination and 50 disambiguation tasks."
    return Table("types", "Tasks by type", "CAR-bench", rows, ("type",), note, percent=False, counts=True)


def by_length(items: Sequence[Item]) -> Table:
    """Tasks by type and number of reference calls."""
    rows = tuple(_counts(items, "type", "actions"))
    title, note = "Tasks by calls of the reference", "The paper's base tasks take 1 to 9, on average 3.6."
    return Table("actions", title, "CAR-bench", rows, ("actions",), note, percent=False, counts=True)


def lengths(items: Sequence[Item]) -> Figure:
    """The same as a picture."""
    spec = count_bars(_counts(items, "type", "actions"), "actions", "type", value_title="Tasks")
    return Figure("lengths", "Tasks by calls of the reference", "CAR-bench", spec)


STATISTICS: Final[tuple[Callable[[Sequence[Item]], Table], ...]] = (by_subtype, by_length)
PICTURES: Final[tuple[Callable[[Sequence[Item]], Figure], ...]] = (lengths,)
