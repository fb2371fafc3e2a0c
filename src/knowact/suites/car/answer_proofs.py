"""That what a driver wants to be told is what the world says, and that the reference's calls tell it."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

from knowact.core.task import Fact
from knowact.suites.car.tasks import CarTask
from knowact.worlds.car.record import CarTrial

CONCLUDED: Final = ("what the sources say", "sum")
"""Rules that people check: a yes or no, or an end, that follows from several readings."""


def unfounded(task: CarTask, trial: CarTrial) -> Iterator[str]:
    """Yield what is wrong with a task's answers, a clause each.

    Args:
        task: The task.
        trial: The record of its reference, carried out with all parts there.
    """
    for fact in task.answers:
        sources = [source.partition(".") for source in fact.sources]
        places = [int(place) for place, _, _ in sources]
        if any(place >= len(trial.calls) for place in places):
            yield f"{fact.label!r} comes from a call that there is not"
            continue
        told = [
            list(_values(trial.calls[place].result, field.split(".")))
            for place, (_, _, field) in zip(places, sources, strict=True)
        ]
        if not told or not all(told):
            yield f"{fact.label!r} is told by no call of the reference"
        elif fact.rule not in CONCLUDED and fact.value not in _readings(fact, told):
            yield f"{fact.label!r} is {fact.value!r}, but the world says {_readings(fact, told)}"


def _values(value: Any, path: Sequence[str]) -> Iterator[Any]:
    """Everything that stands at a path, `[]` at lists."""
    if isinstance(value, list | tuple):
        for one in cast("Sequence[Any]", value):
            yield from _values(one, path)
    elif not path or not path[0]:
        yield value
    elif isinstance(value, dict):
        inner = cast("dict[str, Any]", value).get(path[0].removesuffix("[]"))
        if inner is not None:
            yield from _values(inner, path[1:])


def _readings(fact: Fact, told: Sequence[Sequence[Any]]) -> list[Any]:
    """What the sources of an answer come to, by its rule and its kind."""
    first = told[0]
    match fact.rule, fact.kind:
        case "hours and minutes", _:
            return [60 * hours + minutes for hours, minutes in zip(*told, strict=True)]
        case "hour and minute", _:
            return [f"{hour}:{minute}" for hour, minute in zip(*told, strict=True)]
        case "the end of the hours", _:
            return [hours.rpartition(" - ")[2].removesuffix("h") for hours in first]
        case "count", _:
            return [len(first)]
        case _, "list":
            return [tuple(first)]
        case _, "choice":
            return [str(one).lower().replace("_", " ") for one in first]
        case _, "number":
            return [float(str(one).removesuffix("km")) for one in first]
        case _:
            return list(first)
