"""How much of the disagreement between knowing and acting is chance: a test-retest noise floor.

Let p be the probability with which an agent knows rightly about an item, and q that with which it acts
rightly on it. Knowing and acting of two different trials then differ with probability p(1 - q) + q(1 - p),
two readings of knowing with 2p(1 - p), two of acting with 2q(1 - q). The *noise floor* is the mean of the
last two: how often knowing and acting would differ if they were no more than two readings of one thing, p =
q. What exceeds it is

    excess = p(1 - q) + q(1 - p) - [2p(1 - p) + 2q(1 - q)] / 2 = (p - q)^2,

averaged over items: 0 exactly where p = q on every item, whatever these are, and never below, though an
estimate may be. Its assumptions: trials of one item are independent of each other and alike (the same
question at the same temperature). Nothing is assumed of knowing and acting within one trial, because only
readings of different trials are compared; so it also holds where both are read from one conversation. If
both have one cause, but acting is the noisier reading of it, p and q differ, and that is excess, too.

Each item's rates are averages over all ordered pairs of its different trials, which makes them unbiased for
two trials already. DirGap, a mean of p - q, needs no such correction.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from knowact.core.table import Estimate
from knowact.measures.clusters import SEED, Floats
from knowact.measures.columns import Data, as_columns
from knowact.measures.intervals import bootstrapped
from knowact.measures.limits import DIFFERENCE, SHARE

DISAGREEMENT: Final = "K and A differ"
FLOOR: Final = "by chance"
EXCESS: Final = "beyond chance"

NOISE_NOTE: Final = (
    "With two or more trials: K and A differ is how often knowing in one trial and acting in another differ; "
    "by chance, how often they would if both were readings of one thing (the mean rate at which two trials "
    "differ in knowing, and in acting); beyond chance, the difference, which is the mean of (p - q) squared "
    "over items, with p and q the probabilities of knowing and acting rightly. n counts items."
)


def noise_floor(data: Data, seed: int = SEED) -> Mapping[str, Estimate]:
    """Return the disagreement of knowing and acting, what of it is chance, and the excess, by their names.

    Args:
        data: The records of one run; those of one item and condition are its trials.
        seed: Fixes the bootstrap, which resamples clusters.

    Returns:
        Nothing where no item has two trials in which both were measured. n counts the items that have; each
        weighs the same.
    """
    columns = as_columns(data)
    measured = np.flatnonzero((columns.knew >= 0) & (columns.acted >= 0))
    readings = columns.take(measured)
    first, item = readings.by_item()
    trials, knew, acted, both = (
        np.bincount(item, weights=weights, minlength=len(first))
        for weights in (None, readings.knew, readings.acted, readings.knew != readings.acted)
    )
    often = trials > 1
    if not often.any():
        return {}
    rates = _rates(*(column[often].astype(np.float64) for column in (trials, knew, acted, both)))
    clusters = readings.cluster.codes[first][often]
    return {name: _mean(values, clusters, seed, signed=name == EXCESS) for name, values in rates.items()}


def _mean(values: Floats, clusters: NDArray[np.integer], seed: int, *, signed: bool) -> Estimate:
    """A mean of what is estimated per item; never Wilson's interval: where all are 0 or 1, that is chance."""
    rows = np.column_stack((values, np.ones(len(values))))
    return bootstrapped(rows, clusters, seed, DIFFERENCE if signed else SHARE, n=len(values))


def _rates(trials: Floats, knew: Floats, acted: Floats, both: Floats) -> dict[str, Floats]:
    """The three rates of each item.

    Args:
        trials: How many trials it has.
        knew: In how many it knew.
        acted: In how many it acted rightly.
        both: In how many knowing and acting differ; these pairs are of one trial, so they don't count.
    """
    pairs = trials * (trials - 1)
    differ = (knew * (trials - acted) + acted * (trials - knew) - both) / pairs
    floor = (knew * (trials - knew) + acted * (trials - acted)) / pairs
    return {DISAGREEMENT: differ, FLOOR: floor, EXCESS: differ - floor}
