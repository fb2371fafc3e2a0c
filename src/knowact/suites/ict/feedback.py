"""The feedback study: a call and what came back follow a dialogue (ICT).

Is all the information there? In the paper's three cells a call fails on a dialogue that lacks a value,
succeeds there with a value that nobody gave, or fails on the complete one. By the definition there is a
fourth, complete and succeeding: without it, whoever says no after every call looks able.

In our own data the world answers the calls. The release has the gold call of each row, but neither its result
nor the words that a removal took out. There a value is lost that stands, letter for letter, in the original
and not in the shortened conversation; what cannot be told like that is left out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from pydantic import JsonValue

from knowact.core.condition import Condition
from knowact.core.errors import BadData
from knowact.core.task import PastCall
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation, Problem
from knowact.datasets.lines import Line
from knowact.reading.quotes import folded, stands_in
from knowact.suites.ict.asked import AskedItem
from knowact.suites.ict.cases import Pair
from knowact.suites.ict.published import PublishedPair
from knowact.worlds.registry import open_world

FAILS, SUCCEEDS = "fails", "succeeds"
OUTCOMES: Final = (FAILS, SUCCEEDS)
DOWN: Final = Problem("unavailable", "The service is unavailable at the moment.")
DONE: Final[JsonValue] = {"status": "success"}
"""What a published call gives that succeeds: the release has no results, and to invent one would say more."""


def _cells(
    versions: tuple[AskedItem, AskedItem], *, published: bool
) -> Iterator[tuple[AskedItem, str, bool]]:
    """Each item with how its call ends, and whether the item lacks something."""
    for item in versions:
        for outcome in OUTCOMES:
            if item.lacks or outcome == FAILS or not published:
                yield item, outcome, bool(item.lacks)


def feedback_items(
    pair: Pair, versions: tuple[AskedItem, AskedItem], seed: int, line: Line, *, published: bool
) -> list[AskedItem]:
    """The items of a pair of our own, a cell each; none where no single value was removed.

    Raises:
        BadData: A call that is to succeed fails, or one that is to fail succeeds; with the pair's line.
    """
    if pair.lost is None or pair.lost.step is None:
        return []
    return [
        _with(item, outcome, _own_call(pair, outcome, seed, line, removed=removed))
        for item, outcome, removed in _cells(versions, published=published)
    ]


def _own_call(pair: Pair, outcome: str, seed: int, line: Line, *, removed: bool) -> PastCall:
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
    return _past(step.tool, arguments, seen)


def _past(tool: str, arguments: Mapping[str, JsonValue], seen: Observation) -> PastCall:
    result = (
        {"error": {"code": seen.problem.code, "message": seen.problem.message}}
        if seen.problem
        else seen.value
    )
    return PastCall(tool=tool, arguments=dict(arguments), result=cast("JsonValue", result))


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


@dataclass(frozen=True, slots=True)
class GoldCall:
    """The gold call of a published removal.

    Attributes:
        tool: As it is offered.
        arguments: Those of the complete version.
        lost: The names of those whose values only the complete version says.
    """

    tool: Tool
    arguments: Mapping[str, JsonValue]
    lost: tuple[str, ...]


def gold_call(pair: PublishedPair) -> GoldCall | None:
    """The first gold call of a removal that lost an argument it cannot go without; None where none did.

    This compares letters and interprets nothing: a value that the dialogue puts in other words ("nine metres"
    for 9.0) stands in neither version, and nobody can say whether it was lost.
    """
    before, after = (folded(one.opening.text) for one in (pair.original, pair.manipulated))
    offered = {tool.name: tool for tool in pair.manipulated.tools}
    for call in pair.original.answer:
        arguments = call.arguments or {}
        lost = tuple(
            name for name, value in arguments.items() if _said(value, before) and not _said(value, after)
        )
        tool = offered.get(call.tool)
        if tool is not None and set(lost) & set(tool.required):
            return GoldCall(tool, arguments, lost)
    return None


def _said(value: JsonValue, text: str) -> bool:
    """Whether a value stands in a folded text, each part of a list or an object."""
    if isinstance(value, list | dict):
        parts = value.values() if isinstance(value, dict) else value
        return bool(value) and all(_said(one, text) for one in parts)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value is not None and stands_in(folded(str(value)), text)


def published_feedback(
    pair: PublishedPair, versions: tuple[AskedItem, AskedItem], *, published: bool
) -> list[AskedItem]:
    """The items of a published removal, a cell each; none where its gold call cannot be shown.

    On the shortened dialogue the call fails without the lost values, and succeeds with them: there they are
    content that nobody gave.
    """
    gold = gold_call(pair)
    if gold is None:
        return []
    return [
        _with(item, outcome, _gold_call_made(gold, outcome, removed=removed))
        for item, outcome, removed in _cells(versions, published=published)
    ]


def _gold_call_made(gold: GoldCall, outcome: str, *, removed: bool) -> PastCall:
    if outcome == SUCCEEDS:
        return _past(gold.tool.name, gold.arguments, Observation(DONE))
    if not removed:
        return _past(gold.tool.name, gold.arguments, Observation(problem=DOWN))
    given = {name: value for name, value in gold.arguments.items() if name not in gold.lost}
    missing = ", ".join(f"{name!r} is missing" for name in gold.lost)
    problem = Problem("bad_arguments", f"{gold.tool.name}: {missing}")
    return _past(gold.tool.name, given, Observation(problem=problem))
