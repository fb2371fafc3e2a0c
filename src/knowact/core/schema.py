"""JSON Schemas of tools: one normal form that both probes show, and what it loses.

Published schemas come from many generators. The engine keeps a subset of JSON Schema and drops the
rest without a word; a provider that rejects what another tolerates turns
into a failed run that looks like restraint (KAPRO). So schemas are brought to a
common form first, the same for the probe that prints them and the probe that registers them, and what
is lost is said.

References are followed, and `allOf` is folded, by `References` and `folded` alone.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pydantic import JsonValue

from knowact.core.tool import Tool

Schema: TypeAlias = dict[str, JsonValue]
"""A JSON Schema that is an object, or any other object of JSON."""


def members(value: JsonValue) -> Schema:
    """Return the members of an object; none of any other value."""
    return value if isinstance(value, dict) else {}


def elements(value: JsonValue) -> list[JsonValue]:
    """Return the elements of a list; none of any other value."""
    return value if isinstance(value, list) else []


def _text(value: JsonValue) -> bool:
    return isinstance(value, str)


def _number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _count(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _list(value: JsonValue) -> bool:
    return isinstance(value, list)


def _filled(value: JsonValue) -> bool:
    return bool(elements(value))


def _names(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


KEPT: Mapping[str, Callable[[JsonValue], bool]] = {
    "type": _text,
    "format": _text,
    "description": _text,
    "default": lambda _: True,
    "enum": _filled,
    "items": lambda value: isinstance(value, dict | list | bool),
    "properties": lambda value: isinstance(value, dict),
    "required": _names,
    "additionalProperties": lambda value: isinstance(value, dict | bool),
    "anyOf": _filled,
    "pattern": _text,
    "minLength": _count,
    "maxLength": _count,
    "minimum": _number,
    "maximum": _number,
    "examples": _list,
}
"""What the engine carries to every provider, and what its value must be."""

SILENT = frozenset(("title", "$schema", "$id", "$defs", "definitions", "$comment", "readOnly", "deprecated"))
"""Keywords that constrain nothing; leaving them out is no loss."""

REWRITTEN = frozenset(("oneOf", "const", "nullable", "$ref", "allOf"))
"""Keywords that come out as others."""

STRUCTURE = ("items", "properties", "required", "additionalProperties")
"""Keywords that speak of arrays and objects only."""

NAMES = frozenset(("object", "array", "string", "number", "integer", "boolean", "null"))

TYPES = {
    "dict": "object",
    "map": "object",
    "float": "number",
    "double": "number",
    "int": "integer",
    "long": "integer",
    "bool": "boolean",
    "list": "array",
    "tuple": "array",
    "str": "string",
}
"""Python and Java spellings that occur in published data; "any" means no type at all."""

DEEPEST = 12
"""Nothing real nests deeper."""


@dataclass(frozen=True, slots=True)
class Normalised:
    """A schema in the common form, and what could not be carried over, a short phrase each."""

    schema: Schema
    losses: tuple[str, ...]


def object_schema(
    properties: Mapping[str, JsonValue] | Mapping[str, Schema], required: Iterable[str] | None = None
) -> Schema:
    """The schema of an object with these members and no others; all are required unless some are named."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


def normalised(parameters: Mapping[str, JsonValue]) -> Normalised:
    """Bring a tool's parameter schema to the common form."""
    reader = _Reader(References(parameters))
    flat, spot = reader.flat(dict(parameters), _Spot())
    # Arguments are always an object: a root that "may be null" only repeats its generator's habits.
    root = {key: value for key, value in flat.items() if key not in ("type", "nullable")}
    schema = reader.read({**root, "type": "object"}, spot)
    properties = members(schema.setdefault("properties", {}))
    schema.setdefault("additionalProperties", True)
    schema["required"] = [name for name in elements(schema.get("required")) if name in properties]
    return Normalised(schema, tuple(dict.fromkeys(reader.losses)))


def losses(tools: Iterable[Tool]) -> list[str]:
    """Say what the common form loses of each tool's parameters, a sentence per tool that loses something.

    Published items have tools of one name with different schemas: each of them is told.
    """
    distinct = {id(tool): tool for tool in tools}.values()
    schemas = {json.dumps((tool.name, tool.parameters), sort_keys=True): tool for tool in distinct}
    lost = sorted({(tool.name, normalised(tool.parameters).losses) for tool in schemas.values()})
    return [f"The schema of {name} loses something: {'; '.join(each)}." for name, each in lost if each]


