"""A run has the same colour and shape in all figures of a report.

Charts are drawn one by one and colour the runs that they show from the first colour on. Where all figures
together show more runs than there are colours, some share one, but never in the same figure.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from knowact.core import palette

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
