"""The paper's figures, from the rows of its tables: what is drawn is what is printed."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from knowact.core.charts import shift_bars, stacked_shares
from knowact.core.condition import CLEAN
from knowact.core.dot_chart import dots_per_run
from knowact.core.scatter_chart import Point, scatter_with_r
from knowact.core.table import Figure, Row, Run
from knowact.measures.correlation import pearson
from knowact.measures.quadrants import Quadrant
from knowact.measures.summary import kas_estimate, mean_estimate
from knowact.suites.kapro.arms import CALLS, SEED, arms, is_clean
from knowact.suites.kapro.tables import quadrants, shifts, topologies


def _named(row: Row) -> Row:
    """Give a row one key for its bar."""
    return replace(row, keys={**row.keys, "run": _name(row.keys)})


def _name(keys: Mapping[str, str]) -> str:
    """A run's model, and whatever is not as usual about it."""
    model = keys["model"].rsplit("/", maxsplit=1)[-1]
    setting = "" if keys["setting"] == CLEAN.name else keys["setting"]
    return ", ".join(filter(None, (model, setting, keys.get("data", ""))))


def kas_by_topology(runs: Sequence[Run]) -> Figure:
    """KAS by subspace and topology (KAPRO, Figure 3)."""
    rows = [_named(row) for row in topologies(runs).rows if row.measure == "KAS"]
    spec = dots_per_run(rows, "run", "topology", "boundary", value_title="KAS")
    return Figure("kas-by-topology", "KAS by topology", "KAPRO, Figure 3", spec)


def quadrant_shares(runs: Sequence[Run]) -> Figure:
    """The quadrants as shares of each subspace."""
    parts = [quadrant.value for quadrant in Quadrant]
    rows = [_named(row) for row in quadrants(runs).rows if row.measure in parts]
    spec = stacked_shares(rows, "run", "measure", parts=parts, facet="boundary")
    return Figure("quadrant-shares", "Knowing and acting at a glance", "KAPRO, Table 4", spec)


def kas_against_calls(runs: Sequence[Run]) -> Figure:
    """KAS against mean tool calls on internal tasks, where every call is overhead (KAPRO, Figure 4)."""
    points: list[Point] = []
    for arm in arms(runs):
        part = arm.subspaces().get("internal")
        if part is not None and is_clean(arm):
            kas = kas_estimate(part, "acc_know", "acc_act", SEED)
            calls = mean_estimate(part, CALLS, SEED, (0.0, math.inf))
            points.append(Point(_name(arm.keys), kas, calls))
    known = [(point.x.value, point.y.value) for point in points if None not in (point.x.value, point.y.value)]
    r = pearson([x or 0.0 for x, _ in known], [y or 0.0 for _, y in known])
    spec = scatter_with_r(points, r, x_title="KAS, internal", y_title="Tool calls per task")
    note = "Internal tasks need no tool, so each call is overhead. One dot per run."
    return Figure(
        "kas-against-calls",
        "KAS against tool calls on internal tasks",
        "KAPRO, Figure 4",
        spec,
        note if spec else "No run has internal tasks in the clean setting.",
    )


def distractor_shift(runs: Sequence[Run]) -> Figure:
    """Change of each quadrant's share with distractors (KAPRO, Figure 5)."""
    rows = [
        _named(replace(row, keys={**row.keys, "cell": f"{row.keys['boundary']} {row.measure}"}))
        for row in shifts(runs).rows
    ]
    spec = shift_bars(rows, "cell", "run")
    note = "" if spec else "Run a model both clean and with --distractors to see this."
    return Figure("distractor-shift", "What distractors change", "KAPRO, Figure 5", spec, note)


FIGURES: tuple[Callable[[Sequence[Run]], Figure], ...] = (
    *(kas_by_topology, quadrant_shares, kas_against_calls, distractor_shift),
)
