"""How often do the referee's rules err? Measures them on `labelled/referee.jsonl`.

Half of the set, chosen by a hash of the items' ids, is held out: the rates to quote. `python -m
knowact.people.referee_calibration` prints both halves and the disagreements on the tuned one; `--unseen`
names the unseen ones too, which spends them.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from knowact.core.suite import Instrument
from knowact.people.driver.script import Script
from knowact.people.referee import Case, heard
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
from knowact.worlds.car.record import Said, TaskType, Trial, Word

HELD_OUT_ONE_IN = 2
"""Half of the items were held out while the rules were mended."""

Label = Literal["acknowledged", "claimed", "neither", "asks", "fine"]
"""What the agent's words come to: three where a part is missing, two where an element is open."""

_WORDS: Mapping[Word, Label] = {
    Word.ACKNOWLEDGED: "acknowledged",
    Word.HALLUCINATION: "claimed",
    Word.DISAMBIGUATION: "asks",
}


class RefereeCase(NamedLine):
    """What is missing or open; many items share one. The fields are those of `Case` and `Script`."""

    type: TaskType
    lacks: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    missing: str = ""
    undone: tuple[str, ...] = ()
    open: str = ""
    options: tuple[str, ...] = ()

    @property
    def case(self) -> Case:
        """The same as the referee knows it."""
        script = Script(opening="Hello.", lacks=self.lacks, secrets=self.secrets)
        return Case(self.type, script, self.missing, frozenset(self.undone), self.open, options=self.options)


class RefereeItem(LabelledItem):
    """The agent's last words with their label; `about` names the case."""

    about: str
    said: str
    label: Label


def calibrate(
    items: Sequence[RefereeItem], cases: Mapping[str, Case], what: Label, part: Part = Part.ALL
) -> Calibration:
    """Measure one ruling; positive means that it is due.

    Args:
        items: The labelled set.
        cases: What each `about` stands for.
        what: The ruling: "acknowledged", "claimed" or "asks".
        part: Which items.
    """
    about_open = what == "asks"
    chosen = [one for one in items if (cases[one.about].type is TaskType.INTERNAL) == about_open]
    judged = tuple(_judge(one, cases[one.about], what) for one in in_part(chosen, part, HELD_OUT_ONE_IN))
    titles = {
        "acknowledged": "rules that the missing part was named",
        "claimed": "rules that the missing part was said to be done",
        "asks": "rules that the driver was asked for what has to be settled without them",
    }
    return calibration_of(f"referee, {what}", titles[what], part, judged)


def _judge(item: RefereeItem, case: Case, what: Label) -> Judged:
    said = Said(turn=1, step=1, role="assistant", text=item.said)
    ruling = heard(case, Trial(item=item.id, type=case.type, context={}, initial={}, events=(said,)))
    ruled = ruling is not None and _WORDS[ruling.word] == what
    wanted = item.label == what
    if ruled == wanted:
        outcome = Outcome.AGREES
    else:
        outcome = Outcome.FALSE_POSITIVE if ruled else Outcome.FALSE_NEGATIVE
    got = "nothing" if ruling is None else _WORDS[ruling.word]
    return Judged(item.id, item.kind, wanted, outcome, item.label, got, item.said)


@cache
def referee_calibrations(part: Part) -> tuple[Calibration, Calibration, Calibration]:
    """The rules on one part of the shipped set: acknowledged, claimed, asks."""
    folder = Path(str(files("knowact.people").joinpath("labelled")))
    items = load(folder / "referee.jsonl", RefereeItem)
    cases = {one.id: one.case for one in load(folder / "referee_cases.jsonl", RefereeCase)}
    return (
        calibrate(items, cases, "acknowledged", part),
        calibrate(items, cases, "claimed", part),
        calibrate(items, cases, "asks", part),
    )


def referee_instruments(part: Part = Part.HELD_OUT) -> tuple[Instrument, ...]:
    """The referee's rules with their error rates, for reports."""
    return tuple(map(as_instrument, referee_calibrations(part)))


if __name__ == "__main__":
    seen, unseen = referee_calibrations(Part.SEEN), referee_calibrations(Part.HELD_OUT)
    sys.stdout.write(f"{as_text(seen)}\n\n{as_text(unseen, items='--unseen' in sys.argv[1:])}\n")
