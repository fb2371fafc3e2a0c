"""Valid data with one thing wrong, and what the complaint about it must name."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


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
