"""The labelled set that measures the person behind `ask_human`: what a question asks for, what is given."""

from collections.abc import Iterator
from typing import Final, Literal

from pydantic import JsonValue

from knowact.core.model import Noun
from knowact.core.parts import Part
from knowact.core.task import Fact
from knowact.people.calibration import LabelledItem, LabelledSet, Mark, Message, rows, seen, version_of
from knowact.people.helper import Held, Known, Removed, helper_prompt, helper_schema, helper_text, read_answer
from knowact.people.labelled_parts import Job, Slot

_HERE: Final = "knowact.people"
_SET: Final = "questions"


class _Held(Noun):
    slot: Slot
    value: JsonValue
    said: tuple[str, ...]


class _Removed(Noun):
    job: Job
    can_do: bool
    facts: tuple[Fact, ...]


class _Known(Noun):
    withheld: tuple[_Held, ...]
    told: tuple[_Held, ...]
    removed: _Removed | None

    @property
    def as_in_a_run(self) -> Known:
        """What the person knows; a part's id is the name of its parameter or tool."""
        gone = () if self.removed is None else (self.removed,)
        return Known(
            withheld=tuple(map(_held, self.withheld)),
            told=tuple(map(_held, self.told)),
            removed=tuple(Removed(Part(one.job.tool, one.job.words), one.can_do, one.facts) for one in gone),
        )


def _held(one: _Held) -> Held:
    return Held(Part(one.slot.parameter, one.slot.words), one.value, one.said[0] if one.said else "")


class _Label(Noun):
    kind: Literal["value", "did_job", "cannot", "unknown", "refused_fishing", "unmatched", "empty"]
    matched: tuple[str, ...]
    targeted: bool


class Question(Noun):
    """A question to the person, and what it asks for."""

    id: str
    kind: str
    language: str
    known: _Known
    question: str
    label: _Label
    why: str


def helper_sets() -> tuple[LabelledSet, ...]:
    """Every set that measures the role `helper`."""
    items = tuple(map(_item, rows(_HERE, _SET, Question)))
    return (LabelledSet("helper", _SET, version_of(_HERE, _SET), helper_prompt(), items),)


def _item(one: Question) -> LabelledItem:
    known = one.known.as_in_a_run

    def problem(reply: str) -> str | None:
        return None if read_answer(known, reply) else ""

    def marks(reply: str) -> tuple[Mark, ...]:
        return tuple(_marks(one, known, reply))

    text = helper_text(known, one.question)
    return LabelledItem(one.id, (Message("user", text),), helper_schema(), problem, marks)


def _marks(one: Question, known: Known, reply: str) -> Iterator[Mark]:
    answer = read_answer(known, reply)
    yield Mark("answer", "rejected", answer is None)
    if answer is None:
        return
    wanted, asked = frozenset(one.label.matched), answer.asked or frozenset[str]()
    if wanted:
        yield Mark("asks for", "missed", bool(wanted - asked))
    yield Mark("asks for", "false pass", bool(asked - wanted))
    yield seen("targeted", bool(answer.targeted(known)), one.label.targeted)
    # What the person can give at all: values that were left out, and jobs that a person can do.
    able = {
        part.part.id
        for part in (*known.withheld, *known.removed)
        if not isinstance(part, Removed) or part.can_do
    }
    if due := wanted & able:
        yield Mark("gives", "missed", bool(due - answer.gave))
    yield Mark("gives", "false pass", bool(answer.gave - wanted))
