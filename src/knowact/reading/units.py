"""Units: which spellings mean the same."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Units:
    """The table of `units.toml`.

    Attributes:
        canonical: From spelling to canonical unit.
        wider: From a unit that leaves something open to those that may be meant.
        after: Finds a unit right after a number.
        before: Finds a currency right before one.
    """

    canonical: dict[str, str]
    wider: dict[str, frozenset[str]]
    after: re.Pattern[str]
    before: re.Pattern[str]

    def of(self, written: str) -> str:
        """The canonical unit of a spelling; an unknown one stands for itself."""
        plain = " ".join(written.lower().split())
        return self.canonical.get(plain, plain)

    def agree(self, one: str, other: str) -> bool:
        """Whether two canonical units may be the same."""
        return one == other or other in self.wider.get(one, ()) or one in self.wider.get(other, ())


@cache
def units() -> Units:
    """Load the table."""
    data: dict[str, Any] = tomllib.loads(files("knowact.reading").joinpath("units.toml").read_text("utf-8"))
    groups: list[list[str]] = data["units"]
    canonical = {spelling: group[0] for group in groups for spelling in group}
    spellings = sorted(canonical, key=len, reverse=True)
    alternatives = "|".join(re.escape(one).replace("\\ ", r"\s+") for one in spellings)
    money = "|".join(
        re.escape(one) for one in spellings if canonical[one] in {"eur", "usd", "gbp", "jpy", "chf", "inr"}
    )
    return Units(
        canonical=canonical,
        wider={unit: frozenset(meant) for unit, meant in data["wider"].items()},
        after=re.compile(rf"[ ]{{0,12}}-?({alternatives})(?![a-z0-9_^])"),
        before=re.compile(rf"({money})[ ]{{0,3}}\Z"),
    )
