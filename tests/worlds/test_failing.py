"""Tools that are listed and fail: what an agent sees, and that nothing happens behind it."""

import json
from typing import Any, get_args

import pytest

from knowact.core.condition import Condition, Fail, Failure, Mask
from knowact.core.world import Call, WorldState
from knowact.worlds.overlay import Overlay, failed, offered_under
from mini_world import TOOLS, MiniSession, make_tool

SILENT: tuple[Failure, ...] = ("unavailable", "gone", "server_error", "timeout", "empty", "malformed")
WEATHER = Call("current_weather", {"city": "Lisbon"})
MESSAGE = Call("send_message", {"to": "ann@example.org", "text": "hello"})


def under(
    how: Failure, tool: str, inner: WorldState, other: WorldState | None = None, *masks: Mask
) -> Overlay:
    condition = Condition(name="", changes=(Fail(tool=tool, how=how), *masks))
    return Overlay(inner, condition, offered_under(tuple(TOOLS), TOOLS, condition), other)


class ElsewhereSession(MiniSession):
    """The mini world with other weather, and without contacts."""

    def call(self, call: Call) -> Any:
        seen = super().call(Call(call.tool, {**(call.arguments or {}), "city": "Oslo", "name": "nobody"}))
        self.called = call
        return seen


def test_every_way_to_fail_is_either_silent_or_wrong() -> None:
    assert {*SILENT, "wrong"} == set(get_args(Failure))


@pytest.mark.parametrize("how", SILENT)
class TestEveryTool:
    def test_is_listed_like_any_other(self, how: Failure) -> None:
        overlay = under(how, "current_weather", MiniSession())
        assert list(overlay.tools()) == list(TOOLS.values())

    def test_carries_nothing_out(self, how: Failure) -> None:
        inner = MiniSession()
        under(how, "send_message", inner).call(MESSAGE)
        assert inner.sent == []

    def test_fails_whatever_the_arguments(self, how: Failure) -> None:
        overlay = under(how, "current_weather", MiniSession())
        every = (WEATHER, Call("current_weather", {}), Call("current_weather", None))
        assert len({overlay.call(call).text() for call in every}) == 1

    def test_tells_nothing_of_the_true_result(self, how: Failure) -> None:
        text = under(how, "current_weather", MiniSession()).call(WEATHER).text()
        assert "21" not in text
        assert "false" not in text

    def test_leaves_the_others_alone(self, how: Failure) -> None:
        overlay = under(how, "send_message", MiniSession())
        assert overlay.call(WEATHER) == MiniSession().call(WEATHER)


@pytest.mark.parametrize(
    ("how", "words"), [("gone", "410"), ("server_error", "500"), ("timeout", "20 seconds")]
)
def test_an_error_has_its_code_and_says_what_a_service_would(how: Failure, words: str) -> None:
    seen = failed(TOOLS["current_weather"], Fail(tool="current_weather", how=how))
    error = json.loads(seen.text())["error"]
    assert error["code"] == how
    assert words in error["message"]


def test_an_unavailable_tool_says_its_own_message() -> None:
    seen = failed(TOOLS["add"], Fail(tool="add", message="Out of order."))
    assert json.loads(seen.text()) == {"error": {"code": "unavailable", "message": "Out of order."}}


def test_nothing_is_an_empty_text() -> None:
    assert failed(TOOLS["add"], Fail(tool="add", how="empty")).text() == ""


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("temperature", '{"temperature":'),
        ("days[].high", '{"days": [{"high":'),
        ("[].id", '[{"id":'),
        ("rows[].[].id", '{"rows": [[{"id":'),
        ('odd"name', '{"odd\\"name":'),
    ],
)
def test_half_a_result_ends_before_its_first_value(field: str, text: str) -> None:
    tool = make_tool("look", {}, {field: "thing.value"})
    seen = failed(tool, Fail(tool="look", how="malformed"))
    assert seen.text() == text
    with pytest.raises(json.JSONDecodeError):
        json.loads(seen.text())


@pytest.mark.parametrize(
    ("returns", "text"),
    [
        ({"type": "object", "properties": {"price": {}}}, '{"price":'),
        ({"type": "object", "properties": {}}, '{"result":'),
        ({"type": "object", "properties": None}, '{"result":'),
        (None, '{"result":'),
    ],
    ids=str,
)
def test_half_a_result_of_a_tool_that_declares_nothing_is_guessed(returns: Any, text: str) -> None:
    tool = make_tool("look", {}, {}).model_copy(update={"returns": returns, "capability": None})
    assert failed(tool, Fail(tool="look", how="malformed")).text() == text


def test_half_a_result_does_not_name_what_is_masked() -> None:
    mask = Mask(tool="current_weather", part="result", name="temperature")
    text = under("malformed", "current_weather", MiniSession(), None, mask).call(WEATHER).text()
    assert text == '{"rain":'


class TestWrong:
    def test_reports_what_is_so_elsewhere(self) -> None:
        overlay = under("wrong", "current_weather", MiniSession(), ElsewhereSession())
        assert overlay.call(WEATHER).value == {"temperature": 4, "rain": True}

    def test_reports_something_else_where_nothing_is_known_of_elsewhere(self) -> None:
        for other in (None, MiniSession()):
            seen = under("wrong", "current_weather", MiniSession(), other).call(WEATHER).value
            assert seen["rain"] is True
            assert seen["temperature"] != 21

    def test_does_so_where_the_call_is_refused_elsewhere(self) -> None:
        overlay = under("wrong", "find_contact", MiniSession(), ElsewhereSession())
        seen = overlay.call(Call("find_contact", {"name": "Ann"}))
        assert not seen.ok, "neither a city nor an address has digits"
        assert seen.problem is not None
        assert seen.problem.code == "server_error"

    def test_carries_the_call_out_in_both_worlds(self) -> None:
        inner, other = MiniSession(), MiniSession()
        seen = under("wrong", "send_message", inner, other).call(MESSAGE)
        assert seen.value == {"sent": False}
        assert len(inner.sent) == len(other.sent) == 1

    def test_tells_the_truth_of_a_call_that_is_refused(self) -> None:
        overlay = under("wrong", "current_weather", MiniSession(), ElsewhereSession())
        seen = overlay.call(Call("current_weather", {"city": "Atlantis"}))
        assert seen == MiniSession().call(Call("current_weather", {"city": "Atlantis"}))

    def test_leaves_the_others_alone_but_lets_the_other_world_know(self) -> None:
        other = ElsewhereSession()
        overlay = under("wrong", "send_message", MiniSession(), other)
        assert overlay.call(WEATHER) == MiniSession().call(WEATHER)
        assert other.called == WEATHER

    def test_does_not_tell_what_is_masked(self) -> None:
        mask = Mask(tool="current_weather", part="result", name="rain")
        overlay = under("wrong", "current_weather", MiniSession(), ElsewhereSession(), mask)
        assert overlay.call(WEATHER).value == {"temperature": 4}

    def test_is_not_for_tools_that_answer_with_an_error(self) -> None:
        with pytest.raises(ValueError, match="carries its calls out"):
            failed(TOOLS["add"], Fail(tool="add", how="wrong"))
