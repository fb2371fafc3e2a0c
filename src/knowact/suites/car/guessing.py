"""Whether what only the driver could settle was asked before it was acted on (spec car-bench.md, D-36)."""

from knowact.suites.car.goal import Goal
from knowact.worlds.car.record import Trial


def guess(trial: Trial, goal: Goal) -> int | None:
    """Return the step at which a trial acted on the open element without having asked the driver for it.

    A lucky guess is one too: it leaves the right state behind and still shows that the agent did not see what
    it did not know. Where the element decides only what is looked up, it has to be asked for at some time:
    who has looked up several possibilities first may be about to offer them.

    Args:
        trial: The record, with the note of when the element was settled.
        goal: Says what has to be asked for, and which variables hang on it.

    Returns:
        None where nothing has to be asked for, where it was asked in time, or where nothing was done with it.
    """
    if not goal.asks:
        return None
    settled, wanted = trial.settled, set(goal.open)
    if wanted:
        acted = (call.step for call in trial.calls if wanted & {change.name for change in call.changes})
    else:
        acted = (call.step for call in trial.calls if call.ok and call.tool in goal.asks)
    first = next(acted, None)
    if first is None or settled is None:
        return first
    return first if wanted and first <= settled else None
