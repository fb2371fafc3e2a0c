"""Published JSON files, read as their own scripts read them, and every row with its line.

The files were written and read by Python's `json`, which lets through what JSON does not have (NaN, a
member twice, half of a surrogate pair). Such things are mended and entered; what `json` refuses is an error
with file and line.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from knowact.core.errors import BadData, Place
from knowact.datasets.deviations import Ledger
from knowact.datasets.lines import Line
from knowact.suites.fail_talms.layout import Kind

_BLANK = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_FIX = "make the file a JSON list of objects"


def read_rows(file: Path, ledger: Ledger) -> tuple[Line, ...]:
    """Return the objects of a file that holds a list of them; the line is where each begins.

    A file that holds one bare object is taken for a list of one.

    Raises:
        BadData: The file cannot be read, is not UTF-8 or no JSON, or holds something else.
    """
    rows: list[Line] = []
    for number, value in _Reader(file, _text(file), ledger).elements():
        if not isinstance(value, dict):
            raise BadData("this row is not a JSON object", Place(file, number), "make each row an object")
        rows.append(Line(file, number, cast("dict[str, Any]", value)))
    return tuple(rows)


def read_one(file: Path, ledger: Ledger) -> Line:
    """Return the only object of a file.

    Raises:
        BadData: As for `read_rows`, or the file holds none or several.
    """
    rows = read_rows(file, ledger)
    if len(rows) != 1:
        what = f"the file holds {len(rows) or 'no'} rows instead of one"
        raise BadData(what, Place(file, rows[1].number if rows else 1), "put one query into each file")
    return rows[0]


def _text(file: Path) -> str:
    try:
        raw = file.read_bytes()
    except OSError as error:
        why = error.strerror or "it cannot be read"
        raise BadData(f"the file cannot be read ({why})", Place(file), "check the path") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BadData("this is not UTF-8 text", Place(file, line), "save the file as UTF-8") from error


class _Reader:
    """Walks over the top level of one file; `line` is where the current element begins."""

    def __init__(self, file: Path, text: str, ledger: Ledger) -> None:
        self.file, self.text, self.ledger = file, text, ledger
        self.decoder = json.JSONDecoder(object_pairs_hook=self._once, parse_constant=self._constant)
        self.line = 1
        self._counted = 0

    def elements(self) -> Iterator[tuple[int, Any]]:
        """Yield line and value of every element, then make sure that nothing follows."""
        at = self._past_blank(0)
        if self._sign(at) == "{":
            self.ledger.mended(Kind.NOT_A_LIST, self._place(at), "taken for a list of one")
            value, at = self._value(at)
            yield self.line, value
        elif self._sign(at) == "[":
            at = self._past_blank(at + 1)
            more = self._sign(at) != "]"
            while more:
                value, at = self._value(at)
                yield self.line, value
                at = self._past_blank(at)
                if self._sign(at) not in (",", "]"):
                    raise self._broken(at, "a comma or the list's end is missing")
                more = self._sign(at) == ","
                at = self._past_blank(at + 1) if more else at
            at += 1
        else:
            raise self._broken(at, "it is not a list")
        if self._past_blank(at) < len(self.text):
            raise self._broken(self._past_blank(at), "something follows the list")

    def _sign(self, at: int) -> str:
        return self.text[at : at + 1]

    def _value(self, at: int) -> tuple[Any, int]:
        self._place(at)
        try:
            value, end = self.decoder.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            raise self._broken(error.pos, error.msg.lower()) from error
        except (ValueError, RecursionError) as error:
            raise self._broken(at, "a number is too long, or it nests too deeply") from error
        if _SURROGATE.search(self.text, at, end):
            value = self._whole(value)
        return value, end

    def _whole(self, value: Any) -> Any:
        """Replace halves of surrogate pairs, which no UTF-8 file can carry."""
        text = json.dumps(value, ensure_ascii=False)
        clean = text.encode("utf-8", "replace").decode()
        if clean != text:
            place = Place(self.file, self.line)
            self.ledger.mended(Kind.NO_JSON_VALUE, place, "half of a surrogate pair became '?'")
        return json.loads(clean)

    def _once(self, pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            self.ledger.mended(Kind.DUPLICATE_NAME, Place(self.file, self.line, twice), "the last one counts")
        return found

    def _constant(self, name: str) -> None:
        self.ledger.mended(Kind.NO_JSON_VALUE, Place(self.file, self.line), f"{name} became null")

    def _past_blank(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def _place(self, at: int) -> Place:
        """Where a position is; positions are asked for in rising order."""
        self.line += self.text.count("\n", self._counted, at)
        self._counted = max(self._counted, at)
        return Place(self.file, self.line)

    def _broken(self, at: int, why: str) -> BadData:
        if at >= len(self.text.rstrip()) or "unterminated" in why:
            return BadData("the file is cut off", self._place(at), f"restore its end, and {_FIX}")
        return BadData(f"the file does not have the expected layout ({why})", self._place(at), _FIX)
