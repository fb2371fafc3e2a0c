"""Values that JSON and UTF-8 can carry.

What a model wrote may hold half of a surrogate pair, which no UTF-8 file can carry; a suite's option
may be any object; a number may be NaN. None of that may stop a report, and none may change its shape.
"""

import json
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, TypeAlias, cast

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""What `plain` and `dumps` write as it is, but for NaN and halves of surrogate pairs."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def text(value: object) -> str:
    """Return the value as text, with U+FFFD for each half of a surrogate pair."""
    shown = str(value)
    return shown if shown.isascii() else _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", shown)


def one_line(value: object) -> str:
    """Return the value as a terminal may show it: no character that moves the cursor or hides others.

    Control and format characters and line separators become U+FFFD.
    """
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(sign) in {"Cc", "Cf", "Zl", "Zp"} else sign
        for sign in text(value)
    )


def lines(value: object) -> list[str]:
    """Return the lines of a text as a terminal may show them; a tab becomes a space."""
    whole = text(value).replace("\r\n", "\n").replace("\t", " ")
    return [one_line(line) for line in whole.split("\n")]


def plain(value: object) -> Any:
    """Return the value as JSON has it: NaN and infinities become null, unknown objects their text."""
    if isinstance(value, str):  # first, being by far the most frequent
        return text(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict | Mapping):  # naming dict saves the slow look-up of the abstract class
        return {text(key): plain(inner) for key, inner in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple | Sequence) and not isinstance(value, bytes):
        return [plain(inner) for inner in cast("Sequence[object]", value)]
    if isinstance(value, AbstractSet):
        return sorted(text(inner) for inner in cast("AbstractSet[object]", value))
    return text(value)


def dumps(value: object, *, indent: int | None = None) -> str:
    """Return strict JSON (no NaN) with characters as they are."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=indent)


def append_line(file: Path, line: str) -> None:
    """Add a line to a file; what a kill has torn off before it stays a line of its own."""
    with file.open("ab+") as out:
        size = out.seek(0, 2)
        out.seek(max(0, size - 1))
        torn = size > 0 and out.read(1) != b"\n"
        out.write(f"{chr(10) if torn else ''}{line}\n".encode())
