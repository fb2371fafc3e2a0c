"""The labelled sets that measure a judge's rulings on messages, and how a set of any ballot is made."""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from pydantic import Field, JsonValue

from knowact.core.model import Noun
from knowact.core.parts import Part
from knowact.people.calibration import (
    LabelledItem,
    LabelledSet,
    Mark,
    Message,
    classified,
    rows,
    seen,
    version_of,
)
from knowact.people.extractor import repair_text
from knowact.people.judge import UNREADABLE, Ballot, read_vote
from knowact.people.ruling import FAULT, ToRule, on_message, on_user, ruling_prompts
from knowact.people.user_faults import JUDGED
from knowact.people.user_sets import Case as UserCase
from knowact.reading.answer_form import Results
from knowact.reading.json_text import last_object

JUDGE: Final = "judge"
_HERE: Final = "knowact.people"

MISSING: Final = ("acknowledged", "claimed")
OPEN: Final = ("asks",)
"""The classes of messages about a missing part, and about an open element; a message may be in none."""

LABELLED: Final = frozenset(JUDGED) - {"agreed"}
"""The faults of users that the set knows: it was labelled before users were held to what they agree to."""

_X: Final = "x"
"""The id of the part in question; the others of a form are decoys."""

DECOYS: Final = 3
LONGEST_RESULT: Final = 900
"""Characters of a tool's result that are shown."""


class _Call(Noun):
    tool: str
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    result: JsonValue


class Case(Noun):
    """What messages are about: a part that was taken away, or an element that is open."""

    id: str
    type: str
    task: str = ""
    opening: str = ""
    missing: str
    open: str
    calls: tuple[_Call, ...] = ()
    lacks: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The part in question, without the name of its tool."""
        return re.sub(r" \([^()]*\)$", "", self.missing or self.open)

    @property
    def before(self) -> str:
        """What was said and called before the message."""
        results = (
            f"[{one.tool} returned {json.dumps(one.result, ensure_ascii=False)[:LONGEST_RESULT]}]"
            for one in self.calls
        )
        return "\n".join((f"User: {self.opening}", *results))


class Ruled(Noun):
    """A message, and what it does."""

    id: str
    kind: str
    about: str
    said: str
    label: Literal["acknowledged", "claimed", "neither", "asks", "fine"]
    why: str


def judge_sets() -> tuple[LabelledSet, ...]:
    """Every set of messages that a judge rules on; suites add those of their own ballots."""
    return (*(_rulings(name) for name in ("referee", "referee_blind", "referee_third")), _user_faults())


# Rulings


def _rulings(name: str) -> LabelledSet:
    cases = {one.id: one for one in rows(_HERE, f"{name}_cases", Case)}
    all_words = sorted({one.words for one in cases.values()})
    items = tuple(_ruling(one, cases[one.about], all_words) for one in rows(_HERE, name, Ruled))
    return LabelledSet(
        JUDGE, name, version_of(_HERE, name, f"{name}_cases"), ruling_prompts()["ruling"], items
    )


def parts_of(case: Case, all_words: Sequence[str]) -> tuple[Part, ...]:
    """The part in question among parts of other cases."""
    drawn = random.Random(case.id).sample(all_words, min(2 * DECOYS, len(all_words)))
    decoys = [Part(one, one) for one in drawn if one != case.words][:DECOYS]
    return (Part(_X, case.words), *decoys)


def _ruling(one: Ruled, case: Case, all_words: Sequence[str]) -> LabelledItem:
    parts = parts_of(case, all_words)
    asked = on_message("ruling", parts, case.before, one.said, shuffle=case.id)

    def marks(found: Results) -> tuple[Mark, ...]:
        classes = OPEN if case.open else MISSING
        return classified(ruled(found, classes), one.label, classes)

    return _ruled_item(one.id, asked, marks, "ruling")


def _ruled_item(
    name: str, asked: ToRule, marks: Callable[[Results], tuple[Mark, ...]], kind: str
) -> LabelledItem:
    """An item that is answered by a form; an invalid one is rejected, and counts nowhere else."""

    def results(reply: str) -> Results:
        return asked.form.score(asked.said, last_object(reply, whole=True))

    def problem(reply: str) -> str | None:
        found = results(reply)
        return None if found.valid else repair_text(found)

    def held(reply: str) -> tuple[Mark, ...]:
        found = results(reply)
        rejected = Mark(kind, "rejected", not found.valid)
        return (rejected, *marks(found)) if found.valid else (rejected,)

    return LabelledItem(name, (Message("user", asked.text),), asked.form.schema(), problem, held)


def ruled(found: Results, classes: Sequence[str]) -> str | None:
    """The class of a message by its ruling; None where it does none of this."""
    acts = {act for part in found.parts if part.id == _X for act in part.acts}
    if classes == OPEN:
        return "asks" if "asked" in acts else None
    return "claimed" if "claimed" in acts else "acknowledged" if "acknowledged" in acts else None


class Talk(Noun):
    """A conversation, and what its user did wrong; the user's lines begin with "> "."""

    id: str
    kind: str
    about: str
    talk: tuple[str, ...]
    word: str
    stop: str
    label: tuple[str, ...]
    why: str

    @property
    def words(self) -> str:
        """The conversation as a judge is shown it."""
        lines = [f"User: {line[2:]}" if line.startswith("> ") else f"Assistant: {line}" for line in self.talk]
        return "\n".join([*lines, *([f"[The user leaves: {self.word}]"] if self.word else [])])


def _user_faults() -> LabelledSet:
    cases = {one.id: one for one in rows(_HERE, "driver_cases", UserCase)}
    items = tuple(_at_fault(one, cases[one.about]) for one in rows(_HERE, "driver_faults", Talk))
    version = version_of(_HERE, "driver_faults", "driver_cases")
    return LabelledSet(JUDGE, "driver_faults", version, ruling_prompts()["user_faults"], items)


def _at_fault(one: Talk, case: UserCase) -> LabelledItem:
    settled = "".join(f"\nOnly the assistant may settle: {word}." for word in case.hidden)
    asked = on_user("user", JUDGED, case.scenario + settled, one.words)

    def marks(found: Results) -> tuple[Mark, ...]:
        faults = found.did(FAULT) & LABELLED
        each = (seen(f"user: {fault}", fault in faults, fault in one.label) for fault in sorted(LABELLED))
        return (seen("user: any fault", bool(faults), bool(one.label)), *each)

    return _ruled_item(one.id, asked, marks, "user faults")


# Votes


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
        if vote == UNREADABLE:
            return (rejected,)
        return (rejected, *(_prefixed(f"{kind}: ", one) for one in classified(vote, label, ballot.choices)))

    return LabelledItem(ballot.name, (Message("user", ballot.prompts[0]),), None, _never, marks)


def _prefixed(prefix: str, mark: Mark) -> Mark:
    return Mark(prefix + mark.kind, mark.what, mark.wrong)


def _never(_reply: str) -> None:
    """A vote is not asked for again."""
