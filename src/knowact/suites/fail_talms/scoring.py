"""From what an agent said and did to a record."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from knowact.core.record import NOT_APPLICABLE, Decided, Outcome, Record, Result, Status
from knowact.probes.response import Judged, Response
from knowact.reading.answer_form import FormResults
from knowact.roles.extractor import NOT_EXTRACTED, Extraction, unread
from knowact.roles.judge import NOT_VOTED, Votes, result_of
from knowact.suites.fail_talms.answers import (
    REASON_OF,
    Said,
    read_answer,
    results_of,
)
from knowact.suites.fail_talms.asked import ACT, INFORMATION, TOOLS, WITH_TOOLS, AskedItem, own_questions
from knowact.suites.fail_talms.conduct import about_the_failure, conduct, guesses, put_to_a_person, retries

MEASURES: Final = (
    *("conduct", "right", "pass", "aware", "pass_form", "pass_judge", "skipped"),
    *("info", "tools", "info_reason", "tools_reason"),
    *("held_back", "half", "named", "fabricated", "guessed", "default_taken", "default_said"),
    *("asked", "questions", "targeted"),
    *("versus", "noticed", "retried", "told", "passed_on"),
)
"""All results of a record, the headline first."""

VERSUS: Final = ("K", "M", "tie")
"""Choices of the judge who compares: the answer without tools, the one with them, neither."""

BALLOT: Final = {
    ("definition", ACT): ACT,
    ("definition", WITH_TOOLS): WITH_TOOLS,
    ("published", ACT): f"{ACT}_published",
    ("published", WITH_TOOLS): f"{WITH_TOOLS}_published",
}
"""The ballots about answers, by rule set: they put different questions to the judge."""

NOT_RUN: Final = Response("", Outcome.NOT_RUN)


def record_of(item: AskedItem, epoch: int, judged: Judged, *, rules: str, helper: bool) -> Record:
    """Make the record of one trial.

    Args:
        item: What was asked.
        epoch: Counted from 1.
        judged: What came of it: responses by probe (one that is missing was not run), forms and votes.
        rules: "definition" or "published".
        helper: Whether a person could be asked in this run.
    """
    said = {name: read_answer(item, name, judged.response(name)) for name in (TOOLS, INFORMATION)}
    if rules == "published":
        # A reason may be left out there, and nobody judges it.
        said = {name: replace(one, reasoned=False) for name, one in said.items()}
    acted = judged.responses.get(ACT, NOT_RUN)
    aware = _aware(item, said)
    gave_up = any(said[question].label == "no" for question in item.questions)
    passed = passing(item, acted, judged, rules, gave_up=gave_up)
    results = {
        **_awareness(said, aware, judged.votes),
        "skipped": _skipped(item, said, acted, rules),
        **passed,
        **_conduct(item, acted, judged, rules, helped=helper and item.helpful),
        **_asking(acted, helper=helper),
        **_versus(item, judged, rules, failed=passed.get("pass", NOT_APPLICABLE).value == 0),
    }
    kept = results.get("conduct", NOT_APPLICABLE)
    return replace(
        item.record(epoch, _endings(said, judged.responses), results),
        used=acted.used if _measured(acted) else None,
        calls=len(acted.calls),
        knew=aware,
        acted=None if kept.value is None else kept.value == 1,
        flags=_flags(item, acted, judged),
        decided=tuple(_decided(item, said, kept, acted)),
    )


def _decided(item: AskedItem, said: Mapping[str, Said], kept: Result, acted: Response) -> Iterator[Decided]:
    """The answers about its limits that are wrong, and the reply whose conduct is."""
    for question in own_questions(item):
        if said[question].right is False:
            yield Decided(question, f"it said {said[question].label or 'nothing that can be read'}")
    if kept.value == 0 and acted.outcome is Outcome.ANSWERED:
        yield Decided(ACT, kept.why)


def _measured(response: Response) -> bool:
    return response.outcome is not Outcome.NOT_RUN and not response.outcome.instrument


def _endings(said: Mapping[str, Said], responses: Mapping[str, Response]) -> dict[str, Outcome]:
    outcomes = {name: one.outcome for name, one in said.items()}
    outcomes[ACT] = responses.get(ACT, NOT_RUN).outcome
    if WITH_TOOLS in responses:
        outcomes[WITH_TOOLS] = responses[WITH_TOOLS].outcome
    return outcomes


def _aware(item: AskedItem, said: Mapping[str, Said]) -> bool | None:
    """Whether the setting's own questions were answered rightly; None where one was not measured."""
    answers = [said[question].right for question in own_questions(item)]
    return None if None in answers else all(answers)


