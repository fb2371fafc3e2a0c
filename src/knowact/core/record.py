"""Records: what one trial came to. Every table of every suite is made from these."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, PlainSerializer

REPAIRED: Final = "repaired_forms"
"""Flag: answer forms that were usable after one repair."""

INVALID: Final = "invalid_forms"
"""Flag: answer forms that stayed invalid after one repair, so that what rests on them is not scored."""

UNVERIFIED: Final = "unverified"
"""Flag: values that the quotes of a form say in words ("twelve"), so that no digits bear them out."""

SPLIT: Final = "split_vote"
"""Flag: questions on which not all votes of the judge were the same."""


class Outcome(StrEnum):
    """How one probe of one trial ended. Each is counted; none is ever taken for restraint."""

    ANSWERED = "answered"
    DECLINED = "declined"
    """The provider says that the model refused, or its content filter withheld the reply."""
    ASKED = "asked"
    """The agent asked back."""
    EMPTY = "empty"
    """A reply without text and without a call."""
    UNREADABLE = "unreadable"
    """A reply whose answer could not be read."""
    LIMIT = "limit"
    """Rounds, turns, tokens or time were used up, a request did not fit the model's context, or an agent that
    is no model crashed; a flag says which."""
    INSTRUMENT_ERROR = "instrument_error"
    """Provider, judge or world failed: not the agent's doing."""
    USER_FAULT = "user_fault"
    """The simulated person failed: not the agent's doing."""
    INTERRUPTED = "interrupted"
    """Ctrl-C ended the run meanwhile; the same command does the trial again."""
    NOT_RUN = "not_run"
    """This probe does not belong to this condition, or the trial never came to it."""

    @property
    def instrument(self) -> bool:
        """Whether the item must stay unscored because the instrument failed, or was stopped."""
        return self in INSTRUMENT


INSTRUMENT: Final = frozenset((Outcome.INSTRUMENT_ERROR, Outcome.USER_FAULT, Outcome.INTERRUPTED))
"""The outcomes that are not the agent's doing."""


CUT_OFF: Final = "cut_off_"
"""How the flag of a probe begins, its name following, whose reply was cut off at the token limit."""
OVER_CONTEXT: Final = "over_context_"
"""Likewise, whose request did not fit the model's context."""
OUT_OF_TIME: Final = "out_of_time_"
"""Likewise, in which an agent that is no model took longer than it may."""
CRASHED: Final = "crashed_"
"""Likewise, in which an agent that is no model broke off with an error of its own."""

LIMITS: Final = (CUT_OFF, OVER_CONTEXT, OUT_OF_TIME, CRASHED)

LOST: Final = "trial"
"""What stands in the place of a probe in the outcomes of a trial that was never scored."""


def probe_at_limit(flag: str) -> str:
    """The probe that a flag of `LIMITS` names; empty for any other flag."""
    return next((flag.removeprefix(limit) for limit in LIMITS if flag.startswith(limit)), "")


OUTCOME_NAMES: Final = tuple(
    ending
    for outcome in Outcome
    for ending in ((CRASHED.rstrip("_"), outcome.value) if outcome is Outcome.LIMIT else (outcome.value,))
)
"""The words of `Record.outcome_names`, in the order of tables."""


class Preceding(StrEnum):
    """What stands in the chat before the request that an agent acts on (know-to-act transfer)."""

    NOTHING = "alone"
    OWN = "own"
    """What the agent itself answered when it was asked about its limits."""
    NEUTRAL = "neutral"
    """A question of equal length about the same material that bears on no limit."""
    GOLD = "gold"
    """The right answer in the place of its own."""

    @property
    def result(self) -> str:
        """The name of the result that says how rightly the agent then acted."""
        return f"transfer_{self.value}"


TRANSFER: Final = tuple(one.result for one in Preceding)
"""The results of the four ways to act, in their order."""


class Status(StrEnum):
    """What a result says besides its value."""

    VALUE = "value"
    NOT_APPLICABLE = "not_applicable"
    NOT_JUDGED = "not_judged"
    """It could be judged, but nobody was asked to (no extractor or judge was bound)."""
    JUDGE_ERROR = "judge_error"


@dataclass(frozen=True, slots=True)
class Result:
    """One measure of one trial.

    Attributes:
        status: Whether there is a value.
        value: The value, for status `value` only.
        by: Who judged ("form", "judge", "code"); empty for plain arithmetic.
        why: A short reason, for the item table.
    """

    status: Status
    value: float | None = None
    by: str = ""
    why: str = ""

    def __post_init__(self) -> None:
        if (self.status is Status.VALUE) != (self.value is not None):
            raise ValueError("a result has a value exactly when its status is 'value'")
        if self.value is not None and math.isnan(self.value):
            raise ValueError("'not a number' is not a value; give the reason in the status")

    @classmethod
    def of(cls, value: float, by: str = "", why: str = "") -> "Result":
        """A result with a value."""
        return cls(Status.VALUE, float(value), by, why)

    @property
    def number(self) -> float:
        """The value, or NaN where there is none: for arithmetic that skips what was not measured."""
        return math.nan if self.value is None else self.value


