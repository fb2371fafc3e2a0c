"""How often do the readers err? Measures them on their labelled, adversarial sets (validity.md, section 6).

The sets lie in `labelled/`, written by people who had not seen the readers. The rates to quote are those on
items that nobody looked at while a reader was written: for tool decisions a third of the set, chosen by a
hash of the items' ids; for claims a second set (`claims_fresh.jsonl`), because the reader of claims was
mended against all of the first. `python -m knowact.reading.calibration` prints tuned and unseen rates apart,
and the disagreements on tuned items; `--unseen` names the unseen ones too, which spends them.
"""

import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.core.record import Ending
from knowact.core.suite import Instrument
from knowact.core.table import Estimate
from knowact.core.task import Fact
from knowact.measures.intervals import wilson
from knowact.reading.claims import judge_by_facts
from knowact.reading.tool_decisions import read_tool_decisions


class NamedLine(Noun):
    """A line of a file in `labelled/`; its id is unique there."""

    id: str = Field(min_length=1)


class LabelledItem(NamedLine):
    """What every line of a labelled set has.

    Attributes:
        kind: Names the difficulty.
        why: Why the label is what it is.
    """

    kind: str
    why: str


class ToolLabel(Noun):
    """What a reply to the knowing probe says, by the judgement of a person."""

    ending: Literal["answered", "empty", "unreadable", "declined"]
    needed: tuple[str, ...] | None = None


class ToolItem(LabelledItem):
    """A reply to the knowing probe with its label."""

    offered: tuple[str, ...]
    reply: str
    label: ToolLabel


class ClaimItem(LabelledItem):
    """An answer with the facts that it should assert, and whether it does."""

    language: str
    facts: tuple[Fact, ...] = Field(min_length=1)
    reply: str
    label: bool


class Part(StrEnum):
    """Which items of a labelled set are meant."""

    ALL = "all"
    SEEN = "tuned"
    """Those against which the readers were mended."""
    HELD_OUT = "held out"
    """Those that nobody looked at before the readers were finished."""


class Outcome(StrEnum):
    """What became of one item."""

    AGREES = "agrees"
    FALSE_POSITIVE = "false positive"
    FALSE_NEGATIVE = "false negative"
    OTHER_ENDING = "other ending"
    """Neither reader nor label has an answer, but they name different reasons."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One item, with what the label wants and what the reader says."""

    id: str
    kind: str
    positive: bool
    outcome: Outcome
    wanted: str
    got: str
    reply: str


@dataclass(frozen=True, slots=True)
class Calibration:
    """The outcome of one reader on one part of its set.

    Attributes:
        false_positive: Wrong verdicts, over all items whose label does not support what was read: those
            labelled negative, and those whose answer was read as another one.
        false_negative: Missed verdicts, over the items labelled positive.
    """

    name: str
    what: str
    part: Part
    judged: tuple[Judged, ...]
    false_positive: Estimate
    false_negative: Estimate

    @property
    def disagreements(self) -> tuple[Judged, ...]:
        """The items on which reader and label differ."""
        return tuple(one for one in self.judged if one.outcome is not Outcome.AGREES)


def held_out(item_id: str, one_in: int = 3) -> bool:
    """Whether an item belongs to the part that was kept unseen: a third of the tool decisions, by its id."""
    return int.from_bytes(hashlib.blake2b(item_id.encode()).digest(), "big") % one_in == 0


_Item = TypeVar("_Item", bound="NamedLine")


def load(path: Path, model: type[_Item]) -> tuple[_Item, ...]:
    """Load a labelled set, or what its items refer to (JSONL).

    Raises:
        BadData: A line is no JSON, a field is missing or wrong, or an id occurs twice.
    """
    items, seen = list[_Item](), set[str]()
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            item = model.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"]) or None
            place = Place(path, number, field)
            raise BadData(first["msg"], place, "correct the line or take it out") from error
        if item.id in seen:
            raise BadData(f"the id {item.id!r} occurs twice", Place(path, number, "id"), "give it another id")
        seen.add(item.id)
        items.append(item)
    return tuple(items)


def _labelled(name: str) -> Path:
    return Path(str(files("knowact.reading").joinpath("labelled", name)))


def in_part(items: Iterable[_Item], part: Part, one_in: int = 3) -> list[_Item]:
    """Return the items of one part of a set of which one in so many is held out."""
    wanted = {Part.ALL: {True, False}, Part.SEEN: {False}, Part.HELD_OUT: {True}}[part]
    return [item for item in items if held_out(item.id, one_in) in wanted]


def calibrate_tool_decisions(items: Sequence[ToolItem], part: Part = Part.ALL) -> Calibration:
    """Measure `read_tool_decisions`; positive means that the reply answers readably."""
    judged = tuple(_judge_tools(item) for item in in_part(items, part))
    return calibration_of("tool decisions", "reads which tools a reply marks as needed", part, judged)


