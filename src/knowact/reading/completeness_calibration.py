"""How often do the readers err that ask whether something is missing? One table per reader and class.

Three readers: verdicts (`feasibility`), continuations of a dialogue, and explanations of a *no*. Each has a
set that it was written against (`labelled/<name>.jsonl`) and a second one, `<name>_fresh.jsonl`, written
when its rules were finished: the rates to quote. `python -m knowact.reading.completeness_calibration`
prints both, and the disagreements on the first; `--unseen` names the fresh ones too, which spends them.
"""

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, TypeVar, get_args

from knowact.core.suite import Instrument
from knowact.core.task import Fact
from knowact.reading.calibration import (
    Calibration,
    Judged,
    LabelledItem,
    Outcome,
    Part,
    as_instrument,
    as_text,
    calibration_of,
    load,
)
from knowact.reading.continuations import Continuation, Situation, read_continuation
from knowact.reading.explanations import Explanation, read_explanation
from knowact.reading.feasibility import Feasible, read_feasibility
from knowact.reading.reasons import Missing


class FeasibilityItem(LabelledItem):
    """A reply to the question whether a request can be handled, with its verdict."""

    language: str
    reply: str
    label: Feasible


class ContinuationItem(LabelledItem):
    """A continuation of a dialogue with its class, and what it answers to."""

    language: str
    missing: Missing
    said: str
    facts: tuple[Fact, ...]
    reply: str
    calls: int
    label: Continuation


class ExplanationItem(LabelledItem):
    """Why an agent says no, with whether that is so, and what its item lacks and has."""

    language: str
    missing: Missing
    said: str
    reply: str
    label: Explanation


_Item = TypeVar("_Item", bound=LabelledItem)
CONTINUATIONS: Final[tuple[str, ...]] = tuple(name for name in get_args(Continuation) if name != "unclear")
EXPLANATIONS: Final[tuple[str, ...]] = get_args(Explanation)


def labelled(name: str, model: type[_Item], part: Part) -> tuple[_Item, ...]:
    """Load one part of a shipped set: what its reader was written against, what came later, or both."""
    folder = Path(str(files("knowact.reading").joinpath("labelled")))
    names = {Part.SEEN: (name,), Part.HELD_OUT: (f"{name}_fresh",), Part.ALL: (name, f"{name}_fresh")}[part]
    return tuple(item for one in names for item in load(folder / f"{one}.jsonl", model))


def calibrate_feasibility(items: Iterable[FeasibilityItem], part: Part) -> Calibration:
    """Measure `read_feasibility`; positive means that the reply says yes or no."""
    judged = tuple(_judge_verdict(item) for item in items)
    return calibration_of("feasibility", "reads whether a reply says yes or no", part, judged)


def _judge_verdict(item: FeasibilityItem) -> Judged:
    got = read_feasibility(item.reply).label
    if got == item.label:
        outcome = Outcome.AGREES
    else:
        outcome = Outcome.FALSE_NEGATIVE if got == "unreadable" else Outcome.FALSE_POSITIVE
    # A yes that is read as a no supports nothing of what was read: it is no missed verdict.
    positive = item.label != "unreadable" and outcome is not Outcome.FALSE_POSITIVE
    return Judged(item.id, item.kind, positive, outcome, item.label, got, item.reply)


def calibrate_continuations(items: Sequence[ContinuationItem], part: Part) -> tuple[Calibration, ...]:
    """Measure `read_continuation`, class by class; `unclear` misses the class that the label names."""
    got = [
        read_continuation(item.reply, item.calls, Situation(item.missing, item.facts, item.said)).label
        for item in items
    ]
    rows = [(item, item.label, item.reply) for item in items]
    return _by_class("continuation", CONTINUATIONS, part, rows, got)


def calibrate_explanations(items: Sequence[ExplanationItem], part: Part) -> tuple[Calibration, ...]:
    """Measure `read_explanation`, class by class."""
    got = [read_explanation(item.reply, item.missing, item.said) for item in items]
    rows = [(item, item.label, item.reply) for item in items]
    return _by_class("explanation", EXPLANATIONS, part, rows, got)


def _by_class(
    name: str,
    classes: Sequence[str],
    part: Part,
    rows: Sequence[tuple[LabelledItem, str, str]],
    got: Sequence[str],
) -> tuple[Calibration, ...]:
    """One calibration per class; positive means that the label names that class."""
    every = list[Calibration]()
    for one in classes:
        judged = list[Judged]()
        for (item, wanted, reply), found in zip(rows, got, strict=True):
            outcome = Outcome.AGREES
            if (wanted == one) != (found == one):
                outcome = Outcome.FALSE_POSITIVE if found == one else Outcome.FALSE_NEGATIVE
            judged.append(Judged(item.id, item.kind, wanted == one, outcome, wanted, found, reply))
        every.append(
            calibration_of(
                f"{name}: {one.replace('_', ' ')}", f"finds this class of {name}", part, tuple(judged)
            )
        )
    return tuple(every)


@cache
def completeness_calibrations(part: Part) -> tuple[Calibration, ...]:
    """All three readers on one part of their shipped sets: verdicts, continuations, explanations."""
    return (
        calibrate_feasibility(labelled("feasibility", FeasibilityItem, part), part),
        *calibrate_continuations(labelled("continuations", ContinuationItem, part), part),
        *calibrate_explanations(labelled("explanations", ExplanationItem, part), part),
    )


def completeness_instruments(part: Part = Part.HELD_OUT) -> tuple[Instrument, ...]:
    """The readers with their error rates, for reports; see `completeness_calibrations` for the order."""
    return tuple(map(as_instrument, completeness_calibrations(part)))


if __name__ == "__main__":
    seen, unseen = completeness_calibrations(Part.SEEN), completeness_calibrations(Part.HELD_OUT)
    sys.stdout.write(f"{as_text(seen)}\n\n{as_text(unseen, items='--unseen' in sys.argv[1:])}\n")
