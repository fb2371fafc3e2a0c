"""The free text that published parameters call their type, as JSON Schema.

Spec fail-talms.md, sections 2.6 and 10: there are some thirty spellings in any letter case, of which the
published pipelines know six and turn all others, FLOAT and INT included, into texts.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from pydantic import JsonValue

from knowact.datasets.lines import decode

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
"""Words for types, folded; all that JSON Schema has come out of them."""

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
    """Return the schema of a type as published data write it, or None where it says no type we know.

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
    # A list whose elements nobody can read is a list all the same.
    return {"type": "array", "items": _read(listed[1]) or {}}


def _name(text: str) -> str | None:
    """The type that a word names, in the singular or the plural."""
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
    """A default as its parameter's type has it.

    Attributes:
        given: Whether there is one.
        value: The value, where there is one.
        how: What was changed about it; empty where nothing was.
    """

    given: bool
    value: JsonValue = None
    how: str = ""


def default_of(raw: Any, schema: Schema) -> Default:
    """Return a default that fits its type: published ones are often texts, or the word "None".

    Args:
        raw: As published; None says that there is no default.
        schema: The parameter's schema.
    """
    if raw is None:
        return Default(given=False)
    kind = schema.get("type")
    if isinstance(raw, str) and raw.strip().casefold() in _WORDS_FOR_NONE:
        return Default(given=False, how=f"the word {raw!r} says that there is none")
    if not isinstance(kind, str) or _fits(raw, kind):
        return Default(given=True, value=raw)
    read = _converted(raw, kind)
    if read is None:
        return Default(given=False, how=f"{_short(raw)} is no {kind} and was left out")
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
    """The value in the other type, or None where there is no way."""
    text = raw.strip() if isinstance(raw, str) else json.dumps(raw)
    if kind == "string":
        return text
    if kind == "boolean":
        return _TRUTH.get(text.casefold())
    try:
        read: Any = decode(text)
    except ValueError:
        return None
    if isinstance(read, float) and read.is_integer() and kind == "integer":
        return int(read)
    return read if _fits(read, kind) else None


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"  # noqa: PLR2004 - enough to recognise it
