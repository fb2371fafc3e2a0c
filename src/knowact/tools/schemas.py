"""JSON Schemas as strangers write them: references resolved, what is odd said, results' schemas learnt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from knowact.core.names import MAX_LENGTH, sanitised
from knowact.core.schema import normalised, target_of
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


@dataclass(slots=True)
class Resolver:
    """Puts what local references lead to in their place.

    Attributes:
        root: What `#/...` is looked up in.
        leave: A keyword; properties whose schema sets it are left out (`readOnly` in requests).
        odd: What could not be resolved, a clause each.
    """

    root: Mapping[str, Any]
    leave: str = ""
    odd: list[str] = field(default_factory=list[str])
    _count: int = 0

    def resolve(self, schema: Any) -> dict[str, Any]:
        """Return a schema without references, definitions and foldable `allOf`; cycles are cut and said."""
        found = self._read(schema, ())
        self.odd = list(dict.fromkeys(self.odd))
        return cast("dict[str, Any]", found) if isinstance(found, dict) else {}

    def _read(self, value: Any, trail: tuple[str, ...]) -> Any:
        if isinstance(value, list):
            return [self._read(one, trail) for one in cast("list[Any]", value)]
        if not isinstance(value, dict):
            return value
        self._count += 1
        if self._count > _LARGEST:
            self.odd.append(f"its references grow beyond {_LARGEST:,} objects and are cut")
            return {}
        schema = cast("dict[str, Any]", value)
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self._followed(reference, schema, trail)
        out: dict[str, Any] = {}
        for name, inner in schema.items():
            if name in {"enum", "const", "default", "example", "examples"}:
                out[name] = inner  # values, not schemas
            elif name == "properties" and isinstance(inner, dict):
                out[name] = self._properties(cast("dict[str, Any]", inner), trail)
            elif name not in {"$defs", "definitions"} and not name.startswith(_EXTENSION):
                out[name] = self._read(inner, trail)
        kept = out.get("properties")
        if self.leave and isinstance(kept, dict) and isinstance(out.get("required"), list):
            out["required"] = [one for one in out["required"] if one in kept]
        return folded(out)

    def _properties(self, properties: Mapping[str, Any], trail: tuple[str, ...]) -> dict[str, Any]:
        read = {name: self._read(inner, trail) for name, inner in properties.items()}
        return {name: one for name, one in read.items() if not (self.leave and _sets(one, self.leave))}

    def _followed(self, reference: str, schema: Mapping[str, Any], trail: tuple[str, ...]) -> Any:
        beside = {name: inner for name, inner in schema.items() if name in _BESIDE}
        if reference in trail:
            self.odd.append(f"{reference} contains itself; it is cut there")
            return {"description": f"As {reference.rpartition('/')[2]} above.", **beside}
        target = target_of(self.root, reference)
        if target is None:
            # Nothing is fetched that nobody asked for.
            self.odd.append(led_astray(reference))
            return beside
        read = self._read(target, (*trail, reference))
        return {**cast("dict[str, Any]", read), **beside} if isinstance(read, dict) else read


def led_astray(reference: str) -> str:
    """What to say of a reference that has no target here."""
    where = "nowhere" if reference.startswith("#") else "out of the document"
    return f"the reference {reference} leads {where}"


def _sets(schema: Any, keyword: str) -> bool:
    return isinstance(schema, dict) and cast("dict[str, Any]", schema).get(keyword) is True


def folded(schema: dict[str, Any]) -> dict[str, Any]:
    """Merge the parts of `allOf` where they describe one object, so that each field can be taken away."""
    parts = schema.get("allOf")
    if not isinstance(parts, list) or not all(isinstance(one, dict) for one in cast("list[Any]", parts)):
        return schema
    members = cast("list[dict[str, Any]]", parts)
    out = {name: inner for name, inner in schema.items() if name != "allOf"}
    together = [*members, out]
    properties = {name: inner for one in together for name, inner in one.get("properties", {}).items()}
    if len(members) != 1 and not (properties and all(map(_is_of_object, members))):
        return schema
    found: dict[str, Any] = {**(members[0] if len(members) == 1 else {"type": "object"}), **out}
    if properties:
        found["properties"] = properties
    if required := dict.fromkeys(name for one in together for name in one.get("required", ())):
        found["required"] = list(required)
    return found


def _is_of_object(schema: Mapping[str, Any]) -> bool:
    """Whether a schema only lists what an object has: no alternatives, and no other kind of value."""
    return schema.get("type", "object") == "object" and not {*schema} & _OTHERWISE


_OTHERWISE: Final = frozenset(("anyOf", "oneOf", "allOf", "not", "if", "enum", "const", "items"))


def of_arguments(schema: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a tool's input schema with its own references resolved, and what was odd in it."""
    resolver = Resolver(schema)
    found = resolver.resolve({**schema})
    # Arguments are always an object, also where a schema doesn't say so.
    return {**found, "type": "object", "properties": found.get("properties") or {}}, resolver.odd


