"""Sensitivity d' and criterion c: does an agent tell the two members of a pair apart, and where does it lean?

Signal detection over minimal pairs (Macmillan and Creelman, "Detection Theory", 2nd ed., 2005, chapters 1
and 2): a *hit* is an incomplete item on which the agent held back, a *false alarm* a complete one.

    d' = z(H) - z(F)        c = -(z(H) + z(F)) / 2

Rates of 0 and 1, whose z is infinite, are kept off by the log-linear correction: (k + 0.5) / (n + 1) for
every rate, extreme or not (Hautus, "Corrections for extreme proportions and their biasing effects on
estimated values of d'", 1995). Only whole pairs count, so both rates rest on the same n, and an agent that
does the same on every item has a d' of exactly 0.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from statistics import NormalDist
from typing import Final

import numpy as np

from knowact.core.table import Estimate, Table, rows_of
from knowact.measures import intervals
from knowact.measures.clusters import SEED, Floats, numbered, profiles
from knowact.measures.confusion import Answer, Said, scored, whole_pairs

D_PRIME: Final = "d'"
CRITERION: Final = "criterion c"
HITS: Final = "held back, incomplete"
ALARMS: Final = "held back, complete"

_QUANTILE: Final = np.vectorize(NormalDist().inv_cdf, otypes=[np.float64])


def member(pair: str, held_back: float, cluster: str, *, complete: bool) -> Answer:
    """One member of a pair; `held_back` is 1 or 0, and NaN where that was not measured."""
    answer: Said | None = None if math.isnan(held_back) else "no" if held_back else "yes"
    return Answer(pair, complete, answer, cluster)


def sensitivity(answers: Iterable[Answer]) -> Mapping[str, Estimate]:
    """Return d', criterion c and the two rates that they are made of, by the names that tables carry.

    Args:
        answers: What the agent did on both members of each pair, *no* where it held back; anything else
            counts as not holding back. Pairs of which a member is missing or unscored are left out.

    Returns:
        n counts pairs. A high d' says that it tells the members apart; a c above 0 that it goes ahead too
        readily, one below 0 that it holds back too readily.

    Raises:
        ValueError: See `confusion.scored`.
    """
    pairs = whole_pairs(scored(answers))
    if not pairs:
        return dict.fromkeys((D_PRIME, CRITERION, HITS, ALARMS), Estimate(None, 0))
    n, numbers = len(pairs), numbered([lacking.cluster for lacking, _ in pairs])
    counts = np.array([[side.said == "no" for side in pair] for pair in pairs], dtype=np.float64)
    cluster_sums = profiles(np.column_stack((counts, np.ones(n))), numbers)
    draws, most = cluster_sums.resampled(SEED), intervals.wilson(0, cluster_sums.clusters).high or 0.0

    def estimate(of: Callable[[Floats], Floats], low: Floats, high: Floats) -> Estimate:
        """Where all draws agree the ends are as far as the rates may yet move, towards 0 (0) or 1 (1)."""
        point = float(of(cluster_sums.totals))
        least, greatest = (
            cluster_sums.totals + most * (to * n - cluster_sums.totals) * _RATES for to in (low, high)
        )
        return intervals.percentile(point, of(draws), n) or Estimate(
            point, n, float(of(least)), float(of(greatest)), intervals.UNANIMOUS
        )

    rates = (intervals.mean(counts[:, side], numbers, SEED) for side in (0, 1))
    return {
        D_PRIME: estimate(_d_prime, np.array((0, 1, 0)), np.array((1, 0, 0))),
        CRITERION: estimate(_criterion, np.array((1, 1, 0)), np.array((0, 0, 0))),
        **dict(zip((HITS, ALARMS), rates, strict=True)),
    }


_RATES: Final = np.array((1, 1, 0))
"""Hits and false alarms may move; the number of pairs may not."""


def _z(totals: Floats) -> Floats:
    """The z of both rates per leading index of totals whose last axis is (hits, false alarms, pairs)."""
    counts, n = totals[..., :2], totals[..., 2:]
    # From the nearer end: rounding must not tell k of n from n - k of n, whose z differ in sign alone.
    nearer = np.minimum(counts, n - counts)
    return np.where(2 * counts > n, -1.0, 1.0) * _QUANTILE((nearer + 0.5) / (n + 1))


def _d_prime(totals: Floats) -> Floats:
    z = _z(totals)
    return z[..., 0] - z[..., 1]


def _criterion(totals: Floats) -> Floats:
    return 0.0 - _z(totals).sum(axis=-1) / 2


NOTE: Final = (
    "Does it tell the incomplete member of a minimal pair from the complete one, and where does it lean? "
    "Held back: on the incomplete member it is right (a hit), on the complete one it is a false alarm. d' is "
    "the distance between the two rates in standard deviations, z(hits) - z(false alarms): 0 for any agent "
    "that does the same everywhere, and the more the better. Criterion c, -(z(hits) + z(false alarms)) / 2: "
    "above 0 it goes ahead too readily, below 0 it holds back too readily. Both rates are (k + 0.5) / (n + "
    "1) (log-linear correction, Hautus 1995), so d' stays finite; its ceiling grows with n. Intervals "
    "resample clusters."
)


def sensitivity_table(
    parts: Iterable[tuple[Mapping[str, str], Iterable[Answer]]], across: str, note: str
) -> Table:
    """The table of d' and criterion, a row head per run.

    Args:
        parts: The keys of each cell, and what the agent did there (see `sensitivity`); a cell without whole
            pairs is left out.
        across: The key that makes the columns.
        note: What counts as holding back in this suite.
    """
    rows = [row for keys, answers in parts for row in rows_of(keys, sensitivity(answers), empty=False)]
    return Table(
        *("sensitivity", "Sensitivity and criterion", "knowact", tuple(rows)),
        across=(across,),
        note=f"{NOTE} {note}",
        percent=False,
        highest=False,
    )
