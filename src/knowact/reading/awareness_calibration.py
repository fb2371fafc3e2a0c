"""How often does the reader of awareness err? Measures it on `labelled/awareness.jsonl`.

Half of the set, chosen by a hash of the items' ids, is held out: the rates to quote. `python -m
knowact.reading.awareness_calibration` prints both halves and the disagreements on the tuned one; `--unseen`
names the unseen ones too, which spends them.
"""

import sys
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from knowact.core.model import Noun
from knowact.core.suite import Instrument
from knowact.reading.awareness import Awareness, read_awareness
from knowact.reading.calibration import (
    Calibration,
    Judged,
    LabelledItem,
    Outcome,
    Part,
    as_instrument,
    as_text,
    calibration_of,
    in_part,
    load,
)
from knowact.reading.reasons import Fit, Missing, reason_fits

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
    """Both sides of the reader on one part of the shipped set: verdicts, then reasons."""
    path = Path(str(files("knowact.reading").joinpath("labelled", "awareness.jsonl")))
    items = load(path, AwarenessItem)
    return calibrate_awareness(items, part), calibrate_reasons(items, part)


def awareness_instruments(part: Part = Part.HELD_OUT) -> tuple[Instrument, Instrument]:
    """The reader of awareness with its error rates, for reports: verdicts, then reasons."""
    verdicts, reasons = map(as_instrument, awareness_calibrations(part))
    return verdicts, reasons


if __name__ == "__main__":
    seen, unseen = awareness_calibrations(Part.SEEN), awareness_calibrations(Part.HELD_OUT)
    sys.stdout.write(f"{as_text(seen)}\n\n{as_text(unseen, items='--unseen' in sys.argv[1:])}\n")
