"""The overlay: a session under a condition.

It hides, masks, replaces and fails what the condition says, in front of any session. An agent behind
it cannot tell a hidden tool from one that never was: every trace of what was taken away is gone from
the schemas and from the results.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Final

from pydantic import JsonValue

from knowact.core.condition import Condition, Fail, Failure, Mask, on_the_table
from knowact.core.tool import Capability, Tool
from knowact.core.world import Call, Observation, Outside, Problem, WorldState
from knowact.worlds.distort import distorted
from knowact.worlds.paths import is_within, members, schema_without, supplied, without_field


def masked(tool: Tool, parameters: frozenset[str], fields: frozenset[str]) -> Tool:
    """Return the tool without some parameters and result fields: schema and capability alike.

    Both are dotted paths, so that a part of a parameter can be taken away (`steps[].notes`); a parameter
    whose own name has dots is meant by that name.

    A parameter that the capability must be told is gone from `needs` too; whether the tool is still of
    any use is the prover's question (`core.closure.Means`), which looks at the unmasked capability.
    """
    if not parameters and not fields:
        return tool
    capability = tool.capability
    if capability is not None:
        capability = Capability(
            about=capability.about,
            needs=tuple(need for need in capability.needs if need.parameter not in parameters),
            reports=tuple(report for report in capability.reports if not _gone(report.field, fields)),
            changes=capability.changes,
            echoes=tuple(echo for echo in capability.echoes if not _gone(echo, fields)),
        )
    shown = dict(tool.parameters)
    if parameters:
        shown["properties"] = {k: v for k, v in tool.properties.items() if k not in parameters}
        shown["required"] = [name for name in tool.required if name not in parameters]
        shown = reduce(schema_without, parameters - set(tool.properties), shown)
    returns = None if tool.returns is None else reduce(schema_without, fields, tool.returns)
    return tool.model_copy(update={"parameters": shown, "returns": returns, "capability": capability})


def _gone(field: str, removed: frozenset[str]) -> bool:
    """Whether a field is one of those removed, or lies inside one."""
    return any(is_within(field, path) for path in removed)


@dataclass(frozen=True, slots=True)
class Overlay:
    """A session that offers exactly `offered`, changed as the condition says.

    Args:
        inner: The session underneath.
        condition: What is changed.
        offered: The tools on the table after the change, in the order shown (already masked).
        other: A session of the same world under another seed, for tools that report what is not so
            (`distort`); what is called here is called there too.
    """

    inner: WorldState
    condition: Condition
    offered: tuple[Tool, ...]
    other: WorldState | None = None
    _tools: Mapping[str, Tool] = field(init=False)
    _failing: Mapping[str, Fail] = field(init=False)

    def __post_init__(self) -> None:
        failing = {c.tool: c for c in self.condition.changes if isinstance(c, Fail)}
        object.__setattr__(self, "_tools", {tool.name: tool for tool in self.offered})
        object.__setattr__(self, "_failing", failing)

    def tools(self) -> Sequence[Tool]:
        """What the agent is offered."""
        return self.offered

    def call(self, call: Call) -> Observation:
        """Carry out a call as the condition allows."""
        tool = self._tools.get(call.tool)
        if tool is None:
            return Observation(problem=Problem("unknown_tool", f"There is no tool named {call.tool!r}."))
        failing = self._failing.get(call.tool)
        if failing is not None and failing.how != "wrong":
            return failed(tool, failing)
        masks = [c for c in self.condition.changes if isinstance(c, Mask) and c.tool == call.tool]
        for mask in masks:
            if mask.part == "parameter" and _names(call.arguments or {}, mask.name):
                message = f"The tool {call.tool!r} takes no argument {mask.name!r}."
                return Observation(problem=Problem("bad_arguments", message, "Leave it out."))
        seen = self.inner.call(call)
        there = self.other.call(call) if self.other is not None else None
        if seen.problem is not None and seen.problem.code == "unknown_tool":
            # It was put on the table from elsewhere (a distractor among replayed tools).
            message = f"No output of {call.tool!r} was recorded for this task."
            return Observation(problem=Problem("no_recording", message))
        if failing is not None:
            seen = _told_wrongly(tool, seen, there)
        if seen.problem is not None:
            return Observation(problem=_discreet(seen.problem, masks))
        value = seen.value
        for mask in masks:
            if mask.part == "result":
                value = without_field(value, mask.name)
        return Observation(value)

    def context(self) -> Mapping[str, str]:
        """Unchanged: context never names what was removed."""
        return self.inner.context()

    def snapshot(self) -> Mapping[str, JsonValue]:
        """The state underneath."""
        return self.inner.snapshot()

    def digest(self) -> str:
        """The digest underneath."""
        return self.inner.digest()

    @property
    def waits(self) -> bool:
        """Whether a call may wait for somebody else's process."""
        return isinstance(self.inner, Outside) and self.inner.waits

    def close(self) -> None:
        """Close the sessions underneath."""
        for session in (self.inner, self.other):
            if isinstance(session, Outside):
                session.close()


