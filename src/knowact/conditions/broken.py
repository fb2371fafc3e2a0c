"""Broken tools: on the table like any other, but they do not do their job.

Besides *missing from the list* (`removal`), a tool may be listed and fail, in each of the ways of
`core.condition.Failure`. The same tasks can be put under all of them.
"""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from knowact.core.condition import Condition, Fail, Failure
from knowact.core.proof import Possibility, prove_task, values_at
from knowact.core.seeds import derive
from knowact.core.task import Fact, Task
from knowact.core.tool import Tool
from knowact.core.world import WorldState
from knowact.worlds.distort import shows
from knowact.worlds.overlay import Overlay, offered_under
from knowact.worlds.plans import run_plan


def broken(task: Task, tool: str, how: Failure) -> Condition:
    """Let one of the task's offered tools fail. `breakable` says for which that makes a difference."""
    if tool not in task.offered:
        raise ValueError(f"task {task.id!r} does not offer {tool!r}")
    return Condition(
        name=f"broken-{how.replace('_', '-')}",
        changes=(Fail(tool=tool, how=how),),
        withheld=(f"tool:{tool}",),
    )


def breakable(task: Task, own: Mapping[str, Tool]) -> tuple[str, ...]:
    """Return the required tools without which some of what is asked cannot be found out, in the plan's order.

    Args:
        task: A task whose plan can be proven.
        own: Its world's tools by name.
    """
    names = dict.fromkeys(step.tool for step in task.plan if step.external)
    conditions = {name: broken(task, name, "unavailable") for name in names if name in task.offered}
    return tuple(
        name
        for name, condition in conditions.items()
        if prove_task(task, own, condition).possibility is not Possibility.POSSIBLE
    )


def other_seed(seed: int) -> int:
    """Return the seed of the other world, from which a broken tool takes what is not so in this one."""
    return derive(seed, "broken")


def wrong_facts(task: Task, session: WorldState, other: WorldState, tool: str) -> tuple[Fact, ...]:
    """Return what an agent would assert that believes a tool that reports what is not so.

    The plan is run as an agent would run it, on the distorted result.

    Args:
        task: The task, complete.
        session: A fresh session of its world.
        other: One under `other_seed`.
        tool: The broken tool.

    Returns:
        For each fact of the task that would come out differently (not within its tolerance, none of its
        aliases) the wrong one in its place, with the same `label` and `sources`. None at all where the tool
        cannot break like that: something that it reports itself cannot be made wrong or can still be read
        from its result, or the plan cannot go on, or every fact comes out right in spite of it.
    """
    condition = broken(task, tool, "wrong")
    own = {each.name: each for each in session.tools()}
    overlay = Overlay(session, condition, offered_under(task.offered, own, condition), other)
    try:
        results = run_plan(task.plan, overlay)
        changed = tuple(wrong for fact in task.facts if (wrong := _as_told(fact, results)) is not None)
    except ValueError:
        return ()
    steps = [number for number, step in enumerate(task.plan) if step.tool == tool]
    direct = [fact for fact in task.facts if _step(fact) in steps]
    if any(fact.sources not in {wrong.sources for wrong in changed} for fact in direct):
        return ()
    secrets = [fact.value for fact in direct] + [
        argument.value for step in task.plan for argument in step.arguments.values() if argument.step in steps
    ]
    shown = (results[number] for number in steps)
    return () if any(shows(own[tool], result, secret) for result in shown for secret in secrets) else changed


def _step(fact: Fact) -> int | None:
    """The step that a fact comes from; None for one that a model works out alone.

    Raises:
        ValueError: It is put together by a rule, so a result does not say what it would be.
    """
    if not fact.sources:
        return None
    source, *others = fact.sources
    if fact.rule or others:
        raise ValueError(f"the fact {fact.label!r} follows by a rule")
    return int(source.partition(".")[0])


def _as_told(fact: Fact, results: Sequence[JsonValue]) -> Fact | None:
    """Return the fact as these results have it; None where they have the true one.

    Raises:
        ValueError: They do not have it at all, or it would be of another kind.
    """
    step = _step(fact)
    if step is None:
        return None
    values = values_at(results[step], fact.sources[0].partition(".")[2])
    if len(values) != 1:
        raise ValueError(f"there is no {fact.label!r}")
    if agrees(fact, values[0]):
        return None
    return Fact.model_validate({**fact.model_dump(), "value": values[0], "aliases": ()})


def agrees(fact: Fact, value: JsonValue | tuple[str, ...]) -> bool:
    """Whether a value is the fact's, within its tolerance and up to letter case; or one of its aliases."""
    if fact.kind == "yes_no" or isinstance(value, bool):
        return value is fact.value
    if isinstance(value, int | float) and isinstance(fact.value, int | float):
        return abs(value - fact.value) <= fact.tolerance
    return str(value).casefold() in {str(known).casefold() for known in (fact.value, *fact.aliases)}
