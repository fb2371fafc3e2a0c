"""What settles an open choice, level by level (CAR-bench).

Each level takes away options; the first that leaves one has settled the matter. What a level says is looked
up, not believed: a policy by carrying every option out and checking the record; the request, a preference and
a default by the words that the author gives for each option, which must stand in the text; the situation by
the variables of the car.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

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


def unsettled(proofs: Proofs, task: CarTask) -> Iterator[str]:
    """Yield what is wrong with an open choice, a clause each: settled at another level than it says.

    Args:
        proofs: Carries references out.
        task: Any; one that leaves nothing open has nothing wrong.
    """
    element = task.element
    if element is None:
        return
    left = _remaining(proofs, task, element)
    last = [one.value for one in left["context"]]
    if element.answer not in [option.value for option in element.options]:
        yield f"the answer {element.answer!r} is none of the options"
    if element.level == "user":
        if len(last) < _FEWEST_OPEN:
            yield "the internal levels leave no choice"
        if element.answer not in last:
            yield "the internal levels rule the answer out"
        return
    settled = next((level for level, options in left.items() if len(options) == 1), None)
    if settled != element.level:
        yield f"it is settled by {settled or 'nobody'}, not by {element.level}"
    elif last[0] != element.answer:
        yield f"{settled} leaves {last[0]!r}, not {element.answer!r}"


def _remaining(proofs: Proofs, task: CarTask, element: Element) -> dict[Level, list[Option]]:
    """The options that are left after each level, the strongest first."""
    rule = POLICIES.get(element.rule)
    texts: dict[Level, Sequence[str]] = {
        "request": [task.script.opening, *task.script.later] if task.script else [],
        "preference": _likes(task, element.topic),
        "default": [rule.sentence] if rule is not None else [],
    }
    left = [one for one in element.options if _is_legal(proofs, one, task, element)]
    found: dict[Level, list[Option]] = {"policy": left}
    for level, said in texts.items():
        plain = folded(" ".join(said))
        # A text that speaks of no option leaves them all.
        left = [one for one in left if any(stands_in(folded(word), plain) for word in one.words)] or left
        found[level] = left
    found["context"] = [one for one in left if _stands(one.where, task.setup)]
    return found


def _is_legal(proofs: Proofs, option: Option, task: CarTask, element: Element) -> bool:
    """Whether the reference breaks no policy with this option; a choice without an argument can't."""
    if element.argument is None:
        return True
    place, parameter = element.argument
    one = task.reference[place]
    changed = one.model_copy(update={"arguments": {**one.arguments, parameter: option.value}})
    reference = (*task.reference[:place], changed, *task.reference[place + 1 :])
    trial = proofs.played(task.model_copy(update={"reference": reference}))
    # That something was not looked at before says nothing against the option itself.
    return all(one.unchecked for one in violations(Timeline(trial), defects(Rules.DEFINITION)))


def _likes(task: CarTask, topic: str) -> list[str]:
    """The preferences on a topic; on all topics where the choice hangs on none."""
    likes = cast("Mapping[str, Mapping[str, list[str]]]", task.setup.get("user_preferences") or {})
    every = {
        f"{category}.{name}": some for category, topics in likes.items() for name, some in topics.items()
    }
    return every.get(topic, []) if topic else [one for some in every.values() for one in some]


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
