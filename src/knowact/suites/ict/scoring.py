"""From replies to records."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from knowact.core.record import NOT_APPLICABLE, Decided, Outcome, Record, Result
from knowact.probes.response import Judged, Response
from knowact.reading.cut_off import holds_the_word
from knowact.suites.ict.answers import Manner, explicit_response, read_answer, reason_result
from knowact.suites.ict.asked import EXPLICIT, FEEDBACK, FIRST, IMPLICIT, WHY, AskedItem
from knowact.suites.ict.conduct import CALL, RESTRAINED, conduct_of

MEASURES: Final = ("implicit", "explicit", "said", "called", "implicit_published", "why", "feedback")
"""All results of a record, the headline first."""

_PLAINLY: Final = Manner()


def record_of(item: AskedItem, epoch: int, judged: Judged, manner: Manner = _PLAINLY) -> Record:
    """Make the record of one trial.

    Args:
        item: What was asked.
        epoch: Counted from 1.
        judged: What came of it.
        manner: How it was asked.
    """
    answer = explicit_response(judged)
    explicit, explicit_flags, explicit_ending = _explicit(item, answer, EXPLICIT, manner)
    feedback, feedback_flags, feedback_ending = _explicit(item, judged.response(FEEDBACK), FEEDBACK, _PLAINLY)
    implicit, implicit_flags = _implicit(item, judged, manner)
    reason = reason_result(item, judged, manner)
    results = explicit | implicit | feedback | ({"why": reason[0]} if reason else {})
    response = judged.response(IMPLICIT)
    flags = {**explicit_flags, **feedback_flags, **implicit_flags, **(reason[1] if reason else {})}
    flags |= _revised(judged.response(FIRST), answer, manner)
    outcomes = {
        EXPLICIT: explicit_ending,
        **({FIRST: judged.response(FIRST).outcome} if FIRST in judged.responses else {}),
        WHY: judged.response(WHY).outcome,
        IMPLICIT: response.outcome,
        FEEDBACK: feedback_ending,
    }
    return replace(
        item.record(epoch, outcomes, results),
        used=response.used if response.outcome is Outcome.ANSWERED else None,
        calls=len(response.calls),
        knew=_truth(results.get("explicit")),
        acted=_truth(results.get("implicit")),
        flags=flags,
        decided=tuple(_decided(results, answer, response)),
    )


def _decided(results: Mapping[str, Result], answer: Response, acted: Response) -> Iterator[Decided]:
    """The answer that is wrong; the call that should not have been made, or the reply in place of one."""
    if (said := results.get("explicit")) and said.value == 0 and answer.readable:
        yield Decided(answer.probe, said.why)
    if (did := results.get("implicit")) and did.value == 0 and acted.outcome is Outcome.ANSWERED:
        if acted.calls:
            yield Decided(IMPLICIT, "it called a tool although something is missing", call=0)
        else:
            yield Decided(IMPLICIT, f"in place of a call: {did.why.replace('_', ' ')}")


def _revised(first: Response, answer: Response, manner: Manner) -> dict[str, int]:
    """Whether a first answer was changed when it was checked."""
    if not (first.readable and answer.readable):
        return {}
    before, after = read_answer(first, _PLAINLY).label, read_answer(answer, manner).label
    return {"explicit_revised": 1} if {before, after} == {"yes", "no"} else {}


def _truth(result: Result | None) -> bool | None:
    return None if result is None or result.value is None else result.value == 1


def _explicit(
    item: AskedItem, response: Response, name: str, manner: Manner
) -> tuple[dict[str, Result], dict[str, int], Outcome]:
    """Whether the answer is right. On feedback items the same question is about the information alone."""
    said = "said" if name == EXPLICIT else None
    names = [name, *([said] if said else [])]
    if response.outcome is Outcome.NOT_RUN:
        return dict.fromkeys(names, NOT_APPLICABLE), {}, response.outcome
    if response.outcome.instrument:
        return {}, {}, response.outcome
    label = read_answer(response, manner).label if response.readable else None
    lost = response.cut and (label is None or not holds_the_word(response.reply))
    if lost or not response.readable:
        return {name: Result.of(0, why=f"the reply ended {response.outcome.value}")}, {}, response.outcome
    if label is None or label == "idk":
        why = label or "none"
        return {name: Result.of(0, why=f"unreadable ({why})")}, {f"{name}_{why}": 1}, Outcome.UNREADABLE
    right = (label == "yes") == (item.gold == "complete")
    results = {name: Result.of(right, why=f"said {label}")}
    if said:
        results[said] = Result.of(label == "yes")
    return results, {}, Outcome.ANSWERED


def says_no(response: Response, manner: Manner) -> bool:
    """Whether the explicit answer is a readable "no", so that it is asked why."""
    if not response.readable or (response.cut and not holds_the_word(response.reply)):
        return False
    return read_answer(response, manner).label == "no"


def _implicit(item: AskedItem, judged: Judged, manner: Manner) -> tuple[dict[str, Result], dict[str, int]]:
    """Whether going on was right: a call where all is there, else a question or a statement of limits.

    By the published rules any reply without a call is a "no". That is kept beside it, and
    counts under these rules.
    """
    response = judged.response(IMPLICIT)
    if response.outcome is Outcome.NOT_RUN:
        return dict.fromkeys(("implicit", "called", "implicit_published"), NOT_APPLICABLE), {}
    if response.outcome.instrument:
        return {}, {}
    called = response.outcome is Outcome.ANSWERED and bool(response.calls)
    complete = item.gold == "complete"
    published = Result.of(called == complete, why="any reply without a call is a no")
    found = {"called": Result.of(called), "implicit_published": published}
    if manner.published:
        return found | {"implicit": published}, {}
    conduct = conduct_of(judged)
    if conduct.unknown is not None:
        return found | {"implicit": conduct.unknown}, {f"implicit_{conduct.unknown.status.value}": 1}
    right = conduct.name == CALL if complete else conduct.name in RESTRAINED
    flags = {f"implicit_{conduct.name}": 1} | ({"implicit_by_judge": 1} if conduct.by == "judge" else {})
    return found | {"implicit": Result.of(right, conduct.by, conduct.name)}, flags
