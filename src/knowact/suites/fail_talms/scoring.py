"""From what an agent said and did to a record (spec fail-talms.md, sections 6 to 8)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from knowact.core.record import Ending, Record, Status, Verdict
from knowact.people.judge import Votes, verdict_of
from knowact.probes.outcome import Outcome, PutQuestion
from knowact.suites.fail_talms.asked import ACT, INFORMATION, TOOLS, WITH_TOOLS, AskedItem, own_questions
from knowact.suites.fail_talms.broken import broken_verdicts
from knowact.suites.fail_talms.conduct import Conduct, conduct
from knowact.suites.fail_talms.readings import NOT_APPLICABLE, Said, read_answer, verdicts_of

MEASURES: Final = (
    *("right", "pass", "aware", "pass_facts", "pass_grader", "skipped"),
    *("info", "tools", "info_reason", "tools_reason"),
    *("half", "named", "made_up", "guessed", "default_taken", "default_said"),
    *("asked", "questions", "targeted"),
    *("versus", "noticed", "retried", "told", "passed_on"),
)
"""All verdicts of a record, the headline first."""

VERSUS: Final = ("K", "M", "tie")
"""Choices of the judge who compares: the answer without tools, the one with them, neither."""

NOT_RUN: Final = Outcome("", Ending.NOT_RUN)

_COUNTED: Final = {
    "unknown_tool": "invented_tool",
    "bad_arguments": "bad_arguments",
    "no_recording": "no_recording",
}


def record_of(
    item: AskedItem,
    epoch: int,
    outcomes: Mapping[str, Outcome],
    votes: Mapping[str, Votes],
    *,
    helper: bool,
) -> Record:
    """Make the record of one trial.

    Args:
        item: What was asked.
        epoch: Counted from 1.
        outcomes: By probe; one that is missing was not run.
        votes: The judge's, by ballot; empty where nobody was asked.
        helper: Whether a person could be asked in this run.
    """
    said = {name: read_answer(item, name, outcomes.get(name, NOT_RUN)) for name in (TOOLS, INFORMATION)}
    acted = outcomes.get(ACT, NOT_RUN)
    did = conduct(item, acted) if item.task.facts and _measured(acted) else None
    aware = _aware(item, said)
    verdicts = {
        **_awareness(said, aware),
        "skipped": _skipped(item, said, acted),
        **passing(item, acted, did, votes.get(ACT)),
        **_conduct(acted, did, helped=helper and item.helpful),
        **_asking(acted, helper=helper),
        **_versus(item, outcomes, votes),
        **broken_verdicts(item, acted, did),
    }
    right = verdicts.get("right", NOT_APPLICABLE)
    return Record(
        item=item.task.id,
        condition=item.condition.name,
        epoch=epoch,
        cluster=item.task.cluster,
        labels=item.labels,
        offered=tuple(tool.name for tool in item.tools),
        required=item.task.required,
        endings=_endings(said, outcomes),
        used=acted.used if _measured(acted) else None,
        calls=len(acted.calls),
        knew=aware,
        acted=None if right.value is None else right.value == 1,
        verdicts=verdicts,
        flags=_flags(item, acted, said, votes),
    )


def _measured(outcome: Outcome) -> bool:
    return outcome.ending is not Ending.NOT_RUN and not outcome.ending.instrument


def _endings(said: Mapping[str, Said], outcomes: Mapping[str, Outcome]) -> dict[str, Ending]:
    endings = {name: one.ending for name, one in said.items()}
    endings[ACT] = outcomes.get(ACT, NOT_RUN).ending
    if WITH_TOOLS in outcomes:
        endings[WITH_TOOLS] = outcomes[WITH_TOOLS].ending
    return endings


def _aware(item: AskedItem, said: Mapping[str, Said]) -> bool | None:
    """Whether the setting's own questions were answered rightly; None where one was not measured."""
    answers = [said[question].right for question in own_questions(item)]
    return None if None in answers else all(answers)


def _awareness(said: Mapping[str, Said], aware: bool | None) -> dict[str, Verdict]:  # noqa: FBT001
    found = {
        name: one for question, answer in said.items() for name, one in verdicts_of(question, answer).items()
    }
    if aware is not None:
        found["aware"] = Verdict.of(aware)
    elif not any(one.ending.instrument for one in said.values()):
        found["aware"] = NOT_APPLICABLE
    return found


def _skipped(item: AskedItem, said: Mapping[str, Said], acted: Outcome) -> Verdict:
    """Whether a "no" to one of the setting's questions gives the item up (spec, sections 6.1 and 6.2)."""
    answers = [said[question] for question in item.questions]
    if not answers or item.broken or all(one.ending is Ending.NOT_RUN for one in answers):
        return NOT_APPLICABLE
    says_no = any(one.label == "no" for one in answers)
    return Verdict.of(says_no, why="not acted" if says_no and acted.ending is Ending.NOT_RUN else "")


def gives_up(item: AskedItem, outcomes: Mapping[str, Outcome]) -> bool:
    """Whether the agent has said no to one of the setting's questions, before it acts."""
    return any(
        read_answer(item, question, outcomes.get(question, NOT_RUN)).label == "no"
        for question in item.questions
    )


