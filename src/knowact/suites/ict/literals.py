"""Values and calls that published rows hold as text: JSON, Python literals, `Name(key='value', ...)`.

A Python text is parsed to its syntax tree, and the tree is walked; nothing
is ever evaluated. What no tree can be made of, because quotes stand unescaped in quotes (such calls are in
API-Bank), is taken apart at its commas, and marked as loosely read.
"""

import ast
import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from knowact.datasets.lines import DEEPEST, decode

_JSON_WORDS: Final[Mapping[str, JsonValue]] = {"true": True, "false": False, "null": None}
"""Rows that were put together by hand mix JSON's words into Python's literals."""

_LOOSE_CALL: Final = re.compile(r"\s*\[?\s*(?P<name>[^()\[\]]+?)\s*\((?P<body>.*)\)\s*\]?\s*", re.DOTALL)
_KEY: Final = re.compile(r"(?:^|,)\s*([A-Za-z_]\w*)\s*=(?!=)")
_QUOTES: Final = ("'", '"')


@dataclass(frozen=True, slots=True)
class ReadCall:
    """A call that was read.

    Attributes:
        arguments: By name; where the call was loosely read, what could not be read stays a text.
        loose: Whether it had to be taken apart at its commas.
    """

    tool: str
    arguments: Mapping[str, JsonValue]
    loose: bool = False


def read_value(text: str) -> JsonValue:
    """Return the value of a text that is JSON or a Python literal.

    Raises:
        ValueError: It is neither, carries a name twice, or holds what JSON has no word for.
    """
    try:
        return decode(text)
    except ValueError as not_json:
        try:
            return _value(_parsed(text))
        except ValueError as not_literal:
            # A text quoted as JSON is most likely JSON: report what is wrong with that.
            raise (not_json if '"' in text and "'" not in text else not_literal) from None


def read_calls(text: str) -> tuple[ReadCall, ...]:
    """Return the calls of a text, with or without square brackets around them.

    Raises:
        ValueError: There is none, or an argument has no name.
    """
    try:
        return tuple(_call(node) for node in _members(_parsed(text)))
    except ValueError:
        return (_loose(text),)


def _parsed(text: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            # A backslash before the wrong letter does not concern the user who loads the data.
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("it is neither JSON nor a Python literal") from error


def _value(node: ast.expr, depth: int = 0) -> JsonValue:
    if depth > DEEPEST:
        raise ValueError("it nests too deeply")
    match node:
        case ast.Constant(value=value):
            return _constant(value)
        case ast.Name(id=name) if name in _JSON_WORDS:
            return _JSON_WORDS[name]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return _constant(-number)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_value(part, depth + 1) for part in parts]
        case ast.Dict(keys=keys, values=values):
            return dict(_pairs(keys, values, depth))
        case _:
            raise ValueError("it is neither JSON nor a Python literal")


def _pairs(
    keys: Sequence[ast.expr | None], values: Sequence[ast.expr], depth: int
) -> Iterator[tuple[str, JsonValue]]:
    seen: set[str] = set()
    for key, value in zip(keys, values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            raise ValueError("a key that is not text")  # noqa: TRY004 - about the text, not about a type
        if key.value in seen:
            raise ValueError(f"the field {key.value!r} occurs twice")
        seen.add(key.value)
        yield key.value, _value(value, depth + 1)


def _constant(value: object) -> JsonValue:
    if isinstance(value, str):
        if any("\ud800" <= sign <= "\udfff" for sign in value):
            raise ValueError("it holds half of a surrogate pair")
        return value
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise ValueError(f"{value!r} does not exist in JSON")


def _members(node: ast.expr) -> Sequence[ast.Call]:
    """The calls of an expression; anything else in it is a `ValueError`."""
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
    calls = [part for part in parts if isinstance(part, ast.Call)]
    if not calls or len(calls) < len(parts):
        raise ValueError("it is not a call")
    return calls


def _call(node: ast.Call) -> ReadCall:
    arguments: dict[str, JsonValue] = {}
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg in arguments:
            raise ValueError("an argument without a name, or two of one name")
        arguments[keyword.arg] = _value(keyword.value)
    if node.args:
        raise ValueError("an argument without a name")
    return ReadCall(_dotted(node.func), arguments)


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise ValueError("it is not a call")  # noqa: TRY004 - about the text, not about a type
    return ".".join((node.id, *reversed(parts)))


def _loose(text: str) -> ReadCall:
    """Read one call with quotes in quotes: an argument begins behind a comma, with a name and `=`."""
    found = _LOOSE_CALL.fullmatch(text)
    if found is None:
        raise ValueError("it is not a call")
    body = found["body"]
    starts = list(_KEY.finditer(body))
    if body.strip() and (not starts or body[: starts[0].start()].strip()):
        raise ValueError("an argument without a name")
    arguments: dict[str, JsonValue] = {}
    place = 0
    while place < len(starts):
        end = place + 1
        while end < len(starts) and _open(body[starts[place].end() : starts[end].start()]):
            end += 1  # the comma stood inside a quoted text
        stop = starts[end].start() if end < len(starts) else len(body)
        name = starts[place][1]
        if name in arguments:
            raise ValueError(f"two arguments named {name!r}")
        arguments[name] = _loose_value(body[starts[place].end() : stop].strip())
        place = end
    return ReadCall(found["name"].strip(), arguments, loose=True)


def _open(piece: str) -> bool:
    """Whether a quoted text has begun and not ended."""
    piece = piece.strip()
    return piece[:1] in _QUOTES and (len(piece) == 1 or piece[-1] != piece[0])


def _loose_value(piece: str) -> JsonValue:
    try:
        return read_value(piece)
    except ValueError:
        return piece[1:-1] if piece[:1] in _QUOTES and not _open(piece) else piece
