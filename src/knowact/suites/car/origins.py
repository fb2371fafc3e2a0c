"""Where an agent gets the arguments of a reference call from, as far as the data say it; for people.

What the data do not say is left out: an argument may hang on a rule or on common sense, and a value that
stands nowhere in the script is attributed to nobody.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from pydantic import JsonValue

from knowact.reading.numbers import number_in_words, numbers_in
from knowact.reading.quotes import folded, stands_in
from knowact.suites.car.goals import Reference
from knowact.suites.car.tasks import CarTask, Element

_LONG: Final = 3
"""Letters of the shortest word that says by itself where a text comes from."""


def origin(task: CarTask, place: int, name: str) -> str:
    """Return where the argument `name` of the reference's call at `place` comes from; "" if nobody says."""
    one = task.reference[place]
    found = [
        f"from {told.field!r} of the result of step {told.step}"
        for told in dict.fromkeys(one.told.get(name, ()))
    ]
    element = task.element
    if element is not None and element.argument == (place, name):
        return "; ".join([*found, _settled(element)])
    return "; ".join(found) or _shown(task, name, one.arguments[name]) or _said(task, one, name)


def _settled(element: Element) -> str:
    """Who settles what is open."""
    by = {
        "user": "from the driver, when asked",
        "preference": f"settled by a preference of the driver ({element.topic})",
        "policy": f"settled by the rule {element.rule}",
        "default": f"settled by the default {element.rule}",
        "context": "settled by how things stand",
        "request": "settled by the request",
    }
    return by[element.level].replace(" ()", "").rstrip()


def _shown(task: CarTask, name: str, value: JsonValue) -> str:
    """Whether the value is shown to the agent beside the request: the car's place, today, now."""
    here = cast("Mapping[str, Any]", task.setup.get("current_location") or {})
    now = cast("Mapping[str, Any]", task.setup.get("current_datetime") or {})
    if isinstance(value, str):
        shown = value == here.get("id")
    else:
        part = {"time_hour_24hformat": "hour"}.get(name, name)
        shown = part in {"month", "day", "hour"} and value == now.get(part)
    return "from what is shown beside the request" if shown else ""


def _said(task: CarTask, one: Reference, name: str) -> str:
    """Who says the value in so many words: the request, a later wish, or the driver when asked."""
    script, value = task.script, one.arguments[name]
    if script is None or isinstance(value, bool) or _means_several(task, one, value):
        return ""
    by = {
        "from the request": script.opening,
        "from a later wish of the driver": " ".join(script.later),
        "from the driver, when asked": " ".join(one.says for one in script.details),
    }
    for who, text in by.items():
        if _says(text, value):
            return who
    return ""


def _means_several(task: CarTask, one: Reference, value: JsonValue) -> bool:
    """Whether a number stands in calls of several tools, so that it was perhaps said of another."""
    if not isinstance(value, int | float):
        return False
    numbers = (
        (other.tool, name, each)
        for other in task.reference
        for name, each in other.arguments.items()
        if other.tool != one.tool and isinstance(each, int | float) and not isinstance(each, bool)
    )
    return any(each == value and not _shown(task, name, each) for _, name, each in numbers)


def _says(text: str, value: JsonValue) -> bool:
    """Whether a text says a value: names letter for letter, numbers in digits or words."""
    plain = folded(text)
    if isinstance(value, str):
        return len(value) >= _LONG and stands_in(folded(value), plain)
    if not isinstance(value, int | float):
        return False
    if any(value in number.readings for number in numbers_in(plain)):
        return True
    # "One" is more often no number.
    starts = (match.start() for match in re.finditer(r"[a-z]+", plain))
    return value != 1 and any(number_in_words(plain[start:]) == value for start in starts)
