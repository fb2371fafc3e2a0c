"""The feedback study: a call and its outcome are appended, and the agent is asked about the information.

Spec ict.md, section 9, with the fourth cell that the paper lacks (section 16, 11): {complete, removed} x {the
call fails, the call succeeds}. On a removed item the successful call carries an invented value, never the
true one; a call that fails does so for the missing value there, and because the service is down where
nothing is missing.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from pydantic import JsonValue

from knowact.core.condition import Condition
from knowact.core.errors import BadData
from knowact.core.task import PastCall
from knowact.core.world import Call, Observation, Problem
from knowact.datasets.lines import Line
from knowact.suites.ict.asked import AskedItem
from knowact.suites.ict.cases import Pair
from knowact.worlds.registry import open_world

FAILS, SUCCEEDS = "fails", "succeeds"
OUTCOMES: Final = (FAILS, SUCCEEDS)
DOWN: Final = Problem("unavailable", "The service is unavailable at the moment.")


def feedback_items(
    pair: Pair, versions: tuple[AskedItem, AskedItem], seed: int, line: Line
) -> list[AskedItem]:
    """The four items of a pair; none where no single value was removed.

    Raises:
        BadData: A call that is to succeed fails, or one that is to fail succeeds; with the pair's line.
    """
    if pair.lost is None or pair.lost.step is None:
        return []
    complete, removed = versions
    return [
        _with(item, outcome, _call(pair, outcome, seed, line, removed=item is removed))
        for item in (complete, removed)
        for outcome in OUTCOMES
    ]


def _call(pair: Pair, outcome: str, seed: int, line: Line, *, removed: bool) -> PastCall:
    lost = pair.lost
    assert lost is not None
    assert lost.step is not None
    step = pair.task.plan[lost.step]
    arguments = dict(step.call_arguments)
    if removed and outcome == FAILS:
        del arguments[lost.parameter]
    elif removed:
        arguments[lost.parameter] = lost.invented
    seen = open_world(pair.task.world, seed).call(Call(step.tool, arguments))
    if outcome == FAILS and not removed:
        seen = Observation(problem=DOWN)
    if seen.ok != (outcome == SUCCEEDS):
        field, what = _odd(pair, outcome, removed=removed)
        raise BadData(f"{what}: {seen.text():.200}", line.place(field), "correct the value")
    result = (
        {"error": {"code": seen.problem.code, "message": seen.problem.message}}
        if seen.problem
        else seen.value
    )
    return PastCall(tool=step.tool, arguments=arguments, result=cast("JsonValue", result))


def _odd(pair: Pair, outcome: str, *, removed: bool) -> tuple[str, str]:
    """The field that is wrong where a call does not end as it should, and what is."""
    assert pair.lost is not None
    if not removed:
        return f"task.plan.{pair.lost.step}.arguments", "the call of the complete task fails"
    if outcome == SUCCEEDS:
        return "lost.invented", "the call with the invented value fails"
    return "lost.parameter", "the call succeeds without the removed value"


def _with(item: AskedItem, outcome: str, call: PastCall) -> AskedItem:
    """The item after a call; nothing else about it changes."""
    base = item.condition
    name = f"{'removed' if item.lacks else 'complete'}-call-{outcome}"
    condition = Condition(name=name, changes=base.changes, order=base.order, withheld=base.withheld)
    labels: Mapping[str, str] = {**item.labels, "call": outcome}
    return replace(item, condition=condition, labels=labels, outcome=call)
