"""What a built-in agent is: two answers, to what it needs and to what it does next. Pure."""

import json
import math
import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from pydantic import JsonValue

from knowact.core.declared import Act, Declared
from knowact.core.names import shown_names
from knowact.core.record import Preceding
from knowact.core.schema import Schema, elements, members, normalised
from knowact.core.suite import Item
from knowact.core.task import Fact, Task
from knowact.core.tool import Tool
from knowact.reading.units import choices_of
from knowact.roles.helper import Known


@dataclass(frozen=True, slots=True)
class Attempt:
    """A call that an agent wants; `arguments` as a text cannot be read as arguments (hostile agents)."""

    tool: str
    arguments: Mapping[str, JsonValue] | str


@dataclass(frozen=True, slots=True)
class Statement:
    """Words of an agent, and what they declare."""

    text: str = ""
    declared: Declared = field(default_factory=Declared)

    def __add__(self, other: "Statement") -> "Statement":
        """One after the other."""
        return Statement(f"{self.text} {other.text}".strip(), self.declared + other.declared)


def acted(act: str, text: str, about: Iterable[str] = ("",)) -> Statement:
    """Words that do one thing, about some parts of the task (none in particular by default)."""
    return Statement(text, Declared(acts=tuple(Act(act, part, text) for part in about)))


@dataclass(frozen=True, slots=True)
class Move:
    """What an agent does next: words, calls, or both. Calls are by shown name."""

    text: str = ""
    calls: tuple[Attempt, ...] = ()
    declared: Declared = field(default_factory=Declared)

    @classmethod
    def of(cls, statement: Statement) -> "Move":
        """Say something."""
        return cls(statement.text, declared=statement.declared)


@dataclass(frozen=True, slots=True)
class View:
    """What an agent of ours may look at.

    Attributes:
        item: The item, gold included; only the oracle-like agents look at that.
        turn: How many times it has already moved in this probe.
        rng: The same for equal seed, item, probe and epoch; new in each probe.
        about: For "can you proceed": what is asked about ("information", "tools"); empty for both.
        help: Whether a person can be asked.
        known: What that person knows; gold, too. None where nobody has said.
        scripted: What the suite has this agent reply to a question of its own.
        strategy: What the probe is put under; empty for nothing.
        preceded: What stands in the chat before the request.
    """

    item: Item
    turn: int
    rng: random.Random
    about: str = ""
    help: bool = False
    known: Known | None = None
    scripted: str = ""
    strategy: str = ""
    preceded: Preceding = Preceding.NOTHING

    @property
    def names(self) -> Mapping[str, str]:
        """Tool name to shown name."""
        return shown_names(tool.name for tool in self.item.tools)


def decisions(view: View, needed: Collection[str]) -> Move:
    """A clean answer to the knowing probe."""
    chosen = {shown: name in needed for name, shown in view.names.items()}
    return Move(json.dumps({"tool_decisions": chosen}))


def attempt(view: View, tool: str) -> Attempt:
    """A call with the plan's arguments; where no plan says any, with the simplest that fit.

    The plan of a published item may name a tool and nothing more.
    """
    shown = view.names.get(tool, tool)
    step = next((step for step in view.item.task.plan if step.tool == tool), None)
    planned = {} if step is None else step.call_arguments
    offered = next((offered for offered in view.item.tools if offered.name == tool), None)
    return Attempt(shown, planned if planned or offered is None else simplest(offered))


def simplest(tool: Tool) -> dict[str, JsonValue]:
    """Arguments that fit the tool's schema as agents are shown it, as an agent makes them up."""
    return _required_members(normalised(tool.parameters).schema)


def _required_members(schema: Schema) -> Schema:
    properties = members(schema.get("properties"))
    names = map(str, elements(schema.get("required")))
    return {name: _simplest_value(members(properties.get(name))) for name in names}


_SIMPLEST: Final[Mapping[str, JsonValue]] = {"boolean": True, "array": [], "null": None}


def _simplest_value(schema: Schema) -> JsonValue:
    """A value that fits a schema in the normal form; patterns and formats of texts are not heeded."""
    if values := elements(schema.get("enum")):
        return values[0]
    if options := elements(schema.get("anyOf")):
        return _simplest_value(members(options[0]))
    match schema.get("type", "string"):
        case "integer" | "number":
            return min(max(1, math.ceil(_limit(schema, "minimum", 1))), _limit(schema, "maximum", math.inf))
        case "string":
            text = "something".ljust(int(_limit(schema, "minLength", 0)), ".")
            return text[: int(_limit(schema, "maxLength", len(text)))]
        case "object":
            return _required_members(schema)
        case kind:
            return _SIMPLEST[str(kind)]


def _limit(schema: Schema, keyword: str, default: float) -> float:
    limit = schema.get(keyword)
    return limit if isinstance(limit, int | float) else default


def right_answer(task: Task) -> Statement:
    """An answer that asserts every reference fact; the reference in prose where there are none."""
    return stated(task, task.facts) if task.facts else Statement(task.answer)


def stated(task: Task, facts: Iterable[Fact], places: Iterable[int] | None = None) -> Statement:
    """Sentences that assert facts.

    Args:
        task: Whose facts they are.
        facts: What is asserted, true or not.
        places: Their positions among the task's facts; looked up where none are given.
    """
    many = tuple(facts)
    at = [task.facts.index(fact) for fact in many] if places is None else places
    return sentences(zip(at, many, strict=True))


def sentences(facts: Iterable[tuple[int, Fact]]) -> Statement:
    """Sentences that assert facts, each given with its place in an answer form."""
    statement = Statement()
    for place, fact in facts:
        sentence = f"{_sentence(fact)}."
        statement += Statement(sentence, Declared(facts={place: _slot(fact, sentence)}))
    return statement


def _slot(fact: Fact, sentence: str) -> Schema:
    """The slot of an answer form that says this fact."""
    if isinstance(fact.value, tuple):
        return {"value": list(fact.value), "quotes": [sentence for _ in fact.value]}
    slot: Schema = {"value": _put(fact.value), "quotes": [sentence]}
    return {**slot, "unit": choices_of(fact.unit)[0]} if fact.kind == "number" and fact.unit else slot


def _sentence(fact: Fact) -> str:
    label = f"{fact.label[:1].upper()}{fact.label[1:]}" or "The answer"
    link = " is" if fact.kind == "number" else ":"
    return f"{label}{link} {_put(fact.value)} {fact.unit}".strip()


def _put(value: str | float | bool | tuple[str, ...]) -> str:  # noqa: FBT001 - a fact's value
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        # Products of large numbers are asked for, and every digit of them.
        return f"{value:.0f}" if value.is_integer() else f"{value:.15g}"
    return str(value)
