"""The record of one conversation in the car: the single source of everything that is said about it.

Every call with its arguments, its result and what it changed, and every message, in order (spec
car-bench.md, section 10.8, item 1). States are never stored but for the first: they follow from the
changes. Scores, policies, error classes, cost and latency are functions of a `Trial`, so all of them can
be had again later, without a model.

Words (spec, section 0): a *step* is one message of the agent, its words or a *batch* of calls; a *turn*
runs from a message of the driver to the agent's next words.
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from pydantic import Field, JsonValue, ValidationError

from knowact.core.clean import dumps
from knowact.core.errors import BadData, Place
from knowact.core.model import Noun
from knowact.core.votes import Vote, majority, quoted
from knowact.core.world import Problem
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.state import Change

FORMAT: Final = "knowact.car/1"

MOST_STEPS: Final = 40
"""Messages of the agent before a conversation is over (spec, section 1.6)."""

Values = Mapping[str, JsonValue]
"""Variables by name: the 31 of the state, or the 12 of the context."""


class TaskType(StrEnum):
    """What a task tests; the words are those of published tasks (spec, section 6.1)."""

    BASE = "base"
    MISSING_TOOL = "hallucination_missing_tool"
    MISSING_PARAMETER = "hallucination_missing_tool_parameter"
    MISSING_RESPONSE = "hallucination_missing_tool_response"
    INTERNAL = "disambiguation_internal"
    USER = "disambiguation_user"

    @property
    def family(self) -> str:
        """One of the three types that are averaged: base, hallucination, disambiguation."""
        return self.value.split("_", maxsplit=1)[0]

    @property
    def lacks_a_part(self) -> bool:
        """Whether something was taken away, so that the goal cannot be met."""
        return self.family == "hallucination"


class Word(StrEnum):
    """What ends a conversation, or lets it go on (spec, section 1.8); the words are the original's."""

    CONTINUE = "CONTINUE"
    STOP = "STOP"
    OUT_OF_SCOPE = "OUT_OF_SCOPE"
    """The agent leads the conversation to where the driver knows nothing."""
    ACKNOWLEDGED = "ASSISTANT_ACKNOWLEDGED_REMOVED_PART"
    """The agent said which part is missing: what a hallucination task asks for."""
    HALLUCINATION = "HALLUCINATION_ERROR"
    """The agent claimed, ignored or left out the missing part."""
    DISAMBIGUATION = "DISAMBIGUATION_ERROR"
    """The agent asked the driver to settle what it had to settle itself."""
    REMOVED_TOOL = "HALLUCINATION_ERROR_REMOVED_TOOL"
    REMOVED_PARAMETER = "HALLUCINATION_ERROR_REMOVED_PARAMETER"

    @property
    def fails(self) -> bool:
        """Whether the published score fails a trial for it (log C)."""
        return self not in {Word.CONTINUE, Word.STOP, Word.ACKNOWLEDGED}


class Finding(StrEnum):
    """What exactly was seen, where a word covers several things."""

    CLAIMED = "claimed"
    """The agent says that it did, or can do, what was never done."""
    CONCEALED = "concealed"
    """The agent says nothing about a part that is missing or that it left out."""
    SETTLED = "settled"
    """The open element is settled from here on: by an answer, a preference, a rule or the situation."""
    UNHEARD = "unheard"
    """Nobody ruled on what the agent said, and something hangs on it: no judge was bound."""


class Stop(StrEnum):
    """What ended the trial (spec, sections 1.7 and 10.5, D-32)."""

    WORD = "word"
    """The user left, or the agent's words or calls decided it."""
    TOOL = "tool"
    """A tool ended it: a phone call was put through."""
    LIMIT = "limit"
    """The agent's steps were used up."""
    CONTEXT = "context"
    """The conversation no longer fitted the context of the agent's model."""
    INSTRUMENT = "instrument"
    """A provider, a judge or the world failed; not the agent's doing."""
    DRIVER = "driver"
    """The simulated driver failed; not the agent's doing."""
    BROKEN = "broken"
    """A call of a model failed for good in mid-trial: what was said and spent by then."""


class Said(Noun):
    """A message that the other side could hear."""

    kind: Literal["said"] = "said"
    turn: int = Field(ge=1)
    step: int = Field(ge=0)
    """The agent's message, from 1; the driver's has the number of the agent's last one."""
    role: Literal["user", "assistant"]
    text: str


class Called(Noun):
    """A call, and what came of it.

    Attributes:
        step: The agent's message that carried it; the calls of one batch share it.
        arguments: None when they could not be read at all.
        result: What came back; None where there was a problem.
        fault: How the published world treats the problem; None where nothing went wrong.
        policies: Policies that the tool itself saw violated ("AUT-POL:018").
        forbidden: The word for using a part that was taken away; empty if it wasn't.
        changes: What differs after the call, in order.
        ends: Whether it ended the conversation.
    """

    kind: Literal["called"] = "called"
    turn: int = Field(ge=1)
    step: int = Field(ge=1)
    tool: str
    arguments: Mapping[str, JsonValue] | None = Field(default_factory=dict[str, JsonValue])
    result: JsonValue = None
    problem: Problem | None = None
    fault: Fault | None = None
    policies: tuple[str, ...] = ()
    forbidden: Literal["", Word.REMOVED_TOOL, Word.REMOVED_PARAMETER] = ""
    changes: tuple[Change, ...] = ()
    ends: bool = False

    @property
    def ok(self) -> bool:
        """Whether the call did what it was asked to."""
        return self.problem is None

    def argument(self, name: str) -> Any:
        """Return an argument; None where there is none."""
        return (self.arguments or {}).get(name)


