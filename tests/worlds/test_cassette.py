"""Cassettes: a reply to the very arguments, else to any, else a word that there is none."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.errors import BadUsage
from knowact.core.task import WorldRef
from knowact.core.world import Call, WorldState
from knowact.worlds.registry import open_world
from knowact.worlds.replay import LONGEST, CassetteWorld, canonical, shortened

TOOL: dict[str, Any] = {"name": "high_water", "parameters": {"type": "object", "properties": {}}}
OTHER: dict[str, Any] = {"name": "moon_phase", "parameters": {"type": "object", "properties": {}}}


def playing(*replies: dict[str, Any], tools: tuple[dict[str, Any], ...] = (TOOL, OTHER)) -> WorldState:
    setup = {"tools": [*tools], "replies": [*replies]}
    return open_world(WorldRef.model_validate({"name": "cassette", "setup": setup}), seed=0)


def reply(value: Any, arguments: dict[str, Any] | None = None, tool: str = "high_water") -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments, "reply": value}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.floats(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
ARGUMENTS = st.dictionaries(st.text(max_size=3), JSON, max_size=3)


def reordered(value: Any) -> Any:
    """The same JSON value, with names in another order and whole numbers written as the other kind."""
    if isinstance(value, dict):
        return {name: reordered(value[name]) for name in reversed(list(value))}  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType] - any JSON
    if isinstance(value, list):
        return [reordered(inner) for inner in value]  # pyright: ignore[reportUnknownVariableType] - any JSON
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


class TestFinding:
    @settings(deadline=None, max_examples=200)
    @given(ARGUMENTS, JSON)
    def test_a_call_is_answered_with_the_reply_to_equal_arguments(
        self, arguments: dict[str, Any], value: Any
    ) -> None:
        session = playing(reply(value, arguments), reply("any"))
        assert session.call(Call("high_water", reordered(arguments))).value == value

    @pytest.mark.slow
    @settings(deadline=None, max_examples=200)
    @given(ARGUMENTS, ARGUMENTS)
    def test_other_arguments_get_the_reply_to_any(self, one: dict[str, Any], two: dict[str, Any]) -> None:
        session = playing(reply("one", one), reply("any"))
        expected = "one" if canonical(one) == canonical(two) else "any"
        assert session.call(Call("high_water", two)).value == expected

    @pytest.mark.parametrize(
        ("recorded", "called"),
        [({"n": 1}, {"n": True}), ({"n": "1"}, {"n": 1}), ({"n": None}, {}), ({}, {"n": 0})],
        ids=str,
    )
    def test_what_is_not_equal_is_not_recorded(self, recorded: Any, called: Any) -> None:
        seen = playing(reply("there", recorded)).call(Call("high_water", called))
        assert seen.problem is not None
        assert seen.problem.code == "no_recording"

    def test_a_tool_without_replies_says_that_nothing_was_recorded(self) -> None:
        seen = playing(reply("there")).call(Call("moon_phase", {}))
        assert seen.problem is not None
        assert (seen.problem.code, "moon_phase" in seen.problem.message) == ("no_recording", True)

    def test_an_unknown_tool_and_unreadable_arguments_have_problems_of_their_own(self) -> None:
        session = playing(reply("there"), reply("here", tool="tides"))
        seen = [session.call(call).problem for call in (Call("tides", {}), Call("high_water", None))]
        assert [problem and problem.code for problem in seen] == ["unknown_tool", "bad_arguments"]

    @pytest.mark.parametrize("value", [None, "", 0, False, [], {}], ids=repr)
    def test_an_empty_reply_is_a_reply(self, value: Any) -> None:
        seen = playing(reply(value)).call(Call("high_water", {}))
        assert seen.ok
        assert seen.value == value

    def test_what_no_json_holds_is_looked_up_without_trouble(self) -> None:
        odd = {"n": float("nan"), "m": float("inf"), "t": "\ud800"}
        assert playing(reply("any")).call(Call("high_water", odd)).value == "any"


class TestLength:
    @pytest.mark.parametrize(
        "value",
        ["x" * (LONGEST + 1), list(range(50_000)), {"a": "y" * LONGEST}],
        ids=["text", "list", "object"],
    )
    def test_a_reply_of_any_type_is_cut_and_says_so(self, value: Any) -> None:
        seen = playing(reply(value)).call(Call("high_water", {})).text()
        whole = value if isinstance(value, str) else json.dumps(value)
        assert seen.startswith(whole[:LONGEST])
        assert seen.removeprefix(whole[:LONGEST]) == (
            f"\n[The reply was cut here: 127,000 of {len(whole):,} characters are shown.]"
        )

    def test_one_that_just_fits_is_left_alone(self) -> None:
        assert shortened("x" * LONGEST) == "x" * LONGEST
        assert shortened([1, 2], longest=6) == [1, 2]
        assert shortened([1, 2], longest=5) != [1, 2]


class TestSetup:
    def test_there_is_no_state(self) -> None:
        session = playing(reply("there"))
        before = session.digest()
        session.call(Call("high_water", {}))
        assert (session.context(), session.snapshot(), session.digest()) == ({}, {}, before)
        assert [tool.name for tool in session.tools()] == ["high_water", "moon_phase"]
        assert (CassetteWorld().name, CassetteWorld().deterministic) == ("cassette", True)

    def test_one_reply_twice_is_one_reply(self) -> None:
        session = playing(reply([1], {"a": 1}), reply([1.0], {"a": 1.0}))
        assert session.call(Call("high_water", {"a": 1})).value == [1]

    @pytest.mark.parametrize(
        ("setup", "words"),
        [
            ({}, "tools"),
            ({"tools": ["high_water"]}, "tools.0"),
            ({"tools": [], "reply": []}, "reply"),
            ({"tools": [], "replies": [{"tool": "high_water"}]}, r"replies\.0\.reply"),
            ({"tools": [], "replies": [reply(1, {"a": 1}), reply(2, {"a": 1.0})]}, "'high_water' differ"),
        ],
        ids=str,
    )
    def test_a_wrong_one_is_refused_in_a_sentence(self, setup: Any, words: str) -> None:
        with pytest.raises(BadUsage, match=words):
            CassetteWorld().open(setup, 0)
