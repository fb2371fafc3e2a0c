"""A chart for many runs: one line each, a dot per part, whiskers for the intervals.

Grouped bars (`core.charts`) are read well for a handful of runs. With ten, a bar is a thread; dots on lines
stay readable for as many runs as there are.
"""

from collections.abc import Sequence
from typing import Any

from knowact.core.charts import PALETTE, SCHEMA, distinct, measured_data, tooltip
from knowact.core.table import Row

_LINE = 30
"""Pixels per run: room for three dots above one another."""


def dots_per_run(
    rows: Sequence[Row], run: str, colour: str, facet: str, *, value_title: str
) -> dict[str, Any]:
    """Dots on lines, in panels.

    Args:
        rows: One fraction each; rows without a value are left out.
        run: The key that makes the lines.
        colour: The key that makes the dots of a line.
        facet: The key that makes the panels, one above the other.
        value_title: What is measured, for the axis.
    """
    data = measured_data(rows, run, colour)
    for datum, row in zip(data, [row for row in rows if row.estimate.value is not None], strict=True):
        datum["panel"] = row.keys.get(facet, "")
    if not data:
        return {}
    colours = distinct(data, "colour")
    place = {
        "y": {"field": "bar", "type": "nominal", "sort": distinct(data, "bar"), "title": None},
        "yOffset": {"field": "colour", "type": "nominal", "sort": colours},
        "color": {
            "field": "colour",
            "type": "nominal",
            "scale": {"domain": colours, "range": list(PALETTE[: len(colours)])},
            "legend": {"title": None},
        },
        "tooltip": tooltip(run, colour, value_title),
    }
    axis = {"format": ".0%", "title": value_title}
    along = {"type": "quantitative", "scale": {"domain": [0, 1]}, "axis": axis}
    whiskers = {
        "transform": [{"filter": "isValid(datum.low) && isValid(datum.high)"}],
        "mark": {"type": "rule", "strokeWidth": 1.2, "opacity": 0.55},
        "encoding": {**place, "x": {"field": "low", **along}, "x2": {"field": "high"}},
    }
    dots = {
        "mark": {"type": "point", "filled": True, "size": 46, "opacity": 1},
        "encoding": {**place, "x": {"field": "value", **along}},
    }
    panels = distinct(data, "panel")
    header = {"labelOrient": "top", "labelAnchor": "start"}
    return {
        "$schema": SCHEMA,
        "data": {"values": data},
        "facet": {"field": "panel", "type": "nominal", "sort": panels, "title": None, "header": header},
        "columns": 1,
        "spec": {"height": {"step": _LINE, "for": "position"}, "layer": [whiskers, dots]},
    }