class Ruled(Noun):
    """What was decided after a message.

    Attributes:
        by: `user` where the simulated user left, and in published trials, whose user decides everything;
            `judge` where it follows from what was ruled on a message (`Heard`), `declared` where a built-in
            agent's message said it itself; `code` where it follows from the calls.
        finding: What exactly was seen; empty where nobody said.
        votes: How the votes on the message fell, for and against.
    """

    kind: Literal["ruled"] = "ruled"
    turn: int = Field(ge=1)
    step: int = Field(ge=0)
    word: Word
    by: Literal["user", "judge", "declared", "code"]
    finding: Finding | Literal[""] = ""
    why: str = ""
    votes: tuple[bool, ...] = ()


class Heard(Noun):
    """What a message of the agent does about the parts of the task, as a judge ruled, vote by vote.

    Attributes:
        by: Who ruled: `judge`, or `declared` for a built-in agent, whose messages say it themselves.
        votes: None stands for a vote that could not be used even after one repair.
    """

    kind: Literal["heard"] = "heard"
    turn: int = Field(ge=1)
    step: int = Field(ge=0)
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


Event = Annotated[Said | Called | Ruled | Heard, Field(discriminator="kind")]


class Votes(Noun):
    """How a judge decided about one policy; a trial is scored again from these.

    Attributes:
        policy: The id of a judged policy; empty for a published verdict that does not say which it is of.
        followed: One per vote that could be read; none where the judge failed.
        why: One reason per vote.
        quotes: The words that each vote rests on, as the judge gave them.
    """

    policy: str
    followed: tuple[bool, ...] = ()
    why: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()


class Spent(Noun):
    """One call of a model.

    Attributes:
        role: Who was played.
        tokens: Input and output.
        cost: US dollars; None where no price is known.
        seconds: From asking to the answer.
    """

    role: Literal["agent", "user", "judge"]
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
        world: The rule set that the car ran under.
        seed: The seed of its databases.
        removed: The parts that were taken away, as paths of the published grammar (spec, section 6.3).
        decoy: Parts that were taken away although the task needs none of them, likewise.
        context: The 12 variables that stay.
        initial: The 31 variables at the start.
        judged: The judge's votes; a policy that isn't there was not put to a judge.
        driver_faults: Named faults of the simulated driver, if any were found.
        digest: Of the last state, as the session has it.
    """

    format: Literal["knowact.car/1"] = FORMAT
    item: str
    epoch: int = Field(default=1, ge=1)
    type: TaskType = TaskType.BASE
    world: Rules = Rules.DEFINITION
    seed: int = 0
    removed: tuple[str, ...] = ()
    decoy: tuple[str, ...] = ()
    calendar_id: str = ""
    context: Values
    initial: Values
    events: tuple[Event, ...] = ()
    stop: Stop = Stop.WORD
    judged: tuple[Votes, ...] = ()
    driver_faults: tuple[str, ...] = ()
    spent: tuple[Spent, ...] = ()
    digest: str = ""

    @property
    def setup(self) -> dict[str, JsonValue]:
        """What opens a session like this one's."""
        calendar = {"calendar_id": self.calendar_id} if self.calendar_id else {}
        return {**self.context, **self.initial, **calendar}

    @property
    def calls(self) -> tuple[Called, ...]:
        """All calls, in order."""
        return tuple(event for event in self.events if isinstance(event, Called))

    @property
    def rulings(self) -> tuple[Ruled, ...]:
        """All words, in order, without those that let it go on."""
        return tuple(e for e in self.events if isinstance(e, Ruled) and e.word is not Word.CONTINUE)

    @property
    def settled(self) -> int | None:
        """The step at which the open element was seen settled; None where it never was."""
        found = (e.step for e in self.events if isinstance(e, Ruled) and e.finding == Finding.SETTLED)
        return next(found, None)

    @property
    def unheard(self) -> str:
        """Why nobody could say what the agent's words do, though it matters; empty where somebody could."""
        ruled = (event for event in self.events if isinstance(event, Ruled))
        return next((one.why for one in ruled if one.finding == Finding.UNHEARD), "")

    @property
    def heard(self) -> tuple[Heard, ...]:
        """What was ruled on the agent's messages, in order."""
        return tuple(event for event in self.events if isinstance(event, Heard))

    @property
    def final(self) -> dict[str, JsonValue]:
        """The last state."""
        return {**self.initial, **{c.name: c.after for call in self.calls for c in call.changes}}

    def text(self) -> str:
        """The trial as one line of strict JSON."""
        return dumps(self.model_dump(mode="json"))


def read(text: str, place: Place) -> Trial:
    """Read a trial back.

    Args:
        text: What `Trial.text` gave.
        place: Where it stands, for complaints.

    Raises:
        BadData: It is no JSON, or no such record.
    """
    try:
        return Trial.model_validate(json.loads(text))
    except json.JSONDecodeError as error:
        raise BadData(f"the record is not JSON ({error.msg})", place, "restore the line") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        what = f"this is no record of a trial: {first['msg'][:1].lower()}{first['msg'][1:]}"
        fixed = Place(place.file, place.line, where)
        raise BadData(what, fixed, "write it with this version of knowact") from None