def _names(arguments: Mapping[str, JsonValue], path: str) -> bool:
    return path in arguments or supplied(arguments, path)


def _discreet(problem: Problem, masks: Sequence[Mask]) -> Problem:
    """Return a problem that does not name a parameter which is not there ("'level' is missing")."""
    words = set(re.findall(r"\w+", f"{problem.message} {problem.fix}"))
    parts = {mask.name.rpartition(".")[2] for mask in masks if mask.part == "parameter"}
    if not words & parts:
        return problem
    return Problem(problem.code, "The tool cannot do anything with these arguments.")


def _told_wrongly(tool: Tool, seen: Observation, there: Observation | None) -> Observation:
    """Return what a tool reports that does not tell the truth; refusals are true."""
    if not seen.ok:
        return seen
    value = distorted(tool, seen.value, there.value if there is not None and there.ok else None)
    if value != seen.value:
        return Observation(value)
    # Nothing in it could be made wrong, and a broken tool must not do its job.
    return failed(tool, Fail(tool=tool.name, how="server_error"))


def offered_under(
    task_offered: Sequence[str], tools: Mapping[str, Tool], condition: Condition
) -> tuple[Tool, ...]:
    """Return the tools on the table under a condition, masked, in the order shown.

    Args:
        task_offered: Names offered in the clean setting, in order.
        tools: All tools of the world and of the distractor pool, by name.
        condition: What is changed.

    Raises:
        Unfit: The condition does not go with what the task offers.
    """
    parameters: dict[str, set[str]] = {}
    fields: dict[str, set[str]] = {}
    for change in condition.changes:
        if isinstance(change, Mask):
            (parameters if change.part == "parameter" else fields).setdefault(change.tool, set()).add(
                change.name
            )
    return tuple(
        masked(tools[name], frozenset(parameters.get(name, ())), frozenset(fields.get(name, ())))
        for name in on_the_table(task_offered, condition)
    )


SECONDS: Final = 20
"""The longest that a function of the benchmark may take (FAIL-TaLMs)."""

_MESSAGES: Final[Mapping[Failure, str]] = {
    "gone": "410 Gone: this service was shut down and will not come back.",
    "server_error": "500 Internal Server Error: the service could not handle the request.",
    "timeout": f"The service did not answer within {SECONDS} seconds.",
}


def failed(tool: Tool, change: Fail) -> Observation:
    """Return what a call of the tool comes to, whatever its arguments.

    Args:
        tool: As it is offered, so that a half result names nothing that was masked.
        change: How it fails; anything but `wrong`.
    """
    if change.how == "wrong":
        raise ValueError("a tool that reports something wrong carries its calls out")
    if change.how == "empty":
        return Observation("")
    if change.how == "malformed":
        return Observation(_beginning(tool))
    return Observation(problem=Problem(change.how, _MESSAGES.get(change.how, change.message)))


def _beginning(tool: Tool) -> str:
    """The result of this tool as JSON, up to its first value."""
    text = ""
    for part in _first_field(tool).split("."):
        name = part.removesuffix("[]")
        text += f"{{{json.dumps(name, ensure_ascii=False)}: " if name else ""
        text += "[" if part.endswith("[]") else ""
    return text.rstrip()


def _first_field(tool: Tool) -> str:
    if tool.capability is not None and tool.capability.reports:
        return tool.capability.reports[0].field
    return next(iter(members((tool.returns or {}).get("properties"))), "result")
