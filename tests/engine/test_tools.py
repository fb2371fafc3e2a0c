"""Tools as the engine calls them: what came of each call of a message."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from inspect_ai.model import ChatMessageAssistant, execute_tools
from inspect_ai.tool import ToolCall

from knowact.core.declared import Declared
from knowact.engine.outputs import InstrumentFailure
from knowact.engine.tools import ASK, AskHuman, ToolRunner
from knowact.probes.probe import Help
from knowact.roles.helper import HelperAnswer
from knowact.worlds.car.world import CarWorld
from knowact.worlds.functions import FunctionWorld

RIGHT = ToolCall(id="call_0", function="set_fan_speed", arguments={"level": 2})
WRONG = ToolCall(id="call_0", function="set_fan_speed", arguments={"speed": 2})


@pytest.mark.parametrize("calls", [[RIGHT, WRONG], [WRONG, RIGHT], [WRONG, RIGHT, RIGHT, WRONG]])
def test_calls_that_share_an_id_are_told_apart_by_their_order(calls: list[ToolCall]) -> None:
    session = CarWorld().open({}, 0)
    bench = ToolRunner(session, session.tools())
    message = ChatMessageAssistant(content="", tool_calls=calls)
    answered = asyncio.run(execute_tools([message], bench.wanted(calls)))
    found = [one.problem for one in bench.made(calls, answered.messages)]
    assert found == ["" if call is RIGHT else "bad_arguments" for call in calls]


BREAKS = [
    TimeoutError("no answer"),
    FileNotFoundError(2, "No such file", "prices.json"),
    PermissionError(13, "Permission denied"),
    IsADirectoryError(21, "Is a directory"),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    ConnectionResetError("gone"),
]
"""What the engine would tell the agent as if its call had been wrong, and an error that it lets through."""


def _called(runner: ToolRunner, name: str, arguments: dict[str, Any]) -> None:
    calls = [ToolCall(id="call_0", function=name, arguments=arguments)]
    message = ChatMessageAssistant(content="", tool_calls=calls)
    asyncio.run(execute_tools([message], runner.wanted(calls)))


def _breaking(error: Exception) -> Callable[..., Any]:
    def look_up(state: dict[str, Any]) -> str:
        """Look up the price."""
        raise error

    return look_up


@pytest.mark.parametrize("error", BREAKS, ids=lambda one: type(one).__name__)
def test_a_tool_that_breaks_is_no_wrong_call_of_the_agent(error: Exception) -> None:
    session = FunctionWorld("shop", {}, [_breaking(error)]).open({}, 0)
    with pytest.raises(InstrumentFailure, match=type(error).__name__):
        _called(ToolRunner(session, session.tools()), "look_up", {})


@pytest.mark.parametrize("error", BREAKS, ids=lambda one: type(one).__name__)
def test_a_person_whose_model_breaks_has_refused_no_question(error: Exception) -> None:
    async def person(question: str, declared: Declared | None) -> HelperAnswer:
        raise error

    session = CarWorld().open({}, 0)
    asking = AskHuman(Help(most=1), person, None)
    with pytest.raises(InstrumentFailure, match=type(error).__name__):
        _called(ToolRunner(session, session.tools(), asking), ASK, {"question": "Which one?"})
    assert asking.put == []
