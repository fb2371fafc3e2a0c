"""The everyday world: offline, deterministic, simulated where it must be live or private."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Problem
from knowact.worlds.everyday.catalogue import OPERATIONS, TOOLS
from knowact.worlds.everyday.contract import Operation, Refusal, near
from knowact.worlds.everyday.state import State, canonical
from knowact.worlds.typed.validate import argument_complaints


class EverydaySession:
    """One trial's view of the everyday world. See `core.world.Session`."""

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
        if call.arguments is None:
            return Observation(
                problem=Problem(
                    "bad_arguments",
                    "The arguments could not be read.",
                    "Send one JSON object with the arguments.",
                )
            )
        schema = operation.tool.parameters
        # A null for something that may be left out says that it is left out.
        arguments = {
            name: value
            for name, value in call.arguments.items()
            if value is not None or name in operation.tool.required
        }
        wrong = argument_complaints(arguments, schema)
        if wrong:
            takes = ", ".join(operation.tool.properties) or "nothing"
            message = f"{call.tool}: {'; '.join(wrong)}"
            return Observation(problem=Problem("bad_arguments", message, f"It takes: {takes}."))
        return self._run(operation, arguments)

    def context(self) -> Mapping[str, str]:
        """The moment, the home and the locale."""
        return self._state.context()

    def snapshot(self) -> Mapping[str, Any]:
        """The state as JSON."""
        return self._state.snapshot()

    def digest(self) -> str:
        """A short hash of the snapshot."""
        return hashlib.blake2b(canonical(self.snapshot()).encode(), digest_size=8).hexdigest()

    def _run(self, operation: Operation, arguments: Mapping[str, Any]) -> Observation:
        mark = self._state.mark() if operation.writes else None
        try:
            return Observation(operation.run(self._state, **_typed(operation.tool, arguments)))
        except Refusal as refusal:
            if mark is not None:
                self._state.restore(mark)
            return Observation(problem=refusal.problem)


class EverydayWorld:
    """The world that everyday tools live in. See `core.world.World`."""

    name: str = "everyday"
    version = "0"
    """Raised whenever a result of any call may differ from before."""
    deterministic: bool = True

    def open(self, setup: Mapping[str, Any], seed: int) -> EverydaySession:
        """Open a session; nothing is generated before it is asked for.

        Args:
            setup: Overrides, see `State`.
            seed: What everything live or private is drawn from.

        Raises:
            BadUsage: The setup has an unknown key or a wrong value.
        """
        return EverydaySession(State(setup, seed))


def _typed(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Turn 3.0 into 3 where a whole number is asked for: JSON does not tell them apart."""
    return {
        name: int(value) if tool.properties[name].get("type") == "integer" else value
        for name, value in arguments.items()
    }
