"""Records as columns: one pass, a few bytes per number, so that a million records fit beside each other.

Here also falls the one decision about what counts: a record that an instrument spoilt has *no* value in
any column, so nothing above has to remember to leave it out.
"""

import math
from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from knowact.core.errors import UnknownName
from knowact.core.record import Record
from knowact.measures.clusters import Booleans, Floats
from knowact.measures.quadrants import DIRECTION_GAP, Quadrant

Codes = NDArray[np.int32]
Rows = NDArray[np.intp]
Outcomes = NDArray[np.int8]

_OUTCOME: Final[Mapping[bool | None, int]] = {None: -1, False: 0, True: 1}

FIELDS: Final[Mapping[str, Callable[[Record], float]]] = {
    "calls": lambda record: record.calls,
    "tokens": lambda record: sum(record.tokens),
    "seconds": lambda record: record.seconds,
    "cost": lambda record: math.nan if record.cost is None else record.cost,
}
"""Numbers that every record has besides its results; they are measures by these names."""

CONDITION: Final = "condition"
"""The key that is not a label."""

Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Coded(Generic[Name]):
    """Repeated names as numbers: the name of row i is `names[codes[i]]`."""

    codes: Codes
    names: tuple[Name, ...]

    def take(self, rows: Rows) -> "Coded[Name]":
        """Return some rows; the names stay."""
        return Coded(self.codes[rows], self.names)


class Shape(NamedTuple):
    """All that a policy which doesn't read can make of an item.

    Attributes:
        required: How many tools the task needs.
        reachable: How many of those are offered.
        spare: How many are offered that it does not need.
    """

    required: int
    reachable: int
    spare: int

    @classmethod
    def of(cls, offered: Iterable[str], required: frozenset[str]) -> Self:
        """Count an item's tools; a tool that is offered twice counts once."""
        table = frozenset(offered)
        return cls(len(required), len(required & table), len(table - required))


@dataclass(frozen=True, slots=True)
class Columns:
    """Records, column by column; every array has one entry per record.

    Attributes:
        measures: Numbers by the measure's name; NaN where there is none, or the record is unscored.
        knew: 1 right, 0 wrong, -1 not measured (unscored records included).
        acted: Likewise.
        scored: Whether no instrument failed in any probe.
        shapes: How many tools were needed and offered.
    """

    measures: Mapping[str, Floats]
    knew: Outcomes
    acted: Outcomes
    scored: Booleans
    item: Coded[str]
    condition: Coded[str]
    epoch: Codes
    cluster: Coded[str]
    labels: Mapping[str, Coded[str]]
    shapes: Coded[Shape]

    def __len__(self) -> int:
        return len(self.scored)

    def values(self, measure: str) -> Floats:
        """Return a measure's numbers, NaN where there is none.

        Besides the names that were read these are known: each quadrant ("Kc/Aw": 1 inside, 0 outside) and
        "DirGap" (1 knew only, -1 acted only, 0 else).

        Raises:
            UnknownName: The measure was not read from the records.
        """
        if measure in self.measures:
            return self.measures[measure]
        if measure in set(Quadrant):
            return self._inside(Quadrant(measure))
        if measure == DIRECTION_GAP:
            return self._inside(Quadrant.KNEW_ONLY) - self._inside(Quadrant.ACTED_ONLY)
        raise UnknownName("measure", measure, (*self.measures, *Quadrant, DIRECTION_GAP))

    def take(self, rows: Rows) -> "Columns":
        """Return some of the records."""
        return Columns(
            measures={name: column[rows] for name, column in self.measures.items()},
            knew=self.knew[rows],
            acted=self.acted[rows],
            scored=self.scored[rows],
            item=self.item.take(rows),
            condition=self.condition.take(rows),
            epoch=self.epoch[rows],
            cluster=self.cluster.take(rows),
            labels={name: column.take(rows) for name, column in self.labels.items()},
            shapes=self.shapes.take(rows),
        )

    def key(self, name: str) -> Coded[str]:
        """Return what a table can group by: a label that was read, or "condition".

        Raises:
            UnknownName: The label was not read from the records.
        """
        if name == CONDITION:
            return self.condition
        if name not in self.labels:
            raise UnknownName("key", name, (CONDITION, *self.labels))
        return self.labels[name]

    def groups(self, *keys: str) -> Mapping[tuple[str, ...], "Columns"]:
        """Split by the named keys: labels that were read, or "condition".

        Returns:
            The records of each combination that occurs, by the names in the order of `keys`.

        Raises:
            UnknownName: A key was not read from the records.
        """
        coded = [self.key(key) for key in keys]
        if not coded or len(self) == 0:
            return {(): self} if not coded else {}
        order = np.lexsort([column.codes for column in reversed(coded)])
        sorted_codes = np.column_stack([column.codes[order] for column in coded])
        edges = np.flatnonzero((np.diff(sorted_codes, axis=0) != 0).any(axis=1)) + 1
        return {
            tuple(column.names[column.codes[rows[0]]] for column in coded): self.take(rows)
            for rows in np.split(order, edges)
        }

    def by_item(self) -> tuple[Rows, Rows]:
        """Return the first row of each item and condition, and for each row which of these it is of."""
        keys = np.column_stack((self.item.codes, self.condition.codes))
        _, first, item = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        return first, item

    def _inside(self, quadrant: Quadrant) -> Floats:
        measured = (self.knew >= 0) & (self.acted >= 0)
        inside = (self.knew == quadrant.knew) & (self.acted == quadrant.acted)
        return np.where(measured, inside, np.nan)


