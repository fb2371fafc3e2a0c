"""The scripted user: what it answers to each act that a message declares."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.core.conversation import Control
from knowact.core.declared import Act, Declared
from knowact.core.task import Fact
from knowact.core.world import Call
from knowact.roles.script import Persona, Script, Style
from knowact.roles.simulated_user import MOST_UNANSWERED, ScriptedUser, proposal

HALF = Call("open_close_sunshade", {"percentage": 50})
SCRIPT = Script(opening="Open the shade.", later=("And the light, please.",))


def user(style: Style = "commanding") -> ScriptedUser:
    return ScriptedUser(
        SCRIPT,
        Persona(style=style),
        wanted=frozenset({proposal(HALF)}),
        answers={"far": "Half way."},
        yours=frozenset({"route"}),
    )


def acts(*pairs: tuple[str, str]) -> Declared:
    return Declared(acts=tuple(Act(act, about, "words") for act, about in pairs))


def test_it_tells_what_it_is_asked_for_as_often_as_it_is_asked() -> None:
    player = user()
    assert player.opening().text == "Open the shade."
    assert [player.reply(acts(("asked", "far"))).text for _ in range(9)] == ["Half way."] * 9


def test_it_leaves_to_the_agent_what_is_the_agents() -> None:
    said = user().reply(acts(("asked", "route"))).text
    assert said
    assert said != user().reply(acts(("asked", "colour"))).text


def test_it_is_out_of_script_after_too_many_questions_beside_it_in_a_row() -> None:
    player = user()
    for _ in range(MOST_UNANSWERED):
        assert player.reply(acts(("asked", ""))).word is Control.CONTINUE
    assert player.reply(acts(("asked", "far"))).word is Control.CONTINUE
    for _ in range(MOST_UNANSWERED):
        assert player.reply(acts(("asked", "route"))).word is Control.CONTINUE
    assert player.reply(acts(("asked", "route"))).word is Control.OUT_OF_SCOPE


@pytest.mark.parametrize("style", ["commanding", "conversational", "questioning"])
def test_it_says_yes_to_calls_that_it_wants_and_no_to_all_others(style: Style) -> None:
    yes = user(style).reply(acts(("proposed", proposal(HALF)))).text
    no = user(style).reply(acts(("proposed", proposal(Call("open_close_sunshade", {"percentage": 60}))))).text
    assert yes.startswith("Yes")
    assert no.startswith("No")


def test_several_acts_are_answered_together() -> None:
    both = user().reply(acts(("proposed", proposal(HALF)), ("asked", "far"), ("asked", "route"))).text
    assert both == "Yes. Do it. Half way. Work that out yourself."


def test_a_report_brings_the_next_wish_and_then_the_end() -> None:
    player = user()
    assert player.reply(Declared()).text == "And the light, please."
    assert player.reply(acts(("acknowledged", "x"))).word is Control.STOP


def test_proposals_are_equal_for_equal_calls_alone() -> None:
    one = Call("set_fan_speed", {"level": 2, "zone": "ALL"})
    assert proposal(one) == proposal(Call("set_fan_speed", {"zone": "ALL", "level": 2}))
    assert proposal(one) != proposal(Call("set_fan_speed", {"level": 2}))
    assert proposal(one) != proposal(Call("set_seat_heating", {"level": 2, "zone": "ALL"}))


@given(
    st.lists(
        st.tuples(st.sampled_from(["asked", "proposed", "claimed", "?"]), st.text(max_size=5)), max_size=4
    )
)
def test_whatever_is_declared_it_says_something_or_leaves(pairs: list[tuple[str, str]]) -> None:
    line = user().reply(acts(*pairs))
    assert bool(line.text) == (line.word is Control.CONTINUE)
    assert line.fault == ""


FAN = Fact(kind="number", value=2.0, label="the level of the fan")


def noticing(**more: Any) -> ScriptedUser:
    """A user who wants to be told something (slot 0), and the fan at two (slot 1)."""
    return ScriptedUser(SCRIPT, due=frozenset({0}), wishes={1: (FAN,)}, **more)


def told(place: int, value: float) -> Declared:
    return Declared({place: {"value": value, "quotes": [f"It is {value:g}."]}})


class TestNotices:
    def test_it_asks_once_more_for_what_was_not_told_and_then_leaves(self) -> None:
        player = noticing()
        assert player.reply(Declared()).text == SCRIPT.later[0]
        assert player.reply(Declared()).word is Control.CONTINUE
        assert player.reply(Declared()).word is Control.STOP

    def test_what_was_told_at_any_time_is_not_asked_for(self) -> None:
        player = noticing()
        assert player.reply(told(0, 7)).text == SCRIPT.later[0]
        assert player.reply(Declared()).word is Control.STOP

    def test_it_says_once_that_a_report_is_not_what_it_wanted(self) -> None:
        player = noticing()
        assert player.reply(told(1, 3)).text != SCRIPT.later[0]
        assert player.reply(told(1, 3)).text == SCRIPT.later[0]

    def test_a_report_that_fits_and_one_of_something_else_are_fine(self) -> None:
        assert noticing().reply(told(1, 2)).text == SCRIPT.later[0]
        assert noticing().reply(told(0, 3)).text == SCRIPT.later[0]

    def test_it_ends_whatever_an_agent_repeats(self) -> None:
        player = noticing()
        words = [player.reply(told(1, 3)).word for _ in range(4)]
        assert words == [*[Control.CONTINUE] * 3, Control.STOP]
