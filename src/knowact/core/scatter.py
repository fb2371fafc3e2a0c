"""Charts of two measures against each other: a dot per run, in one panel with Pearson's r or one per suite.

Dots carry their names where all of those fit, else numbers, which a key above the chart explains.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from knowact.core import palette
from knowact.core.charts import given, one_panel, panels
from knowact.core.rounding import count, interval_text, number_text
from knowact.core.table import Estimate

NAMES_PER_DOT: Final = 5
"""Runs that lie on one another share a tag; more names than these are counted."""

SAME, NEAR = 0.002, 0.05
"""Dots nearer than this share of both axes are one, and share a tag; near ones do where there is no room."""

PANEL: Final = 132
"""Pixels of the side of one of several panels, at least: two of them stand beside each other on a phone."""

ACROSS: Final = 4
"""Panels beside each other at most."""

_PLOT: Final = (250.0, 220.0)
"""Pixels of a single panel on a phone: tags that fit there fit everywhere."""

_LETTER, _TALL, _DOT, _MARGIN = 5.8, 12.0, 5.0, 10.0
"""Pixels: of a tag's letter and of its line, of half a dot, and how far a tag may leave the panel."""


@dataclass(frozen=True, slots=True)
class Point:
    """A run's dot.

    Attributes:
        label: Its name ("gpt-5").
        number: What stands for the name where that does not fit; 0 is its place among the points.
        suite: Whose panel it is in, if there are several.
    """

    label: str
    x: Estimate
    y: Estimate
    number: int = 0
    suite: str = ""


def scatter_with_r(points: Sequence[Point], r: Estimate, *, x_title: str, y_title: str) -> dict[str, Any]:
    """Dots with Pearson's r and its interval below the title.

    Args:
        points: One per run, x a fraction; those without both values are left out.
        r: The correlation, as `measures` computed it; without a value no line is drawn.
        x_title: What goes to the right, in percent.
        y_title: What goes up; never in percent (mean tool calls).
    """
    data = _data(points, y_percent=False)
    if not data:
        return {}
    x_scale = _share_scale(data)
    left, right = x_scale["domain"]
    top = max(*(float(datum["y"]) for datum in data), 0.0) or 1.0
    across, up = _PLOT
    spots = [((one["x"] - left) / (right - left) * across, (1 - one["y"] / top) * up) for one in data]
    named = _tag(data, spots, _PLOT)
    place = {
        "x": {**_AXIS, "field": "x", "title": x_title, "axis": {"format": ".0%"}, "scale": x_scale},
        "y": {**_AXIS, "field": "y", "title": y_title, "scale": _from_zero(data)},
    }
    dots = _dots(data, place, (x_title, y_title), key=not named)
    title = {"text": _r_text(r), "anchor": "start", "fontWeight": "normal", "fontSize": 12}
    line = [] if r.value is None else [_line(place, {"transform": [{"regression": "y", "on": "x"}]})]
    return one_panel(data, title=title, height=up, layer=[*line, *dots])


def share_panels(points: Sequence[Point], *, x_title: str, y_title: str) -> dict[str, Any]:
    """Dots in square panels, each with its intervals and with a line where both shares are equal.

    Args:
        points: One per run and panel, x and y fractions; those without both values are left out.
        x_title: What goes to the right ("knew, %").
        y_title: What goes up.
    """
    data = _data(points, y_percent=True)
    if not data:
        return {}
    names = list(dict.fromkeys(str(datum["panel"]) for datum in data))
    for name in names:
        here = [datum for datum in data if datum["panel"] == name]
        spots = [(PANEL * one["x"], PANEL * (1 - one["y"])) for one in here]
        _tag(here, spots, (PANEL, PANEL), numbers=True)
    axis = {"labelExpr": "datum.value * 100", "values": [0, 0.5, 1], "grid": False, "domain": False}
    share = {
        **_AXIS,
        "scale": {"domain": [0, 1], "nice": False},
        "axis": {**axis, "titlePadding": 4},
    }
    place = {"x": {**share, "field": "x", "title": x_title}, "y": {**share, "field": "y", "title": y_title}}
    whisker = {"type": "rule", "strokeWidth": 1, "color": palette.NEUTRAL, "opacity": 0.35}
    layers = [
        _line(place, {"data": {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]}}),
        *(
            {
                "transform": [{"filter": f"isValid(datum.{axis}_low) && isValid(datum.{axis}_high)"}],
                "mark": {**whisker, "aria": False},
                "encoding": {
                    **place,
                    axis: {**place[axis], "field": f"{axis}_low"},
                    f"{axis}2": {"field": f"{axis}_high"},
                },
            }
            for axis in ("x", "y")
        ),
        *_dots(data, place, (x_title, y_title), key=True),
    ]
    unit = {"width": PANEL, "height": PANEL, "view": {"stroke": palette.NEUTRAL, "strokeOpacity": 0.4}}
    return panels(data, {**unit, "layer": layers}, columns=min(ACROSS, len(names)))


