"""The labelled sets that measure a simulated user: control words, and the details that it tells."""

from collections.abc import Iterator
from functools import cache
from typing import Final, Literal

from knowact.core.model import Noun
from knowact.core.prompts import Prompt, load_prompt
from knowact.people.calibration import LabelledItem, LabelledSet, Mark, Message, classified, rows, version_of
from knowact.people.lines import GREETING, line_schema, read_line
from knowact.reading.quotes import folded, stands_in

_HERE: Final = "knowact.people"
_PERSONA: Final = "You chat with the assistant as with a friend."
_GOES_ON, _ENDS = "goes on", "ends"


class Detail(Noun):
    """Something that is told only when asked.

    Attributes:
        about: Words that ask for it.
        says: How somebody might tell it.
        values: Words of which one stands in every line that tells it; empty where no words would do.
    """

    about: tuple[str, ...]
    says: str
    values: tuple[str, ...]


class Case(Noun):
    """What a driver wants."""

    id: str
    scenario: str
    opening: str
    later: tuple[str, ...]
    details: tuple[Detail, ...]
    secrets: tuple[str, ...]
    lacks: tuple[str, ...]
    hidden: tuple[str, ...]
    looks_up: str = ""


class _Label(Noun):
    tell: tuple[int, ...]
    may: tuple[int, ...]
    yes: Literal["yes", "no", ""]
    then: Literal["talks", "wish", "leaves", "any"]
    pressed: bool


class Said(Noun):
    """A message to the driver, and what should follow."""

    id: str
    kind: str
    about: str
    before: tuple[str, ...]
    said: str
    label: _Label
    why: str


def user_sets() -> tuple[LabelledSet, ...]:
    """Every set that measures the role `user`."""
    return tuple(
        _set(name, cases)
        for name, cases in (("driver", "driver_cases"), ("driver_blind", "driver_blind_cases"))
    )


@cache
def user_prompt() -> Prompt:
    """The versioned prompt of the role `user`; its hash goes into the log."""
    return load_prompt(_HERE, "user")


def _set(name: str, cases: str) -> LabelledSet:
    known = {one.id: one for one in rows(_HERE, cases, Case)}
    # Where more was said before, the driver's own lines in between are not recorded and cannot be shown.
    items = tuple(_item(one, known[one.about]) for one in rows(_HERE, name, Said) if not one.before)
    return LabelledSet("user", name, version_of(_HERE, name, cases), user_prompt(), items)


def _item(one: Said, case: Case) -> LabelledItem:
    brief = user_prompt().fill({"persona": _PERSONA, "scenario": case.scenario})
    messages = (
        Message("system", brief),
        Message("user", GREETING),
        Message("assistant", case.opening),
        Message("user", one.said),
    )

    def problem(reply: str) -> str | None:
        return "" if read_line(reply).fault else None

    def marks(reply: str) -> tuple[Mark, ...]:
        return tuple(_marks(one, case, reply))

    return LabelledItem(one.id, messages, line_schema(), problem, marks)


def _marks(one: Said, case: Case, reply: str) -> Iterator[Mark]:
    line = read_line(reply)
    yield Mark("line", "rejected", bool(line.fault))
    if line.fault:
        return
    if one.label.then != "any":
        wanted = _ENDS if one.label.then == "leaves" else _GOES_ON
        yield from classified(_GOES_ON if line.text else _ENDS, wanted, (_GOES_ON, _ENDS))
    text = folded(line.text)
    for place, detail in enumerate(case.details):
        if place in one.label.tell and detail.values:
            yield Mark("tells", "missed", not _tells(detail.values, text))
        elif place not in one.label.may and (bare := _unmistakable(detail, one, case)):
            yield Mark("tells", "false pass", _tells(bare, text))
    if bare := tuple(word for word in case.hidden if not _tells((word,), folded(one.said))):
        yield Mark("gives away", "false pass", _tells(bare, text))


def _tells(values: tuple[str, ...], text: str) -> bool:
    return any(stands_in(folded(value), text) for value in values)


def _unmistakable(detail: Detail, one: Said, case: Case) -> tuple[str, ...]:
    """The numbers and names among a detail's values that nobody has said yet: whoever says one tells it."""
    known = folded(f"{case.opening}\n{one.said}")
    return tuple(
        value
        for value in detail.values
        if any(sign.isdigit() or sign.isupper() for sign in value) and not stands_in(folded(value), known)
    )
