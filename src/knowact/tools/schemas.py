"""JSON Schemas as strangers write them: references resolved, what is odd said, results' schemas learnt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic import JsonValue

from knowact.core.names import MAX_LENGTH, sanitised
from knowact.core.schema import References, Schema, elements, folded, members, normalised
from knowact.tools.folder import OwnTool

MANY_PARAMETERS: Final = 20
"""From here on models begin to leave some out, and no small suite covers them."""

LONG_DESCRIPTION: Final = 4_000
"""Characters: some providers refuse longer ones, and every probe pays for them."""

_LARGEST: Final = 20_000
"""Objects in one resolved schema: references that fan out can multiply without end."""

_EXTENSION: Final = "x-"
"""How keywords begin that no standard knows; they say nothing of values."""

_BESIDE: Final = frozenset(("title", "description", "default", "examples"))
"""Keywords beside a reference that speak of this place, and so win over what the reference says."""

_VALUES: Final = frozenset(("enum", "const", "default", "example", "examples"))
"""Keywords that hold values, not schemas."""


@dataclass(slots=True)
class Resolver:
    """Puts what local references lead to in their place.

    Attributes:
        root: What `#/...` is looked up in.
        leave: A keyword; properties whose schema sets it are left out (`readOnly` in requests).
        odd: What could not be resolved, a clause each.
    """

    root: Mapping[str, JsonValue]
    leave: str = ""
    odd: list[str] = field(default_factory=list[str])
    _count: int = 0

    def resolve(self, schema: JsonValue) -> Schema:
        """Return a schema without references, definitions and foldable `allOf`; cycles are cut and said."""
        resolved = self._read(schema, ())
        self.odd = list(dict.fromkeys(self.odd))
        return members(resolved)

    def _read(self, value: JsonValue, trail: tuple[str, ...]) -> JsonValue:
        if isinstance(value, list):
            return [self._read(element, trail) for element in value]
        if not isinstance(value, dict):
            return value
        self._count += 1
        if self._count > _LARGEST:
            self.odd.append(f"its references grow beyond {_LARGEST:,} objects and are cut")
            return {}
        followed = References(self.root, _BESIDE).follow(value, trail)
        broken = followed.broken
        if followed.circular:
            self.odd.append(f"{broken} contains itself; it is cut there")
            return {"description": f"As {broken.rpartition('/')[2]} above.", **followed.schema}
        if broken:  # nothing is fetched that nobody asked for
            self.odd.append(led_astray(broken))
            return followed.schema
        return _folded(self._inside(followed.schema, followed.trail))

    def _inside(self, schema: Schema, trail: tuple[str, ...]) -> Schema:
        out: Schema = {}
        for name, inner in schema.items():
            if name in _VALUES:
                out[name] = inner
            elif name == "properties" and isinstance(inner, dict):
                out[name] = self._properties(inner, trail)
            elif name not in {"$defs", "definitions"} and not name.startswith(_EXTENSION):
                out[name] = self._read(inner, trail)
        kept = out.get("properties")
        if self.leave and isinstance(kept, dict) and "required" in out:
            out["required"] = [name for name in elements(out["required"]) if name in kept]
        return out

    def _properties(self, properties: Schema, trail: tuple[str, ...]) -> Schema:
        read = {name: self._read(inner, trail) for name, inner in properties.items()}
        return {name: shape for name, shape in read.items() if members(shape).get(self.leave) is not True}


def led_astray(reference: str) -> str:
    """What to say of a reference that has no target here."""
    where = "nowhere" if reference.startswith("#") else "out of the document"
    return f"the reference {reference} leads {where}"


def _folded(schema: Schema) -> Schema:
    """Fold `allOf` where its parts describe one object, so that each field can be taken away."""
    listed = elements(schema.get("allOf"))
    parts = [part for part in listed if isinstance(part, dict)]
    if not parts or len(parts) < len(listed):
        return schema
    whole = folded(schema, parts)
    if len(parts) == 1:
        return whole
    return (
        {"type": "object", **whole} if whole.get("properties") and all(map(_is_of_object, parts)) else schema
    )


def _is_of_object(schema: Schema) -> bool:
    """Whether a schema only lists what an object has: no alternatives, and no other kind of value."""
    return schema.get("type", "object") == "object" and not {*schema} & _OTHERWISE


_OTHERWISE: Final = frozenset(("anyOf", "oneOf", "allOf", "not", "if", "enum", "const", "items"))


def of_arguments(schema: Mapping[str, JsonValue]) -> tuple[Schema, list[str]]:
    """Return a tool's input schema with its own references resolved, and what was odd in it."""
    resolved, odd = of_result(schema)
    resolved = resolved or {}
    # Arguments are always an object, also where a schema doesn't say so.
    return {**resolved, "type": "object", "properties": resolved.get("properties") or {}}, odd


