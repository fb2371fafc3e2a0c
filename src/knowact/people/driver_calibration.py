"""How often does the scripted driver err? Measures it on two labelled sets (validity.md, section 6).

The author of `labelled/driver.jsonl` mended the rules later, that of `labelled/driver_blind.jsonl` had not
seen them. Half of each, chosen by a hash of the items' ids, is held out: the rates to quote. `python -m
knowact.people.driver_calibration` prints both halves and the disagreements on the tuned ones; `--unseen`
names the unseen ones too, which spends them.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

from pydantic import model_validator

from knowact.core.model import Noun
from knowact.core.suite import Instrument
from knowact.people.driver.script import Detail, Script
from knowact.people.driver.scripted import Reply, ScriptedDriver
from knowact.people.driver_faults import Known
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
from knowact.worlds.car.record import Word

HELD_OUT_ONE_IN: Final = 2
"""Half of the items were held out while the rules were mended."""

LABELLED: Final = Path(str(files("knowact.people").joinpath("labelled")))

SETS: Final = {
    "scripted driver": "driver",
    "scripted driver (second author)": "driver_blind",
}
"""The names of the instruments and the files with their items; the cases lie in a file beside each."""

What = Literal["details", "consent", "pressed", "moves on"]
WHATS: Final[Mapping[What, str]] = {
    "details": "tells what was asked for, and nothing else",
    "consent": "says yes to what fits its wish, and to nothing else",
    "pressed": "notices that it is asked for what the assistant has to settle",
    "moves on": "raises its next wish, or leaves, when the one before is done with, and not before",
}


class DriverCase(NamedLine):
    """What a driver wants; many items share one. The fields are those of `Script` and `Known`."""

    scenario: str
    opening: str
    later: tuple[str, ...] = ()
    details: tuple[Detail, ...] = ()
    secrets: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    looks_up: str = Script.model_fields["looks_up"].default

    @property
    def script(self) -> Script:
        """What the driver plays."""
        return Script(**{name: getattr(self, name) for name in Script.model_fields})

    @property
    def known(self) -> Known:
        """What the detector of faults goes by."""
        return Known(self.script, self.scenario, self.hidden)


class DriverLabel(Noun):
    """What a driver who follows the script does, by the judgement of a person.

    Attributes:
        tell: The details that are due, by their place in the script.
        may: Further ones that do no harm, such as repeating what was rightly proposed.
        yes: Whether a yes is due, or would be wrong; empty where nothing is to be said yes to.
        then: Whether it goes on talking of the same, raises its next wish or leaves; or either is right.
        pressed: Whether the assistant asks for what it has to settle itself.
    """

    tell: tuple[int, ...] = ()
    may: tuple[int, ...] = ()
    yes: Literal["yes", "no", ""] = ""
    then: Literal["talks", "wish", "leaves", "any"] = "talks"
    pressed: bool = False

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> "DriverLabel":
        if self.then in {"wish", "leaves"} and (self.tell or self.yes == "yes"):
            raise ValueError("who still owes an answer doesn't move on")
        return self


class DriverItem(LabelledItem):
    """What the assistant says, after what it said `before`, to the driver of the case `about`."""

    about: str
    before: tuple[str, ...] = ()
    said: str
    label: DriverLabel


def calibrate(
    items: Sequence[DriverItem],
    cases: Mapping[str, DriverCase],
    what: What,
    part: Part = Part.ALL,
    name: str = "scripted driver",
) -> Calibration:
    """Measure one thing that the scripted driver decides; items where it doesn't come up are left out."""
    judge = {"details": _details, "consent": _consent, "pressed": _pressed, "moves on": _moves_on}[what]
    found = (_judged(item, cases[item.about].script, judge) for item in in_part(items, part, HELD_OUT_ONE_IN))
    judged = tuple(one for one in found if one is not None)
    return calibration_of(f"{name}, {what}", WHATS[what], part, judged)


_Verdict = tuple[bool, Outcome] | None
"""Whether it is a positive, and the outcome; none where the question doesn't come up."""


def _judged(
    item: DriverItem, script: Script, judge: Callable[[DriverItem, Script, Reply], _Verdict]
) -> Judged | None:
    driver = ScriptedDriver(script)
    for said in item.before:
        driver.reply(said)
    reply = driver.reply(item.said)
    verdict = judge(item, script, reply)
    if verdict is None:
        return None
    notes = [name for name in ("agreed", "pressed") if getattr(reply, name)]
    got = " ".join((reply.word.value, repr(reply.text), *notes))
    wanted = item.label.model_dump_json(exclude_defaults=True)
    return Judged(item.id, f"{item.kind}, {item.about}", *verdict, wanted, got, item.said)


def _told(script: Script, reply: Reply) -> frozenset[int]:
    return frozenset(place for place, one in enumerate(script.details) if one.says in reply.text)


def _details(item: DriverItem, script: Script, reply: Reply) -> _Verdict:
    told, due = _told(script, reply), frozenset(item.label.tell)
    if told - due - frozenset(item.label.may):
        return False, Outcome.FALSE_POSITIVE
    return bool(due), Outcome.FALSE_NEGATIVE if due - told else Outcome.AGREES


def _consent(item: DriverItem, script: Script, reply: Reply) -> _Verdict:
    if not item.label.yes:
        return None
    if item.label.yes == "no":
        return False, Outcome.FALSE_POSITIVE if reply.agreed else Outcome.AGREES
    confirmed = reply.agreed or bool(_told(script, reply) & frozenset(item.label.may))
    return True, Outcome.AGREES if confirmed else Outcome.FALSE_NEGATIVE


def _pressed(item: DriverItem, script: Script, reply: Reply) -> _Verdict:
    if not script.secrets:
        return None
    if reply.pressed == item.label.pressed:
        return item.label.pressed, Outcome.AGREES
    return item.label.pressed, Outcome.FALSE_POSITIVE if reply.pressed else Outcome.FALSE_NEGATIVE


def _moves_on(item: DriverItem, script: Script, reply: Reply) -> _Verdict:
    if item.label.then == "any":
        return None
    left = reply.settled or reply.word is not Word.CONTINUE
    raised = any(wish in reply.text for wish in script.later)
    done = "leaves" if left else "wish" if raised else "talks"
    if done == item.label.then:
        return done != "talks", Outcome.AGREES
    if done == "talks":
        return True, Outcome.FALSE_NEGATIVE
    return False, Outcome.FALSE_POSITIVE


@cache
def loaded(file: str) -> tuple[tuple[DriverItem, ...], Mapping[str, DriverCase]]:
    """A shipped set with its cases by their id, by the name of its file (one of `SETS`)."""
    cases = load(LABELLED / f"{file}_cases.jsonl", DriverCase)
    return load(LABELLED / f"{file}.jsonl", DriverItem), {one.id: one for one in cases}


@cache
def driver_calibrations(part: Part) -> tuple[Calibration, ...]:
    """The scripted driver on one part of each shipped set: details, consent, pressed, moves on."""
    return tuple(calibrate(*loaded(file), what, part, name) for name, file in SETS.items() for what in WHATS)


def driver_instruments(part: Part = Part.HELD_OUT) -> tuple[Instrument, ...]:
    """The scripted driver with its error rates, for reports."""
    return tuple(map(as_instrument, driver_calibrations(part)))


if __name__ == "__main__":
    seen, unseen = driver_calibrations(Part.SEEN), driver_calibrations(Part.HELD_OUT)
    sys.stdout.write(f"{as_text(seen)}\n\n{as_text(unseen, items='--unseen' in sys.argv[1:])}\n")
