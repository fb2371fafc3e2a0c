"""Labelled trials for the error classes, and how each is played (`labelled/errors.md`).

An item names a task and what the agent does in it, message by message. It is played with the scripted driver
in the real world, so that what is classified is a record like any other. Pure: no engine, no model. Referee
and judge are taken to be right where they vote: the item says what they find.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, cast

from pydantic import Field, JsonValue

from knowact.core.errors import BadUsage
from knowact.core.model import Noun
from knowact.core.world import Call
from knowact.people.driver.scripted import ScriptedDriver
from knowact.people.referee import Case, Ruling, answered, closed, heard, is_open, noticed
from knowact.reading.calibration import LabelledItem, load
from knowact.suites.car.casting import case_of, part_of, script_of
from knowact.suites.car.items import CarItem
from knowact.worlds.car.defects import defects
from knowact.worlds.car.policies.applies import to_judge
from knowact.worlds.car.record import MOST_STEPS, Finding, Stop, Trial, Votes, Word
from knowact.worlds.car.recording import Recorder
from knowact.worlds.car.timeline import Timeline

Label = Literal["none", "E1", "E2", "E3", "E4", "E5a", "E5b", "U", "I"]
"""What a careful reader calls the error of a trial; `none` for one that did what it should."""

Heard = Literal["acknowledged", "claimed", "asks"]
"""What models that are right would vote about a message which the referee's rules leave open."""

_WORDS: Final[Mapping[Heard, Word]] = {
    "acknowledged": Word.ACKNOWLEDGED,
    "claimed": Word.HALLUCINATION,
    "asks": Word.DISAMBIGUATION,
}

PANEL: Final = 3


class Changed(Noun):
    """A call of the reference with something else about it.

    Attributes:
        call: Which, by its tool ("set_fan_speed"; the second of a tool as "open_close_window#2").
        given: Arguments in place of its own, or besides.
        without: Arguments that it leaves out.
    """

    call: str
    given: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    without: tuple[str, ...] = ()


class Other(Noun):
    """A call that is not the reference's; `arguments` is null where they can't be read.

    A value `{"look": "tool", "path": "routes.1.route_id"}` stands for what that look of the reference tells;
    `look` may also be such a call itself.
    """

    tool: str
    arguments: Mapping[str, JsonValue] | None = Field(default_factory=dict[str, JsonValue])


Step = str | tuple[str | Changed | Other, ...]
"""Words, in which `{question}` stands for one about what is open, or the calls of one message."""


class ErrorItem(LabelledItem):
    """A trial with its label. The last step is repeated until the conversation is over.

    Attributes:
        task: The id of a shipped task.
        made: Whether the item was thought out by itself, or is one of a family.
        heard: What votes would say, by the number of the message in words, from 1.
        broken: The judged policies that a right judge finds broken.
        faults: Faults of the driver that are on record.
        stop: What ended it, where that was no part of the conversation.
        label: By the meaning of the classes, not by the procedure.
    """

    task: str
    made: Literal["hand", "family"]
    steps: tuple[Step, ...] = Field(min_length=1)
    heard: Mapping[str, Heard] = Field(default_factory=dict[str, Heard])
    broken: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    stop: Literal["", Stop.INSTRUMENT, Stop.DRIVER] = ""
    label: Label


def labelled() -> tuple[ErrorItem, ...]:
    """The shipped set."""
    return load(Path(str(files("knowact.suites.car").joinpath("labelled", "errors.jsonl"))), ErrorItem)


def played(item: ErrorItem, car: CarItem, *, graded: bool = True) -> Trial:
    """Let a labelled trial happen.

    Args:
        item: What the agent does.
        car: Its task.
        graded: Whether referee and judge have models to vote; they are then right.

    Raises:
        BadUsage: A step refers to a call that the task's reference does not have.
    """
    trial = _Played(item, car, graded=graded).trial()
    if not graded:
        return trial
    ballots = to_judge(Timeline(trial), defects(trial.world))
    votes = tuple(
        Votes(policy=one, followed=(one not in item.broken,) * PANEL, why=("as labelled",) * PANEL)
        for one in ballots
    )
    return trial.model_copy(update={"judged": votes})


