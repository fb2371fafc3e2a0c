"""What a built-in agent is: two answers, to what it needs and to what it does next. Pure."""

import json
import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from knowact.core.names import shown_names
from knowact.core.suite import Item
from knowact.core.task import Fact, Task
from knowact.core.tool import Tool
from knowact.people.helper import Known


@dataclass(frozen=True, slots=True)
class Attempt:
    """A call that an agent wants; `arguments` as a text cannot be read as arguments (hostile agents)."""

    tool: str
    arguments: Mapping[str, Any] | str


@dataclass(frozen=True, slots=True)
class Move:
    """What an agent does next: words, calls, or both. Calls are by shown name."""

    text: str = ""
    calls: tuple[Attempt, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """What an agent of ours may look at.

    Attributes:
        item: The item, gold included; only the oracle-like agents look at that.
        turn: How many times it has already moved in this probe.
        dice: The same for equal seed, item, probe and epoch; new in each probe.
        about: For "can you proceed": what is asked about ("information", "tools"); empty for both.
        help: Whether a person can be asked.
        known: What that person knows; gold, too. None where nobody has said.
    """

    item: Item
    turn: int
    dice: random.Random
    about: str = ""
    help: bool = False
    known: Known | None = None

    @property
    def names(self) -> Mapping[str, str]:
        """Tool name to shown name."""
        return shown_names(tool.name for tool in self.item.tools)


class Agent(Protocol):
    """A built-in agent. It has no state: everything follows from the view."""

    def proceed(self, view: View) -> Move:
        """Answer the question whether what it takes is at hand: yes, no or IDK, and why."""
        ...

    def explain(self, view: View) -> Move:
        """Say why it has said no."""
        ...

    def know(self, view: View) -> Move:
        """Answer the question which tools the task takes."""
        ...

    def go_on(self, view: View) -> Move:
        """Go on with a dialogue, in one message: call, ask, decline or answer."""
        ...

    def act(self, view: View) -> Move:
        """Make the next move at the task itself; words without calls end it."""
        ...


def decisions(view: View, needed: Collection[str]) -> Move:
    """A clean answer to the knowing probe."""
    chosen = {shown: name in needed for name, shown in view.names.items()}
    return Move(json.dumps({"tool_decisions": chosen}))


def attempt(view: View, tool: str) -> Attempt:
    """A call with the plan's arguments; for a tool that is in no plan, with the simplest that fit."""
    shown = view.names.get(tool, tool)
    for step in view.item.task.plan:
        if step.tool == tool:
            return Attempt(shown, step.call_arguments)
    found = next((one for one in view.item.tools if one.name == tool), None)
    return Attempt(shown, {} if found is None else simplest(found))


def simplest(tool: Tool) -> dict[str, Any]:
    """Arguments that satisfy the required parameters' types, as an agent makes them up."""
    made: dict[str, Any] = {}
    for name in tool.required:
        schema = tool.properties.get(name, {})
        if schema.get("enum"):
            made[name] = schema["enum"][0]
        else:
            blank: dict[str, Any] = {"number": 1, "integer": 1, "boolean": True, "array": [], "object": {}}
            made[name] = blank.get(str(schema.get("type")), "something")
    return made


def right_answer(task: Task) -> str:
    """An answer that asserts every reference fact; the reference in prose where there are none."""
    return facts_in_words(task.facts) if task.facts else task.answer


def facts_in_words(facts: Iterable[Fact]) -> str:
    """Sentences that assert facts."""
    return " ".join(f"{_said(fact)}." for fact in facts)


def _said(fact: Fact) -> str:
    """A number is put into a sentence: after a colon, an amount that the label repeats reads like a rival."""
    label = f"{fact.label[:1].upper()}{fact.label[1:]}" or "The answer"
    link = " is" if fact.kind == "number" else ":"
    return f"{label}{link} {_put(fact.value)} {fact.unit}".strip()


def _put(value: str | float | bool) -> str:  # noqa: FBT001 - a fact's value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        # Products of large numbers are asked for, and every digit of them.
        return f"{value:.0f}" if value.is_integer() else f"{value:.15g}"
    return str(value)
