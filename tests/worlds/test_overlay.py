"""The overlay: what a condition takes away is gone from schemas and results alike."""

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.condition import CLEAN, Add, Change, Condition, Fail, Hide, Mask, Replace, Unfit
from knowact.core.proof import values_at
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, WorldState
from knowact.worlds.overlay import Overlay, masked, offered_under
from knowact.worlds.paths import without_field
from mini_world import TOOLS, MiniSession, make_tool

NAMES = tuple(TOOLS)
ARGUMENTS: dict[str, dict[str, Any]] = {
    "find_contact": {"name": "Ann"},
    "current_weather": {"city": "Oslo"},
    "search_notes": {"topic": "bike"},
    "read_note": {"id": 3},
    "send_message": {"to": "ann@example.org", "text": "hello"},
    "add": {"a": 1, "b": 2},
    "translate": {"word": "gato"},
    "list_holidays": {"country": "Peru"},
}


def under(*changes: Change, offered: Sequence[str] = NAMES, order: Sequence[str] = ()) -> Overlay:
    condition = Condition(name="changed", changes=changes, order=tuple(order))
    return Overlay(MiniSession(), condition, offered_under(offered, TOOLS, condition))


def names(overlay: WorldState) -> list[str]:
    return [tool.name for tool in overlay.tools()]


def schemas(overlay: WorldState) -> str:
    return json.dumps([tool.model_dump(mode="json") for tool in overlay.tools()])


@dataclass
class OneResult:
    """A session of one tool that answers every call with the same result, and remembers the calls."""

    result: Any
    calls: list[Call] = field(default_factory=list[Call])

    def tools(self) -> Sequence[Tool]:
        return (make_tool("look", {}, {}),)

    def call(self, call: Call) -> Observation:
        self.calls.append(call)
        return Observation(self.result)

    def context(self) -> Mapping[str, str]:
        return {}

    def snapshot(self) -> Mapping[str, Any]:
        return {}

    def digest(self) -> str:
        return ""


class TestNothingChanged:
    def test_every_tool_and_every_result_is_as_underneath(self) -> None:
        overlay = Overlay(MiniSession(), CLEAN, offered_under(NAMES, TOOLS, CLEAN))
        assert list(overlay.tools()) == list(TOOLS.values())
        for name in NAMES:
            call = Call(name, ARGUMENTS[name])
            assert overlay.call(call) == MiniSession().call(call)

    def test_context_and_state_are_those_underneath(self) -> None:
        inner = MiniSession()
        overlay = Overlay(inner, CLEAN, offered_under(NAMES, TOOLS, CLEAN))
        overlay.call(Call("send_message", ARGUMENTS["send_message"]))
        assert overlay.context() == inner.context()
        assert overlay.snapshot() == {"sent": [ARGUMENTS["send_message"]]} == inner.snapshot()
        assert overlay.digest() == inner.digest()


class TestHidden:
    @settings(deadline=None, max_examples=60)
    @given(st.lists(st.sampled_from(NAMES), min_size=1, unique=True), st.data())
    def test_a_hidden_tool_leaves_no_trace(self, hidden: list[str], data: st.DataObject) -> None:
        overlay = under(*(Hide(tool=name) for name in hidden))
        seen = schemas(overlay)
        for name in data.draw(st.permutations([name for name in NAMES if name not in hidden])):
            seen += overlay.call(Call(name, ARGUMENTS[name])).text()
            seen += overlay.call(Call(name, {})).text()
        seen += json.dumps([dict(overlay.context()), dict(overlay.snapshot())])
        assert not [name for name in hidden if name in seen]

    @settings(deadline=None, max_examples=30)
    @given(st.sampled_from(NAMES))
    def test_calling_it_is_like_calling_one_that_never_was(self, hidden: str) -> None:
        overlay = under(Hide(tool=hidden))
        ghost = "x" + hidden
        answers = [overlay.call(Call(name, ARGUMENTS[hidden])).text() for name in (hidden, ghost)]
        assert answers[0] == answers[1].replace(ghost, hidden)
        assert json.loads(answers[0])["error"]["code"] == "unknown_tool"

    def test_it_has_no_effect(self) -> None:
        overlay = under(Hide(tool="send_message"))
        overlay.call(Call("send_message", ARGUMENTS["send_message"]))
        assert overlay.snapshot() == {"sent": []}


class TestFailing:
    def test_a_failing_tool_is_listed_and_answers_with_its_error(self) -> None:
        overlay = under(Fail(tool="current_weather", message="Out of order."))
        assert names(overlay) == list(NAMES)
        seen = overlay.call(Call("current_weather", ARGUMENTS["current_weather"]))
        assert seen.problem is not None
        assert (seen.problem.code, seen.problem.message) == ("unavailable", "Out of order.")

    def test_it_has_no_effect(self) -> None:
        overlay = under(Fail(tool="send_message"))
        overlay.call(Call("send_message", ARGUMENTS["send_message"]))
        assert overlay.snapshot() == {"sent": []}

    def test_the_others_go_on(self) -> None:
        overlay = under(Fail(tool="send_message"))
        assert overlay.call(Call("add", {"a": 1, "b": 2})).value == {"sum": 3}


