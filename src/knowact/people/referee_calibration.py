"""How often do the referee's rules err? Measures them on three labelled sets.

`labelled/referee.jsonl` is by the author of the rules, `labelled/referee_blind.jsonl` by a second author and
`labelled/referee_third.jsonl` by a third, who had not seen them. Half of each, chosen by a hash of the items'
ids, is held out: the rates to quote. `python -m knowact.people.referee_calibration` prints both halves and
the disagreements on the tuned ones; `--unseen` names the unseen ones too, which spends them.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, JsonValue

from knowact.core.model import Noun
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
from knowact.worlds.car.record import Called, Event, Said, TaskType, Trial, Word

HELD_OUT_ONE_IN = 2
"""Half of the items were held out while the rules were mended."""

SETS: Final = {
    "referee": "referee",
    "referee (second author)": "referee_blind",
    "referee (third author)": "referee_third",
}
"""The names of the instruments and the files with their items; the cases lie in a file beside each."""

Label = Literal["acknowledged", "claimed", "neither", "asks", "fine"]
"""What the agent's words come to: three where a part is missing, two where an element is open."""

_WORDS: Mapping[Word, Label] = {
    Word.ACKNOWLEDGED: "acknowledged",
    Word.HALLUCINATION: "claimed",
    Word.DISAMBIGUATION: "asks",
}


class Made(Noun):
    """A call that the agent had made when it spoke."""

    tool: str
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    result: JsonValue = None


class RefereeCase(NamedLine):
    """What is missing or open; many items share one. The fields are those of `Case` and `Script`.

    Attributes:
        task: The shipped task that it was taken from; empty where there is none.
        opening: What the driver had said; empty where no item hangs on it.
        calls: What had been called, with what came back.
    """

    type: TaskType
    lacks: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    missing: str = ""
    undone: tuple[str, ...] = ()
    open: str = ""
    options: tuple[str, ...] = ()
    task: str = ""
    opening: str = ""
    calls: tuple[Made, ...] = ()

    @property
    def case(self) -> Case:
        """The same as the referee knows it."""
        script = Script(opening=self.opening or "Hello.", lacks=self.lacks, secrets=self.secrets)
        return Case(self.type, script, self.missing, frozenset(self.undone), self.open, options=self.options)

    def trial(self, item: str, said: str) -> Trial:
        """What the referee sees: the driver's words, the calls, the agent's words."""
        events: list[Event] = []
        if self.opening:
            events.append(Said(turn=1, step=0, role="user", text=self.opening))
        for step, made in enumerate(self.calls, 1):
            called = Called(turn=1, step=step, tool=made.tool, arguments=made.arguments, result=made.result)
            events.append(called)
        events.append(Said(turn=1, step=len(self.calls) + 1, role="assistant", text=said))
        return Trial(item=item, type=self.type, context={}, initial={}, events=tuple(events))


class RefereeItem(LabelledItem):
    """The agent's last words with their label; `about` names the case."""

    about: str
    said: str
    label: Label


def calibrate(
    items: Sequence[RefereeItem],
    cases: Mapping[str, RefereeCase],
    what: Label,
    part: Part = Part.ALL,
    name: str = "referee",
) -> Calibration:
    """Measure one ruling; positive means that it is due.

    Args:
        items: The labelled set.
        cases: What each `about` stands for.
        what: The ruling: "acknowledged", "claimed" or "asks".
        part: Which items.
        name: What the set is called in reports.
    """
    about_open = what == "asks"
    chosen = [one for one in items if (cases[one.about].type is TaskType.INTERNAL) == about_open]
    judged = tuple(_judge(one, cases[one.about], what) for one in in_part(chosen, part, HELD_OUT_ONE_IN))
    titles = {
        "acknowledged": "rules that the missing part was named",
        "claimed": "rules that the missing part was said to be done",
        "asks": "rules that the driver was asked for what has to be settled without them",
    }
    return calibration_of(f"{name}, {what}", titles[what], part, judged)


def _judge(item: RefereeItem, about: RefereeCase, what: Label) -> Judged:
    ruling = heard(about.case, about.trial(item.id, item.said))
    ruled = ruling is not None and _WORDS[ruling.word] == what
    wanted = item.label == what
    if ruled == wanted:
        outcome = Outcome.AGREES
    else:
        outcome = Outcome.FALSE_POSITIVE if ruled else Outcome.FALSE_NEGATIVE
    got = "nothing" if ruling is None else _WORDS[ruling.word]
    return Judged(item.id, item.kind, wanted, outcome, item.label, got, item.said)


def loaded(file: str) -> tuple[tuple[RefereeItem, ...], dict[str, RefereeCase]]:
    """A shipped set with its cases, by the name of its file (one of `SETS`)."""
    folder = Path(str(files("knowact.people").joinpath("labelled")))
    cases = load(folder / f"{file}_cases.jsonl", RefereeCase)
    return load(folder / f"{file}.jsonl", RefereeItem), {one.id: one for one in cases}


@cache
def referee_calibrations(part: Part) -> tuple[Calibration, ...]:
    """The rules on one part of each shipped set: acknowledged, claimed, asks."""
    rulings: tuple[Label, ...] = ("acknowledged", "claimed", "asks")
    return tuple(
        calibrate(*loaded(file), what, part, name) for name, file in SETS.items() for what in rulings
    )


def referee_instruments(part: Part = Part.HELD_OUT) -> tuple[Instrument, ...]:
    """The referee's rules with their error rates, for reports."""
    return tuple(map(as_instrument, referee_calibrations(part)))


if __name__ == "__main__":
    seen, unseen = referee_calibrations(Part.SEEN), referee_calibrations(Part.HELD_OUT)
    sys.stdout.write(f"{as_text(seen)}\n\n{as_text(unseen, items='--unseen' in sys.argv[1:])}\n")
