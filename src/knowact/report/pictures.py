"""Figures as files: SVG for any document, PDF for LaTeX, drawn without a browser.

The renderer, vl-convert, is a wheel of 34 MB (88 MB on the disk), so it is an extra. It may fetch nothing.

In a report a run has the same colour and shape in all figures. Charts are drawn one by one and colour the
runs that they show from the first colour on; where all figures together show more runs than there are
colours, some share one, but never in the same figure.
"""

import copy
import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias, TypedDict, cast

from knowact.core import palette
from knowact.core.clean import Json

Spec: TypeAlias = Mapping[str, Json]
"""A figure as Vega-Lite."""


class _Scale(TypedDict):
    """Names, and the colour or shape of each."""

    domain: list[str]
    range: list[str]


WIDTH: Final = 640
"""Pixels of a figure's drawing area."""

PANEL: Final = 440
"""Pixels of a panel's drawing area: the names of its lines stand beside it."""

INSTALL: Final = "pip install 'knowact[figures]'"

_LONGEST: Final = 260
"""Pixels of a name in a legend; the rest of it is cut."""

_INK, _MUTED, _LINE = "#1d1d1b", "#55534d", "#dddddd"

_LEGEND: Final[Mapping[str, Json]] = {
    "orient": "top",
    "labelColor": _INK,
    "labelFontSize": 12,
    "labelLimit": _LONGEST,
    "columnPadding": 30,
}

PAPER: Final[Mapping[str, Json]] = {
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
    "legend": _LEGEND,
    "title": {"color": _MUTED, "subtitleColor": _MUTED},
    "rule": {"color": _INK},
    "text": {"color": _INK},
    "view": {"stroke": None},
}
"""Fonts, lines and greys of a figure on white paper, for Vega-Lite. Screens have their own."""


def can_draw() -> bool:
    """Whether the renderer is installed."""
    return importlib.util.find_spec("vl_convert") is not None


def sized(spec: Spec) -> dict[str, Json]:
    """Return a specification with a width: those that are as wide as the page have none."""
    panel = spec.get("spec")
    if "facet" in spec and isinstance(panel, Mapping):
        return {**spec, "spec": {"width": PANEL, **panel}}
    return {**spec, "width": WIDTH}


def legend_columns(spec: Spec) -> float:
    """Return how many names of a legend have room side by side, with a fraction."""
    names = [name for scale in scales(spec) for name in scale["domain"]]
    return max(1.0, WIDTH / (min(max(map(len, names), default=0) * 7, _LONGEST) + 50))


def for_page(specs: Sequence[Spec]) -> Mapping[str, Json]:
    """Return what the page's scripts need to save figures as `svg` draws them."""
    columns = [legend_columns(spec) for spec in specs]
    return {"width": WIDTH, "panel": PANEL, "config": PAPER, "columns": columns}


def svg(spec: Spec) -> str:
    """Return a figure as SVG.

    Raises:
        ValueError: The specification can't be drawn.
    """
    import vl_convert

    config = {**PAPER, "legend": {**_LEGEND, "columns": int(legend_columns(spec))}}
    return vl_convert.vegalite_to_svg(sized(spec), config=config, allowed_base_urls=[])


def pdf(drawn: str) -> bytes:
    """Return an SVG of ours as PDF."""
    import vl_convert

    return vl_convert.svg_to_pdf(drawn)


_PLACES = {colour: place for place, colour in enumerate(palette.RUNS)}


def same_colours(specs: Sequence[Spec]) -> list[Spec]:
    """Return the specifications with their runs coloured alike."""
    known: dict[str, int] = {}
    made: list[Spec] = []
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


def scales(spec: Json) -> Iterator[_Scale]:
    """Every scale that gives the names of its domain a colour or a shape each."""
    if isinstance(spec, list):
        for part in spec:
            yield from scales(part)
    elif isinstance(spec, dict):
        for key, part in spec.items():
            scale = part.get("scale") if key in {"color", "shape"} and isinstance(part, dict) else None
            if isinstance(scale, dict) and {"domain", "range"} <= scale.keys():
                yield cast("_Scale", scale)
            elif key != "data":
                yield from scales(part)
