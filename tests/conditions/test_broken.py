"""Broken tools as conditions, and what an agent would say that believes them."""

from typing import Any

import pytest
from pydantic import JsonValue

from knowact.conditions.broken import agrees, breakable, broken, other_seed, wrong_facts
from knowact.core.condition import Condition, Fail
from knowact.core.task import Fact, Task
from knowact.core.world import Call, Observation
from mini_world import (
    EXTERNAL_MULTI,
    EXTERNAL_PARALLEL,
    HYBRID_MULTI,
    HYBRID_PARALLEL,
    INTERNAL_SINGLE,
    TOOLS,
    WEATHER,
    MiniSession,
)

OTHER_WEATHER = {"Lisbon": {"temperature": 9, "rain": True}, "Oslo": {"temperature": 30, "rain": False}}


class ElsewhereSession(MiniSession):
    """The mini world under another seed: other weather, other contacts."""

    def call(self, call: Call) -> Observation:
        if call.tool == "current_weather":
            city = (call.arguments or {})["city"]
            return Observation(OTHER_WEATHER[city]) if city in OTHER_WEATHER else super().call(call)
        if call.tool == "find_contact":
            return Observation({"city": "Oslo", "email": "someone@example.org"})
        return super().call(call)


def with_facts(task: Task, *facts: Fact) -> Task:
    return task.model_copy(update={"facts": facts})


def number(value: float, source: str, **more: Any) -> Fact:
    return Fact(kind="number", value=value, sources=(source,), label=source, **more)


def wrong(task: Task, tool: str) -> dict[str, Any]:
    found = wrong_facts(task, MiniSession(), ElsewhereSession(), tool)
    return {fact.label: fact.value for fact in found}


def test_a_tool_is_broken_and_said() -> None:
    assert broken(EXTERNAL_MULTI, "find_contact", "server_error") == Condition(
        name="broken-server-error",
        changes=(Fail(tool="find_contact", how="server_error"),),
        withheld=("tool:find_contact",),
    )


def test_a_tool_that_is_not_there_cannot_be_broken() -> None:
    with pytest.raises(ValueError, match="'external-multi' does not offer 'add'"):
        broken(EXTERNAL_MULTI, "add", "gone")


class TestBreakable:
    def test_are_the_tools_that_are_needed_in_the_plans_order(self) -> None:
        assert breakable(EXTERNAL_MULTI, TOOLS) == ("find_contact", "current_weather")
        assert breakable(HYBRID_PARALLEL, TOOLS) == ("current_weather",)

    def test_are_none_where_a_model_does_everything_alone(self) -> None:
        assert breakable(INTERNAL_SINGLE, TOOLS) == ()

    def test_are_not_those_that_another_offered_tool_stands_in_for(self) -> None:
        other = TOOLS["current_weather"].model_copy(update={"name": "weather_again"})
        task = EXTERNAL_PARALLEL.model_copy(update={"offered": (*EXTERNAL_PARALLEL.offered, "weather_again")})
        assert breakable(task, {**TOOLS, "weather_again": other}) == ("find_contact",)


def test_the_other_world_has_another_seed_and_always_the_same() -> None:
    assert other_seed(27) == other_seed(27)
    assert len({0, 27, other_seed(0), other_seed(27)}) == 4


