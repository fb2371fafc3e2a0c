"""JSON Schemas of tools: one normal form that both probes show, and what it loses.

Published schemas come from many generators. The engine keeps a subset of JSON Schema and drops the
rest without a word; a provider that rejects what another tolerates turns
into a failed run that looks like restraint (KAPRO). So schemas are brought to a
common form first, the same for the probe that prints them and the probe that registers them, and what
is lost is said.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from knowact.core.tool import Tool


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _list(value: Any) -> bool:
    return isinstance(value, list)


def _filled(value: Any) -> bool:
    return isinstance(value, list) and bool(cast("list[Any]", value))


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in cast("list[Any]", value))


KEPT: Mapping[str, Callable[[Any], bool]] = {
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

    schema: dict[str, Any]
    losses: tuple[str, ...]


def object_schema(members: Mapping[str, Any], required: Iterable[str] | None = None) -> dict[str, Any]:
    """The schema of an object with these members and no others; all are required unless some are named."""
    return {
        "type": "object",
        "properties": dict(members),
        "required": list(members if required is None else required),
        "additionalProperties": False,
    }


def normalised(parameters: Mapping[str, Any]) -> Normalised:
    """Bring a tool's parameter schema to the common form.

    Args:
        parameters: Any JSON Schema of a tool's arguments; what is odd in it is left out and said.

    Returns:
        A schema of type object (unknown arguments allowed unless it says otherwise, because the
        engine's default would reject them before the tool sees them) and what was lost.
    """
    reader = _Reader(parameters)
    flat, trail = reader.flat(dict(parameters), "", ())
    # Arguments are always an object: a root that "may be null" only repeats its generator's habits.
    root = {key: value for key, value in flat.items() if key not in ("type", "nullable")}
    schema = reader.read({**root, "type": "object"}, "", trail)
    schema.setdefault("properties", {})
    schema.setdefault("additionalProperties", True)
    schema["required"] = [name for name in schema.get("required", ()) if name in schema["properties"]]
    return Normalised(schema, tuple(dict.fromkeys(reader.losses)))


def losses(tools: Iterable[Tool]) -> list[str]:
    """Say what the common form loses of each tool's parameters, a sentence per tool that loses something.

    Published items have tools of one name with different schemas: each of them is told.
    """
    distinct = {id(tool): tool for tool in tools}.values()
    schemas = {json.dumps((tool.name, tool.parameters), sort_keys=True): tool for tool in distinct}
    lost = sorted({(tool.name, normalised(tool.parameters).losses) for tool in schemas.values()})
    return [f"The schema of {name} loses something: {'; '.join(each)}." for name, each in lost if each]


def target_of(root: Mapping[str, Any], reference: str) -> Any:
    """What a local reference (`#`, `#/a/b`; RFC 6901) leads to in a document; None where it leads nowhere."""
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return None
    found: Any = root
    for part in reference[2:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        found = cast("dict[str, Any]", found).get(name) if isinstance(found, dict) else None
    return found


@dataclass(slots=True)
class _Reader:
    """Reads one root schema. `trail` holds the references that are being followed."""

    root: Mapping[str, Any]
    losses: list[str] = field(default_factory=list[str])

    def lose(self, path: str, what: str) -> None:
        self.losses.append(f"{path or 'the schema'}: {what}")

    def read(self, schema: Any, path: str, trail: tuple[str, ...], depth: int = 0) -> dict[str, Any]:
        if schema is True:
            return {}
        if not isinstance(schema, dict) or depth > DEEPEST:
            self.lose(path, "nested too deeply" if isinstance(schema, dict) else "not an object")
            return {}
        flat, trail = self.flat(cast("dict[str, Any]", schema), path, trail)
        out = {key: value for key, value in flat.items() if self.keeps(key, value, path)}
        inside = _Inside(self, path, trail, depth + 1)
        inside.children(out)
        inside.alternatives(flat, out)
        self.typed(out, path)
        return out

    def keeps(self, key: str, value: Any, path: str) -> bool:
        """Whether a keyword is carried as it is; a loss that matters is said."""
        if key in KEPT:
            if KEPT[key](value):
                return True
            if not (key == "required" and isinstance(value, bool)) and not (key == "type" and _list(value)):
                self.lose(path, f"{key!r} has an odd value")
        elif key not in SILENT and key not in REWRITTEN:
            self.lose(path, f"{key!r} is not carried")
        return False

    def flat(
        self, schema: dict[str, Any], path: str, trail: tuple[str, ...]
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Follow a local `$ref` (keywords beside it win) and fold `allOf` into its parent."""
        reference = schema.get("$ref")
        if isinstance(reference, str):
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            target = self.target(reference)
            if reference in trail:
                self.lose(path, "it refers to itself and is cut there")
            elif target is None:
                self.lose(path, f"the reference {reference!r} leads nowhere")
            else:
                beside, trail = {**target, **beside}, (*trail, reference)
            return self.flat(beside, path, trail)
        parts = schema.get("allOf")
        if not isinstance(parts, list):
            return schema, trail
        out = {key: value for key, value in schema.items() if key != "allOf"}
        for part in cast("list[Any]", parts):
            if isinstance(part, dict):
                folded, trail = self.flat(cast("dict[str, Any]", part), path, trail)
                _fold(folded, out)
            else:
                self.lose(path, "a part of 'allOf' is not an object")
        return out, trail

    def target(self, reference: str) -> dict[str, Any] | None:
        found = None if reference == "#" else target_of(self.root, reference)
        return cast("dict[str, Any]", found) if isinstance(found, dict) else None

    def typed(self, out: dict[str, Any], path: str) -> None:
        """Spell the type as JSON Schema does; an unknown one is dropped and said."""
        if "type" not in out:
            return
        kind = str(out.pop("type")).lower()
        name = TYPES.get(kind, kind)
        if name in NAMES:
            out["type"] = name
        elif name != "any":
            self.lose(path, f"{kind!r} is not a type")
        if name == "array":
            out.setdefault("items", {})


def _fold(part: Mapping[str, Any], into: dict[str, Any]) -> None:
    """Add a part of `allOf`: properties and required together, of the rest what comes first."""
    for key, value in part.items():
        present = into.get(key)
        if key == "properties" and isinstance(value, dict) and isinstance(present, dict):
            into[key] = {**cast("dict[str, Any]", value), **cast("dict[str, Any]", present)}
        elif key == "required" and isinstance(value, list) and isinstance(present, list):
            into[key] = [*cast("list[Any]", present), *cast("list[Any]", value)]
        else:
            into.setdefault(key, value)


@dataclass(frozen=True, slots=True)
class _Inside:
    """Reads what lies inside one schema: its children and its alternatives."""

    reader: _Reader
    path: str
    trail: tuple[str, ...]
    depth: int

    def read(self, schema: Any, suffix: str = "") -> dict[str, Any]:
        path = f"{self.path}{suffix}" if self.path else suffix.removeprefix(".")
        return self.reader.read(schema, path, self.trail, self.depth)

    def children(self, out: dict[str, Any]) -> None:
        """Read properties, items and additional properties; a property gets a description."""
        if "properties" in out:
            properties = cast("dict[str, Any]", out["properties"])
            out["properties"] = {name: self.named(name, child) for name, child in properties.items()}
            # Draft 3 says `required: true` on the parameter itself.
            early = [name for name, child in properties.items() if _says_required(child)]
            if early or "required" in out:
                out["required"] = list(dict.fromkeys([*out.get("required", ()), *early]))
        items = out.get("items")
        if isinstance(items, list):
            self.reader.lose(self.path, "an array with a schema per position")
            out["items"] = {}
        elif items is not None:
            out["items"] = self.read(items, "[]")
        if isinstance(out.get("additionalProperties"), dict):
            out["additionalProperties"] = self.read(out["additionalProperties"], ".*")

    def named(self, name: str, child: Any) -> dict[str, Any]:
        """Read one parameter; some providers demand a description, the engine does at the top."""
        read = self.read(child, f".{name}")
        title = cast("dict[str, Any]", child).get("title") if isinstance(child, dict) else None
        read["description"] = read.get("description") or (title if isinstance(title, str) else "") or name
        return read

    def alternatives(self, flat: Mapping[str, Any], out: dict[str, Any]) -> None:
        """Bring `oneOf`, `const`, `nullable` and lists of types to `anyOf` and `enum`."""
        one_of = flat.get("oneOf")
        if "anyOf" in out:
            out["anyOf"] = [self.read(option) for option in out["anyOf"]]
            if one_of is not None:
                self.reader.lose(self.path, "'oneOf' beside 'anyOf' is not carried")
        elif isinstance(one_of, list) and one_of:
            out["anyOf"] = [self.read(option) for option in cast("list[Any]", one_of)]
        if "const" in flat:
            out["enum"] = [flat["const"]]
        kinds = flat.get("type")
        if isinstance(kinds, list):
            self.kinds(cast("list[Any]", kinds), out)
        if flat.get("nullable") is True:
            _with_null(out)

    def kinds(self, kinds: Sequence[Any], out: dict[str, Any]) -> None:
        """A list of types: what belongs to arrays and objects goes with them (already read)."""
        rest = {key: out.pop(key) for key in STRUCTURE if key in out}
        options: list[dict[str, Any]] = []
        for kind in kinds:
            option: dict[str, Any] = {"type": kind}
            self.reader.typed(option, self.path)
            if option.get("type") in ("array", "object"):
                option |= rest
            options.append(option)
        if options and "anyOf" not in out:
            out["anyOf"] = options
        elif options:
            self.reader.lose(self.path, "a list of types beside alternatives")


def _says_required(child: Any) -> bool:
    return isinstance(child, dict) and cast("dict[str, Any]", child).get("required") is True


def _with_null(out: dict[str, Any]) -> None:
    """Let a schema be null, too. One without type, enumeration and alternatives allows it already."""
    null = {"type": "null"}
    if "anyOf" in out:
        if null not in out["anyOf"]:
            out["anyOf"] = [*out["anyOf"], null]
    elif "type" in out:
        plain = {key: out.pop(key) for key in list(out) if key not in ("description", "default")}
        _Reader({}).typed(plain, "")
        out["anyOf"] = [plain, null]
    elif "enum" in out and None not in out["enum"]:
        out["enum"] = [*out["enum"], None]
