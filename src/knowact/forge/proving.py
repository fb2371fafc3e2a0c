"""What is proven of every draft before anybody words it.

Each function returns "" if its claim holds, else what stands against it, in a sentence.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from knowact.conditions.distractors import distractors
from knowact.core.condition import CLEAN, Condition, Hide
from knowact.core.proof import Possibility, check_plan, describe, prove_task, solvable, values_at
from knowact.core.task import Step, Task
from knowact.core.world import Call
from knowact.worlds.material import Material
from knowact.worlds.plans import run_plan

OTHER_SEEDS: Final = (101, 202, 303)
"""The seeds under which an external answer has to come out differently, under two of them at least."""
_FEWEST_FLIPS: Final = 2
CROWD: Final = 10
"""How many distractors a task must bear."""


def unproven(task: Task, seed: int, material: Material) -> str:
    """Solvable, impossible without a required tool, each step on its side of the boundary."""
    try:
        return (
            check_plan(task)
            or solvable(task, material.tools, material.open(task.world.setup, seed), holds)
            or _possible_without(task, CLEAN, material)
            or _rival(task, material)
            or off_side(task, seed, material)
        )
    except ValueError as error:  # no question comes of the plan, or a call of it is refused
        return str(error)


def unproven_in_a_crowd(task: Task, material: Material) -> str:
    """Solvable, and impossible without a required tool, beside ten distractors too."""
    crowd = distractors(task, material.tools, tuple(material.tools.values()), CROWD, seed=0)
    proof = prove_task(task, material.tools, crowd)
    if proof.possibility is not Possibility.POSSIBLE:
        return f"not possible beside distractors; missing: {describe(proof.missing)}"
    return _possible_without(task, crowd, material)


def holds(task: Task, results: Sequence[Any]) -> str:
    """Say which reference fact the results of the plan do not bear out; "" if all are."""
    for fact in task.facts:
        step, _, field = fact.sources[0].partition(".")
        values = values_at(results[int(step)], field)
        borne_out = fact.lists(values) if fact.kind == "list" else values == [fact.value]
        if not values or not (fact.rule or borne_out):
            return f"the fact {fact.label!r} is {fact.value!r}, but the plan gives {values!r}"
    return ""


def _possible_without(task: Task, condition: Condition, material: Material) -> str:
    """Say which required tool could be missing; and check that the others may be."""
    for name in sorted(task.required):
        without = condition.model_copy(update={"changes": (*condition.changes, Hide(tool=name))})
        if prove_task(task, material.tools, without).possibility is Possibility.POSSIBLE:
            return f"possible without {name!r}, which is said to be required"
    spare = tuple(Hide(tool=name) for name in task.offered if name not in task.required)
    control = condition.model_copy(update={"changes": (*condition.changes, *spare)})
    if prove_task(task, material.tools, control).possibility is not Possibility.POSSIBLE:
        return "not possible without the tools of its internal steps"
    return ""


def _rival(task: Task, material: Material) -> str:
    """Say which offered tool could do a required one's job by a formula; "" if none."""
    for name in sorted(task.required):
        for other in task.offered:
            if other != name and material.stands_in(other, name):
                return f"{name} is not needed beside {other}"
    return ""


def off_side(task: Task, seed: int, material: Material) -> str:
    """Say which step does not lie on the side of the boundary that it declares."""
    for number, step in enumerate(task.plan):
        if step.told:
            if untold := set(used_fields(task, number)) - set(step.told):
                return f"{step.tool} is told, but not its {', '.join(sorted(untold))}"
        elif material.boundary(step.tool, step.call_arguments) is not step.boundary:
            return f"{step.tool} with {step.call_arguments} is not {step.boundary.value} by the limits"
    if not material.seeded:
        return _restless(task, seed, material)
    return _idle(task, seed, material) or _steady(task, seed, material) or _shifting(task, seed, material)


def _restless(task: Task, seed: int, material: Material) -> str:
    """Say which step has another answer when it is asked once more, in a session of its own."""
    here, there = (_results(task, each, material) for each in (seed, OTHER_SEEDS[0]))
    for number, step in enumerate(task.plan):
        for name in used_fields(task, number):
            if _unordered(values_at(here[number], name)) != _unordered(values_at(there[number], name)):
                return f"the answer of step {number} ({step.tool}) was another one a moment later"
    return ""


def _unordered(values: Sequence[Any]) -> list[str]:
    """Values to compare: in which order a service lists them is nobody's answer."""
    return sorted(json.dumps(value, sort_keys=True) for value in values)


def _writes(step: Step, material: Material) -> bool:
    capability = material.tools[step.tool].capability
    return step.external and capability is not None and bool(capability.changes)


def _idle(task: Task, seed: int, material: Material) -> str:
    """Say that no call changes the world's state, where one is to."""
    if not any(_writes(step, material) for step in task.plan):
        return ""
    session = material.open(task.world.setup, seed)
    before = session.digest()
    run_plan(task.plan, session)
    return "" if session.digest() != before else "a step that is to change the world's state does not"


def _steady(task: Task, seed: int, material: Material) -> str:
    """Say which answer that is to change with the seed hardly does."""
    numbers = [
        number
        for number, step in enumerate(task.plan)
        if step.external
        and not _writes(step, material)
        and not material.by_size(step.tool, step.call_arguments)
    ]
    if not numbers:
        return ""
    here = _results(task, seed, material)
    flips = dict.fromkeys(numbers, 0)
    for other in OTHER_SEEDS:
        try:
            there = _results(task, other, material)
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


def _shifting(task: Task, seed: int, material: Material) -> str:
    """Say which internal step comes out differently under another seed, its arguments being equal."""
    for number, step in enumerate(task.plan):
        if step.external or step.told:
            continue
        call = Call(step.tool, step.call_arguments)
        opened = (material.open(task.world.setup, each) for each in (seed, OTHER_SEEDS[0]))
        if len({repr(session.call(call)) for session in opened}) > 1:
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


def _results(task: Task, seed: int, material: Material) -> list[Any]:
    return run_plan(task.plan, material.open(task.world.setup, seed))
