"""What ends a conversation, beside its user and its limits: the rules that a suite hands in. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from knowact.core.conversation import Trial
from knowact.core.parts import Part
from knowact.roles.ruling import account


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision, as `core.conversation.Ruled` keeps it."""

    word: str
    finding: str = ""
    why: str = ""
    votes: tuple[bool, ...] = ()
    by: Literal["judge", "declared", "code"] = "code"


@dataclass(frozen=True, slots=True)
class TerminationRules:
    """What decides about one conversation; these rules let it go on until the user leaves.

    A suite subclasses this and overrides what it has rules for. Each rule sees the record as it stands.

    Attributes:
        parts: What a judge rules on in each message of the agent, the same for all versions of a task;
            without any, nobody rules on messages.
        shuffle: Fixes the order in which parts are shown: the task's id.
    """

    parts: tuple[Part, ...] = ()
    shuffle: str = ""

    def before(self, trial: Trial) -> str:
        """What a judge is shown of what came before the agent's last words."""
        return account(trial.events[:-1])

    def after_batch(self, trial: Trial) -> Sequence[Ruling]:  # noqa: ARG002 - for subclasses
        """Rule when calls were carried out."""
        return ()

    def after_words(self, trial: Trial) -> Sequence[Ruling]:  # noqa: ARG002 - for subclasses
        """Rule on the agent's words; what a judge said of them, if any did, is the last event."""
        return ()

    def after_reply(self, trial: Trial) -> Sequence[Ruling]:  # noqa: ARG002 - for subclasses
        """Rule on what the user has just said."""
        return ()

    def at_the_end(self, trial: Trial) -> Sequence[Ruling]:  # noqa: ARG002 - for subclasses
        """Rule when somebody has left, or a call has ended it."""
        return ()

    def is_over(self, trial: Trial) -> bool:
        """Whether the conversation ends at the agent's words: after any word but CONTINUE."""
        return bool(trial.rulings)

    def undecided(self, trial: Trial) -> bool:  # noqa: ARG002 - for subclasses
        """Whether votes without a majority could have turned the trial, so that it counts for nothing."""
        return False
