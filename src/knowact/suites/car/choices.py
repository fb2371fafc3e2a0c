"""What settles an open choice, level by level (spec car-bench.md, section 8).

Each level takes away options; the first that leaves one has settled the matter. What a level says is looked
up, not believed: a policy by carrying every option out and checking the record, a preference and a default
by the words in the sentence, the situation by the variables of the car.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from knowact.reading.quotes import folded, stands_in
from knowact.suites.car.proofs import Proofs
from knowact.suites.car.tasks import CarTask, Element, Level, Option
from knowact.worlds.car.defects import defects
from knowact.worlds.car.policies.catalogue import POLICIES
from knowact.worlds.car.policies.checks import violations
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.timeline import Timeline, within

_FEWEST_OPEN = 2


@dataclass(frozen=True, slots=True)
class Choices:
    """Settles choices.

    Args:
        proofs: Carries references out.
    """

    proofs: Proofs

    def remaining(self, task: CarTask) -> tuple[tuple[Level, tuple[Option, ...]], ...]:
        """Return the options that are left after each level, the strongest first.

        Raises:
            ValueError: The task leaves nothing open.
        """
        element = task.element
        if element is None:
            raise ValueError(f"{task.id} leaves nothing open")
        left = element.options
        found: list[tuple[Level, tuple[Option, ...]]] = []
        for level in ("policy", "request", "preference", "default", "context"):
            left = self._after(level, left, task, element)
            found.append((level, left))
        return tuple(found)

    def complaints(self, task: CarTask) -> tuple[str, ...]:
        """Return what is wrong with an open choice: settled at another level than it says."""
        element = task.element
        if element is None:
            return ()
        steps = self.remaining(task)
        last = steps[-1][1]
        answers = [option.value for option in element.options]
        found: list[str] = []
        if element.answer not in answers:
            found.append(f"the answer {element.answer!r} is none of the options")
        if element.level == "user":
            if len(last) < _FEWEST_OPEN:
                found.append("the internal levels leave no choice")
            if element.answer not in [option.value for option in last]:
                found.append("the internal levels rule the answer out")
            return tuple(found)
        settled = next((level for level, left in steps if len(left) == 1), None)
        if settled != element.level:
            found.append(f"it is settled by {settled or 'nobody'}, not by {element.level}")
        elif last[0].value != element.answer:
            found.append(f"{settled} leaves {last[0].value!r}, not {element.answer!r}")
        return tuple(found)

    def _after(
        self, level: Level, left: tuple[Option, ...], task: CarTask, element: Element
    ) -> tuple[Option, ...]:
        match level:
            case "policy":
                return tuple(one for one in left if self._is_legal(one, task, element))
            case "request":
                said = " ".join([task.script.opening, *task.script.later]) if task.script else ""
                return _spoken_of(left, said)
            case "preference":
                return _spoken_of(left, " ".join(_likes(task, element.topic)))
            case "default":
                rule = POLICIES.get(element.rule)
                return _spoken_of(left, rule.sentence if rule is not None else "")
            case _:
                return tuple(one for one in left if _stands(one.where, task.setup))

    def _is_legal(self, option: Option, task: CarTask, element: Element) -> bool:
        """Whether the reference breaks no policy with this option; a choice without an argument can't."""
        if element.argument is None:
            return True
        place, parameter = element.argument
        one = task.reference[place]
        changed = one.model_copy(update={"arguments": {**one.arguments, parameter: option.value}})
        reference = (*task.reference[:place], changed, *task.reference[place + 1 :])
        trial = self.proofs.played(task.model_copy(update={"reference": reference}))
        # That something was not looked at before says nothing against the option itself.
        return all(one.unchecked for one in violations(Timeline(trial), defects(Rules.DEFINITION)))


def _likes(task: CarTask, topic: str) -> list[str]:
    """The preferences on a topic; on all topics where the choice hangs on none."""
    likes: Any = task.setup.get("user_preferences") or {}
    every: dict[str, list[str]] = {
        f"{category}.{name}": some for category, topics in likes.items() for name, some in topics.items()
    }
    return every.get(topic, []) if topic else [one for some in every.values() for one in some]


def _spoken_of(left: tuple[Option, ...], said: str) -> tuple[Option, ...]:
    """The options that a text speaks of; all of them where it speaks of none."""
    plain = folded(said)
    named = tuple(one for one in left if any(stands_in(folded(word), plain) for word in one.words))
    return named or left


def _stands(where: Mapping[str, JsonValue], setup: Mapping[str, JsonValue]) -> bool:
    return all(_fits(within(setup, *name.split(".")), wanted) for name, wanted in where.items())


def _fits(value: Any, wanted: JsonValue) -> bool:
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    number = 0 if value is None else value
    above, below = wanted.get("above"), wanted.get("below")
    return (not isinstance(above, int | float) or number > above) and (
        not isinstance(below, int | float) or number < below
    )
