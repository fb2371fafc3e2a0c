"""Figures: the headline, success against k, error classes, and success by number of actions."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from knowact.core.charts import grouped_bars, stacked_shares
from knowact.core.table import Figure, Row, Run
from knowact.measures.pass_k import Power
from knowact.suites.car.arms import AVERAGED
from knowact.suites.car.failure_tables import CLASSES, errors
from knowact.suites.car.part_tables import LABELS, parts
from knowact.suites.car.tables import JOINT, JOINT_CONDUCT, conduct, curve, joint


def _named(row: Row) -> Row:
    """Give a row one key for its bar: the model, and whatever is not as usual."""
    model = row.keys["model"].rsplit("/", maxsplit=1)[-1]
    who = "" if row.keys["user"] == "scripted" else f"{row.keys['user']} as user"
    others = [row.keys.get(key, "") for key in ("condition", "data", "run")]
    return replace(row, keys={**row.keys, "run": ", ".join(filter(None, (model, who, *others)))})


def conduct_figure(runs: Sequence[Run]) -> Figure:
    """The right conduct on both members of a pair, by type."""
    rows = [_named(row) for row in conduct(runs).rows if row.measure == JOINT_CONDUCT]
    spec = grouped_bars(rows, "type", "run", value_title="Right conduct on both members of a pair")
    note = "" if spec else "It takes base tasks, tasks that were made of them (--type all), and a judge."
    return Figure("joint-conduct", "Joint conduct", "knowact", spec, note)


def twins_figure(runs: Sequence[Run]) -> Figure:
    """Success on both twins, by type."""
    rows = [_named(row) for row in joint(runs).rows if row.measure == JOINT]
    spec = grouped_bars(rows, "type", "run", value_title="Success on both twins")
    note = "" if spec else "It takes base tasks and tasks that were made of them (--type all)."
    return Figure("twins", "Success with and without what is missing", "knowact", spec, note)


def curve_figure(runs: Sequence[Run]) -> Figure:
    """Pass^k against k, averaged over the types where there are several."""
    rows = [_named(row) for row in curve(runs).rows if row.measure == Power.HAT.value]
    averaged = [row for row in rows if row.keys["type"] == AVERAGED]
    spec = grouped_bars(averaged or rows, "k", "run", value_title="Pass^k")
    note = "" if spec else "It takes scored trials."
    return Figure("every-time", "Success every time", "CAR-bench, figure", spec, note)


def error_figure(runs: Sequence[Run]) -> Figure:
    """Error classes and the step limit as shares of the failed trials, a panel per type."""
    spelt = {name: f"{name} {meaning}" for name, meaning in CLASSES.items()}
    rows = [_named(row) for row in errors(runs).rows]
    rows = [replace(row, keys={**row.keys, "class": spelt[row.keys["class"]]}) for row in rows]
    spec = stacked_shares(rows, "run", "class", parts=tuple(spelt.values()), facet="type")
    note = "" if spec else "Nothing failed on the agent's account."
    return Figure("why-failed", "Why trials failed", "CAR-bench, error taxonomy", spec, note)


def action_figure(runs: Sequence[Run]) -> Figure:
    """Success by the number of calls of the reference, base tasks."""
    rows = [
        _named(row)
        for row in parts(runs).rows
        if row.keys["by"] == LABELS["actions"] and row.keys["type"] == "base"
    ]
    spec = grouped_bars(rows, "group", "run", value_title="Success, base tasks")
    note = "" if spec else "It takes base tasks."
    return Figure("by-length", "Success by length", "CAR-bench, figure", spec, note)


FIGURES: Final[tuple[Callable[[Sequence[Run]], Figure], ...]] = (
    *(conduct_figure, twins_figure, curve_figure, error_figure, action_figure),
)
