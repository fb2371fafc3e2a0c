"""What came of asking: the raw material that readers and scorers work on."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeVar

from knowact.core.conversation import Trial
from knowact.core.declared import Declared
from knowact.core.record import CRASHED, CUT_OFF, OUT_OF_TIME, OVER_CONTEXT, Outcome
from knowact.roles.extractor import Extraction
from knowact.roles.judge import Votes

Limit = Literal["", "tokens", "context", "time", "crash"]
"""Which limit of the agent a probe ran into; "" for none, also where an agent's rounds were used up. Only an
agent that is no model runs out of time, or crashes."""

LIMIT_WORDS: Final[Mapping[str, str]] = {
    "tokens": "the reply was cut off at the token limit",
    "context": "the request did not fit the model's context",
    "time": "the agent took longer than it may",
    "crash": "the agent crashed",
}

LIMIT_FLAGS: Final[Mapping[str, str]] = {
    "tokens": CUT_OFF,
    "context": OVER_CONTEXT,
    "time": OUT_OF_TIME,
    "crash": CRASHED,
}
"""How a record's flag begins; the name of the probe follows."""


@dataclass(frozen=True, slots=True)
class MadeCall:
    """One call that an agent made.

    Attributes:
        tool: The tool's own name where it was offered, else the name that the agent made up.
        offered: Whether a tool of that name was on the table.
        problem: "" if it gave a value, else the kind of failure (`bad_arguments`, `unknown_tool`, ...).
        arguments: As asked; None where they could not be read, or the probe does not keep calls.
        result: What the agent read; "" where the probe does not keep calls.
    """

    tool: str
    offered: bool
    problem: str = ""
    arguments: Mapping[str, Any] | None = None
    result: str = ""


def calls_in_words(calls: Sequence[MadeCall], longest: int) -> str:
    """Each call with its arguments and what it returned, a line each, as judges read them.

    Args:
        calls: Of a probe that keeps them.
        longest: Characters of one result that are shown; what is cut is said to be.
    """
    lines: list[str] = []
    for call in calls:
        result = call.result
        if len(result) > longest:
            result = f"{result[:longest]} [cut: {len(result):,} characters in all]"
        lines.append(f"{call.tool}({dict(call.arguments or {})}) returned {result}")
    return "\n".join(lines) or "(none)"


@dataclass(frozen=True, slots=True)
class PutQuestion:
    """One question that an agent put to the person behind `ask_human`.

    Attributes:
        text: The question.
        answer: What the agent read.
        kind: What became of it: a kind of `people.helper.Answer`, `said` (a model or a person answered),
            `over_the_cap` (too many questions; nobody was asked) or `bad_arguments`.
        targeted: Whether it asks for what is really missing; None where nobody knows what is.
        gave: The ids of the missing parts that the answer gives.
    """

    text: str
    answer: str
    kind: str
    targeted: bool | None = None
    gave: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Response:
    """One probe of one trial.

    Attributes:
        probe: The probe's name.
        outcome: How it ended; readers may still turn an *answered* one into *unreadable*.
        reply: The final text of the agent, whatever it is.
        calls: Every call in order, over all rounds.
        rounds: Model calls that were made.
        questions: Every question to a person, in order; they are no calls.
        limit: Which limit of the model it ran into.
        words: All that the agent said since the user's last words, the reply included: what is extracted.
        declared: What a built-in agent declares of its words; None for every other agent.
        chances: The probability of each of the probe's letters, together 1; empty where nobody gave them.
    """

    probe: str
    outcome: Outcome
    reply: str = ""
    calls: tuple[MadeCall, ...] = ()
    rounds: int = 0
    questions: tuple[PutQuestion, ...] = ()
    limit: Limit = ""
    words: str = ""
    declared: Declared | None = None
    chances: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def used(self) -> frozenset[str]:
        """E_act: the distinct names called, whatever the arguments and the success."""
        return frozenset(call.tool for call in self.calls)

    @property
    def failed_calls(self) -> dict[str, int]:
        """How many calls failed, by the flag that counts each kind."""
        problems = Counter(call.problem for call in self.calls)
        return {
            "invented_tool": problems["unknown_tool"],
            "bad_arguments": problems["bad_arguments"],
            "no_recording": problems["no_recording"],
        }

    @property
    def cut(self) -> bool:
        """Whether the reply is the beginning of one: what was asked for may stand in it, or not."""
        return self.outcome is Outcome.LIMIT and self.limit == "tokens" and bool(self.reply.strip())

    @property
    def readable(self) -> bool:
        """Whether there is a reply in which a reader may look for the requested format."""
        return self.outcome is Outcome.ANSWERED or self.cut


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one trial: responses by probe, extractions by reading, votes by ballot.

    Attributes:
        extracted: Empty where nobody extracts.
        votes: Empty where nobody votes.
        epoch: Of the trial, counted from 1.
        attempts: The records of a conversation, each attempt's; empty for other probes, and where the
            instrument failed before anything was said.
        graded: Whether a judge ruled on the attempts.
    """

    responses: Mapping[str, Response]
    extracted: Mapping[str, Extraction] = field(default_factory=dict[str, Extraction])
    votes: Mapping[str, Votes] = field(default_factory=dict[str, Votes])
    epoch: int = 1
    attempts: tuple[Trial, ...] = ()
    graded: bool = False

    def with_in_place(self, other: str, of: str) -> "Judged":
        """The same trial, as if what came of the probe `other` had come of the probe `of`."""
        return replace(
            self,
            responses=_with_in_place(self.responses, other, of),
            extracted=_with_in_place(self.extracted, other, of),
            votes=_with_in_place(self.votes, other, of),
        )

    def response(self, probe: str) -> Response:
        """What came of a probe; one that is not there was not run."""
        return self.responses.get(probe) or Response("", Outcome.NOT_RUN)


Came = TypeVar("Came")


def _with_in_place(found: Mapping[str, Came], other: str, of: str) -> dict[str, Came]:
    rest = {name: one for name, one in found.items() if name != of}
    return rest | ({of: found[other]} if other in found else {})
