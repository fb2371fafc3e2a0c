"""Worlds by name: ours, and those that other packages offer. Each is imported when it is first asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from knowact.core.errors import BadUsage, UnknownName
from knowact.core.task import WorldRef

if TYPE_CHECKING:
    from knowact.core.table import Table
    from knowact.core.world import Session, World
    from knowact.worlds.check import Example

GROUP = "knowact.worlds"
"""Other packages offer a `WorldEntry` under this entry-point group, by the world's name."""


@dataclass(frozen=True, slots=True)
class WorldEntry:
    """How to get a world, and the worked examples that it is checked by.

    Attributes:
        make: Makes the world.
        examples: Reads its worked examples; None for a world without any (its tools come with the data).
        statistics: Tables of what its databases hold under a seed; None for a world without databases.
    """

    make: "Callable[[], World]"
    examples: "Callable[[], Sequence[Example]] | None" = None
    statistics: "Callable[[int], Sequence[Table]] | None" = None


def _everyday() -> "World":
    from knowact.worlds.everyday import EverydayWorld

    return EverydayWorld()


def _everyday_examples() -> "Sequence[Example]":
    from knowact.worlds.everyday.examples import examples

    return examples()


def _car() -> "World":
    from knowact.worlds.car.world import CarWorld

    return CarWorld()


def _car_statistics(seed: int) -> "Sequence[Table]":
    from knowact.worlds.car.databases.base import Databases
    from knowact.worlds.car.databases.statistics import statistics

    return statistics(Databases.generated(seed))


def _car_examples() -> "Sequence[Example]":
    from knowact.worlds.car.examples import examples

    return examples()


def _replay() -> "World":
    from knowact.worlds.replay import ReplayWorld

    return ReplayWorld()


def _cassette() -> "World":
    from knowact.worlds.cassette import CassetteWorld

    return CassetteWorld()


_OURS = {
    "everyday": WorldEntry(_everyday, _everyday_examples),
    "car": WorldEntry(_car, _car_examples, _car_statistics),
    "replay": WorldEntry(_replay),
    "cassette": WorldEntry(_cassette),
}


@cache
def names() -> tuple[str, ...]:
    """The names of all installed worlds, without importing any."""
    return tuple(sorted({*_OURS, *(entry.name for entry in entry_points(group=GROUP))}))


@cache
def find(name: str) -> WorldEntry:
    """Return what is registered under a name; ours cannot be replaced from outside.

    Raises:
        UnknownName: There is none of that name; the near ones are suggested.
        BadUsage: Another package offers something else than a world under that name.
    """
    if name in _OURS:
        return _OURS[name]
    for offered in entry_points(group=GROUP):
        if offered.name == name:
            found: object = offered.load()
            if not isinstance(found, WorldEntry):
                raise BadUsage(f"The entry point {name!r} of the group {GROUP!r} must be a WorldEntry.")
            return found
    raise UnknownName("world", name, names())


@cache
def world(name: str, *, silent_gaps: bool = False) -> "World":
    """Return a world.

    Args:
        name: As tasks name it.
        silent_gaps: For replay: answer with an empty text where nothing was recorded, as the published
            runner does.
    """
    if name == "replay" and silent_gaps:
        from knowact.worlds.replay import ReplayWorld

        return ReplayWorld(silent_gaps=True)
    return find(name).make()


def open_world(ref: WorldRef, seed: int, *, silent_gaps: bool = False) -> "Session":
    """Open a session of the world that a task lives in."""
    return world(ref.name, silent_gaps=silent_gaps).open(ref.setup, seed)
