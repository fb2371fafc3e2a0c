"""Strategies of acting: paragraphs that are added to what an agent is told before it acts.

Every suite takes them from here, so that a strategy is the same treatment everywhere (acknowledging limits
and gathering before acting as in CAR-bench, structured verification as in ICT), and runs that differ in
nothing else are compared pair by pair. Which make no sense in a suite, the suite says in a sentence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from knowact.core.errors import BadUsage
from knowact.core.option import Option, Treatment
from knowact.core.prompts import Prompt, load_prompt
from knowact.core.suite import Item
from knowact.probes.probe import Message, Probe

STRATEGY: Final = "strategy"
"""The option's name."""

NONE: Final = "none"
ACKNOWLEDGE: Final = "acknowledge-limits"
GATHER: Final = "gather-then-act"
VERIFY: Final = "structured-verification"
STRATEGIES: Final = (NONE, ACKNOWLEDGE, GATHER, VERIFY)

Strategy = Annotated[
    Literal["none", "acknowledge-limits", "gather-then-act", "structured-verification"],
    Treatment(),
    Field(description="A paragraph that the agent is told before it acts."),
]
"""The option of a suite whose agents act; where some make no sense, the suite adds a `Treatment`."""


def strategy_option(refused: Mapping[str, str] | None = None) -> Option:
    """The option of a suite whose agents act.

    Args:
        refused: Strategies that make no sense there, each with the sentence that says why.
    """
    unfit = dict(refused or {})
    choices = tuple(name for name in STRATEGIES if name not in unfit)
    said = "A paragraph that the agent is told before it acts."
    return Option(STRATEGY, said, NONE, choices, refused=unfit, several=True)


@cache
def paragraph(strategy: str) -> Prompt:
    """The paragraph of a strategy other than "none"."""
    return load_prompt("knowact.probes", strategy)


def told(strategy: str) -> tuple[Prompt, ...]:
    """The prompts that a strategy adds; their hashes go into the log."""
    return () if strategy == NONE else (paragraph(strategy),)


def under(strategy: str, probe: Probe) -> Probe:
    """Put an acting probe under a strategy: its system message ends with the paragraph, or is the paragraph.

    Args:
        strategy: One of `STRATEGIES`; "none" leaves the probe as it is.
        probe: Whatever it opens with.
    """
    if strategy == NONE:
        return probe
    added = paragraph(strategy).text.strip()

    def opening(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
        messages = probe.opening(item, context)
        if messages[0].role != "system":
            return (Message("system", added), *messages)
        system, *rest = messages
        return (replace(system, text=f"{system.text}\n\n{added}"), *rest)

    return replace(probe, opening=opening, strategy=strategy)


def refuse_without_acting(options: Mapping[str, Any], *, acts: bool) -> None:
    """Refuse a strategy where the agent is only asked.

    Args:
        options: Of a suite with the options `strategy` and `probe`.
        acts: Whether they let the agent act.

    Raises:
        BadUsage: They don't.
    """
    if not acts and options.get(STRATEGY, NONE) != NONE:
        raise BadUsage(
            f"--strategy {options[STRATEGY]} changes how the agent acts, and --probe {options['probe']} "
            "does not let it act; leave one of them out."
        )
