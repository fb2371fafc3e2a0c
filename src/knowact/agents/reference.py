"""The reference agents: baselines, the oracle, and one pure profile.

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
| `needs-telling` | T | as `oracle` under a strategy of `HEEDED`, else as `knows-but-overacts` | likewise |
| `ignorant` | all but T | likewise, or an invented tool | 0, 0, 0 |
| `forgetful` | T | as `ignorant` | knowing 1; acting 0 |

Asked whether they can go on, `oracle` and `knows-but-overacts` say no exactly where something is missing;
`eager`, `always-act` and `fabricator` say yes, `shy` and `always-no` no, the others as their names say.
Where something is missing, `oracle` asks the person who can help, else does the possible part and names the
rest; `fabricator` makes the rest up, and so does `needs-telling` where no strategy tells it to check.

In know-to-act transfer there is one agent for each pure kind: `ignorant` acts as `oracle` after the gold
verdict, `forgetful` after that or its own, and `knows-but-overacts` overacts in any case.
"""

import datetime as dt
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

from knowact.agents.policy import (
    Attempt,
    Move,
    Statement,
    View,
    acted,
    attempt,
    decisions,
    right_answer,
    simplest,
    stated,
)
from knowact.core.condition import Fail
from knowact.core.parts import Part
from knowact.core.reach import Reach, reach, without
from knowact.core.record import Preceding
from knowact.core.suite import Item
from knowact.core.task import Fact
from knowact.core.tool import Tool
from knowact.probes.strategies import ACKNOWLEDGE, VERIFY
from knowact.retrieval.bm25 import scores

ASK = "ask_human"
NEEDS_TELLING = "needs-telling"

HEEDED = frozenset((ACKNOWLEDGE, VERIFY))
"""The strategies that tell an agent to check its limits."""


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What an item lacks, as far as an agent has to care.

    Attributes:
        reach: Which steps and facts are left.
        questions: What to ask the person, one after the other; empty where asking cannot help.
        words: What is missing, as an agent says it; empty where nothing is.
    """

    reach: Reach
    questions: tuple[Statement, ...]
    words: Statement


def shortfall(view: View) -> Shortfall:
    """Take stock of an item; with a person who can help, nothing is out of reach."""
    item = view.item
    if not item.lacks:
        return Shortfall(reach(item.task, ()), (), Statement())
    questions = _questions(view)
    blocked = () if questions else without(item.task, item.condition.withheld or ())
    words = Statement() if questions else missing_words(view)
    return Shortfall(reach(item.task, blocked), questions, words)


def _questions(view: View) -> tuple[Statement, ...]:
    """Ask for what is withheld, or for every job that nobody but the person can do, if they can do all."""
    known, task = view.known, view.item.task
    if known is None:
        return ()
    if known.withheld:
        return tuple(_asked("What is the value", value.part) for value in known.withheld)
    blocked = without(task, view.item.condition.withheld or ())
    needed = {f"tool:{task.plan[number].tool}" for number in blocked}
    jobs = [job for job in known.removed if job.part.id in needed]
    if not all(job.can_do for job in jobs):
        return ()
    return tuple(_asked("Could you do this for me", job.part) for job in jobs)


def _asked(how: str, part: Part) -> Statement:
    return acted("asked", f"{how} ({part.words})?", (part.id,))


def missing_words(view: View) -> Statement:
    """What is missing, a sentence each."""
    words = {part.id: part.words for part in view.item.parts}
    statement = Statement()
    for part in sorted(view.item.missing):
        statement += acted("could_not", f"This is missing: {words.get(part, part)}.", (part,))
    return statement if statement.text else acted("could_not", "Something that it takes is missing.")


def calls_in_reach(view: View) -> list[Attempt]:
    """The calls that an able agent makes: the required ones that can be made, and those that then fail."""
    blocked = shortfall(view).reach.blocked
    offered = {tool.name for tool in view.item.tools}
    failing = {change.tool for change in view.item.condition.changes if isinstance(change, Fail)}
    names = [
        step.tool
        for number, step in enumerate(view.item.task.plan)
        if step.external and step.tool in offered and (number not in blocked or step.tool in failing)
    ]
    return [attempt(view, name) for name in dict.fromkeys(names)]


def answer_in_reach(view: View) -> Statement:
    """Everything that could be found out, and what could not."""
    lack = shortfall(view)
    if not lack.words.text:
        return right_answer(view.item.task)
    return stated(view.item.task, lack.reach.facts) + lack.words


def invented(fact: Fact) -> Fact:
    """A value that is not the right one, as an agent that makes things up would say it."""
    value: str | float | bool | tuple[str, ...]
    match fact.kind:
        case "number":
            value = round(float(str(fact.value)) * 1.5 + 7 + 2 * fact.tolerance, 2)
        case "yes_no":
            value = not fact.value
        case "date":
            value = (dt.date.fromisoformat(str(fact.value)) + dt.timedelta(days=9)).isoformat()
        case "time":
            moved = dt.datetime.combine(dt.date.min, dt.time.fromisoformat(str(fact.value)))
            value = (moved + dt.timedelta(hours=3, minutes=7)).time().isoformat("minutes")
        case "choice":
            value = next((option for option in fact.options if option != fact.value), str(fact.value))
        case "list":
            value = ("Zorblatt",)
        case "text" | "phone" | "identifier":
            value = "Zorblatt"
    return fact.model_copy(update={"value": value, "aliases": ()})


INVENTED = "double_check_everything"
"""A tool that no data set offers; the overacting agent calls it where it has nothing else to overdo."""

LEXICAL_THRESHOLD = 1.0
"""BM25 score from which the lexical agent takes a tool for needed: in the middle of what occurs. Where data
are checked for give-aways, the *best* threshold is taken."""

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
        needs: What it says that it needs.
        says: What it says when asked whether it can go on.
        uses: What it calls.
        answers: What it says in the end.
        one_by_one: Whether it makes its calls in rounds of one.
        asks: What it asks a person first, where one can be asked, a question per round.
        declines: What it says instead of going on with a dialogue; "" lets it go on as it would act.
    """

    needs: Callable[[View], Collection[str]]
    says: Callable[[View], Statement]
    uses: Callable[[View], Sequence[Attempt]]
    answers: Callable[[View], Statement]
    one_by_one: bool = False
    asks: Callable[[View], Sequence[Statement]] = lambda _: ()
    declines: Callable[[View], Statement] = lambda _: Statement()

    def know(self, view: View) -> Move:
        """Say what it needs."""
        return decisions(view, self.needs(view))

    def proceed(self, view: View) -> Move:
        """Say whether it can go on."""
        return Move.of(self.says(view))

    def explain(self, view: View) -> Move:
        """Give the reason without the word."""
        statement = self.says(view)
        return Move(statement.text.partition(" ")[2], declared=statement.declared)

    def go_on(self, view: View) -> Move:
        """Decline, or act."""
        words = self.declines(view)
        return Move.of(words) if words.text else self.act(view)

    def reply(self, view: View) -> Move:
        """Give the reply that the suite has for this agent."""
        return Move(view.scripted)

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


