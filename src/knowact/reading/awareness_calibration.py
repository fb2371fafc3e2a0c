"""How often does the reader of awareness err? Measures it on `labelled/awareness.jsonl` and `reasons.jsonl`.

Half of each set, chosen by a hash of the items' ids, is held out: the rates to quote. `python -m
knowact.reading.awareness_calibration` prints both halves and the disagreements on the tuned one; `--unseen`
names the unseen ones too, which spends them.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import Field

from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.core.suite import Instrument
from knowact.reading.awareness import Awareness, read_awareness
from knowact.reading.calibration import (
    Calibration,
    Judged,
    LabelledItem,
    NamedLine,
    Outcome,
    Part,
    as_instrument,
    as_text,
    calibration_of,
    in_part,
    load,
)
from knowact.reading.missing import Fit, Missing
from knowact.reading.reasons import reason_fits

HELD_OUT_ONE_IN = 2
"""Half of the items were held out while the reader was written."""


class AwarenessLabel(Noun):
    """What a reply to an awareness question says, by the judgement of a person.

    Attributes:
        verdict: Yes, IDK or no, or that it cannot be read.
        reason: Whether the reason names what is missing; None where the item records nothing missing.
    """

    verdict: Awareness
    reason: Fit | None = None


class AwarenessItem(LabelledItem):
    """A reply to an awareness question with its label, and what its item lacks and has."""

    language: str
    missing: Missing | None = None
    reply: str
    label: AwarenessLabel


class About(NamedLine):
    """What a reply answers; many items share one.

    Attributes:
        item: The item of `fail_talms/everyday@1-A` that it is taken from.
        said: What the user said, a message each.
        missing: What that item lacks and has.
    """

    item: str
    said: tuple[str, ...] = Field(min_length=1)
    missing: Missing


class ReasonItem(LabelledItem):
    """A reply to an awareness question, written for its reason; `about` names what it answers."""

    language: str
    about: str
    reply: str
    label: AwarenessLabel


def load_abouts(folder: Path) -> dict[str, Missing]:
    """Load what each `about` of a folder of labelled sets lacks and has.

    Raises:
        BadData: A line is wrong.
    """
    return {one.id: one.missing for one in load(folder / "abouts.jsonl", About)}


def about_of(name: str, abouts: Mapping[str, Missing], place: Place) -> Missing:
    """Find what an item is about.

    Raises:
        BadData: The folder knows nothing of that name.
    """
    if name not in abouts:
        raise BadData(f"nothing is known of {name!r}", place, f"name one of {', '.join(sorted(abouts))}")
    return abouts[name]


def load_reasons(folder: Path) -> tuple[AwarenessItem, ...]:
    """Load `reasons.jsonl` of a folder, each item with what it lacks and has.

    Raises:
        BadData: A line is wrong, or an item is about nothing that the folder knows.
    """
    abouts, file = load_abouts(folder), folder / "reasons.jsonl"
    return tuple(
        AwarenessItem(
            id=item.id,
            kind=item.kind,
            why=item.why,
            language=item.language,
            missing=about_of(item.about, abouts, Place(file, number, "about")),
            reply=item.reply,
            label=item.label,
        )
        for number, item in enumerate(load(file, ReasonItem), 1)
    )


def calibrate_awareness(items: Sequence[AwarenessItem], part: Part = Part.ALL) -> Calibration:
    """Measure `read_awareness`; positive means that the reply says one of the three."""
    judged = tuple(_judge_verdict(item) for item in in_part(items, part, HELD_OUT_ONE_IN))
    return calibration_of("awareness", "reads whether a reply says yes, no or IDK", part, judged)


def _judge_verdict(item: AwarenessItem) -> Judged:
    reading = read_awareness(item.reply)
    wanted = item.label.verdict
    if reading.label == wanted:
        outcome = Outcome.AGREES
    else:
        outcome = Outcome.FALSE_NEGATIVE if reading.label == "unreadable" else Outcome.FALSE_POSITIVE
    # A reply that is read as another verdict supports nothing of what was read, as with the tool decisions.
    positive = wanted != "unreadable" and outcome is not Outcome.FALSE_POSITIVE
    return Judged(item.id, item.kind, positive, outcome, wanted, reading.label, item.reply)


def calibrate_reasons(items: Sequence[AwarenessItem], part: Part = Part.ALL) -> Calibration:
    """Measure `reason_fits` on the reasons as they are read; positive means that the reason fits."""
    judged = tuple(
        _judge_reason(item, item.missing, item.label.reason)
        for item in in_part(items, part, HELD_OUT_ONE_IN)
        if item.missing is not None and item.label.reason is not None
    )
    return calibration_of("awareness reasons", "says whether a reason names what is missing", part, judged)


def _judge_reason(item: AwarenessItem, missing: Missing, wanted: Fit) -> Judged:
    reading = read_awareness(item.reply)
    fit = reason_fits(reading.reason, missing)
    if fit == wanted:
        outcome = Outcome.AGREES
    elif fit == "fits":
        outcome = Outcome.FALSE_POSITIVE
    else:
        outcome = Outcome.FALSE_NEGATIVE if wanted == "fits" else Outcome.OTHER_ENDING
    return Judged(
        item.id, item.kind, wanted == "fits", outcome, wanted, f"{fit}: {reading.reason}", item.reply
    )


@cache
def awareness_calibrations(part: Part) -> tuple[Calibration, Calibration]:
    """Both sides of the reader on one part of the shipped sets: verdicts, then reasons.

    Reasons are measured on both sets; the second one was written for them, and its plain verdicts would only
    flatter the reader of verdicts.
    """
    folder = Path(str(files("knowact.reading").joinpath("labelled")))
    items = load(folder / "awareness.jsonl", AwarenessItem)
    return calibrate_awareness(items, part), calibrate_reasons((*items, *load_reasons(folder)), part)


def awareness_instruments(part: Part = Part.HELD_OUT) -> tuple[Instrument, Instrument]:
    """The reader of awareness with its error rates, for reports: verdicts, then reasons."""
    verdicts, reasons = map(as_instrument, awareness_calibrations(part))
    return verdicts, reasons


if __name__ == "__main__":
    seen, unseen = awareness_calibrations(Part.SEEN), awareness_calibrations(Part.HELD_OUT)
    sys.stdout.write(f"{as_text(seen)}\n\n{as_text(unseen, items='--unseen' in sys.argv[1:])}\n")
