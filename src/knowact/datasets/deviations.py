"""Where published files deviate from their own layout, and what was done about it, item by item.

A deviation with a clear meaning is corrected; other faults of an item are noted or exclude it. Anything else
is `BadData`. Each layout's loader brings its own enumeration of kinds, whose values appear in reports.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from knowact.core.errors import Place


class Done(StrEnum):
    """What was done about a deviation."""

    MENDED = "corrected"
    """Read as meant; the item is used."""
    NOTED = "noted"
    """Left unchanged; readers should know."""
    EXCLUDED = "excluded"
    """The item is left out unless you ask for it."""


class DeviationKind(StrEnum):
    """The base of every enumeration of deviations; the values appear in reports."""


class ToolKind(DeviationKind):
    """Deviations in the descriptors of tools, which several layouts share."""

    SPELLING = "member in another spelling"
    TYPE_UNKNOWN = "parameter of an unknown type"
    DEFAULT = "default of another type than its parameter"
    PARAMETER = "parameter that is not an object"
    PARAMETER_TWICE = "parameter listed twice"


@dataclass(frozen=True, slots=True)
class Deviation:
    """One deviation.

    Attributes:
        kind: What deviates.
        place: File, line (of the record) and member.
        how: What was done, or what a reader should know, as a clause.
        item: The item's id; empty for a whole file or a tool.
    """

    kind: DeviationKind
    done: Done
    place: Place
    how: str
    item: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.kind} ({self.done}): {self.how}"


def counted(entries: Iterable[Deviation]) -> Mapping[tuple[DeviationKind, Done], int]:
    """Return how often each kind of deviation occurs, in the order of the enumerations."""
    counts = Counter((entry.kind, entry.done) for entry in entries)
    return {key: counts[key] for key in sorted(counts, key=_rank)}


def _rank(key: tuple[DeviationKind, Done]) -> tuple[str, int, Done]:
    kind, done = key
    return (type(kind).__name__, list(type(kind)).index(kind), done)