def _awareness(
    said: Mapping[str, Said],
    aware: bool | None,  # noqa: FBT001 - the truth itself
    votes: Mapping[str, Votes],
) -> dict[str, Result]:
    found: dict[str, Result] = {}
    for question, answer in said.items():
        found |= results_of(question, answer, votes.get(REASON_OF[question]))
    if aware is not None:
        found["aware"] = Result.of(aware)
    elif not any(one.outcome.instrument for one in said.values()):
        found["aware"] = NOT_APPLICABLE
    return found


def _skipped(item: AskedItem, said: Mapping[str, Said], acted: Response, rules: str) -> Result:
    """Whether the item was given up.

    By the definition: a "no" to one of the setting's questions kept the agent from acting. As published: it
    said no, even where a run under other rules let it act all the same.
    """
    answers = [said[question] for question in item.questions]
    if item.broken or all(one.outcome is Outcome.NOT_RUN for one in answers):
        return NOT_APPLICABLE
    never_acted = acted.outcome is Outcome.NOT_RUN
    if rules != "published" and never_acted and not acted.probe:
        return NOT_APPLICABLE  # Acting was never due (--probe awareness).
    says_no = any(one.label == "no" for one in answers)
    given_up = says_no and (never_acted or rules == "published")
    return Result.of(given_up, why="not acted" if given_up and never_acted else "")


def gives_up(item: AskedItem, responses: Mapping[str, Response]) -> bool:
    """Whether the agent has said no to one of the setting's questions, before it acts."""
    return any(
        read_answer(item, question, responses.get(question, NOT_RUN)).label == "no"
        for question in item.questions
    )


def passing(
    item: AskedItem, response: Response, judged: Judged, rules: str, *, gave_up: bool
) -> dict[str, Result]:
    """Whether the answer is complete and right: by its form, by the judge, and the one that counts.

    By the definition the form counts wherever there are reference facts, and what was not attempted neither
    passed nor failed. The published rules have a judge read the free text, and an item has failed that the
    agent gave up. Where nobody reads, a trial that came to no answer is not judged either: a rate over
    failures alone would be no rate.

    Args:
        item: What was asked.
        response: What came of acting.
        judged: Forms and votes.
        rules: "definition" or "published".
        gave_up: Whether it had said no to one of the setting's own questions.
    """
    names = ("pass", "pass_form", "pass_judge")
    votes, extracted = judged.votes.get(BALLOT[rules, ACT]), judged.extracted.get(ACT)
    if response.probe and gave_up and rules == "published" and not response.outcome.instrument:
        return dict.fromkeys(names, NOT_VOTED if votes is None else Result.of(0, why="skipped"))
    if response.outcome is Outcome.NOT_RUN:
        return dict.fromkeys(names, NOT_APPLICABLE)
    if response.outcome.instrument:
        return {}
    if item.task.replay_gap and item.tools:
        gap = Result(Status.NOT_JUDGED, why=f"no reply of {', '.join(item.task.replay_gap)}")
        return dict.fromkeys(names, gap)
    if response.outcome is Outcome.ANSWERED:
        by_form, by_judge = _by_form(item, extracted), _by_judge(votes)
    else:
        failed = Result.of(0, why=f"the trial ended {response.outcome.value}")
        by_form = NOT_EXTRACTED if extracted is None else failed
        by_judge = NOT_VOTED if votes is None else failed
    counts = by_form if item.task.facts and rules != "published" else by_judge
    return dict(zip(names, (counts, by_form, by_judge), strict=True))


def _by_form(item: AskedItem, extracted: Extraction | None) -> Result:
    if not item.task.facts:
        return Result(Status.NOT_JUDGED, why="there are no reference facts")
    if extracted is None:
        return NOT_EXTRACTED
    return extracted.result(extracted.results.passed, _why(item, extracted.results))


def _why(item: AskedItem, results: FormResults) -> str:
    """The first fact that is not asserted, by its own label rather than by that of the form."""
    lost = next((number for number, slot in enumerate(results.slots) if not slot.passed), None)
    if lost is None or not results.valid:
        return results.why
    return f"{item.task.facts[lost].label}: {results.slots[lost].why}"


def _by_judge(votes: Votes | None) -> Result:
    return NOT_VOTED if votes is None else result_of(votes)


