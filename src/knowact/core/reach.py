"""How far a task can be done when something is withheld: which steps, and which facts.

This goes by the task's own plan. Whether there is another way is the prover's question (`core.proof`).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from knowact.core.task import Fact, Task


@dataclass(frozen=True, slots=True)
class Reach:
    """What of a plan can be done.

    Attributes:
        blocked: The steps that cannot, by index.
        facts: Those that can still be found out, in the task's order.
        beyond: Those that cannot.
    """

    blocked: frozenset[int]
    facts: tuple[Fact, ...]
    beyond: tuple[Fact, ...]


def reach(task: Task, blocked: Iterable[int]) -> Reach:
    """Follow the plan's edges from the steps that are blocked.

    Args:
        task: The task.
        blocked: Steps that cannot be done for a reason of their own.
    """
    stuck = set(blocked)
    for number, step in enumerate(task.plan):
        if any(argument.step in stuck for argument in step.arguments.values()):
            stuck.add(number)
    lost = tuple(fact for fact in task.facts if _steps_of(fact, task) & stuck)
    return Reach(frozenset(stuck), tuple(fact for fact in task.facts if fact not in lost), lost)


def without(task: Task, withheld: Collection[str]) -> frozenset[int]:
    """Return the steps that what is withheld blocks, in the vocabulary of `Condition.withheld`.

    A missing tool blocks no internal step, because a model can do its job; a missing value blocks any.
    """
    return frozenset(
        number
        for number, step in enumerate(task.plan)
        if (step.external and f"tool:{step.tool}" in withheld)
        or any(f"value:{step.tool}.{name}" in withheld for name in step.arguments)
    )


def _steps_of(fact: Fact, task: Task) -> set[int]:
    """The steps that a fact comes from; all of them where nobody has said."""
    return {int(source.partition(".")[0]) for source in fact.sources} or set(range(len(task.plan)))
