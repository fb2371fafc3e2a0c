"""From a published trial's messages to a record of ours: replayed where something changed, read elsewhere.

Calls of tools that change something are carried out again, on a world made of the conversation itself; each
has to come out as it did then. What other calls gave stands in the messages and is taken as it is.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Final

from knowact.core.conversation import PolicyVotes, Ruled, Said, Stop
from knowact.core.errors import BadUsage
from knowact.core.world import Call, Problem
from knowact.datasets.loose import items, members, unpacked, words
from knowact.suites.car.goals import Action, Goal, rehearsed, without
from knowact.suites.car.published_trials import STOP_MARK, PublishedTask, PublishedTrial, action_of
from knowact.suites.car.scoring import CONVERSATION
from knowact.worlds.car.catalogue import OPERATIONS, operations
from knowact.worlds.car.context import VARIABLES, Context, context_of
from knowact.worlds.car.contract import Car, Fault
from knowact.worlds.car.databases.seen import SeenDatabases
from knowact.worlds.car.effects import SET_TOOLS
from knowact.worlds.car.fields import FIELDS
from knowact.worlds.car.record import CarCalled, CarEvent, CarTrial, TaskType, Word, called
from knowact.worlds.car.removal import Removed, removed
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.session import CarState
from knowact.worlds.car.state import State
from knowact.worlds.typed.validate import argument_complaints

_TODAY_ONLY: Final = {"get_entries_from_calendar": "AUT-POL:023", "get_weather": "AUT-POL:024"}
_PLAIN_TEXT: Final = frozenset({"calculate_math", "calculate_datetime", "think"})
"""Tools that answer without an envelope (CAR-bench)."""
_TOOL: Final = ("tool", "function")
"""Roles of messages that answer a call."""
_UNKNOWN: Final = "Unknown action"


class CannotReplay(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """Why a trial, or its reference, cannot be played again; a clause."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A published trial as a record of ours, and what it is held against."""

    trial: CarTrial
    goal: Goal


@dataclass(frozen=True, slots=True)
class Answer:
    """What the published tool answered: a value, or a failure with how it was counted."""

    value: Any = None
    fault: Fault | None = None
    code: str = ""
    text: str = ""


def replayed(published: PublishedTrial) -> Replayed:
    """Play a published trial again.

    Raises:
        CannotReplay: Its task is missing, or a call comes out otherwise than it did.
    """
    try:
        return _played(published, published.task)
    except CannotReplay:
        if not published.cut_off:
            raise
        # Nothing of it is scored, so it is enough to know that it was cut off.
        bare = PublishedTask(published.task.type, removed=published.task.removed)
        return _played(replace(published, messages=()), bare, published.cut_off)


def _played(published: PublishedTrial, task: PublishedTask, cut_off: str = "") -> Replayed:
    if task.lack:
        raise CannotReplay(task.lack)
    if not published.messages and not (cut_off or published.cut_off):
        raise CannotReplay("the record has no messages")
    batches = dict(_batches(published.messages))
    world = _world(task, [call for batch in batches.values() for call in batch])
    session = _session(task, world)
    taken = _taken(task)
    reader = _Reader(task, taken, session)
    initial = dict(session.snapshot())
    reader.read(published.messages, batches)
    reader.close(published, cut_off or published.cut_off)
    trial = CarTrial(
        item=published.item,
        epoch=published.index + 1,
        type=task.type,
        world=Rules.PUBLISHED,
        removed=task.removed,
        calendar_id=task.calendar_id,
        context=session.car.context.model_dump(mode="json"),
        initial=initial,
        events=tuple(reader.events),
        stop=reader.stop,
        judged=_judged(published),
        digest=session.digest(),
    )
    actions = [Action(tool=tool, arguments=dict(arguments)) for tool, arguments in task.actions]
    return Replayed(trial, rehearsed(without(actions, taken), _session(task, world)))


def _taken(task: PublishedTask) -> Removed:
    """What calls must not use; what is missing in results stands there as such."""
    paths = [path for path in task.removed if not path.startswith("result.")]
    try:
        return removed(paths, [one.tool for one in OPERATIONS.values()])
    except BadUsage as error:
        raise CannotReplay(f"the task's removed part cannot be used: {error}") from None


