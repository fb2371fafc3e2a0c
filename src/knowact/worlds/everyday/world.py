"""The everyday world: offline, deterministic, simulated where it must be live or private."""

import hashlib
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Problem
from knowact.worlds.everyday.catalogue import OPERATIONS, TOOLS
from knowact.worlds.everyday.contract import Operation, Refusal, near
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.validate import UNREADABLE, arguments_of, whole_where_asked, wrong_arguments


class EverydayState:
    """One trial's view of the everyday world. See `core.world.WorldState`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def tools(self) -> Sequence[Tool]:
        """Every tool of the world, in a fixed order."""
        return TOOLS

    def call(self, call: Call) -> Observation:
        """Carry out a call: validate, run, and undo everything if the tool refuses."""
        operation = OPERATIONS.get(call.tool)
        if operation is None:
            message = f"There is no tool named {call.tool!r}."
            return Observation(problem=Problem("unknown_tool", message, near(call.tool, OPERATIONS)))
        arguments = arguments_of(call, operation.tool)
        if arguments is None:
            return Observation(problem=UNREADABLE)
        if wrong := wrong_arguments(operation.tool, arguments):
            return Observation(problem=wrong)
        return self._run(operation, arguments)

    def context(self) -> Mapping[str, str]:
        """The moment, the home and the locale."""
        return self._state.context()

    def snapshot(self) -> Mapping[str, JsonValue]:
        """The state as JSON."""
        return self._state.snapshot()

    def digest(self) -> str:
        """A short hash of the snapshot."""
        return hashlib.blake2b(self._state.text().encode(), digest_size=8).hexdigest()

    def _run(self, operation: Operation, arguments: Mapping[str, JsonValue]) -> Observation:
        mark = self._state.mark() if operation.writes else None
        try:
            result = operation.run(self._state, **whole_where_asked(operation.tool, arguments))
        except Refusal as refusal:
            if mark is not None:
                self._state.restore(mark)
            return Observation(problem=refusal.problem)
        return Observation(result.json())


class EverydayWorld:
    """The world that everyday tools live in. See `core.world.World`."""

    name: str = "everyday"
    version = "0"
    """Raised whenever a result of any call may differ from before."""
    deterministic: bool = True

    def open(self, setup: Mapping[str, JsonValue], seed: int) -> EverydayState:
        """Open a session; nothing is generated before it is asked for.

        Args:
            setup: Overrides, see `State`.
            seed: What everything live or private is drawn from.

        Raises:
            BadUsage: The setup has an unknown key or a wrong value.
        """
        return EverydayState(State(setup, seed))
