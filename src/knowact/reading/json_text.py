"""JSON in prose: a tolerant parser that finds the objects in what a model wrote.

It accepts what people and models write for JSON: comments, trailing or missing commas, single and
typographic quotes, Python's literals, bare words, raw line breaks and inner quotes in strings, a cut-off
end, doubled keys. It reads the text once, from left to right, and never goes back: what cannot belong to
the structure ends the structure, and the search for the next one goes on at that very place. So the time
is linear in the length of the text, whatever the text is.
"""

import html
import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Union, cast

from knowact.reading.thoughts import without_thoughts

DEEPEST = 64
"""Deeper nesting than this is given up: no honest reply needs more than four levels, and the readers
that walk through the result may then recurse."""

LONGEST_REPLY = 100_000
"""Characters of a reply in a role that are looked at: a megabyte of braces would hold up everybody else."""

LONGEST_NUMBER = 300
"""Digits beyond this are noise, and Python refuses to convert thousands of them."""


@dataclass(frozen=True, slots=True)
class JsonObject:
    """An object as it was written: its members in order, doubled keys included."""

    members: tuple[tuple[str, "JsonItem"], ...]


@dataclass(frozen=True, slots=True)
class JsonArray:
    """An array, tuple brackets included."""

    items: tuple["JsonItem", ...]


JsonItem = Union[None, bool, int, float, str, JsonObject, JsonArray]  # noqa: UP007 - forward references


@dataclass(frozen=True, slots=True)
class FoundJson:
    """One outermost object or array.

    Attributes:
        value: What could be read of it.
        start: Where it begins in the text.
        end: Where it ends.
        complete: Whether it was closed. If not, the text ended (`partial`) or something stood in it that
            does not belong there (`malformed`).
        notes: Short codes of everything that strict JSON would not allow, sorted: `fenced`, `commented`,
            `trailing_comma`, `missing_comma`, `single_quotes`, `smart_quotes`, `bareword`,
            `python_literal`, `raw_newline`, `inner_quote`, `partial`, `malformed`, `too_deep`, `html`,
            `escaped`.
    """

    value: JsonObject | JsonArray
    start: int
    end: int
    complete: bool
    notes: tuple[str, ...]


def find_json(text: str) -> tuple[FoundJson, ...]:
    """Find every outermost JSON object, and every array that begins with one, in order.

    Thoughts (`<think>…</think>`) are skipped. If the text has no readable object but looks like JSON
    escaped for HTML or for a string, it is unescaped once and read again.
    """
    text = without_thoughts(text).translate(_FULL_WIDTH)
    # Behind the last end no comment can end, and looking for one from each beginning takes its time.
    last = text.rfind("-->") + len("-->")
    text = _COMMENTED_OUT.sub(_blanks, text[:last]) + text[last:]
    structures = tuple(_Parser(text).run())
    if any(structure.complete for structure in structures):
        return structures
    for note, marker, unescape in (("html", "&quot;", html.unescape), ("escaped", '\\"', _unescaped)):
        if marker in text:
            again = tuple(_Parser(unescape(text), extra_note=note).run())
            if any(structure.complete for structure in again):
                return again
    return structures


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\n", "\n")


