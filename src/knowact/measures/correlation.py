"""Pearson's r with Fisher's z interval (KAPRO, section 5.2; interfaces.md, "Intervals")."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from knowact.core.table import Estimate
from knowact.measures.intervals import NORMAL

_FEWEST_FOR_R: Final = 3
"""Two points always lie on a line: their r says nothing."""
_FEWEST_FOR_INTERVAL: Final = 4
"""The standard error of z is 1 / sqrt(n - 3)."""


def pearson(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """Return r over the points of which both coordinates are measured (not NaN); n counts those.

    There is no r under three points or when one coordinate never varies, and no interval under four
    points or when r is exactly 1 or -1, where z is infinite.

    Raises:
        ValueError: The lengths differ, or a coordinate is infinite.
    """
    if len(x) != len(y):
        raise ValueError(f"{len(x)} and {len(y)} coordinates do not make points")
    points = np.array([x, y], dtype=np.float64)
    if np.isinf(points).any():
        raise ValueError("r of infinite coordinates is not defined")
    points = points[:, ~np.isnan(points).any(axis=0)]
    n = points.shape[1]
    # Asking for equality, not for a deviation of zero: the mean of equal numbers may be off by rounding.
    if n < _FEWEST_FOR_R or any(float(np.ptp(row)) == 0 for row in points):
        return Estimate(None, n)
    # Scaling first: squares of very small or large deviations would vanish or overflow.
    deviations = points - points.mean(axis=1, keepdims=True)
    deviations /= np.abs(deviations).max(axis=1, keepdims=True)
    r = float(deviations[0] @ deviations[1] / math.sqrt(float((deviations**2).sum(axis=1).prod())))
    r = max(-1.0, min(1.0, r))
    if n < _FEWEST_FOR_INTERVAL or abs(r) == 1:
        return Estimate(r, n)
    reach = NORMAL / math.sqrt(n - 3)
    return Estimate(r, n, math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach), "fisher z")
