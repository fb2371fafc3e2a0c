"""The two rule sets of the car world (design.md, house rule 4)."""

from enum import StrEnum
from typing import Final

from knowact.core.errors import UnknownName


class Rules(StrEnum):
    """Which behaviour the car world has; never a mixture."""

    DEFINITION = "definition"
    """What the benchmark's text says, with the corrections of spec car-bench.md, section 10.8."""
    PUBLISHED = "published"
    """What the published revision ("Rev A") does, known faults included, so that its numbers come out."""


ALIASES: Final = {"strict": Rules.DEFINITION, "rev_a": Rules.PUBLISHED}
"""The field's own names for the two (spec car-bench.md, sections 0 and 10.8)."""


def rules_named(name: str) -> Rules:
    """Return a rule set by its name or alias.

    Raises:
        UnknownName: There is none of that name.
    """
    known = {**{rules.value: rules for rules in Rules}, **ALIASES}
    if name not in known:
        raise UnknownName("rule set of the car world", name, known)
    return known[name]