Data = Columns | Iterable[Record]
"""What measures take: records, or columns that were made of them before."""


def as_columns(data: Data, measures: Sequence[str] = (), labels: Sequence[str] = ()) -> Columns:
    """Return columns as they are, and records converted."""
    return data if isinstance(data, Columns) else columns(data, measures, labels)


def columns(records: Iterable[Record], measures: Sequence[str], labels: Sequence[str] = ()) -> Columns:
    """Read records once, keeping none of them.

    Args:
        records: They may come from a generator.
        measures: What to keep: names of results (a record without one has NaN there) or of `FIELDS`.
        labels: Names of the labels to keep; a record without one has the empty text there.
    """
    numbers = {name: _Numbers(name) for name in measures if not _derived(name)}
    texts = {name: _Coder[str](_label(name)) for name in labels}
    item, condition = _Coder[str](lambda r: r.item), _Coder[str](lambda r: r.condition)
    cluster = _Coder[str](lambda r: r.cluster)
    shapes = _Coder[Shape](lambda r: Shape.of(r.offered, r.required))
    knew, acted, scored, epoch = array("b"), array("b"), array("b"), array("i")
    coders = (item, condition, cluster, shapes, *texts.values())
    for record in records:
        fine = record.scored
        scored.append(fine)
        epoch.append(record.epoch)
        knew.append(_OUTCOME[record.knew if fine else None])
        acted.append(_OUTCOME[record.acted if fine else None])
        for coder in coders:
            coder.add(record)
        for column in numbers.values():
            column.add(record, fine)
    return Columns(
        measures={name: column.values() for name, column in numbers.items()},
        knew=np.array(knew, dtype=np.int8),
        acted=np.array(acted, dtype=np.int8),
        scored=np.array(scored, dtype=np.bool_),
        item=item.coded(),
        condition=condition.coded(),
        epoch=np.array(epoch, dtype=np.int32),
        cluster=cluster.coded(),
        labels={name: coder.coded() for name, coder in texts.items()},
        shapes=shapes.coded(),
    )


class _Numbers:
    """A column of numbers while it grows: a result's number, or one of `FIELDS`."""

    def __init__(self, name: str) -> None:
        self._read: Callable[[Record], float] = FIELDS.get(name) or (lambda record: record.value(name))
        self._values = array("d")

    def add(self, record: Record, scored: bool) -> None:  # noqa: FBT001 - called a million times
        self._values.append(self._read(record) if scored else math.nan)

    def values(self) -> Floats:
        return np.array(self._values, dtype=np.float64)


class _Coder(Generic[Name]):
    """A column of repeated names while it grows."""

    def __init__(self, name_of: Callable[[Record], Name]) -> None:
        self._name_of = name_of
        self._codes, self._known = array("i"), dict[Name, int]()

    def add(self, record: Record) -> None:
        self._codes.append(self._known.setdefault(self._name_of(record), len(self._known)))

    def coded(self) -> Coded[Name]:
        return Coded(np.array(self._codes, dtype=np.int32), tuple(self._known))


def _label(name: str) -> Callable[[Record], str]:
    return lambda record: record.labels.get(name, "")


def _derived(measure: str) -> bool:
    return measure == DIRECTION_GAP or measure in set(Quadrant)
