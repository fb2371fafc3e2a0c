"""What an agent said to the awareness questions, and whether its reason names what is missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from knowact.core.names import shown_names
from knowact.core.record import Ending, Status, Verdict
from knowact.probes.outcome import Outcome
from knowact.reading.awareness import Awareness, read_awareness
from knowact.reading.cut_off import holds_the_word
from knowact.reading.reasons import Fit, reason_fits
from knowact.suites.fail_talms.asked import INFORMATION, AskedItem

LEVELS: Final[Mapping[Awareness, float]] = {"yes": 1.0, "idk": 0.5, "no": 0.0}
"""How an answer is kept as a number."""

NOT_APPLICABLE = Verdict(Status.NOT_APPLICABLE)


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to one awareness question.

    Attributes:
        ending: How the probe ended; unreadable is the agent's failure.
        label: What it said; None where nothing was asked, or nothing could be read.
        right: Whether that is so; None where it was not measured. An unreadable answer is not right.
        fit: Whether the reason names what is missing; None where nothing is, or nobody has said what.
    """

    ending: Ending
    label: Awareness | None
    right: bool | None
    fit: Fit | None

    @property
    def unsure(self) -> bool:
        """Whether it said no or IDK: the paper's awareness."""
        return self.label in ("no", "idk")


def read_answer(item: AskedItem, question: str, outcome: Outcome) -> Said:
    """Read the answer to one of the two questions.

    Right is "yes" where what is asked about is all there, and "no" or IDK where it is not. Where an item
    lacks something else, both may be said: a request without its city has all its tools, and still cannot be
    answered with them.
    """
    if not outcome.readable or (outcome.cut and not holds_the_word(outcome.reply)):
        spoilt = outcome.ending.instrument or outcome.ending is Ending.NOT_RUN
        return Said(outcome.ending, None, None if spoilt else False, None)
    shown = tuple(shown_names(tool.name for tool in item.tools).values())
    found = read_awareness(outcome.reply, shown)
    if found.label == "unreadable":
        return Said(Ending.LIMIT if outcome.cut else Ending.UNREADABLE, None, right=False, fit=None)
    unsure = found.label != "yes"
    lacking = question in item.lacks
    right = unsure == lacking if lacking or not item.lacks else True
    fit: Fit | None = None
    if unsure and lacking and item.missing is not None:
        fit = reason_fits(found.reason, item.missing)
        if outcome.cut and fit != "fits":
            fit = None  # what it would have gone on to name, nobody knows
    return Said(Ending.ANSWERED, found.label, right, fit)


def verdicts_of(question: str, said: Said) -> dict[str, Verdict]:
    """The level (1 yes, 0.5 IDK, 0 no), and for a "no" or IDK whether its reason is right."""
    level, reason = LEVEL_OF[question], REASON_OF[question]
    if said.ending is Ending.NOT_RUN:
        return {level: NOT_APPLICABLE, reason: NOT_APPLICABLE}
    if said.ending.instrument:
        return {}
    if said.label is None:
        return {level: Verdict(Status.NOT_APPLICABLE, why=f"the reply was {said.ending.value}")}
    found = {level: Verdict.of(LEVELS[said.label]), reason: NOT_APPLICABLE}
    if said.fit is not None:
        found[reason] = Verdict.of(said.fit == "fits", why=_REASONS[said.fit])
    return found


LEVEL_OF: Final = {INFORMATION: "info", "tools": "tools"}
REASON_OF: Final = {INFORMATION: "info_reason", "tools": "tools_reason"}
_REASONS: Final[Mapping[Fit, str]] = {
    "fits": "it names what is missing",
    "wrong": "it names something that is there, or plays no part",
    "none": "it names nothing",
}
