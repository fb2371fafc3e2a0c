"""The parameters of a ToolBench function as one JSON Schema.

Spec fail-talms.md, sections 2.6, 5.2 and 10; spec ict.md, section 2.2: a list of those that are required, and
one of those that are not.
"""

from collections.abc import Iterator
from typing import Any, cast

from pydantic import JsonValue

from knowact.core.errors import Place
from knowact.datasets.deviations import ToolKind
from knowact.datasets.members import Members
from knowact.datasets.parameter_types import Schema, default_of, schema_of

LISTS = ("required_parameters", "optional_parameters")
"""A list that is absent is empty."""

CHOICES = ("enum", "options", "choices", "allowed_values")
"""Members that some parameters list their values under."""


def parameters_of(source: Members) -> Schema:
    """Return the schema of a function's arguments; what was odd about them goes into the ledger.

    Args:
        source: The descriptor's entry, or the query's where there is no descriptor.
    """
    properties: dict[str, JsonValue] = {}
    required: list[JsonValue] = []
    for group in LISTS:
        for name, parameter in _parameters(source, group):
            if name in properties:
                how = f"{name!r} counts as it stands first"
                _enter(source, ToolKind.PARAMETER_TWICE, source.place(f"{group}.{name}"), how)
                continue
            properties[name] = property_of(parameter)
            if group == LISTS[0]:
                required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def _parameters(source: Members, group: str) -> Iterator[tuple[str, Members]]:
    """The parameters of one list by name; a bare text is taken for a name, everything else is left out."""
    listed = source.get(group)
    if listed is None:
        return
    for number, one in enumerate(cast("list[Any]", listed) if isinstance(listed, list) else [listed]):
        path = f"{group}[{number}]"
        value = {"name": one} if isinstance(one, str) else one
        name: Any = cast("dict[str, Any]", value).get("name") if isinstance(value, dict) else None
        if isinstance(name, str) and name.strip():
            if isinstance(one, str):
                how = f"taken for the name of a parameter, {one!r}"
                _enter(source, ToolKind.PARAMETER, source.place(path), how)
            inner = cast("dict[str, Any]", value)
            field = source.place(path).field or ""
            yield name.strip(), Members(source.line, inner, source.ledger, field, source.item)
        else:
            _enter(source, ToolKind.PARAMETER, source.place(path), "it has no name and was left out")


def property_of(parameter: Members) -> Schema:
    """Return the schema of one parameter; what was odd about it goes into the ledger.

    Args:
        parameter: Its members: `type` in free text, `description`, `default`, and its values where it has a
            list of them.
    """
    written = parameter.get("type")
    schema = schema_of(written) if isinstance(written, str) else {} if written is None else None
    if schema is None:
        how = f"{written!r} is no type that we know; any value is allowed"
        _enter(parameter, ToolKind.TYPE_UNKNOWN, parameter.place("type"), how)
        schema = {}
    out: Schema = dict(schema)
    description = parameter.get("description")
    if isinstance(description, str) and description.strip():
        out["description"] = description.strip()
    choices = next((parameter.value[key] for key in CHOICES if key in parameter.value), None)
    if isinstance(choices, list) and choices:
        out["enum"] = cast("list[JsonValue]", choices)
    default = default_of(parameter.get("default"), schema)
    if default.how:
        _enter(parameter, ToolKind.DEFAULT, parameter.place("default"), default.how)
    if default.given:
        out["default"] = default.value
    return out


def _enter(source: Members, kind: ToolKind, place: Place, how: str) -> None:
    source.ledger.mended(kind, place, how, source.item)
