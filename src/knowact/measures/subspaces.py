"""Averages over subspaces: the sums of each apart, and the average weighted by the records with values."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from knowact.measures.clusters import Booleans, Floats
from knowact.measures.columns import Columns


@dataclass(frozen=True, slots=True)
class Subspaces:
    """The subspaces of some records.

    A cluster that reaches into several of them is drawn as a whole, so the sums of one row hold all of them,
    one after another.

    Attributes:
        inside: For each record that counts, in which subspace it lies: one column per subspace.
        shares: The weight of each subspace; they sum to 1.
    """

    inside: Booleans
    shares: Floats

    @classmethod
    def of(cls, columns: Columns, by: str, present: Booleans) -> Self | None:
        """Find the subspaces of records.

        Each weighs as many records as have values in it (KAPRO weighs tasks, dropped ones left out), so that
        value, n and interval of an average rest on the same trials.

        Args:
            columns: The records.
            by: The label that names the subspace; empty where all records are one.
            present: Which records have all values.

        Returns:
            None where there are no records, or a subspace has none with values: an average without it would
            not be comparable with one that has it.
        """
        if not len(columns):
            return None
        if not by:
            return cls(np.ones((int(present.sum()), 1), dtype=np.bool_), np.ones(1))
        subspace = columns.key(by)
        # Sorted by name, not by first appearance: the order of records must not change what a seed draws.
        codes = sorted(set(subspace.codes.tolist()), key=subspace.names.__getitem__)
        inside = subspace.codes[present, None] == np.array(codes)
        counts = inside.sum(axis=0)
        if not counts.all():
            return None
        return cls(inside, counts / counts.sum())

    def alike(self) -> Self:
        """The same subspaces, each with the same weight."""
        return replace(self, shares=np.full(len(self.shares), 1 / len(self.shares)))

    def spread(self, rows: Floats) -> Floats:
        """Return each row's quantities in the columns of its subspace, with zeros in those of the others."""
        return (self.inside[:, :, None] * rows[:, None, :]).reshape(len(rows), -1)

    def apart(self, totals: Floats) -> Floats:
        """Return sums of spread rows with one axis for the subspaces and one for the quantities."""
        return totals.reshape(*totals.shape[:-1], len(self.shares), -1)

    def average(self, totals: Floats, statistic: Callable[[Floats], Floats]) -> Floats:
        """Return the weighted average of a statistic; NaN where a subspace was not drawn at all."""
        return np.asarray(statistic(self.apart(totals)) @ self.shares)
