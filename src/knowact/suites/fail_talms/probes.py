"""The probes: two awareness questions, and acting, with or without a person to ask.

The prompts are our own words for what the paper describes; ids, versions
and hashes go into the log. By the definition the awareness questions never show the tool `ask_human`: what is
asked for is what the agent has by itself. The published ones list it.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial

from knowact.core.prompts import Prompt, load_prompt
from knowact.core.suite import Item
from knowact.core.task import user_turns
from knowact.core.tool import Tool
from knowact.probes.probe import (
    ASK_HUMAN,
    Help,
    Message,
    Probe,
    Question,
    Subject,
    context_as_text,
    opening_messages,
    tools_as_text,
)
from knowact.suites.fail_talms.asked import ACT, WITH_TOOLS

ROUNDS = 5
"""Model calls in one acting trial."""

QUESTIONS_ANSWERED = 5
"""Questions that a person answers in one trial; the most in a published one."""

_NAMES = (
    *("awareness-system", "tools", "information", "act-system"),
    *("judge", "judge-open", "judge-reason", "compare"),
    *("tools-published", "information-published", "judge-published", "compare-published"),
)


@cache
def prompts() -> Mapping[str, Prompt]:
    """All prompts of the suite, by file name."""
    return {name: load_prompt("knowact.suites.fail_talms", name) for name in _NAMES}


def request_of(item: Item) -> str:
    """Everything that the user said, as one text."""
    return user_turns(item.task.opening)


def _system(name: str, context: Mapping[str, str]) -> Message:
    return Message("system", prompts()[name].fill({"context": context_as_text(context)}).strip())


def _whether(name: str, more: Sequence[Tool], item: Item, context: Mapping[str, str]) -> Sequence[Message]:
    values = {"request": request_of(item), "tools": tools_as_text((*item.tools, *more))}
    return (_system("awareness-system", context), Message("user", prompts()[name].fill(values)))


def _let_do(item: Item, context: Mapping[str, str]) -> Sequence[Message]:
    return (_system("act-system", context), *opening_messages(item.task.opening))


def awareness(subject: Subject, rules: str, *, helped: bool) -> Probe:
    """Ask whether the tools, or the information, suffice: one call, no tool registered.

    By the definition about the one thing alone. The published questions (paper, appendix C.2) are milder:
    what the agent knows or can infer or gather counts as having it, whatever is asked about.

    Args:
        subject: What is asked about.
        rules: "definition" or "published".
        helped: Whether a person can be asked in this trial; only the published questions say so.
    """
    published = rules == "published"
    opening = partial(
        *(_whether, f"{subject}-published" if published else subject),
        (ASK_HUMAN,) if published and helped else (),
    )
    return Probe(subject, Question.PROCEED, rounds=1, execute=False, opening=opening, about=subject)


def act(rounds: int, help_: Help | None) -> Probe:
    """Let the agent do it with the tools at hand, and with somebody to ask."""
    return Probe(
        ACT, Question.DO_IT, rounds=rounds, execute=True, opening=_let_do, help=help_, keep_calls=True
    )


def act_with_tools(rounds: int, full: Item) -> Probe:
    """Let the agent do an item without tools once more, as in the perfect setting.

    Its two answers are then compared. The published ones were compared across two runs, and some with
    nothing at all.
    """
    return Probe(
        WITH_TOOLS, Question.DO_IT, rounds=rounds, execute=True, opening=_let_do, keep_calls=True, of=full
    )
