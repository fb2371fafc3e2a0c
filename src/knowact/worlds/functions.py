"""A world of typed functions: the shortest way to a small world of one's own.

A tool is a function. Its first parameter is the state, a dictionary of JSON values; its other ones, which
the docstring explains under "Args:", are what an agent may say. It returns a JSON value, or raises `Refusal`,
and then nothing has happened.
"""

import copy
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pydantic import JsonValue

from knowact.core.errors import suggest
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Problem
from knowact.worlds.typed.schema import description, parameters_of
from knowact.worlds.typed.validate import argument_complaints

State: TypeAlias = dict[str, JsonValue]
ToolFunction: TypeAlias = Callable[..., JsonValue]


class Refusal(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A tool cannot do what it was asked to.

    Args:
        message: One sentence for the agent.
        code: "not_found", "conflict" or "bad_arguments".
        fix: What would be right, where that can be said.
    """

    def __init__(self, message: str, code: str = "conflict", fix: str = "") -> None:
        self.problem = Problem(code, message, fix)
        super().__init__(message)


class FunctionState:
    """One trial's view of a world of functions. See `core.world.WorldState`."""

    def __init__(self, world: "FunctionWorld", state: State) -> None:
        self._world, self._state = world, state

    def tools(self) -> Sequence[Tool]:
        """Every tool of the world, in a fixed order."""
        return self._world.tools

    def call(self, call: Call) -> Observation:
        """Carry out a call: validate, run, and undo everything if the tool refuses."""
        names = [tool.name for tool in self._world.tools]
        if call.tool not in names:
            message = f"There is no tool named {call.tool!r}."
            return Observation(problem=Problem("unknown_tool", message, suggest(call.tool, names)))
        place = names.index(call.tool)
        if call.arguments is None:
            return Observation(problem=Problem("bad_arguments", "The arguments could not be read."))
        if wrong := argument_complaints(call.arguments, self._world.tools[place].parameters):
            return Observation(problem=Problem("bad_arguments", f"{call.tool}: {'; '.join(wrong)}"))
        state = copy.deepcopy(self._state)
        try:
            value = self._world.functions[place](state, **call.arguments)
        except Refusal as refusal:
            return Observation(problem=refusal.problem)
        self._state = state
        return Observation(value)

    def context(self) -> Mapping[str, str]:
        """What the world shows beside the request."""
        return self._world.shows

    def snapshot(self) -> Mapping[str, JsonValue]:
        """The state as JSON."""
        return copy.deepcopy(self._state)

    def digest(self) -> str:
        """A short hash of the state."""
        text = json.dumps(self._state, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class FunctionWorld:
    """A world whose tools are functions. See `core.world.World`.

    Attributes:
        name: As `WorldRef.name` has it.
        start: The state at the start; a task's setup takes the place of its entries.
        functions: The tools.
        shows: What the agent is shown beside the request (date, place).
    """

    name: str
    start: Mapping[str, JsonValue]
    functions: Sequence[ToolFunction]
    shows: Mapping[str, str] = field(default_factory=dict[str, str])
    tools: tuple[Tool, ...] = field(init=False)
    deterministic: bool = field(init=False, default=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tools", tuple(map(tool_of, self.functions)))

    def open(self, setup: Mapping[str, JsonValue], seed: int) -> FunctionState:  # noqa: ARG002 - nothing is random
        """Open a session; the seed has no effect."""
        return FunctionState(self, copy.deepcopy({**self.start, **setup}))


def tool_of(function: ToolFunction) -> Tool:
    """What an agent sees of a function: its name, its docstring, and the schema of its parameters."""
    return Tool(
        name=function.__name__,
        description=description(function),
        parameters=parameters_of(function),
    )
