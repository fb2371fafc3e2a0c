"""What the paper says of its data set, for ours: tasks by boundary and logic type (KAPRO, Table 2)."""

from collections import Counter
from collections.abc import Sequence

from knowact.core.count_charts import count_bars
from knowact.core.suite import Item
from knowact.core.table import Estimate, Figure, Row, Table
from knowact.core.task import Boundary, Topology

SOURCE = "KAPRO, Table 2"
TOTAL = "all"

NOTE = (
    "The paper has 310 external, 368 hybrid and 398 internal tasks, as its percentages give away; how they "
    "split by logic type cannot be recovered. Hybrid has no single-hop: it takes two parts."
)


def _rows(items: Sequence[Item]) -> list[Row]:
    tasks = {item.task.id: item.task for item in items}.values()
    found = Counter((task.boundary.value, task.topology.value) for task in tasks)
    return [
        Row(
            {"boundary": side.value, "topology": kind.value},
            "tasks",
            Estimate(found[side.value, kind.value], len(tasks)),
        )
        for side in Boundary
        for kind in Topology
    ]


def by_topology(items: Sequence[Item]) -> Table:
    """Tasks by boundary and topology, with totals."""
    rows = _rows(items)
    sums: Counter[tuple[str, str]] = Counter()
    for row in rows:
        side, kind, count = row.keys["boundary"], row.keys["topology"], int(row.estimate.value or 0)
        sums[side, TOTAL] += count
        sums[TOTAL, kind] += count
        sums[TOTAL, TOTAL] += count
    total = sums[TOTAL, TOTAL]
    rows += [
        Row({"boundary": side, "topology": kind}, "tasks", Estimate(count, total))
        for (side, kind), count in sums.items()
    ]
    order = [*(side.value for side in Boundary), TOTAL]
    rows.sort(key=lambda row: order.index(row.keys["boundary"]))
    return Table(
        "topology",
        "Tasks by boundary and logic type",
        SOURCE,
        tuple(rows),
        ("topology",),
        NOTE,
        percent=False,
        counts=True,
    )


def topology_picture(items: Sequence[Item]) -> Figure:
    """The same as bars."""
    spec = count_bars(_rows(items), "boundary", "topology", value_title="tasks")
    return Figure("topology", "Tasks by boundary and logic type", SOURCE, spec)
