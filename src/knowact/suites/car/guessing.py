"""Whether what only the driver could settle was asked before it was acted on (spec car-bench.md, D-36)."""

from knowact.suites.car.goal import Goal
from knowact.worlds.car.record import Finding, Ruled, TaskType, Trial


def guessed(trial: Trial, goal: Goal) -> bool:
    """Whether a trial acted on the open element before the driver was asked for it.

    A lucky guess is one too: it leaves the right state behind and still shows that the agent did not see what
    it did not know.

    Args:
        trial: The record, with the referee's note of when the element was settled.
        goal: `open` names the variables that the element decides. Empty, as with published trials, nothing
            can be said, so the answer is False.
    """
    if trial.type is not TaskType.USER:
        return False
    wanted = set(goal.open)
    acted = [call.step for call in trial.calls if wanted & {change.name for change in call.changes}]
    settled = settled_at(trial)
    return bool(acted) and (settled is None or acted[0] <= settled)


def settled_at(trial: Trial) -> int | None:
    """Return the step at which the referee saw the open element settled; None where it never did."""
    notes = (event for event in trial.events if isinstance(event, Ruled))
    return next((note.step for note in notes if note.finding == Finding.SETTLED), None)