class TestReplaced:
    def test_the_new_tool_stands_in_the_old_ones_place(self) -> None:
        overlay = under(
            Replace(tool="read_note", by="add"), offered=("find_contact", "read_note", "translate")
        )
        assert names(overlay) == ["find_contact", "add", "translate"]
        assert overlay.call(Call("add", {"a": 1, "b": 2})).value == {"sum": 3}
        assert not overlay.call(Call("read_note", {"id": 3})).ok

    @pytest.mark.parametrize("change", [Replace(tool="read_note", by="add"), Add(tool="add")], ids=str)
    def test_a_tool_that_is_there_already_is_not_offered_twice(self, change: Change) -> None:
        offered = ("read_note", "add")
        try:
            overlay = under(change, offered=offered)
        except ValueError:
            return
        assert names(overlay).count("add") == 1


class TestMaskedParameters:
    GONE = Mask(tool="current_weather", part="parameter", name="unit")

    def test_it_is_gone_from_the_schema(self) -> None:
        tool = under(self.GONE).tools()[1]
        assert list(tool.properties) == ["city"]
        assert tool.required == ("city",)

    def test_a_required_one_is_not_required_any_more(self) -> None:
        tool = under(Mask(tool="read_note", part="parameter", name="id")).tools()[3]
        assert (tool.properties, tool.required) == ({}, ())
        assert tool.capability is not None
        assert tool.capability.needs == ()

    def test_a_call_with_it_is_refused_and_never_carried_out(self) -> None:
        gone = Mask(tool="send_message", part="parameter", name="text")
        overlay = under(gone)
        seen = overlay.call(Call("send_message", ARGUMENTS["send_message"]))
        assert seen.problem is not None
        assert seen.problem.code == "bad_arguments"
        assert overlay.snapshot() == {"sent": []}

    @pytest.mark.parametrize("arguments", [{"city": "Oslo"}, {}, None], ids=str)
    def test_a_call_without_it_goes_through(self, arguments: dict[str, Any] | None) -> None:
        call = Call("current_weather", arguments)
        assert under(self.GONE).call(call) == MiniSession().call(call)

    @settings(deadline=None, max_examples=60)
    @given(st.sampled_from(NAMES), st.data())
    def test_no_schema_names_it(self, name: str, data: st.DataObject) -> None:
        parameter = data.draw(st.sampled_from(sorted(TOOLS[name].properties)))
        tool = masked(TOOLS[name], frozenset({parameter}), frozenset())
        assert parameter not in tool.properties
        assert parameter not in tool.required

    def test_the_tool_itself_is_left_alone(self) -> None:
        before = copy.deepcopy(TOOLS["current_weather"])
        under(self.GONE)
        assert TOOLS["current_weather"] == before

    def test_nothing_masked_changes_nothing(self) -> None:
        assert masked(TOOLS["add"], frozenset(), frozenset()) is TOOLS["add"]


KEYS = ("a", "b", "c")
RESULTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=15,
)
PATHS = st.lists(st.sampled_from((*KEYS, "a[]", "b[]")), min_size=1, max_size=4).map(".".join)


def leaves(value: Any, at: tuple[str, ...] = ()) -> set[tuple[tuple[str, ...], str]]:
    """Return every end of a JSON value with the keys that lead there (lists leave no key)."""
    if isinstance(value, dict) and value:
        members = cast("dict[str, Any]", value)
        return {leaf for key, inner in members.items() for leaf in leaves(inner, (*at, key))}
    if isinstance(value, list) and value:
        return {leaf for inner in cast("list[Any]", value) for leaf in leaves(inner, at)}
    return {(at, json.dumps(value))}


