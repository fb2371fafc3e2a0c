"""A conversation between an agent and a user in a world: its record, and what writes it while it happens.

A `Trial` is the one record of what was said and done: every message, call, ruling and fault is an `Event`,
in order. What the agent reads, what a log or a page shows and every score follow from it. A world or suite
that knows more of a call or a trial subclasses `Called` and `Trial`, and `Recorder` where its sessions tell
more.

A *step* is one message of the agent: its words, or a batch of calls. A *turn* runs from a message of the user
to the agent's next words.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field, JsonValue, ValidationError

from knowact.core.clean import dumps
from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.core.record import Outcome
from knowact.core.votes import Vote, majority, quoted
from knowact.core.world import Call, Observation, Problem, WorldState

Role = Literal["agent", "user", "judge", "extractor"]
"""Who calls a model."""


class Control(StrEnum):
    """The words by which a user ends a conversation, or lets it go on; a suite's rules may know more."""

    CONTINUE = "CONTINUE"
    STOP = "STOP"
    OUT_OF_SCOPE = "OUT_OF_SCOPE"
    """The agent leads the conversation to where the user knows nothing."""


class Stop(StrEnum):
    """What ended the trial."""

    WORD = "word"
    """The user left, or the agent's words or calls decided it."""
    TOOL = "tool"
    """A call ended it."""
    LIMIT = "limit"
    """The agent's steps were used up."""
    CONTEXT = "context"
    """The conversation no longer fitted the context of the agent's model."""
    INSTRUMENT = "instrument"
    """A provider, a judge or the world failed; not the agent's doing."""
    USER = "user"
    """The simulated user failed; not the agent's doing."""
    BROKEN = "broken"
    """A call of a model failed for good in mid-trial: what was said and spent by then."""


class _Event(Noun):
    """What all events have.

    Attributes:
        step: The agent's message, from 1; before its first one, 0.
        at: Position, among the messages that the agent reads and writes, of the one that this is or follows.
    """

    turn: int = Field(ge=1)
    step: int = Field(ge=0)
    at: int = 0


class Said(_Event):
    """A message that the other side could read. The user's has the step of the agent's last one."""

    kind: Literal["said"] = "said"
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class StateChange:
    """One variable of the world that a call left with another value than it found."""

    name: str
    before: JsonValue
    after: JsonValue


class Called(_Event):
    """A call, and what came of it.

    Attributes:
        step: The agent's message that carried it; the calls of one batch share it.
        arguments: None when they could not be read at all.
        result: What came back; None where there was a problem.
        changes: What differs after the call, in order.
        ends: Whether it ended the conversation.
    """

    kind: Literal["called"] = "called"
    tool: str
    arguments: Mapping[str, JsonValue] | None = Field(default_factory=dict[str, JsonValue])
    result: JsonValue = None
    problem: Problem | None = None
    changes: tuple[StateChange, ...] = ()
    ends: bool = False

    @property
    def ok(self) -> bool:
        """Whether the call did what it was asked to."""
        return self.problem is None

    @property
    def remark(self) -> str:
        """What a reader is told about it beside its result; a subclass may have something to say."""
        return ""

    def argument(self, name: str) -> Any:
        """Return an argument; None where there is none."""
        return (self.arguments or {}).get(name)


