"""Traits: what an agent is like with its limits, in the same words for every suite.

Each trait is defined here once, from records. Knowing and acting are in every record; where a suite's records
show asking and admitting is the suite's to say (`Evidence`), because only it knows what is missing and who
could help.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Self

from knowact.core.record import NOT_APPLICABLE, Record, Result


class Trait(StrEnum):
    """One line of an agent's profile."""

    KNOWS = "knows"
    ACTS = "acts"
    ASKS = "asks"
    ADMITS = "admits"
    CONSISTENT = "consistent"


MEANING: Final[Mapping[Trait, str]] = {
    Trait.KNOWS: "what it says about its limits before it acts is right",
    Trait.ACTS: "what it does is right: it goes ahead where it can, and only there",
    Trait.ASKS: "where only the user can say what is missing, it asks for it or names it instead of going on",
    Trait.ADMITS: "where a tool or its result is missing, it says so instead of going on",
    Trait.CONSISTENT: "what it does rightly in one trial, it does rightly in another trial of the same item",
}
"""What each says of an agent, as a share of the trials that can show it; of pairs of trials for the last."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a suite's records show a trait: in one result, on some of its items.

    Attributes:
        result: Its name; 1 shows the trait, 0 does not.
        where: The items: by label, which of its values they have.
        rules: The one rule set under which it shows the trait, where others read no words; empty for all.
    """

    result: str
    where: Mapping[str, frozenset[str]]
    rules: str = ""

    @classmethod
    def on(cls, result: str, **where: str | tuple[str, ...]) -> Self:
        """Evidence in a result, on items whose labels have these values."""
        values = {label: (one,) if isinstance(one, str) else one for label, one in where.items()}
        return cls(result, {label: frozenset(some) for label, some in values.items()})

    def under(self, rules: str) -> Self:
        """The same evidence, under one rule set only."""
        return replace(self, rules=rules)

    def of(self, record: Record, rules: str = "") -> Result:
        """What one trial shows, scored by these rules."""
        shown = self.rules in ("", rules)
        if not shown or any(record.labels.get(label) not in values for label, values in self.where.items()):
            return NOT_APPLICABLE
        return record.results.get(self.result, NOT_APPLICABLE)


def with_traits(
    records: Sequence[Record], evidence: Mapping[Trait, Evidence], rules: str = ""
) -> list[Record]:
    """Add what each trial shows of each trait to its results, by the trait's name.

    There is none for consistency, which takes several trials.

    Args:
        records: Of one run.
        evidence: Where the suite's records show a trait.
        rules: The rule set that the run was scored by.
    """
    return [
        replace(record, results={**record.results, **_shown(record, evidence, rules)}) for record in records
    ]


def _shown(record: Record, evidence: Mapping[Trait, Evidence], rules: str) -> dict[str, Result]:
    said = {Trait.KNOWS: record.knew, Trait.ACTS: record.acted}
    truths = {trait: NOT_APPLICABLE if one is None else Result.of(one) for trait, one in said.items()}
    return {str(trait): one for trait, one in truths.items()} | {
        str(trait): one.of(record, rules) for trait, one in evidence.items()
    }
