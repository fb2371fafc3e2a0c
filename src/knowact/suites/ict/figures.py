"""The figures: both items of a pair right by part, and the know-act quadrants."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from knowact.core.charts import grouped_bars, stacked_shares
from knowact.core.table import Figure, Row, Run
from knowact.measures.confusion import Score
from knowact.measures.quadrants import Quadrant
from knowact.suites.ict.tables import JOINT, NAMES, joint, quadrants


def _named(row: Row) -> Row:
    """Give a row one key for its bar: the model, the strategy unless it is the plainest, and what differs."""
    model = row.keys["model"].rsplit("/", maxsplit=1)[-1]
    strategy = "" if row.keys["strategy"] == "zero-shot" else row.keys["strategy"]
    others = [row.keys.get(key, "") for key in ("data", "run")]
    return replace(row, keys={**row.keys, "bar": ", ".join(filter(None, (model, strategy, *others)))})


def conduct(runs: Sequence[Run]) -> Figure:
    """Joint conduct by part."""
    return _bars(runs, JOINT, "joint-conduct", "Joint conduct", "It takes a run with the implicit probe.")


def answers(runs: Sequence[Run]) -> Figure:
    """Pair accuracy of the explicit probe by part."""
    note = "It takes a run with the explicit probe."
    return _bars(runs, NAMES[Score.PAIR_ACCURACY], "pair-accuracy", "Both answers of a pair right", note)


def _bars(runs: Sequence[Run], measure: str, name: str, title: str, note: str) -> Figure:
    rows = [_named(row) for row in joint(runs).rows if row.measure == measure]
    rows = [row for row in rows if row.estimate.value is not None]
    spec = grouped_bars(rows, "part", "bar", value_title=title)
    return Figure(name, title, "knowact", spec, "" if spec else note)


def quadrant_shares(runs: Sequence[Run]) -> Figure:
    """The quadrants as shares of each part."""
    parts = [quadrant.value for quadrant in Quadrant]
    rows = [_named(row) for row in quadrants(runs).rows if row.measure in parts]
    spec = stacked_shares(rows, "bar", "measure", parts=parts, facet="part")
    note = "" if spec else "It takes a run with both probes (--probe both)."
    return Figure("quadrant-shares", "Said and done at a glance", "knowact", spec, note)


FIGURES: tuple[Callable[[Sequence[Run]], Figure], ...] = (conduct, answers, quadrant_shares)
