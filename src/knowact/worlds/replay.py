"""Published tasks with recorded outputs: by the tool's name (replay), or by tool and arguments (cassette).

Replay: the published KAPRO data hold one output per tool, whatever was asked. So a
replayed pass says less than an executed one; the suites' pages say so.

Cassettes: the published FAIL-TaLMs tasks call live services and come without recordings. If you have recorded
some, or written them, you play them here.

What was not recorded answers `no_recording`, which is counted, never an empty text that looks like a result.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from pydantic import Field, JsonValue, TypeAdapter, ValidationError, model_validator

from knowact.core.errors import BadUsage
from knowact.core.model import Noun
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Problem
from knowact.worlds.typed.validate import UNREADABLE


class Stateless:
    """What sessions of fixed outputs have in common: nothing to show beside the query, and no state."""

    __slots__ = ()

    def context(self) -> Mapping[str, str]:
        """Nothing is shown beside the query."""
        return {}

    def snapshot(self) -> Mapping[str, JsonValue]:
        """Nothing ever changes."""
        return {}

    def digest(self) -> str:
        """A constant: there is no state."""
        return hashlib.sha256(b"{}").hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _Recorded(Stateless):
    """One trial's view: fixed tools, fixed outputs, no state."""

    catalogue: tuple[Tool, ...]

    def tools(self) -> Sequence[Tool]:
        """The task's own tools."""
        return self.catalogue

    def _unknown(self, call: Call) -> Observation | None:
        if any(tool.name == call.tool for tool in self.catalogue):
            return None
        return Observation(problem=Problem("unknown_tool", f"There is no tool named {call.tool!r}."))


@dataclass(frozen=True, slots=True)
class ReplayState(_Recorded):
    """A task whose outputs are found by the tool's name."""

    recordings: Mapping[str, str]
    silent_gaps: bool = False

    def call(self, call: Call) -> Observation:
        """Return the recording of the tool, whatever the arguments."""
        recording = self.recordings.get(call.tool)
        if recording is not None:
            return Observation(recording)
        if unknown := self._unknown(call):
            return unknown
        if self.silent_gaps:
            return Observation("")
        message = f"No output of {call.tool!r} was recorded for this task."
        return Observation(problem=Problem("no_recording", message))


_TOOLS: Final = TypeAdapter(tuple[Tool, ...])
_RECORDINGS: Final = TypeAdapter(dict[str, str])


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

    def open(self, setup: Mapping[str, JsonValue], seed: int) -> ReplayState:  # noqa: ARG002 - nothing is random
        """Open a session; the seed has no effect."""
        tools = _TOOLS.validate_python(setup.get("tools", ()))
        return ReplayState(tools, _RECORDINGS.validate_python(setup.get("recordings", {})), self.silent_gaps)


LONGEST: Final = 127_000
"""Characters of a reply that an agent is shown, as in two of the three published pipelines (FAIL-TaLMs).
They count texts only; here every reply is counted as the agent would see it."""


class Reply(Noun):
    """What one call was answered. `arguments` is null where the reply is the same whatever the arguments."""

    tool: str = Field(min_length=1)
    arguments: Mapping[str, JsonValue] | None = None
    reply: JsonValue

    @property
    def key(self) -> tuple[str, str]:
        """Equal for equal calls."""
        return self.tool, canonical(self.arguments)


class Setup(Noun):
    """What a task's world is set up with."""

    tools: tuple[Tool, ...]
    replies: tuple[Reply, ...] = ()

    @model_validator(mode="after")
    def _one_reply_per_call(self) -> Self:
        first: dict[tuple[str, str], JsonValue] = {}
        for each in self.replies:
            if canonical(first.setdefault(each.key, each.reply)) != canonical(each.reply):
                raise ValueError(f"two replies to the same call of {each.tool!r} differ")
        return self


def canonical(value: JsonValue | Mapping[str, JsonValue]) -> str:
    """Return a JSON value as text; equal for equal values, whatever the order of names.

    1 and 1.0 are one number, as JSON has it; true is none.
    """
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: JsonValue | Mapping[str, JsonValue]) -> JsonValue:
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def shortened(reply: JsonValue, longest: int = LONGEST) -> JsonValue:
    """Return a reply as it is, or, where it is too long, the beginning of its text, which says so."""
    text = Observation(reply).text()
    if len(text) <= longest:
        return reply
    return f"{text[:longest]}\n[The reply was cut here: {longest:,} of {len(text):,} characters are shown.]"


@dataclass(frozen=True, slots=True)
class CassetteState(_Recorded):
    """A task whose replies are found by tool and arguments, as `Reply.key`."""

    replies: Mapping[tuple[str, str], JsonValue]

    def call(self, call: Call) -> Observation:
        """Return the reply to these very arguments, else the one to whatever arguments."""
        if unknown := self._unknown(call):
            return unknown
        if call.arguments is None:
            return Observation(problem=UNREADABLE)
        for arguments in (call.arguments, None):
            key = call.tool, canonical(arguments)
            if key in self.replies:
                return Observation(self.replies[key])
        message = f"No output of {call.tool!r} was recorded for these arguments."
        return Observation(problem=Problem("no_recording", message))


@dataclass(frozen=True, slots=True)
class CassetteWorld:
    """Opens sessions from a task's own setup, `{"tools": [Tool...], "replies": [Reply...]}`."""

    name: str = "cassette"
    deterministic: bool = True

    def open(self, setup: Mapping[str, JsonValue], seed: int) -> CassetteState:  # noqa: ARG002 - nothing is random
        """Open a session; the seed has no effect.

        Raises:
            BadUsage: The setup has another shape, or two replies to one call.
        """
        try:
            read = Setup.model_validate(setup)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"]) or "it"
            raise BadUsage(f"The setup of a cassette cannot be used: {where}: {first['msg']}.") from error
        return CassetteState(read.tools, {each.key: shortened(each.reply) for each in read.replies})
