"""Figures as files: SVG for any document, PDF for LaTeX, drawn without a browser.

The renderer, vl-convert, is a wheel of 34 MB (88 MB on the disk), so it is an extra. It may fetch nothing.

In a report a run has the same colour and shape in all figures. Charts are drawn one by one and colour the
runs that they show from the first colour on; where all figures together show more runs than there are
colours, some share one, but never in the same figure.
"""

import copy
import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from knowact.core import palette

WIDTH: Final = 640
"""Pixels of a figure's drawing area."""

PANEL: Final = 440
"""Pixels of a panel's drawing area: the names of its lines stand beside it."""

INSTALL: Final = "pip install 'knowact[figures]'"

_LONGEST: Final = 260
"""Pixels of a name in a legend; the rest of it is cut."""

_INK, _MUTED, _LINE = "#1d1d1b", "#55534d", "#dddddd"

PAPER: Final[Mapping[str, Any]] = {
    "background": "white",
    "font": "Arial, Helvetica, Liberation Sans, sans-serif",
    "padding": 12,  # other fonts than those measured with are somewhat wider
    "axis": {
        "labelColor": _INK,
        "titleColor": _INK,
        "titleFontWeight": "normal",
        "labelLimit": 220,
        "gridColor": _LINE,
        "domainColor": _MUTED,
        "tickColor": _MUTED,
        "labelFontSize": 12,
        "titleFontSize": 12,
    },
    "axisX": {"grid": False},
    "header": {"labelColor": _INK, "labelFontSize": 13, "labelFontWeight": "bold"},
    "legend": {
        "orient": "top",
        "labelColor": _INK,
        "labelFontSize": 12,
        "labelLimit": _LONGEST,
        "columnPadding": 30,
    },
    "title": {"color": _MUTED, "subtitleColor": _MUTED},
    "rule": {"color": _INK},
    "text": {"color": _INK},
    "view": {"stroke": None},
}
"""Fonts, lines and greys of a figure on white paper, for Vega-Lite. Screens have their own."""


def can_draw() -> bool:
    """Whether the renderer is installed."""
    return importlib.util.find_spec("vl_convert") is not None


def sized(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a specification with a width: those that are as wide as the page have none."""
    if "facet" in spec:
        return {**spec, "spec": {"width": PANEL, **spec["spec"]}}
    return {**spec, "width": WIDTH}


def legend_columns(spec: Mapping[str, Any]) -> float:
    """Return how many names of a legend have room side by side, with a fraction."""
    names = [str(name) for scale in scales(spec) for name in scale["domain"]]
    return max(1.0, WIDTH / (min(max(map(len, names), default=0) * 7, _LONGEST) + 50))


def for_page(specs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the page's scripts need to save figures as `svg` draws them."""
    columns = [legend_columns(spec) for spec in specs]
    return {"width": WIDTH, "panel": PANEL, "config": PAPER, "columns": columns}


def svg(spec: Mapping[str, Any]) -> str:
    """Return a figure as SVG.

    Raises:
        ValueError: The specification can't be drawn.
    """
    import vl_convert

    config = {**PAPER, "legend": {**PAPER["legend"], "columns": int(legend_columns(spec))}}
    return vl_convert.vegalite_to_svg(sized(spec), config=config, allowed_base_urls=[])


def pdf(drawn: str) -> bytes:
    """Return an SVG of ours as PDF."""
    import vl_convert

    return vl_convert.svg_to_pdf(drawn)


_PLACES = {colour: place for place, colour in enumerate(palette.RUNS)}


def same_colours(specs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the specifications with their runs coloured alike."""
    known: dict[str, int] = {}
    made: list[Mapping[str, Any]] = []
    for given in specs:
        spec = copy.deepcopy(given)
        coloured = list(scales(spec))
        runs = [scale for scale in coloured if scale["range"] and set(scale["range"]) <= _PLACES.keys()]
        names = list(dict.fromkeys(name for scale in runs for name in scale["domain"]))
        places = _places(names, known)
        for scale in coloured:
            if runs and scale["domain"] == runs[0]["domain"]:
                list_of = palette.RUNS if scale in runs else palette.SHAPES
                scale["range"] = [list_of[places[name]] for name in scale["domain"]]
        made.append(spec)
    return made


def _places(names: Sequence[str], known: dict[str, int]) -> dict[str, int]:
    """Where each name of a figure stands in the lists; adds new names to those that are known."""
    places: dict[str, int] = {}
    for name in names:
        if name in known and known[name] not in places.values():
            places[name] = known[name]
    for name in names:
        if name not in places:
            taken = [*known.values()]
            free = [place for place in _PLACES.values() if place not in places.values()] or [0]
            places[name] = min(free, key=taken.count)
            known.setdefault(name, places[name])
    return places


def scales(spec: object) -> Iterator[dict[str, Any]]:
    """Every scale that gives the names of its domain a colour or a shape each."""
    if isinstance(spec, list):
        for part in cast("list[object]", spec):
            yield from scales(part)
    elif isinstance(spec, dict):
        for key, part in cast("dict[str, Any]", spec).items():
            scale = _scale(part) if key in {"color", "shape"} else {}
            if {"domain", "range"} <= scale.keys():
                yield scale
            elif key != "data":
                yield from scales(part)


def _scale(channel: object) -> dict[str, Any]:
    """The scale of an encoding's channel; empty for whatever has none, such as a colour by name."""
    scale = cast("dict[str, object]", channel).get("scale") if isinstance(channel, dict) else None
    return cast("dict[str, Any]", scale) if isinstance(scale, dict) else {}
