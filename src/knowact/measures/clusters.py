"""Clusters resampled: the engine under every clustered interval and p-value.

Items of one cluster (variants of a base item, epochs) are not independent, so whole clusters are drawn
with replacement. All that a mean or a ratio needs of a cluster is its *profile*, the sums of its
columns. Many clusters share a profile, and how often each profile is drawn is multinomial: drawing
those counts is exactly the same experiment as drawing clusters one by one, at a fraction of the cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from knowact.core import seeds

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

DRAWS: Final = 2_000
"""Bootstrap draws: the ends of a 95 % interval then rest on 50 draws each."""

SEED: Final = 0
"""Of the draws, unless told otherwise: equal records give equal intervals."""

_CELLS_AT_ONCE: Final = 2_000_000
"""Draws times profiles held in memory at a time (16 MB of counts)."""


@dataclass(frozen=True, slots=True)
class Profiles:
    """The distinct clusters of some rows.

    Attributes:
        sums: One row per distinct profile, one column per summed quantity; sorted, so that neither the
            order of records nor the names of clusters can change what a seed draws.
        copies: How many clusters have this profile.
    """

    sums: Floats
    copies: Integers

    @property
    def clusters(self) -> int:
        """How many clusters there are."""
        return int(self.copies.sum())

    @property
    def totals(self) -> Floats:
        """The sums over all clusters, each counted once: what was observed."""
        return self.copies @ self.sums

    def resampled(self, seed: int, draws: int = DRAWS) -> Floats:
        """Draw clusters with replacement; return their totals, one row per draw."""
        generator = np.random.default_rng(seeds.derive(seed, "bootstrap"))
        odds = self.copies / self.clusters
        parts = [
            generator.multinomial(self.clusters, odds, size=size) @ self.sums
            for size in _portions(draws, len(self.copies))
        ]
        return np.concatenate(parts)

    def swapped(self, seed: int, draws: int) -> Floats:
        """Toss a coin for each cluster; return the sums over those that came up heads, a row per draw."""
        generator = np.random.default_rng(seeds.derive(seed, "swap"))
        parts = [
            generator.binomial(self.copies, 0.5, size=(size, len(self.copies))) @ self.sums
            for size in _portions(draws, len(self.copies))
        ]
        return np.concatenate(parts)


def profiles(rows: Floats, clusters: NDArray[np.integer]) -> Profiles:
    """Sum the rows of each cluster and gather the clusters that come to the same sums.

    Args:
        rows: One row per record, one column per quantity to sum; without NaN.
        clusters: The cluster of each row, as a number from 0.

    Raises:
        ValueError: There are no rows, one of them holds NaN, or the lengths differ.
    """
    if rows.ndim != 2 or len(rows) == 0 or len(rows) != len(clusters):  # noqa: PLR2004 - rows and columns
        raise ValueError("profiles need at least one row, and one cluster for each")
    if np.isnan(rows).any():
        raise ValueError("rows that were not measured must be left out before they are summed")
    # Within a cluster rows are added in the order of their values: floating sums depend on the order.
    order = np.lexsort((*rows.T, clusters))
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    sums = np.add.reduceat(rows[order], starts, axis=0)
    sums = sums[np.lexsort(tuple(sums.T))]
    fresh = np.ones(len(sums), dtype=np.bool_)
    fresh[1:] = (sums[1:] != sums[:-1]).any(axis=1)
    first = np.flatnonzero(fresh)
    return Profiles(sums[first], np.diff(first, append=len(sums)).astype(np.int64))


def numbered(names: Sequence[str]) -> Integers:
    """Number names from 0, in an order that their sequence cannot change."""
    places = {name: place for place, name in enumerate(sorted(set(names)))}
    return np.array([places[name] for name in names], dtype=np.int64)


def _portions(draws: int, width: int) -> list[int]:
    """Split `draws` so that each portion times `width` stays small; the split never changes the stream."""
    size = max(1, _CELLS_AT_ONCE // width)
    return [min(size, draws - start) for start in range(0, draws, size)]
