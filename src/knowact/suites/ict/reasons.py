"""Why the answer was no: whether it is asked, what the judge is asked about the reason, and the verdict."""

from collections.abc import Sequence
from typing import Final

from knowact.core.declared import Declared
from knowact.core.record import Ending, Status, Verdict
from knowact.people.judge import NOT_VOTED, Ballot, verdict_of
from knowact.probes.outcome import Judged
from knowact.suites.ict.asked import WHY, AskedItem
from knowact.suites.ict.probes import prompts

RIGHT: Final = "right"
KINDS: Final = (
    *(RIGHT, "misread_intent", "blames_tool_that_is_there"),
    *("blames_information_that_is_there", "other", "no_reason"),
)
"""What a reason can be: right, or wrong in one of five ways."""

_UNTOLD: Final = Verdict(Status.NOT_JUDGED, why="nobody has said what was withheld")


def reason_ballots(item: AskedItem, judged: Judged, votes: int) -> Sequence[Ballot]:
    """Ask the judge whether the reason names what was withheld, where anybody has said what was."""
    outcome = judged.outcome(WHY)
    if not item.missing_words or outcome.ending.instrument or outcome.ending is Ending.NOT_RUN:
        return ()
    if outcome.ending is not Ending.ANSWERED:
        return (Ballot(WHY, (), KINDS, 0, declared="no_reason"),)  # it takes no vote to be none
    values = {
        "conversation": item.task.opening.text,
        "missing": item.missing_words,
        "reason": outcome.reply,
    }
    prompt = prompts()["explanation"].fill(values)
    return (Ballot(WHY, (prompt,), KINDS, votes, (outcome.reply,), _declared(item, outcome.declared)),)


def _declared(item: AskedItem, said: Declared | None) -> str:
    """The kind that a built-in agent's reason declares to be; empty for every other agent."""
    if said is None:
        return ""
    if said.about("could_not") & item.missing:
        return RIGHT
    return "other" if said.acts else "no_reason"


def reason_verdict(item: AskedItem, judged: Judged) -> tuple[Verdict, dict[str, int]] | None:
    """Whether the reason names what was withheld, with its kind; None where the instrument failed.

    None is right on a complete item, where nothing was withheld.
    """
    outcome, votes = judged.outcome(WHY), judged.votes.get(WHY)
    if outcome.ending.instrument:
        return None
    if outcome.ending is Ending.NOT_RUN or item.gold == "complete":
        return Verdict(Status.NOT_APPLICABLE), {}
    if not item.missing_words:
        return _UNTOLD, {}
    if votes is None:
        return NOT_VOTED, {}
    if outcome.ending is not Ending.ANSWERED:
        return Verdict.of(0, by="judge", why=f"the reply ended {outcome.ending.value}"), {"why_no_reason": 1}
    if votes.winner is None:
        return verdict_of(votes), {}
    return Verdict.of(votes.winner == RIGHT, by="judge", why=votes.winner), {f"why_{votes.winner}": 1}