def of_result(schema: Mapping[str, Any] | None) -> tuple[dict[str, Any] | None, list[str]]:
    """Return a tool's output schema with its own references resolved, and what was odd in it."""
    if not schema:
        return None, []
    resolver = Resolver(schema)
    found = resolver.resolve({**schema})
    return found or None, resolver.odd


def oddities(tool: OwnTool) -> list[str]:
    """What makes a tool hard to offer, to prove or to understand, a clause each."""
    found: list[str] = []
    if sanitised(tool.name) != tool.name:
        why = (
            f"longer than {MAX_LENGTH} signs" if len(tool.name) > MAX_LENGTH else "not letters, digits, _, -"
        )
        found.append(f"providers refuse its name ({why}); agents see {sanitised(tool.name)!r}")
    if not tool.description.strip():
        found.append("it has no description")
    elif len(tool.description) > LONG_DESCRIPTION:
        found.append(f"its description has {len(tool.description):,} characters")
    if tool.returns is None:
        found.append("it has no output schema")
    properties = tool.tool("").properties
    if len(properties) > MANY_PARAMETERS:
        found.append(f"it has {len(properties)} parameters")
    silent = [name for name, one in properties.items() if not _described(one)]
    if silent:
        shown = ", ".join(silent[:5]) + (" …" if len(silent) > 5 else "")  # noqa: PLR2004 - a line's worth
        found.append(f"nothing is said of {'a parameter' if len(silent) == 1 else 'parameters'}: {shown}")
    unknown = [name for name in tool.tool("").required if name not in properties]
    if unknown:
        found.append(f"it requires parameters that it does not have: {', '.join(unknown)}")
    return [*found, *(f"shown without a part of its schema ({loss})" for loss in losses(tool)[:5])]


def losses(tool: OwnTool) -> tuple[str, ...]:
    """What agents are not shown of a tool's input schema, because providers would not carry it."""
    return normalised(tool.parameters).losses


def _described(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return False
    known = cast("dict[str, Any]", schema)
    return bool(known.get("description") or known.get("enum") or known.get("const") is not None)


def finished(tool: OwnTool, odd: Sequence[str] = ()) -> OwnTool:
    """Return a tool that was just read, with its hash and what is odd about it."""
    said = dict.fromkeys((*odd, *oddities(tool)))
    return tool.model_copy(update={"odd": tuple(said), "sha256": tool.hashed()})


_TYPES: Final = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def learnt(values: Sequence[Any]) -> dict[str, Any] | None:
    """Return a schema that holds for all of these results; None where none has fields or elements.

    A field is required when every result has it. What results have never shown is not in it, so a schema
    that was learnt says less than one that somebody wrote.
    """
    shape = _shape(values)
    return shape if shape.get("properties") or shape.get("items") else None


def _shape(values: Sequence[Any]) -> dict[str, Any]:
    objects = [cast("dict[str, Any]", one) for one in values if isinstance(one, dict)]
    lists = [cast("list[Any]", one) for one in values if isinstance(one, list)]
    kinds = {_TYPES[type(one)] for one in values if type(one) in _TYPES}
    if "number" in kinds:
        kinds.discard("integer")
    out: dict[str, Any] = {}
    if objects:
        kinds.add("object")
        names = list(dict.fromkeys(name for one in objects for name in one))
        out["properties"] = {name: _shape([one[name] for one in objects if name in one]) for name in names}
        out["required"] = [name for name in names if all(name in one for one in objects)]
    if lists:
        kinds.add("array")
        out["items"] = _shape([inner for one in lists for inner in one])
    if kinds:
        out["type"] = kinds.pop() if len(kinds) == 1 else sorted(kinds)
    return out
