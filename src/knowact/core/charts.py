"""Charts: small builders of Vega-Lite specifications for the figures of suites and data sets.

Pure: rows in, a dictionary out. They say what is drawn, never how it looks: fonts, axes and the dark
theme belong to the page (`report/assets/js/charts.js`) and to the files (`report/pictures.py`). Colours and
shapes have meanings, which `core/palette.py` lists. Every mark carries its n and its interval in the tooltip.
Nothing to draw gives an empty dictionary, as `Figure.spec` wants it.

The fields in the data have fixed names (`bar`, `colour`, `value`, …), so that a key with a dot or a
bracket in it, which Vega-Lite would take for a path, does no harm.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from knowact.core import palette
from knowact.core.rounding import interval_text, number_text
from knowact.core.table import Estimate, Row

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

_SIGNED_POINTS = "datum.value == 0 ? '0' : format(datum.value * 100, '+.0f')"
"""A Vega expression: +5 and -5, but a bare 0."""

_LEVEL_CHARACTERS = 50
"""So many characters of labels fit below a chart of 390 pixels when they lie level."""

_BAND = 22
"""Pixels per bar where bars lie on their side."""

_LINE = 30
"""Pixels per run where dots stand on lines: room for three above one another."""

RUN_KEYS = frozenset({"model", "bar", "run"})
"""The keys that name runs: colours made of them are those of runs."""

_ROOM = 0.07
"""A share of less than this has no room for its name inside its bar."""

_EDGE = {"stroke": palette.NEUTRAL, "strokeWidth": 0.6}
"""The outline of a part of a bar: light parts stand out from white paper, and equal greys from each other."""

_WITH_INTERVAL = {"filter": "isValid(datum.low) && isValid(datum.high)"}


def grouped_bars(rows: Sequence[Row], x: str, colour: str, *, value_title: str) -> dict[str, Any]:
    """Bars in groups, fractions in percent, with whiskers for the intervals.

    Where there are more colours than the palette can tell apart, but few groups, the two change places.

    Args:
        rows: One bar each; rows without a value are left out.
        x: The key that makes the groups.
        colour: The key that makes the bars of a group; a key that no row has gives plain bars.
        value_title: What is measured, for the axis ("KAS").
    """
    x, colour = _fewer_as_colour(rows, x, colour)
    data = [_datum(row, x, colour, signed=False) for row in _measured(rows)]
    if not data:
        return {}
    scale = {"domain": [0, 1]} if _within_unit(data) else {}
    return _bars(data, x, colour, value_title, percent=True, scale=scale)


def shift_bars(rows: Sequence[Row], x: str, colour: str) -> dict[str, Any]:
    """Bars that go up and down from a zero line: changes of a fraction under a condition.

    Groups and colours change places as in `grouped_bars`.

    Args:
        rows: One change each, as a fraction (0.05 is shown as +5.0 percentage points).
        x: The key that makes the groups ("quadrant").
        colour: The key that makes the bars of a group ("model").
    """
    x, colour = _fewer_as_colour(rows, x, colour)
    data = [_datum(row, x, colour, signed=True) for row in _measured(rows)]
    if not data:
        return {}
    spec = _bars(data, x, colour, "Change in percentage points", percent=True, scale={})
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
    rows: Sequence[Row],
    bar: str,
    part: str,
    *,
    parts: Sequence[str],
    facet: str = "",
    shades: Sequence[str] = palette.KINDS,
) -> dict[str, Any]:
    """Lying bars that are cut into shares adding up to one (the know-act quadrants).

    Args:
        rows: One share each, as a fraction.
        bar: The key that makes the bars ("model").
        part: The key that makes the shares; `"measure"` takes the rows' measure.
        parts: All shares, in the order drawn; rows with another one are left out.
        facet: The key that makes panels, one above the other; empty makes one panel.
        shades: The colours of the shares.
    """
    known = {name: place for place, name in enumerate(parts)}
    data: list[dict[str, Any]] = []
    for row in _measured(rows):
        datum = _datum(row, bar, part, signed=False)
        if datum["colour"] in known:
            data.append({**datum, "place": known[datum["colour"]], "panel": row.keys.get(facet, "")})
    if not data:
        return {}
    colours = palette.enough(shades, len(parts))
    for datum in data:
        datum["code"] = datum["colour"].split(" ")[0] if datum["value"] >= _ROOM else ""
        at: int = datum["place"]
        datum["pale"] = palette.dark(colours[at])
    scale = {"domain": list(parts), "range": colours}
    share = {"field": "value", "type": "quantitative", "stack": "zero", "scale": {"domain": [0, 1]}}
    place = {
        "y": {"field": "bar", "type": "nominal", "sort": _distinct(data, "bar"), "title": None},
        "order": {"field": "place", "type": "quantitative"},
    }
    bars = {
        "mark": {"type": "bar", "height": {"band": 0.74}, **_EDGE},
        "encoding": {
            **place,
            "x": {**share, "axis": {"format": ".0%", "title": None}},
            "color": {"field": "colour", "type": "nominal", "scale": scale, "legend": {"title": None}},
            "tooltip": _tooltip(bar, part, "Share"),
        },
    }
    names = {
        "mark": {"type": "text", "fontSize": 10, "color": {"expr": "datum.pale ? '#fff' : '#000'"}},
        "encoding": {**place, "x": {**share, "bandPosition": 0.5}, "text": {"field": "code"}},
    }
    unit = {"height": {"step": _BAND}, "layer": [bars, names]}
    if not facet:
        return one_panel(data, **unit)
    return panels(data, unit)


def _measured(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if given(row.estimate)]


def _fewer_as_colour(rows: Sequence[Row], x: str, colour: str) -> tuple[str, str]:
    along, across = (len({row.keys.get(key, "") for row in rows}) for key in (x, colour))
    return (colour, x) if across > len(palette.RUNS) >= along else (x, colour)


def _label_angle(labels: Sequence[str]) -> int:
    """Long or many labels are slanted, so that none hides another."""
    return -40 if len(labels) * max(map(len, labels)) > _LEVEL_CHARACTERS else 0


def given(estimate: Estimate) -> bool:
    """Whether there is a number to draw."""
    return estimate.value is not None and math.isfinite(estimate.value)


def _datum(row: Row, bar: str, colour: str, *, signed: bool) -> dict[str, Any]:
    keys: Mapping[str, str] = {**row.keys, "measure": row.measure}
    return {
        "bar": keys.get(bar, ""),
        "colour": keys.get(colour, ""),
        "value": row.estimate.value,
        "low": row.estimate.low,
        "high": row.estimate.high,
        "n": row.estimate.n,
        "value_text": number_text(row.estimate.value, percent=True, signed=signed),
        "interval": interval_text(row.estimate, percent=True, signed=signed),
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
    colours = _distinct(data, "colour")
    along = _along(data, colours)
    series = _colour(colours, colour, lone=False)
    bars = {
        "mark": {"type": "bar", "fillOpacity": 0.45, **_EDGE},  # pale: the interval must be seen on it
        "encoding": {
            **along,
            "y": {
                "field": "value",
                "type": "quantitative",
                "title": value_title,
                "axis": {"format": ".0%"} if percent else {},
                "scale": scale,
            },
            **series,
            "tooltip": _tooltip(x, colour, value_title),
        },
    }
    whiskers = {
        "transform": [_WITH_INTERVAL],
        "mark": {"type": "rule", "strokeWidth": 1.2},
        "encoding": {
            **along,
            "y": {"field": "low", "type": "quantitative"},
            "y2": {"field": "high"},
            "tooltip": _tooltip(x, colour, value_title),
        },
    }
    if len(colours) == 1:
        return one_panel(data, height=180, layer=[bars, whiskers])
    tips = {
        # Grey print has no colours, and a bar of nothing has no fill: the shape tells whose it is.
        "mark": {"type": "point", "filled": True, "size": 50, "opacity": 1, **_EDGE},
        "encoding": {
            **along,
            "y": {"field": "value", "type": "quantitative"},
            **series,
            "shape": _shape(colours),
            "tooltip": _tooltip(x, colour, value_title),
        },
    }
    return one_panel(data, height=180, layer=[bars, whiskers, tips])


def _along(data: list[dict[str, Any]], colours: list[str]) -> dict[str, Any]:
    """The groups, and the bars inside a group."""
    return {
        "x": {
            "field": "bar",
            "type": "nominal",
            "sort": _distinct(data, "bar"),
            "title": None,
            "axis": {"labelAngle": _label_angle(_distinct(data, "bar")), "labelOverlap": False},
            "scale": {"paddingInner": 0.3, "paddingOuter": 0.15},
        },
        "xOffset": {
            "field": "colour",
            "type": "nominal",
            "sort": colours,
            "scale": {"paddingInner": 0.08},
        },
    }


def _tooltip(bar: str, colour: str, value_title: str) -> list[dict[str, str]]:
    """What is shown over a mark: its keys, its value, its interval and its n."""
    shown = [("bar", bar), ("colour", colour), ("value_text", value_title)]
    shown += [("interval", "95 % interval"), ("n", "n")]
    return [{"field": field, "title": title} for field, title in shown if title]


def _colour(names: Sequence[str], key: str, *, lone: bool = True) -> dict[str, Any]:
    """A colour per name, as an encoding; with a legend, but for a lone name unless `lone` says so."""
    shades = palette.RUNS if key in RUN_KEYS else palette.KINDS
    return {
        "color": {
            "field": "colour",
            "type": "nominal",
            "scale": {"domain": list(names), "range": palette.enough(shades, len(names))},
            "legend": {"title": None} if lone or len(names) > 1 else None,
        }
    }


def _shape(names: Sequence[str]) -> dict[str, Any]:
    """A shape per name, beside its colour."""
    scale = {"domain": list(names), "range": palette.enough(palette.SHAPES, len(names))}
    return {"field": "colour", "type": "nominal", "scale": scale, "legend": {"title": None}}


def panels(data: Sequence[Mapping[str, Any]], unit: Mapping[str, Any], *, columns: int = 1) -> dict[str, Any]:
    """A panel for each value of the field `panel`, so many beside each other; as wide as the page if alone.

    On a narrow screen fewer stand beside each other.
    """
    names, header = _distinct(data, "panel"), {"labelOrient": "top", "labelAnchor": "start"}
    return {
        "$schema": SCHEMA,
        "data": {"values": data},
        "facet": {"field": "panel", "type": "nominal", "sort": names, "title": None, "header": header},
        "columns": columns,
        "spec": unit,
    }


def one_panel(data: Sequence[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """A chart as wide as the page."""
    return {"$schema": SCHEMA, "data": {"values": data}, "width": "container", **more}


def _distinct(data: Sequence[Mapping[str, Any]], field: str) -> list[str]:
    """The values of a field, in order of first appearance."""
    return list(dict.fromkeys(str(datum[field]) for datum in data))


def _within_unit(data: Sequence[Mapping[str, Any]]) -> bool:
    ends = [datum[field] for datum in data for field in ("value", "low", "high")]
    return all(0 <= end <= 1 for end in ends if end is not None)


def dots_per_run(
    rows: Sequence[Row], run: str, colour: str, facet: str, *, value_title: str
) -> dict[str, Any]:
    """Dots on lines, in panels: readable for many more runs than grouped bars are.

    Args:
        rows: One fraction each; rows without a value are left out.
        run: The key that makes the lines.
        colour: The key that makes the dots of a line.
        facet: The key that makes the panels, one above the other.
        value_title: What is measured, for the axis.
    """
    data = [
        {**_datum(row, run, colour, signed=False), "panel": row.keys.get(facet, "")}
        for row in _measured(rows)
    ]
    if not data:
        return {}
    colours = _distinct(data, "colour")
    place = {
        "y": {"field": "bar", "type": "nominal", "sort": _distinct(data, "bar"), "title": None},
        "yOffset": {"field": "colour", "type": "nominal", "sort": colours},
        "tooltip": _tooltip(run, colour, value_title),
    }
    axis = {"format": ".0%", "title": value_title}
    along = {"type": "quantitative", "scale": {"domain": [0, 1]}, "axis": axis}
    whiskers = {
        "transform": [_WITH_INTERVAL],
        "mark": {"type": "rule", "strokeWidth": 1.2, "color": palette.NEUTRAL},
        "encoding": {**place, "x": {"field": "low", **along}, "x2": {"field": "high"}},
    }
    series = {**_colour(colours, colour), "shape": _shape(colours)}
    dots = {
        "mark": {"type": "point", "filled": True, "size": 52, "opacity": 1, **_EDGE},
        "encoding": {**place, "x": {"field": "value", **along}, **series},
    }
    return panels(data, {"height": {"step": _LINE, "for": "position"}, "layer": [whiskers, dots]})


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
    colours, bars = _distinct(data, "colour"), _distinct(data, "bar")
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
    return one_panel(
        data,
        # Not a step per bar: that and a width that follows the page do not go together in Vega-Lite.
        height=_BAND * len(bars) if lying else 260,
        mark={"type": "bar", **_EDGE},
        encoding={
            "y" if lying else "x": names,
            "x" if lying else "y": values,
            **_colour(colours, colour, lone=False),
            "tooltip": [{"field": field, "title": title} for field, title in shown if title != "measure"],
        },
    )
