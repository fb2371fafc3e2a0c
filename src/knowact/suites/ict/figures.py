"""Figures: the headline and its words by part, the quadrants, and the strategies (ICT, Figure 5)."""

from collections.abc import Callable, Sequence
from typing import Final

from knowact.core.charts import dots_per_run, grouped_bars
from knowact.core.table import Figure, Run
from knowact.measures.confusion import Score
from knowact.measures.run_tables import quadrant_figure, with_bar
from knowact.suites.ict.probes import ZERO
from knowact.suites.ict.tables import JOINT, NAMES, REASONING, joint, quadrants, strategies

USUAL: Final = {"strategy": ZERO}


def conduct(runs: Sequence[Run]) -> Figure:
    """Joint conduct by part."""
    return _bars(runs, JOINT, "joint-conduct", "Joint conduct", "Needs a run with the implicit probe.")


def answers(runs: Sequence[Run]) -> Figure:
    """Pair accuracy of the explicit probe by part."""
    note = "Needs a run with the explicit probe."
    return _bars(runs, NAMES[Score.PAIR_ACCURACY], "pair-accuracy", "Both answers of a pair right", note)


def _bars(runs: Sequence[Run], measure: str, name: str, title: str, note: str) -> Figure:
    found = (row for row in joint(runs).rows if row.measure == measure and row.estimate.value is not None)
    rows = with_bar(found, USUAL)
    spec = grouped_bars(rows, "part", "bar", value_title=title)
    return Figure(name, title, "knowact", spec, "" if spec else note)


def quadrant_shares(runs: Sequence[Run]) -> Figure:
    """The quadrants as shares of each part."""
    note = "Needs a run with both probes (--probe both)."
    return quadrant_figure(quadrants(runs), "part", USUAL, "knowact", note)


def strategy_dots(runs: Sequence[Run]) -> Figure:
    """F1 by strategy, model and part; what F1 hides (a shift towards no) is in table 7."""
    f1 = [row for row in strategies(runs).rows if row.measure == NAMES[Score.F1]]
    some = len({row.keys["strategy"] for row in f1}) > 1
    rows = with_bar(f1 if some else (), {})
    spec = dots_per_run(rows, "bar", "strategy", "part", value_title=NAMES[Score.F1])
    note = f"Needs runs of two strategies, of {', '.join(REASONING)}."
    return Figure("figure-5", "F1 by strategy", "ICT, Figure 5", spec, "" if spec else note)


FIGURES: tuple[Callable[[Sequence[Run]], Figure], ...] = (conduct, answers, quadrant_shares, strategy_dots)
