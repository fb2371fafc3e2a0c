"""A chart of two measures against each other: one dot per run, with its name, and Pearson's r."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knowact.core import palette
from knowact.core.charts import given, one_panel
from knowact.core.rounding import interval_text, number_text
from knowact.core.table import Estimate

NAMES_PER_DOT = 3
"""Runs that lie on one another share a name tag; more than these are counted."""


@dataclass(frozen=True, slots=True)
class Point:
    """One dot of a scatter plot, named by `label` ("gpt-5")."""

    label: str
    x: Estimate
    y: Estimate


def scatter_with_r(
    points: Sequence[Point], r: Estimate, *, x_title: str, y_title: str, x_percent: bool = True
) -> dict[str, Any]:
    """Dots with their names, and Pearson's r with its interval below the title.

    Args:
        points: One per model; those without both values are left out.
        r: The correlation, as `measures` computed it; without a value no line is drawn.
        x_title: What goes to the right.
        y_title: What goes up; never in percent (mean tool calls).
        x_percent: Show x in percent.
    """
    data = [
        {
            "label": point.label,
            "x": point.x.value,
            "y": point.y.value,
            "x_text": number_text(point.x.value, percent=x_percent),
            "y_text": number_text(point.y.value, percent=False),
            "x_interval": interval_text(point.x, percent=x_percent),
            "y_interval": interval_text(point.y, percent=False),
            "n": point.x.n,
        }
        for point in points
        if given(point.x) and given(point.y)
    ]
    if not data:
        return {}
    _name(data)
    title = {"text": _r_text(r), "anchor": "start", "fontWeight": "normal", "fontSize": 12}
    layers = _scatter_layers(data, (x_title, y_title), x_percent=x_percent, line=r.value is not None)
    return one_panel(data, title=title, height=220, layer=layers)


def _scatter_layers(
    data: Sequence[Mapping[str, Any]], titles: tuple[str, str], *, x_percent: bool, line: bool
) -> list[dict[str, Any]]:
    """Dots, their names, and the regression line where r is given."""
    x_title, y_title = titles
    place = {
        "x": {
            "field": "x",
            "type": "quantitative",
            "title": x_title,
            "axis": {"format": ".0%"} if x_percent else {},
            "scale": _share_scale(data) if x_percent else {"zero": False, "padding": 24},
        },
        "y": {"field": "y", "type": "quantitative", "title": y_title, "scale": _from_zero(data)},
    }
    shown = [("label", "Run"), ("x_text", x_title), ("x_interval", "95 % interval")]
    shown += [("y_text", y_title), ("y_interval", "95 % interval of that"), ("n", "n")]
    dots = {
        "mark": {"type": "point", "filled": True, "size": 70, "opacity": 0.9, "color": palette.NEUTRAL},
        "encoding": {**place, "tooltip": [{"field": field, "title": title} for field, title in shown]},
    }
    names = {
        # Names grow towards the middle, so that those at the edges stay inside.
        "mark": {
            "type": "text",
            "dx": {"expr": "datum.right ? -8 : 8"},
            "align": {"expr": "datum.right ? 'right' : 'left'"},
            "fontSize": 10.5,
        },
        "encoding": {**place, "text": {"field": "name"}},
    }
    regression = {
        "mark": {
            "type": "line",
            "clip": True,
            "strokeDash": [5, 4],
            "strokeWidth": 1.2,
            "color": palette.NEUTRAL,
        },
        "transform": [{"regression": "y", "on": "x"}],
        "encoding": place,
    }
    return [*([regression] if line else []), dots, names]


def _name(data: Sequence[dict[str, Any]]) -> None:
    """Give dots that lie on one another one name tag, and say on which half each dot is."""
    middle = (min(datum["x"] for datum in data) + max(datum["x"] for datum in data)) / 2
    heaps: dict[tuple[float, float], list[dict[str, Any]]] = defaultdict(list)
    for datum in data:
        datum["right"] = datum["x"] > middle
        heaps[round(datum["x"], 3), round(datum["y"], 3)].append(datum)
    for heap in heaps.values():
        labels = [datum["label"] for datum in heap]
        more = f" and {len(labels) - NAMES_PER_DOT} more" if len(labels) > NAMES_PER_DOT else ""
        for datum in heap:
            datum["name"] = ""
        heap[0]["name"] = ", ".join(labels[:NAMES_PER_DOT]) + more


def _share_scale(data: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Whole tenths around the shares: an axis that goes on beyond 100 % would be nonsense."""
    shares = [float(datum["x"]) for datum in data]
    return {"domain": [math.floor(min(shares) * 10) / 10, math.ceil(max(shares) * 10) / 10 or 0.1]}


def _from_zero(data: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """From nought, and never below it for the sake of a line: there are no negative tool calls."""
    return {"zero": True, **({"domainMin": 0} if all(datum["y"] >= 0 for datum in data) else {})}


def _r_text(r: Estimate) -> str:
    if r.value is None:
        return f"r not given: {r.n} runs are too few or do not differ"
    interval = interval_text(r, percent=False)
    ends = f" (95 % interval {interval})" if r.low is not None and r.high is not None else ""
    return f"r = {number_text(r.value, percent=False)}{ends}, n = {r.n} runs"
