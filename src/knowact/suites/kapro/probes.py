"""The two probes of KAPRO: *knowing* (one question, nothing registered) and *acting* (a tool loop).

KAPRO, section 3.5. The prompts are our own words for what the
paper describes; ids, versions and hashes go into the log.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from knowact.core.prompts import Prompt, load_prompt
from knowact.core.suite import Item
from knowact.probes.probe import Message, Probe, Question, context_as_text, opening_messages, tools_as_text
from knowact.suites.kapro.options import KaproOptions

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


def asked(item: Item, probe: str) -> tuple[bool, bool]:
    """Which of the two probes an item gets: without tools there is nothing to know."""
    return bool(item.tools) and probe in ("both", KNOW), probe in ("both", ACT)


def rounds_of(item: Item, options: KaproOptions) -> int:
    """Most model calls of one acting trial; with nothing to call, the first reply is the answer."""
    return options.rounds if item.tools else 1


def tools_needed() -> Probe:
    """Ask which tools the task takes: one call, no tool registered."""
    return Probe(KNOW, Question.TOOLS_NEEDED, rounds=1, execute=False, opening=_ask_which)


def act(rounds: int, temperature: float | None = None) -> Probe:
    """Let the agent do the task with the tools at hand; the published judge reads its calls, too."""
    return Probe(
        *(ACT, Question.DO_IT, rounds),
        execute=True,
        opening=_let_do,
        keep_calls=True,
        temperature=temperature,
    )
