"""Every base task of the shipped data under every way to fail: nothing true is shown."""

import json
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, get_args

import pytest

from knowact.conditions.broken import agrees, breakable, broken, other_seed, wrong_facts
from knowact.core.condition import Failure
from knowact.core.proof import Possibility, prove_task, values_at
from knowact.core.task import Fact, Task
from knowact.core.world import Call, Observation, WorldState
from knowact.suites.fail_talms.cases import DATA, DEFAULT_DATA, load_cases
from knowact.suites.fail_talms.layout import Split
from knowact.worlds.distort import shows
from knowact.worlds.everyday import EverydayWorld
from knowact.worlds.everyday.material import material
from knowact.worlds.overlay import Overlay, offered_under
from knowact.worlds.plans import run_plan

SHIPPED = load_cases(DATA / DEFAULT_DATA)
TASKS = tuple(case.task for case in SHIPPED.of(Split.PERFECT))
WORLD = EverydayWorld()
BY_NAME = material().tools


def fresh() -> WorldState:
    return WORLD.open({}, SHIPPED.seed)


def elsewhere() -> WorldState:
    return WORLD.open({}, other_seed(SHIPPED.seed))


class Pair(NamedTuple):
    """A task, one of its tools that may break, and the facts that come out wrong then."""

    task: Task
    tool: str
    wrong: tuple[Fact, ...]


@cache
def pairs() -> tuple[Pair, ...]:
    return tuple(
        Pair(task, tool, wrong_facts(task, fresh(), elsewhere(), tool))
        for task in TASKS
        for tool in breakable(task, BY_NAME)
    )


def answers(pair: Pair, how: Failure, inner: WorldState) -> Iterator[tuple[int, Observation]]:
    """Yield what the broken tool answers to the calls that the plan makes of it."""
    condition = broken(pair.task, pair.tool, how)
    offered = offered_under(pair.task.offered, BY_NAME, condition)
    overlay = Overlay(inner, condition, offered, elsewhere())
    for number, step in enumerate(pair.task.plan):
        seen = overlay.call(Call(step.tool, step.call_arguments))
        if step.tool == pair.tool:
            yield number, seen


def true_facts(task: Task, step: int) -> list[Fact]:
    return [fact for fact in task.facts if int(fact.sources[0].partition(".")[0]) == step]


@pytest.mark.slow
def test_in_every_task_a_tool_may_break_and_in_nearly_every_one_it_may_be_wrong() -> None:
    assert {pair.task.id for pair in pairs()} == {task.id for task in TASKS}
    fit = {pair.task.id for pair in pairs() if pair.wrong}
    assert len(fit) >= 0.95 * len(TASKS)
    assert sum(bool(pair.wrong) for pair in pairs()) >= 0.9 * len(pairs())


@pytest.mark.parametrize("how", get_args(Failure))
def test_a_broken_tool_makes_a_task_impossible_or_only_partly_possible(how: Failure) -> None:
    for task, tool, _ in pairs():
        possibility = prove_task(task, BY_NAME, broken(task, tool, how)).possibility
        assert possibility is not Possibility.POSSIBLE


def test_wrong_facts_differ_beyond_tolerance_and_aliases() -> None:
    for task, tool, wrong in pairs():
        for fact in wrong:
            (true,) = [one for one in task.facts if one.sources == fact.sources]
            assert not agrees(true, fact.value), (task.id, tool, fact.label)
            assert (fact.kind, fact.label, fact.unit) == (true.kind, true.label, true.unit)


def test_wrong_facts_cover_everything_that_the_tool_itself_reports() -> None:
    for task, tool, wrong in pairs():
        steps = {number for number, step in enumerate(task.plan) if step.tool == tool}
        own = {fact.sources for number in steps for fact in true_facts(task, number)}
        assert not wrong or own <= {fact.sources for fact in wrong}, (task.id, tool)


def test_wrong_facts_are_what_the_plan_gives_with_that_tool() -> None:
    for task, tool, wrong in pairs():
        if not wrong:
            continue
        condition = broken(task, tool, "wrong")
        overlay = Overlay(fresh(), condition, offered_under(task.offered, BY_NAME, condition), elsewhere())
        results = run_plan(task.plan, overlay)
        for fact in wrong:
            step, _, field = fact.sources[0].partition(".")
            assert values_at(results[int(step)], field) == [fact.value]


@pytest.mark.parametrize("how", [how for how in get_args(Failure) if how != "wrong"])
def test_what_a_tool_that_fails_openly_says_is_the_same_in_every_world(how: Failure) -> None:
    for pair in pairs():
        here, there = (list(answers(pair, how, world())) for world in (fresh, elsewhere))
        assert here == there


def test_half_a_result_is_no_json() -> None:
    for pair in pairs():
        for _, seen in answers(pair, "malformed", fresh()):
            with pytest.raises(json.JSONDecodeError):
                json.loads(seen.text())


def test_a_tool_that_is_wrong_never_shows_the_true_value() -> None:
    for pair in pairs():
        if not pair.wrong:
            continue
        for number, seen in answers(pair, "wrong", fresh()):
            assert seen.ok
            for fact in true_facts(pair.task, number):
                field = fact.sources[0].partition(".")[2]
                assert not any(agrees(fact, value) for value in values_at(seen.value, field))
                assert not shows(BY_NAME[pair.tool], seen.value, fact.value), (
                    pair.task.id,
                    fact.label,
                )


def test_a_tool_that_is_wrong_answers_in_the_form_that_it_declares() -> None:
    from jsonschema import Draft202012Validator

    for pair in pairs():
        for _, seen in answers(pair, "wrong", fresh()):
            if seen.ok:
                schema = BY_NAME[pair.tool].returns
                assert schema is not None
                Draft202012Validator(schema).validate(seen.value)  # pyright: ignore[reportUnknownMemberType] - it has no types
