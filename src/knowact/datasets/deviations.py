"""Where published files depart from their own layout, and what was done about it, item by item.

What can be understood is mended, what is wrong with an item is noted or excludes it; nothing of that is
silent. What can't be understood is `BadData` instead. Which departures there are is each layout's own
business: its loader brings an enumeration of kinds, whose values are what reports say.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from knowact.core.errors import Place


class Done(StrEnum):
    """What became of it."""

    MENDED = "mended"
    """Read as it was meant; the item is as good as any."""
    NOTED = "noted"
    """Nothing could be or needed to be changed; a reader should know."""
    EXCLUDED = "excluded"
    """The item is left out unless it is asked for."""


class DeviationKind(StrEnum):
    """The base of every enumeration of departures; the values are what reports say."""


class ToolKind(DeviationKind):
    """Departures in the descriptors of tools, which several layouts share."""

    SPELLING = "member in another spelling"
    TYPE_UNKNOWN = "parameter of an unknown type"
    DEFAULT = "default of another type than its parameter"
    PARAMETER = "parameter that is no object"
    PARAMETER_TWICE = "parameter listed twice"


@dataclass(frozen=True, slots=True)
class Deviation:
    """One departure.

    Attributes:
        kind: What departs.
        place: File, line (of the record) and member.
        how: What was done, or what a reader should know, as a clause.
        item: The item's id; empty where it concerns a whole file or a tool.
    """

    kind: DeviationKind
    done: Done
    place: Place
    how: str
    item: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.kind} ({self.done}): {self.how}"


@dataclass(slots=True)
class Ledger:
    """Collects departures while files are read."""

    entries: list[Deviation] = field(default_factory=list[Deviation])

    def mended(self, kind: DeviationKind, place: Place, how: str, item: str = "") -> None:
        """Enter something that was read as it was meant."""
        self.entries.append(Deviation(kind, Done.MENDED, place, how, item))

    def noted(self, kind: DeviationKind, place: Place, how: str, item: str = "") -> None:
        """Enter something that stays as it is."""
        self.entries.append(Deviation(kind, Done.NOTED, place, how, item))

    def excluded(self, kind: DeviationKind, place: Place, how: str, item: str) -> None:
        """Enter an item that is left out by default."""
        self.entries.append(Deviation(kind, Done.EXCLUDED, place, how, item))


def counted(entries: Iterable[Deviation]) -> Mapping[tuple[DeviationKind, Done], int]:
    """Return how often each kind of departure occurs: enumeration by enumeration, in the order of each."""
    found = Counter((entry.kind, entry.done) for entry in entries)
    return {key: found[key] for key in sorted(found, key=_rank)}


def _rank(key: tuple[DeviationKind, Done]) -> tuple[str, int, Done]:
    kind, done = key
    return (type(kind).__name__, list(type(kind)).index(kind), done)
