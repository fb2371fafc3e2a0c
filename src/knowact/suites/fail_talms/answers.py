"""What an agent said to the awareness questions: the requested word, and whose business its reason is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from knowact.core.record import NOT_APPLICABLE, Outcome, Result, Status
from knowact.probes.response import Response
from knowact.reading.cut_off import holds_the_word
from knowact.reading.yes_no import YesNoWord, read_yes_no
from knowact.roles.judge import NOT_VOTED, Votes, result_of
from knowact.suites.fail_talms.asked import INFORMATION, TOOLS, AskedItem

LEVELS: Final[Mapping[YesNoWord, float]] = {"yes": 1.0, "idk": 0.5, "no": 0.0}
"""How an answer is kept as a number."""

LEVEL_OF: Final = {INFORMATION: "info", TOOLS: "tools"}
"""The awareness questions, and the measures that hold their answers."""
REASON_OF: Final = {INFORMATION: "info_reason", TOOLS: "tools_reason"}
"""Names of measures, and of the ballots about reasons."""

Fit = Literal["fits", "wrong", "none"]
FITS: Final[tuple[Fit, ...]] = ("fits", "wrong", "none")
"""What a judge can say of a reason: it names what is missing, names something else, or names nothing."""


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to one awareness question.

    Attributes:
        outcome: How the probe ended; unreadable is the agent's failure.
        label: What it said; None where nothing was asked, or nothing could be read.
        right: Whether that is so; None where it was not measured. An unreadable answer is not right.
        reasoned: Whether its reason can be right or wrong: it says no or IDK where what is asked about is
            missing, and somebody has said what that is.
    """

    outcome: Outcome
    label: YesNoWord | None
    right: bool | None
    reasoned: bool = False


def read_answer(item: AskedItem, question: str, response: Response) -> Said:
    """Read the answer to one of the two questions.

    Right is "yes" where what is asked about is all there, and "no" or IDK where it is not. Where an item
    lacks something else, both may be said: a request without its city has all its tools, and still cannot be
    answered with them.
    """
    if not response.readable or (response.cut and not holds_the_word(response.reply)):
        spoilt = response.outcome.instrument or response.outcome is Outcome.NOT_RUN
        return Said(response.outcome, None, None if spoilt else False)
    label = read_yes_no(response.reply).label
    if label is None:
        return Said(Outcome.LIMIT if response.cut else Outcome.UNREADABLE, None, right=False)
    unsure = label != "yes"
    lacking = question in item.lacks
    right = unsure == lacking if lacking or not item.lacks else True
    # What a reply that was cut off would have gone on to name, nobody knows.
    reasoned = unsure and lacking and bool(item.missing) and not response.cut
    return Said(Outcome.ANSWERED, label, right, reasoned)


def results_of(question: str, said: Said, votes: Votes | None) -> dict[str, Result]:
    """The level (1 yes, 0.5 IDK, 0 no), and whether the reason of a "no" or IDK is right, by the judge."""
    level, reason = LEVEL_OF[question], REASON_OF[question]
    if said.outcome is Outcome.NOT_RUN:
        return {level: NOT_APPLICABLE, reason: NOT_APPLICABLE}
    if said.outcome.instrument:
        return {}
    if said.label is None:
        return {level: Result(Status.NOT_APPLICABLE, why=f"the reply was {said.outcome.value}")}
    return {
        level: Result.of(LEVELS[said.label]),
        reason: _reason(votes) if said.reasoned else NOT_APPLICABLE,
    }


def _reason(votes: Votes | None) -> Result:
    return NOT_VOTED if votes is None else result_of(votes, "fits")
