"""Replay: one recorded output per tool, and a gap that looks like nothing else."""

import json
from typing import Any

import pytest

from knowact.core.world import Call, World, WorldState
from knowact.worlds.replay import ReplayWorld

SETUP: dict[str, Any] = {
    "tools": [
        {"name": "get_forecast", "parameters": {"type": "object"}, "server": "weather"},
        {"name": "get_tides", "parameters": {"type": "object"}},
        {"name": "get_nothing", "parameters": {"type": "object"}},
    ],
    "recordings": {"get_forecast": "21 degrees, käse", "get_nothing": ""},
}


def opened(*, silent_gaps: bool = False) -> WorldState:
    return ReplayWorld(silent_gaps=silent_gaps).open(SETUP, 0)


def test_the_tools_are_those_of_the_task_in_their_order() -> None:
    assert [tool.name for tool in opened().tools()] == ["get_forecast", "get_tides", "get_nothing"]
    assert opened().tools()[0].server == "weather"


@pytest.mark.parametrize("arguments", [{}, {"city": "Lisbon"}, {"city": 5, "x": [None]}, None], ids=str)
def test_a_recording_is_found_whatever_is_asked(arguments: dict[str, Any] | None) -> None:
    seen = opened().call(Call("get_forecast", arguments))
    assert (seen.ok, seen.text()) == (True, "21 degrees, käse")


def test_a_tool_without_a_recording_says_so() -> None:
    seen = opened().call(Call("get_tides"))
    assert seen.problem is not None
    assert seen.problem.code == "no_recording"
    assert (
        json.loads(seen.text())["error"]["message"] == "No output of 'get_tides' was recorded for this task."
    )


def test_an_empty_recording_is_a_recording() -> None:
    seen = opened().call(Call("get_nothing"))
    assert (seen.ok, seen.text()) == (True, "")


def test_under_the_published_rules_a_gap_is_an_empty_text() -> None:
    seen = opened(silent_gaps=True).call(Call("get_tides"))
    assert (seen.ok, seen.text()) == (True, "")
    assert opened(silent_gaps=True).call(Call("get_forecast")).text() == "21 degrees, käse"


@pytest.mark.parametrize("silent_gaps", [False, True])
def test_an_invented_tool_is_no_gap(*, silent_gaps: bool) -> None:
    seen = opened(silent_gaps=silent_gaps).call(Call("get_rich"))
    assert seen.problem is not None
    assert seen.problem.code == "unknown_tool"


def test_nothing_ever_changes() -> None:
    session = opened()
    before = session.digest()
    session.call(Call("get_forecast"))
    assert (session.snapshot(), session.context(), session.digest()) == ({}, {}, before)


def test_the_seed_makes_no_difference() -> None:
    world = ReplayWorld()
    assert world.open(SETUP, 1) == world.open(SETUP, 2)


def test_an_empty_setup_opens_an_empty_session() -> None:
    assert list(ReplayWorld().open({}, 0).tools()) == []


def test_it_is_a_world() -> None:
    world: World = ReplayWorld()
    assert (world.name, world.deterministic) == ("replay", True)
