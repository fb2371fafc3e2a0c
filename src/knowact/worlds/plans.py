"""Plans run as an agent would run them: what a step takes from another is whatever that one really gave."""

from collections.abc import Sequence

from pydantic import JsonValue

from knowact.core.proof import values_at
from knowact.core.task import Argument, Step
from knowact.core.world import Call, WorldState


def run_plan(plan: Sequence[Step], session: WorldState) -> list[JsonValue]:
    """Run a plan with linked arguments taken from what comes out; frozen values are not looked at.

    Raises:
        ValueError: A call has a problem, or a linked field is not there.
    """
    results: list[JsonValue] = []
    for step in plan:
        bound = {name: bound_value(argument, results) for name, argument in step.arguments.items()}
        seen = session.call(Call(step.tool, bound))
        if seen.problem is not None:
            raise ValueError(f"{step.tool}: {seen.problem.message}")
        results.append(seen.value)
    return results


def bound_value(argument: Argument, results: Sequence[JsonValue]) -> JsonValue:
    """Return an argument's value, taken from an earlier result where it comes from one.

    Raises:
        ValueError: That result does not have it.
    """
    if argument.step is None or argument.field is None:
        return argument.value
    values = values_at(results[argument.step], argument.field)
    if not values:
        raise ValueError(f"step {argument.step} gives no {argument.field!r}")
    return values[0]
