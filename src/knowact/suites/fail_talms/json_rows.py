"""Published JSON files, read as their own scripts read them, and every row with its line.

The files were written and read by Python's `json`, which lets through what JSON does not have (NaN, a
member twice, half of a surrogate pair). Such things are mended and entered; what `json` refuses is an error
with file and line.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from knowact.core.errors import BadData, Place
from knowact.datasets.deviations import Deviation, Done
from knowact.datasets.lines import Line, read_text
from knowact.suites.fail_talms.layout import Kind

_BLANK = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_FIX = "make the file a JSON list of objects"


def read_rows(file: Path, deviations: list[Deviation]) -> tuple[Line, ...]:
    """Return the objects of a file that holds a list of them; the line is where each begins.

    A file that holds one bare object is taken for a list of one.

    Raises:
        BadData: The file cannot be read, is not UTF-8 or no JSON, or holds something else.
    """
    return tuple(_Reader(file, read_text(file), deviations).rows())


def read_one(file: Path, deviations: list[Deviation]) -> Line:
    """Return the only object of a file.

    Raises:
        BadData: As for `read_rows`, or the file holds none or several.
    """
    rows = read_rows(file, deviations)
    if len(rows) != 1:
        what = f"the file holds {len(rows) or 'no'} rows instead of one"
        raise BadData(what, Place(file, rows[1].number if rows else 1), "put one query into each file")
    return rows[0]


class _Reader:
    """Walks over the top level of one file; `line` is where the current element begins."""

    def __init__(self, file: Path, text: str, deviations: list[Deviation]) -> None:
        self.file, self.text, self.deviations = file, text, deviations
        self.decoder = json.JSONDecoder(object_pairs_hook=self._once, parse_constant=self._constant)
        self.line = 1
        self._counted = 0

    def rows(self) -> list[Line]:
        """Return every element, and make sure that each is an object and that nothing follows."""
        at = self._past_blank(0)
        sign = self.text[at : at + 1]
        if sign == "{":
            self._mended(Kind.NOT_A_LIST, "taken for a list of one", at=at)
            row, end = self._row(at)
            rows = [row]
        elif sign == "[":
            rows, end = self._listed(self._past_blank(at + 1))
        else:
            raise self._broken(at, "it is not a list")
        if self._past_blank(end) < len(self.text):
            raise self._broken(self._past_blank(end), "something follows the list")
        return rows

    def _listed(self, at: int) -> tuple[list[Line], int]:
        rows: list[Line] = []
        more = self.text[at : at + 1] != "]"
        while more:
            row, at = self._row(at)
            rows.append(row)
            at = self._past_blank(at)
            if not self.text.startswith((",", "]"), at):
                raise self._broken(at, "a comma or the list's end is missing")
            more = self.text[at] == ","
            at = self._past_blank(at + 1) if more else at
        return rows, at + 1

    def _row(self, at: int) -> tuple[Line, int]:
        self._reach(at)
        try:
            value, end = self.decoder.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            raise self._broken(error.pos, error.msg.lower()) from error
        except (ValueError, RecursionError) as error:
            raise self._broken(at, "a number is too long, or it nests too deeply") from error
        if not isinstance(value, dict):
            raise BadData(
                "this row is not a JSON object", Place(self.file, self.line), "make each row an object"
            )
        if _SURROGATE.search(self.text, at, end):
            text = json.dumps(value, ensure_ascii=False)
            value = json.loads(clean := text.encode("utf-8", "replace").decode())
            if clean != text:
                self._mended(Kind.NO_JSON_VALUE, "half of a surrogate pair became '?'")
        return Line(self.file, self.line, cast("dict[str, Any]", value)), end

    def _once(self, pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
        row = dict(pairs)
        if len(row) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            self._mended(Kind.DUPLICATE_NAME, "the last one counts", twice)
        return row

    def _constant(self, name: str) -> None:
        self._mended(Kind.NO_JSON_VALUE, f"{name} became null")

    def _mended(self, kind: Kind, how: str, field: str | None = None, at: int = 0) -> None:
        self._reach(at)
        self.deviations.append(Deviation(kind, Done.MENDED, Place(self.file, self.line, field), how))

    def _past_blank(self, at: int) -> int:
        blank = _BLANK.match(self.text, at)
        return blank.end() if blank else at

    def _reach(self, at: int) -> None:
        """Count the lines up to a position; positions are asked for in rising order."""
        self.line += self.text.count("\n", self._counted, at)
        self._counted = max(self._counted, at)

    def _broken(self, at: int, why: str) -> BadData:
        cut_off = at >= len(self.text.rstrip()) or "unterminated" in why
        self._reach(at)
        if cut_off:
            return BadData("the file is cut off", Place(self.file, self.line), f"restore its end, and {_FIX}")
        what = f"the file does not have the expected layout ({why})"
        return BadData(what, Place(self.file, self.line), _FIX)