def _judge_tools(item: ToolItem) -> Judged:
    reading = read_tool_decisions(item.reply, item.offered)
    wanted = None if item.label.needed is None else frozenset(item.label.needed)
    answered = item.label.ending == Ending.ANSWERED
    if reading.ending is Ending.ANSWERED:
        right = answered and reading.needed == wanted
        outcome = Outcome.AGREES if right else Outcome.FALSE_POSITIVE
    elif answered:
        outcome = Outcome.FALSE_NEGATIVE
    else:
        outcome = Outcome.AGREES if reading.ending == item.label.ending else Outcome.OTHER_ENDING
    misread = outcome is Outcome.FALSE_POSITIVE and answered
    return Judged(
        item.id,
        item.kind,
        answered and not misread,
        outcome,
        f"{item.label.ending} {sorted(wanted or ())}",
        f"{reading.ending.value} {sorted(reading.needed or ())} {' '.join(reading.notes)}",
        item.reply,
    )


def calibrate_claims(items: Sequence[ClaimItem], part: Part = Part.ALL) -> Calibration:
    """Measure `judge_by_facts`; positive means that the answer passes. `part` says what the items are."""
    judged = tuple(_judge_claims(item) for item in items)
    return calibration_of("claims", "judges whether an answer asserts the reference facts", part, judged)


def _judge_claims(item: ClaimItem) -> Judged:
    judgement = judge_by_facts(item.facts, item.reply)
    if judgement.passed is item.label:
        outcome = Outcome.AGREES
    else:
        outcome = Outcome.FALSE_POSITIVE if judgement.passed else Outcome.FALSE_NEGATIVE
    return Judged(
        item.id,
        item.kind,
        item.label,
        outcome,
        str(item.label),
        f"{judgement.passed}: {judgement.why}",
        item.reply,
    )


def calibration_of(name: str, what: str, part: Part, judged: tuple[Judged, ...]) -> Calibration:
    """Count the outcomes of one reader on one part of its set."""
    count = Counter(one.outcome for one in judged)
    positives = sum(one.positive for one in judged)
    return Calibration(
        name,
        what,
        part,
        judged,
        wilson(count[Outcome.FALSE_POSITIVE], len(judged) - positives),
        wilson(count[Outcome.FALSE_NEGATIVE], positives),
    )


@cache
def calibrations(part: Part) -> tuple[Calibration, Calibration]:
    """Both readers on one part of their shipped sets: tool decisions, then claims.

    Where the second set of claims is not shipped, the held-out rates of claims are the tuned ones and say so
    in their `part`.
    """
    tuned, fresh = _labelled("claims.jsonl"), _labelled("claims_fresh.jsonl")
    part_of_claims = Part.SEEN if part is Part.HELD_OUT and not fresh.exists() else part
    paths = {Part.SEEN: (tuned,), Part.HELD_OUT: (fresh,), Part.ALL: (tuned, fresh)}[part_of_claims]
    claims = [item for path in paths if path.exists() for item in load(path, ClaimItem)]
    return (
        calibrate_tool_decisions(load(_labelled("tool_decisions.jsonl"), ToolItem), part),
        calibrate_claims(claims, part_of_claims),
    )


def instruments(part: Part = Part.HELD_OUT) -> tuple[Instrument, Instrument]:
    """The readers with their error rates, for reports: tool decisions, then claims."""
    tools, claims = map(as_instrument, calibrations(part))
    return tools, claims


def as_instrument(one: Calibration) -> Instrument:
    """A calibration as reports show it."""
    return Instrument(
        one.name, f"{one.what} ({one.part.value} items)", one.false_positive, one.false_negative
    )


def summary(part: Part, *, items: bool = True) -> str:
    """The rates of both readers on one part and, with `items`, every disagreement, as text."""
    return as_text(calibrations(part), items=items)


def as_text(every: Iterable[Calibration], *, items: bool = True) -> str:
    """Rates and, with `items`, every disagreement, as text."""
    lines = list[str]()
    for one in every:
        lines.append(f"{one.name}, {one.part.value}: {len(one.judged)} items")
        lines.append(f"  false positives {_rate(one.false_positive)}")
        lines.append(f"  false negatives {_rate(one.false_negative)}")
        for item in one.disagreements if items else ():
            lines.append(f"  {item.outcome.value}: {item.id} ({item.kind})")
            lines.append(f"    label  {item.wanted}")
            lines.append(f"    reader {item.got}")
            lines.append(f"    reply  {item.reply!r}")
    return "\n".join(lines)


def _rate(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "not measured"
    return f"{estimate.value:.1%} of {estimate.n} (95 %: {estimate.low:.1%} to {estimate.high:.1%})"


if __name__ == "__main__":
    spend = "--unseen" in sys.argv[1:]
    sys.stdout.write(f"{summary(Part.SEEN)}\n\n{summary(Part.HELD_OUT, items=spend)}\n")
