"""kapro/everyday@1-A: every task is proven, grounded, and on the side of the boundary that it claims.

One test per claim over all tasks; what a failing one prints are the tasks that break it.
"""

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

import pytest

from knowact.core.task import Boundary, Step, Task, Topology
from knowact.datasets.own import load_own
from knowact.suites.kapro.forge import SIZES
from knowact.suites.kapro.items import DATA, DEFAULT_DATA
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.catalogue import OPERATIONS
from suites.all_second import SECOND
from suites.second.drawn import alike, half_a_unit
from version_1 import proofs
from version_1.draw import far_day, near_day, number
from version_1.words import phrasings

FOLDER = DATA / DEFAULT_DATA
SHIPPED = load_own(FOLDER)
TASKS = SHIPPED.rows
TODAY = dt.date(2026, 3, 12)
STEPS = [(task, step) for task in TASKS for step in task.plan]


def broken(claim: Callable[[Task], str]) -> list[str]:
    """Return what stands against a claim, a line per task, the first twenty."""
    found = (f"{task.id}: {why}" for task in TASKS if (why := claim(task)))
    return [line for line, _ in zip(found, range(20), strict=False)]


class TestTheSet:
    def test_has_the_papers_sizes(self) -> None:
        assert Counter((task.boundary, task.topology) for task in TASKS) == Counter(dict(SIZES))
        assert Counter(task.boundary.value for task in TASKS) == {
            "external": 310,
            "hybrid": 368,
            "internal": 398,
        }
        assert len(TASKS) == 1_076

    def test_gives_a_fair_sample_in_every_prefix(self) -> None:
        for length in (40, 100, 333):
            seen = Counter((task.boundary, task.topology) for task in TASKS[:length])
            for cell, size in SIZES.items():
                assert abs(seen[cell] - size * length / len(TASKS)) <= 1

    def test_has_no_query_twice(self) -> None:
        assert len({task.opening.text for task in TASKS}) == len(TASKS)

    def test_feeds_the_internal_step_as_well_as_the_external_one(self) -> None:
        first = Counter(
            task.plan[0].boundary
            for task in TASKS
            if (task.boundary, task.topology) == (Boundary.HYBRID, Topology.MULTI_HOP)
        )
        assert min(first.values()) >= 0.25 * first.total()

    def test_says_its_size_and_seed_in_the_datasheet(self) -> None:
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        assert "1,076 tasks" in text


class TestEveryTask:
    @pytest.mark.slow
    def test_is_solvable_and_not_possible_without_any_one_required_tool(self) -> None:
        assert broken(lambda task: proofs.unproven(task, SHIPPED.seed)) == []

    @pytest.mark.slow
    def test_is_so_beside_ten_distractors_too(self) -> None:
        assert broken(proofs.unproven_in_a_crowd) == []

    def test_offers_the_tools_of_its_plan_and_nothing_else(self) -> None:
        for task in TASKS:
            assert sorted(task.offered) == sorted(step.tool for step in task.plan)

    def test_names_no_tool_and_no_side_in_its_query(self) -> None:
        assert broken(lambda task: proofs.leak(task.opening.text)) == []

    def test_has_one_to_five_facts_that_come_from_wanted_fields(self) -> None:
        for task in TASKS:
            assert 1 <= len(task.facts) <= 5
            for fact in task.facts:
                step, _, field = fact.sources[0].partition(".")
                assert field in task.plan[int(step)].wants
                assert fact.label
                assert not re.search(r"\{\w+\}", fact.label)

    def test_asks_for_every_step_or_hands_it_on(self) -> None:
        for task in TASKS:
            for place in range(len(task.plan)):
                assert proofs.used_fields(task, place)