_FULL_WIDTH = str.maketrans("\uff5b\uff5d\uff3b\uff3d\uff1a\uff0c\uff02", '{}[]:,"')
_COMMENTED_OUT = re.compile(r"<!--.*?-->", re.DOTALL)
_SINGLE = "'\u2018\u2019\u201a\u201b`"
_DOUBLE = '"\u201c\u201d\u201e\u201f\u00ab\u00bb'
_CLOSERS = {
    '"': re.compile(r'[\\"]'),
    "'": re.compile(r"[\\']"),
    "`": re.compile(r"[\\`]"),
    **dict.fromkeys(_DOUBLE[1:], re.compile(rf"[\\{_DOUBLE}]")),
    **dict.fromkeys(_SINGLE[1:5], re.compile("[\\\\'\u2018\u2019\u201b]")),
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_SKIP = re.compile(r"[\s\ufeff\u200b\u2060]*")
_COMMENT = re.compile(r"//[^\n]*|\#[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_ROOT = re.compile(r"\{|\[(?=\s*\{)")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.%])")
_COLON = re.compile(r":=|=>|:|=")
_KEY = re.compile(r"[^\W\d][\w.-]*(?:::?[\w.-]+(?=\s*[:=]))*")
_WORDS = re.compile(r"[^\W\d][\w \t'-]*|[✅❌✓✗✔✘☑]\ufe0f?")
_AFTER_STRING = re.compile(r"\s*(?:[,:=}\]]|//|\#|/\*|\Z)|[ \t]*\r?\n\s*[\"'\u201c`}\]]")
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_HALF = re.compile("[\ud800-\udfff]")
_FENCE = re.compile(r"```|~~~")
_LITERALS: dict[str, bool | None] = {
    "true": True,
    "false": False,
    "null": None,
    "none": None,
    "nil": None,
    "undefined": None,
    "nan": None,
}


def _joined_pairs(string: str) -> str:
    """Join the two halves of characters that were escaped as UTF-16; a lone half is replaced."""
    if not _HALF.search(string):
        return string
    return string.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class _Due(Enum):
    """What the innermost open structure waits for."""

    KEY = auto()
    COLON = auto()
    VALUE = auto()
    COMMA = auto()


@dataclass(slots=True)
class _Frame:
    """A structure that is still open."""

    is_object: bool
    due: _Due
    keys: list[str] = field(default_factory=list[str])
    values: list[JsonItem] = field(default_factory=list[JsonItem])

    def closed(self) -> JsonObject | JsonArray:
        """What has been read of it; a key that still waits for its value falls away."""
        if self.is_object:
            return JsonObject(tuple(zip(self.keys, self.values, strict=False)))
        return JsonArray(tuple(self.values))

    def take(self, value: JsonItem) -> None:
        self.values.append(value)
        self.due = _Due.COMMA


class _Parser:
    """One pass over one text."""

    def __init__(self, text: str, extra_note: str = "") -> None:
        self.text = text
        self.position = 0
        self.start = 0
        self.frames: list[_Frame] = []
        self.notes: set[str] = set()
        self.extra_note = extra_note
        self.fences = [match.start() for match in _FENCE.finditer(text)]

    def run(self) -> Iterator[FoundJson]:
        """Yield the outermost structures in order."""
        while True:
            if not self.frames:
                opening = _ROOT.search(self.text, self.position)
                if opening is None:
                    return
                self.start = self.position = opening.start()
                self.notes = {self.extra_note} - {""}
                self._open()
                continue
            self._skip_blanks()
            if self.position >= len(self.text):
                yield from self._abandon("partial")
                return
            finished = self._step()
            if isinstance(finished, str):
                yield from self._abandon(finished)
            elif finished is not None:
                yield self._found(finished, complete=True)

    def _step(self) -> JsonObject | JsonArray | str | None:
        """Read one token.

        Returns the outermost structure when it is complete, the code of what is wrong, or nothing.
        """
        character = self.text[self.position]
        top = self.frames[-1]
        if character in "}]":
            return self._close(character, top)
        if character == ",":
            return self._comma(top)
        if top.due is _Due.COLON:
            colon = _COLON.match(self.text, self.position)
            if colon is not None:
                self.position = colon.end()
                top.due = _Due.VALUE
                return None
            return "malformed"
        if character in "{[(" and not (character == "(" and top.due is not _Due.VALUE):
            return self._nest(top)
        if top.due is _Due.COMMA:
            self.notes.add("missing_comma")
            top.due = _Due.KEY if top.is_object else _Due.VALUE
        return self._key(top) if top.due is _Due.KEY else self._value(top)

    def _skip_blanks(self) -> None:
        while True:
            blanks = _SKIP.match(self.text, self.position)
            self.position = blanks.end() if blanks else self.position
            comment = _COMMENT.match(self.text, self.position)
            if comment is None:
                return
            self.notes.add("commented")
            self.position = comment.end()

    def _open(self) -> None:
        is_object = self.text[self.position] == "{"
        self.frames.append(_Frame(is_object, _Due.KEY if is_object else _Due.VALUE))
        self.position += 1

    def _nest(self, top: _Frame) -> str | None:
        if top.due is _Due.COMMA and not top.is_object:
            self.notes.add("missing_comma")
        elif top.due is not _Due.VALUE:
            return "malformed"
        if len(self.frames) >= DEEPEST:
            return "too_deep"
        self._open()
        return None

    def _close(self, character: str, top: _Frame) -> JsonObject | JsonArray | str | None:
        if (character == "}") != top.is_object or top.due is _Due.COLON:
            return "malformed"
        if top.due is _Due.VALUE and top.is_object:
            return "malformed"
        if top.due is not _Due.COMMA and top.values:
            self.notes.add("trailing_comma")
        self.position += 1
        value = self.frames.pop().closed()
        if not self.frames:
            return value
        self.frames[-1].take(value)
        return None

    def _comma(self, top: _Frame) -> str | None:
        if top.due is not _Due.COMMA:
            return "malformed"
        self.position += 1
        top.due = _Due.KEY if top.is_object else _Due.VALUE
        return None

    def _key(self, top: _Frame) -> str | None:
        if self.text[self.position] in _CLOSERS:
            key = self._string()
        else:
            word = _KEY.match(self.text, self.position)
            if word is None:
                return "malformed"
            self.notes.add("bareword")
            self.position, key = word.end(), word[0]
        if key is None:
            return "partial"
        top.keys.append(key)
        top.due = _Due.COLON
        return None

    def _value(self, top: _Frame) -> str | None:
        if self.text[self.position] in _CLOSERS:
            string = self._string()
            if string is None:
                return "partial"
            top.take(string)
            return None
        number = _NUMBER.match(self.text, self.position)
        if number is not None and len(number[0]) <= LONGEST_NUMBER:
            self.position = number.end()
            if self.position < len(self.text):  # at the very end a digit may be missing
                top.take(float(number[0]) if not number[0].lstrip("+-").isdecimal() else int(number[0]))
            return None
        return self._words(top)

    def _words(self, top: _Frame) -> str | None:
        words = _WORDS.match(self.text, self.position)
        if words is None:
            return "malformed"
        self.position = words.end()
        word = words[0].rstrip()
        if word.lower() in _LITERALS:
            if word not in {"true", "false", "null"}:
                self.notes.add("python_literal")
            top.take(_LITERALS[word.lower()])
        elif self.position < len(self.text):  # at the very end the word may be cut
            self.notes.add("bareword")
            top.take(word)
        return None

    def _string(self) -> str | None:
        """Read a string from its opening quote; None when the text ends in it."""
        quote = self.text[self.position]
        if quote != '"':
            self.notes.add("single_quotes" if quote in "'`" else "smart_quotes")
        closers, parts, begin = _CLOSERS[quote], list[str](), self.position + 1
        while (hit := closers.search(self.text, begin)) is not None:
            parts.append(self.text[begin : hit.start()])
            if "\n" in parts[-1]:
                self.notes.add("raw_newline")
            if hit[0] == "\\":
                piece, begin = self._escape(hit.end())
                parts.append(piece)
                continue
            begin = hit.end()
            if _AFTER_STRING.match(self.text, begin):
                self.position = begin
                return _joined_pairs("".join(parts))
            self.notes.add("inner_quote")
            parts.append(hit[0])
        self.position = len(self.text)
        return None

    def _escape(self, position: int) -> tuple[str, int]:
        """Read what follows a backslash; an unknown escape stands for itself."""
        if position >= len(self.text):
            return "", position
        code = self.text[position]
        if code == "u" and (digits := _HEX.match(self.text, position + 1)):
            return chr(int(digits[0], 16)), digits.end()
        return _ESCAPES.get(code, code), position + 1

    def _abandon(self, why: str) -> Iterator[FoundJson]:
        """Give up the open structures, keep what they held."""
        self.notes.add(why)
        value = self.frames.pop().closed()
        while self.frames:
            self.frames[-1].take(value)
            value = self.frames.pop().closed()
        held = value.members if isinstance(value, JsonObject) else value.items
        if held:
            yield self._found(value, complete=False)

    def _found(self, value: JsonObject | JsonArray, *, complete: bool) -> FoundJson:
        if bisect_left(self.fences, self.start) % 2:
            self.notes.add("fenced")
        return FoundJson(value, self.start, self.position, complete, tuple(sorted(self.notes)))


def last_object(text: str, *, whole: bool = False) -> dict[str, Any] | None:
    """The last JSON object of a reply as Python has it; None where there is none, or it is too long.

    Args:
        text: The reply.
        whole: Whether only an object that was closed counts: of one that was cut off, what is missing would
            pass for what was left out.
    """
    if len(text) > LONGEST_REPLY:
        return None
    try:
        plain: object = json.loads(text)
    except (ValueError, RecursionError):
        plain = None
    if isinstance(plain, dict):
        return cast("dict[str, Any]", plain)
    objects = [
        structure.value
        for structure in find_json(text)
        if isinstance(structure.value, JsonObject) and (structure.complete or not whole)
    ]
    return cast("dict[str, Any]", as_python(objects[-1])) if objects else None


def as_python(item: JsonItem) -> object:
    """What was found, as Python has it; of doubled keys the last one stands."""
    if isinstance(item, JsonObject):
        return {name: as_python(value) for name, value in item.members}
    if isinstance(item, JsonArray):
        return [as_python(value) for value in item.items]
    return item
