"""Figures as files: SVG for any document, PDF for LaTeX, drawn without a browser.

The renderer, vl-convert, is a wheel of 34 MB (88 MB on the disk), so it is an extra. It may fetch nothing.
"""

import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any, Final

from knowact.report.same_colours import scales

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
