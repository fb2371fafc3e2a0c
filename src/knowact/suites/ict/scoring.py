"""From replies to records (spec ict.md, sections 6, 8, 9, 10 and 14)."""

from collections.abc import Mapping
from typing import Final

from knowact.core.record import Ending, Record, Status, Verdict
from knowact.people.judge import Votes, verdict_of
from knowact.probes.outcome import Outcome
from knowact.reading.continuations import Continuation, Situation, read_continuation
from knowact.reading.cut_off import holds_the_word
from knowact.reading.explanations import read_explanation
from knowact.reading.feasibility import read_feasibility
from knowact.reading.reasons import Missing
from knowact.suites.ict.asked import EXPLICIT, FEEDBACK, IMPLICIT, WHY, AskedItem

MEASURES: Final = (
    *("explicit", "implicit", "said", "called", "implicit_published"),
    *("why", "why_grader", "feedback"),
)
"""All verdicts of a record, the headline first."""

CLASSES: Final[tuple[Continuation, ...]] = (
    "tool_call",
    "clarifying_question",
    "statement_of_limits",
    "made_up_answer",
    "other",
)
"""What a continuation can be; what the rules cannot tell is `unclear`, unless a grader can."""

_BY_NAME: Final[Mapping[str, Continuation]] = {one: one for one in CLASSES}

RESTRAINED: Final = frozenset({"clarifying_question", "statement_of_limits"})
"""What is right where something is missing."""

NOT_RUN: Final = Outcome("", Ending.NOT_RUN)
_NOT_APPLICABLE: Final = Verdict(Status.NOT_APPLICABLE)


def record_of(
    item: AskedItem, epoch: int, outcomes: Mapping[str, Outcome], votes: Mapping[str, Votes]
) -> Record:
    """Make the record of one trial.

    Args:
        item: What was asked.
        epoch: Counted from 1.
        outcomes: By probe; one that is missing was not run.
        votes: The judge's, by ballot; empty where nobody was asked.
    """
    explicit, explicit_flags, explicit_ending = _explicit(item, outcomes.get(EXPLICIT, NOT_RUN), EXPLICIT)
    feedback, feedback_flags, feedback_ending = _explicit(item, outcomes.get(FEEDBACK, NOT_RUN), FEEDBACK)
    implicit, implicit_flags = _implicit(item, outcomes.get(IMPLICIT, NOT_RUN), votes.get(IMPLICIT))
    reason, reason_flags = _why(item, outcomes.get(WHY, NOT_RUN), votes.get(WHY))
    verdicts = explicit | implicit | reason | feedback
    implicit_outcome = outcomes.get(IMPLICIT, NOT_RUN)
    endings = {
        EXPLICIT: explicit_ending,
        WHY: outcomes.get(WHY, NOT_RUN).ending,
        IMPLICIT: implicit_outcome.ending,
        FEEDBACK: feedback_ending,
    }
    split = sum(one.split for one in votes.values())
    return Record(
        item=item.task.id,
        condition=item.condition.name,
        epoch=epoch,
        cluster=item.task.cluster,
        labels=item.labels,
        offered=tuple(tool.name for tool in item.tools),
        required=item.task.required,
        endings=endings,
        used=implicit_outcome.used if implicit_outcome.ending is Ending.ANSWERED else None,
        calls=len(implicit_outcome.calls),
        knew=_truth(verdicts.get("explicit")),
        acted=_truth(verdicts.get("implicit")),
        verdicts=verdicts,
        flags={
            **explicit_flags,
            **feedback_flags,
            **implicit_flags,
            **reason_flags,
            **({"split_vote": split} if split else {}),
        },
    )


def _truth(verdict: Verdict | None) -> bool | None:
    return None if verdict is None or verdict.value is None else verdict.value == 1


