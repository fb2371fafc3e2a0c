"""`--agent py:module:function`, or `agent=function` from Python: a function of one's own as the agent.

    async def agent(messages, tools) -> str | Reply

`messages` are objects with `role` and `content` ("system", "user", "assistant", "tool"; earlier calls under
`tool_calls`), as the chat API has them; `tools` are `AgentTool`s, none where a question is asked. In
conversations it is called once per turn, with the whole dialogue. A plain function is run in a thread.
"""

import asyncio
import importlib
import inspect
import sys
from collections.abc import Awaitable, Callable, Sequence
from operator import attrgetter
from pathlib import Path
from threading import Thread
from typing import Any, Final, TypeAlias

from knowact.agents.outside.reply import AgentFunction, AgentTool, ChatTurn, Reply, agent_tool
from knowact.agents.outside.session import AgentSession
from knowact.core.errors import BadUsage, loading
from knowact.core.schema import Schema
from knowact.roles.desk import OfferedTool

UncheckedFunction: TypeAlias = Callable[..., Any]
"""Somebody's own function as it was found; `_reply` checks what it gives."""


_GIVEN: Final[dict[str, UncheckedFunction]] = {}
"""Functions that were given as such to this process, by the specifications that name them in logs."""


def keep(function: AgentFunction) -> str:
    """Keep a function for the runs of this process; return the `module:function` by which `load` has it."""
    module = function.__module__
    if module == "__main__":
        # A script is known by its file's name: two of them may keep their logs in one folder.
        module = Path(getattr(sys.modules[module], "__file__", None) or module).stem
    spec = f"{module}:{getattr(function, '__qualname__', type(function).__qualname__)}"
    _GIVEN[spec] = function
    return spec


def lasting(function: AgentFunction) -> bool:
    """Whether a function's module has it under its name, so that the same name means the same another time.

    A lambda, what another function made, a method and an object do not last: each has the name of others.
    """
    holder: object = sys.modules.get(function.__module__)
    for part in getattr(function, "__qualname__", "").split("."):
        holder = getattr(holder, part, None)
    return holder is function


def load(spec: str) -> UncheckedFunction:
    """The function that was given as `module:function`, else the one of a module, which is imported.

    Modules of the working folder are found.

    Raises:
        BadUsage: There is no such module or function, or importing it fails.
    """
    module, colon, name = spec.partition(":")
    if not (module and colon and name):
        raise BadUsage(f"An agent in Python is named py:module:function, not 'py:{spec}'.")
    if spec in _GIVEN:
        return _GIVEN[spec]
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    with loading(f"The agent py:{spec}", f"Check the name and {here}."):
        function = attrgetter(name)(importlib.import_module(module))
    if not callable(function):
        raise BadUsage(f"The agent py:{spec} is not a function, but {type(function).__name__!r}.")
    return function


def turn(
    function: UncheckedFunction, messages: Sequence[ChatTurn], tools: Sequence[OfferedTool]
) -> Callable[[AgentSession], Awaitable[Reply]]:
    """One turn of a function, to be run behind a session."""

    async def run(session: AgentSession) -> Reply:
        if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)  # noqa: B004 - an object whose call is a coroutine
        ):
            return _reply(await function(list(messages), _callable(tools, session.call)))
        return _reply(await _in_thread(function, messages, tools, session))

    return run


def _callable(
    tools: Sequence[OfferedTool], call: Callable[[str, Schema], Awaitable[str]] | Callable[[str, Schema], str]
) -> list[AgentTool]:
    return [agent_tool(tool.name, tool.description, tool.parameters, call) for tool in tools]


async def _in_thread(
    function: UncheckedFunction,
    messages: Sequence[ChatTurn],
    tools: Sequence[OfferedTool],
    session: AgentSession,
) -> object:
    """Run a plain function in a thread that keeps no process alive: a hang must not outlive the run."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[object] = loop.create_future()

    def call(name: str, arguments: Schema) -> str:
        return asyncio.run_coroutine_threadsafe(session.call(name, arguments), loop).result()

    def end(result: object, error: Exception | None = None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def work() -> None:
        outcome: tuple[object, Exception | None]
        try:
            outcome = function(list(messages), _callable(tools, call)), None
        except BaseException as error:  # noqa: BLE001 - it is handed on
            # A future takes no StopIteration.
            outcome = None, error if isinstance(error, Exception) else RuntimeError(repr(error))
        if not loop.is_closed():
            loop.call_soon_threadsafe(end, *outcome)

    Thread(target=work, daemon=True, name=session.name).start()
    result = await done
    return await result if inspect.isawaitable(result) else result


def _reply(result: object) -> Reply:
    """What a function returned, as a reply.

    Raises:
        TypeError: It is neither a text nor a `Reply`: the agent's fault.
    """
    if isinstance(result, Reply):
        return result
    if result is not None and not isinstance(result, str):
        raise TypeError(f"the agent returned {type(result).__name__}, not a text or a Reply")
    return Reply(result or "")
