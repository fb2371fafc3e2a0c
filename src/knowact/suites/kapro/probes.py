"""The two probes of KAPRO: *knowing* (one question, nothing registered) and *acting* (a tool loop).

KAPRO, section 3.5. The prompts are our own words for what the
paper describes; ids, versions and hashes go into the log.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache

from knowact.core.names import shown_names
from knowact.core.prompts import Prompt, load_prompt
from knowact.core.suite import Item
from knowact.probes import transfer
from knowact.probes.probe import Message, Probe, Question, context_as_text, opening_messages, tools_as_text

KNOW = "tools_needed"
ACT = "act"

ALONE_TEMPERATURE = 1.0
"""At which a task is tried without tools: greedy tries would be one try, told several times."""


@cache
def prompts() -> Mapping[str, Prompt]:
    """All prompts of the suite, by file name."""
    names = ("tools-needed", "know-system", "act-system", "judge", "judge-published")
    return {name: load_prompt("knowact.suites.kapro", name) for name in names}


def _system(name: str, context: Mapping[str, str]) -> Message:
    return Message("system", prompts()[name].fill({"context": context_as_text(context)}).strip())


def _ask_which(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
    values = {"task": item.task.opening.text, "tools": tools_as_text(item.tools)}
    return (_system("know-system", context), Message("user", prompts()["tools-needed"].fill(values)))


def _let_do(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
    # Where no tool is left, a word about tools would only lead astray.
    system = "act-system" if item.tools else "know-system"
    return (_system(system, context), *opening_messages(item.task.opening))


def tools_needed() -> Probe:
    """Ask which tools the task takes: one call, no tool registered."""
    return Probe(KNOW, Question.TOOLS_NEEDED, rounds=1, execute=False, opening=_ask_which)


def act(item: Item, rounds: int) -> Probe:
    """Let the agent do the task with the tools at hand; the published judge reads its calls, too.

    Args:
        item: With nothing to call, the first reply is the answer.
        rounds: Most model calls.
    """
    return Probe(
        *(ACT, Question.DO_IT, rounds if item.tools else 1),
        execute=True,
        opening=_let_do,
        keep_calls=True,
        temperature=None if item.tools else ALONE_TEMPERATURE,
    )


@cache
def neutral_prompt() -> Prompt:
    """Asks of each tool whether its name is long, in the form of the knowing probe."""
    return load_prompt("knowact.suites.kapro", "neutral")


def transfer_probes(know: Probe, act: Probe) -> list[Probe]:
    """What is asked beside the two probes where know-to-act transfer is measured."""
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
