"""Values and calls that published rows hold as text: JSON, Python literals, `Name(key='value', ...)`.

A Python text is parsed to its syntax tree, and the tree is walked; nothing
is ever evaluated. What no tree can be made of, because quotes stand unescaped in quotes (such calls are in
API-Bank), is taken apart at its commas, and marked as loosely read.
"""

import ast
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from knowact.datasets.lines import decode

_JSON_WORDS: Final[Mapping[str, bool | None]] = {"true": True, "false": False, "null": None}
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


class _JsonWords(ast.NodeTransformer):
    """Rows that were put together by hand mix JSON's words into Python's literals."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the value of one of the words."""
        return ast.Constant(_JSON_WORDS[node.id]) if node.id in _JSON_WORDS else node


def _value(node: ast.expr) -> JsonValue:
    """The value of a literal; JSON would hide keys that are no texts, and keys that occur twice."""
    for inner in ast.walk(node):
        keys = [getattr(key, "value", None) for key in inner.keys] if isinstance(inner, ast.Dict) else []
        if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(keys):
            raise ValueError("a key is no text, or occurs twice")
    try:
        text = json.dumps(ast.literal_eval(_JsonWords().visit(node)))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError("it is neither JSON nor a Python literal") from error
    return decode(text)


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
    call = _LOOSE_CALL.fullmatch(text)
    if call is None:
        raise ValueError("it is not a call")
    body = call["body"]
    keys = list(_KEY.finditer(body))
    if body[: keys[0].start() if keys else None].strip():
        raise ValueError("an argument without a name")
    arguments: dict[str, JsonValue] = {}
    while keys:
        key, *keys = keys
        while keys and _open(body[key.end() : keys[0].start()]):
            del keys[0]  # the comma stood inside a quoted text
        if key[1] in arguments:
            raise ValueError(f"two arguments named {key[1]!r}")
        arguments[key[1]] = _loose_value(body[key.end() : keys[0].start() if keys else None].strip())
    return ReadCall(call["name"].strip(), arguments, loose=True)


def _open(piece: str) -> bool:
    """Whether a quoted text has begun and not ended."""
    piece = piece.strip()
    return piece[:1] in _QUOTES and (len(piece) == 1 or piece[-1] != piece[0])


def _loose_value(piece: str) -> JsonValue:
    try:
        return read_value(piece)
    except ValueError:
        return piece[1:-1] if piece[:1] in _QUOTES and not _open(piece) else piece
