"""Taking a tool, a parameter or a part of a result away from a car (CAR-bench).

What is removed is named by dotted paths, as published: `tool`, `tool.parameter` (and deeper), or
`result.tool.field` (and deeper). Paths step into lists without a sign of it; the schemas say where.

Under the definition, a removed part is not there: calls that use it are refused, and nothing happens. With a
reading goes what would tell it all the same: whether setting it has made a difference (`changed`).
In the published world it is only hidden: calls that use it are noted and carried out; a removed part of a
result reads `unknown`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pydantic import JsonValue

from knowact.core.condition import Change, Condition, Hide, Mask
from knowact.core.errors import BadUsage, suggest
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Problem
from knowact.worlds.car.session import CarState, Step
from knowact.worlds.overlay import Overlay, offered_under
from knowact.worlds.paths import members, replaced, supplied

REMOVED_TOOL: Final = "HALLUCINATION_ERROR_REMOVED_TOOL"
REMOVED_PARAMETER: Final = "HALLUCINATION_ERROR_REMOVED_PARAMETER"
"""The control words for using what is not there."""

UNKNOWN: Final = "unknown"
"""What the published world writes over a removed part of a result."""

_RESULT: Final = "result."

_RESHAPED: Final = tuple(
    (re.compile(published), ours)
    for published, ours in (
        (r"get_contact_information\.con_\d+", "get_contact_information.contacts"),
        (r"get_contact_id_by_contact_name\.matches\.con_\d+", "get_contact_id_by_contact_name.matches.name"),
        (r"get_contact_id_by_contact_name\.(id|name)", r"get_contact_id_by_contact_name.matches.\1"),
        (r"get_distance_by_soc\.distance_km_for_\w+", "get_distance_by_soc.distance_km"),
        (
            r"calculate_charging_time_by_soc\.time_from_\w+",
            "calculate_charging_time_by_soc.charging_times.minutes",
        ),
        (
            r"calculate_charging_soc_by_time\.soc_in_percent_after_\w+",
            "calculate_charging_soc_by_time.state_of_charge",
        ),
    )
)
"""Where published results have ids or arguments in the names of their fields, and ours don't."""


@dataclass(frozen=True, slots=True)
class Removed:
    """What was taken away.

    Attributes:
        paths: As the task names it.
        changes: The same, as a condition has it, one change for each path; then what would tell it all the
            same (`_telling`).
    """

    paths: tuple[str, ...]
    changes: tuple[Change, ...]

    def condition(self, name: str = "removed") -> Condition:
        """Return it as a condition, for any task."""
        return Condition(name=name, changes=self.changes, withheld=self.paths)

    @property
    def hidden(self) -> frozenset[str]:
        """The tools that are gone as a whole."""
        return frozenset(change.tool for change in self.changes if isinstance(change, Hide))

    def masked(self, tool: str, part: str) -> tuple[str, ...]:
        """Return the paths of what is gone of one tool's parameters (or of its "result")."""
        masks = (change for change in self.changes if isinstance(change, Mask))
        return tuple(mask.name for mask in masks if (mask.tool, mask.part) == (tool, part))

    def forbids(self, call: Call) -> str:
        """Return the control word for a call that uses what is gone; empty for any other."""
        if call.tool in self.hidden:
            return REMOVED_TOOL
        gone = self.masked(call.tool, "parameter")
        return REMOVED_PARAMETER if any(supplied(call.arguments, path) for path in gone) else ""


def removed(paths: Sequence[str], tools: Sequence[Tool]) -> Removed:
    """Read what a task has removed.

    Args:
        paths: Dotted paths.
        tools: The tools that there are without the removal.

    Raises:
        BadUsage: A path leads to nothing that any of the tools has.
    """
    by_name = {tool.name: tool for tool in tools}
    changes = tuple(_change(path, by_name) for path in paths)
    telling = (mask for mask in _telling(changes, by_name) if mask not in changes)
    return Removed(tuple(paths), (*changes, *telling))


def _telling(changes: Sequence[Hide | Mask], tools: Mapping[str, Tool]) -> Iterator[Mask]:
    """Yield what would tell a reading that was taken away: that setting it has changed it, or has not.

    The tools declare it: `fan_speed.changed` tells of whatever else is reported of `fan_speed`. The published
    world says nothing of the kind.
    """
    hidden = {change.tool for change in changes if isinstance(change, Hide)}
    lost = {attribute.partition(".")[0] for change in changes for attribute in _unread(change, tools)}
    for tool in tools.values():
        for report in tool.capability.reports if tool.capability and tool.name not in hidden else ():
            kind, _, name = report.attribute.partition(".")
            if name == "changed" and kind in lost:
                yield Mask(tool=tool.name, part="result", name=report.field)


def _unread(change: Hide | Mask, tools: Mapping[str, Tool]) -> frozenset[str]:
    """The attributes that a tool which only looks no longer reports."""
    capability = tools[change.tool].capability
    if capability is None or capability.changes or (isinstance(change, Mask) and change.part != "result"):
        return frozenset()
    gone = frozenset({change.name}) if isinstance(change, Mask) else frozenset[str]()
    return capability.gives() - capability.gives(gone) if gone else capability.gives()


