"""Replay: published tasks with recorded tool outputs.

A recording is found by the tool's name alone (spec kapro.md, section 7): the published data hold one
output per tool, whatever was asked. So a replayed pass says less than an executed one; the suites'
pages say so. A tool without a recording answers `no_recording`, which is counted, never an empty text
that looks like a result (spec, section 13.11).
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Problem


@dataclass(frozen=True, slots=True)
class ReplaySession:
    """One trial's view: fixed tools, fixed outputs, no state."""

    catalogue: tuple[Tool, ...]
    recordings: Mapping[str, str]
    silent_gaps: bool = False

    def tools(self) -> Sequence[Tool]:
        """The task's own tools."""
        return self.catalogue

    def call(self, call: Call) -> Observation:
        """Return the recording of the tool, whatever the arguments."""
        found = self.recordings.get(call.tool)
        if found is not None:
            return Observation(found)
        if all(tool.name != call.tool for tool in self.catalogue):
            return Observation(problem=Problem("unknown_tool", f"There is no tool named {call.tool!r}."))
        if self.silent_gaps:
            return Observation("")
        return Observation(
            problem=Problem("no_recording", f"No output of {call.tool!r} was recorded for this task.")
        )

    def context(self) -> Mapping[str, str]:
        """Published tasks show nothing beside the query."""
        return {}

    def snapshot(self) -> Mapping[str, Any]:
        """Nothing ever changes."""
        return {}

    def digest(self) -> str:
        """A constant: there is no state."""
        return hashlib.sha256(json.dumps({}).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class ReplayWorld:
    """Opens sessions from a task's own setup: `{"tools": [Tool...], "recordings": {name: text}}`.

    Args:
        silent_gaps: Answer with an empty text where nothing was recorded, as the published runner
            does (`--rules published` only).
    """

    silent_gaps: bool = False
    name: str = "replay"
    deterministic: bool = True

    def open(self, setup: Mapping[str, Any], seed: int) -> ReplaySession:  # noqa: ARG002 - nothing is random
        """Open a session; the seed has no effect."""
        tools = tuple(Tool.model_validate(tool) for tool in cast("Sequence[Any]", setup.get("tools", ())))
        return ReplaySession(tools, cast("Mapping[str, str]", setup.get("recordings", {})), self.silent_gaps)