def _session(task: PublishedTask, world: SeenDatabases) -> CarState:
    state = {name: value for name, value in task.setup.items() if name in FIELDS}
    try:
        values = State(state, Rules.PUBLISHED)
        return CarState(Car(values, _context(task.setup), world, task.calendar_id, Rules.PUBLISHED))
    except BadUsage as error:
        raise CannotReplay(f"the task's configuration cannot be used: {error}") from None


def _context(setup: Mapping[str, Any]) -> Context:
    """The fixed variables; only place and time matter for scoring, so the others need not be readable."""
    try:
        return context_of({name: value for name, value in setup.items() if name in VARIABLES})
    except BadUsage:
        return context_of(
            {name: setup[name] for name in ("current_location", "current_datetime") if name in setup}
        )


def _world(task: PublishedTask, calls: "Sequence[_Called]") -> SeenDatabases:
    """Everything that the conversation and the reference tell, the surest source first."""
    world = SeenDatabases()
    world.learn(task.setup)
    for call in calls:
        if call.answer.fault is None:
            world.learn(call.answer.value)
            world.learn_call(call.tool, call.arguments or {}, call.answer.value)
    for tool, arguments in task.actions:
        world.learn_call(tool, arguments)
    here = members(task.setup.get("current_location")).get("id")
    world.infer(task.actions, [*map(str, items(task.setup.get("waypoints_id"))), str(here)])
    return world


@dataclass(frozen=True, slots=True)
class _Called:
    """A call of a message, and what was answered."""

    tool: str
    arguments: Mapping[str, Any] | None
    answer: Answer


def _batches(messages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, list[_Called]]]:
    """Yield the calls of each message that has some, with its place; answers follow right behind."""
    for place, message in enumerate(messages):
        calls = items(message.get("tool_calls")) if message.get("role") == "assistant" else []
        if calls:
            behind = (messages[n] for n in range(place + 1, len(messages)))
            answers = list(takewhile(lambda one: one.get("role") in _TOOL, behind))
            yield place, [_answered(members(call), answers) for call in calls]


def _answered(call: Mapping[str, Any], waiting: list[Mapping[str, Any]]) -> _Called:
    """Take a call's answer out of those that wait: the one with its id, else with its name, else the next.

    Ids may repeat, then order decides; what more an id has of answers than of calls is left over.
    """
    (tool, arguments), own = action_of(call), call.get("id") or call.get("tool_call_id")
    by_id = (n for n, one in enumerate(waiting) if own and one.get("tool_call_id") == own)
    by_name = (n for n, one in enumerate(waiting) if one.get("name") == tool)
    place = next(by_id, next(by_name, 0))
    if not waiting:
        raise CannotReplay(f"a call of {tool} has no answer in the record")
    answer = answer_of(tool, words(waiting.pop(place).get("content")), arguments)
    given = unpacked(members(call.get("function") or call).get("arguments"))
    unread = isinstance(given, str) and bool(given)
    return _Called(tool, None if unread else arguments, answer)


def answer_of(tool: str, text: str, arguments: Mapping[str, Any] | None = None) -> Answer:
    """Read what a published tool answered to arguments."""
    if text.startswith(_UNKNOWN):
        return Answer(fault=Fault.UNLOGGED, code="unknown_tool", text=text)
    if text.startswith("Error:"):
        kind = Fault.UNLOGGED if tool in _PLAIN_TEXT else Fault.RAISED
        return Answer(fault=kind, code="bad_arguments", text=text)
    if tool in _PLAIN_TEXT:
        return Answer(unpacked(text))
    payload = members(text)
    if payload.get("status") == "SUCCESS":
        return Answer(payload.get("result"))
    if payload.get("status") == "FAILURE" or payload.get("errors"):
        kind = Fault.UNLOGGED if _is_quiet(tool, payload, arguments or {}) else Fault.LOGGED
        return Answer(
            fault=kind, code="not_found", text=json.dumps(payload.get("errors"), ensure_ascii=False)
        )
    return Answer(payload or text)


def _is_quiet(tool: str, payload: Mapping[str, Any], arguments: Mapping[str, Any]) -> bool:
    """Whether a failure is one that the published tool forgets to log."""
    match tool:
        case "planning_tool":
            return True
        case "search_poi_along_the_route":
            return "status" in payload
        case "search_poi_at_location":
            return arguments.get("category_poi") == ""
        case _:
            return False