class TestMaskedResults:
    @settings(deadline=None, max_examples=300)
    @given(st.dictionaries(st.sampled_from(KEYS), RESULTS, max_size=3), PATHS)
    def test_a_masked_field_is_gone_at_any_depth_and_the_original_is_left_alone(
        self, result: dict[str, Any], path: str
    ) -> None:
        before = copy.deepcopy(result)
        assert values_at(without_field(result, path), path) == []
        assert result == before

    @settings(deadline=None, max_examples=300)
    @given(st.dictionaries(st.sampled_from(KEYS), RESULTS, max_size=3), PATHS)
    def test_nothing_beside_it_is_lost(self, result: dict[str, Any], path: str) -> None:
        keys = tuple(part.removesuffix("[]") for part in path.split("."))
        before, after = leaves(result), leaves(without_field(result, path))
        assert {leaf for leaf in before if leaf[0][: len(keys)] != keys} <= after
        new = {leaf for leaf in after - before if leaf[1] != "{}"}
        assert new == set()

    @settings(deadline=None, max_examples=100)
    @given(st.dictionaries(st.sampled_from(KEYS), RESULTS, max_size=3), PATHS, PATHS)
    def test_the_order_of_masks_makes_no_difference(self, result: dict[str, Any], one: str, two: str) -> None:
        assert without_field(without_field(result, one), two) == without_field(
            without_field(result, two), one
        )

    @pytest.mark.parametrize(
        ("result", "path"),
        [([{"id": 1, "x": 2}], "[].id"), ({"rows": [[{"id": 1}], [{"id": 2}]]}, "rows[].[].id")],
        ids=str,
    )
    def test_a_masked_field_is_gone_from_lists_of_lists_too(self, result: Any, path: str) -> None:
        assert values_at(result, path)
        assert values_at(without_field(result, path), path) == []

    def test_a_call_never_shows_it(self) -> None:
        secret = {"days": [{"high": 1, "note": "hot"}, {"high": 2}], "city": "Faro"}
        condition = Condition(
            name="",
            changes=(
                Mask(tool="look", part="result", name="days[].high"),
                Mask(tool="look", part="result", name="city"),
                Mask(tool="other", part="result", name="days"),
            ),
        )
        inner = OneResult(secret)
        seen = Overlay(inner, condition, tuple(inner.tools())).call(Call("look"))
        assert seen.value == {"days": [{"note": "hot"}, {}]}
        assert secret == {"days": [{"high": 1, "note": "hot"}, {"high": 2}], "city": "Faro"}
        assert inner.calls == [Call("look")]

    @pytest.mark.parametrize("result", ["plain text", None, 5, [1]], ids=str)
    def test_a_result_without_fields_comes_through(self, result: Any) -> None:
        condition = Condition(name="", changes=(Mask(tool="look", part="result", name="city"),))
        inner = OneResult(result)
        assert Overlay(inner, condition, tuple(inner.tools())).call(Call("look")).value == result

    RETURNS: ClassVar[dict[str, Any]] = {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"high": {"type": "number"}, "low": {"type": "number"}},
                    "required": ["high", "low"],
                },
            },
        },
        "required": ["city", "days"],
    }

    def test_the_result_schema_and_the_capability_lose_it(self) -> None:
        tool = make_tool("look", {}, {"days[].high": "day.high", "city": "city.name"})
        tool = tool.model_copy(update={"returns": self.RETURNS})
        before = copy.deepcopy(tool)
        less = masked(tool, frozenset(), frozenset({"days[].high", "city"}))
        assert less.returns == {
            "type": "object",
            "properties": {
                "days": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"low": {"type": "number"}},
                        "required": ["low"],
                    },
                }
            },
            "required": ["days"],
        }
        assert less.capability is not None
        assert less.capability.reports == ()
        assert less.parameters == tool.parameters
        assert tool == before

    def test_a_field_that_the_result_schema_does_not_name_is_no_trouble(self) -> None:
        tool = make_tool("look", {}, {}).model_copy(update={"returns": self.RETURNS})
        assert masked(tool, frozenset(), frozenset({"wind", "city.name"})).returns is not None

    def test_a_list_whose_items_are_not_described_is_no_trouble(self) -> None:
        returns = {"type": "object", "properties": {"days": {"type": "array"}}}
        tool = make_tool("look", {}, {}).model_copy(update={"returns": returns})
        assert masked(tool, frozenset(), frozenset({"days[].high"})).returns is not None


class TestOrder:
    def test_without_an_order_the_tasks_own_is_kept_and_added_tools_come_last(self) -> None:
        overlay = under(
            Hide(tool="add"), Add(tool="list_holidays"), offered=("translate", "add", "read_note")
        )
        assert names(overlay) == ["translate", "read_note", "list_holidays"]

    @settings(deadline=None, max_examples=40)
    @given(st.permutations(NAMES))
    def test_an_order_is_followed(self, order: list[str]) -> None:
        assert names(under(order=order)) == order

    @pytest.mark.parametrize(
        ("order", "said", "field"),
        [
            (("add",), "leaves out 'translate'", "order"),
            (("add", "translate", "read_note"), "'read_note', which", "order.2"),
            (("add", "add"), "'add' twice", "order.1"),
            (("add", "find_contact"), "'find_contact', which", "order.1"),
        ],
    )
    def test_an_order_names_exactly_what_is_left(self, order: tuple[str, ...], said: str, field: str) -> None:
        with pytest.raises(Unfit, match=said) as told:
            under(offered=("add", "translate"), order=order)
        assert told.value.field == field

    def test_masks_follow_their_tool_into_the_new_order(self) -> None:
        gone = Mask(tool="add", part="parameter", name="a")
        tool = under(gone, offered=("translate", "add"), order=("add", "translate")).tools()[0]
        assert (tool.name, list(tool.properties)) == ("add", ["b"])
