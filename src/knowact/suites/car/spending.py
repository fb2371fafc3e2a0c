"""Cost and latency of a trial, by who spent them (spec car-bench.md, section 7.4; D-33 and D-79)."""

from collections.abc import Iterable
from dataclasses import dataclass

from knowact.worlds.car.record import Spent, Trial


@dataclass(frozen=True, slots=True)
class Spending:
    """What one role came to in one trial.

    Attributes:
        calls: Model calls.
        tokens: Input and output.
        cost: US dollars; None where a price is missing, so that no sum is too small.
        seconds: Waiting for its model, all calls together.
    """

    calls: int
    tokens: tuple[int, int]
    cost: float | None
    seconds: float


def spending(trial: Trial, *roles: str) -> Spending:
    """Add up what these roles spent in a trial; every call counts, not only the last.

    Args:
        trial: The record.
        roles: "agent", "user", "judge".
    """
    spent = [one for one in trial.spent if one.role in roles]
    return Spending(
        calls=len(spent),
        tokens=(sum(one.tokens[0] for one in spent), sum(one.tokens[1] for one in spent)),
        cost=_cost(spent),
        seconds=sum(one.seconds for one in spent),
    )


def _cost(spent: Iterable[Spent]) -> float | None:
    total = 0.0
    for one in spent:
        if one.cost is None:
            return None
        total += one.cost
    return total