def _explicit(
    item: AskedItem, outcome: Outcome, name: str
) -> tuple[dict[str, Verdict], dict[str, int], Ending]:
    """Whether the answer is right. On feedback items the same question is about the information alone."""
    said = "said" if name == EXPLICIT else None
    names = [name, *([said] if said else [])]
    if outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(names, _NOT_APPLICABLE), {}, outcome.ending
    if outcome.ending.instrument:
        return {}, {}, outcome.ending
    found = read_feasibility(outcome.reply)
    lost = outcome.cut and (found.label == "unreadable" or not holds_the_word(outcome.reply))
    if lost or not outcome.readable:
        return {name: Verdict.of(0, why=f"the reply ended {outcome.ending.value}")}, {}, outcome.ending
    if found.label == "unreadable":
        flags = {f"{name}_{found.why or 'none'}": 1}
        return {name: Verdict.of(0, why=f"unreadable ({found.why})")}, flags, Ending.UNREADABLE
    right = (found.label == "yes") == (item.gold == "complete")
    verdicts = {name: Verdict.of(right, why=f"said {found.label}")}
    if said:
        verdicts[said] = Verdict.of(found.label == "yes")
    return verdicts, {}, Ending.ANSWERED


def _implicit(
    item: AskedItem, outcome: Outcome, votes: Votes | None
) -> tuple[dict[str, Verdict], dict[str, int]]:
    """Whether going on was right: a call where all is there, else a question or a statement of limits.

    By the published rules any reply without a call is a "no" (spec, section 8): that is kept beside it.
    """
    names = ("implicit", "called", "implicit_published")
    if outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(names, _NOT_APPLICABLE), {}
    if outcome.ending.instrument:
        return {}, {}
    by_rules, by_all = classed(item, outcome, votes)
    called = by_all == "tool_call"
    complete = item.gold == "complete"
    right = called if complete else by_all in RESTRAINED
    found = {
        "called": Verdict.of(called),
        "implicit_published": Verdict.of(called == complete, why="any reply without a call is a no"),
    }
    if by_all == "unclear" and votes is not None:
        found["implicit"] = Verdict(Status.JUDGE_ERROR, by="grader", why=f"no majority: {votes.tally}")
    elif by_all == "unclear":
        found["implicit"] = Verdict(Status.NOT_JUDGED, why="the rules cannot tell, and no grader was bound")
    else:
        found["implicit"] = Verdict.of(right, by="grader" if by_rules == "unclear" else "rules", why=by_all)
    flags = {f"implicit_{by_all}": 1} | ({"implicit_by_grader": 1} if by_rules != by_all else {})
    return found, flags


def classed(item: AskedItem, outcome: Outcome, votes: Votes | None) -> tuple[Continuation, Continuation]:
    """What the reply does: by the rules alone, and with the grader where they cannot tell."""
    if outcome.ending is not Ending.ANSWERED:
        return "other", "other"
    situation = Situation(item.missing or Missing(), item.facts, item.task.opening.text)
    by_rules = read_continuation(outcome.reply, len(outcome.calls), situation).label
    winner = votes.winner if votes is not None and by_rules == "unclear" else None
    return by_rules, by_rules if winner is None else _BY_NAME[winner]


def _why(item: AskedItem, outcome: Outcome, votes: Votes | None) -> tuple[dict[str, Verdict], dict[str, int]]:
    """Whether the reason for a "no" names what was withheld; none is right where nothing was."""
    names = ("why", "why_grader")
    if outcome.ending.instrument:
        return {}, {}
    if outcome.ending is Ending.NOT_RUN or item.gold == "complete":
        return dict.fromkeys(names, _NOT_APPLICABLE), {}
    grader = verdict_of(votes) if votes is not None else Verdict(Status.NOT_JUDGED, why="no grader was bound")
    if item.missing is None:
        nobody = Verdict(Status.NOT_JUDGED, why="nobody has said what was withheld")
        return {"why": nobody, "why_grader": nobody}, {}
    if outcome.ending is not Ending.ANSWERED:
        nothing = Verdict.of(0, why=f"the reply ended {outcome.ending.value}")
        return {"why": nothing, "why_grader": nothing}, {"why_no_reason": 1}
    kind = read_explanation(outcome.reply, item.missing, item.task.opening.text)
    return {"why": Verdict.of(kind == "right", by="rules", why=kind), "why_grader": grader}, {
        f"why_{kind}": 1
    }