def of_result(schema: Mapping[str, JsonValue] | None) -> tuple[Schema | None, list[str]]:
    """Return a tool's output schema with its own references resolved, and what was odd in it."""
    resolver = Resolver(schema or {})
    return resolver.resolve({**schema} if schema else {}) or None, resolver.odd


def oddities(tool: OwnTool) -> list[str]:
    """What makes a tool hard to offer, to prove or to understand, a clause each."""
    clauses: list[str] = []
    if sanitised(tool.name) != tool.name:
        why = (
            f"longer than {MAX_LENGTH} signs" if len(tool.name) > MAX_LENGTH else "not letters, digits, _, -"
        )
        clauses.append(f"providers refuse its name ({why}); agents see {sanitised(tool.name)!r}")
    if not tool.description.strip():
        clauses.append("it has no description")
    elif len(tool.description) > LONG_DESCRIPTION:
        clauses.append(f"its description has {len(tool.description):,} characters")
    if tool.returns is None:
        clauses.append("it has no output schema")
    properties = tool.properties
    if len(properties) > MANY_PARAMETERS:
        clauses.append(f"it has {len(properties)} parameters")
    silent = [name for name, shape in properties.items() if not _described(shape)]
    if silent:
        shown = ", ".join(silent[:5]) + (" …" if len(silent) > 5 else "")  # noqa: PLR2004 - a line's worth
        clauses.append(f"nothing is said of {'a parameter' if len(silent) == 1 else 'parameters'}: {shown}")
    unknown = [name for name in tool.required if name not in properties]
    if unknown:
        clauses.append(f"it requires parameters that it does not have: {', '.join(unknown)}")
    return [*clauses, *(f"shown without a part of its schema ({loss})" for loss in losses(tool)[:5])]


def losses(tool: OwnTool) -> tuple[str, ...]:
    """What agents are not shown of a tool's input schema, because providers would not carry it."""
    return normalised(tool.parameters).losses


def _described(schema: JsonValue) -> bool:
    known = members(schema)
    return bool(known.get("description") or known.get("enum") or known.get("const") is not None)


def finished(tool: OwnTool, odd: Sequence[str] = ()) -> OwnTool:
    """Return a tool that was just read, with its hash and what is odd about it."""
    clauses = tuple(dict.fromkeys((*odd, *oddities(tool))))
    return tool.model_copy(update={"odd": clauses, "sha256": tool.hashed()})


_TYPES: Final[Mapping[type, str]] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


def learnt(values: Sequence[JsonValue]) -> Schema | None:
    """Return a schema that holds for all of these results; None where none has fields or elements.

    A field is required when every result has it. What results have never shown is not in it, so a schema
    that was learnt says less than one that somebody wrote.
    """
    shape = _shape(values)
    return shape if shape.get("properties") or shape.get("items") else None


def _shape(values: Sequence[JsonValue]) -> Schema:
    objects = [value for value in values if isinstance(value, dict)]
    lists = [value for value in values if isinstance(value, list)]
    kinds = {_TYPES[type(value)] for value in values if type(value) in _TYPES}
    if "number" in kinds:
        kinds.discard("integer")
    out: Schema = {}
    if objects:
        kinds.add("object")
        names = list(dict.fromkeys(name for each in objects for name in each))
        out["properties"] = {name: _shape([each[name] for each in objects if name in each]) for name in names}
        out["required"] = [name for name in names if all(name in each for each in objects)]
    if lists:
        kinds.add("array")
        out["items"] = _shape([element for each in lists for element in each])
    if kinds:
        out["type"] = kinds.pop() if len(kinds) == 1 else [*sorted(kinds)]
    return out
