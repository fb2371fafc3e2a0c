"""Bars of counts: how many tasks, sub-tasks or words there are of each kind."""

from collections.abc import Sequence
from typing import Any

from knowact.core.charts import PALETTE, SCHEMA, distinct, given, number_text
from knowact.core.table import Row

BAND = 22
"""Pixels per bar where bars lie on their side."""


def count_bars(
    rows: Sequence[Row],
    along: str,
    colour: str,
    *,
    value_title: str,
    along_title: str = "",
    lying: bool = False,
) -> dict[str, Any]:
    """Bars of counts, cut into coloured parts.

    Args:
        rows: One part of a bar each, its value a count.
        along: The key that makes the bars.
        colour: The key that makes the parts; `"measure"` takes the rows' measure.
        value_title: What is counted ("tasks").
        along_title: What the bars are, where their names do not say it ("words").
        lying: Bars on their side, for many or long names.
    """
    data = [
        {
            "bar": row.keys.get(along, ""),
            "colour": row.measure if colour == "measure" else row.keys.get(colour, ""),
            "value": row.estimate.value,
            "value_text": number_text(row.estimate.value, percent=False, counts=True),
        }
        for row in rows
        if given(row.estimate)
    ]
    if not data:
        return {}
    colours, bars = distinct(data, "colour"), distinct(data, "bar")
    names = {
        "field": "bar",
        "type": "nominal",
        "sort": bars,
        "title": along_title or None,
        "axis": {} if lying else {"labelAngle": 0},
    }
    # Half a task is none: no ticks between whole numbers.
    values = {"field": "value", "type": "quantitative", "title": value_title, "axis": {"tickMinStep": 1}}
    shown = (("bar", along_title or along), ("colour", colour), ("value_text", value_title))
    return {
        "$schema": SCHEMA,
        "data": {"values": data},
        "width": "container",
        # Not a step per bar: that and a width that follows the page do not go together in Vega-Lite.
        "height": BAND * len(bars) if lying else 260,
        "mark": {"type": "bar"},
        "encoding": {
            "y" if lying else "x": names,
            "x" if lying else "y": values,
            "color": _colour(colours),
            "tooltip": [{"field": field, "title": title} for field, title in shown if title != "measure"],
        },
    }


def _colour(names: Sequence[str]) -> dict[str, Any]:
    """One colour of the palette per name, with a legend where there is more than one."""
    shades = [PALETTE[place % len(PALETTE)] for place in range(len(names))]
    return {
        "field": "colour",
        "type": "nominal",
        "scale": {"domain": names, "range": shades},
        "legend": {"title": None} if len(names) > 1 else None,
    }