class TestGrounding:
    """Every argument stands in the query, follows from the shown context, or is an earlier result."""

    def test_the_query_says_what_its_provenance_claims(self) -> None:
        for task in TASKS:
            for words in said(task).values():
                assert words.casefold() in task.opening.text.casefold(), (task.id, words)

    def test_every_argument_has_words_or_comes_from_a_step(self) -> None:
        for task in TASKS:
            for place, step in enumerate(task.plan):
                for name, argument in step.arguments.items():
                    told = f"{place}.{name}" in said(task)
                    assert told == (argument.origin in {"query", "context"}), (task.id, name)

    def test_the_words_mean_the_value(self) -> None:
        assert broken(unmeant) == []

    def test_only_days_need_the_shown_context(self) -> None:
        for _, step in STEPS:
            for argument in step.arguments.values():
                if argument.origin == "context":
                    assert dt.date.fromisoformat(str(argument.value))

    def test_every_required_parameter_has_an_argument(self) -> None:
        for _, step in STEPS:
            assert set(OPERATIONS[step.tool].tool.required) <= step.arguments.keys()


def said(task: Task) -> dict[str, str]:
    found = task.provenance["said"]
    assert isinstance(found, dict)
    return {name: str(words) for name, words in found.items()}


def unmeant(task: Task) -> str:
    """Read the words for each argument back, and compare with the value that the call carries."""
    for place, step in enumerate(task.plan):
        for name in step.arguments:
            words = said(task).get(f"{place}.{name}")
            if words is not None and words not in readings(step, name):
                return f"{step.tool}.{name} is {step.call_arguments[name]!r}, but the query says {words!r}"
    return ""


def readings(step: Step, name: str) -> set[str]:
    """All ways in which an argument may be said: as a day, as a list, plainly, or as the phrasing has it."""
    value: Any = step.call_arguments[name]
    plain = {number(value)}
    if isinstance(value, list):
        *most, last = map(number, cast("list[Any]", value))
        plain = {f"{', '.join(most)} and {last}"}
    elif isinstance(value, str) and "\n" in value:
        plain = {", ".join(value.splitlines())}
    elif isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        day = dt.date.fromisoformat(value)
        plain = {near_day(day, TODAY).words, far_day(day).words}
    found = set(plain)
    words = phrasings()[step.tool]
    for variant in words.variants:
        form = words.say_of(variant, name)
        if isinstance(form, str):
            found |= {form.replace("{}", one) for one in plain}
        else:
            found |= {spoken for key, spoken in form.items() if key == str(cast("object", value))}
        if name in variant.fixed and variant.fixed[name].value == value:
            found |= set(variant.fixed[name].said)
    return found


class TestBothSides:
    def test_the_same_tools_are_needed_and_not_needed(self) -> None:
        needed = {step.tool for _, step in STEPS if step.external}
        both = needed & {step.tool for _, step in STEPS if not step.external}
        assert len(both) >= 30
        assert sum(step.tool in both for _, step in STEPS) >= len(STEPS) / 3

    def test_no_step_uses_a_tool_of_public_facts(self) -> None:
        for _, step in STEPS:
            rubric = OPERATIONS[step.tool].tool.rubric
            assert rubric is not None
            assert rubric.when != "public"

    def test_an_internal_step_comes_out_alike_in_a_second_implementation(self) -> None:
        for task, step in STEPS:
            if step.external:
                continue
            place = task.plan.index(step)
            told = results(task)[place]
            again = SECOND[step.tool](dict(map(plain, step.call_arguments.items())))
            for field in proofs.used_fields(task, place):
                within = half_a_unit(step.tool, field)
                assert alike(told[field], again[field], within), (task.id, step.call_arguments, field)


def plain(argument: tuple[str, Any]) -> tuple[str, Any]:
    """Linked results are often whole floats, which JSON does not tell from whole numbers."""
    name, value = argument
    return name, int(value) if isinstance(value, float) and value.is_integer() else value


def results(task: Task) -> list[Any]:
    from knowact.worlds.everyday import EverydayWorld

    return proofs.run_plan(task.plan, EverydayWorld().open(task.world.setup, SHIPPED.seed))


class TestTheLimits:
    def test_count_significant_digits(self) -> None:
        numbers = (1500, 0.25, 1.08, 24.0, 640, 7.385)
        assert [limits.digits(number) for number in numbers] == [2, 2, 3, 2, 2, 4]

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