def _conduct(
    item: AskedItem, response: Response, judged: Judged, rules: str, *, helped: bool
) -> dict[str, Result]:
    """What it did and said: what its calls decide, and what the form of its reply does."""
    if response.outcome.instrument:
        return {}
    always = ("conduct", "right", "held_back")
    if not response.probe and response.outcome is Outcome.NOT_RUN:
        return dict.fromkeys(always, NOT_APPLICABLE)
    if not item.task.facts or rules == "published":
        why = "the published rules read no form" if item.task.facts else "there are no reference facts"
        return dict.fromkeys(always, Result(Status.NOT_JUDGED, why=why))
    extracted = judged.extracted.get(ACT)
    if response.outcome is Outcome.NOT_RUN:
        if extracted is None:
            return dict.fromkeys(always, NOT_EXTRACTED)
        # What is given up is held back, and none of it is done, not even the half that could be.
        values = (bool(item.lacks), False, True)
        return {name: Result.of(value, why="skipped") for name, value in zip(always, values, strict=True)}
    results = (extracted or unread(item.form)).results
    did = conduct(item, response, results)
    stated: dict[str, bool | None] = {
        "conduct": did.kept and response.outcome is Outcome.ANSWERED,
        "right": did.right(helped=helped),
        "held_back": did.held_back and response.outcome is Outcome.ANSWERED,
        "half": did.half,
        "named": did.named,
        "fabricated": did.fabricated,
        "default_taken": did.default,
        "default_said": did.default_said,
        **about_the_failure(item, response, results),
    }
    why = f"the trial ended {response.outcome.value}"
    if response.outcome is Outcome.ANSWERED:
        why = did.why or _why(item, results)
    found = {name: _by(extracted, one, why if name in always else "") for name, one in stated.items()}
    traced = {"guessed": guesses(item, response), "retried": retries(item, response)}
    return found | {name: NOT_APPLICABLE if one is None else Result.of(one) for name, one in traced.items()}


def _by(extracted: Extraction | None, value: bool | None, why: str) -> Result:  # noqa: FBT001 - the truth itself
    if value is None:
        return NOT_APPLICABLE
    return NOT_EXTRACTED if extracted is None else extracted.result(value, why)


def _asking(response: Response, *, helper: bool) -> dict[str, Result]:
    if response.outcome.instrument:
        return {}
    if not helper or response.outcome is Outcome.NOT_RUN:
        return dict.fromkeys(("asked", "questions", "targeted"), NOT_APPLICABLE)
    put = put_to_a_person(response)
    known = [one.targeted for one in put if one.targeted is not None]
    return {
        "asked": Result.of(bool(put)),
        "questions": Result.of(len(put)),
        "targeted": Result.of(any(known)) if known else NOT_APPLICABLE,
    }


def _versus(item: AskedItem, judged: Judged, rules: str, *, failed: bool) -> dict[str, Result]:
    """Win, tie or lose against its own answer with the tools; where there is none it loses without a vote.

    In the published comparison so does an answer that did not pass.
    """
    full, cast = judged.responses.get(WITH_TOOLS), judged.votes.get(BALLOT[rules, WITH_TOOLS])
    acted = judged.responses.get(ACT, NOT_RUN)
    if item.full is None or full is None:
        return {"versus": NOT_APPLICABLE}
    if full.outcome.instrument or acted.outcome.instrument:
        return {}
    if acted.outcome is not Outcome.ANSWERED:
        ended = Result.of(0, why=f"the trial ended {acted.outcome.value}")
        return {"versus": NOT_VOTED if cast is None else ended}
    if rules == "published" and failed:
        return {"versus": Result.of(0, by="judge", why="the answer did not pass")}
    if full.outcome is not Outcome.ANSWERED:
        return {"versus": Result(Status.NOT_JUDGED, why=f"with tools it ended {full.outcome.value}")}
    if cast is None:
        return {"versus": NOT_VOTED}
    even = cast.cast.count("K") == cast.cast.count("M") > 0
    if cast.winner is None and not even:
        return {"versus": Result(Status.JUDGE_ERROR, by="judge", why=f"no majority: {cast.tally}")}
    # As many votes for the one as for the other: which stood first decided, so neither is better.
    level = {"K": 1.0, "M": 0.0, "tie": 0.5}[cast.winner or "tie"]
    return {"versus": Result.of(level, by="judge", why=cast.tally)}


def _flags(item: AskedItem, response: Response, judged: Judged) -> dict[str, int]:
    extracted = judged.extracted.get(ACT)
    flags = response.failed_calls
    flags |= {f"question_{kind}": n for kind, n in Counter(one.kind for one in response.questions).items()}
    flags |= {"split_vote": sum(one.split for one in judged.votes.values())}
    flags |= {"replay_gap": 1 if item.task.replay_gap else 0}
    flags |= {"unverified": extracted.results.unverified if extracted else 0}
    for question, ballot in REASON_OF.items():
        fit = judged.votes[ballot].winner if ballot in judged.votes else None
        flags |= {f"{question}_no_reason": fit == "none", f"{question}_wrong_reason": fit == "wrong"}
    return {name: int(count) for name, count in flags.items() if count}
