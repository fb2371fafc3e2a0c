"""How often does the detector of driver faults err? And the reader of a model driver's replies?

The sets are `labelled/driver_faults.jsonl` (conversations) and `labelled/driver_lines.jsonl` (replies of a
model that plays the driver). Half of each, chosen by a hash of the items' ids, is held out: the rates to
quote. `python -m knowact.people.driver_fault_calibration` prints both halves and the disagreements on the
tuned one; `--unseen` names the unseen ones too, which spends them.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Literal

from knowact.core.model import Noun
from knowact.core.suite import Instrument
from knowact.people.driver_calibration import HELD_OUT_ONE_IN, LABELLED, DriverCase, loaded
from knowact.people.driver_faults import FAULTS, driver_faults
from knowact.people.lines import read_line
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
from knowact.worlds.car.record import Event, Ruled, Said, Stop, Trial, Word

ANY: Final = "any"
DRIVER: Final = "> "
"""How a line of the driver begins; the others are the assistant's."""

TalkFault = Literal["made_up", "skipped_wish", "early_stop", "revealed", "in_circles", "gave_up"]
TALK_FAULTS: Final[tuple[TalkFault, ...]] = (
    "made_up", "skipped_wish", "early_stop", "revealed", "in_circles", "gave_up",
)  # fmt: skip
"""The faults that are found in a conversation; the others are found in one reply."""


class TalkItem(LabelledItem):
    """A whole conversation with the driver of the case `about`, and its faults.

    Attributes:
        talk: What was said; a line of the driver begins with "> ".
        word: The driver's last word; empty where something else ended it.
        stop: What ended it.
    """

    about: str
    talk: tuple[str, ...]
    word: Literal["STOP", "OUT_OF_SCOPE", ""] = "STOP"
    stop: Stop = Stop.WORD
    label: tuple[TalkFault, ...] = ()

    @property
    def trial(self) -> Trial:
        """The conversation as a record without calls."""
        events: list[Event] = []
        turn = step = 0
        for line in self.talk:
            if line.startswith(DRIVER):
                turn += 1
                events.append(Said(turn=turn, step=step, role="user", text=line.removeprefix(DRIVER)))
            else:
                step += 1
                events.append(Said(turn=turn, step=step, role="assistant", text=line))
        if self.word:
            events.append(Ruled(turn=turn, step=step, word=Word(self.word), by="driver"))
        return Trial(item=self.id, context={}, initial={}, events=tuple(events), stop=self.stop)


class LineLabel(Noun):
    """What a reply of a model driver says, by the judgement of a person: word and message, or a fault."""

    word: Literal["CONTINUE", "STOP", "OUT_OF_SCOPE", ""] = ""
    text: str = ""
    fault: Literal["empty", "unreadable", ""] = ""


class LineItem(LabelledItem):
    """A reply of a model driver."""

    reply: str
    label: LineLabel


def calibrate_faults(
    items: Sequence[TalkItem],
    cases: Mapping[str, DriverCase],
    what: TalkFault | Literal["any"],
    part: Part = Part.ALL,
    found: Mapping[str, Sequence[str]] | None = None,
) -> Calibration:
    """Measure the detector; positive means that the conversation has the fault, or any.

    Args:
        items: The labelled set.
        cases: What each `about` stands for.
        what: A fault, or "any".
        part: Which items.
        found: What the detector finds, by the items' ids, where that is known already.
    """
    chosen = in_part(items, part, HELD_OUT_ONE_IN)
    detected = detect(chosen, cases) if found is None else found
    judged = tuple(_judge(one, detected[one.id], what) for one in chosen)
    title = "finds that the driver failed" if what == ANY else f"finds that the driver {FAULTS[what]}"
    return calibration_of(f"driver faults, {what.replace('_', ' ')}", title, part, judged)


def detect(items: Sequence[TalkItem], cases: Mapping[str, DriverCase]) -> Mapping[str, Sequence[str]]:
    """What the detector finds in each item, by its id."""
    return {one.id: driver_faults(cases[one.about].known, one.trial) for one in items}


def _judge(item: TalkItem, found: Sequence[str], what: str) -> Judged:
    has, wanted = (bool(found), bool(item.label)) if what == ANY else (what in found, what in item.label)
    outcome = _outcome(wanted=wanted, got=has)
    talk = "\n".join((f"[{item.about}]", *item.talk))
    return Judged(item.id, item.kind, wanted, outcome, f"{item.label} {item.why}", str(found), talk)


def _outcome(*, wanted: bool, got: bool) -> Outcome:
    if got == wanted:
        return Outcome.AGREES
    return Outcome.FALSE_POSITIVE if got else Outcome.FALSE_NEGATIVE


def calibrate_lines(items: Sequence[LineItem], part: Part = Part.ALL) -> Calibration:
    """Measure `read_line`; positive means that a reply has a word that can be read."""
    judged = tuple(_judge_line(one) for one in in_part(items, part, HELD_OUT_ONE_IN))
    return calibration_of("driver's lines", "reads word and message of a model that drives", part, judged)


def _judge_line(item: LineItem) -> Judged:
    line, label = read_line(item.reply), item.label
    readable = bool(label.word)
    if line.fault:
        same = line.fault == label.fault
        outcome = Outcome.AGREES if same else Outcome.FALSE_NEGATIVE if readable else Outcome.OTHER_ENDING
    else:
        spoken = label.text.split() if label.word == Word.CONTINUE else []
        same = readable and (str(line.word), line.text.split()) == (label.word, spoken)
        outcome = Outcome.AGREES if same else Outcome.FALSE_POSITIVE
    positive = readable and outcome is not Outcome.FALSE_POSITIVE
    got = line.fault or f"{line.word} {line.text!r}"
    wanted = label.model_dump_json(exclude_defaults=True)
    return Judged(item.id, item.kind, positive, outcome, wanted, got, item.reply)


@cache
def driver_fault_calibrations(part: Part) -> tuple[Calibration, ...]:
    """The detector on one part of the shipped set: any fault, then each; then the reader of replies."""
    items = load(LABELLED / "driver_faults.jsonl", TalkItem)
    _, cases = loaded("driver")
    lines = load(LABELLED / "driver_lines.jsonl", LineItem)
    found = detect(in_part(items, part, HELD_OUT_ONE_IN), cases)
    faults = (calibrate_faults(items, cases, what, part, found) for what in (ANY, *TALK_FAULTS))
    return (*faults, calibrate_lines(lines, part))


def driver_fault_instruments(part: Part = Part.HELD_OUT) -> tuple[Instrument, ...]:
    """The detector of driver faults with its error rates, for reports."""
    return tuple(map(as_instrument, driver_fault_calibrations(part)))


if __name__ == "__main__":
    seen, unseen = driver_fault_calibrations(Part.SEEN), driver_fault_calibrations(Part.HELD_OUT)
    sys.stdout.write(f"{as_text(seen)}\n\n{as_text(unseen, items='--unseen' in sys.argv[1:])}\n")
