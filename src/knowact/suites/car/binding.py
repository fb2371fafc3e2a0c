"""Values in authored tasks that are looked up: "$cities.id", "$ways.routes[fastest].route_id".

Ids of places, routes and people are made by the world's generator, so nobody writes them down: an authored
value that begins with `$` names an earlier call and a path into its result. `$here` is where the car
stands. The same syntax between braces serves texts ("Take {$food.pois_found[0].name}."). Nothing is
evaluated: a path is names, each with a selector in brackets at most: a number, `field=value`, an alias,
`>field` for the element that has most of it, or `*` for all.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from pydantic import JsonValue

_PLACE: Final = re.compile(r"\{(\$[^{}]+)\}")
_PART: Final = re.compile(r"(?P<name>\w+)(?:\[(?P<pick>[^\[\]]*)\])?\Z")
_DOT: Final = re.compile(r"\.(?![^\[]*\])")
_ALL: Final = "*"
_GREATEST: Final = ">"
_LISTED: Final = "alias"
"""The field that a bare word in brackets is looked for in: the aliases of routes."""


class Unbound(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """A reference leads nowhere."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A value, and where it comes from: the name of the call, and the path as schemas spell it."""

    value: JsonValue
    name: str
    field: str


@dataclass(frozen=True, slots=True)
class Binder:
    """Looks references up.

    Args:
        results: Results of the calls so far, by their authored names.
        constants: What can be named without a call ("here").
    """

    results: Mapping[str, Any]
    constants: Mapping[str, JsonValue]

    def value(self, written: JsonValue) -> tuple[JsonValue, tuple[Bound, ...]]:
        """Return a value with everything in it looked up, and where that came from.

        Raises:
            Unbound: A reference leads nowhere.
        """
        if isinstance(written, str):
            if not written.startswith("$"):
                return self.text(written), ()
            found = self._bound(written)
            return found.value, (found,) if found.name else ()
        if isinstance(written, list):
            inner = [self.value(one) for one in written]
            return [value for value, _ in inner], tuple(source for _, some in inner for source in some)
        if isinstance(written, dict):
            pairs = {name: self.value(one) for name, one in written.items()}
            sources = tuple(source for _, some in pairs.values() for source in some)
            return {name: value for name, (value, _) in pairs.items()}, sources
        return written, ()

    def text(self, written: str) -> str:
        """Return a text with what stands between braces looked up."""
        return _PLACE.sub(lambda match: _spoken(self._bound(match[1]).value), written)

    def _bound(self, written: str) -> Bound:
        name, _, path = written.removeprefix("$").partition(".")
        if not path and name in self.constants:
            return Bound(self.constants[name], "", "")
        if name not in self.results:
            raise Unbound(f"{written!r} names no call before this one")
        value, field = _followed(self.results[name], _DOT.split(path), written)
        return Bound(value, name, field)


def _followed(value: Any, parts: Sequence[str], written: str) -> tuple[Any, str]:
    """Return what stands at a path, and the path as schemas spell it, with `[]` at lists."""
    if not parts:
        return value, ""
    match = _PART.match(parts[0])
    if match is None:
        raise Unbound(f"{parts[0]!r} in {written!r} is no name with a selector")
    inner, rest = _member(value, match["name"], written), parts[1:]
    if not isinstance(inner, list):
        found, field = _followed(inner, rest, written)
        return found, ".".join([match["name"], *([field] if field else [])])
    every = cast("list[Any]", inner)
    if match["pick"] == _ALL:
        each = [_followed(one, rest, written) for one in every]
        found, field = [one for one, _ in each], each[0][1] if each else ""
    else:
        found, field = _followed(_picked(every, match["pick"], written), rest, written)
    return found, ".".join([f"{match['name']}[]", *([field] if field else [])])


def _member(value: Any, name: str, written: str) -> Any:
    if not isinstance(value, Mapping) or name not in value:
        raise Unbound(f"{written!r} leads nowhere at {name!r}")
    return cast("Mapping[str, Any]", value)[name]


def _picked(values: list[Any], pick: str | None, written: str) -> Any:
    """Return the one element that a selector means."""
    if pick is None:
        return values
    if re.fullmatch(r"-?\d+", pick):
        if not -len(values) <= int(pick) < len(values):
            raise Unbound(f"{written!r}: there are {len(values)} to choose from")
        return values[int(pick)]
    if pick.startswith(_GREATEST) and values:
        return max(values, key=lambda one: one.get(pick.removeprefix(_GREATEST), 0))
    field, equals, wanted = pick.partition("=")
    fitting = [
        one
        for one in values
        if (str(one.get(field)).lower() == wanted.lower() if equals else pick in one.get(_LISTED, ()))
    ]
    if not fitting:
        raise Unbound(f"{written!r}: none of {len(values)} fits {pick!r}")
    return fitting[0]


def _spoken(value: JsonValue) -> str:
    if isinstance(value, list | dict):
        raise Unbound(f"{value!r} cannot stand in a sentence")
    return f"{value:g}" if isinstance(value, float) else str(value)
