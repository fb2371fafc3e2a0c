"""`--agent solver:file.py@name --model M`: a solver or an agent of the engine, which asks the model M.

It finds the dialogue in `state.messages` and our tools in `state.tools`; questions are asked without tools.
Frameworks that the agent bridge of the engine wraps come this way, too. Its reply is the output, or the last
message of the assistant where it set none.
"""

import importlib.util
import inspect
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Literal, ParamSpec, Unpack, cast

from inspect_ai.agent import Agent, as_solver
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    GenerateConfigArgs,
    Model,
    ModelName,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState
from inspect_ai.tool import ToolDef, ToolInfo
from pydantic import JsonValue

from knowact.agents.outside.reply import AgentUnavailable, Reply
from knowact.agents.outside.session import AgentSession
from knowact.core.errors import BadUsage, loading
from knowact.engine.budget import BUDGET
from knowact.engine.compat import with_active_model
from knowact.engine.outputs import guarded

P = ParamSpec("P")


def load(spec: str) -> Callable[[], Solver]:
    """Find a solver or an agent in a file: `file.py@name`; return what makes it anew for each turn.

    Raises:
        BadUsage: There is no such file or name, importing it fails, or it is neither.
    """
    file, at, name = spec.rpartition("@")
    if not (file and at and name):
        raise BadUsage(f"A solver is named solver:file.py@name, not 'solver:{spec}'.")
    path = Path(file)
    module_spec = importlib.util.spec_from_file_location(path.stem, path) if path.is_file() else None
    if module_spec is None or module_spec.loader is None:
        raise BadUsage(f"There is no Python file {file!r} with the solver {name!r}.")
    module = importlib.util.module_from_spec(module_spec)
    with loading(f"The solver {name!r} of {file}", "Check file and name."):
        module_spec.loader.exec_module(module)
        factory: Callable[[], Agent | Solver] = getattr(module, name)

    def make() -> Solver:
        made = factory()
        # An agent of the engine takes its state alone; a solver takes what generates, too.
        is_solver = "generate" in inspect.signature(made).parameters
        return cast("Solver", made) if is_solver else as_solver(cast("Agent", made))

    with loading(f"The solver {name!r} of {file}", "It must make a solver or an agent without arguments."):
        make()
    return make


def turn(
    make: Callable[[], Solver], asks: str, messages: Sequence[ChatMessage], tools: Sequence[ToolInfo]
) -> Callable[[AgentSession], Awaitable[Reply]]:
    """One turn of a solver, to be run behind a session; `asks` names the model that it asks."""

    async def run(session: AgentSession) -> Reply:
        if not asks:
            raise BadUsage("A solver asks a model: name it by --model.")
        request = next((message.text for message in reversed(messages) if message.role == "user"), "")
        # One of its own: what a judge of the same name is asked is counted where it is asked.
        async with get_model(asks, memoize=False) as own:
            model = _charged(guarded(own))
            state = TaskState(ModelName(model), session.name, 1, request, list(messages))
            state.tools = [_offered(tool, session).as_tool() for tool in tools]
            with with_active_model(model):
                done = await make()(state, _generating(model))
        return Reply(_words(done, len(messages)))

    return run


def _offered(tool: ToolInfo, session: AgentSession) -> ToolDef:
    async def execute(**arguments: JsonValue) -> str:
        return await session.call(tool.name, arguments)

    return ToolDef(execute, name=tool.name, description=tool.description, parameters=tool.parameters)


def _generating(model: Model) -> Generate:
    """What a solver generates with: the model in a loop over tools, as the engine's own does."""

    async def generate(
        state: TaskState,
        tool_calls: Literal["loop", "single", "none"] = "loop",
        **config: Unpack[GenerateConfigArgs],
    ) -> TaskState:
        settings = GenerateConfig.model_validate(
            {name: value for name, value in config.items() if name in GenerateConfig.model_fields}
        )
        if tool_calls == "loop":
            added, state.output = await model.generate_loop(state.messages, state.tools, settings)
            state.messages.extend(added)
        else:
            state.output = await model.generate(state.messages, state.tools, config=settings)
            state.messages.append(state.output.message)
        return state

    return generate


def _charged(model: Model) -> Model:
    """The model itself; its calls count against the cost limit, and its failures are not the solver's."""
    cast("Any", model).generate = _charging(model.generate)
    return model


def _charging(ask: Callable[P, Awaitable[ModelOutput]]) -> Callable[P, Awaitable[ModelOutput]]:
    async def generate(*args: P.args, **kwargs: P.kwargs) -> ModelOutput:
        try:
            BUDGET.check()
            output = await ask(*args, **kwargs)
        except Exception as error:
            raise AgentUnavailable(f"{type(error).__name__}: {error}") from error
        BUDGET.charge(output)
        return output

    return generate


def _words(state: TaskState, before: int) -> str:
    reply = state.output.completion if state.output.choices else ""
    if reply.strip():
        return reply
    added = [message.text for message in state.messages[before:] if message.role == "assistant"]
    return next((text for text in reversed(added) if text.strip()), "")
