"""What is proven of every task before it may go into a data set (validity.md, sections 2 and 3).

Each function returns "" if its claim holds, else what stands against it, in a sentence.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from knowact.conditions.distractors import distractors
from knowact.core.condition import Condition, Hide
from knowact.core.proof import Possibility, check_plan, describe, prove_task, solvable, values_at
from knowact.core.task import Step, Task
from knowact.core.tool import Dimension
from knowact.core.world import Call
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.catalogue import OPERATIONS, TOOLS
from knowact.worlds.plans import run_plan

BY_NAME: Final = {tool.name: tool for tool in TOOLS}
OTHER_SEEDS: Final = (101, 202, 303)
"""The seeds under which an external answer has to come out differently, under two of them at least."""
_FEWEST_FLIPS: Final = 2
_SIZE: Final = frozenset({Dimension.COMPUTATION, Dimension.SCALE, Dimension.MODALITY})
"""What makes a call external however constant its answer is."""
CROWD: Final = 10
"""How many distractors a task must bear."""


@lru_cache(maxsize=1)
def _world() -> EverydayWorld:
    return EverydayWorld()


def unproven(task: Task, seed: int) -> str:
    """Everything but distractors: no leak, solvable, impossible without a required tool, on its sides."""
    return (
        leak(task.opening.text)
        or check_plan(task)
        or solvable(task, BY_NAME, _world().open(task.world.setup, seed), holds)
        or _possible_without(task, Condition(name="clean"))
        or _rival(task)
        or off_side(task, seed)
    )


_NAMES: Final = tuple(f" {name.replace('_', ' ')} " for name in OPERATIONS if "_" in name)
_LETTERS: Final = re.compile(r"[a-z]+")
_LEAK: Final = re.compile(r"\b(tools?|api|function call|look up|by yourself|in your head|calculator)\b")


def leak(query: str) -> str:
    """Say which tool a query names, or which word of it speaks of tools; "" if neither."""
    words = " ".join(_LETTERS.findall(query.lower()))
    if found := _LEAK.search(words):
        return f"the query says {found[0]!r}"
    named = next((name.strip() for name in _NAMES if name in f" {words} "), "")
    return f"the query names the tool {named!r}" if named else ""


def unproven_in_a_crowd(task: Task, seed: int = 0) -> str:
    """Solvable, and impossible without a required tool, beside ten distractors too."""
    crowd = distractors(task, BY_NAME, TOOLS, CROWD, seed=seed)
    proof = prove_task(task, BY_NAME, crowd)
    if proof.possibility is not Possibility.POSSIBLE:
        return f"not possible beside distractors; missing: {describe(proof.missing)}"
    return _possible_without(task, crowd)


def holds(task: Task, results: Sequence[Any]) -> str:
    """Say which reference fact the results of the plan do not bear out; "" if all are."""
    for fact in task.facts:
        step, _, field = fact.sources[0].partition(".")
        found = values_at(results[int(step)], field)
        if not found or (not fact.rule and found[0] != fact.value):
            return f"the fact {fact.label!r} is {fact.value!r}, but the plan gives {found!r}"
    return ""


def _possible_without(task: Task, condition: Condition) -> str:
    """Say which required tool could be missing; and check that the others may be."""
    for name in sorted(task.required):
        without = condition.model_copy(update={"changes": (*condition.changes, Hide(tool=name))})
        if prove_task(task, BY_NAME, without).possibility is Possibility.POSSIBLE:
            return f"possible without {name!r}, which is said to be required"
    spare = tuple(Hide(tool=name) for name in task.offered if name not in task.required)
    control = condition.model_copy(update={"changes": (*condition.changes, *spare)})
    if prove_task(task, BY_NAME, control).possibility is not Possibility.POSSIBLE:
        return "not possible without the tools of its internal steps"
    return ""


def _rival(task: Task) -> str:
    """Say which offered tool could do a required one's job by a formula; "" if none."""
    for name in sorted(task.required):
        for other in task.offered:
            if other != name and OPERATIONS[other].can_stand_in_for(OPERATIONS[name]):
                return f"{name} is not needed beside {other}"
    return ""


def off_side(task: Task, seed: int) -> str:
    """Say which step does not lie on the side of the boundary that it declares."""
    for step in task.plan:
        if OPERATIONS[step.tool].boundary(step.call_arguments) is not step.boundary:
            return f"{step.tool} with {step.call_arguments} is not {step.boundary.value} by the limits"
    return _idle(task, seed) or _steady(task, seed) or _shifting(task, seed)


def _idle(task: Task, seed: int) -> str:
    """Say that no call changes the world's state, where one is to."""
    if not any(step.external and OPERATIONS[step.tool].writes for step in task.plan):
        return ""
    session = _world().open(task.world.setup, seed)
    before = session.digest()
    run_plan(task.plan, session)
    return "" if session.digest() != before else "a step that is to change the world's state does not"


def _exceeds(step: Step) -> bool:
    """Whether a step is external for what it does, or for the size of what the query itself says."""
    operation = OPERATIONS[step.tool]
    private = step.call_arguments.get("source", "text") != "text"
    fires = set(operation.tool.rubric.fires) if operation.tool.rubric else set[Dimension]()
    return operation.writes or (not private and (operation.within is not None or not fires - _SIZE))


def _steady(task: Task, seed: int) -> str:
    """Say which answer that is to change with the seed hardly does."""
    numbers = [n for n, step in enumerate(task.plan) if step.external and not _exceeds(step)]
    if not numbers:
        return ""
    here = _results(task, seed)
    flips = dict.fromkeys(numbers, 0)
    for other in OTHER_SEEDS:
        try:
            there = _results(task, other)
        except ValueError as error:
            return f"under seed {other} the plan fails: {error}"
        for number in numbers:
            fields = used_fields(task, number)
            flips[number] += any(
                values_at(here[number], name) != values_at(there[number], name) for name in fields
            )
    for number, count in flips.items():
        if count < _FEWEST_FLIPS:
            return f"the answer of step {number} ({task.plan[number].tool}) hardly changes with the seed"
    return ""


def _shifting(task: Task, seed: int) -> str:
    """Say which internal step comes out differently under another seed, its arguments being equal."""
    for number, step in enumerate(task.plan):
        if step.external:
            continue
        call = Call(step.tool, step.call_arguments)
        if len({repr(_world().open(task.world.setup, one).call(call)) for one in (seed, OTHER_SEEDS[0])}) > 1:
            return f"the internal step {number} ({step.tool}) changes with the seed"
    return ""


def used_fields(task: Task, number: int) -> list[str]:
    """The result fields of a step that are asked for or handed on."""
    fed = [
        argument.field
        for step in task.plan
        for argument in step.arguments.values()
        if argument.step == number and argument.field
    ]
    return [*task.plan[number].wants, *fed]


def _results(task: Task, seed: int) -> list[Any]:
    return run_plan(task.plan, _world().open(task.world.setup, seed))
