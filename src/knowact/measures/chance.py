"""Baselines that do not read the question, and scores corrected for chance.

In a clean setting the offered tools may be the gold plan, so that calling everything looks able. The
baselines are computed from the items; no run is needed for them.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from knowact.core.table import Estimate
from knowact.measures.columns import Data, Shape, as_columns


@dataclass(frozen=True, slots=True)
class Policies:
    """The accuracy (mean Jaccard) of policies that treat all items alike; NaN without items.

    Such a policy says and does the same, so each number is its Acc_know, its Acc_act and its KAS.

    Attributes:
        everything: Mark every offered tool.
        nothing: Mark none.
        coin: Mark each offered tool with probability one half; its expected accuracy.
        n: How many items.
    """

    everything: float
    nothing: float
    coin: float
    n: int

    @property
    def by_name(self) -> Mapping[str, float]:
        """The accuracies by the names that tables and sentences carry."""
        return {"always call": self.everything, "never call": self.nothing, "coin flip": self.coin}

    @property
    def best(self) -> float:
        """The better of the two constant policies; a coin is not constant."""
        return max(self.everything, self.nothing)


def policies_of(data: Data) -> Policies:
    """Compute the baselines from the scored records: the same items that the headline rests on."""
    columns = as_columns(data)
    codes = columns.shapes.codes[columns.scored]
    counts = np.bincount(codes, minlength=len(columns.shapes.names))
    return _policies({shape: int(count) for shape, count in zip(columns.shapes.names, counts, strict=True)})


def chance_corrected(value: float, best: float) -> float:
    """Return (value - best) / (1 - best): 0 for the best constant policy, 1 for a perfect score.

    NaN where the best constant policy is perfect already (or not measured): nothing can be shown there.
    """
    return math.nan if best == 1 else (value - best) / (1 - best)


def corrected(estimate: Estimate, best: float) -> Estimate:
    """Correct an estimate and both ends of its interval for chance.

    The policy's score is a fact about the items, not an estimate; it adds no width. No value where the
    estimate has none or the best constant policy leaves no room.
    """
    if estimate.value is None or math.isnan(chance_corrected(estimate.value, best)):
        return Estimate(None, estimate.n)
    low, high = (
        None if end is None else chance_corrected(end, best) for end in (estimate.low, estimate.high)
    )
    return replace(estimate, value=chance_corrected(estimate.value, best), low=low, high=high)


def _policies(shapes: Mapping[Shape, int]) -> Policies:
    n = sum(shapes.values())
    if n == 0:
        return Policies(math.nan, math.nan, math.nan, 0)
    everything = math.fsum(count * _jaccard_of_all(shape) for shape, count in shapes.items())
    nothing = sum(count for shape, count in shapes.items() if shape.required == 0)
    coin = math.fsum(count * _expected_of_coin(shape) for shape, count in shapes.items())
    return Policies(everything / n, nothing / n, coin / n, n)


def _jaccard_of_all(shape: Shape) -> float:
    union = shape.required + shape.spare
    return shape.reachable / union if union else 1.0


def _expected_of_coin(shape: Shape) -> float:
    """Average J over all subsets of the offered tools.

    Hits and superfluous marks are independent: half of the reachable tools are hit on average, and the
    union is the required tools plus a binomial number of spare ones.
    """
    chances = [math.comb(shape.spare, marked) / 2**shape.spare for marked in range(shape.spare + 1)]
    if shape.required == 0:
        return chances[0]
    return sum(
        chance * shape.reachable / 2 / (shape.required + marked) for marked, chance in enumerate(chances)
    )
