"""What the agent is told: its system message, and what the run factors add to it (spec, section 1.10)."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from knowact.core.prompts import Prompt, load_prompt
from knowact.core.suite import Item
from knowact.probes.probe import Message
from knowact.worlds.car.catalogue import operations
from knowact.worlds.car.policies.catalogue import POLICIES
from knowact.worlds.car.rules import Rules

GATHER: Final = "gather-then-act"
_NAMES: Final = ("agent", "acknowledge-limits", GATHER, "turn-over")


@cache
def prompts() -> Mapping[str, Prompt]:
    """All prompts for the agent, by file name; their hashes go into the log."""
    return {name: load_prompt("knowact.suites.car", name) for name in _NAMES}


def brief(item: Item, context: Mapping[str, str], strategy: str) -> Sequence[Message]:
    """The agent's system message.

    Args:
        item: Not looked at: every task is told the same, or the telling would give something away.
        context: Where and when it is, as the world shows it.
        strategy: "none", or the run factor that adds a paragraph.
    """
    del item
    values = {
        "policies": "\n".join(f"- {one.sentence}" for one in POLICIES.values()),
        "strategy": "" if strategy == "none" else f"{prompts()[strategy].text.strip()}\n",
        "location": context["current_location"],
        "datetime": context["current_datetime"],
    }
    return (Message("system", prompts()["agent"].fill(values).strip()),)


def looking_tools(rules: Rules) -> frozenset[str]:
    """The tools of the gathering phase: all that change nothing."""
    return frozenset(name for name, one in operations(rules).items() if one.kind != "set")