def target_of(root: Mapping[str, JsonValue], reference: str) -> JsonValue:
    """What a local reference (`#`, `#/a/b`; RFC 6901) leads to in a document; None where it leads nowhere."""
    if reference == "#":
        return dict(root)
    if not reference.startswith("#/"):
        return None
    target: JsonValue = dict(root)
    for part in reference[2:].split("/"):
        target = members(target).get(part.replace("~1", "/").replace("~0", "~"))
    return target


@dataclass(frozen=True, slots=True)
class Followed:
    """Where the references of a schema lead.

    Attributes:
        schema: What they lead to, with the keywords beside them, which win; those alone where one is broken.
        trail: The references that were followed, also those on the way to this schema.
        broken: The reference that could not be followed; empty where all could.
    """

    schema: Schema
    trail: tuple[str, ...]
    broken: str = ""

    @property
    def circular(self) -> bool:
        """Whether the broken reference leads back to where it stands."""
        return self.broken in self.trail


@dataclass(frozen=True, slots=True)
class References:
    """The local references of one document.

    Attributes:
        root: What `#/...` is looked up in.
        beside: The keywords beside a reference that win over what it leads to; None for all of them.
    """

    root: Mapping[str, JsonValue]
    beside: frozenset[str] | None = None

    def follow(self, schema: Schema, trail: tuple[str, ...] = ()) -> Followed:
        """Follow the references of a schema, one after the other; a circle is cut.

        Args:
            schema: Any schema; one without a reference is returned as it is.
            trail: The references that are being followed already.
        """
        while isinstance(name := schema.get("$ref"), str):
            own = {
                key: value
                for key, value in schema.items()
                if key != "$ref" and (self.beside is None or key in self.beside)
            }
            target = None if name in trail else target_of(self.root, name)
            if target is True:  # the schema that any value fits
                target = {}
            if not isinstance(target, dict):
                return Followed(own, trail, name)
            schema, trail = {**target, **own}, (*trail, name)
        return Followed(schema, trail)


