"""Valid data with one thing wrong, and what the complaint about it must name."""

import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Bad:
    """One mutation.

    `write` makes the folder, `where` is the place in it as the complaint spells it (file, line, field),
    `said` a part of what is said to be wrong.
    """

    id: str
    write: Callable[[Path], object]
    where: str
    said: str


def at(name: str, field: str = "", line: int = 1) -> str:
    """The place of a line, or of a field of it, in a JSONL file, as complaints spell it."""
    return f"{name}.jsonl:{line}" + (f", field {field!r}" if field else "")


def spoilt(log: Path, part: str, change: Callable[[Any], object]) -> Path:
    """The log with the JSON of one of its parts changed."""
    with zipfile.ZipFile(log) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for name, content in list(parts.items()):
        if name == part or (part.endswith("/") and name.startswith(part)):
            value = json.loads(content)
            change(value)
            parts[name] = json.dumps(value).encode()
    with zipfile.ZipFile(log, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return log