@dataclass(slots=True)
class _Reader:
    """Turns messages into events."""

    task: PublishedTask
    taken: Removed
    session: CarState
    events: list[CarEvent] = field(default_factory=list[CarEvent])
    stop: Stop = Stop.WORD
    turn: int = 0
    step: int = 0

    def read(self, messages: Sequence[Mapping[str, Any]], batches: Mapping[int, Sequence[_Called]]) -> None:
        """Read all messages in order; after a phone call nothing more was said."""
        for place, message in enumerate(messages):
            role, text = message.get("role"), words(message.get("content"))
            if role == "user" and STOP_MARK not in text:
                self.turn += 1
                self.events.append(Said(turn=self.turn, step=self.step, role="user", text=text))
            elif role == "assistant":
                self.step += 1
                batch = [self.event(one) for one in batches.get(place, ())]
                self.events += batch
                if place not in batches:
                    said = Said(turn=max(1, self.turn), step=self.step, role="assistant", text=text)
                    self.events.append(said)
                if any(event.ends for event in batch):
                    self.stop = Stop.TOOL
                    return

    def close(self, published: PublishedTrial, cut_off: str) -> None:
        """Add the word that ended it, where the record or its messages say."""
        if self.stop is Stop.TOOL:
            return
        if cut_off:
            self.stop = Stop.LIMIT if cut_off == "limit" else Stop.INSTRUMENT
            return
        word = self._word(published)
        if word is not None:
            self.events.append(Ruled(turn=max(1, self.turn), step=self.step, word=word, by="user"))

    def _word(self, published: PublishedTrial) -> Word | None:
        """The driver's last word: recorded if it failed the trial; else the one that ends such a task well.

        None where a call has said it already. A failure whose word is not recorded gets that of its type.
        """
        kind = self.task.type
        used = {event.forbidden for event in self.events if isinstance(event, CarCalled)}
        if published.keyword in set(Word):
            return None if published.keyword in used else Word(published.keyword)
        if published.recorded[CONVERSATION] != 0:
            return Word.ACKNOWLEDGED if kind.lacks_a_part else Word.STOP
        if used - {""}:
            return None
        internal = Word.DISAMBIGUATION if kind is TaskType.INTERNAL else Word.OUT_OF_SCOPE
        return Word.HALLUCINATION if kind.lacks_a_part else internal

    def event(self, one: _Called) -> CarCalled:
        """Carry a call out again, or take its result from the messages."""
        turn, arguments = max(1, self.turn), None if one.arguments is None else dict(one.arguments)
        # What was answered has crashed nothing, however it was called.
        fault = Fault.UNLOGGED if one.answer.fault is Fault.RAISED else one.answer.fault
        forbidden = self.taken.forbids(Call(one.tool, arguments))
        own: dict[str, Any] = {"forbidden": forbidden, "fault": fault, "arguments": arguments or {}}
        if one.tool in SET_TOOLS:
            done = self.session.do(Call(one.tool, arguments))
            problem = done.observation.problem
            if problem is not None and fault is None:
                raise CannotReplay(
                    f"a call of {one.tool} succeeded then, but is refused here: {problem.message}"
                )
            if (problem is None) == (fault is None):
                return called(Call(one.tool, arguments), done, turn, self.step).model_copy(update=own)
            # The car of the record knows better than a world of hearsay.
            self.session.car.state.undo()
        policy = _TODAY_ONLY.get(one.tool, "")
        return CarCalled(
            turn=turn,
            step=self.step,
            tool=one.tool,
            result=one.answer.value,
            problem=None if fault is None else Problem(_code(one, self.session), one.answer.text),
            policies=(policy,) if policy and fault is Fault.LOGGED and self._other_day(one) else (),
            **own,
        )

    def _other_day(self, one: _Called) -> bool:
        day = members(self.task.setup.get("current_datetime"))
        arguments = one.arguments or {}
        return any(arguments.get(name) != day.get(name) for name in ("month", "day"))


def _code(one: _Called, session: CarState) -> str:
    """Our code of a failure: what the schema does not allow is a malformed call, whatever the answer says."""
    operation = operations(session.car.rules).get(one.tool)
    if operation is None:
        return "unknown_tool"
    wrong = one.arguments is None or argument_complaints(one.arguments, operation.tool.parameters)
    return "bad_arguments" if wrong else one.answer.code


def _judged(published: PublishedTrial) -> tuple[PolicyVotes, ...]:
    """What the judge complained about; published records don't say which rules it was asked about."""
    if published.judged is None:
        return ()
    return (PolicyVotes(policy="", followed=(not published.judged,), why=("; ".join(published.judged),)),)