class Parsed(_Event):
    """What the agent's last message does about the parts of the task, as a judge ruled, vote by vote.

    Attributes:
        by: Who ruled: `judge`, or `declared` for a built-in agent, whose messages say it themselves.
        votes: None stands for a vote that could not be used even after one repair.
    """

    kind: Literal["parsed"] = "parsed"
    by: Literal["judge", "declared"]
    votes: tuple[Vote | None, ...] = ()

    def says(self, act: str, *parts: str) -> bool | None:
        """Whether the message does this about any of some parts; None without a majority of all votes."""
        return majority(self.votes, act, *parts)

    def did(self, act: str) -> frozenset[str]:
        """The parts about which a majority says that the message does this."""
        parts = {part for vote in self.votes if vote for part, acts in vote.items() if act in acts}
        return frozenset(part for part in parts if self.says(act, part))

    def quote(self, act: str, *parts: str) -> str:
        """The words by which the message does it, as the first vote that says so quotes them."""
        found = (quoted(vote, act, *parts) for vote in self.votes if vote)
        return next((quote for quote in found if quote is not None), "")

    def fell(self, act: str, *parts: str) -> tuple[bool, ...]:
        """How the votes fell; those that could not be used are left out, and a declaration is no vote."""
        if self.by == "declared":
            return ()
        return tuple(quoted(vote, act, *parts) is not None for vote in self.votes if vote is not None)

    def panels(self) -> list[tuple[bool, ...]]:
        """How the votes fell on each act that some vote says the message does."""
        acts = {(act, part) for vote in self.votes if vote for part, some in vote.items() for act in some}
        return [fell for act, part in sorted(acts) if (fell := self.fell(act, part))]


class Ruled(_Event):
    """What was decided after a message or a batch of calls.

    Attributes:
        word: A word of `Control`, or of the suite's termination rules; all but CONTINUE end it.
        by: `user` where the simulated user left; `judge` where it follows from what was ruled on a message
            (`Parsed`), `declared` where a built-in agent's message said it itself; `code` where it follows
            from the calls.
        finding: What exactly was seen, in a word of the suite's rules; empty where a word says it all.
        votes: How the votes on the message fell, for and against.
    """

    kind: Literal["ruled"] = "ruled"
    word: str
    by: Literal["user", "judge", "declared", "code"]
    finding: str = ""
    why: str = ""
    votes: tuple[bool, ...] = ()


class UserFault(_Event):
    """What the simulated user did that no user may, by name, with the words that show it."""

    kind: Literal["user_fault"] = "user_fault"
    name: str
    quote: str = ""


class LimitReached(_Event):
    """A limit that a reply of the agent ran into: of its model, or of an agent that is none."""

    kind: Literal["limit"] = "limit"
    limit: Literal["tokens", "context", "time", "crash"]


Event = Annotated[Said | Called | Parsed | Ruled | UserFault | LimitReached, Field(discriminator="kind")]


class PolicyVotes(Noun):
    """How a judge decided about one policy; a trial is scored again from these.

    Attributes:
        policy: The id of a judged policy; empty for a published ruling that does not name its policy.
        followed: One per vote that could be read; none where the judge failed.
        why: One reason per vote.
        quotes: The words that each vote rests on, as the judge gave them.
    """

    policy: str
    followed: tuple[bool, ...] = ()
    why: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()


class FilledForm(Noun):
    """The answer form that a message of the agent was read into; a trial is scored again from these.

    Attributes:
        step: The message.
        by: Who filled it: a model's name, or `declared` for a built-in agent, whose messages say it.
        filled: The form as it was filled, after one repair at most; it may be unusable.
    """

    step: int = Field(ge=1)
    by: str = ""
    filled: JsonValue = None


class ModelUsage(Noun):
    """One call of a model.

    Attributes:
        tokens: Input and output.
        cost: US dollars; None where no price is known.
        seconds: From asking to the answer.
    """

    role: Role
    model: str = ""
    turn: int = Field(default=1, ge=1)
    tokens: tuple[int, int] = (0, 0)
    cost: float | None = Field(default=None, ge=0)
    seconds: float = Field(default=0.0, ge=0)


