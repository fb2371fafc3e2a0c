"""Which runs rest on the same items: a baseline beside a run is computed from the items of that very run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core.record import Record
from knowact.core.table import Run

ITEMS_OF: Final = "items of"
"""The row head that names the runs whose items a baseline rests on."""

NAMED: Final = 2
"""A row head names at most this many runs, and counts the others."""


@dataclass(frozen=True, slots=True)
class ItemSet:
    """The items that some runs have in common.

    Attributes:
        keys: What tells it from other sets in a table; empty where all runs rest on the same items.
        place: The place of the run, of those that have exactly these items, with the most scored trials.
    """

    keys: Mapping[str, str]
    place: int


def item_sets(heads: Sequence[tuple[Run, Mapping[str, str], Sequence[Record]]]) -> list[ItemSet]:
    """Put runs together that rest on the same items of the same data; runs without a record are left out.

    Args:
        heads: Each run with its row head and those of its records that a table is about. Trials of one item
            are one item, and a trial that an instrument spoilt makes no other set.
    """
    places: dict[tuple[str, frozenset[tuple[str, str]]], list[int]] = {}
    for place, (run, _, records) in enumerate(heads):
        if items := frozenset((record.item, record.condition) for record in records):
            places.setdefault((run.dataset.sha256, items), []).append(place)
    several = len(places) > 1

    def scored(place: int) -> int:
        return sum(record.scored for record in heads[place][2])

    return [
        ItemSet(
            {ITEMS_OF: _names([heads[place][1] for place in some])} if several else {}, max(some, key=scored)
        )
        for some in places.values()
    ]


def _names(keys: Sequence[Mapping[str, str]]) -> str:
    names = [", ".join(filter(None, head.values())) for head in keys]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED + 1 else ""
    return "; ".join(names[: NAMED if more else len(names)]) + more