def variants(tool: Tool) -> tuple[str, ...]:
    """Return every path that can be removed of a tool: itself, (nested) parameters, parts of its result."""
    parameters = [f"{tool.name}.{path}" for path in _paths(tool.parameters)]
    results = [f"{_RESULT}{tool.name}.{path}" for path in _paths(tool.returns or {})]
    return (tool.name, *parameters, *results)


def _paths(shape: Mapping[str, JsonValue]) -> Iterator[str]:
    while shape.get("items"):
        shape = members(shape["items"])
    for name, inner in members(shape.get("properties")).items():
        yield name
        yield from (f"{name}.{path}" for path in _paths(members(inner)))


def _change(path: str, tools: Mapping[str, Tool]) -> Hide | Mask:
    of_result = path.startswith(_RESULT)
    name, _, inside = (_in_our_shape(path) if of_result else path).removeprefix(_RESULT).partition(".")
    tool = tools.get(name)
    if tool is None:
        raise BadUsage(f"{path!r} cannot be removed: there is no tool {name!r}. {suggest(name, tools)}")
    if not inside and not of_result:
        return Hide(tool=name)
    shape = (tool.returns or {}) if of_result else tool.parameters
    located = _located(shape, inside.split("."))
    if located is None:
        part = "result" if of_result else "parameters"
        has = ", ".join(_paths(shape)) or "nothing"
        raise BadUsage(f"{path!r} cannot be removed: the {part} of {name!r} have {has}.")
    return Mask(tool=name, part="result" if of_result else "parameter", name=located)


def _in_our_shape(path: str) -> str:
    """Return the path of a part of a result as our tools have it; the path itself where they agree."""
    inside = path.removeprefix(_RESULT)
    for published, ours in _RESHAPED:
        match = published.match(inside)
        if match is not None and inside[match.end() :][:1] in {"", "."}:
            return f"{_RESULT}{match.expand(ours)}{inside[match.end() :]}"
    return path


def _located(shape: Mapping[str, JsonValue], parts: Sequence[str]) -> str | None:
    """Return a path as `worlds.paths` spells it, with `[]` at lists; None if it leads nowhere."""
    if not parts:
        return ""
    name, rest = parts[0], parts[1:]
    # Maps have any key there is ("matches.con_1234").
    inner = members(shape.get("properties")).get(name, shape.get("additionalProperties"))
    if not name or not isinstance(inner, dict):
        return None
    here, step = name, inner
    while rest and isinstance(items := step.get("items"), dict):
        here, step = f"{here}[]", items
    deeper = _located(step, rest)
    return deeper if deeper is None else f"{here}.{deeper}" if deeper else here


class LimitedState:
    """A car session that something was taken away from. See `core.world.WorldState`.

    Args:
        session: The car.
        taken: What is gone.
        needed: Whether the task needs what is gone. If not (a decoy), it is under all rules as though it had
            never been: a call of it is refused like that of any invented tool, and means nothing more.
    """

    def __init__(self, session: CarState, taken: Removed, *, needed: bool = True) -> None:
        self._session, self._taken, self._needed = session, taken, needed
        tools = {tool.name: tool for tool in session.tools()}
        condition = taken.condition()
        self._tools = offered_under(tuple(tools), tools, condition)
        self._overlay = Overlay(session, condition, self._tools)
        self._steps: list[Step] = []

    @property
    def steps(self) -> Sequence[Step]:
        """All calls so far, those included that were refused."""
        return tuple(self._steps)

    @property
    def ended(self) -> bool:
        """Whether a call has ended the conversation."""
        return self._session.ended

    def tools(self) -> Sequence[Tool]:
        """What is left, in the order shown."""
        return self._tools

    def call(self, call: Call) -> Observation:
        """Carry out a call, as far as it can be."""
        return self.do(call).observation

    def do(self, call: Call) -> Step:
        """Carry out a call and say everything about it; `Step.forbidden` names the use of a removed part."""
        bare = self._needed and self._session.car.published
        step = (self._published if bare else self._strict)(call)
        if self._needed:
            step = replace(step, forbidden=self._taken.forbids(call))
        self._steps.append(step)
        return step

    def context(self) -> Mapping[str, str]:
        """Unchanged: context never names what was removed."""
        return self._session.context()

    def snapshot(self) -> Mapping[str, JsonValue]:
        """The state of the car."""
        return self._session.snapshot()

    def digest(self) -> str:
        """The digest of the car."""
        return self._session.digest()

    def _strict(self, call: Call) -> Step:
        before = len(self._session.steps)
        seen = self._overlay.call(call)
        inner = self._session.steps[before:]
        return replace(inner[0], observation=seen) if inner else Step(call, seen)

    def _published(self, call: Call) -> Step:
        step = self._session.do(call)
        problem = step.observation.problem
        if problem is not None:
            gone = self._taken.masked(call.tool, "parameter")
            missing = [name for name in gone if f"{name!r} is missing" in problem.message]
            if not missing:
                return step
            message = (
                f"{problem.message} At the moment {missing[0]!r} is removed, so the tool cannot be used."
            )
            return replace(step, observation=Observation(problem=Problem(problem.code, message)))
        value = step.observation.value
        for path in self._taken.masked(call.tool, "result"):
            value = replaced(value, path, UNKNOWN)
        return replace(step, observation=Observation(value))
