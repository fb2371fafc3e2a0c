"""The parts of a task in words, and what may be told in it: the same for all tasks made of one base task.

Parts are what is missing or open in some version of the task, and what has to be done besides. Where these
are fewer than three, parts that other tasks lack and that this one has nothing to do with are put among them.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core.parts import Part, distinct, job_part
from knowact.core.task import Fact
from knowact.core.tool import Tool
from knowact.suites.car.decoys import Concerns
from knowact.suites.car.removals import EDITING
from knowact.suites.car.tasks import CarTask, Element, Removal
from knowact.suites.car.telling import Telling
from knowact.worlds.car.contract import CONFIRMATION
from knowact.worlds.car.fields import FIELDS

FEWEST: Final = 3
"""Fewer parts would say by themselves what is at stake."""


@dataclass(frozen=True, slots=True)
class TaskParts:
    """The parts of all tasks of one cluster.

    Attributes:
        does: By the id of a part, the tools that do it or tell it; decoys have none.
        carried: By the id of an open part, what carries the choice: "tool.parameter".
        answers: By its label, what the driver of some task wants to be told.
        variables: What the goal of some task is about.
    """

    parts: tuple[Part, ...]
    does: Mapping[str, frozenset[str]]
    carried: Mapping[str, str]
    answers: Mapping[str, Fact]
    variables: tuple[str, ...]

    def telling(self, task: CarTask) -> Telling:
        """What may be told in one of the tasks, with what is right there."""
        own = {one.label: one for one in task.answers}
        wanted = tuple(place for place, label in enumerate(self.answers) if label in own)
        return Telling(facts=tuple({**self.answers, **own}.values()), wanted=wanted, variables=self.variables)

    def missing(self, removal: Removal) -> frozenset[str]:
        """The id of what was taken away, and those of open parts that nobody can choose any more without it.

        Who can't choose the colour of the lighting can't say which colour it is to be, either.
        """
        path = removal.paths[0]
        same = (part for part, at in self.carried.items() if at == path or at.startswith(f"{path}."))
        return frozenset({path, *same})


def parts_of_all(tasks: Sequence[CarTask], tools: Mapping[str, Tool]) -> Mapping[str, TaskParts]:
    """Return the parts of every cluster of a data set.

    Args:
        tasks: All of them, in order.
        tools: All tools of the world by name.
    """
    clusters: dict[str, list[CarTask]] = {}
    for task in tasks:
        clusters.setdefault(task.cluster, []).append(task)
    lacking = [task for task in tasks if task.removal is not None]
    return {name: _parts(name, own, lacking, tools) for name, own in clusters.items()}


def missing_part(removal: Removal, tools: Mapping[str, Tool]) -> Part:
    """What was taken away; in the author's words, or in those of the tool's description."""
    path = removal.paths[0]
    return Part(path, removal.words or _in_words(path, tools))


def open_part(task: CarTask, element: Element) -> Part:
    """What a task leaves open."""
    return Part(f"open:{task.id}", element.what)


def tool_of(path: str) -> str:
    """The tool that a removed path belongs to."""
    return path.removeprefix("result.").partition(".")[0]


def _parts(
    name: str, own: Sequence[CarTask], lacking: Sequence[CarTask], tools: Mapping[str, Tool]
) -> TaskParts:
    found = dict(_at_stake(own, tools))
    covered = {tool for task in own if task.removal for tool in _undone(task, task.removal)}
    acting = dict.fromkeys(one.tool for task in own for one in task.reference if one.writes)
    for tool in (tools[tool] for tool in acting if tool in tools and tool not in covered):
        found[_job(tool)] = frozenset(EDITING) if tool.name in EDITING else frozenset({tool.name})
    does = {part.id: by for part, by in found.items()}
    carried = {
        open_part(task, task.element).id: f"{task.reference[at[0]].tool}.{at[1]}"
        for task in own
        if task.element is not None and (at := task.element.argument) is not None
    }
    parts = distinct([*found, *_decoys(name, own, lacking, tools, FEWEST - len(does))])
    return TaskParts(parts, does, carried, _answers(own), _variables(own))


def _answers(own: Sequence[CarTask]) -> dict[str, Fact]:
    return {one.label: one for task in own for one in task.answers}


def _variables(own: Sequence[CarTask]) -> tuple[str, ...]:
    """In the order of the car's variables, so that the order says nothing of any task."""
    ends = (end for task in own if task.goal for end in (task.goal.holds, *task.goal.ends))
    about = {name for end in ends for name in end}
    return tuple(name for name in FIELDS if name in about)


def _at_stake(own: Sequence[CarTask], tools: Mapping[str, Tool]) -> Iterator[tuple[Part, frozenset[str]]]:
    """What is missing or open in some version, each with the tools that do it or tell it."""
    for task in own:
        if task.removal is not None:
            yield missing_part(task.removal, tools), _undone(task, task.removal)
        if task.element is not None:
            carrying = task.element.argument
            acting = {one.tool for one in task.reference if one.writes}
            by = {task.reference[carrying[0]].tool} if carrying else acting
            yield open_part(task, task.element), frozenset(by)


def _undone(task: CarTask, removal: Removal) -> frozenset[str]:
    """The tools of the removed paths, and of the calls that are lost with them; of a result, its own."""
    own = {tool_of(path) for path in removal.paths}
    lost = set[str]() if removal.kind == "result" else {task.reference[place].tool for place in removal.lost}
    return frozenset(own | lost)


def _decoys(
    name: str, own: Sequence[CarTask], lacking: Sequence[CarTask], tools: Mapping[str, Tool], most: int
) -> list[Part]:
    """Parts that tasks of other clusters lack, and that none of these tasks has to do with."""
    if most <= 0:
        return []
    near = {tool for task in own for tool in Concerns(task, tools).near}
    others = [
        missing_part(task.removal, tools)
        for task in lacking
        if task.cluster != name and task.removal is not None and tool_of(task.removal.paths[0]) not in near
    ]
    ranked = sorted(others, key=lambda part: hashlib.sha256(f"{name} {part.id}".encode()).digest())
    return list(distinct(ranked))[:most]


def _job(tool: Tool) -> Part:
    part = job_part(tool)
    return Part(part.id, part.words.removeprefix(f"{CONFIRMATION}: "))


def _in_words(path: str, tools: Mapping[str, Tool]) -> str:
    """A removed path without the tool's name: what the tool is for, and which part of it is meant."""
    tool = tools.get(tool_of(path))
    job = _job(tool).words if tool is not None else tool_of(path).replace("_", " ")
    pieces = path.removeprefix("result.").split(".")[1:]
    part = " of ".join(piece.replace("_", " ") for piece in reversed(pieces))
    return f"{part} ({job})" if part else job
