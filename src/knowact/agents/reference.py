"""The reference agents: floors, ceiling, and one pure profile (validity.md, section 5).

| name | says it needs | calls | Acc on external, hybrid, internal |
|---|---|---|---|
| `oracle` | T | T, in the plan's order | 1, 1, 1 |
| `eager` | everything | everything, at once | what marking everything gives |
| `shy` | nothing | nothing | 0, 0, 1 |
| `random` | each tool with p = 1/2 | each tool with p = 1/2, independently | what a coin gives |
| `lexical` | tools whose text matches the query | the same | computed from the items |
| `tools-only` | tools that sound external, whatever the query | the same | computed from the items |
| `knows-but-overacts` | T | more than T | knowing 1; acting |T| / |called| |
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from knowact.agents.policy import Attempt, Move, View, attempt, decisions, right_answer
from knowact.core.suite import Item
from knowact.core.tool import Tool
from knowact.retrieval.bm25 import scores

INVENTED = "double_check_everything"
"""A tool that no data set offers; the overacting agent calls it where it has nothing else to overdo."""

LEXICAL_THRESHOLD = 1.0
"""BM25 score from which the lexical agent takes a tool for needed. validity.md asks for the *best*
threshold when data are checked for give-aways; this one is merely in the middle of what occurs."""

LIVE_WORDS = re.compile(
    r"\b(account|alert|balance|book|calendar|current|forecast|inbox|latest|live|mailbox|news|now|order|"
    r"price|quote|real.?time|send|today|trending|upcoming|user'?s|vulnerabilit\w+|weather)\b",
    re.IGNORECASE,
)
"""What a description says when a tool fetches, keeps or changes something."""


@dataclass(frozen=True, slots=True)
class Reference:
    """An agent that is two choices of tools and one way to answer.

    Attributes:
        needs: What it says.
        uses: What it calls.
        answers: What it says in the end.
        one_by_one: Whether it makes its calls in rounds of one.
    """

    needs: Callable[[View], Collection[str]]
    uses: Callable[[View], Collection[str]]
    answers: Callable[[View], str]
    one_by_one: bool = False

    def know(self, view: View) -> Move:
        """Say what it needs."""
        return decisions(view, self.needs(view))

    def act(self, view: View) -> Move:
        """Make all its calls, then answer."""
        calls = [attempt(view, tool) for tool in self.uses(view)]
        rounds = [(call,) for call in calls] if self.one_by_one else [tuple(calls)] if calls else []
        if view.turn < len(rounds):
            return Move(calls=rounds[view.turn])
        return Move(self.answers(view))


def sounds_external(tool: Tool) -> bool:
    """Judge a tool without a query: by its rubric where it has one, else by the words of its text."""
    if tool.rubric is not None:
        return tool.rubric.when in {"always", "by_argument"}
    return bool(LIVE_WORDS.search(f"{tool.name.replace('_', ' ')} {tool.description}"))


def matching(item: Item, threshold: float = LEXICAL_THRESHOLD) -> list[str]:
    """The tools whose name and description match the query's words."""
    texts = [f"{tool.name} {tool.description}" for tool in item.tools]
    found = scores(item.task.opening.text, texts)
    return [tool.name for tool, score in zip(item.tools, found, strict=True) if score >= threshold]


def _required(view: View) -> list[str]:
    """T in the plan's order, as far as it is on the table."""
    offered = {tool.name for tool in view.item.tools}
    named = [step.tool for step in view.item.task.plan if step.external and step.tool in offered]
    return list(dict.fromkeys(named))


def _everything(view: View) -> list[str]:
    return [tool.name for tool in view.item.tools]


def _nothing(view: View) -> list[str]:  # noqa: ARG001 - it looks at nothing
    return []


def _coin(view: View) -> list[str]:
    return [tool.name for tool in view.item.tools if view.dice.random() < 0.5]  # noqa: PLR2004 - a fair coin


def _sounding_external(view: View) -> list[str]:
    return [tool.name for tool in view.item.tools if sounds_external(tool)]


def _too_much(view: View) -> list[str]:
    spare = [name for name in _everything(view) if name not in view.item.task.required]
    return [*_required(view), *(spare or [INVENTED])]


def _right(view: View) -> str:
    return right_answer(view.item.task)


def _gives_up(view: View) -> str:  # noqa: ARG001 - it looks at nothing
    return "Here is what I would say off the top of my head: it depends."


AGENTS = {
    "oracle": Reference(_required, _required, _right, one_by_one=True),
    "eager": Reference(_everything, _everything, _right),
    "shy": Reference(_nothing, _nothing, _gives_up),
    "random": Reference(_coin, _coin, _gives_up),
    "lexical": Reference(lambda v: matching(v.item), lambda v: matching(v.item), _gives_up),
    "tools-only": Reference(_sounding_external, _sounding_external, _gives_up),
    "knows-but-overacts": Reference(_required, _too_much, _right),
}
"""By name. `Attempt` and `Move` are what they are made of."""

__all__ = ["AGENTS", "INVENTED", "Attempt", "Reference", "matching", "sounds_external"]
