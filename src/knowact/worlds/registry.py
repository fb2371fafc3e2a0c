"""Worlds by name: ours, and those that other packages offer. Each is imported when it is first asked for."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from knowact.core.errors import BadUsage, UnknownName
from knowact.core.task import WorldRef

if TYPE_CHECKING:
    from knowact.core.table import Table
    from knowact.core.world import World, WorldState
    from knowact.worlds.check import Example
    from knowact.worlds.material import Material

GROUP = "knowact.worlds"
"""Other packages offer a `WorldEntry` under this entry-point group, by the world's name."""

_FAMILIES: "dict[str, Callable[[str], World]]" = {}
"""What makes a world of a whole name, by what the names of its family begin with."""


def offer(prefix: str, make: "Callable[[str], World]") -> None:
    """Let every name that begins with a prefix name a world; layers above this one offer theirs so.

    Args:
        prefix: What the names begin with.
        make: From the whole name to the world.
    """
    _FAMILIES[prefix] = make


@dataclass(frozen=True, slots=True)
class WorldEntry:
    """How to get a world, and the worked examples that it is checked by.

    Attributes:
        make: Makes the world.
        examples: Reads its worked examples; None for a world without any (its tools come with the data).
        statistics: Tables of what its databases hold under a seed; None for a world without databases.
        material: What data can be made from; None for a world without scenarios.
    """

    make: "Callable[[], World]"
    examples: "Callable[[], Sequence[Example]] | None" = None
    statistics: "Callable[[int], Sequence[Table]] | None" = None
    material: "Callable[[], Material] | None" = None


def _made(module: str, kind: str) -> "Callable[[], World]":
    """Return what makes a world of ours; its module is imported only then."""

    def make() -> "World":
        return getattr(import_module(module), kind)()

    return make


def _examples(package: str) -> "Callable[[], Sequence[Example]]":
    def read() -> "Sequence[Example]":
        from knowact.worlds.check import examples_of

        return examples_of(package)

    return read


def _car_statistics(seed: int) -> "Sequence[Table]":
    from knowact.worlds.car.databases.generated import generated_databases
    from knowact.worlds.car.databases.statistics import statistics

    return statistics(generated_databases(seed))


def _everyday_material() -> "Material":
    from knowact.worlds.everyday.material import material

    return material()


_EVERYDAY, _CAR = "knowact.worlds.everyday", "knowact.worlds.car"
_OURS = {
    "everyday": WorldEntry(
        _made(_EVERYDAY, "EverydayWorld"), _examples(_EVERYDAY), material=_everyday_material
    ),
    "car": WorldEntry(_made(f"{_CAR}.world", "CarWorld"), _examples(_CAR), _car_statistics),
    "replay": WorldEntry(_made("knowact.worlds.replay", "ReplayWorld")),
    "cassette": WorldEntry(_made("knowact.worlds.replay", "CassetteWorld")),
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
    for prefix, make_named in _FAMILIES.items():
        if name.startswith(prefix):
            return WorldEntry(partial(make_named, name))
    for offered in entry_points(group=GROUP):
        if offered.name == name:
            entry: object = offered.load()
            if not isinstance(entry, WorldEntry):
                raise BadUsage(f"The entry point {name!r} of the group {GROUP!r} must be a WorldEntry.")
            return entry
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


def ready(names: Iterable[str]) -> None:
    """Make sure that worlds which somebody else's process answers for do answer, before anything is spent.

    Raises:
        Unreachable: One does not.
    """
    from knowact.core.world import Answering

    for name in dict.fromkeys(names):
        made = world(name)
        if isinstance(made, Answering):
            made.ready()


def open_world(ref: WorldRef, seed: int, *, silent_gaps: bool = False) -> "WorldState":
    """Open a session of the world that a task lives in."""
    return world(ref.name, silent_gaps=silent_gaps).open(ref.setup, seed)
