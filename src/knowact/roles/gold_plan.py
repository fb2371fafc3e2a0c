"""What an agent that has seen the answers could say and do in a conversation: for built-in agents alone."""

from dataclasses import dataclass

from knowact.core.parts import Part
from knowact.core.task import Fact
from knowact.core.world import Call


@dataclass(frozen=True, slots=True)
class GoldAction:
    """One call of the reference.

    Attributes:
        call: As the reference makes it.
        writes: Whether it is meant to change something.
        consent: Whether the user has to agree before.
        ends: Whether it ends the conversation, so that whatever has to be said is said before.
        lost: Whether nobody can do it, because it takes something that was taken away.
        guess: The same call as somebody makes it who settles what is open without looking or asking; None
            where nothing is open about it.
        wish: Which wish of the user it serves: 0 for the opening.
    """

    call: Call
    writes: bool
    consent: bool = False
    ends: bool = False
    lost: bool = False
    guess: Call | None = None
    wish: int = 0


@dataclass(frozen=True, slots=True)
class GoldFact:
    """Something to be told: its place in the answer form, what is right, and the wish that it belongs to."""

    place: int
    fact: Fact
    wish: int = 0


@dataclass(frozen=True, slots=True)
class GoldPlan:
    """What can be done and said in one conversation.

    Attributes:
        actions: In the order of the reference.
        open: What could be asked about, whether or not it should be; None where nothing is open.
        asks: Whether that has to be asked before anything is done.
        missing: What was taken away; None where nothing was.
        is_fact: Whether the missing part was to be told, not done.
        wishes: How many there are, one after the other.
        answers: What the user wants to be told.
        reports: What there is to report of what was done in the end.
    """

    actions: tuple[GoldAction, ...]
    open: Part | None = None
    asks: bool = False
    missing: Part | None = None
    is_fact: bool = False
    wishes: int = 1
    answers: tuple[GoldFact, ...] = ()
    reports: tuple[GoldFact, ...] = ()

    @property
    def missing_in(self) -> int:
        """The wish that needs what was taken away; the first one, where no call is lost."""
        return next((action.wish for action in self.actions if action.lost), 0)

    @property
    def open_in(self) -> int:
        """The wish that leaves something open; the first one, where no argument carries the choice."""
        return next((action.wish for action in self.actions if action.guess is not None), 0)