def folded(schema: Schema, parts: Sequence[Schema]) -> Schema:
    """Fold parts of `allOf` into their schema: properties and required together, else what comes first.

    Args:
        schema: Its own words win over those of the parts.
        parts: The parts in order, their references followed.
    """
    out = {key: value for key, value in schema.items() if key != "allOf"}
    inherited: Schema = {}
    for part in parts:
        for key, value in part.items():
            present = out.setdefault(key, value)
            if key == "properties":
                inherited |= {name: child for name, child in members(value).items() if name not in inherited}
            elif key == "required" and isinstance(present, list):
                out[key] = [*present, *(name for name in elements(value) if name not in present)]
    if isinstance(present := out.get("properties"), dict):
        out["properties"] = {**inherited, **members(schema.get("properties"))}
    return out


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where in a root schema something stands: the way there, and the references that led to it."""

    path: str = ""
    trail: tuple[str, ...] = ("#",)
    depth: int = 0

    def below(self, suffix: str = "") -> "_Spot":
        path = f"{self.path}{suffix}" if self.path else suffix.removeprefix(".")
        return replace(self, path=path, depth=self.depth + 1)


@dataclass(slots=True)
class _Reader:
    """Reads one root schema."""

    references: References
    losses: list[str] = field(default_factory=list[str])

    def lose(self, spot: _Spot, loss: str) -> None:
        self.losses.append(f"{spot.path or 'the schema'}: {loss}")

    def read(self, schema: JsonValue, spot: _Spot) -> Schema:
        if schema is True:
            return {}
        if not isinstance(schema, dict) or spot.depth > DEEPEST:
            self.lose(spot, "nested too deeply" if isinstance(schema, dict) else "not an object")
            return {}
        flat, spot = self.flat(schema, spot)
        out = {key: value for key, value in flat.items() if self.keeps(key, value, spot)}
        self.children(out, spot)
        self.alternatives(flat, out, spot)
        self.typed(out, spot)
        return out

    def keeps(self, key: str, value: JsonValue, spot: _Spot) -> bool:
        """Whether a keyword is carried as it is; a loss that matters is said."""
        if key in KEPT:
            if KEPT[key](value):
                return True
            if not (key == "required" and isinstance(value, bool)) and not (key == "type" and _list(value)):
                self.lose(spot, f"{key!r} has an odd value")
        elif key not in SILENT and key not in REWRITTEN:
            self.lose(spot, f"{key!r} is not carried")
        return False

    def flat(self, schema: Schema, spot: _Spot) -> tuple[Schema, _Spot]:
        """A schema without `$ref` and `allOf`, and where it stands then."""
        followed = self.references.follow(schema, spot.trail)
        if followed.circular:
            self.lose(spot, "it refers to itself and is cut there")
        elif followed.broken:
            self.lose(spot, f"the reference {followed.broken!r} leads nowhere")
        schema, spot = followed.schema, replace(spot, trail=followed.trail)
        if not isinstance(schema.get("allOf"), list):
            return schema, spot
        parts: list[Schema] = []
        for part in elements(schema["allOf"]):
            if isinstance(part, dict):
                flat, spot = self.flat(part, spot)
                parts.append(flat)
            else:
                self.lose(spot, "a part of 'allOf' is not an object")
        return folded(schema, parts), spot

    def typed(self, out: Schema, spot: _Spot) -> None:
        """Spell the type as JSON Schema does; an unknown one is dropped and said."""
        if "type" not in out:
            return
        kind = str(out.pop("type")).lower()
        name = TYPES.get(kind, kind)
        if name in NAMES:
            out["type"] = name
        elif name != "any":
            self.lose(spot, f"{kind!r} is not a type")
        if name == "array":
            out.setdefault("items", {})

    def children(self, out: Schema, spot: _Spot) -> None:
        """Read properties, items and additional properties; a property gets a description."""
        if isinstance(properties := out.get("properties"), dict):
            out["properties"] = {name: self.named(name, child, spot) for name, child in properties.items()}
            # Draft 3 says `required: true` on the parameter itself.
            early = [name for name, child in properties.items() if members(child).get("required") is True]
            if early or "required" in out:
                required = [str(name) for name in elements(out.get("required"))]
                out["required"] = list(dict.fromkeys([*required, *early]))
        items = out.get("items")
        if isinstance(items, list):
            self.lose(spot, "an array with a schema per position")
            out["items"] = {}
        elif items is not None:
            out["items"] = self.read(items, spot.below("[]"))
        if isinstance(others := out.get("additionalProperties"), dict):
            out["additionalProperties"] = self.read(others, spot.below(".*"))

    def named(self, name: str, child: JsonValue, spot: _Spot) -> Schema:
        """Read one parameter; some providers demand a description, the engine does at the top."""
        parameter = self.read(child, spot.below(f".{name}"))
        title = members(child).get("title")
        words = parameter.get("description") or (title if isinstance(title, str) else "") or name
        parameter["description"] = words
        return parameter

    def alternatives(self, flat: Schema, out: Schema, spot: _Spot) -> None:
        """Bring `oneOf`, `const`, `nullable` and lists of types to `anyOf` and `enum`."""
        one_of = flat.get("oneOf")
        if "anyOf" in out:
            out["anyOf"] = [self.read(option, spot.below()) for option in elements(out["anyOf"])]
            if one_of is not None:
                self.lose(spot, "'oneOf' beside 'anyOf' is not carried")
        elif options := elements(one_of):
            out["anyOf"] = [self.read(option, spot.below()) for option in options]
        if "const" in flat:
            out["enum"] = [flat["const"]]
        if isinstance(kinds := flat.get("type"), list):
            self.kinds(kinds, out, spot)
        if flat.get("nullable") is True:
            self.with_null(out, spot)

    def kinds(self, kinds: Sequence[JsonValue], out: Schema, spot: _Spot) -> None:
        """A list of types: what belongs to arrays and objects goes with them (already read)."""
        rest = {key: out.pop(key) for key in STRUCTURE if key in out}
        options: list[JsonValue] = []
        for kind in kinds:
            option: Schema = {"type": kind}
            self.typed(option, spot)
            if option.get("type") in ("array", "object"):
                option |= rest
            options.append(option)
        if options and "anyOf" not in out:
            out["anyOf"] = options
        elif options:
            self.lose(spot, "a list of types beside alternatives")

    def with_null(self, out: Schema, spot: _Spot) -> None:
        """Let a schema be null, too. One without type, enumeration and alternatives allows it already."""
        null: Schema = {"type": "null"}
        options, values = elements(out.get("anyOf")), elements(out.get("enum"))
        if "anyOf" in out:
            if null not in options:
                out["anyOf"] = [*options, null]
        elif "type" in out:
            plain = {key: out.pop(key) for key in list(out) if key not in ("description", "default")}
            _Reader(self.references).typed(plain, spot)
            out["anyOf"] = [plain, null]
        elif "enum" in out and None not in values:
            out["enum"] = [*values, None]
