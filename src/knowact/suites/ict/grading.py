"""What follows from a reply: whether a "no" is asked about, and what a grader decides. Pure."""

from collections.abc import Mapping, Sequence

from knowact.core.record import Ending
from knowact.people.judge import Ballot
from knowact.probes.outcome import Outcome
from knowact.suites.ict.asked import EXPLICIT, IMPLICIT, WHY, AskedItem
from knowact.suites.ict.probes import prompts
from knowact.suites.ict.scoring import CLASSES, NOT_RUN, classed, record_of


def says_no(item: AskedItem, outcome: Outcome) -> bool:
    """Whether the outright answer is a readable "no", so that it is asked why."""
    verdicts = record_of(item, 1, {EXPLICIT: outcome}, {}).verdicts
    return EXPLICIT in verdicts and verdicts[EXPLICIT].why == "said no"


def ballots_of(item: AskedItem, outcomes: Mapping[str, Outcome], votes: int) -> Sequence[Ballot]:
    """Put to the vote what the rules cannot tell, and whether a reason is right.

    Args:
        item: What was asked.
        outcomes: By probe.
        votes: Per ballot.
    """
    found: list[Ballot] = []
    conversation = item.task.opening.text
    went_on = outcomes.get(IMPLICIT, NOT_RUN)
    if went_on.ending is Ending.ANSWERED and classed(item, went_on, None)[0] == "unclear":
        prompt = prompts()["classify"].fill({"conversation": conversation, "reply": went_on.reply})
        found.append(Ballot(IMPLICIT, (prompt,), CLASSES, votes))
    reason = outcomes.get(WHY, NOT_RUN)
    if reason.ending is Ending.ANSWERED and item.missing_words:
        values = {"conversation": conversation, "missing": item.missing_words, "reason": reason.reply}
        found.append(Ballot(WHY, (prompts()["explanation"].fill(values),), votes=votes))
    return found