class TestWrongFacts:
    def test_say_what_the_broken_tool_reports(self) -> None:
        task = with_facts(EXTERNAL_PARALLEL, number(21, "0.temperature"))
        assert wrong(task, "current_weather") == {"0.temperature": 9}

    def test_leave_out_what_another_tool_reports(self) -> None:
        email = Fact(kind="text", value="bob@example.org", sources=("1.email",), label="1.email")
        task = with_facts(EXTERNAL_PARALLEL, number(21, "0.temperature"), email)
        assert wrong(task, "current_weather") == {"0.temperature": 9}
        assert wrong(task, "find_contact") == {"1.email": "someone@example.org"}

    def test_follow_a_wrong_value_through_the_plan(self) -> None:
        """Ann is said to live in Oslo, where the weather tool that works says four degrees."""
        task = with_facts(EXTERNAL_MULTI, number(21, "1.temperature"))
        assert wrong(task, "find_contact") == {"1.temperature": WEATHER["Oslo"]["temperature"]}
        assert wrong(
            HYBRID_MULTI.model_copy(update={"facts": (number(26, "1.sum"),)}), "current_weather"
        ) == {"1.sum": 14}

    def test_keep_neither_aliases_nor_anything_else_of_the_true_value(self) -> None:
        fact = number(21, "0.temperature", aliases=("twenty-one",), unit="°C", tolerance=0.5)
        (found,) = wrong_facts(
            with_facts(EXTERNAL_PARALLEL, fact), MiniSession(), ElsewhereSession(), "current_weather"
        )
        assert found == fact.model_copy(update={"value": 9, "aliases": ()})

    def test_are_none_where_everything_comes_out_right_in_spite_of_it(self) -> None:
        task = with_facts(EXTERNAL_MULTI, number(21, "1.temperature", tolerance=50))
        assert wrong(task, "find_contact") == {}

    def test_are_none_where_a_reported_fact_would_still_be_right(self) -> None:
        task = with_facts(EXTERNAL_PARALLEL, number(21, "0.temperature", tolerance=50), number(0, "0.rain"))
        assert wrong(task, "current_weather") == {}

    def test_are_none_where_the_plan_cannot_go_on(self) -> None:
        task = with_facts(EXTERNAL_MULTI, number(21, "1.temperature"))
        plan = task.plan[1]
        argument = plan.arguments["city"].model_copy(update={"field": "email"})
        step = plan.model_copy(update={"arguments": {"city": argument}})
        assert wrong(task.model_copy(update={"plan": (task.plan[0], step)}), "find_contact") == {}

    def test_are_none_where_a_fact_follows_by_a_rule(self) -> None:
        task = with_facts(EXTERNAL_PARALLEL, number(21, "0.temperature", rule="sum"))
        assert wrong(task, "current_weather") == {}

    def test_are_none_where_a_fact_is_not_in_the_result(self) -> None:
        assert wrong(with_facts(EXTERNAL_PARALLEL, number(21, "0.wind")), "current_weather") == {}

    def test_are_none_where_the_result_still_shows_the_true_value(self) -> None:
        class Talkative(ElsewhereSession):
            def call(self, call: Call) -> Observation:
                return Observation({"temperature": 9, "rain": True, "note": "not 21, as one would think"})

        task = with_facts(EXTERNAL_PARALLEL, number(21, "0.temperature"))
        assert wrong_facts(task, MiniSession(), Talkative(), "current_weather") == ()

    def test_pass_over_facts_that_a_model_works_out_alone(self) -> None:
        alone = Fact(kind="text", value="Lisbon", label="capital")
        task = with_facts(EXTERNAL_PARALLEL, alone, number(21, "0.temperature"))
        assert wrong(task, "current_weather") == {"0.temperature": 9}


@pytest.mark.parametrize(
    ("fact", "value", "same"),
    [
        (Fact(kind="number", value=4, tolerance=0.5), 4.5, True),
        (Fact(kind="number", value=4, tolerance=0.5), 4.6, False),
        (Fact(kind="text", value="Oslo", aliases=("Kristiania",)), "KRISTIANIA", True),
        (Fact(kind="text", value="Oslo"), "Bergen", False),
        (Fact(kind="text", value="75"), 75, True),
        (Fact(kind="yes_no", value=True), True, True),
        (Fact(kind="yes_no", value=True), 1, False),
        (Fact(kind="number", value=1), True, False),
        (Fact(kind="time", value="09:30"), "09:30", True),
    ],
    ids=str,
)
def test_a_value_agrees_within_tolerance_and_by_alias(fact: Fact, value: JsonValue, same: bool) -> None:  # noqa: FBT001 - what is expected
    assert agrees(fact, value) is same
