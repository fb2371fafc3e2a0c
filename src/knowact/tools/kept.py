"""Files of lines that grow while models are asked: a noun per line, appended, and read again after a kill."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from knowact.core.model import Noun
from knowact.datasets.lines import parse, read_lines

M = TypeVar("M", bound=Noun)


def rows(file: Path, kind: type[M]) -> Iterator[M]:
    """Yield the lines of a file, one at a time; none where there is no such file.

    Raises:
        BadData: A line is of another shape.
    """
    if not file.exists():
        return
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            for row in read_lines(file, line):
                yield parse(kind, replace(row, number=number))


def append(file: Path, noun: Noun) -> None:
    """Append a line."""
    with file.open("a", encoding="utf-8", newline="\n") as out:
        out.write(f"{noun.model_dump_json()}\n")


def mend(file: Path) -> None:
    """Cut off the last line of a file if whoever wrote it was killed in the middle."""
    if not file.exists():
        return
    with file.open("rb+") as lines:
        end = lines.seek(0, os.SEEK_END)
        place = end
        while place > 0:
            place = max(0, place - 65_536)
            lines.seek(place)
            if (last := lines.read(end - place).rfind(b"\n")) >= 0:
                lines.truncate(place + last + 1)
                return
        lines.truncate(0)