class _Played:
    """One conversation: what `engine.conversation` does, with steps in place of a model."""

    def __init__(self, item: ErrorItem, car: CarItem, *, graded: bool) -> None:
        what, garage = car.what, car.garage
        self._item, self._car, self._graded = item, car, graded
        self._session = garage.session(what)
        self._driver = ScriptedDriver(script_of(what), what.persona)
        self._case: Case = case_of(what)
        self._messages = 0
        self._recorder = Recorder(
            self._session,
            what.id,
            garage.whole(what).car.context.model_dump(mode="json"),
            type=what.type,
            world=garage.rules,
            seed=garage.seed,
            removed=what.removed,
            decoy=what.decoy.paths if what.decoy else (),
            calendar_id=str(what.setup.get("calendar_id", "")),
        )

    def trial(self) -> Trial:
        self._recorder.user(self._driver.opening())
        stop: Stop | None = None
        while stop is None and self._recorder.steps < MOST_STEPS:
            step = self._item.steps[min(self._recorder.steps, len(self._item.steps) - 1)]
            stop = self._says(step) if isinstance(step, str) else self._calls(step)
        if stop is not None:
            self._rule([closed(self._case, self._so_far())])
        trial = self._recorder.close(Stop(self._item.stop) if self._item.stop else stop or Stop.LIMIT)
        return trial.model_copy(update={"driver_faults": self._item.faults})

    def _calls(self, step: Sequence[str | Changed | Other]) -> Stop | None:
        self._recorder.batch([_call(one, self._car) for one in step])
        self._rule([noticed(self._case, self._so_far())])
        return Stop.TOOL if self._session.ended else None

    def _says(self, step: str) -> Stop | None:
        self._messages += 1
        text = step.replace("{question}", part_of(self._car.what).question)
        self._recorder.assistant(text)
        found = [noticed(self._case, self._so_far()), heard(self._case, self._so_far())]
        self._rule([*found, self._voted(found)])
        if self._recorder.failed or any(one.word is not Word.CONTINUE for one in self._so_far().rulings):
            return Stop.WORD
        reply = self._driver.reply(text, acted=self._so_far().acted)
        if reply.word is not Word.CONTINUE:
            gone = reply.word is not Word.OUT_OF_SCOPE
            self._recorder.rule(Word.STOP if gone else reply.word, "driver")
            return Stop.WORD
        self._recorder.user(reply.text)
        self._rule([answered(self._case, self._so_far())])
        return None

    def _voted(self, found: Sequence[Ruling | None]) -> Ruling | None:
        """What models would say; they are asked only where the rules leave it open."""
        vote = self._item.heard.get(str(self._messages))
        ruled = any(one is not None and one.word is not Word.CONTINUE for one in found)
        if not self._graded or vote is None or ruled or not is_open(self._case, self._so_far()):
            return None
        finding = Finding.CLAIMED if vote == "claimed" else None
        return Ruling(_WORDS[vote], finding, "as labelled", (True,) * PANEL, "referee")

    def _rule(self, rulings: Sequence[Ruling | None]) -> None:
        for one in rulings:
            if one is not None:
                self._recorder.rule(one.word, one.by, finding=one.finding, why=one.why, votes=one.votes)

    def _so_far(self) -> Trial:
        return self._recorder.close(Stop.WORD)


def _call(one: str | Changed | Other, car: CarItem) -> Call:
    if isinstance(one, Other):
        known = one.arguments
        return Call(one.tool, None if known is None else {name: _value(v, car) for name, v in known.items()})
    named = one if isinstance(one, str) else one.call
    base = _referred(named, car)
    if isinstance(one, str):
        return base
    arguments = {**(base.arguments or {}), **{name: _value(v, car) for name, v in one.given.items()}}
    return Call(base.tool, {name: value for name, value in arguments.items() if name not in one.without})


def _referred(named: str, car: CarItem) -> Call:
    """The reference's call of a tool; "open_close_window#2" is its second of that tool."""
    tool, _, number = named.partition("#")
    found = [one for one in car.what.reference if one.tool == tool]
    place = int(number or "1") - 1
    if place >= len(found):
        raise BadUsage(f"{car.what.id} has no call {named!r} in its reference: label this trial anew.")
    return Call(tool, found[place].arguments)


def _value(value: JsonValue, car: CarItem) -> Any:
    """A value, or what a look of the reference tells in a car with everything there."""
    if isinstance(value, list):
        return [_value(one, car) for one in value]
    if not isinstance(value, dict) or "look" not in value:
        return value
    at = value["look"]
    look = _referred(at, car) if isinstance(at, str) else _call(Other.model_validate(at), car)
    found: Any = car.garage.whole(car.what).do(look).observation.value
    for name in str(value["path"]).split("."):
        found = cast("Any", found[int(name)] if isinstance(found, list) else found[name])
    return found
