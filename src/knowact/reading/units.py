"""Units of measurement: which spellings mean the same, and how one becomes another."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NotRequired, TypedDict

from knowact.reading.quotes import folded

OTHER = "other"
"""The unit of an amount that is in none of a slot's units."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit; base value = value * `factor` + `offset`.

    Attributes:
        name: As forms show it.
        dimension: What it measures; units of one dimension convert into each other.
    """

    name: str
    dimension: str
    factor: float
    offset: float

    def convert(self, value: float, to: "Unit") -> float:
        """The value in another unit of the same dimension."""
        return (value * self.factor + self.offset - to.offset) / to.factor


class _Written(TypedDict):
    """A unit as the file has it."""

    factor: float
    offset: NotRequired[float]
    spellings: list[str]


@cache
def _table() -> tuple[tuple[Unit, ...], Mapping[str, tuple[Unit, ...]]]:
    """All units in the order of the file, and which units a spelling may mean."""
    data: Mapping[str, Mapping[str, _Written]] = tomllib.loads(
        files("knowact.reading").joinpath("units.toml").read_text(encoding="utf-8")
    )
    units: list[Unit] = []
    spelled: dict[str, tuple[Unit, ...]] = {}
    for dimension, members in data.items():
        for name, about in members.items():
            unit = Unit(name, dimension, float(about["factor"]), float(about.get("offset", 0)))
            units.append(unit)
            for spelling in dict.fromkeys(folded(written) for written in (name, *about["spellings"])):
                spelled[spelling] = (*spelled.get(spelling, ()), unit)
    return tuple(units), spelled


def unit_of(written: str, beside: Unit | None = None) -> Unit | None:
    """The unit that a spelling means; None for one that is in no table.

    Args:
        written: The spelling.
        beside: Where a spelling may mean several ("m"), the one of this unit's dimension.
    """
    meanings = _table()[1].get(folded(written), ())
    same = [unit for unit in meanings if beside is not None and unit.dimension == beside.dimension]
    return next(iter((*same, *meanings)), None)


def choices_of(unit: str) -> tuple[str, ...]:
    """The units that a form offers for an amount in `unit`: its own, those it converts to, and `other`."""
    own = unit_of(unit)
    if own is None:
        return (unit, OTHER)
    same = [member.name for member in _table()[0] if member.dimension == own.dimension and member != own]
    return (unit, *same, OTHER)
