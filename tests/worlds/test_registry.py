"""Worlds that layers above offer to the registry, by what their names begin with."""

from collections.abc import Iterator

import pytest

from knowact.core.errors import UnknownName
from knowact.worlds import registry
from knowact.worlds.replay import ReplayWorld


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_FAMILIES", {})
    registry.find.cache_clear()
    registry.world.cache_clear()
    yield
    registry.find.cache_clear()
    registry.world.cache_clear()


def test_a_family_makes_a_world_of_the_whole_name() -> None:
    registry.offer("shelf:", lambda name: ReplayWorld(name=name))
    assert registry.world("shelf:top").name == "shelf:top"


def test_a_name_of_no_family_is_unknown() -> None:
    registry.offer("shelf:", lambda name: ReplayWorld(name=name))
    with pytest.raises(UnknownName):
        registry.world("shelves:top")


def test_a_family_cannot_take_the_place_of_a_world_of_ours() -> None:
    registry.offer("replay", lambda name: ReplayWorld(name=f"another {name}"))
    assert registry.world("replay").name == "replay"
