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
| `always-no`, `always-idk`, `always-ask` | nothing | nothing | 0, 0, 1 |
| `always-act` | everything | everything, arguments made up | what marking everything gives |
| `fabricator` | T | T, as far as it works | 1, 1, 1 |

Asked whether they can go on, `oracle` and `knows-but-overacts` say no exactly where something is missing;
`eager`, `always-act` and `fabricator` say yes, `shy` and `always-no` no, the others as their names say.
Where something is missing, `oracle` asks the person who can help, else does the possible part and names the
rest; `fabricator` makes the rest up.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from knowact.agents.gold import ASK, answer_in_reach, calls_in_reach, invented, missing_words, shortfall
from knowact.agents.policy import (
    Attempt,
    Move,
    Said,
    View,
    acted,
    attempt,
    decisions,
    right_answer,
    simplest,
    stated,
)
from knowact.core.reach import reach, without
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


def nothing_asked(view: View) -> Sequence[Said]:  # noqa: ARG001 - it looks at nothing
    """Ask nobody."""
    return ()


def never(view: View) -> Said:  # noqa: ARG001 - it looks at nothing
    """Never decline."""
    return Said()


@dataclass(frozen=True, slots=True)
class Reference:
    """An agent that is two choices of tools and one way to answer.

    Attributes:
        needs: What it says that it needs.
        says: What it says when asked whether it can go on.
        uses: What it calls.
        answers: What it says in the end.
        one_by_one: Whether it makes its calls in rounds of one.
        asks: What it asks a person first, where one can be asked, a question per round.
        declines: What it says instead of going on with a dialogue; "" lets it go on as it would act.
    """

    needs: Callable[[View], Collection[str]]
    says: Callable[[View], Said]
    uses: Callable[[View], Sequence[Attempt]]
    answers: Callable[[View], Said]
    one_by_one: bool = False
    asks: Callable[[View], Sequence[Said]] = nothing_asked
    declines: Callable[[View], Said] = never

    def know(self, view: View) -> Move:
        """Say what it needs."""
        return decisions(view, self.needs(view))

    def proceed(self, view: View) -> Move:
        """Say whether it can go on."""
        return Move.of(self.says(view))

    def explain(self, view: View) -> Move:
        """Give the reason without the word."""
        said = self.says(view)
        return Move(said.text.partition(" ")[2], declared=said.declared)

    def go_on(self, view: View) -> Move:
        """Decline, or act."""
        words = self.declines(view)
        return Move.of(words) if words.text else self.act(view)

    def act(self, view: View) -> Move:
        """Ask, make all its calls, then answer."""
        calls = self.uses(view)
        rounds = [(call,) for call in calls] if self.one_by_one else [tuple(calls)] if calls else []
        questions = self.asks(view) if view.help else ()
        if view.turn < len(questions):
            asked = questions[view.turn]
            return Move(calls=(Attempt(ASK, {"question": asked.text}),), declared=asked.declared)
        if view.turn < len(questions) + len(rounds):
            return Move(calls=rounds[view.turn - len(questions)])
        return Move.of(self.answers(view))


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


def _matching(view: View) -> list[str]:
    return matching(view.item)


def _calling(chosen: Callable[[View], Collection[str]]) -> Callable[[View], Sequence[Attempt]]:
    """Call what is chosen, with the plan's arguments."""
    return lambda view: [attempt(view, tool) for tool in chosen(view)]


def _guessing(view: View) -> list[Attempt]:
    """Call everything, with arguments made up."""
    return [Attempt(view.names[tool.name], simplest(tool)) for tool in view.item.tools]


def _too_much(view: View) -> list[str]:
    spare = [name for name in _everything(view) if name not in view.item.task.required]
    return [*_required(view), *(spare or [INVENTED])]


def _right(view: View) -> Said:
    return right_answer(view.item.task)


def _gives_up(view: View) -> Said:  # noqa: ARG001 - it looks at nothing
    return Said("Here is what I would say off the top of my head: it depends.")


def _makes_up(view: View) -> Said:
    """The possible part, and values out of thin air for the rest."""
    task = view.item.task
    found = reach(task, without(task, view.item.condition.withheld or ()))
    lost = found.beyond if view.item.lacks else ()
    said = [invented(fact) if fact in lost else fact for fact in task.facts]
    return stated(task, said, range(len(said)))


def _truly(view: View) -> Said:
    """Say no exactly where what is asked about is missing, and what it is."""
    lacking = [one for one in view.item.lacks if view.about in ("", one)]
    return Said("No.") + missing_words(view) if lacking else Said("Yes. Everything that it takes is here.")


def _always(text: str) -> Callable[[View], Said]:
    return lambda _: Said(text)


def _always_does(act: str, text: str) -> Callable[[View], Said]:
    return lambda _: acted(act, text)


def _where(fits: Callable[[View], bool]) -> Callable[[View], Said]:
    return lambda view: Said("Yes. The tools fit." if fits(view) else "No. The tools do not fit.")


def _tossed(view: View) -> Said:
    return Said(view.dice.choice(("Yes. I feel lucky.", "IDK. Who knows?", "No. Not today.")))


YES = _always("Yes. I have what it takes.")

AGENTS = {
    "oracle": Reference(
        *(_required, _truly, calls_in_reach, answer_in_reach),
        one_by_one=True,
        asks=lambda view: shortfall(view).questions,
        declines=lambda view: missing_words(view) if view.item.lacks else Said(),
    ),
    "eager": Reference(_everything, YES, _calling(_everything), _right),
    "shy": Reference(_nothing, _always("No. I would rather not."), _calling(_nothing), _gives_up),
    "random": Reference(_coin, _tossed, _calling(_coin), _gives_up),
    "lexical": Reference(
        _matching, _where(lambda v: len(_matching(v)) == len(v.item.tools)), _calling(_matching), _gives_up
    ),
    "tools-only": Reference(
        _sounding_external, _where(lambda v: bool(v.item.tools)), _calling(_sounding_external), _gives_up
    ),
    "knows-but-overacts": Reference(_required, _truly, _calling(_too_much), _right),
    "always-no": Reference(
        *(_nothing, _always("No. It cannot be done."), _calling(_nothing)),
        _always_does("could_not", "I can't do that."),
    ),
    "always-idk": Reference(
        *(_nothing, _always("IDK. I cannot tell."), _calling(_nothing)), _always("I don't know.")
    ),
    "always-ask": Reference(
        *(_nothing, _always("IDK. I would have to ask."), _calling(_nothing)),
        _always_does("asked", "Could you give me more details?"),
        asks=lambda _: (acted("asked", "Could you give me more details?"),),
    ),
    "always-act": Reference(_everything, YES, _guessing, _always("Done. It is all taken care of.")),
    "fabricator": Reference(_required, YES, calls_in_reach, _makes_up, one_by_one=True),
}
"""By name. `Attempt` and `Move` are what they are made of."""

__all__ = ["AGENTS", "INVENTED", "Attempt", "Reference", "matching", "sounds_external"]
