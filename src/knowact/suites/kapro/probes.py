"""The two probes of KAPRO: *knowing* (one question, nothing registered) and *acting* (a tool loop).

KAPRO, section 3.5. The prompts are our own words for what the
paper describes; ids, versions and hashes go into the log.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache

from knowact import authoring as ka
from knowact.core.names import shown_names
from knowact.probes import transfer

KNOW = "tools_needed"
ACT = "act"

ALONE_TEMPERATURE = 1.0
"""At which a task is tried without tools: greedy tries would be one try, told several times."""


@cache
def prompts() -> Mapping[str, ka.Prompt]:
    """All prompts of the suite, by file name."""
    names = ("tools-needed", "know-system", "act-system", "judge", "judge-published")
    return {name: ka.load_prompt("knowact.suites.kapro", name) for name in names}


def _system(name: str, context: Mapping[str, str]) -> ka.Message:
    return ka.Message("system", prompts()[name].fill({"context": ka.context_as_text(context)}).strip())


def _ask_which(item: ka.Item, context: Mapping[str, str]) -> Sequence[ka.Message]:
    values = {"task": item.task.opening.text, "tools": ka.tools_as_text(item.tools)}
    return (_system("know-system", context), ka.Message("user", prompts()["tools-needed"].fill(values)))


def _let_do(item: ka.Item, context: Mapping[str, str]) -> Sequence[ka.Message]:
    # Where no tool is left, a word about tools would only lead astray.
    system = "act-system" if item.tools else "know-system"
    return (_system(system, context), *ka.opening_messages(item.task.opening))


def tools_needed() -> ka.Probe:
    """Ask which tools the task takes: one call, no tool registered."""
    return ka.Probe(KNOW, ka.Question.TOOLS_NEEDED, rounds=1, execute=False, opening=_ask_which)


def act(item: ka.Item, rounds: int) -> ka.Probe:
    """Let the agent do the task with the tools at hand; the published judge reads its calls, too.

    Args:
        item: With nothing to call, the first reply is the answer.
        rounds: Most model calls.
    """
    return ka.Probe(
        *(ACT, ka.Question.DO_IT, rounds if item.tools else 1),
        execute=True,
        opening=_let_do,
        keep_calls=True,
        temperature=None if item.tools else ALONE_TEMPERATURE,
    )


@cache
def neutral_prompt() -> ka.Prompt:
    """Asks of each tool whether its name is long, in the form of the knowing probe."""
    return ka.load_prompt("knowact.suites.kapro", "neutral")


def transfer_probes(know: ka.Probe, act: ka.Probe) -> list[ka.Probe]:
    """What is asked beside the two probes where know-to-act transfer is measured."""
    asks = transfer.neutral(act, know.name, _neutral_words, _long_names)
    return transfer.probes(act, [know], [asks], _gold)


def _neutral_words(item: ka.Item) -> str:
    values = {"task": item.task.opening.text, "tools": ka.tools_as_text(item.tools)}
    return neutral_prompt().fill(values)


def _long_names(item: ka.Item) -> str:
    return json.dumps({"long_names": transfer.long_names(item)})


def _gold(item: ka.Item) -> Sequence[str]:
    shown = shown_names(tool.name for tool in item.tools)
    return [json.dumps({"tool_decisions": {name: tool in item.required for tool, name in shown.items()}})]
