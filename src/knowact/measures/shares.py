"""How often something happens, where what is counted comes in clusters.

Several trials of one task, and the tasks made of one base task, are no independent witnesses. So a share
of trials gets the interval of every other clustered number.
"""

from collections.abc import Sequence

import numpy as np

from knowact.core.table import Estimate
from knowact.measures.clusters import SEED, numbered
from knowact.measures.intervals import bootstrapped, wilson
from knowact.measures.limits import SHARE


def share(
    hits: Sequence[float], clusters: Sequence[str], seed: int = SEED, *, of: Sequence[float] | None = None
) -> Estimate:
    """Return the sum of hits over the sum of chances.

    The interval is Wilson's where each row is one chance and a cluster of its own; otherwise clusters are
    resampled, and where all draws are the same it is Wilson's over clusters.

    Args:
        hits: How often it happened in each row (a trial: no or once).
        clusters: The cluster of each row.
        seed: Fixes the draws.
        of: How often it could have happened in each row; once, unless told.

    Raises:
        ValueError: The lengths differ, or a row has more hits than chances.
    """
    chances = [1.0] * len(hits) if of is None else list(of)
    rows = list(zip(hits, chances, clusters, strict=True))
    if any(not 0 <= hit <= chance for hit, chance, _ in rows):
        raise ValueError("nothing happens more often than it can")
    rows = [row for row in rows if row[1]]
    n = round(sum(chance for _, chance, _ in rows))
    names = [name for *_, name in rows]
    if len(set(names)) == len(rows) == n:
        return wilson(round(sum(hit for hit, *_ in rows)), n)
    counts = np.array([row[:2] for row in rows], dtype=np.float64)
    return bootstrapped(counts, numbered(names), seed, SHARE, n=n)
