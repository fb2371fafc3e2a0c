"""Know-to-act transfer in ICT: the gold verdict, the neutral question, and how results are shown."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from knowact.core.prompts import Prompt, load_prompt
from knowact.core.suite import Item
from knowact.measures.transfer import Transfer
from knowact.probes import transfer
from knowact.probes.probe import Probe, tools_as_text
from knowact.suites.ict.asked import AskedItem
from knowact.suites.ict.figures import USUAL
from knowact.suites.ict.run_groups import COLUMNS, heads

TRANSFERRED = Transfer(heads, "part", COLUMNS, USUAL)


@cache
def neutral_prompt() -> Prompt:
    """Asks whether a tool has a long name, in the form of the explicit probe."""
    return load_prompt("knowact.suites.ict", "neutral")


def prompts_of(options: Mapping[str, Any]) -> tuple[Prompt, ...]:
    """The prompts that a run takes beside the suite's own."""
    return (neutral_prompt(),) if options.get("transfer") else ()


def probes(explicit: Probe, implicit: Probe) -> list[Probe]:
    """What is asked beside the two probes."""
    neutral = transfer.neutral(implicit, explicit.name, _neutral_words, _long_name)
    return transfer.probes(implicit, [explicit], [neutral], _gold)


def _neutral_words(item: Item) -> str:
    values = {"tools": tools_as_text(item.tools), "conversation": item.task.opening.text}
    return neutral_prompt().fill(values)


def _long_name(item: Item) -> str:
    return "Yes" if any(transfer.long_names(item).values()) else "No"


def _gold(item: Item) -> Sequence[str]:
    assert isinstance(item, AskedItem)
    return ["Yes" if item.gold == "complete" else "No"]
