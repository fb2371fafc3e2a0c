"""Charts: small builders of Vega-Lite specifications for the figures of suites.

Pure: rows in, a dictionary out. They say what is drawn, never how it looks: fonts, axes and the dark
theme belong to the page (`report/assets/js/charts.js`). Every mark carries its n and its interval in
the tooltip. Nothing to draw gives an empty dictionary, as `Figure.spec` wants it.

The fields in the data have fixed names (`bar`, `colour`, `value`, …), so that a key with a dot or a
bracket in it, which Vega-Lite would take for a path, does no harm.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from knowact.core.table import Estimate, Row

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

PALETTE = ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377", "#BBBBBB")
"""Paul Tol's "bright" scheme (Colour Schemes, SRON technical note 3.2, 2021): told apart by people
with the usual kinds of colour blindness, and readable on white and on near-black."""

QUADRANT_PALETTE = ("#4477AA", "#66CCEE", "#CCBB44", "#EE6677")
"""For four ordered parts, from right on both counts to wrong on both."""

_SIGNED_POINTS = "datum.value == 0 ? '0' : format(datum.value * 100, '+.0f')"
"""A Vega expression: +5 and -5, but a bare 0."""

_LEVEL_CHARACTERS = 50
"""So many characters of labels fit below a chart of 390 pixels when they lie level."""

_BAND = 22
"""Pixels per bar where bars lie on their side."""


def number_text(
    value: float | None, *, percent: bool, signed: bool = False, places: int = 1, counts: bool = False
) -> str:
    """Return a number as people read it, with a true minus sign; a dash where it was not measured.

    Args:
        value: A fraction, or any number when `percent` is off (then with two decimals at least).
        percent: Show it times 100.
        signed: Show the plus of a change, too.
        places: Decimals of a percentage.
        counts: Show a whole number, with commas between thousands.
    """
    if value is None or not math.isfinite(value):
        return "\N{EN DASH}"
    if counts:
        return f"{value:,.0f}"
    decimals = places if percent else max(2, places)
    shown = round(value * 100 if percent else value, decimals) + 0.0  # no "-0.0"
    return f"{shown:{'+' if signed else ''}.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def interval_text(estimate: Estimate, *, percent: bool, signed: bool = False, places: int = 1) -> str:
    """Return "47.0 to 59.1", or "none given"."""
    if estimate.low is None or estimate.high is None:
        return "none given"
    ends = (
        number_text(end, percent=percent, signed=signed, places=places)
        for end in (estimate.low, estimate.high)
    )
    return " to ".join(ends)


def grouped_bars(
    rows: Sequence[Row], x: str, colour: str, *, value_title: str, percent: bool = True
) -> dict[str, Any]:
    """Bars in groups, with whiskers for the intervals.

    Where there are more colours than the palette can tell apart, but few groups, the two change places.

    Args:
        rows: One bar each; rows without a value are left out.
        x: The key that makes the groups.
        colour: The key that makes the bars of a group; a key that no row has gives plain bars.
        value_title: What is measured, for the axis ("KAS").
        percent: Show fractions in percent.
    """
    x, colour = _fewer_as_colour(rows, x, colour)
    data = [_datum(row, x, colour, percent=percent, signed=False) for row in _measured(rows)]
    if not data:
        return {}
    scale = {"domain": [0, 1]} if percent and _within_unit(data) else {}
    return _bars(data, x, colour, value_title, percent=percent, scale=scale)


def shift_bars(
    rows: Sequence[Row], x: str, colour: str, *, value_title: str = "Change in percentage points"
) -> dict[str, Any]:
    """Bars that go up and down from a zero line: changes of a fraction under a condition.

    Groups and colours change places as in `grouped_bars`.

    Args:
        rows: One change each, as a fraction (0.05 is shown as +5.0 percentage points).
        x: The key that makes the groups ("quadrant").
        colour: The key that makes the bars of a group ("model").
        value_title: For the axis.
    """
    x, colour = _fewer_as_colour(rows, x, colour)
    data = [_datum(row, x, colour, percent=True, signed=True) for row in _measured(rows)]
    if not data:
        return {}
    spec = _bars(data, x, colour, value_title, percent=True, scale={})
    spec["layer"][0]["encoding"]["y"]["axis"] = {"labelExpr": _SIGNED_POINTS}
    spec["layer"].append(
        {
            "mark": {"type": "rule", "strokeWidth": 1.2},
            "data": {"values": [{"zero": 0}]},
            "encoding": {"y": {"field": "zero", "type": "quantitative"}},
        }
    )
    return spec


def stacked_shares(
    rows: Sequence[Row], bar: str, part: str, *, parts: Sequence[str], facet: str = ""
) -> dict[str, Any]:
    """Lying bars that are cut into shares adding up to one (the know-act quadrants).

    Args:
        rows: One share each, as a fraction.
        bar: The key that makes the bars ("model").
        part: The key that makes the shares; `"measure"` takes the rows' measure.
        parts: All shares, in the order drawn; rows with another one are left out.
        facet: The key that makes panels, one above the other; empty makes one panel.
    """
    known = {name: place for place, name in enumerate(parts)}
    data: list[dict[str, Any]] = []
    for row in _measured(rows):
        datum = _datum(row, bar, part, percent=True, signed=False)
        if datum["colour"] in known:
            data.append({**datum, "place": known[datum["colour"]], "panel": row.keys.get(facet, "")})
    if not data:
        return {}
    bars = distinct(data, "bar")
    encoding: dict[str, Any] = {
        "y": {"field": "bar", "type": "nominal", "sort": bars, "title": None},
        "x": {
            "field": "value",
            "type": "quantitative",
            "stack": "zero",
            "scale": {"domain": [0, 1]},
            "axis": {"format": ".0%", "title": None},
        },
        "color": {
            "field": "colour",
            "type": "nominal",
            "scale": {"domain": list(parts), "range": _colours(len(parts), ordered=True)},
            "legend": {"title": None},
        },
        "order": {"field": "place", "type": "quantitative"},
        "tooltip": tooltip(bar, part, "Share"),
    }
    unit = {
        "mark": {"type": "bar", "height": {"band": 0.74}},
        "encoding": encoding,
        "height": {"step": _BAND},
    }
    if not facet:
        return {"$schema": SCHEMA, "data": {"values": data}, "width": "container", **unit}
    panels: dict[str, Any] = {
        "field": "panel",
        "type": "nominal",
        "sort": distinct(data, "panel"),
        "title": None,
    }
    return {
        "$schema": SCHEMA,
        "data": {"values": data},
        "facet": {**panels, "header": {"labelOrient": "top", "labelAnchor": "start"}},
        "columns": 1,
        "spec": unit,
    }


def _measured(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if given(row.estimate)]


def _fewer_as_colour(rows: Sequence[Row], x: str, colour: str) -> tuple[str, str]:
    along, across = (len({row.keys.get(key, "") for row in rows}) for key in (x, colour))
    return (colour, x) if across > len(PALETTE) >= along else (x, colour)


def _label_angle(labels: Sequence[str]) -> int:
    """Long or many labels are slanted, so that none hides another."""
    return -40 if len(labels) * max(map(len, labels)) > _LEVEL_CHARACTERS else 0


def given(estimate: Estimate) -> bool:
    """Whether there is a number to draw."""
    return estimate.value is not None and math.isfinite(estimate.value)


def _datum(row: Row, bar: str, colour: str, *, percent: bool, signed: bool) -> dict[str, Any]:
    keys: Mapping[str, str] = {**row.keys, "measure": row.measure}
    return {
        "bar": keys.get(bar, ""),
        "colour": keys.get(colour, ""),
        "value": row.estimate.value,
        "low": row.estimate.low,
        "high": row.estimate.high,
        "n": row.estimate.n,
        "value_text": number_text(row.estimate.value, percent=percent, signed=signed),
        "interval": interval_text(row.estimate, percent=percent, signed=signed),
    }


def _bars(
    data: list[dict[str, Any]],
    x: str,
    colour: str,
    value_title: str,
    *,
    percent: bool,
    scale: dict[str, Any],
) -> dict[str, Any]:
    colours = distinct(data, "colour")
    along = _along(data, colours)
    bars = {
        "mark": {"type": "bar", "cornerRadiusEnd": 1.5},
        "encoding": {
            **along,
            "y": {
                "field": "value",
                "type": "quantitative",
                "title": value_title,
                "axis": {"format": ".0%"} if percent else {},
                "scale": scale,
            },
            "color": {
                "field": "colour",
                "type": "nominal",
                "scale": {"domain": colours, "range": _colours(len(colours), ordered=False)},
                "legend": {"title": None} if len(colours) > 1 else None,
            },
            "tooltip": tooltip(x, colour, value_title),
        },
    }
    whiskers = {
        "transform": [{"filter": "isValid(datum.low) && isValid(datum.high)"}],
        "mark": {"type": "rule", "strokeWidth": 1.2},
        "encoding": {
            **along,
            "y": {"field": "low", "type": "quantitative"},
            "y2": {"field": "high"},
            "tooltip": tooltip(x, colour, value_title),
        },
    }
    return {
        "$schema": SCHEMA,
        "data": {"values": data},
        "width": "container",
        "height": 280,
        "layer": [bars, whiskers],
    }


def _along(data: list[dict[str, Any]], colours: list[str]) -> dict[str, Any]:
    """The groups, and the bars inside a group."""
    return {
        "x": {
            "field": "bar",
            "type": "nominal",
            "sort": distinct(data, "bar"),
            "title": None,
            "axis": {"labelAngle": _label_angle(distinct(data, "bar")), "labelOverlap": False},
            "scale": {"paddingInner": 0.3, "paddingOuter": 0.15},
        },
        "xOffset": {
            "field": "colour",
            "type": "nominal",
            "sort": colours,
            "scale": {"paddingInner": 0.08},
        },
    }


def tooltip(bar: str, colour: str, value_title: str) -> list[dict[str, str]]:
    """What is shown over a mark: its keys, its value, its interval and its n."""
    shown = [("bar", bar), ("colour", colour), ("value_text", value_title)]
    shown += [("interval", "95 % interval"), ("n", "n")]
    return [{"field": field, "title": title} for field, title in shown if title]


def _colours(count: int, *, ordered: bool) -> list[str]:
    palette = QUADRANT_PALETTE if ordered and count == len(QUADRANT_PALETTE) else PALETTE
    return [palette[place % len(palette)] for place in range(count)]


def measured_data(rows: Sequence[Row], bar: str, colour: str) -> list[dict[str, Any]]:
    """The data of fractions that were measured, in the order of the rows."""
    return [_datum(row, bar, colour, percent=True, signed=False) for row in _measured(rows)]


def distinct(data: Sequence[Mapping[str, Any]], field: str) -> list[str]:
    """The values of a field, in order of first appearance."""
    return list(dict.fromkeys(str(datum[field]) for datum in data))


def _within_unit(data: Sequence[Mapping[str, Any]]) -> bool:
    ends = [datum[field] for datum in data for field in ("value", "low", "high")]
    return all(0 <= end <= 1 for end in ends if end is not None)
