"""CAR over HTTP with agents, users and judges that send whatever a wire can carry.

What the agent writes is the agent's: its trial is scored. Nothing that anybody writes takes a run's log away.
"""

import json

import pytest

from car_conversations import line, vote
from car_people import Drive, Habit, always
from doubles.endpoint import CallTools, Reply, Request, Say, ToolCall
from knowact.core.record import Outcome
from knowact.engine.outputs import is_json
from knowact.suites.car.records import BROKEN, SUCCESS
from running import knowact

pytestmark = pytest.mark.slow

PAGE = "</script><img src=x onerror=\"document.title='pwned'\">"
DEEP = "[" * 100_000 + "]" * 100_000
HALF = "\ud800"
NAMES = ("half a pair", "escapes", "markup")


def once(reply: Reply) -> Habit:
    """A reply to the user's first message; after that it only talks."""
    return lambda request: Say("There you go.") if request.rounds else reply


def is_the_agents(drive: Drive) -> None:
    """It was scored, with code 0, and has failed."""
    ran = drive()
    assert ran.code == 0, ran.said
    assert drive.record.value(SUCCESS) == 0
    assert drive.record.outcomes["conversation"] in {Outcome.ANSWERED, Outcome.LIMIT}
    assert "\x1b" not in ran.said


ARGUMENTS: dict[str, str] = {
    "a number that is none": '{"level": NaN}',
    "401 digits": '{"level": 1' + "0" * 400 + "}",
    "5001 digits": '{"level": 1' + "0" * 5000 + "}",
    "5001 digits without braces": "1" + "0" * 5000,
    "5001 digits in base 16": "0x1" + "f" * 5000,
    "very deep": f'{{"level": {DEEP}}}',
    "half a pair": '{"level": "\\ud800", "\\udfff": 1}',
    "a list": "[1, 2]",
    "an impossible date": "2026-13-45",
    "a date": "2026-03-31",
    "bytes": "!!binary aGVsbG8=",
    "a set": "!!set {a, b}",
    "numbers as names": "1: 2",
    "a knot": "&a [*a]",
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_that_are_none_are_the_agents_fault(drive: Drive, name: str) -> None:
    drive.wheel.agent = once(CallTools((ToolCall("set_fan_speed", ARGUMENTS[name]),)))
    is_the_agents(drive)


def test_the_call_that_the_engine_stumbles_over_keeps_its_name(drive: Drive) -> None:
    drive.wheel.agent = once(CallTools((ToolCall("set_fan_speed", ARGUMENTS["5001 digits"]),)))
    is_the_agents(drive)
    assert drive.record.used == {"set_fan_speed"}
    assert drive.record.value("r_tool_execution") == 0


@pytest.mark.parametrize("words", [f"{HALF} and \udfff", "\x1b[2J\x1b]0;pwned\x07 \x00", PAGE], ids=NAMES)
def test_words_and_names_that_no_log_or_page_can_hold(drive: Drive, words: str) -> None:
    drive.wheel.agent = lambda request: (
        Say(words) if request.rounds else CallTools((ToolCall(words, json.dumps({words: words})),), words)
    )
    is_the_agents(drive)
    out = drive.folder / "report"
    assert knowact(drive.capsys, "report", drive.folder, "--out", out).code == 0
    assert "<img src=x" not in (out / "index.html").read_text("utf-8")


def test_thousands_of_calls_in_one_message(drive: Drive) -> None:
    drive.wheel.agent = once(CallTools((ToolCall("get_fuel_information"),) * 2_000))
    is_the_agents(drive)
    assert drive.record.calls == 2_000


@pytest.mark.parametrize("text", [f"Hello {HALF}, open the roof.", "Hello \x00\x1b[2J", PAGE], ids=NAMES)
def test_a_user_who_spells_out_what_no_log_can_hold(drive: Drive, text: str) -> None:
    drive.wheel.user = always(Say(line(text)))
    drive.wheel.agent = always(Say("There you go."))
    drive()
    assert BROKEN not in drive.record.flags


@pytest.mark.parametrize("why", [HALF, "\x00\x1b[2J", PAGE], ids=NAMES)
def test_a_judge_who_spells_out_what_no_log_can_hold(drive: Drive, why: str) -> None:
    def judge(request: Request) -> Reply | None:
        return Say(vote("followed", why)) if "You check one rule" in request.conversation else None

    drive.wheel.judge = judge
    ran = drive()
    assert ran.code == 0, ran.said
    assert drive.record.value(SUCCESS) == 1


@pytest.mark.parametrize(
    ("value", "good"),
    [
        ({"a": [1, 2.5, None, True, {"b": "c"}]}, True),
        ({"a": float("nan")}, True),
        ({1: 2}, False),
        ([{"a": {2: 3}}], False),
        (b"x", False),
        ({"a"}, False),
        (10**4_000, True),
        (10**5_000, False),
    ],
    ids=range(8),
)
def test_what_json_is(value: object, good: bool) -> None:  # noqa: FBT001 - a test's own
    assert is_json(value) is good
