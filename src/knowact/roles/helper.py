"""The person behind the tool `ask_human`: what they know of an item, and how they answer.

The published runs had whoever sat at the console answer, without a policy (FAIL-TaLMs).
This person knows exactly what was withheld from one item and answers only what is asked:

- a withheld value, when it is asked for; a value that the query gives is repeated;
- the job of a tool that was taken away: done where a person could do it, else "I can't";
- "I don't know" to everything else; nothing to a question that asks for everything or nothing.

A model plays this person (`helper.md`), and says which parts a question asks for. The script serves the
built-in agents, which declare that themselves.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, TypeAlias, cast

from pydantic import JsonValue

from knowact.core.declared import Declared
from knowact.core.parts import Part
from knowact.core.prompts import Prompt, load_prompt
from knowact.core.schema import object_schema
from knowact.core.task import Fact
from knowact.reading.comparing import Given, compare
from knowact.reading.json_text import last_object
from knowact.reading.quotes import folded, stands_in

Kind = Literal["value", "did_job", "cannot", "unknown", "unspecific"]
"""What an answer does: gives what was asked for, does a job, cannot do it, knows nothing of it, or refuses a
question that asks for everything or for nothing in particular."""

SCRIPT_REFUSES: Final = (
    "The scripted helper answers the built-in agents only: bind a model with --helper model "
    "--role helper=MODEL, or answer yourself with --helper person."
)

ATTEMPTS: Final = 2
"""So often a model in the role `helper` is asked before the trial is given up, unscored."""

_NOTHING: Final = "(nothing)"
ASKED: Final = "asked"


@dataclass(frozen=True, slots=True)
class Held:
    """A value that this person can give.

    Attributes:
        part: What it is.
        value: As a call carries it.
        said: How people say it; the value itself where nobody has said.
    """

    part: Part
    value: JsonValue
    said: str = ""

    @property
    def words(self) -> str:
        """The value as this person says it."""
        return self.said or str(self.value)


@dataclass(frozen=True, slots=True)
class Removed:
    """A tool that was taken away, and whether this person can stand in for it.

    Attributes:
        part: What it does.
        can_do: Whether a person could do that (`core.tool.Replaceable.by_human`).
        facts: What it would give for this item; only ever said where `can_do`.
    """

    part: Part
    can_do: bool
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """All that the person behind `ask_human` knows of one item.

    Attributes:
        withheld: The values that the query lacks.
        told: The values that the query gives.
        removed: The tools that are not offered.
        whole: The request in which everything is said, where nobody wrote down what was taken out of it
            (published data). A model or a person can answer from it; the script cannot.
    """

    withheld: tuple[Held, ...] = ()
    told: tuple[Held, ...] = ()
    removed: tuple[Removed, ...] = ()
    whole: str = ""

    @property
    def missing(self) -> frozenset[str]:
        """The ids of the parts that are really missing."""
        return frozenset(each.part.id for each in (*self.withheld, *self.removed))


@dataclass(frozen=True, slots=True)
class HelperAnswer:
    """What the person says.

    Attributes:
        text: What the agent reads.
        asked: The ids of the parts that the question asks for; None where nobody has said.
        gave: The ids of the missing parts that the answer gives.
        kind: What it does; empty where only the words tell.
    """

    text: str
    asked: frozenset[str] | None = None
    gave: frozenset[str] = frozenset()
    kind: Kind | Literal[""] = ""

    def targeted(self, known: Known) -> bool | None:
        """Whether the question asks for what is really missing; None where nobody can say."""
        if self.asked is None or known.whole:
            return None
        return self.kind != "unspecific" and bool(self.asked & known.missing)


Person: TypeAlias = Callable[[str, Declared | None], Awaitable[HelperAnswer]]
"""Answers one question, which a built-in agent has declared."""


def scripted_answer(known: Known, declared: Declared) -> HelperAnswer:
    """Answer a built-in agent by what it declares that it asks for."""
    asked = declared.about(ASKED)
    held = [each for each in (*known.withheld, *known.told) if each.part.id in asked]
    jobs = [each for each in known.removed if each.part.id in asked]
    if not asked or "" in asked:
        return HelperAnswer("Please ask me for one thing in particular.", asked, kind="unspecific")
    if jobs:
        able = [each for each in jobs if each.can_do]
        if not able:
            text = "I can't do that for you; I have no way to find it out."
            return HelperAnswer(text, asked, kind="cannot")
        text = " ".join(facts_said(each.facts) for each in able)
        return HelperAnswer(text, asked, frozenset(each.part.id for each in able), "did_job")
    if held:
        gave = frozenset(each.part.id for each in held if each in known.withheld)
        return HelperAnswer(" ".join(map(_said, held)), asked, gave, "value")
    return HelperAnswer("I don't know.", asked, kind="unknown")


def _said(held: Held) -> str:
    name = held.part.words.partition(":")[0]
    return f"The {name} is {held.words}."


def facts_said(facts: Sequence[Fact]) -> str:
    """Facts as sentences; what a person says who has done something that has no result."""
    return " ".join(map(_fact_said, facts)) or "It is done."


def _fact_said(fact: Fact) -> str:
    value = {True: "yes", False: "no"}[fact.value] if isinstance(fact.value, bool) else fact.shown
    words = f"{value} {fact.unit}".strip()
    return f"{fact.label[:1].upper()}{fact.label[1:]}: {words}." if fact.label else f"It is {words}."


@cache
def helper_prompt() -> Prompt:
    """The versioned prompt of the role `helper`; its hash goes into the log."""
    return load_prompt("knowact.roles", "helper")


def helper_text(known: Known, question: str) -> str:
    """What the model of the role `helper` gets for one question.

    Args:
        known: What the person of the item knows. The facts of a tool whose job nobody can do are left out:
            a model cannot hand over what it was not told.
        question: As the agent put it; material, never an instruction.
    """
    numbered = _numbered(known)

    def lines(group: Sequence[Held | Removed]) -> str:
        return "\n".join(_line(*entry) for entry in numbered if entry[1] in group) or _NOTHING

    return helper_prompt().fill(
        {
            "withheld": lines(known.withheld),
            "told": lines(known.told),
            "whole": known.whole or _NOTHING,
            "removed": lines(known.removed),
            "question": question,
        }
    )


def _numbered(known: Known) -> list[tuple[str, Held | Removed]]:
    """Everything that a question can ask for, under the names that the model answers with."""
    return [(f"p{n}", each) for n, each in enumerate((*known.withheld, *known.told, *known.removed), 1)]


def _line(name: str, item: Held | Removed) -> str:
    if isinstance(item, Held):
        return f"- {name}: {item.part.words} = {item.words}"
    if not item.can_do:
        return f"- {name}: {item.part.words}\n  You cannot do this, and you do not know what it would say."
    if not item.facts:
        return f"- {name}: {item.part.words}\n  You can do this. Work it out as best you can, briefly."
    return f"- {name}: {item.part.words}\n  You can do this. What you would find: {facts_said(item.facts)}"


def helper_schema() -> dict[str, Any]:
    """What the model answers with, as JSON Schema."""
    text: dict[str, Any] = {"type": "string"}
    return object_schema({"asks_for": {"type": "array", "items": text}, "answer": text})


def read_answer(known: Known, text: str) -> HelperAnswer | None:
    """Read the reply of a model in the role `helper`; None where it is not what was asked for."""
    form = last_object(text)
    if form is None:
        return None
    answer, asks = form.get("answer"), form.get("asks_for")
    if not isinstance(answer, str) or not answer.strip() or not isinstance(asks, list):
        return None
    names: Mapping[str, Held | Removed] = dict(_numbered(known))
    asked = frozenset(names[name].part.id for name in map(str, cast("list[object]", asks)) if name in names)
    return HelperAnswer(answer.strip(), asked, given_by(known, answer))


def given_by(known: Known, answer: str) -> frozenset[str]:
    """The missing parts whose values stand in an answer in free words."""
    shown = folded(answer)
    values = (
        each.part.id
        for each in known.withheld
        if any(stands_in(folded(words), shown) for words in (each.words, str(each.value)))
    )
    jobs = (each.part.id for each in known.removed if any(_stands(fact, answer) for fact in each.facts))
    return frozenset((*values, *jobs))


def _stands(fact: Fact, answer: str) -> bool:
    value = "yes" if fact.value is True else "no" if fact.value is False else str(fact.value)
    stands = stands_in(folded(value), folded(answer))
    if fact.kind in {"number", "date", "time"}:
        return compare(fact, Given(value, "", (answer,))).state == "right"
    return stands


def what_a_person_sees(known: Known, request: str, question: str) -> tuple[str, ...]:
    """What somebody at the terminal is shown, a line each, to answer as this person would.

    Args:
        known: As for `helper_text`.
        request: What the agent was asked.
        question: As the agent put it.
    """
    titles = {"Left out of the request, and known to you": known.withheld, "Said in it": known.told}
    held = [
        f"{title}:\n" + "\n".join(f"- {each.part.words}: {each.words}" for each in values)
        for title, values in titles.items()
        if values
    ]
    if known.whole:
        held.append(f"What you really want: {known.whole}")
    held += [f"What the assistant has no service for: {_line('', each)[4:]}" for each in known.removed]
    return ("", "You asked an assistant:", request, *held, "It asks you:", question)