_AXIS: Final = {"type": "quantitative"}


def _data(points: Sequence[Point], *, y_percent: bool) -> list[dict[str, Any]]:
    return [
        {
            "label": point.label,
            "number": point.number or place,
            "key": f"{point.number or place} {point.label}",
            "panel": point.suite,
            "x": point.x.value,
            "y": point.y.value,
            "x_low": point.x.low,
            "x_high": point.x.high,
            "y_low": point.y.low,
            "y_high": point.y.high,
            "x_text": number_text(point.x.value, percent=True),
            "y_text": number_text(point.y.value, percent=y_percent),
            "x_interval": interval_text(point.x, percent=True),
            "y_interval": interval_text(point.y, percent=y_percent),
            "n": point.x.n,
        }
        for place, point in enumerate(points, 1)
        if given(point.x) and given(point.y)
    ]


def _dots(
    data: Sequence[dict[str, Any]], place: Mapping[str, Any], titles: tuple[str, str], *, key: bool
) -> list[dict[str, Any]]:
    """Dots, what they say, and their tags; with `key`, the legend lists what the numbers stand for.

    A legend whose look were given here could not be left out by those who draw it.
    """
    x_title, y_title = titles
    shown = [("panel", "Suite")] if any(datum["panel"] for datum in data) else []
    shown += [("label", "Run"), ("x_text", x_title), ("x_interval", "95 % interval")]
    shown += [("y_text", y_title), ("y_interval", "95 % interval of that"), ("n", "n")]
    for datum in data:
        datum["told"] = "; ".join(f"{title}: {datum[field]}" for field, title in shown)
    keys = [text for _, text in sorted({(int(one["number"]), str(one["key"])) for one in data})]
    legend = {
        "field": "key",
        "type": "nominal",
        "title": None,
        "scale": {"domain": keys, "range": [palette.NEUTRAL] * len(keys)},
    }
    return [
        {
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 0.9, "color": palette.NEUTRAL},
            "encoding": {
                **place,
                **({"color": legend} if key else {}),
                "description": {"field": "told"},  # screen readers would be told fractions
                "tooltip": [{"field": field, "title": title} for field, title in shown],
            },
        },
        {
            "mark": {
                "type": "text",
                "fontSize": 10.5,
                "aria": False,
                **{channel: {"expr": f"datum.tag_{channel}"} for channel in ("dx", "dy", "align")},
            },
            "encoding": {**place, "text": {"field": "tag"}},
        },
    ]


def _line(place: Mapping[str, Any], of: Mapping[str, Any]) -> dict[str, Any]:
    """A dashed line behind the dots."""
    dashed = {"strokeDash": [5, 4], "strokeWidth": 1, "color": palette.NEUTRAL}
    return {"mark": {"type": "line", "clip": True, "aria": False, **dashed}, **of, "encoding": place}


@dataclass(frozen=True, slots=True)
class _Tag:
    """Where a tag may stand: beside which dot, how far from it, how it is set, and what it covers."""

    dot: int
    dx: float
    dy: float
    align: str
    left: float
    top: float
    wide: float

    def hides(self, left: float, top: float, right: float, bottom: float) -> bool:
        """Whether it covers something."""
        return (
            left < self.left + self.wide
            and self.left < right
            and top < self.top + _TALL
            and self.top < bottom
        )

    def inside(self, size: tuple[float, float]) -> bool:
        """Whether it stays within a panel."""
        across, up = size
        return min(self.left, self.top) >= -_MARGIN and (
            self.left + self.wide <= across + _MARGIN and self.top + _TALL <= up + _MARGIN
        )