NOT_APPLICABLE: Final = Result(Status.NOT_APPLICABLE)
"""Of a measure that says nothing of this trial."""


Place: TypeAlias = Annotated[int, Field(strict=True, ge=0)]
"""A place in a list, from 0."""

Truth: TypeAlias = Annotated[bool, Field(strict=True)]
"""Yes or no; no word or number stands for it."""

Names: TypeAlias = Annotated[frozenset[str], PlainSerializer(sorted, return_type=list[str])]
"""Names of tools, written in their order."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What decided that a trial failed: a call, or a message of the agent in which it said something.

    Attributes:
        probe: The probe's name.
        why: In a few words.
        call: Which of the agent's calls in that probe, from 0, questions to a person not counted.
        message: Which message of that probe, from 0, if no call is named. Without either it is the last
            message of the agent.
    """

    probe: str
    why: str
    call: Place | None = None
    message: Place | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One item and epoch of one run.

    Its annotations say how it is written as JSON, and what is refused when it is read.

    Attributes:
        item: The task's id; with `condition` and `epoch` it names the trial.
        condition: The condition's name.
        epoch: Counted from 1.
        cluster: Items of one cluster are resampled together.
        labels: What tables group by ("boundary", "topology", "server", ...).
        offered: Tools on the table, after the condition.
        required: T, the tools that the task cannot be done without.
        outcomes: One per probe, by the probe's name.
        needed: What the agent *said* it needs; None where nothing could be read.
        used: The distinct tools that it called, invented ones included; None where it never acted.
        calls: Number of calls, repetitions included.
        knew: Whether what it said was right; None where it was not measured.
        acted: Whether what it did was right; None where it was not measured.
        results: One per measure of the suite.
        tokens: The agent's input and output tokens over all probes.
        seconds: Working time.
        cost: The agent's US dollars; None where no price is known.
        role_calls: Calls of the models in each role, by role.
        role_tokens: Their input and output tokens, by role.
        role_cost: Their US dollars, by role; a role whose price is not known is left out.
        flags: Named oddities, each a count of its own ("replay_gap", "invented_tool", ...).
        decided: Where it failed, as far as the suite can name the place.
        content: A hash of what the item asks and holds answers against; two items with one id are the same
            if it is equal. Empty in logs of earlier versions.
    """

    item: str
    condition: str
    epoch: int
    cluster: str
    labels: Mapping[str, str]
    offered: tuple[str, ...]
    required: Names
    outcomes: Mapping[str, Outcome]
    needed: Names | None = None
    used: Names | None = None
    calls: int = 0
    knew: Truth | None = None
    acted: Truth | None = None
    results: Mapping[str, Result] = field(default_factory=dict[str, Result])
    tokens: tuple[int, int] = (0, 0)
    seconds: float = 0.0
    cost: float | None = None
    role_calls: Mapping[str, int] = field(default_factory=dict[str, int])
    role_tokens: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    role_cost: Mapping[str, float] = field(default_factory=dict[str, float])
    flags: Mapping[str, int] = field(default_factory=dict[str, int])
    decided: tuple[Decided, ...] = ()
    content: str = ""

    def value(self, measure: str) -> float:
        """The number of one measure, NaN where it was not measured."""
        result = self.results.get(measure)
        return math.nan if result is None else result.number

    @property
    def outcome_names(self) -> dict[str, str]:
        """How each probe ended, in the words that people are shown: an agent that crashed hit no limit."""
        return {
            probe: CRASHED.rstrip("_") if CRASHED + probe in self.flags else outcome.value
            for probe, outcome in self.outcomes.items()
        }

    @property
    def scored(self) -> bool:
        """Whether no instrument failed in any probe."""
        return INSTRUMENT.isdisjoint(self.outcomes.values())  # asked a hundred times of each record


Said = Literal["yes", "no", "unreadable"]
"""What an agent answers to "can this be handled with these tools and this information?"."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One item of a pair with what the agent said.

    Attributes:
        pair: What the complete and the incomplete item have in common; epochs are pairs of their own.
        complete: Whether nothing is missing, so that *yes* is right.
        said: None where an instrument failed: the item is not scored.
        cluster: Items of one cluster are resampled together.
    """

    pair: str
    complete: bool
    said: Said | None
    cluster: str

    @property
    def right(self) -> bool:
        """Whether the answer is the right one; an unreadable one never is."""
        return self.said == ("yes" if self.complete else "no")
