"""How a simulated person puts things: names of parameters, and facts, in plain words."""

from collections.abc import Sequence

from knowact.core.task import Fact
from knowact.reading.askable import UNIT_WORDS, Slot


def label_of(slot: Slot) -> str:
    """A parameter in words, without its unit ("order number", "amount")."""
    words = [word for word in slot.parameter.split("_") if word not in UNIT_WORDS]
    return " ".join(words) or slot.parameter


def facts_said(facts: Sequence[Fact]) -> str:
    """Facts as sentences; what a person says who has done something that has no result."""
    return " ".join(map(_fact_said, facts)) or "It is done."


def _fact_said(fact: Fact) -> str:
    value = {True: "yes", False: "no"}[fact.value] if isinstance(fact.value, bool) else str(fact.value)
    said = f"{value} {fact.unit}".strip()
    return f"{fact.label[:1].upper()}{fact.label[1:]}: {said}." if fact.label else f"It is {said}."
