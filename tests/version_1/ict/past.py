"""What was asked and answered earlier in a dialogue: real calls, with what the world gives."""

import datetime as dt
import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from knowact.core.task import Fact, PastCall, Task
from version_1.bind import raised
from version_1.draw import far_day, number
from version_1.fail_talms.recipe import Base
from version_1.ict.requests import Requests
from version_1.words import Register

_DECIMALS: Final = 2
_MINE: Final = re.compile(r"\b(?:my|our)\b")
"""Labels speak as the user does."""
_BEFORE_NUMBERS: Final = ("€",)
"""Units that stand before a number."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request, the calls for it and the answer.

    Attributes:
        base: The request; its plan was carried out.
        calls: In the plan's order.
        answer: What the assistant said then.
    """

    base: Base
    calls: tuple[PastCall, ...]
    answer: str

    @property
    def request(self) -> str:
        """What the user said."""
        return self.base.marked.composed.text

    @property
    def spoken(self) -> str:
        """Everything in it as one text, results included."""
        results = (json.dumps(call.result, ensure_ascii=False) for call in self.calls)
        return " ".join((self.request, *results, self.answer))


def exchange(
    requests: Requests, tools: Sequence[str], tone: Register, lead: str, rng: random.Random
) -> Exchange | None:
    """Make an exchange for one or two tools; None where the draw led nowhere."""
    chain = requests.chained(tools, rng) if len(tools) > 1 else None
    base = requests.said(chain or requests.plain(tools, rng), tone, rng)
    if base is None or not all(_as_asked(fact) for fact in base.task.facts):
        return None
    calls = tuple(
        PastCall(tool=part.tool, arguments=step.call_arguments, result=part.result)
        for part, step in zip(base.parts, base.task.plan, strict=True)
    )
    return Exchange(base, calls, f"{lead} {answer_to(base.task)}".strip())


def _as_asked(fact: Fact) -> bool:
    """Whether a number has no more decimals than anybody asks for."""
    return not isinstance(fact.value, float) or round(fact.value, _DECIMALS) == fact.value


def answer_to(task: Task) -> str:
    """State the facts of a task as an assistant does that wastes no words."""
    return " ".join(_sentence(fact) for fact in task.facts)


def _sentence(fact: Fact) -> str:
    said = _value(fact)
    end = "" if said.endswith((".", "!", "?")) else "."
    label = _MINE.sub("your", fact.label)
    return f"{raised(label)}: {said}{end}"


def _value(fact: Fact) -> str:
    value: Any = fact.value
    match fact.kind:
        case "yes_no":
            return "yes" if value else "no"
        case "date":
            return far_day(dt.date.fromisoformat(str(value))).words
        case "number":
            return _with_unit(number(value), fact.unit)
        case _:
            return str(value)


def _with_unit(figure: str, unit: str) -> str:
    if unit in _BEFORE_NUMBERS:
        return f"{unit}{figure}"
    return f"{figure} {unit}".strip() if unit != "%" else f"{figure}%"