class Trial(Noun):
    """One conversation.

    Attributes:
        item: The task's id.
        epoch: Counted from 1.
        initial: The world's variables at the start; later states follow from the changes.
        judged: The judge's votes; a policy that isn't there was not put to a judge.
        user_votes: What a judge ruled on the user's lines, vote by vote; empty where nobody did.
        forms: What the agent's messages were read into, by an extractor; none where nobody read them.
        spent: The calls of models.
        digest: Of the last state, as the session has it.
    """

    item: str
    epoch: int = Field(default=1, ge=1)
    initial: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    events: tuple[Event, ...] = ()
    stop: Stop = Stop.WORD
    judged: tuple[PolicyVotes, ...] = ()
    user_votes: tuple[Vote | None, ...] = ()
    forms: tuple[FilledForm, ...] = ()
    spent: tuple[ModelUsage, ...] = ()
    digest: str = ""

    @property
    def calls(self) -> tuple[Called, ...]:
        """All calls, in order."""
        return tuple(event for event in self.events if isinstance(event, Called))

    @property
    def parsed(self) -> tuple[Parsed, ...]:
        """What was ruled on the agent's messages, in order."""
        return tuple(event for event in self.events if isinstance(event, Parsed))

    @property
    def rulings(self) -> tuple[Ruled, ...]:
        """All decisions, in order, without those that let it go on."""
        return tuple(e for e in self.events if isinstance(e, Ruled) and e.word != Control.CONTINUE)

    @property
    def user_faults(self) -> tuple[str, ...]:
        """The names of the simulated user's faults, each once."""
        return tuple(dict.fromkeys(event.name for event in self.events if isinstance(event, UserFault)))

    @property
    def limits(self) -> frozenset[str]:
        """The limits of its model that the agent's replies ran into."""
        return frozenset(event.limit for event in self.events if isinstance(event, LimitReached))

    @property
    def outcome(self) -> Outcome:
        """How it ended, as records have it."""
        if self.user_faults or self.stop is Stop.USER:
            return Outcome.USER_FAULT
        if self.stop in {Stop.INSTRUMENT, Stop.BROKEN}:
            return Outcome.INSTRUMENT_ERROR
        if self.stop in {Stop.LIMIT, Stop.CONTEXT}:
            return Outcome.LIMIT
        said = self.words("assistant")
        return Outcome.EMPTY if said and not any(text.strip() for text in said) else Outcome.ANSWERED

    @property
    def final(self) -> dict[str, JsonValue]:
        """The last state."""
        return {**self.initial, **{c.name: c.after for call in self.calls for c in call.changes}}

    def words(self, role: Literal["user", "assistant"]) -> list[str]:
        """All that one side said, in order."""
        return [event.text for event in self.events if isinstance(event, Said) and event.role == role]

    def spoken(self, word: str) -> str:
        """A word of a ruling as people read it ("out of scope"); a suite's words may have shorter names."""
        return word.lower().replace("_", " ")

    def text(self) -> str:
        """The trial as one line of strict JSON."""
        return dumps(self.model_dump(mode="json"))


T = TypeVar("T", bound=Trial)
T_co = TypeVar("T_co", bound=Trial, covariant=True)
E = TypeVar("E", bound=Event)


def read_trial(text: str, place: Place, kind: type[T]) -> T:
    """Read a trial back.

    Args:
        text: What `Trial.text` gave.
        place: Where it stands, for complaints.
        kind: What it is read as.

    Raises:
        BadData: It is no JSON, or no such record.
    """
    try:
        return kind.model_validate(json.loads(text))
    except json.JSONDecodeError as error:
        raise BadData(f"the record is not JSON ({error.msg})", place, "restore the line") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        what = f"this is not a record of a trial: {first['msg'][:1].lower()}{first['msg'][1:]}"
        fixed = Place(place.file, place.line, where)
        raise BadData(what, fixed, "write it with this version of knowact") from None


