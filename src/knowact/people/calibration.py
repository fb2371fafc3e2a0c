"""How often does the scripted helper err? Measures it on `labelled/questions.jsonl`.

Half of the set, chosen by a hash of the items' ids, is held out: the rates to quote. `python -m
knowact.people.calibration` prints both halves and the disagreements on the tuned one; `--unseen` names the
unseen ones too, which spends them.
"""

import sys
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from knowact.core.model import Noun
from knowact.core.suite import Instrument
from knowact.people.helper import Kind, Known, ScriptedHelper, is_targeted
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

HELD_OUT_ONE_IN = 2
"""Half of the items were held out while the helper was written."""


class QuestionLabel(Noun):
    """What the policy makes of a question, by the judgement of a person.

    Attributes:
        kind: How the helper should answer.
        matched: What it should answer to, sorted.
        targeted: Whether the question asks for what is really missing.
    """

    kind: Kind
    matched: tuple[str, ...] = ()
    targeted: bool


class QuestionItem(LabelledItem):
    """A question to the person behind `ask_human`, and what that person knows."""

    language: str
    known: Known
    question: str
    label: QuestionLabel


def calibrate_answers(items: Sequence[QuestionItem], part: Part = Part.ALL) -> Calibration:
    """Measure `ScriptedHelper`; positive means that a value, a job or a "can't" is due.

    A false positive gives something that was not asked for; a false negative withholds what was.
    """
    judged = tuple(_judge_answer(item) for item in in_part(items, part, HELD_OUT_ONE_IN))
    return calibration_of("scripted helper", "gives what a question asks for, and no more", part, judged)


def _judge_answer(item: QuestionItem) -> Judged:
    answer = ScriptedHelper(item.known).answer(item.question)
    wanted, given = set(item.label.matched), set(answer.matched)
    if (answer.kind, given) == (item.label.kind, wanted):
        outcome = Outcome.AGREES
    elif given - wanted:
        outcome = Outcome.FALSE_POSITIVE
    else:
        outcome = Outcome.FALSE_NEGATIVE if wanted - given else Outcome.OTHER_ENDING
    return Judged(
        item.id,
        item.kind,
        bool(wanted) and outcome is not Outcome.FALSE_POSITIVE,
        outcome,
        f"{item.label.kind} {sorted(wanted)}",
        f"{answer.kind} {sorted(given)} {answer.text}",
        item.question,
    )


def calibrate_targets(items: Sequence[QuestionItem], part: Part = Part.ALL) -> Calibration:
    """Measure `is_targeted`; positive means that the question asks for what is really missing."""
    judged = tuple(_judge_target(item) for item in in_part(items, part, HELD_OUT_ONE_IN))
    return calibration_of(
        "targeted questions", "says whether a question asks for what is missing", part, judged
    )


def _judge_target(item: QuestionItem) -> Judged:
    targeted, wanted = is_targeted(item.question, item.known), item.label.targeted
    if targeted == wanted:
        outcome = Outcome.AGREES
    else:
        outcome = Outcome.FALSE_POSITIVE if targeted else Outcome.FALSE_NEGATIVE
    return Judged(item.id, item.kind, wanted, outcome, str(wanted), str(targeted), item.question)


@cache
def helper_calibrations(part: Part) -> tuple[Calibration, Calibration]:
    """The helper on one part of the shipped set: its answers, then which questions it calls targeted."""
    path = Path(str(files("knowact.people").joinpath("labelled", "questions.jsonl")))
    items = load(path, QuestionItem)
    return calibrate_answers(items, part), calibrate_targets(items, part)


def helper_instruments(part: Part = Part.HELD_OUT) -> tuple[Instrument, Instrument]:
    """The scripted helper with its error rates, for reports: answers, then targeted questions."""
    answers, targets = map(as_instrument, helper_calibrations(part))
    return answers, targets


if __name__ == "__main__":
    seen, unseen = helper_calibrations(Part.SEEN), helper_calibrations(Part.HELD_OUT)
    sys.stdout.write(f"{as_text(seen)}\n\n{as_text(unseen, items='--unseen' in sys.argv[1:])}\n")
