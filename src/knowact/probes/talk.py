"""People in a trial: the user of a conversation, and the person who can be asked while an agent acts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from knowact.core.conversation import Recorder, Trial
from knowact.reading.answer_form import AnswerForm
from knowact.roles.gold_plan import GoldPlan
from knowact.roles.helper import Known
from knowact.roles.judge import Ballot
from knowact.roles.ruling import ToRule
from knowact.roles.simulated_user import ScriptedUser
from knowact.roles.termination import TerminationRules
from knowact.roles.user_brief import Setting

Player = Literal["scripted", "model", "person"]
"""Who plays a part: the script (for built-in agents), a model in a role, or whoever sits at the terminal."""


@dataclass(frozen=True, slots=True)
class UserPart:
    """The user of one conversation, whoever plays it.

    Attributes:
        script: What the script plays; its persona is the user's in any case.
        scenario: What a model or a person is told that the user wants.
        setting: Where the user talks to an assistant.
    """

    player: Player
    script: ScriptedUser
    scenario: str
    setting: Setting


@dataclass(frozen=True, slots=True)
class PersonPart:
    """The person behind the tool `ask_human`, whoever plays it.

    Attributes:
        known: What they know of the item.
        request: What somebody at the terminal is shown of it.
    """

    player: Player
    known: Known
    request: str


@dataclass(frozen=True, slots=True)
class Phases:
    """Two phases in each turn: first the agent only reads, then it writes and speaks.

    Attributes:
        looking: The tools of the first phase.
        turn_over: What the agent reads when its first phase is over.
    """

    looking: frozenset[str]
    turn_over: str


def _no_faults(_attempt: Trial) -> Sequence[str]:
    """Its user makes no fault that code can see."""
    return ()


def _nobody_asked(_attempt: Trial) -> None:
    """Nobody looks for faults of its user."""


def _no_ballots(_attempt: Trial) -> Sequence[Ballot]:
    """Nothing is put to the vote."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What a conversation takes beside what every probe has.

    Attributes:
        user: Who plays the user.
        rules: What decides about it, beside its user.
        gold: What can be done and said, for built-in agents.
        form: What an extractor reads each message of the agent into when it is over; None for nothing.
        faults: Names of the faults of its user that need no judge.
        on_user: What a judge is asked about the user's lines; None where nobody looks for more faults.
        ballots: What a judge votes on when it is over: its policies.
        votes: How many the judge casts on each message and on the user.
        reruns: Further attempts after one whose user was at fault.
        phases: Two phases in each turn; None for none.
        recorder: From the epoch to what writes an attempt down, on a fresh session; None opens the world that
            the task names, under the item's condition.
        attempt: What records of attempts are read as.
    """

    user: UserPart
    rules: TerminationRules = field(default_factory=TerminationRules)
    gold: GoldPlan = field(default_factory=lambda: GoldPlan(()))
    form: AnswerForm | None = None
    faults: Callable[[Trial], Sequence[str]] = _no_faults
    on_user: Callable[[Trial], ToRule | None] = _nobody_asked
    ballots: Callable[[Trial], Sequence[Ballot]] = _no_ballots
    votes: int = 3
    reruns: int = 0
    phases: Phases | None = None
    recorder: Callable[[int], Recorder[Trial]] | None = None
    attempt: type[Trial] = Trial
