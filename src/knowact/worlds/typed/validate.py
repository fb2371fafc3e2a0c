"""Are these arguments what a tool asks for? Everything wrong is told by name, and what comes near it."""

import datetime as dt
import difflib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from pydantic import JsonValue

from knowact.core.errors import suggest
from knowact.core.tool import Tool
from knowact.core.world import Call, Problem
from knowact.worlds.paths import elements, members

_MISSPELT: Final = 0.9
"""Names that are at least so similar are one name, written wrongly."""

_TYPES: Final[Mapping[str, type]] = {
    "string": str,
    "integer": int,
    "number": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}
"""By kind, the types of its values; truth values and floats are told apart by hand."""
_WORDS: Final = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def complaints(value: JsonValue, shape: Mapping[str, JsonValue], name: str) -> Iterator[str]:
    """Yield what is wrong with a value, a clause each; nothing if it satisfies the schema.

    Args:
        value: Any JSON value, however it was made.
        shape: A schema as `schema.of_type` writes it.
        name: How the value is called in the clauses.
    """
    kind = shape.get("type")
    kinds = (kind,) if isinstance(kind, str) else tuple(map(str, elements(kind)))
    if not _is(value, kinds):
        yield f"{name} must be {' or '.join(_WORDS[each] for each in kinds)}, not {_shown(value)}"
        return
    if value is None:
        return
    allowed = shape.get("enum")
    if isinstance(allowed, list) and value not in allowed:
        yield f"{name} must be one of {', '.join(map(repr, allowed))}, not {_shown(value)}"
    yield from _bounds(value, shape, name)
    if isinstance(value, dict):
        yield from _members(value, shape, name)
    elif isinstance(value, list) and "items" in shape:
        items = members(shape["items"])
        for number, item in enumerate(value):
            yield from complaints(item, items, f"{name}[{number}]")


def argument_complaints(arguments: Mapping[str, JsonValue], shape: Mapping[str, JsonValue]) -> list[str]:
    """Return what is wrong with a call's arguments: unexpected, missing, of a wrong type or value."""
    known = members(shape["properties"])
    wrong = [f"{name!r} is not a parameter{_near(name, known)}" for name in arguments if name not in known]
    wrong += [f"{name!r} is missing" for name in elements(shape["required"]) if name not in arguments]
    for name, value in arguments.items():
        if name in known:
            wrong.extend(complaints(value, members(known[name]), repr(name)))
    return wrong


def _near(name: str, known: Mapping[str, JsonValue]) -> str:
    # Of no parameters, none is near.
    return f". {suggest(str(name), known)}" if known else ""


def _is(value: JsonValue, kinds: Sequence[str]) -> bool:
    if isinstance(value, bool):
        return "boolean" in kinds
    if isinstance(value, float):
        # JSON Schema: 3.0 is an integer.
        return math.isfinite(value) and ("number" in kinds or ("integer" in kinds and value.is_integer()))
    return any(isinstance(value, _TYPES[kind]) for kind in kinds)  # pyright: ignore[reportUnnecessaryIsInstance]


def limit(shape: Mapping[str, JsonValue], keyword: str) -> float | None:
    """Return the number that a schema has under a keyword (`minimum`, `maxLength`); None without one."""
    number = shape.get(keyword)
    return number if isinstance(number, (int, float)) else None


def _bounds(value: JsonValue, shape: Mapping[str, JsonValue], name: str) -> Iterator[str]:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if (low := limit(shape, "minimum")) is not None and value < low:
            yield f"{name} must be at least {low:g}"
        if (high := limit(shape, "maximum")) is not None and value > high:
            yield f"{name} must be at most {high:g}"
        if (step := limit(shape, "multipleOf")) is not None and Fraction(value) % Fraction(step):
            yield f"{name} must be a multiple of {step:g}"
    elif isinstance(value, str):
        longest, form = limit(shape, "maxLength"), shape.get("format")
        if longest is not None and len(value) > longest:
            yield f"{name} must have at most {longest} characters"
        if isinstance(form, str) and not _formatted(value, form):
            example = "2026-03-31" if form == "date" else "18:05"
            yield f"{name} must be a {form} like {example}, not {_shown(value)}"
    elif isinstance(value, list):
        least, most = limit(shape, "minItems") or 0, limit(shape, "maxItems")
        if not least <= len(value) <= (math.inf if most is None else most):
            yield f"{name} must have {least} to {math.inf if most is None else most} items"


def _formatted(value: str, form: str) -> bool:
    try:
        if form == "date":
            dt.datetime.strptime(value, "%Y-%m-%d").replace(tzinfo=dt.UTC)
        else:
            dt.datetime.strptime(value, "%H:%M").replace(tzinfo=dt.UTC)
    except ValueError:
        return False
    return len(value) == (10 if form == "date" else 5)


def _members(value: Mapping[str, JsonValue], shape: Mapping[str, JsonValue], name: str) -> Iterator[str]:
    properties = members(shape.get("properties"))
    for key in elements(shape.get("required")):
        if key not in value:
            yield f"{name}.{key} is missing"
    others = shape.get("additionalProperties")
    for key, inner in value.items():
        if key in properties:
            yield from complaints(inner, members(properties[key]), f"{name}.{key}")
        elif others is False:
            yield f"{name}.{key} is not expected"
        elif isinstance(others, dict):
            yield from complaints(inner, others, f"{name}.{key}")


def _shown(value: JsonValue) -> str:
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print whole numbers of more than 4,300 digits
        return "an enormous number"
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - one line of a message


def near(name: str, known: Iterable[str]) -> str:
    """Name the known one that is meant where a slip of the pen or the case tells them apart, else nothing.

    A refusal that listed names, or completed half of one, would say what a request left unsaid.
    """
    names = {candidate.casefold(): candidate for candidate in sorted(known)}
    nearest = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=_MISSPELT)
    return f"Did you mean {names[nearest[0]]!r}?" if nearest else ""


def arguments_of(call: Call, tool: Tool) -> dict[str, JsonValue] | None:
    """Return a call's arguments; None where they could not be read.

    A null for something that may be left out says that it is left out.
    """
    given = call.arguments
    if given is None:
        return None
    return {name: value for name, value in given.items() if value is not None or name in tool.required}


UNREADABLE: Final = Problem(
    "bad_arguments", "The arguments could not be read.", "Send one JSON object with the arguments."
)


def wrong_arguments(tool: Tool, arguments: Mapping[str, JsonValue]) -> Problem | None:
    """Return everything that a tool's schema has against arguments, as one problem."""
    wrong = argument_complaints(arguments, tool.parameters)
    takes = ", ".join(tool.properties) or "nothing"
    return (
        Problem("bad_arguments", f"{tool.name}: {'; '.join(wrong)}", f"It takes: {takes}.") if wrong else None
    )


def whole_where_asked(tool: Tool, arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Turn 3.0 into 3 where whole numbers are asked for: JSON does not tell them apart."""
    shapes = tool.properties
    return {
        name: int(value)
        if isinstance(value, float) and value.is_integer() and _whole(shapes[name])
        else value
        for name, value in arguments.items()
    }


def _whole(shape: Mapping[str, JsonValue]) -> bool:
    kind = shape.get("type")
    return kind in ("integer", ["integer", "null"]) or shape.get("multipleOf") == 1
