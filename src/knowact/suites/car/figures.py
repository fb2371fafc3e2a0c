"""Figures: the headline, success against k, tokens and number of actions, error classes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from knowact.core.charts import grouped_bars, stacked_shares
from knowact.core.table import Figure, Row, Run
from knowact.measures.pass_k import Power
from knowact.measures.run_tables import AVERAGE, budget_figure, with_bar
from knowact.suites.car.records import SUCCESS
from knowact.suites.car.tables import (
    CLASSES,
    JOINT,
    JOINT_CONDUCT,
    LABELS,
    conduct,
    curve,
    errors,
    joint,
    parts,
)

USUAL: Final = {"user": "scripted", "condition": ""}


def _bars(rows: Iterable[Row], by: str, title: str) -> dict[str, object]:
    return grouped_bars(with_bar(rows, USUAL), by, "bar", value_title=title)


def conduct_figure(runs: Sequence[Run]) -> Figure:
    """The right conduct on a task and on its base task, by type."""
    rows = [row for row in conduct(runs).rows if row.measure == JOINT_CONDUCT]
    spec = _bars(rows, "type", "Joint conduct")
    note = "" if spec else "Needs base tasks, tasks derived from them (--type all), and a judge."
    return Figure("joint-conduct", "Joint conduct by type of task", "knowact", spec, note)


def success_figure(runs: Sequence[Run]) -> Figure:
    """Success on a task and on its base task, by type."""
    rows = [row for row in joint(runs).rows if row.measure == JOINT]
    spec = _bars(rows, "type", "Joint success")
    note = "" if spec else "Needs base tasks and tasks derived from them (--type all)."
    return Figure("joint-success", "Joint success by type of task", "knowact", spec, note)


def curve_figure(runs: Sequence[Run]) -> Figure:
    """Pass^k against k, averaged over the types where there are several."""
    rows = [row for row in curve(runs).rows if row.measure == Power.HAT.value]
    averaged = [row for row in rows if row.keys["type"] == AVERAGE]
    spec = _bars(averaged or rows, "k", "Pass^k")
    note = "" if spec else "Needs scored trials."
    return Figure("every-time", "Success every time", "CAR-bench, figure", spec, note)


def error_figure(runs: Sequence[Run]) -> Figure:
    """Error classes and the step limit as shares of the failed trials, a panel per type."""
    spelt = {name: f"{name} {meaning}" for name, meaning in CLASSES.items()}
    rows = with_bar(errors(runs).rows, USUAL)
    rows = [replace(row, keys={**row.keys, "class": spelt[row.keys["class"]]}) for row in rows]
    spec = stacked_shares(rows, "bar", "class", parts=tuple(spelt.values()), facet="type")
    note = "" if spec else "No trial failed through the agent's fault."
    return Figure("why-failed", "Why trials failed", "CAR-bench, error taxonomy", spec, note)


def action_figure(runs: Sequence[Run]) -> Figure:
    """Success by the number of calls of the reference, base tasks."""
    wanted = {"by": LABELS["actions"], "type": "base"}
    rows = [row for row in parts(runs).rows if wanted.items() <= row.keys.items()]
    spec = _bars(rows, "group", "Success, base tasks")
    note = "" if spec else "Needs base tasks."
    return Figure("by-length", "Success by length", "CAR-bench, figure", spec, note)


def tokens_figure(runs: Sequence[Run]) -> Figure:
    """Success against the token budget of the agent."""
    return budget_figure(runs, SUCCESS, "Success")


FIGURES: Final[tuple[Callable[[Sequence[Run]], Figure], ...]] = (
    *(conduct_figure, success_figure, curve_figure, tokens_figure, error_figure, action_figure),
)
