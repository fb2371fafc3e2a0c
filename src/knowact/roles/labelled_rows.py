"""How a row of a labelled file becomes an item: shared by the sets below `people` and those of suites."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict

from knowact.core.parts import Part
from knowact.reading.answer_form import AnswerForm, FormResults
from knowact.reading.json_text import last_object
from knowact.reading.quotes import folded, stands_in
from knowact.roles.calibration import (
    LabelledItem,
    LabelledSet,
    Mark,
    ShownMessage,
    classified,
    rows,
    version_of,
)
from knowact.roles.extractor import extraction_prompt, extraction_text, repair_text
from knowact.roles.judge import UNREADABLE, Ballot, read_vote
from knowact.roles.lines import GREETING, UserLine, line_schema, read_line

EXTRACTOR: Final = "extractor"
JUDGE: Final = "judge"
READING: Final = "knowact.reading"
"""The package that has labelled replies."""

NO_REQUEST: Final = "(not shown)"
"""What stands for the user's words where a set has none."""


class LabelledRow(BaseModel):
    """A row of a labelled file. Its other fields are for people."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Replied(LabelledRow):
    """A labelled reply."""

    id: str
    reply: str


class MissingSlot(LabelledRow):
    """A parameter that has to be known."""

    parameter: str
    description: str = ""

    @property
    def words(self) -> str:
        """What it is, in words."""
        return f"{self.parameter.replace('_', ' ')}: {self.description}"


class Job(LabelledRow):
    """Something that a tool would do."""

    tool: str
    description: str = ""

    @property
    def words(self) -> str:
        """What it does, in words."""
        return self.description or self.tool.replace("_", " ")


class Missing(LabelledRow):
    """What an item lacks (`slots`, `jobs`) and has; `stuck_jobs` are those that a missing value is for."""

    slots: tuple[MissingSlot, ...] = ()
    jobs: tuple[Job, ...] = ()
    there_slots: tuple[MissingSlot, ...] = ()
    there_jobs: tuple[Job, ...] = ()
    stuck_jobs: tuple[Job, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """Each part once; an id begins with "m" for missing, "s" for stuck, "t" for there."""
        parts: dict[str, Part] = {}
        for group in ("slots", "jobs", "there_slots", "there_jobs"):
            for place, each in enumerate(getattr(self, group)):
                tag = "s" if each in self.stuck_jobs else "t" if group.startswith("there") else "m"
                parts.setdefault(each.words, Part(f"{tag}:{group}:{place}", each.words))
        return tuple(parts.values())

    @property
    def lacking(self) -> str:
        """What is missing, a line each."""
        return "\n".join(f"- {each.words}" for each in (*self.slots, *self.jobs)) or "- (nothing)"


class About(LabelledRow):
    """What several items of `limits` and `reasons` are about."""

    id: str
    said: tuple[str, ...]
    missing: Missing


def abouts() -> dict[str, About]:
    """What the items of `limits` and `reasons` are about, by id."""
    return {about.id: about for about in rows(READING, "abouts", About)}


R = TypeVar("R", bound=Replied)


def form_set(
    name: str,
    shape: type[R],
    made: Callable[[R], LabelledItem],
    *beside: str,
    keep: Callable[[R], bool] = lambda row: bool(row.reply.strip()),
) -> LabelledSet:
    """A set of replies whose forms an extractor fills.

    Args:
        name: The file in `READING`.
        shape: Of its rows.
        made: Makes an item of a row.
        beside: Further files that the items rest on.
        keep: Which rows are asked about; those with words by default, as in a run.
    """
    items = tuple(made(row) for row in rows(READING, name, shape) if keep(row))
    return LabelledSet(EXTRACTOR, name, version_of(READING, name, *beside), extraction_prompt(), items)


def extracted_item(
    row: Replied, form: AnswerForm, request: str, marks: Callable[[FormResults], Iterator[Mark]]
) -> LabelledItem:
    """An item that an extractor answers with a filled form."""
    return form_item(row.id, form, extraction_text(form, request, row.reply), row.reply, "form", marks)


def form_item(  # noqa: PLR0917 - named at the two places that call it
    name: str,
    form: AnswerForm,
    text: str,
    said: str,
    kind: str,
    marks: Callable[[FormResults], Iterator[Mark]],
) -> LabelledItem:
    """An item that is answered by a filled form. An invalid one is rejected, and counts nowhere else.

    Args:
        name: The item's id.
        form: What is filled.
        text: What the model is shown.
        said: The words that quotes are checked against.
        kind: Of the rate of rejected forms.
        marks: A valid form held against the label.
    """

    def results(reply: str) -> FormResults:
        return form.score(said, last_object(reply, whole=True))

    def problem(reply: str) -> str | None:
        scored = results(reply)
        return None if scored.valid else repair_text(scored)

    def held(reply: str) -> tuple[Mark, ...]:
        scored = results(reply)
        return (Mark(kind, "rejected", not scored.valid), *(marks(scored) if scored.valid else ()))

    return LabelledItem(name, (ShownMessage("user", text),), form.schema(), problem, held)


def ballot_item(ballot: Ballot, kind: str, label: str) -> LabelledItem:
    """An item that is answered by one vote; a run takes the majority of several.

    Args:
        ballot: What is asked; its name is the item's id.
        kind: What is decided, for the names of its rates.
        label: The right choice.
    """

    def marks(reply: str) -> tuple[Mark, ...]:
        vote = read_vote(reply, ballot.choices, ballot.told)
        rejected = Mark(kind, "rejected", vote == UNREADABLE)
        if rejected.wrong:
            return (rejected,)
        choices = classified(vote, label, ballot.choices)
        return (rejected, *(Mark(f"{kind}: {choice.kind}", choice.what, choice.wrong) for choice in choices))

    # A vote is not asked for again.
    return LabelledItem(ballot.name, (ShownMessage("user", ballot.prompts[0]),), None, lambda _: None, marks)


_GOES_ON, _ENDS = "goes on", "ends"


def line_item(
    name: str,
    brief: str,
    talk: Iterable[ShownMessage],
    leaves: bool | None,  # noqa: FBT001 - a label, as of `seen`
    marks: Callable[[UserLine], Iterator[Mark]],
) -> LabelledItem:
    """An item that a simulated user answers with a line. An invalid one is rejected, and counts nowhere else.

    Args:
        name: The item's id.
        brief: Who the user is, and what they want.
        talk: What was said after the greeting.
        leaves: Whether a good user ends the conversation here; None where either is right.
        marks: A valid line held against the label.
    """

    def problem(reply: str) -> str | None:
        return "" if read_line(reply).fault else None

    def held(reply: str) -> tuple[Mark, ...]:
        line = read_line(reply)
        rejected = Mark("line", "rejected", bool(line.fault))
        if line.fault:
            return (rejected,)
        ways = (_GOES_ON, _ENDS)
        ending = () if leaves is None else classified(ways[not line.text], ways[leaves], ways)
        return (rejected, *ending, *marks(line))

    messages = (ShownMessage("system", brief), ShownMessage("user", GREETING), *talk)
    return LabelledItem(name, messages, line_schema(), problem, held)


def any_stands(words: Sequence[str], text: str) -> bool:
    """Whether one of some words stands in a text."""
    shown = folded(text)
    return any(stands_in(folded(word), shown) for word in words)
