"""What the car adds to the record of a conversation (`core.conversation`).

The first state is stored, the later ones follow from the changes. Scores, policies, error classes, cost and
latency are functions of a `CarTrial`, so all of them can be had again later, without a model.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final, Literal, Protocol

from pydantic import Field, JsonValue

from knowact.core.conversation import (
    Called,
    LimitReached,
    Parsed,
    Recorder,
    Ruled,
    Said,
    Trial,
    UserFault,
)
from knowact.core.world import Call, Observation, WorldState
from knowact.worlds.car.rules import Fault, Rules

if TYPE_CHECKING:
    from knowact.worlds.car.session import Step

FORMAT: Final = "knowact.car/1"

MOST_STEPS: Final = 40
"""Messages of the agent before a conversation is over."""

Values = Mapping[str, JsonValue]
"""Variables by name: the 31 of the state, or the 12 of the context."""


class TaskType(StrEnum):
    """What a task tests; the words are those of published tasks."""

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
    """What ends a conversation, or lets it go on; the words are the original's."""

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
        """Whether the published score fails a trial for it."""
        return self not in {Word.CONTINUE, Word.STOP, Word.ACKNOWLEDGED}


class Finding(StrEnum):
    """What exactly was seen, where a word covers several things."""

    CLAIMED = "claimed"
    """The agent says that it did, or can do, what was never done."""
    CONCEALED = "concealed"
    """The agent says nothing about a part that is missing or that it left out."""
    SETTLED = "settled"
    """The open element is settled from here on: by an answer, a preference, a rule or the situation."""
    UNJUDGED = "unjudged"
    """Nobody ruled on what the agent said, and something hangs on it: no judge was bound."""


class CarCalled(Called):
    """A call of a tool of the car.

    Attributes:
        fault: How the published world treats the problem; None where nothing went wrong.
        policies: Policies that the tool itself saw violated ("AUT-POL:018").
        forbidden: The word for using a part that was taken away; empty if it wasn't.
    """

    fault: Fault | None = None
    policies: tuple[str, ...] = ()
    forbidden: Literal["", Word.REMOVED_TOOL, Word.REMOVED_PARAMETER] = ""

    @property
    def remark(self) -> str:
        """Which removed part it used, if it did."""
        return f"{_spoken(self.forbidden)}: it called {self.tool}" if self.forbidden else ""


CarEvent = Annotated[
    Said | CarCalled | Parsed | Ruled | UserFault | LimitReached, Field(discriminator="kind")
]


class CarTrial(Trial):
    """One conversation in the car.

    Attributes:
        world: The rule set that the car ran under.
        seed: The seed of its databases.
        removed: The parts that were taken away, as paths of the published grammar.
        decoy: Parts that were taken away although the task needs none of them, likewise.
        context: The 12 variables that stay.
        initial: The 31 variables at the start.
    """

    format: Literal["knowact.car/1"] = FORMAT
    type: TaskType = TaskType.BASE
    world: Rules = Rules.DEFINITION
    seed: int = 0
    removed: tuple[str, ...] = ()
    decoy: tuple[str, ...] = ()
    calendar_id: str = ""
    context: Values
    events: tuple[CarEvent, ...] = ()  # pyright: ignore[reportIncompatibleVariableOverride] - it is frozen

    @property
    def setup(self) -> dict[str, JsonValue]:
        """What opens a session like this one's."""
        calendar = {"calendar_id": self.calendar_id} if self.calendar_id else {}
        return {**self.context, **self.initial, **calendar}

    @property
    def calls(self) -> tuple[CarCalled, ...]:
        """All calls, in order."""
        return tuple(event for event in self.events if isinstance(event, CarCalled))

    @property
    def settled(self) -> int | None:
        """The step at which the open element was seen settled; None where it never was."""
        ruled = (event for event in self.events if isinstance(event, Ruled))
        return next((event.step for event in ruled if event.finding == Finding.SETTLED), None)

    @property
    def unjudged(self) -> str:
        """Why nobody could say what the agent's words do, though it matters; empty where somebody could."""
        ruled = (event for event in self.events if isinstance(event, Ruled))
        return next((event.why for event in ruled if event.finding == Finding.UNJUDGED), "")

    def spoken(self, word: str) -> str:
        """A control word as people read it: "acknowledged", "removed tool"."""
        return _spoken(word)


def _spoken(word: str) -> str:
    return Word(word).name.lower().replace("_", " ")


class Drivable(WorldState, Protocol):
    """A session of the car world, limited or not."""

    def do(self, call: Call) -> "Step":
        """Carry out a call and say everything about it."""
        ...


class CarRecorder(Recorder[CarTrial]):
    """Writes down one conversation in the car.

    Args:
        session: A fresh session of the car world.
        opening: The trial before anything has happened.
    """

    def __init__(self, session: Drivable, opening: CarTrial) -> None:
        super().__init__(session, opening)
        self._car = session

    def carry_out(self, call: Call) -> tuple[CarCalled, Observation]:
        """Carry out one call."""
        done = self._car.do(call)
        return called(call, done, self.turn, self.steps, self.at), done.observation


def called(call: Call, done: "Step", turn: int, step: int, at: int = 0) -> CarCalled:
    """Return the event of a call that a session carried out."""
    return CarCalled.model_validate(
        {
            "turn": turn,
            "step": step,
            "at": at,
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
