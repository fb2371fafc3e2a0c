"""Figures about the data: the paper's Table 1, and pairs by part and level."""

from collections import Counter
from collections.abc import Callable, Sequence

from knowact.core.suite import Item
from knowact.core.table import Estimate, Row, Table
from knowact.suites.ict.published_tables import measured, table_1


def sizes(items: Sequence[Item]) -> Table:
    """Instances, turns, tools and lengths of the incomplete items (ICT, Table 1)."""
    lacking = [item for item in items if item.lacks]
    return table_1([measured(item.labels["part"], item.task.opening, item.tools) for item in lacking])


def by_level(items: Sequence[Item]) -> Table:
    """Pairs by part and by how alike the substitute is."""
    found = Counter(
        (item.labels["part"], item.labels.get("level", "words removed")) for item in items if item.lacks
    )
    rows = tuple(
        Row({"part": part, "level": level}, "pairs", Estimate(count, len(items)))
        for (part, level), count in sorted(found.items())
    )
    return Table("levels", "Pairs by level", "knowact", rows, across=("level",), percent=False, counts=True)


STATISTICS: tuple[Callable[[Sequence[Item]], Table], ...] = (sizes, by_level)
