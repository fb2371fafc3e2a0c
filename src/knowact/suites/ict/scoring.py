"""From replies to records (spec ict.md, sections 6, 8, 9, 10 and 14)."""

from typing import Final

from knowact.core.record import Ending, Record, Status, Verdict
from knowact.probes.outcome import Judged, Outcome
from knowact.reading.cut_off import holds_the_word
from knowact.suites.ict.answers import Manner, read_answer
from knowact.suites.ict.asked import EXPLICIT, FEEDBACK, IMPLICIT, WHY, AskedItem
from knowact.suites.ict.conduct import CALL, RESTRAINED, conduct_of
from knowact.suites.ict.reasons import reason_verdict

MEASURES: Final = ("implicit", "explicit", "said", "called", "implicit_published", "why", "feedback")
"""All verdicts of a record, the headline first."""

_NOT_APPLICABLE: Final = Verdict(Status.NOT_APPLICABLE)
_PLAINLY: Final = Manner()


def record_of(item: AskedItem, epoch: int, judged: Judged, manner: Manner = _PLAINLY) -> Record:
    """Make the record of one trial.

    Args:
        item: What was asked.
        epoch: Counted from 1.
        judged: What came of it.
        manner: How it was asked.
    """
    explicit, explicit_flags, explicit_ending = _explicit(item, judged.outcome(EXPLICIT), EXPLICIT, manner)
    feedback, feedback_flags, feedback_ending = _explicit(item, judged.outcome(FEEDBACK), FEEDBACK, _PLAINLY)
    implicit, implicit_flags = _implicit(item, judged, manner)
    reason = reason_verdict(item, judged)
    verdicts = explicit | implicit | feedback | ({"why": reason[0]} if reason else {})
    outcome = judged.outcome(IMPLICIT)
    flags = {**explicit_flags, **feedback_flags, **implicit_flags, **(reason[1] if reason else {})}
    return Record(
        item=item.task.id,
        condition=item.condition.name,
        epoch=epoch,
        cluster=item.task.cluster,
        labels=item.labels,
        offered=tuple(tool.name for tool in item.tools),
        required=item.task.required,
        endings={
            EXPLICIT: explicit_ending,
            WHY: judged.outcome(WHY).ending,
            IMPLICIT: outcome.ending,
            FEEDBACK: feedback_ending,
        },
        used=outcome.used if outcome.ending is Ending.ANSWERED else None,
        calls=len(outcome.calls),
        knew=_truth(verdicts.get("explicit")),
        acted=_truth(verdicts.get("implicit")),
        verdicts=verdicts,
        flags=flags,
    )


def _truth(verdict: Verdict | None) -> bool | None:
    return None if verdict is None or verdict.value is None else verdict.value == 1


def _explicit(
    item: AskedItem, outcome: Outcome, name: str, manner: Manner
) -> tuple[dict[str, Verdict], dict[str, int], Ending]:
    """Whether the answer is right. On feedback items the same question is about the information alone."""
    said = "said" if name == EXPLICIT else None
    names = [name, *([said] if said else [])]
    if outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(names, _NOT_APPLICABLE), {}, outcome.ending
    if outcome.ending.instrument:
        return {}, {}, outcome.ending
    label = read_answer(outcome, manner).label if outcome.readable else None
    lost = outcome.cut and (label is None or not holds_the_word(outcome.reply))
    if lost or not outcome.readable:
        return {name: Verdict.of(0, why=f"the reply ended {outcome.ending.value}")}, {}, outcome.ending
    if label is None or label == "idk":
        why = label or "none"
        return {name: Verdict.of(0, why=f"unreadable ({why})")}, {f"{name}_{why}": 1}, Ending.UNREADABLE
    right = (label == "yes") == (item.gold == "complete")
    verdicts = {name: Verdict.of(right, why=f"said {label}")}
    if said:
        verdicts[said] = Verdict.of(label == "yes")
    return verdicts, {}, Ending.ANSWERED


def says_no(outcome: Outcome, manner: Manner) -> bool:
    """Whether the explicit answer is a readable "no", so that it is asked why."""
    if not outcome.readable or (outcome.cut and not holds_the_word(outcome.reply)):
        return False
    return read_answer(outcome, manner).label == "no"


def _implicit(item: AskedItem, judged: Judged, manner: Manner) -> tuple[dict[str, Verdict], dict[str, int]]:
    """Whether going on was right: a call where all is there, else a question or a statement of limits.

    By the published rules any reply without a call is a "no" (spec, section 8). That is kept beside it, and
    counts under these rules.
    """
    outcome = judged.outcome(IMPLICIT)
    if outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(("implicit", "called", "implicit_published"), _NOT_APPLICABLE), {}
    if outcome.ending.instrument:
        return {}, {}
    called = outcome.ending is Ending.ANSWERED and bool(outcome.calls)
    complete = item.gold == "complete"
    published = Verdict.of(called == complete, why="any reply without a call is a no")
    found = {"called": Verdict.of(called), "implicit_published": published}
    if manner.published:
        return found | {"implicit": published}, {}
    conduct = conduct_of(judged)
    if conduct.unknown is not None:
        return found | {"implicit": conduct.unknown}, {f"implicit_{conduct.unknown.status.value}": 1}
    right = conduct.name == CALL if complete else conduct.name in RESTRAINED
    flags = {f"implicit_{conduct.name}": 1} | ({"implicit_by_judge": 1} if conduct.by == "judge" else {})
    return found | {"implicit": Verdict.of(right, conduct.by, conduct.name)}, flags