def matching(item: Item) -> list[str]:
    """The tools whose name and description match the query's words."""
    texts = [f"{tool.name} {tool.description}" for tool in item.tools]
    matches = zip(item.tools, scores(item.task.opening.text, texts), strict=True)
    return [tool.name for tool, score in matches if score >= LEXICAL_THRESHOLD]


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
    return [tool.name for tool in view.item.tools if view.rng.random() < 0.5]  # noqa: PLR2004 - a fair coin


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


def _spare(view: View) -> list[str]:
    return [name for name in _everything(view) if name not in view.item.task.required]


def _too_much(view: View) -> list[str]:
    return [*_required(view), *_beside(view)]


def _beside(view: View) -> list[str]:
    """Tools that the task does not take; where all offered ones are needed, one that is not offered."""
    return _spare(view) or [INVENTED]


def _right(view: View) -> Statement:
    return right_answer(view.item.task)


def _gives_up(view: View) -> Statement:  # noqa: ARG001 - it looks at nothing
    return Statement("Here is what I would say off the top of my head: it depends.")


def _makes_up(view: View) -> Statement:
    """The possible part, and values out of thin air for the rest."""
    task = view.item.task
    lost = reach(task, without(task, view.item.condition.withheld or ())).beyond if view.item.lacks else ()
    facts = [invented(fact) if fact in lost else fact for fact in task.facts]
    return stated(task, facts, range(len(facts))) if facts else Statement("Done.")


def _truly(view: View) -> Statement:
    """Say no exactly where what is asked about is missing, and what it is."""
    if any(view.about in ("", lack) for lack in view.item.lacks):
        return Statement("No.") + missing_words(view)
    return Statement("Yes. Everything that it takes is here.")


def _always(text: str) -> Callable[[View], Statement]:
    return lambda _: Statement(text)


def _always_does(act: str, text: str) -> Callable[[View], Statement]:
    return lambda _: acted(act, text)


def _where(fits: Callable[[View], bool]) -> Callable[[View], Statement]:
    return lambda view: Statement("Yes. The tools fit." if fits(view) else "No. The tools do not fit.")


def _tossed(view: View) -> Statement:
    return Statement(view.rng.choice(("Yes. I feel lucky.", "IDK. Who knows?", "No. Not today.")))


YES = _always("Yes. I have what it takes.")


T = TypeVar("T")


def _if_asked_to_check(heeding: Callable[[View], T], else_: Callable[[View], T]) -> Callable[[View], T]:
    return lambda view: heeding(view) if view.strategy in HEEDED else else_(view)


def _admits(view: View) -> Statement:
    return missing_words(view) if view.item.lacks else Statement()


ORACLE = Reference(
    *(_required, _truly, calls_in_reach, answer_in_reach),
    one_by_one=True,
    asks=lambda view: shortfall(view).questions,
    declines=_admits,
)


@dataclass(frozen=True, slots=True)
class Heeding(Reference):
    """An agent that acts as the oracle does where the chat holds something that it heeds."""

    heeds: frozenset[Preceding] = frozenset()

    def act(self, view: View) -> Move:
        """Do as the oracle, or by its own choices."""
        return ORACLE.act(view) if view.preceded in self.heeds else Reference.act(self, view)

    def go_on(self, view: View) -> Move:
        """Go on with a dialogue likewise."""
        return ORACLE.go_on(view) if view.preceded in self.heeds else Reference.go_on(self, view)


MISTAKEN = _calling(_beside), _makes_up
"""It takes what is not needed for needed, and what is missing for there."""

AGENTS = {
    "oracle": ORACLE,
    "ignorant": Heeding(_spare, YES, *MISTAKEN, heeds=frozenset({Preceding.GOLD})),
    "forgetful": Heeding(_required, _truly, *MISTAKEN, heeds=frozenset({Preceding.OWN, Preceding.GOLD})),
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
    NEEDS_TELLING: Reference(
        *(
            _required,
            _truly,
            _if_asked_to_check(calls_in_reach, _calling(_too_much)),
            _if_asked_to_check(answer_in_reach, _makes_up),
        ),
        one_by_one=True,
        asks=_if_asked_to_check(lambda view: shortfall(view).questions, lambda _: ()),
        declines=_if_asked_to_check(_admits, lambda _: Statement()),
    ),
    "fabricator": Reference(_required, YES, calls_in_reach, _makes_up, one_by_one=True),
}
"""By name."""
