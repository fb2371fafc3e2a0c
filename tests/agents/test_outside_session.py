"""An agent behind a session: calls become messages, results come back, and nothing is left behind."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from knowact.agents.outside.reply import AgentUnavailable, Reply, agent_tool
from knowact.agents.outside.session import AgentSession, Ended, PendingCall

Turn = Callable[[AgentSession], Awaitable[Reply]]


def run(
    turn: Turn, answer: Callable[[PendingCall], str] = lambda one: one.tool, seconds: float = 600
) -> tuple[list[list[str]], Ended]:
    """Play the engine: carry out each batch, until the turn is over."""

    async def play() -> tuple[list[list[str]], Ended]:
        session = AgentSession(turn, seconds)
        batches: list[list[str]] = []
        while True:
            made = await session.move()
            if isinstance(made, Ended):
                return batches, made
            batches.append([one.tool for one in made])
            session.take({one.id: answer(one) for one in made})

    return asyncio.run(play())


def test_calls_one_after_the_other_are_messages_of_their_own() -> None:
    async def turn(session: AgentSession) -> Reply:
        first = await session.call("one", {})
        return Reply(first + await session.call("two", {}))

    batches, ended = run(turn)
    assert batches == [["one"], ["two"]]
    assert ended == Ended(Reply("onetwo"))


def test_calls_at_the_same_time_are_one_message() -> None:
    async def turn(session: AgentSession) -> Reply:
        found = await asyncio.gather(*(session.call(name, {}) for name in "abc"))
        return Reply("".join(found))

    batches, ended = run(turn, lambda one: one.tool.upper())
    assert batches == [["a", "b", "c"]]
    assert ended.reply.text == "ABC"


def test_a_crash_and_a_hang_are_ends_of_their_own() -> None:
    async def crash(_session: AgentSession) -> Reply:
        raise KeyError("boom")

    async def hang(_session: AgentSession) -> Reply:
        await asyncio.sleep(600)
        return Reply("too late")

    assert (run(crash)[1].broke, run(crash)[1].why) == ("crash", "KeyError: 'boom'")
    assert run(hang, seconds=0.05)[1].broke == "time"


def test_the_time_of_calls_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    async def turn(session: AgentSession) -> Reply:
        await session.call("slow", {})
        return Reply("done")

    async def play() -> Sequence[PendingCall] | Ended:
        session = AgentSession(turn, 600)
        made = await session.move()
        assert not isinstance(made, Ended)
        loop = asyncio.get_running_loop()
        clock = loop.time
        monkeypatch.setattr(loop, "time", lambda: clock() + 1200)
        session.take({made[0].id: ""})
        return await session.move()

    assert asyncio.run(play()) == Ended(Reply("done"))


def test_what_it_depends_on_fails_as_an_instrument() -> None:
    async def turn(_session: AgentSession) -> Reply:
        raise AgentUnavailable("no network")

    with pytest.raises(AgentUnavailable, match="no network"):
        run(turn)


def test_a_session_that_is_closed_ends_its_agent() -> None:
    ended: list[str] = []

    async def turn(session: AgentSession) -> Reply:
        try:
            await session.call("one", {})
        finally:
            ended.append("ended")
        return Reply("")

    async def play() -> None:
        session = AgentSession(turn, 600)
        await session.move()
        session.close()
        for _ in range(3):
            await asyncio.sleep(0)

    asyncio.run(play())
    assert ended == ["ended"]


def test_a_result_that_nobody_waits_for_is_none() -> None:
    async def turn(session: AgentSession) -> Reply:
        return Reply(await session.call("one", {}))

    async def play() -> Sequence[PendingCall] | Ended:
        session = AgentSession(turn, 600)
        made = await session.move()
        assert not isinstance(made, Ended)
        session.take({"agent-0-0": "stray", made[0].id: "right"})
        session.take({made[0].id: "again"})
        return await session.move()

    assert asyncio.run(play()) == Ended(Reply("right"))


def test_a_tool_says_what_frameworks_look_for() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": ["integer", "null"]}, "a b": {}},
        "required": ["city"],
    }

    def call(name: str, arguments: object) -> Any:
        return name, arguments

    tool = agent_tool("forecast", "Tells the weather.", schema, call)
    assert str(inspect.signature(tool)) == "(*, city: str, days: Any = None) -> str"
    assert (getattr(tool, "__name__", ""), tool.__doc__) == ("forecast", "Tells the weather.")
    assert tool(city="Oslo") == ("forecast", {"city": "Oslo"})
    openai: Any = tool.openai
    assert openai["function"]["parameters"] == schema
