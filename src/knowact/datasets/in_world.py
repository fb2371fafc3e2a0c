"""Checks your own data against their world: everything that they name must exist."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from pydantic import ValidationError

from knowact.core.condition import Add, Condition, Mask, Replace
from knowact.core.errors import BadData, BadUsage, UnknownName
from knowact.core.model import Noun
from knowact.core.proof import Unprovable, execute, goal_of, values_at
from knowact.core.table import DatasetInfo
from knowact.core.task import VERBATIM, Fact, Task
from knowact.core.tool import Tool
from knowact.datasets.lines import Line, noted, raise_gathered
from knowact.datasets.own import OWN
from knowact.worlds.overlay import masked
from knowact.worlds.registry import find, open_world, world

RECORDED: Final = frozenset({"replay", "cassette"})
"""Worlds that return recorded results, whatever the arguments."""

ROUNDING: Final = 1e-9
"""Tolerance between two ways to compute a number."""


class Placed(NamedTuple):
    """A task from the field `task` of a line, and the changes to its tools."""

    task: Task
    condition: Condition
    line: Line


class _Recorded(Noun):
    """The setup of a replayed task."""

    tools: tuple[Tool, ...]
    recordings: Mapping[str, str]


def own_tools(task: Task, seed: int, line: Line, at: str = "") -> Mapping[str, Tool]:
    """Return the tools of a task's world, by name.

    Args:
        task: The task.
        seed: Of the world.
        line: Its line.
        at: The prefix of its fields there ("task.").

    Raises:
        BadData: There is no such world, its setup cannot be used, it lacks a tool that the task offers, or
            the plan does not fit the tools.
    """
    tools = _tools_of(task, seed, line, at)
    for tool in task.offered:
        if tool not in tools:
            what = f"the world {task.world.name!r} does not have the tool {tool!r}, which {task.id!r} offers"
            raise BadData(what, line.place(f"{at}offered"), "correct the name")
        if task.world.name == "replay" and tool not in cast(
            "Mapping[str, str]", task.world.setup["recordings"]
        ):
            what = f"there is no recording of the tool {tool!r}"
            raise BadData(what, line.place(f"{at}world.setup"), "add it under 'recordings'")
    for number, step in enumerate(task.plan):
        for name in step.arguments:
            if name not in tools[step.tool].properties:
                what = f"the tool {step.tool!r} takes no argument {name!r}"
                raise BadData(what, line.place(f"{at}plan.{number}.arguments.{name}"), "correct the name")
    if all(tools[tool].capability for tool in task.offered):
        try:
            goal_of(task, tools)
        except Unprovable as error:
            raise BadData(str(error), line.place(f"{at}plan"), "make the plan fit the tools") from error
    return tools


def first_lines(items: Iterable[Placed]) -> list[tuple[Task, Line]]:
    """Each task once, with its first line."""
    found: dict[str, tuple[Task, Line]] = {}
    for task, _, line in items:
        found.setdefault(task.id, (task, line))
    return list(found.values())


def unreached(info: DatasetInfo, tasks: Iterable[tuple[Task, Line]], seed: int) -> tuple[str, ...]:
    """Report tasks whose facts differ from the results of their executed plans: correct agents fail these.

    Facts computed from results (`rule`) are not checked, nor are plans in worlds of recorded results.

    Args:
        info: The data set; those with a manifest are not checked again.
        tasks: Tasks with their lines; their plans fit their tools (`own_tools`).
        seed: Of their world.

    Returns:
        A sentence, or none.
    """
    some = list(tasks) if info.version == OWN else []
    found = [(line, said) for task, line in some if (said := fact_missed(task, seed))]
    if not found:
        return ()
    line, said = found[0]
    note = (
        f"Correct agents fail {len(found):,} of {len(some):,} tasks, because their facts differ from the "
        f"results in the world with seed {seed}. The first is {line.place()}: {said}."
    )
    return (note,)


def fact_missed(task: Task, seed: int) -> str:
    """Return what goes wrong when the plan is executed, or which fact it does not give; "" if nothing.

    Nothing is executed in worlds of recorded results, which answer whatever they are asked.
    """
    if task.world.name in RECORDED or not world(task.world.name).deterministic:
        return ""
    run = execute(task, open_world(task.world, seed))
    if run.failure:
        return run.failure.rstrip(".")
    for number, fact in enumerate(task.facts):
        step, _, field = fact.sources[0].partition(".") if fact.sources else ("", "", "")
        found = values_at(run.results[int(step)], field) if step and not fact.rule else [fact.value]
        if not _are(fact, found):
            given = found[0] if len(found) == 1 else found
            return f"fact {number} says {fact.value!r:.100}, the plan gives {given!r:.100}"
    return ""


def _are(fact: Fact, found: Sequence[Any]) -> bool:
    """Whether the values at a path bear a fact out; a list may stand there as a whole."""
    if fact.kind != "list":
        return any(_is(fact, value) for value in found)
    if len(found) == 1 and isinstance(found[0], list | tuple):
        return fact.lists(cast("Sequence[object]", found[0]))
    return fact.lists(found)


def _is(fact: Fact, value: Any) -> bool:
    """Whether a result's value equals a fact's."""
    if fact.kind == "number":
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return number and abs(value - float(str(fact.value))) <= fact.tolerance + ROUNDING
    if fact.kind in VERBATIM:
        said = {str(one).casefold() for one in (fact.value, *fact.aliases)}
        return str(value).casefold() in said
    return value == fact.value


def _tools_of(task: Task, seed: int, line: Line, at: str) -> Mapping[str, Tool]:
    name, setup = task.world.name, line.place(f"{at}world.setup")
    try:
        find(name)
    except UnknownName as error:
        what = f"there is no world named {name!r}"
        raise BadData(what, line.place(f"{at}world.name"), f"use one of {', '.join(error.known)}") from error
    try:
        if name == "replay":
            _Recorded.model_validate(task.world.setup)
        return {tool.name: tool for tool in open_world(task.world, seed).tools()}
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        part = ".".join(str(part) for part in first["loc"])
        raise BadData(f"{part!r} cannot be used ({first['msg'].lower()})", setup, "correct it") from error
    except BadUsage as error:
        raise BadData(str(error).rstrip("."), setup, "correct it") from error


def shared_tools(items: Iterable[Placed], seed: int) -> Mapping[str, Tool]:
    """Return the tools of the world that all items of a data set share, by name.

    Args:
        items: The items, at least one.
        seed: Of the world.

    Raises:
        BadData: As for `tools_of_each`; also if an item has another world.
    """
    placed = list(items)
    home = placed[0].task.world
    for task, _, line in placed:
        if task.world != home:
            what = "all items of a data set need the same world, and this one has another"
            fix = f"use the world {home.name!r} with the same setup"
            raise BadData(what, line.place("task.world"), fix)
    return tools_of_each(placed, seed)[-1]


def tools_of_each(items: Iterable[Placed], seed: int) -> list[Mapping[str, Tool]]:
    """Return the tools of each item's world, by name.

    Args:
        items: The items; each may have a world of its own.
        seed: Of the worlds.

    Raises:
        BadData: As for `own_tools`; also if a condition names a tool, or a part of one, that does not exist.
    """
    found: list[Mapping[str, Tool]] = []
    tasks: dict[str, tuple[Task, Mapping[str, Tool]]] = {}
    for task, condition, line in items:
        with noted():
            known = tasks.get(task.id)
            if known is None or known[0] != task:
                known = tasks[task.id] = task, own_tools(task, seed, line, "task.")
            for what, field in _not_there(condition, known[1]):
                raise BadData(what, line.place(f"condition.changes.{field}"), "correct the name")
            found.append(known[1])
    raise_gathered()
    return found


def _not_there(condition: Condition, tools: Mapping[str, Tool]) -> Iterator[tuple[str, str]]:
    """The names in a condition that the world lacks, with the field of the change."""
    for number, change in enumerate(condition.changes):
        new = change.by if isinstance(change, Replace) else change.tool if isinstance(change, Add) else ""
        if new and new not in tools:
            field = "by" if isinstance(change, Replace) else "tool"
            yield f"the world does not have the tool {new!r}", f"{number}.{field}"
        if isinstance(change, Mask) and _without(tools[change.tool], change) == tools[change.tool]:
            yield f"the tool {change.tool!r} has no {change.part} {change.name!r}", f"{number}.name"


def _without(tool: Tool, mask: Mask) -> Tool:
    names = frozenset([mask.name])
    return masked(tool, names, frozenset()) if mask.part == "parameter" else masked(tool, frozenset(), names)
