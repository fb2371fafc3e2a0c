"""Running a plan, walking a result, and comparing a plan with its topology."""

from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.proof import check_plan, execute, values_at
from knowact.core.task import Argument, Step, Topology
from mini_world import (
    CITY_OF_ANN,
    EXTERNAL,
    EXTERNAL_MULTI,
    EXTERNAL_SINGLE,
    HYBRID_MULTI_INTERNAL_FIRST,
    TASKS,
    WEATHER_THERE,
    MiniSession,
    from_step,
    make_task,
    sum_of,
    told,
    weather_in,
)

EMPTY: list[Any] = []


class TestExecute:
    def test_every_step_gives_its_result_in_order(self) -> None:
        run = execute(EXTERNAL_MULTI, MiniSession())
        assert run.failure == ""
        assert [list(result) for result in run.results] == [["city", "email"], ["temperature", "rain"]]

    @pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
    def test_plans_of_the_mini_world_run_to_their_end(self, task: Any) -> None:
        run = execute(task, MiniSession())
        assert (run.failure, len(run.results)) == ("", len(task.plan))

    def test_a_value_that_the_earlier_step_did_not_give_stops_the_run(self) -> None:
        wrong = WEATHER_THERE.model_copy(update={"arguments": {"city": from_step("Oslo", 0, "city")}})
        run = execute(make_task("wrong", Topology.MULTI_HOP, CITY_OF_ANN, wrong), MiniSession())
        assert run.failure == "step 1 takes 'Oslo' for 'city' from step 0, which gave ['Lisbon']"
        assert len(run.results) == 1

    def test_one_element_of_a_list_may_be_taken(self) -> None:
        search = Step(tool="search_notes", boundary=EXTERNAL, arguments={"topic": told("bike")})
        read = Step(
            tool="read_note",
            boundary=EXTERNAL,
            arguments={"id": from_step(7, 0, "notes[].id")},
            wants=("text",),
        )
        run = execute(make_task("bike", Topology.MULTI_HOP, search, read), MiniSession())
        assert run.results[1] == {"text": "New chain."}

    def test_a_problem_in_the_world_stops_the_run_and_is_told(self) -> None:
        run = execute(
            make_task("nobody", Topology.PARALLEL, weather_in("Lisbon"), weather_in("Rome")), MiniSession()
        )
        assert run.failure == "step 1 (current_weather): There is no such thing here."
        assert len(run.results) == 1


class TestValuesAt:
    RESULT: ClassVar[dict[str, Any]] = {
        "city": "Lisbon",
        "zero": 0,
        "no": False,
        "nothing": None,
        "place": {"name": "Faro", "tags": ["sea", "sun"]},
        "events": [{"title": "a", "who": [{"name": "x"}, {"name": "y"}]}, {"title": "b", "who": EMPTY}, 5],
    }

    @pytest.mark.parametrize(
        ("path", "expected"),
        [
            ("city", ["Lisbon"]),
            ("zero", [0]),
            ("no", [False]),
            ("nothing", []),
            ("absent", []),
            ("place.name", ["Faro"]),
            ("place.tags", [["sea", "sun"]]),
            ("place.tags[]", ["sea", "sun"]),
            ("events[].title", ["a", "b"]),
            ("events[].who[].name", ["x", "y"]),
            ("events.title", []),
            ("city.name", []),
        ],
    )
    def test_a_path_leads_to_its_values(self, path: str, expected: list[Any]) -> None:
        assert values_at(self.RESULT, path) == expected

    def test_a_result_that_is_a_list_is_stepped_into_from_its_root(self) -> None:
        assert values_at([{"id": 1}, {"id": 2}], "[].id") == [1, 2]

    @settings(deadline=None, max_examples=200)
    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=3),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
            ),
            max_leaves=12,
        ),
        st.lists(st.sampled_from(("a", "b", "c[]", "a[]", "[]")), min_size=1, max_size=3),
    )
    def test_no_result_makes_it_raise(self, result: Any, parts: list[str]) -> None:
        assert isinstance(values_at(result, ".".join(parts)), list)


class TestCheckPlan:
    def test_two_steps_are_not_a_single_hop(self) -> None:
        task = EXTERNAL_MULTI.model_copy(update={"topology": Topology.SINGLE_HOP})
        assert check_plan(task) == "the topology is single_hop, but the plan has 2 step(s)"

    def test_one_step_is_not_parallel(self) -> None:
        task = EXTERNAL_SINGLE.model_copy(update={"topology": Topology.PARALLEL})
        assert check_plan(task) == "the topology is parallel, but the plan has 1 step(s)"

    def test_steps_that_feed_each_other_are_not_parallel(self) -> None:
        task = EXTERNAL_MULTI.model_copy(update={"topology": Topology.PARALLEL})
        assert check_plan(task) == "the topology is parallel, but one step feeds another"

    def test_steps_that_do_not_are_no_multi_hop(self) -> None:
        task = make_task("two", Topology.MULTI_HOP, weather_in("Lisbon"), weather_in("Oslo"))
        assert check_plan(task) == "the topology is multi_hop, but no step feeds another"

    @pytest.mark.parametrize("source", [1, 2])
    def test_an_argument_comes_from_an_earlier_step(self, source: int) -> None:
        late = WEATHER_THERE.model_copy(update={"arguments": {"city": from_step("Lisbon", source, "city")}})
        task = make_task("late", Topology.MULTI_HOP, CITY_OF_ANN, late, weather_in("Oslo"))
        assert check_plan(task) == f"step 1 takes an argument from step {source}, which comes no earlier"

    def test_a_single_step_cannot_feed_itself(self) -> None:
        step = sum_of(from_step(5, 0, "sum"), told(2))
        assert check_plan(make_task("self", Topology.SINGLE_HOP, step)).endswith("which comes no earlier")

    def test_plans_without_edges_are_not_checked(self) -> None:
        plan = [
            step.model_copy(update={"arguments": {"x": Argument(value=1, origin="unstated")}})
            for step in HYBRID_MULTI_INTERNAL_FIRST.plan
        ]
        task = HYBRID_MULTI_INTERNAL_FIRST.model_copy(
            update={"plan": tuple(plan), "topology": Topology.PARALLEL}
        )
        assert check_plan(task) == ""