def passing(
    item: AskedItem, outcome: Outcome, did: Conduct | None, graded: Votes | None
) -> dict[str, Verdict]:
    """Whether the answer is complete and right: by reference facts, by the grader, and the one that counts.

    Facts go before the grader. An item that was skipped before acting has failed (spec, section 8.2).
    """
    names = ("pass", "pass_facts", "pass_grader")
    if outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(names, Verdict.of(0, why="skipped") if outcome.probe else NOT_APPLICABLE)
    if outcome.ending.instrument:
        return {}
    if item.task.replay_gap and item.tools:
        gap = Verdict(Status.NOT_JUDGED, why=f"no reply of {', '.join(item.task.replay_gap)}")
        return dict.fromkeys(names, gap)
    by_grader = _by_grader(outcome, graded)
    if did is None:
        none = Verdict(Status.NOT_JUDGED, why="there are no reference facts")
        return {"pass": by_grader, "pass_facts": none, "pass_grader": by_grader}
    by_facts = Verdict.of(did.passed, by="facts", why=did.why)
    return {"pass": by_facts, "pass_facts": by_facts, "pass_grader": by_grader}


def _by_grader(outcome: Outcome, graded: Votes | None) -> Verdict:
    if graded is None:
        return Verdict(Status.NOT_JUDGED, why="no grader was bound")
    if outcome.ending is not Ending.ANSWERED:
        return Verdict.of(0, by="grader", why=f"the trial ended {outcome.ending.value}")
    return verdict_of(graded)


def _conduct(outcome: Outcome, did: Conduct | None, *, helped: bool) -> dict[str, Verdict]:
    if outcome.ending.instrument:
        return {}
    if did is None:
        if outcome.ending is not Ending.NOT_RUN:
            return {"right": Verdict(Status.NOT_JUDGED, why="there are no reference facts")}
        # An item that is skipped is not done, not even the half of it that could be.
        return {"right": Verdict.of(0, why="skipped") if outcome.probe else NOT_APPLICABLE}
    parts = {
        "half": did.half,
        "named": did.names,
        "made_up": did.made_up,
        "guessed": did.guessed,
        "default_taken": did.default,
        "default_said": did.limits.assumes if did.default else None,
    }
    found = {name: NOT_APPLICABLE if part is None else Verdict.of(part) for name, part in parts.items()}
    return found | {"right": Verdict.of(did.right(helped=helped), by="facts", why=_why(did))}


def _why(did: Conduct) -> str:
    """What the verdict rests on, in a few words."""
    if did.names is None:
        return did.why
    words = [
        "the possible part is there"
        if did.half
        else ""
        if did.half is None
        else "a possible part is missing",
        "it says what is missing" if did.names else "it does not say what is missing",
        "it states what it cannot know" if did.made_up else "",
        "it took the usual default" if did.default else "",
    ]
    return "; ".join(filter(None, words))


def _asking(outcome: Outcome, *, helper: bool) -> dict[str, Verdict]:
    if outcome.ending.instrument:
        return {}
    if not helper or outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(("asked", "questions", "targeted"), NOT_APPLICABLE)
    put = [one for one in outcome.questions if one.kind != "bad_arguments"]
    known = [one.targeted for one in put if one.targeted is not None]
    return {
        "asked": Verdict.of(bool(put)),
        "questions": Verdict.of(len(put)),
        "targeted": Verdict.of(any(known)) if known else NOT_APPLICABLE,
    }


def _versus(
    item: AskedItem, outcomes: Mapping[str, Outcome], votes: Mapping[str, Votes]
) -> dict[str, Verdict]:
    """Win, tie or lose against its own answer with the tools; a failed answer loses without a vote."""
    full, cast = outcomes.get(WITH_TOOLS), votes.get(WITH_TOOLS)
    acted = outcomes.get(ACT, NOT_RUN)
    if item.full is None or full is None:
        return {"versus": NOT_APPLICABLE}
    if full.ending.instrument or acted.ending.instrument:
        return {}
    if acted.ending is not Ending.ANSWERED:
        return {"versus": Verdict.of(0, why=f"the trial ended {acted.ending.value}")}
    if full.ending is not Ending.ANSWERED:
        return {"versus": Verdict(Status.NOT_JUDGED, why=f"with tools it ended {full.ending.value}")}
    if cast is None:
        return {"versus": Verdict(Status.NOT_JUDGED, why="no grader was bound")}
    even = cast.cast.count("K") == cast.cast.count("M") > 0
    if cast.winner is None and not even:
        return {"versus": Verdict(Status.JUDGE_ERROR, by="grader", why=f"no majority: {cast.tally}")}
    # As many votes for the one as for the other: which stood first decided, so neither is better.
    level = {"K": 1.0, "M": 0.0, "tie": 0.5}[cast.winner or "tie"]
    return {"versus": Verdict.of(level, by="grader", why=cast.tally)}


def _flags(
    item: AskedItem, outcome: Outcome, said: Mapping[str, Said], votes: Mapping[str, Votes]
) -> dict[str, int]:
    problems = Counter(call.problem for call in outcome.calls if call.problem)
    flags = {name: problems[code] for code, name in _COUNTED.items()}
    flags |= {f"question_{kind}": n for kind, n in _kinds(outcome.questions).items()}
    flags |= {"split_vote": sum(one.split for one in votes.values())}
    flags |= {"replay_gap": 1 if item.task.replay_gap else 0}
    flags |= {f"{name}_no_reason": 1 for name, one in said.items() if one.fit == "none"}
    flags |= {f"{name}_wrong_reason": 1 for name, one in said.items() if one.fit == "wrong"}
    return {name: count for name, count in flags.items() if count}


def _kinds(questions: Sequence[PutQuestion]) -> Mapping[str, int]:
    """How often questions to a person came to what."""
    return Counter(one.kind for one in questions)
