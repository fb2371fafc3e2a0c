"""From what an agent said and did to a record (spec fail-talms.md, sections 6 to 8)."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from knowact.core.record import Ending, Record, Status, Verdict
from knowact.people.extractor import NOT_EXTRACTED, Extraction, unread
from knowact.people.judge import NOT_VOTED, Votes, verdict_of
from knowact.probes.outcome import Judged, Outcome
from knowact.reading.answer_form import Results
from knowact.suites.fail_talms.answers import (
    NOT_APPLICABLE,
    REASON_OF,
    Said,
    read_answer,
    verdicts_of,
)
from knowact.suites.fail_talms.asked import ACT, INFORMATION, TOOLS, WITH_TOOLS, AskedItem, own_questions
from knowact.suites.fail_talms.broken import about_the_failure, retries
from knowact.suites.fail_talms.conduct import conduct, guesses, put_to_a_person

MEASURES: Final = (
    *("conduct", "right", "pass", "aware", "pass_form", "pass_judge", "skipped"),
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


def record_of(item: AskedItem, epoch: int, judged: Judged, *, rules: str, helper: bool) -> Record:
    """Make the record of one trial.

    Args:
        item: What was asked.
        epoch: Counted from 1.
        judged: What came of it: outcomes by probe (one that is missing was not run), forms and votes.
        rules: "definition" or "published".
        helper: Whether a person could be asked in this run.
    """
    said = {name: read_answer(item, name, judged.outcome(name)) for name in (TOOLS, INFORMATION)}
    acted = judged.outcomes.get(ACT, NOT_RUN)
    aware = _aware(item, said)
    verdicts = {
        **_awareness(said, aware, judged.votes),
        "skipped": _skipped(item, said, acted),
        **passing(item, acted, judged, rules),
        **_conduct(item, acted, judged, rules, helped=helper and item.helpful),
        **_asking(acted, helper=helper),
        **_versus(item, judged),
    }
    kept = verdicts.get("conduct", NOT_APPLICABLE)
    return Record(
        item=item.task.id,
        condition=item.condition.name,
        epoch=epoch,
        cluster=item.task.cluster,
        labels=item.labels,
        offered=tuple(tool.name for tool in item.tools),
        required=item.task.required,
        endings=_endings(said, judged.outcomes),
        used=acted.used if _measured(acted) else None,
        calls=len(acted.calls),
        knew=aware,
        acted=None if kept.value is None else kept.value == 1,
        verdicts=verdicts,
        flags=_flags(item, acted, judged),
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


def _awareness(
    said: Mapping[str, Said],
    aware: bool | None,  # noqa: FBT001 - the truth itself
    votes: Mapping[str, Votes],
) -> dict[str, Verdict]:
    found: dict[str, Verdict] = {}
    for question, answer in said.items():
        found |= verdicts_of(question, answer, votes.get(REASON_OF[question]))
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


def passing(item: AskedItem, outcome: Outcome, judged: Judged, rules: str) -> dict[str, Verdict]:
    """Whether the answer is complete and right: by its form, by the judge, and the one that counts.

    By the definition the form counts wherever there are reference facts; the published rules have a judge
    read the free text. An item that was skipped before acting has failed (spec, section 8.2).
    """
    names = ("pass", "pass_form", "pass_judge")
    if outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(names, Verdict.of(0, why="skipped") if outcome.probe else NOT_APPLICABLE)
    if outcome.ending.instrument:
        return {}
    if item.task.replay_gap and item.tools:
        gap = Verdict(Status.NOT_JUDGED, why=f"no reply of {', '.join(item.task.replay_gap)}")
        return dict.fromkeys(names, gap)
    if outcome.ending is not Ending.ANSWERED:
        return dict.fromkeys(names, Verdict.of(0, why=f"the trial ended {outcome.ending.value}"))
    by_form, by_judge = _by_form(item, judged.extracted.get(ACT)), _by_judge(judged.votes.get(ACT))
    counts = by_form if item.task.facts and rules != "published" else by_judge
    return dict(zip(names, (counts, by_form, by_judge), strict=True))


def _by_form(item: AskedItem, extracted: Extraction | None) -> Verdict:
    if not item.task.facts:
        return Verdict(Status.NOT_JUDGED, why="there are no reference facts")
    if extracted is None:
        return NOT_EXTRACTED
    return extracted.verdict(extracted.results.passed, _why(item, extracted.results))


def _why(item: AskedItem, results: Results) -> str:
    """The first fact that is not asserted, by its own label rather than by that of the form."""
    lost = next((number for number, slot in enumerate(results.slots) if not slot.passed), None)
    if lost is None or not results.valid:
        return results.why
    return f"{item.task.facts[lost].label}: {results.slots[lost].why}"


def _by_judge(votes: Votes | None) -> Verdict:
    return NOT_VOTED if votes is None else verdict_of(votes)


def _conduct(
    item: AskedItem, outcome: Outcome, judged: Judged, rules: str, *, helped: bool
) -> dict[str, Verdict]:
    """What it did and said: what its calls decide, and what the form of its reply does."""
    if outcome.ending.instrument:
        return {}
    both = ("conduct", "right")
    if not outcome.probe and outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(both, NOT_APPLICABLE)
    if not item.task.facts or rules == "published":
        why = "the published rules read no form" if item.task.facts else "there are no reference facts"
        return dict.fromkeys(both, Verdict(Status.NOT_JUDGED, why=why))
    if outcome.ending is Ending.NOT_RUN:
        # What is given up is held back, and none of it is done, not even the half that could be.
        values = (bool(item.lacks), False)
        return {name: Verdict.of(value, why="skipped") for name, value in zip(both, values, strict=True)}
    extracted = judged.extracted.get(ACT) if outcome.ending is Ending.ANSWERED else _silence(item)
    results = (extracted or _silence(item)).results
    did = conduct(item, outcome, results)
    stated: dict[str, bool | None] = {
        "conduct": did.kept and outcome.ending is Ending.ANSWERED,
        "right": did.right(helped=helped),
        "half": did.half,
        "named": did.named,
        "made_up": did.made_up,
        "default_taken": did.default,
        "default_said": did.default_said,
        **about_the_failure(item, outcome, results),
    }
    why = f"the trial ended {outcome.ending.value}"
    if outcome.ending is Ending.ANSWERED:
        why = did.why or _why(item, results)
    found = {name: _by(extracted, one, why if name in both else "") for name, one in stated.items()}
    traced = {"guessed": guesses(item, outcome), "retried": retries(item, outcome)}
    return found | {name: NOT_APPLICABLE if one is None else Verdict.of(one) for name, one in traced.items()}


def _silence(item: AskedItem) -> Extraction:
    """What a trial comes to in which nothing was said."""
    return unread(item.form)


def _by(extracted: Extraction | None, value: bool | None, why: str) -> Verdict:  # noqa: FBT001 - the truth itself
    if value is None:
        return NOT_APPLICABLE
    return NOT_EXTRACTED if extracted is None else extracted.verdict(value, why)


def _asking(outcome: Outcome, *, helper: bool) -> dict[str, Verdict]:
    if outcome.ending.instrument:
        return {}
    if not helper or outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(("asked", "questions", "targeted"), NOT_APPLICABLE)
    put = put_to_a_person(outcome)
    known = [one.targeted for one in put if one.targeted is not None]
    return {
        "asked": Verdict.of(bool(put)),
        "questions": Verdict.of(len(put)),
        "targeted": Verdict.of(any(known)) if known else NOT_APPLICABLE,
    }


def _versus(item: AskedItem, judged: Judged) -> dict[str, Verdict]:
    """Win, tie or lose against its own answer with the tools; a failed answer loses without a vote."""
    full, cast = judged.outcomes.get(WITH_TOOLS), judged.votes.get(WITH_TOOLS)
    acted = judged.outcomes.get(ACT, NOT_RUN)
    if item.full is None or full is None:
        return {"versus": NOT_APPLICABLE}
    if full.ending.instrument or acted.ending.instrument:
        return {}
    if acted.ending is not Ending.ANSWERED:
        return {"versus": Verdict.of(0, why=f"the trial ended {acted.ending.value}")}
    if full.ending is not Ending.ANSWERED:
        return {"versus": Verdict(Status.NOT_JUDGED, why=f"with tools it ended {full.ending.value}")}
    if cast is None:
        return {"versus": NOT_VOTED}
    even = cast.cast.count("K") == cast.cast.count("M") > 0
    if cast.winner is None and not even:
        return {"versus": Verdict(Status.JUDGE_ERROR, by="judge", why=f"no majority: {cast.tally}")}
    # As many votes for the one as for the other: which stood first decided, so neither is better.
    level = {"K": 1.0, "M": 0.0, "tie": 0.5}[cast.winner or "tie"]
    return {"versus": Verdict.of(level, by="judge", why=cast.tally)}


def _flags(item: AskedItem, outcome: Outcome, judged: Judged) -> dict[str, int]:
    problems = Counter(call.problem for call in outcome.calls if call.problem)
    extracted = judged.extracted.get(ACT)
    flags = {name: problems[code] for code, name in _COUNTED.items()}
    flags |= {f"question_{kind}": n for kind, n in Counter(one.kind for one in outcome.questions).items()}
    flags |= {"split_vote": sum(one.split for one in judged.votes.values())}
    flags |= {"replay_gap": 1 if item.task.replay_gap else 0}
    flags |= {"unverified": extracted.results.unverified if extracted else 0}
    for question, ballot in REASON_OF.items():
        fit = judged.votes[ballot].winner if ballot in judged.votes else None
        flags |= {f"{question}_no_reason": fit == "none", f"{question}_wrong_reason": fit == "wrong"}
    return {name: int(count) for name, count in flags.items() if count}