class Recorder(Generic[T_co]):
    """Carries out the calls of one conversation, and writes down all that happens in it.

    Args:
        session: A fresh session of the world.
        opening: The trial before anything has happened; `initial` is filled in from the session.
        ends: The tools that end the conversation when they succeed.
    """

    def __init__(self, session: WorldState, opening: T_co, ends: Iterable[str] = ()) -> None:
        self.session = session
        self.at = 0
        self._ends = frozenset(ends)
        self._events: list[Event] = []
        self._spent: list[ModelUsage] = []
        self._judged: tuple[PolicyVotes, ...] = ()
        self._user_votes: tuple[Vote | None, ...] = ()
        self._forms: tuple[FilledForm, ...] = ()
        self._turn = 0
        self._step = 0
        # The events of this one are the list itself: whoever decides something sees the record as it stands.
        start = {"initial": dict(session.snapshot()), "events": self._events}
        self._so_far = opening.model_copy(update=start)

    @property
    def so_far(self) -> T_co:
        """The record as it stands; it grows. `close` gives one that is finished."""
        return self._so_far

    @property
    def steps(self) -> int:
        """How many messages the agent has sent."""
        return self._step

    @property
    def turn(self) -> int:
        """The turn that is under way, from 1."""
        return max(1, self._turn)

    def user(self, text: str) -> None:
        """Write down what the user says; a turn begins."""
        self._turn += 1
        self._add(Said, role="user", text=text)

    def assistant(self, text: str) -> None:
        """Write down what the agent says to the user; the turn ends."""
        self._step += 1
        self._add(Said, role="assistant", text=text)

    def batch(self, calls: Iterable[Call]) -> list[tuple[Called, Observation]]:
        """Carry out the calls of one message in order, and write them down.

        Returns:
            For each call what is written down, and what the agent sees. `at` counts on from call to call.
        """
        self._step += 1
        done: list[tuple[Called, Observation]] = []
        for call in calls:
            self.at += 1
            done.append(self.carry_out(call))
            self._events.append(done[-1][0])
        return done

    def carry_out(self, call: Call) -> tuple[Called, Observation]:
        """Carry out one call; a subclass whose sessions tell more of a call overrides this."""
        before = self.session.snapshot()
        seen = self.session.call(call)
        after = self.session.snapshot()
        changes = [
            StateChange(name, before.get(name), after.get(name))
            for name in dict.fromkeys((*before, *after))
            if before.get(name) != after.get(name)
        ]
        called = Called(
            turn=self.turn,
            step=self.steps,
            at=self.at,
            tool=call.tool,
            arguments=call.arguments,
            result=seen.value,
            problem=seen.problem,
            changes=tuple(changes),
            ends=seen.ok and call.tool in self._ends,
        )
        return called, seen

    def parsed(self, by: Literal["judge", "declared"], votes: Sequence[Vote | None]) -> Parsed:
        """Write down what the agent's last words do, vote by vote."""
        return self._add(Parsed, by=by, votes=tuple(votes))

    def rule(
        self,
        word: str,
        by: Literal["user", "judge", "declared", "code"],
        *,
        finding: str = "",
        why: str = "",
        votes: Sequence[bool] = (),
    ) -> Ruled:
        """Write down a decision about what was just said or done; see `Ruled`."""
        return self._add(Ruled, word=word, by=by, finding=finding, why=why, votes=tuple(votes))

    def user_fault(self, name: str, quote: str = "") -> None:
        """Write down what the simulated user did wrong."""
        self._add(UserFault, name=name, quote=quote)

    def limit(self, limit: Literal["tokens", "context", "time", "crash"]) -> None:
        """Write down a limit that the agent's model ran into."""
        self._add(LimitReached, limit=limit)

    def spend(self, usage: ModelUsage) -> None:
        """Write down one call of a model."""
        self._spent.append(usage)

    def judge_user(self, votes: Iterable[Vote | None]) -> None:
        """Write down the votes on the user's lines."""
        self._user_votes = tuple(votes)

    def judge(self, votes: Iterable[PolicyVotes]) -> None:
        """Write down the votes on policies."""
        self._judged = tuple(votes)

    def extracted(self, forms: Iterable[FilledForm]) -> None:
        """Write down what the agent's messages were read into."""
        self._forms = tuple(forms)

    def close(self, stop: Stop) -> T_co:
        """Return the record as it ended so; what is written down later is in the next one."""
        end = {
            "events": tuple(self._events),
            "stop": stop,
            "judged": self._judged,
            "user_votes": self._user_votes,
            "forms": self._forms,
            "spent": tuple(self._spent),
            "digest": self.session.digest(),
        }
        return self._so_far.model_copy(update=end)

    def _add(self, kind: type[E], **fields: Any) -> E:
        event = kind(turn=self.turn, step=self._step, at=self.at, **fields)
        self._events.append(event)
        return event
