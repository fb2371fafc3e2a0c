"""New items from proven ones: the same requests, with the tools of others in place of their own.

Nothing is written anew. What is claimed of an item is proven again, because its tools have changed.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final, cast

from pydantic import JsonValue

from knowact.core.clean import dumps
from knowact.core.condition import Add, Condition, Hide
from knowact.core.parts import job_part
from knowact.core.proof import Possibility, Unprovable, prove_under
from knowact.core.spoken import spoken
from knowact.core.suite import Item
from knowact.core.task import Task
from knowact.core.tool import Tool
from knowact.worlds.registry import open_world

OTHERS: Final = "tools-of-another"
"""The condition under which a request stands beside the tools of another one."""


def tools_of(item: Item, seed: int) -> Mapping[str, Tool]:
    """The tools of an item's world, by name."""
    return {tool.name: tool for tool in open_world(item.task.world, seed).tools()}


def beside(task: Task, offered: Sequence[str]) -> Condition:
    """The condition that offers these tools in place of a task's own."""
    gone = [Hide(tool=name) for name in task.offered if name not in offered]
    new = [Add(tool=name) for name in offered if name not in task.offered]
    withheld = tuple(f"tool:{name}" for name in sorted(task.required - set(offered)))
    return Condition(name=OTHERS, changes=(*gone, *new), order=tuple(offered), withheld=withheld)


def possibility(task: Task, condition: Condition, tools: Mapping[str, Tool]) -> Possibility | None:
    """What the prover says; None where it cannot say, or a tool on offer could stand in by some work."""
    added = {change.tool for change in condition.changes if isinstance(change, Add)}
    try:
        return None if added & set(task.stand_ins) else prove_under(task, tools, condition).possibility
    except Unprovable:
        return None


def couples(items: Iterable[Item], tools: Mapping[str, Tool], rng: Random) -> Iterator[tuple[Item, Item]]:
    """Yield couples of complete items that the other's tools cannot serve at all, each item once."""
    left = list(items)
    rng.shuffle(left)
    while left:
        item = left.pop()
        fits = (
            place
            for place, other in enumerate(left)
            if item.task.cluster != other.task.cluster
            and len(item.tools) == len(other.tools)
            and all(
                possibility(a.task, beside(a.task, b.task.offered), tools) is Possibility.IMPOSSIBLE
                for a, b in ((item, other), (other, item))
            )
        )
        place = next(fits, None)
        if place is not None:
            yield item, left.pop(place)


def matched(items: Iterable[Item], like: Iterable[Item]) -> list[Item]:
    """For each item its nearest of others by the lengths of request, facts and first call, each taken once.

    So that what is drawn from two sets cannot be told apart by how long it is.
    """
    left = [(candidate, _lengths(candidate.task)) for candidate in items]
    nearest: list[Item] = []
    for model in like:
        lengths = _lengths(model.task)
        best = min(
            left,
            key=lambda candidate: sum(
                abs(math.log(a / b)) for a, b in zip(candidate[1], lengths, strict=True)
            ),
        )
        left.remove(best)
        nearest.append(best[0])
    return nearest


def _lengths(task: Task) -> tuple[int, ...]:
    jobs = [len(step.question) or 1 for step in task.plan]
    texts = (task.opening.text, facts_in_words(task), first_call(task))
    return (*(len(text) or 1 for text in texts), sum(jobs) // len(jobs) or 1)


def call_text(tool: str, arguments: Mapping[str, JsonValue]) -> str:
    """A call as a reply writes it."""
    return dumps({"name": tool, "arguments": arguments})


def first_call(task: Task) -> str:
    """The first call of a task's plan that needs no other before it."""
    ready = (s for s in task.plan if all(argument.origin != "step" for argument in s.arguments.values()))
    step = next(ready, task.plan[0])
    return call_text(step.tool, step.call_arguments)


def forced_call(tool: Tool, task: Task) -> str:
    """A call of a tool that is not made for a task, with the task's values as far as names or types agree."""
    known = {name: value for step in task.plan for name, value in step.call_arguments.items()}
    texts = [value for value in known.values() if isinstance(value, str)] or ["today"]
    numbers = [value for value in known.values() if isinstance(value, int | float)] or [1]

    def fitting(name: str) -> JsonValue:
        shape = tool.properties.get(name, {})
        by_type: dict[str, JsonValue] = {"string": texts[0], "boolean": True, "array": [texts[0]]}
        enum: list[JsonValue] = shape.get("enum") or []
        return enum[0] if enum else known.get(name, by_type.get(str(shape.get("type")), numbers[0]))

    return call_text(tool.name, {name: fitting(name) for name in tool.required})


def facts_in_words(task: Task) -> str:
    """What a right answer states: "Label: value unit", one after the other."""
    text = "; ".join(
        f"{fact.label or 'answer'}: {_put(fact.value)} {fact.unit}".strip() for fact in task.facts
    )
    return text[:1].upper() + text[1:]


def _put(value: str | float | bool | tuple[str, ...]) -> str:  # noqa: FBT001 - a fact's value
    if isinstance(value, bool):
        return "yes" if value else "no"
    return spoken(cast("JsonValue", list(value) if isinstance(value, tuple) else value))


def lost_jobs(task: Task, condition: Condition, tools: Mapping[str, Tool]) -> tuple[str, ...]:
    """The ids of the parts that a condition takes away."""
    gone = {name.removeprefix("tool:") for name in condition.withheld or ()}
    return tuple(sorted(job_part(tools[step.tool]).id for step in task.plan if step.tool in gone))
