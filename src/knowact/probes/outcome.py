"""What came of asking: the raw material that readers and scorers work on."""

from dataclasses import dataclass

from knowact.core.record import Ending


@dataclass(frozen=True, slots=True)
class MadeCall:
    """One call that an agent made.

    Attributes:
        tool: The tool's own name where it was offered, else the name that the agent made up.
        offered: Whether a tool of that name was on the table.
        problem: "" if it gave a value, else the kind of failure (`bad_arguments`, `unknown_tool`, ...).
    """

    tool: str
    offered: bool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One probe of one trial.

    Attributes:
        probe: The probe's name.
        ending: How it ended; readers may still turn an *answered* one into *unreadable*.
        reply: The final text of the agent, whatever it is.
        calls: Every call in order, over all rounds.
        rounds: Model calls that were made.
    """

    probe: str
    ending: Ending
    reply: str = ""
    calls: tuple[MadeCall, ...] = ()
    rounds: int = 0

    @property
    def used(self) -> frozenset[str]:
        """E_act: the distinct names called, whatever the arguments and the success."""
        return frozenset(call.tool for call in self.calls)
