"""Proofs for a value that is withheld (validity.md, section 2).

The question for the closure is the complete task's, less the one thing that the query no longer tells.
Nothing else changes: same tools, same wants, same free operations. So the complete twin is the positive
control by the same prover, and what is wanted stays what the user wants, their own value's answer, whatever
a default would give.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from knowact.core.condition import Condition
from knowact.core.proof import Goal, Proof, goal_of, means_under, prove, prove_task
from knowact.core.task import Argument, Task
from knowact.core.tool import Tool

NOTHING: Final = "\x00 withheld"
"""A value that no other argument can have."""


def told_less(
    task: Task,
    tools: Mapping[str, Tool],
    step: int,
    parameter: str,
    beside: Sequence[Any] = (),
) -> Goal:
    """Turn a task into a question for the closure, with one argument's value not given.

    Args:
        task: The complete task.
        tools: All tools of the world by name.
        step: The step of the argument.
        parameter: Its name.
        beside: Other values of the same kind that the text speaks of; they are given.

    Raises:
        ValueError: There is no such argument, or it comes from an earlier step.
        Unprovable: The plan and the capabilities do not fit together.
    """
    argument = task.plan[step].arguments.get(parameter)
    if argument is None or argument.origin == "step":
        raise ValueError(f"step {step} of {task.id!r} is not told {parameter!r} by the query")
    whole = goal_of(task, tools)
    # What another argument tells too stays given, and so does what nobody has to tell (a default).
    without = goal_of(_with_value(task, step, parameter, NOTHING), tools)
    given = set(whole.given & without.given)
    for value in beside:
        given |= goal_of(_with_value(task, step, parameter, value), tools).given
    return replace(whole, given=frozenset(given))


def prove_withheld(
    task: Task,
    tools: Mapping[str, Tool],
    step: int,
    parameter: str,
    beside: Sequence[Any] = (),
    *,
    condition: Condition | None = None,
) -> Proof:
    """Say what can be reached when one argument's value is not given, with the tools under a condition."""
    goal = told_less(task, tools, step, parameter, beside)
    return prove(goal, means_under(task.offered, tools, condition))


def _with_value(task: Task, step: int, parameter: str, value: Any) -> Task:
    old = task.plan[step]
    argument = old.arguments[parameter]
    arguments = {**old.arguments, parameter: Argument(value=value, origin=argument.origin)}
    changed = old.model_copy(update={"arguments": arguments})
    return task.model_copy(update={"plan": (*task.plan[:step], changed, *task.plan[step + 1 :])})


def prove_under(task: Task, tools: Mapping[str, Tool], condition: Condition) -> Proof:
    """Say what can be reached under a condition: its changes to the tools, and a value that it withholds.

    Raises:
        ValueError: It withholds several values, which no data set of ours does.
        Unprovable: The plan and the capabilities do not fit together.
    """
    values = [one.removeprefix("value:") for one in condition.withheld or () if one.startswith("value:")]
    if not values:
        return prove_task(task, tools, condition)
    if len(values) > 1:
        raise ValueError("a proof takes one withheld value at a time")
    tool, _, parameter = values[0].partition(".")
    step = next(
        number for number, one in enumerate(task.plan) if one.tool == tool and parameter in one.arguments
    )
    return prove_withheld(task, tools, step, parameter, condition=condition)
