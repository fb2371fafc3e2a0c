"""The parameters of published functions, with types in free text, as JSON Schema.

ToolBench's layout: one list of required parameters, one of optional ones. Their types come in some thirty
spellings in any letter case, of which the published pipelines know six and turn all others into texts.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from pydantic import JsonValue

from knowact.datasets.deviations import ToolKind
from knowact.datasets.lines import decode
from knowact.datasets.members import Members

Schema = dict[str, JsonValue]

NAMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("string", "str", "text", "char", "character", "enum", "enumeration"), "string"),
    **dict.fromkeys(("date", "time", "datetime", "timestamp", "url", "uri", "uuid", "email"), "string"),
    **dict.fromkeys(("file", "binary", "bytes", "base64"), "string"),
    **dict.fromkeys(("integer", "int", "long", "short", "bigint"), "integer"),
    **dict.fromkeys(("number", "num", "numeric", "float", "double", "decimal", "real"), "number"),
    **dict.fromkeys(("boolean", "bool"), "boolean"),
    **dict.fromkeys(("list", "array", "tuple", "set", "sequence"), "array"),
    **dict.fromkeys(("object", "dict", "dictionary", "map", "mapping", "json", "hash"), "object"),
    **dict.fromkeys(("null", "none", "nil"), "null"),
}
"""Names of types in lower case, with the type in JSON Schema."""

_ANYTHING: Final = frozenset(("", "any", "mixed", "object or list", "various"))
_ASIDES: Final = re.compile(
    r"\b(optional|required|nullable|json|comma[- ]separated)\b(?=\s*\S)|[()]?\boptional\b[)]?"
)
_LIST_OF: Final = re.compile(r"(?:list|array|tuple|set|sequence)s?\s*(?:of\b|[\[<(:])\s*(.*?)\s*[\])>]?")
_LIST_AFTER: Final = re.compile(r"(.+?)\s*(?:\[\]|\b(?:list|array)s?)")
_MAP_OF: Final = re.compile(r"(?:dict|dictionary|map|mapping|object)s?\s*(?:of\b|[\[<(:]).*")
_ENUM: Final = re.compile(r"(?:enum|enumeration)\b.*")
_OR: Final = re.compile(r"\s*(?:\||/|\bor\b)\s*")
_WORDS_FOR_NONE: Final = frozenset(("none", "null", "nil", "undefined"))
_TRUTH: Final[Mapping[str, bool]] = {
    "true": True,
    "yes": True,
    "1": True,
    "false": False,
    "no": False,
    "0": False,
}


def schema_of(text: str) -> Schema | None:
    """Return the schema of a published type, or None if the type is unknown.

    Args:
        text: "STRING", "Float", "LIST of STRINGS", "LIST[INTEGER]", "STRING or INTEGER", …
    """
    folded = " ".join(text.casefold().replace("_", " ").split())
    if folded in _ANYTHING:
        return {}
    return _read(folded) or _read(_ASIDES.sub("", folded).strip(" ,()"))


def _read(text: str) -> Schema | None:
    name = _name(text)
    if name is not None:
        return {"type": name, "items": {}} if name == "array" else {"type": name}
    if _MAP_OF.fullmatch(text):
        return {"type": "object"}
    if _ENUM.fullmatch(text):
        return {"type": "string"}
    listed = _LIST_OF.fullmatch(text)
    parts = _OR.split(text)
    if listed is None and len(parts) > 1:
        return _one_of(parts)
    listed = listed or _LIST_AFTER.fullmatch(text)
    if listed is None:
        return None
    # A list of unknown elements is still a list.
    return {"type": "array", "items": _read(listed[1]) or {}}


def _name(text: str) -> str | None:
    """The type with this name, in the singular or the plural."""
    return NAMES.get(text) or NAMES.get(text.removesuffix("s"))


def _one_of(parts: list[str]) -> Schema | None:
    read = [_read(part) for part in parts]
    known = [part for part in read if part is not None]
    if not known or len(known) < len(read):
        return None
    distinct = [part for place, part in enumerate(known) if part not in known[:place]]
    return distinct[0] if len(distinct) == 1 else {"anyOf": cast("list[JsonValue]", distinct)}


@dataclass(frozen=True, slots=True)
class Default:
    """A default in its parameter's type.

    Attributes:
        given: Whether there is one.
        value: The value, if there is one.
        how: What was changed about it; empty if nothing was.
    """

    given: bool
    value: JsonValue = None
    how: str = ""


def default_of(raw: Any, schema: Schema) -> Default:
    """Convert a default to its type: published ones are often texts, or the word "None".

    Args:
        raw: As published; None means that there is no default.
        schema: The parameter's schema.
    """
    if raw is None:
        return Default(given=False)
    kind = schema.get("type")
    if isinstance(raw, str) and raw.strip().casefold() in _WORDS_FOR_NONE:
        return Default(given=False, how=f"the word {raw!r} means no default")
    if not isinstance(kind, str) or _fits(raw, kind):
        return Default(given=True, value=raw)
    read = _converted(raw, kind)
    if read is None:
        return Default(given=False, how=f"{_short(raw)} is not of type {kind} and was left out")
    return Default(given=True, value=read, how=f"{_short(raw)} was read as {_short(read)}")


def _fits(raw: Any, kind: str) -> bool:
    if isinstance(raw, bool):
        return kind == "boolean"
    kinds: Mapping[str, type | tuple[type, ...]] = {
        "string": str,
        "integer": int,
        "number": (int, float),
        "array": list,
        "object": dict,
    }
    return isinstance(raw, kinds.get(kind, ()))


def _converted(raw: Any, kind: str) -> JsonValue:
    """The value in the other type, or None if it cannot be converted."""
    text = raw.strip() if isinstance(raw, str) else json.dumps(raw)
    if kind == "string":
        return text
    if kind == "boolean":
        return _TRUTH.get(text.casefold())
    try:
        read = decode(text)
    except ValueError:
        return None
    if isinstance(read, float) and read.is_integer() and kind == "integer":
        return int(read)
    return read if _fits(read, kind) else None


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"  # noqa: PLR2004 - enough to recognise it


LISTS = ("required_parameters", "optional_parameters")
"""An absent list is empty."""

CHOICES = ("enum", "options", "choices", "allowed_values")
"""Members in which some parameters list their values."""


def parameters_of(source: Members) -> Schema:
    """Return the schema of a function's arguments; what deviates is entered.

    Args:
        source: The descriptor's entry, or the query's if there is no descriptor.
    """
    properties: dict[str, JsonValue] = {}
    required: list[JsonValue] = []
    for group in LISTS:
        for name, parameter in _parameters(source, group):
            if name in properties:
                source.mended(ToolKind.PARAMETER_TWICE, f"the first {name!r} counts", f"{group}.{name}")
                continue
            properties[name] = property_of(parameter)
            if group == LISTS[0]:
                required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def _parameters(source: Members, group: str) -> Iterator[tuple[str, Members]]:
    """The parameters of one list by name; a bare text counts as a name, anything else is left out."""
    listed = cast("JsonValue", source.get(group))
    if listed is None:
        return
    for number, entry in enumerate(listed if isinstance(listed, list) else [listed]):
        path = f"{group}[{number}]"
        parameter = source.inside(entry if isinstance(entry, dict) else {"name": entry}, path)
        name = parameter.get("name")
        if isinstance(name, str) and name.strip():
            if isinstance(entry, str):
                source.mended(ToolKind.PARAMETER, f"read as the name of a parameter, {entry!r}", path)
            yield name.strip(), parameter
        else:
            source.mended(ToolKind.PARAMETER, "it has no name and was left out", path)


def property_of(parameter: Members) -> Schema:
    """Return the schema of one parameter; what deviates is entered.

    Args:
        parameter: Its members: `type` in free text, `description`, `default`, and perhaps a list of values.
    """
    written = parameter.get("type")
    schema = schema_of(written) if isinstance(written, str) else {} if written is None else None
    if schema is None:
        how = f"{written!r} is an unknown type; any value is allowed"
        parameter.mended(ToolKind.TYPE_UNKNOWN, how, "type")
        schema = {}
    out: Schema = dict(schema)
    description = parameter.get("description")
    if isinstance(description, str) and description.strip():
        out["description"] = description.strip()
    choices = cast(
        "JsonValue", next((parameter.value[key] for key in CHOICES if key in parameter.value), None)
    )
    if isinstance(choices, list) and choices:
        out["enum"] = choices
    default = default_of(parameter.get("default"), schema)
    if default.how:
        parameter.mended(ToolKind.DEFAULT, default.how, "default")
    if default.given:
        out["default"] = default.value
    return out
