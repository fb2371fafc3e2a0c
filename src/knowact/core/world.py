"""Worlds: where calls have results.

`World.open(setup, seed)` gives a `WorldState`, which belongs to one trial. A tool's error is a result:
nothing that an agent writes makes `call` raise.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from knowact.core.tool import Tool


@dataclass(frozen=True, slots=True)
class Call:
    """What an agent asks for. `arguments` is None when it could not be read at all."""

    tool: str
    arguments: Mapping[str, Any] | None = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a call has no value.

    Attributes:
        code: `unknown_tool`, `bad_arguments`, `not_found`, `conflict`, `no_recording`; of services that fail
            `unavailable`, `gone`, `server_error`, `timeout`.
        message: One sentence for the agent.
        fix: What would be right, where that can be said.
    """

    code: str
    message: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """What comes back: a JSON value, or a problem."""

    value: Any = None
    problem: Problem | None = None

    @property
    def ok(self) -> bool:
        """Whether the call did what it was asked to."""
        return self.problem is None

    def text(self) -> str:
        """What the agent sees: text as it is, everything else as JSON."""
        if self.problem is not None:
            shape = {"code": self.problem.code, "message": self.problem.message}
            if self.problem.fix:
                shape["fix"] = self.problem.fix
            return json.dumps({"error": shape}, ensure_ascii=False)
        return self.value if isinstance(self.value, str) else json.dumps(self.value, ensure_ascii=False)


class WorldState(Protocol):
    """One trial's view of a world."""

    def tools(self) -> Sequence[Tool]:
        """The tools that exist here, in a fixed order."""
        ...

    def call(self, call: Call) -> Observation:
        """Carry out a call. Never raises for what an agent wrote."""
        ...

    def context(self) -> Mapping[str, str]:
        """What the agent is shown beside the query, in every probe (date, place, locale, home)."""
        ...

    def snapshot(self) -> Mapping[str, Any]:
        """The mutable state as JSON; two equal states give equal snapshots."""
        ...

    def digest(self) -> str:
        """A short hash of the snapshot."""
        ...


@runtime_checkable
class Answering(Protocol):
    """A world whose sessions somebody else's process may answer."""

    def ready(self) -> None:
        """Make sure that it does answer, and as it did when its tools were read.

        Raises:
            Unreachable: It does not.
        """
        ...


@runtime_checkable
class Outside(Protocol):
    """A session that somebody else's process may answer.

    Its `call` blocks, so it belongs into a thread where others must not wait; it raises
    `core.errors.Unreachable` where that process does not do its part.
    """

    @property
    def waits(self) -> bool:
        """Whether calls do wait for somebody else."""
        ...

    def close(self) -> None:
        """Let go of what was started for this session; a second time does nothing."""
        ...


class World(Protocol):
    """A place that sessions are opened in."""

    @property
    def name(self) -> str:
        """As `WorldRef.name` has it."""
        ...

    @property
    def deterministic(self) -> bool:
        """Whether equal setup, seed and calls give equal results."""
        ...

    def open(self, setup: Mapping[str, Any], seed: int) -> WorldState:
        """Open a session; `setup` comes from the task, `seed` from the data set."""
        ...
