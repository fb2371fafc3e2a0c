"""JSON of strangers, of which nothing is certain: objects wherever they stand, values however they are put.

A release's rows may stand in a list, by split in an object, wrapped once more, or one to a line, and any
value may be JSON text. So rows are found by descending through lists, objects and texts alike. `lines` is for
data of ours, and strict.

`unpacked` and the functions after it take any value; of another kind, each gives an empty one.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import JsonValue

from knowact.core import clean
from knowact.core.errors import BadData, Place
from knowact.datasets.lines import DEEPEST, depth, read_lines, read_text

_ENDINGS: Final = (".json", ".jsonl", ".ndjson")


def unpacked(value: JsonValue) -> Any:
    """Return a value that may stand there as JSON text.

    A text stays one that is no JSON, nests deeper than anything real, or holds a number beyond all measure.
    """
    if not isinstance(value, str):
        return value
    try:
        return _decoded(value)
    except (ValueError, RecursionError):
        return value


def _decoded(text: str) -> JsonValue:
    """A value as Python writes it: with NaN, for one, which becomes null."""
    value = json.loads(text, parse_constant=lambda _: None)
    if text.count("[") + text.count("{") > DEEPEST and depth(value) > DEEPEST:
        raise ValueError("it nests too deeply")
    # Half of a surrogate pair, spelt out, is what no record of ours can hold.
    return clean.plain(value) if "\\u" in text else value


def members(value: Any) -> Mapping[str, Any]:
    """Return an object, which may stand there as text."""
    inside: JsonValue = unpacked(value)
    return inside if isinstance(inside, dict) else {}


def items(value: Any) -> list[Any]:
    """Return a list, which may stand there as text."""
    inside: JsonValue = unpacked(value)
    return inside if isinstance(inside, list) else []


def number(value: JsonValue) -> float | None:
    """Return a number; None where there is none, or none that can be reckoned with."""
    inside: JsonValue = unpacked(value)
    try:
        return float(inside) if isinstance(inside, int | float) and math.isfinite(inside) else None
    except OverflowError:
        return None


def words(value: JsonValue) -> str:
    """Return what a message says: a text, or the texts of its parts; any other value as JSON."""
    if isinstance(value, dict):
        text = value.get("text")
        return text if isinstance(text, str) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "\n".join(map(words, value))
    return "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Found:
    """An object of a file.

    Attributes:
        row: Its fields.
        file: Where it stands.
        line: Its line, in JSON Lines.
        keys: The names and numbers (from 0) that lead to it, from the outside in.
        above: The objects that it stands in, likewise.
    """

    row: Mapping[str, Any]
    file: Path
    line: int | None = None
    keys: tuple[str, ...] = ()
    above: tuple[Mapping[str, Any], ...] = ()

    @property
    def spot(self) -> str:
        """Where it stands in its file or line: "record 4", or the dotted way; empty if it is the line."""
        if not self.keys and self.line is None:
            return "record 1"
        alone = len(self.keys) == 1 and self.keys[0].isdigit()
        return f"record {int(self.keys[0]) + 1}" if alone else ".".join(self.keys)

    @property
    def around(self) -> tuple[str, ...]:
        """What might say of what kind it is: the keys, the nearest first, the file, and its folder."""
        return (*reversed(self.keys), self.file.stem, self.file.resolve().parent.name)

    @property
    def place(self) -> Place:
        """The same with file and line."""
        return Place(self.file, self.line, self.spot or None)


def files_at(path: Path) -> list[Path]:
    """Return a file itself, or all JSON files below a folder.

    Raises:
        BadData: There is no such path.
    """
    if not path.exists():
        raise BadData("there is no such file or folder", Place(path), "check the path")
    return [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.suffix.lower() in _ENDINGS)


def objects(file: Path, wanted: Callable[[Mapping[str, Any]], bool]) -> Iterator[Found]:
    """Yield the outermost objects of a kind.

    Raises:
        BadData: The file is neither JSON nor JSON Lines.
    """
    for line, value in _values(file):
        yield from _below(Found({}, file, line), value, wanted)


def _values(file: Path) -> list[tuple[int | None, JsonValue]]:
    text = read_text(file)
    try:
        return [(None, _decoded(text))]
    except (ValueError, RecursionError):
        lines = enumerate(text.split("\n"), start=1)
    try:
        return [(number, _decoded(line)) for number, line in lines if line.strip()]
    except (ValueError, RecursionError):
        # It is neither: this reader says what is wrong where.
        return [(line.number, dict(line.value)) for line in read_lines(file, text)]


def _below(at: Found, value: JsonValue, wanted: Callable[[Mapping[str, Any]], bool]) -> Iterator[Found]:
    if isinstance(value, str) and value.lstrip()[:1] in {"[", "{"}:
        value = unpacked(value)
    if isinstance(value, dict) and wanted(value):
        yield Found(value, at.file, at.line, at.keys, at.above)
        return
    inside: Iterable[tuple[str | int, JsonValue]] = ()
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
    above = (*at.above, value) if isinstance(value, dict) else at.above
    for key, inner in inside:
        yield from _below(Found({}, at.file, at.line, (*at.keys, str(key)), above), inner, wanted)
