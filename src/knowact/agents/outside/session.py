"""An agent that runs its own loop, behind the engine's: each call that it makes becomes a call of a message.

The engine asks for a message, and gets the calls that the agent waits for; it carries them out, as it does
any model's, and asks again; then the agent goes on with their results, until it answers in words. So rounds,
conditions, records, transcripts, users and resuming are the same for every kind of agent.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from pydantic import JsonValue

from knowact.agents.outside.reply import AgentUnavailable, Reply

SETTLING: Final = 5
"""Turns of the event loop in which further calls of an agent join those that it waits for already."""

_numbers = count(1)


@dataclass(slots=True)
class PendingCall:
    """A call that the agent waits for.

    Attributes:
        id: Unique in the process; the engine's message of the result has it.
        answered: The text of its result.
    """

    id: str
    tool: str
    arguments: Mapping[str, JsonValue]
    answered: "asyncio.Future[str]"


@dataclass(frozen=True, slots=True)
class Ended:
    """How an agent's turn ended.

    Attributes:
        reply: What it said last; empty where it broke off.
        broke: "crash" or "time" where it broke off, and why.
    """

    reply: Reply
    broke: str = ""
    why: str = ""


Start = Callable[["AgentSession"], Awaitable[Reply]]
"""Runs an agent's turn; it calls tools through the session."""


@dataclass(slots=True)
class AgentSession:
    """One turn of an agent: from what it is told to what it says.

    Attributes:
        start: The turn.
        seconds: How long the agent may take in all, the time of its calls left out.
    """

    start: Start
    seconds: float
    name: str = field(init=False)
    _task: "asyncio.Task[Reply] | None" = field(init=False, default=None)
    _waiting: list[PendingCall] = field(init=False, default_factory=list[PendingCall])
    _given: dict[str, PendingCall] = field(init=False, default_factory=dict[str, PendingCall])
    _stirred: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _left: float = field(init=False)

    def __post_init__(self) -> None:
        self.name = f"agent-{next(_numbers)}"
        self._left = self.seconds

    async def call(self, tool: str, arguments: Mapping[str, JsonValue]) -> str:
        """Call a tool, and return the text of its result; to be called by the agent, in the engine's loop."""
        answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        number = len(self._given) + len(self._waiting)
        self._waiting.append(PendingCall(f"{self.name}-{number}", tool, arguments, answered))
        self._stirred.set()
        return await answered

    def take(self, results: Mapping[str, str]) -> None:
        """Give the agent the results of its calls, by their ids."""
        for name, text in results.items():
            call = self._given.get(name)
            if call is not None and not call.answered.done():
                call.answered.set_result(text)

    async def move(self) -> Sequence[PendingCall] | Ended:
        """Let the agent go on until it calls tools or its turn is over.

        Raises:
            AgentUnavailable: The agent says that it can't work now; nothing is its fault.
        """
        if self._task is None:
            self._task = asyncio.ensure_future(self.start(self))
        loop = asyncio.get_running_loop()
        begun = loop.time()
        stirred = asyncio.ensure_future(self._stirred.wait())
        try:
            await asyncio.wait({self._task, stirred}, timeout=self._left, return_when="FIRST_COMPLETED")
        except asyncio.CancelledError:
            self.close()
            raise
        finally:
            stirred.cancel()
            self._left -= loop.time() - begun
        if self._stirred.is_set():
            return await self._batch()
        if not self._task.done():
            self.close()
            return Ended(Reply(""), "time", f"it took more than {self.seconds:g} seconds")
        return self._ended(self._task)

    async def _batch(self) -> Sequence[PendingCall]:
        """The calls that the agent waits for, once no further one joins them."""
        seen = -1
        while seen != len(self._waiting):
            seen = len(self._waiting)
            for _ in range(SETTLING):
                await asyncio.sleep(0)
        batch, self._waiting = self._waiting, []
        self._stirred.clear()
        self._given |= {call.id: call for call in batch}
        return batch

    def _ended(self, task: "asyncio.Task[Reply]") -> Ended:
        if task.cancelled():
            return Ended(Reply(""), "crash", "it was cancelled")
        error = task.exception()
        if isinstance(error, AgentUnavailable):
            raise error
        if error is not None:
            return Ended(Reply(""), "crash", f"{type(error).__name__}: {error}")
        return Ended(task.result())

    def close(self) -> None:
        """End the agent, wherever it is: its calls are over, and so is its task."""
        for call in (*self._waiting, *self._given.values()):
            if not call.answered.done():
                call.answered.cancel()
        if self._task is not None and not self._task.done():
            self._task.cancel()