def _tag(
    data: Sequence[dict[str, Any]],
    spots: Sequence[tuple[float, float]],
    size: tuple[float, float],
    *,
    numbers: bool = False,
) -> bool:
    """Give each heap of dots a tag: its text and its place go into the datum of the dot that it stands at.

    Args:
        data: What is drawn; it is changed.
        spots: Where its dots are, in pixels from the left and from the top.
        size: Width and height of the panel, in pixels.
        numbers: Numbers, even where names fit.

    Returns:
        Whether the tags are names: all of them hide nothing.
    """
    for field, near in (*(() if numbers else (("label", SAME),)), ("number", SAME), ("number", NEAR)):
        for datum in data:
            datum.update(tag="", tag_dx=0, tag_dy=0, tag_align="left")
        taken = [(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in spots]
        fits = True
        for heap in _heaps(spots, near * size[0], near * size[1]):
            text = _listed([str(data[place][field]) for place in heap])
            sides = _sides(heap, spots, _LETTER * len(text), size[0])
            free = [one for one in sides if one.inside(size) and not any(one.hides(*box) for box in taken)]
            fits = fits and bool(free)
            best = (free or sides)[0]
            taken.append((best.left, best.top, best.left + best.wide, best.top + _TALL))
            data[best.dot].update(tag=text, tag_dx=best.dx, tag_dy=best.dy, tag_align=best.align)
        if fits:
            return field == "label"
    return False


def _heaps(spots: Sequence[tuple[float, float]], across: float, up: float) -> list[list[int]]:
    """The dots nearer to one another than so many pixels, together."""
    heaps: list[list[int]] = []
    for place, (x, y) in enumerate(spots):
        for heap in heaps:
            first_x, first_y = spots[heap[0]]
            if abs(first_x - x) < across and abs(first_y - y) < up:
                heap.append(place)
                break
        else:
            heaps.append([place])
    return heaps


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMES_PER_DOT} more" if len(names) > NAMES_PER_DOT else ""
    return ", ".join(names[:NAMES_PER_DOT]) + more


def _sides(
    heap: Sequence[int], spots: Sequence[tuple[float, float]], wide: float, width: float
) -> list[_Tag]:
    """Where the tag of a heap may stand, the best place first: at its outermost dot on each side.

    Tags grow towards the middle if they can, so that those at the edges stay inside.
    """
    gap, half = _DOT + 3, _TALL / 2
    left, right = (pick(heap, key=lambda dot: spots[dot][0]) for pick in (min, max))
    above, below = (pick(heap, key=lambda dot: spots[dot][1]) for pick in (min, max))

    def beside(dot: int, away: int) -> _Tag:
        x, y = spots[dot]
        start = x + gap if away > 0 else x - gap - wide
        return _Tag(dot, away * gap, 0, "left" if away > 0 else "right", start, y - half, wide)

    def over(dot: int, away: int) -> _Tag:
        x, y = spots[dot]
        dy = away * (gap + half - 2)
        return _Tag(dot, 0, dy, "center", x - wide / 2, y + dy - half, wide)

    level = [beside(right, 1), beside(left, -1)]
    return [*(level if spots[heap[0]][0] <= width / 2 else level[::-1]), over(above, -1), over(below, 1)]


def _share_scale(data: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Whole tenths around the shares: an axis that goes on beyond 100 % would be nonsense."""
    shares = [float(datum["x"]) for datum in data]
    low, high = math.floor(min(shares) * 10) / 10, math.ceil(max(shares) * 10) / 10
    return {"domain": [low, high] if low < high else [max(0.0, low - 0.1), max(high, 0.1)]}


def _from_zero(data: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """From nought, and never below it for the sake of a line: there are no negative tool calls."""
    return {"zero": True, **({"domainMin": 0} if all(datum["y"] >= 0 for datum in data) else {})}


def _r_text(r: Estimate) -> str:
    if r.value is None:
        return f"r not given: {count(r.n, 'run')}, too few or all alike"
    interval = interval_text(r, percent=False)
    ends = f" (95 % interval {interval})" if r.low is not None and r.high is not None else ""
    return f"r = {number_text(r.value, percent=False)}{ends}, n = {r.n} runs"
