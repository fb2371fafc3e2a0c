"""kapro/everyday@0-A: every task is proven, grounded, on the side of the boundary that it claims."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from knowact.conditions.distractors import distractors
from knowact.core.condition import Condition, Hide
from knowact.core.errors import BadData
from knowact.core.proof import Possibility, prove_task, values_at
from knowact.core.task import Boundary, Step, Task, Topology
from knowact.datasets.own import load_own
from knowact.suites.kapro import build_everyday
from knowact.suites.kapro.build_everyday import FOLDER, SEED, AuthoredTask
from knowact.worlds.everyday import EverydayWorld, limits
from knowact.worlds.everyday.catalogue import OPERATIONS, TOOLS
from suites.second_implementation import SECOND, spelt

DATA = load_own(FOLDER)
TASKS = DATA.tasks
BY_NAME = {tool.name: tool for tool in TOOLS}
OTHER_SEEDS = (101, 202, 303)
each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)


def results_at(task: Task, seed: int) -> list[Any]:
    return build_everyday.run_plan(task.plan, EverydayWorld().open(task.world.setup, seed))


def hidden(*names: str) -> Condition:
    return Condition(name="hidden", changes=tuple(Hide(tool=name) for name in names))


class TestTheSet:
    def test_has_at_least_eight_tasks_in_each_of_the_eight_buckets(self) -> None:
        sizes = Counter((task.boundary, task.topology) for task in TASKS)
        assert len(sizes) == 8
        assert (Boundary.HYBRID, Topology.SINGLE_HOP) not in sizes
        assert min(sizes.values()) >= 8

    def test_is_in_stratified_order(self) -> None:
        for start in range(0, len(TASKS) - 7, 8):
            assert len({(task.boundary, task.topology) for task in TASKS[start : start + 8]}) == 8

    def test_is_what_the_builder_writes_byte_for_byte(self) -> None:
        for name, text in build_everyday.files().items():
            assert (FOLDER / name).read_bytes() == text.encode()

    def test_shows_the_same_tools_needed_and_not_needed(self) -> None:
        steps = [step for task in TASKS for step in task.plan]
        needed = {step.tool for step in steps if step.external}
        both = needed & {step.tool for step in steps if not step.external}
        assert len(both) >= 12
        assert sum(step.tool in both for step in steps) >= len(steps) / 3

    def test_feeds_the_internal_step_as_often_as_the_external_one(self) -> None:
        hybrid = [
            task for task in TASKS if task.boundary is Boundary.HYBRID and task.topology is Topology.MULTI_HOP
        ]
        first = Counter(task.plan[0].boundary for task in hybrid)
        assert first[Boundary.EXTERNAL] == first[Boundary.INTERNAL]

    def test_offers_tools_in_an_order_that_says_nothing_of_the_plan(self) -> None:
        several = [task for task in TASKS if len(task.offered) > 1]
        in_plan_order = sum(task.offered == tuple(step.tool for step in task.plan) for task in several)
        external_first = [
            task.offered[0] in task.required for task in several if task.boundary is Boundary.HYBRID
        ]
        assert 0.3 < in_plan_order / len(several) < 0.7
        assert 0.25 < sum(external_first) / len(external_first) < 0.75

    def test_has_no_query_twice(self) -> None:
        assert len({task.opening.text for task in TASKS}) == len(TASKS)


@each_task
class TestEveryTask:
    def test_is_solvable_with_its_tools(self, task: Task) -> None:
        assert build_everyday.proven(task) == ""

    def test_is_not_possible_without_any_one_required_tool(self, task: Task) -> None:
        for name in task.required:
            assert prove_task(task, BY_NAME, hidden(name)).verdict is not Possibility.POSSIBLE
        # The control: an internal tool can go.
        spare = set(task.offered) - task.required
        assert prove_task(task, BY_NAME, hidden(*spare)).verdict is Possibility.POSSIBLE

    def test_is_so_beside_ten_distractors_too(self, task: Task) -> None:
        crowd = distractors(task, BY_NAME, TOOLS, 10, seed=0)
        assert prove_task(task, BY_NAME, crowd).verdict is Possibility.POSSIBLE
        for name in task.required:
            without = crowd.model_copy(update={"changes": (*crowd.changes, Hide(tool=name))})
            assert prove_task(task, BY_NAME, without).verdict is not Possibility.POSSIBLE

    def test_offers_the_tools_of_its_plan_and_nothing_else(self, task: Task) -> None:
        assert sorted(task.offered) == sorted({step.tool for step in task.plan})
        assert len(task.plan) == len(task.offered)

    def test_names_no_tool_and_no_side_in_its_query(self, task: Task) -> None:
        words = " ".join(re.findall(r"[a-z]+", task.opening.text.lower()))
        for name in BY_NAME:
            assert name.replace("_", " ") not in words
        assert not re.search(r"\b(tools?|api|function|look up|by yourself|in your head)\b", words)

    def test_has_one_to_three_facts_that_come_from_wanted_fields(self, task: Task) -> None:
        assert 1 <= len(task.facts) <= 3
        for fact in task.facts:
            step, _, field = fact.sources[0].partition(".")
            source = task.plan[int(step)]
            assert field in source.wants or (fact.rule and OPERATIONS[source.tool].writes)
            assert fact.label

    def test_lies_on_the_sides_that_the_limits_give(self, task: Task) -> None:
        for step in task.plan:
            assert OPERATIONS[step.tool].boundary(step.call_arguments) is step.boundary


EXTERNAL = [(task, number) for task in TASKS for number, step in enumerate(task.plan) if step.external]
INTERNAL = [(task, number) for task in TASKS for number, step in enumerate(task.plan) if not step.external]


def named(case: tuple[Task, int]) -> str:
    task, number = case
    return f"{task.id}-{task.plan[number].tool}"


def used_fields(task: Task, number: int) -> list[str]:
    fed = [
        argument.field
        for step in task.plan
        for argument in step.arguments.values()
        if argument.step == number and argument.field
    ]
    return [*task.plan[number].wants, *fed]


def too_large(step: Step) -> bool:
    """External for the size of what the query itself says."""
    operation = OPERATIONS[step.tool]
    return operation.within is not None and "note" not in step.call_arguments.values()


@pytest.mark.parametrize("case", EXTERNAL, ids=named)
def test_an_external_step_changes_with_the_seed_or_changes_something_or_exceeds_a_limit(
    case: tuple[Task, int],
) -> None:
    task, number = case
    step = task.plan[number]
    if OPERATIONS[step.tool].writes:
        session = EverydayWorld().open(task.world.setup, SEED)
        before = session.digest()
        build_everyday.run_plan(task.plan, session)
        assert session.digest() != before
    elif not too_large(step):
        here = [values_at(results_at(task, SEED)[number], field) for field in used_fields(task, number)]
        there = [
            [values_at(results_at(task, seed)[number], field) for field in used_fields(task, number)]
            for seed in OTHER_SEEDS
        ]
        assert sum(values != here for values in there) >= 2


@pytest.mark.parametrize("case", INTERNAL, ids=named)
def test_an_internal_step_comes_out_alike_in_a_second_implementation(case: tuple[Task, int]) -> None:
    task, number = case
    step = task.plan[number]
    told = results_at(task, SEED)[number]
    if step.tool == "spell_number":
        assert spelt(told["words"]) == step.call_arguments["number"]
        return
    again = SECOND[step.tool](step.call_arguments)
    for field in used_fields(task, number):
        if isinstance(told[field], str | bool):
            assert told[field] == again[field]
        else:
            # Tools round to cents or to six decimals.
            assert float(again[field]) == pytest.approx(told[field], abs=0.005)


@pytest.mark.parametrize("case", INTERNAL, ids=named)
def test_an_internal_step_does_not_change_with_the_seed(case: tuple[Task, int]) -> None:
    task, number = case
    asked = task.plan[number]
    alone = task.model_copy(update={"plan": (asked.model_copy(update={"arguments": _unlinked(asked)}),)})
    assert results_at(alone, SEED) == results_at(alone, OTHER_SEEDS[0])


def _unlinked(step: Step) -> dict[str, Any]:
    return {
        name: argument.model_copy(update={"origin": "query", "step": None, "field": None})
        for name, argument in step.arguments.items()
    }


class TestTheLimits:
    def test_count_significant_digits(self) -> None:
        assert [limits.digits(number) for number in (1500, 0.25, 1.08, 24.0, 640, 7.385)] == [
            2,
            2,
            3,
            2,
            2,
            4,
        ]

    def test_count_decimals(self) -> None:
        assert [limits.decimals(number) for number in (12, 12.5, 1.08, 7.385, 100.0)] == [0, 1, 2, 3, 0]

    def test_let_three_digits_times_two_pass_and_no_more(self) -> None:
        assert limits.product(125, 12)
        assert limits.product(12, 125)
        assert not limits.product(125, 123)
        assert not limits.product(1.375, 2)
        assert not limits.product(1_000_000, 2)

    def test_let_a_quarter_of_a_year_pass(self) -> None:
        assert limits.span("2026-03-12", "2026-06-12")
        assert not limits.span("2026-03-12", "2026-06-13")

    def test_let_forty_pasted_words_pass_but_no_note(self) -> None:
        assert limits.pasted({"text": "word " * 40})
        assert not limits.pasted({"text": "word " * 41})
        assert not limits.pasted({"text": "Speech", "source": "note"})

    def test_let_ten_pasted_lines_pass(self) -> None:
        assert limits.pasted_lines({"text": "a\n" * 10})
        assert not limits.pasted_lines({"text": "a\n" * 11})


class TestTheBuilderRefuses:
    def complaint(self, **changes: Any) -> str:
        task: dict[str, Any] = {
            "query": "24 boxes, 15 jars in each. How many jars is that?",
            "topology": "single_hop",
            "steps": [
                {
                    "tool": "multiply",
                    "boundary": "internal",
                    "arguments": {"left": 24, "right": 15},
                    "wants": ["product"],
                }
            ],
            "facts": [{"label": "jars", "kind": "number", "source": "0.product"}],
        }
        with pytest.raises(BadData) as caught:
            build_everyday.build([AuthoredTask.model_validate(task | changes)])
        return str(caught.value)

    def step(self, **changes: Any) -> list[dict[str, Any]]:
        usual = {"tool": "multiply", "boundary": "internal", "arguments": {"left": 24, "right": 15}}
        return [usual | {"wants": ["product"]} | changes]

    def test_an_argument_that_nobody_told(self) -> None:
        assert "does not say 16" in self.complaint(steps=self.step(arguments={"left": 24, "right": 16}))

    def test_words_that_the_query_does_not_have(self) -> None:
        said = {"left": 24, "right": {"value": 15, "said": "a score"}}
        assert "does not say 'a score'" in self.complaint(steps=self.step(arguments=said))

    def test_a_boundary_on_the_wrong_side(self) -> None:
        assert "is not external by the limits" in self.complaint(steps=self.step(boundary="external"))

    def test_an_unknown_tool(self) -> None:
        assert "no tool named 'divide'" in self.complaint(steps=self.step(tool="divide"))

    def test_a_plan_that_fails(self) -> None:
        assert "'right' is missing" in self.complaint(steps=self.step(arguments={"left": 24}))

    def test_a_fact_that_does_not_come_out(self) -> None:
        fact = {"label": "jars", "kind": "number", "source": "0.sum"}
        assert "'0.sum', which does not come out" in self.complaint(facts=[fact])

    def test_a_fact_with_another_value(self) -> None:
        fact = {"label": "jars", "kind": "number", "source": "0.product", "value": 361}
        assert "'jars' is 361" in self.complaint(facts=[fact])

    def test_a_topology_that_the_plan_does_not_have(self) -> None:
        assert "the topology is parallel" in self.complaint(topology="parallel")

    def test_a_required_tool_beside_another_that_does_its_job(self) -> None:
        query = "I want 7.385 % of 48,219.37 and 24 times 15."
        percent = {
            "tool": "get_percentage",
            "boundary": "external",
            "arguments": {"amount": 48219.37, "percent": 7.385},
            "wants": ["part"],
        }
        told = self.complaint(query=query, topology="parallel", steps=[*self.step(), percent])
        assert "get_percentage is not needed beside multiply" in told


def test_the_datasheet_lies_beside_the_data() -> None:
    text = Path(FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"{len(TASKS)} tasks" in text
    assert f"seed {SEED}" in text
