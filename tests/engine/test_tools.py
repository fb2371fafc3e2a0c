"""Tools as the engine calls them: what came of each call of a message."""

import asyncio

import pytest
from inspect_ai.model import ChatMessageAssistant, execute_tools
from inspect_ai.tool import ToolCall

from knowact.engine.tools import ToolRunner
from knowact.worlds.car.world import CarWorld

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
