"""From a published trial's messages to a record of ours: replayed where something changed, read elsewhere.

Calls of tools that change something are carried out again, on a world made of the conversation itself; each
has to come out as it did then. What other calls gave stands in the messages and is taken as it is.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from knowact.core.conversation import ModelUsage, PolicyVotes, Ruled, Said, Stop
from knowact.core.errors import BadUsage
from knowact.core.world import Call, Problem
from knowact.suites.car.goals import Action, Goal, rehearsed, without
from knowact.suites.car.published_trials import (
    STOP_MARK,
    PublishedTask,
    PublishedTrial,
    items,
    members,
    unpacked,
)
from knowact.suites.car.state_reconstruction import SeenDatabases
from knowact.worlds.car.catalogue import operations
from knowact.worlds.car.context import VARIABLES, context_of
from knowact.worlds.car.contract import Car, Fault
from knowact.worlds.car.effects import SET_TOOLS
from knowact.worlds.car.fields import FIELDS
from knowact.worlds.car.record import MOST_STEPS, CarCalled, CarEvent, CarTrial, Word, called
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.session import CarSession
from knowact.worlds.car.state import State
from knowact.worlds.typed.validate import argument_complaints

_TODAY_ONLY: Final = {"get_entries_from_calendar": "AUT-POL:023", "get_weather": "AUT-POL:024"}
_PLAIN_TEXT: Final = frozenset({"calculate_math", "calculate_datetime", "think"})
"""Tools that answer without an envelope (spec car-bench.md, section 2.10)."""
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
    task = published.task
    if task is None:
        raise CannotReplay(published.lack)
    pairs = list(_pairs(published.messages))
    world = _world(task, pairs)
    session = _session(task, world)
    reader = _Reader(task, session)
    initial = dict(session.snapshot())
    reader.read(published.messages, pairs)
    reader.close(published)
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
        spent=_spent(published),
        digest=session.digest(),
    )
    return Replayed(trial, _goal(task, world))


def _goal(task: PublishedTask, world: SeenDatabases) -> Goal:
    actions = [Action(tool=tool, arguments=dict(arguments)) for tool, arguments in task.actions]
    return rehearsed(without(actions, task.removed), _session(task, world))


def _session(task: PublishedTask, world: SeenDatabases) -> CarSession:
    state = {name: value for name, value in task.setup.items() if name in FIELDS}
    context = {name: value for name, value in task.setup.items() if name in VARIABLES}
    try:
        car = Car(
            State(state, Rules.PUBLISHED), context_of(context), world, task.calendar_id, Rules.PUBLISHED
        )
    except BadUsage as error:
        raise CannotReplay(f"the task's configuration cannot be used: {error}") from None
    return CarSession(car)


def _world(task: PublishedTask, pairs: "Sequence[_Pair]") -> SeenDatabases:
    """Everything that the conversation and the reference tell, the surest source first."""
    world = SeenDatabases()
    for pair in pairs:
        if pair.answer.fault is None:
            world.learn(pair.answer.value)
    setup = task.setup
    world.learn_guidance(setup.get("waypoints_id"), setup.get("routes_to_final_destination_id"))
    for pair in pairs:
        if pair.answer.fault is None:
            world.learn_call(pair.tool, pair.arguments or {}, pair.answer.value)
    for tool, arguments in task.actions:
        world.learn_call(tool, arguments)
    here = members(setup.get("current_location")).get("id")
    world.infer(task.actions, [*map(str, items(setup.get("waypoints_id"))), str(here)])
    return world


@dataclass(frozen=True, slots=True)
class _Pair:
    """A call of a message, and what was answered."""

    message: int
    tool: str
    arguments: Mapping[str, Any] | None
    answer: Answer


def _pairs(messages: Sequence[Mapping[str, Any]]) -> Iterator[_Pair]:
    """Match calls with the tool messages that follow, in order: ids may repeat."""
    for place, message in enumerate(messages):
        answers = iter(_tool_messages(messages, place))
        for call in items(message.get("tool_calls")):
            function = members(members(call).get("function"))
            tool, given = str(function.get("name", "")), unpacked(function.get("arguments"))
            answered = next(answers, None)
            if answered is None:
                raise CannotReplay(f"a call of {tool} has no answer in the record")
            yield _Pair(
                place,
                tool,
                members(given) if isinstance(given, Mapping) else None,
                answer_of(tool, str(answered.get("content") or ""), members(given)),
            )


def _tool_messages(messages: Sequence[Mapping[str, Any]], place: int) -> Iterator[Mapping[str, Any]]:
    for message in messages[place + 1 :]:
        if message.get("role") != "tool":
            return
        yield message


def answer_of(tool: str, text: str, arguments: Mapping[str, Any] | None = None) -> Answer:
    """Read what a published tool answered to arguments (spec, sections 0 and 2.1: classes X, N and U)."""
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
    """Whether a failure is one that the published tool forgets to log (spec, sections 2.7 and 2.10)."""
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
    session: CarSession
    events: list[CarEvent] = field(default_factory=list[CarEvent])
    stop: Stop = Stop.WORD
    turn: int = 0
    step: int = 0

    def read(self, messages: Sequence[Mapping[str, Any]], pairs: Sequence[_Pair]) -> None:
        """Read all messages in order; after a phone call nothing more was said (section 1.7)."""
        for place, message in enumerate(messages):
            role, text = message.get("role"), str(message.get("content") or "")
            if role == "user" and STOP_MARK not in text:
                self.turn += 1
                self.events.append(Said(turn=self.turn, step=self.step, role="user", text=text))
            elif role == "assistant":
                self.step += 1
                batch = [pair for pair in pairs if pair.message == place]
                self.events += [self.event(pair) for pair in batch]
                if not batch:
                    said = Said(turn=max(1, self.turn), step=self.step, role="assistant", text=text)
                    self.events.append(said)
                if any(event.ends for event in self.events if isinstance(event, CarCalled)):
                    self.stop = Stop.TOOL
                    return

    def close(self, published: PublishedTrial) -> None:
        """Add the word that ended it, where the record or its messages say."""
        if self.stop is Stop.TOOL:
            return
        unscored = all(value is None for value in published.recorded.values())
        if published.error or not published.messages:
            self.stop = Stop.INSTRUMENT
        elif unscored and self.step >= MOST_STEPS and not _was_stopped(published):
            self.stop = Stop.LIMIT
        if self.stop is not Stop.WORD:
            return
        word = _word(published, self.task)
        if word is not None and not self._used(word):
            ruled = Ruled(turn=max(1, self.turn), step=self.step, word=word, by="user")
            self.events.append(ruled)

    def _used(self, word: Word) -> bool:
        return any(isinstance(event, CarCalled) and event.forbidden == word for event in self.events)

    def event(self, pair: _Pair) -> CarCalled:
        """Carry a call out again, or take its result from the messages."""
        turn, arguments = max(1, self.turn), None if pair.arguments is None else dict(pair.arguments)
        forbidden = _forbidden(pair, self.task)
        if pair.tool in SET_TOOLS:
            done = self.session.do(Call(pair.tool, arguments))
            if (done.observation.problem is None) != (pair.answer.fault is None):
                raise CannotReplay(_otherwise(pair, done.observation.problem))
            event = called(Call(pair.tool, arguments), done, turn, self.step)
            # How the failure was counted is what the answer says, not what we make of it.
            update = {"forbidden": forbidden, "fault": pair.answer.fault}
            return event.model_copy(update=update)
        answer = pair.answer
        problem = None if answer.fault is None else Problem(_code(pair, self.session), answer.text)
        policy = _TODAY_ONLY.get(pair.tool, "")
        return CarCalled(
            turn=turn,
            step=self.step,
            tool=pair.tool,
            arguments=arguments,
            result=answer.value,
            problem=problem,
            fault=answer.fault,
            policies=(policy,) if policy and answer.fault is Fault.LOGGED and self._other_day(pair) else (),
            forbidden=forbidden,
        )

    def _other_day(self, pair: _Pair) -> bool:
        day = members(self.task.setup.get("current_datetime"))
        arguments = pair.arguments or {}
        return any(arguments.get(name) != day.get(name) for name in ("month", "day"))


def _code(pair: _Pair, session: CarSession) -> str:
    """Our code of a failure: what the schema does not allow is a malformed call, whatever the answer says."""
    operation = operations(session.car.rules).get(pair.tool)
    if operation is None:
        return "unknown_tool"
    wrong = pair.arguments is None or argument_complaints(pair.arguments, operation.tool.parameters)
    return "bad_arguments" if wrong else pair.answer.code


def _otherwise(pair: _Pair, problem: Problem | None) -> str:
    if problem is None:
        return f"a call of {pair.tool} succeeds here, but failed then ({pair.answer.text[:80]})"
    return f"a call of {pair.tool} succeeded then, but is refused here: {problem.message}"


def _forbidden(pair: _Pair, task: PublishedTask) -> Any:
    """The word for using a part that was taken away: the tool, or a parameter that is fully there."""
    for path in task.removed:
        tool, *inside = path.split(".")
        if tool != pair.tool:
            continue
        if not inside:
            return Word.REMOVED_TOOL
        if _reaches(pair.arguments or {}, inside):
            return Word.REMOVED_PARAMETER
    return ""


def _reaches(value: Any, path: Sequence[str]) -> bool:
    if not path:
        return True
    if isinstance(value, list):
        return any(_reaches(inner, path) for inner in items(value))
    found = members(value)
    return path[0] in found and _reaches(found[path[0]], path[1:])


def _was_stopped(published: PublishedTrial) -> bool:
    last = published.messages[-1]
    return last.get("role") == "user" and STOP_MARK in str(last.get("content") or "")


def _word(published: PublishedTrial, task: PublishedTask) -> Word | None:
    """The driver's last word: recorded if it failed the trial; else the one that ends such a task well."""
    if published.keyword:
        return Word(published.keyword) if published.keyword in set(Word) else None
    return Word.ACKNOWLEDGED if task.type.lacks_a_part else Word.STOP


def _judged(published: PublishedTrial) -> tuple[PolicyVotes, ...]:
    """What the judge complained about; published records don't say which rules it was asked about."""
    if published.judged is None:
        return ()
    return (PolicyVotes(policy="", followed=(not published.judged,), why=("; ".join(published.judged),)),)


def _spent(published: PublishedTrial) -> tuple[ModelUsage, ...]:
    if published.seconds is None and published.cost is None:
        return ()
    return (ModelUsage(role="agent", cost=published.cost, seconds=published.seconds or 0.0),)
