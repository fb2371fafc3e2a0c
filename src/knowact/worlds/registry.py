"""Worlds by name. Each is imported when it is first asked for."""

from functools import cache
from typing import TYPE_CHECKING

from knowact.core.errors import UnknownName
from knowact.core.task import WorldRef

if TYPE_CHECKING:
    from knowact.core.world import Session, World

NAMES = ("everyday", "replay")


@cache
def world(name: str, *, silent_gaps: bool = False) -> "World":
    """Return a world.

    Args:
        name: As tasks name it.
        silent_gaps: For replay: answer with an empty text where nothing was recorded, as the published
            runner does.
    """
    if name == "everyday":
        from knowact.worlds.everyday import EverydayWorld

        return EverydayWorld()
    if name == "replay":
        from knowact.worlds.replay import ReplayWorld

        return ReplayWorld(silent_gaps=silent_gaps)
    raise UnknownName("world", name, NAMES)


def open_world(ref: WorldRef, seed: int, *, silent_gaps: bool = False) -> "Session":
    """Open a session of the world that a task lives in."""
    return world(ref.name, silent_gaps=silent_gaps).open(ref.setup, seed)
