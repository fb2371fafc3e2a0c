"""Writing a record while a conversation goes on, and playing one again (spec car-bench.md, section 10.8)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pydantic import JsonValue

from knowact.core.votes import Vote
from knowact.core.world import Call, Observation
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.record import (
    Called,
    Event,
    Finding,
    Heard,
    Ruled,
    Said,
    Spent,
    Stop,
    TaskType,
    Trial,
    Word,
)
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.state import Change


class Done(Protocol):
    """What a session tells of a call (`session.Step`)."""

    @property
    def observation(self) -> Observation:
        """What the agent sees."""
        ...

    @property
    def changes(self) -> Sequence[Change]:
        """What differs after it."""
        ...

    @property
    def fault(self) -> Fault | None:
        """How the published world treats its problem."""
        ...

    @property
    def policies(self) -> Sequence[str]:
        """Policies that the tool saw violated."""
        ...

    @property
    def forbidden(self) -> str:
        """The word for using a part that was taken away."""
        ...

    @property
    def ends(self) -> bool:
        """Whether it ends the conversation."""
        ...


class Drivable(Protocol):
    """A session of the car world, limited or not."""

    def do(self, call: Call) -> Done:
        """Carry out a call."""
        ...

    def snapshot(self) -> Mapping[str, Any]:
        """The 31 variables."""
        ...

    def digest(self) -> str:
        """A short hash of them."""
        ...


@dataclass(slots=True)
class Recorder:
    """Writes down one conversation; `close` gives the record at any time, and it may go on afterwards.

    Args:
        session: Carries out the calls.
        item: The task's id.
        context: The 12 variables that stay.
    """

    session: Drivable
    item: str
    context: Mapping[str, JsonValue]
    type: TaskType = TaskType.BASE
    epoch: int = 1
    world: Rules = Rules.DEFINITION
    seed: int = 0
    removed: tuple[str, ...] = ()
    decoy: tuple[str, ...] = ()
    calendar_id: str = ""
    _initial: dict[str, JsonValue] = field(init=False)
    _events: list[Event] = field(init=False, default_factory=list[Event])
    _spent: list[Spent] = field(init=False, default_factory=list[Spent])
    _turn: int = field(init=False, default=0)
    _step: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._initial = dict(self.session.snapshot())

    @property
    def steps(self) -> int:
        """How many messages the agent has sent."""
        return self._step

    @property
    def failed(self) -> bool:
        """Whether a word has failed the trial; the published loop then ends it at the agent's next words."""
        return any(
            event.word.fails
            if isinstance(event, Ruled)
            else isinstance(event, Called) and bool(event.forbidden)
            for event in self._events
        )

    def user(self, text: str) -> None:
        """Write down what the driver says; a turn begins."""
        self._turn += 1
        self._events.append(Said(turn=self._turn, step=self._step, role="user", text=text))

    def assistant(self, text: str) -> None:
        """Write down what the agent says to the driver; the turn ends."""
        self._step += 1
        self._events.append(Said(turn=max(1, self._turn), step=self._step, role="assistant", text=text))

    def batch(self, calls: Iterable[Call]) -> list[Observation]:
        """Carry out the calls of one message, in order, and write them down."""
        self._step += 1
        seen: list[Observation] = []
        for call in calls:
            done = self.session.do(call)
            self._events.append(called(call, done, max(1, self._turn), self._step))
            seen.append(done.observation)
        return seen

    def heard(self, by: Literal["judge", "declared"], votes: Sequence[Vote | None]) -> None:
        """Write down what the agent's last words do, vote by vote."""
        self._events.append(Heard(turn=max(1, self._turn), step=self._step, by=by, votes=tuple(votes)))

    def rule(
        self,
        word: Word,
        by: Literal["user", "judge", "declared", "code"],
        *,
        finding: Finding | None = None,
        why: str = "",
        votes: Sequence[bool] = (),
    ) -> None:
        """Write down a decision about what was just said or done; see `Ruled`."""
        ruled = Ruled(
            turn=max(1, self._turn),
            step=self._step,
            word=word,
            by=by,
            finding=finding or "",
            why=why,
            votes=tuple(votes),
        )
        self._events.append(ruled)

    def spend(self, spent: Spent) -> None:
        """Write down one call of a model."""
        self._spent.append(spent)

    def close(self, stop: Stop) -> Trial:
        """Return the record as if it had ended here and so; judges add their votes later."""
        return Trial(
            item=self.item,
            epoch=self.epoch,
            type=self.type,
            world=self.world,
            seed=self.seed,
            removed=self.removed,
            decoy=self.decoy,
            calendar_id=self.calendar_id,
            context=dict(self.context),
            initial=self._initial,
            events=tuple(self._events),
            stop=stop,
            spent=tuple(self._spent),
            digest=self.session.digest(),
        )


def called(call: Call, done: Done, turn: int, step: int) -> Called:
    """Return the event of a call that a session carried out."""
    return Called.model_validate(
        {
            "turn": turn,
            "step": step,
            "tool": call.tool,
            "arguments": call.arguments,
            "result": done.observation.value,
            "problem": done.observation.problem,
            "fault": done.fault,
            "policies": tuple(done.policies),
            "forbidden": done.forbidden,
            "changes": tuple(done.changes),
            "ends": done.ends,
        }
    )


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of playing a record again.

    Attributes:
        digest: Of the last state.
        departures: The calls, by their place among the calls, whose result or changes came out otherwise.
    """

    digest: str
    departures: tuple[int, ...]


def replay(trial: Trial, session: Drivable) -> Replay:
    """Make every call of a trial again in a session that was opened with `Trial.setup` and its seed."""
    departures: list[int] = []
    for place, was in enumerate(trial.calls):
        again = called(
            Call(was.tool, was.arguments), session.do(Call(was.tool, was.arguments)), was.turn, was.step
        )
        if again != was:
            departures.append(place)
    return Replay(session.digest(), tuple(departures))
