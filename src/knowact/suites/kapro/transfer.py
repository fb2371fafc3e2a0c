"""Know-to-act transfer in KAPRO: the gold verdict, the neutral question, and how the results are shown."""

import json
from collections.abc import Sequence
from functools import cache

from knowact.core.names import shown_names
from knowact.core.prompts import Prompt, load_prompt
from knowact.core.suite import Item
from knowact.measures.transfer import Transfer
from knowact.probes import transfer
from knowact.probes.probe import Probe, tools_as_text
from knowact.suites.kapro.options import KaproOptions
from knowact.suites.kapro.run_groups import SUBSPACES, heads
from knowact.suites.kapro.tables import USUAL

TRANSFERRED = Transfer(heads, "boundary", SUBSPACES, USUAL)


@cache
def neutral_prompt() -> Prompt:
    """Asks of each tool whether its name is long, in the form of the knowing probe."""
    return load_prompt("knowact.suites.kapro", "neutral")


def prompts_of(options: KaproOptions) -> tuple[Prompt, ...]:
    """The prompts that a run takes beside the suite's own."""
    return (neutral_prompt(),) if options.transfer else ()


def probes(know: Probe, act: Probe) -> list[Probe]:
    """What is asked beside the two probes."""
    asks = transfer.neutral(act, know.name, _neutral_words, _long_names)
    return transfer.probes(act, [know], [asks], _gold)


def _neutral_words(item: Item) -> str:
    values = {"task": item.task.opening.text, "tools": tools_as_text(item.tools)}
    return neutral_prompt().fill(values)


def _long_names(item: Item) -> str:
    return json.dumps({"long_names": transfer.long_names(item)})


def _gold(item: Item) -> Sequence[str]:
    shown = shown_names(tool.name for tool in item.tools)
    return [json.dumps({"tool_decisions": {name: tool in item.required for tool, name in shown.items()}})]
