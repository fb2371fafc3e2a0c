"""Tasks: what follows from the steps, and what a data file may not say."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from knowact.core.task import (
    Argument,
    Boundary,
    Dialogue,
    Fact,
    Opening,
    PastCall,
    Query,
    Step,
    Task,
    Utterance,
)
from knowact.core.tool import Capability, Report, Tool
from mini_world import EXTERNAL, EXTERNAL_MULTI, HYBRID_MULTI, INTERNAL, INTERNAL_MULTI, TASKS


def with_boundaries(*external: bool) -> Task:
    plan = tuple(
        Step(tool=f"tool_{number}", boundary=EXTERNAL if outside else INTERNAL)
        for number, outside in enumerate(external)
    )
    return EXTERNAL_MULTI.model_copy(update={"plan": plan})


class TestWhatFollowsFromTheSteps:
    @pytest.mark.parametrize(
        ("external", "boundary", "required"),
        [
            ([True], Boundary.EXTERNAL, {"tool_0"}),
            ([True, True], Boundary.EXTERNAL, {"tool_0", "tool_1"}),
            ([False], Boundary.INTERNAL, set[str]()),
            ([False, False], Boundary.INTERNAL, set[str]()),
            ([False, True, False], Boundary.HYBRID, {"tool_1"}),
        ],
    )
    def test_boundary_and_required_tools(
        self, external: list[bool], boundary: Boundary, required: set[str]
    ) -> None:
        task = with_boundaries(*external)
        assert (task.boundary, task.required) == (boundary, required)

    def test_a_tool_that_is_needed_once_is_required_though_it_is_needless_elsewhere(self) -> None:
        plan = (Step(tool="add", boundary=INTERNAL), Step(tool="add", boundary=EXTERNAL))
        assert EXTERNAL_MULTI.model_copy(update={"plan": plan}).required == {"add"}

    def test_the_call_of_a_step_carries_bare_values(self) -> None:
        assert HYBRID_MULTI.plan[1].call_arguments == {"a": 21, "b": 5}
        assert INTERNAL_MULTI.plan[0].external is False


class TestRoundTrip:
    @pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
    def test_a_task_comes_back_from_json_as_it_was(self, task: Task) -> None:
        assert Task.model_validate_json(task.model_dump_json()) == task

    @pytest.mark.parametrize(("kind", "value"), [("yes_no", True), ("number", 1.5), ("text", "yes")])
    def test_the_value_of_a_fact_keeps_its_type(self, kind: Any, value: Any) -> None:
        fact = Fact.model_validate_json(Fact(kind=kind, value=value).model_dump_json())
        assert type(fact.value) is type(value)


class TestArguments:
    def test_an_argument_from_a_step_names_step_and_field(self) -> None:
        assert Argument(value=1, origin="step", step=0, field="id").step == 0
        for half in ({}, {"step": 0}, {"field": "id"}):
            with pytest.raises(ValidationError, match="origin 'step' needs 'step' and 'field'"):
                Argument.model_validate({"value": 1, "origin": "step", **half})

    def test_an_argument_from_elsewhere_names_no_step(self) -> None:
        with pytest.raises(ValidationError, match="other origins take neither"):
            Argument(value=1, origin="query", step=0, field="id")

    @pytest.mark.parametrize("half", [{"step": 0}, {"field": "id"}], ids=str)
    def test_an_argument_from_elsewhere_names_not_even_half_a_step(self, half: dict[str, Any]) -> None:
        with pytest.raises(ValidationError):
            Argument.model_validate({"value": 1, "origin": "query", **half})

    def test_steps_count_from_zero(self) -> None:
        with pytest.raises(ValidationError):
            Argument(value=1, origin="step", step=-1, field="id")


def changed(**fields: Any) -> dict[str, Any]:
    return {**EXTERNAL_MULTI.model_dump(mode="json"), **fields}


class TestRefusals:
    @pytest.mark.parametrize(
        "data",
        [
            changed(ofered=[]),
            changed(id=""),
            changed(cluster=""),
            changed(topology="single-hop"),
            changed(opening={"kind": "query", "text": ""}),
            changed(opening={"kind": "query", "text": "x", "note": "y"}),
            changed(plan=[{"tool": "a", "boundary": "hybrid"}]),
            changed(plan=[{"tool": "", "boundary": "external"}]),
            changed(plan=[{"tool": "a", "boundary": "external", "needs": []}]),
            changed(plan=[{"tool": "a", "boundary": "external", "arguments": {"x": {"valu": 1}}}]),
            changed(facts=[{"kind": "number", "value": 1, "tolerance": -1}]),
            changed(facts=[{"kind": "colour", "value": "red"}]),
        ],
    )
    def test_a_task_that_says_something_odd_is_refused(self, data: dict[str, Any]) -> None:
        with pytest.raises(ValidationError):
            Task.model_validate(data)

    def test_a_task_cannot_be_changed_afterwards(self) -> None:
        with pytest.raises(ValidationError, match="frozen"):
            EXTERNAL_MULTI.id = "other"

    @pytest.mark.parametrize(
        ("kind", "value"),
        [("number", "many"), ("yes_no", "perhaps"), ("date", "tomorrow"), ("time", "25:00")],
    )
    def test_a_fact_has_a_value_of_its_kind(self, kind: Any, value: Any) -> None:
        with pytest.raises(ValidationError):
            Fact(kind=kind, value=value)


class TestTools:
    def test_parameters_are_read_from_the_schema(self) -> None:
        schema: dict[str, Any] = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]}
        tool = Tool(name="t", parameters=schema)
        assert (list(tool.properties), tool.required) == (["a", "b"], ("b",))

    @pytest.mark.parametrize("schema", [{}, {"properties": [], "required": True}], ids=str)
    def test_a_schema_that_is_odd_has_none(self, schema: dict[str, Any]) -> None:
        tool = Tool(name="t", parameters=schema)
        assert (tool.properties, tool.required) == ({}, ())

    def test_a_capability_gives_its_reports_and_changes_less_what_is_removed(self) -> None:
        capability = Capability(
            reports=(Report(field="x", attribute="a.x"), Report(field="y", attribute="a.y")),
            changes=("a.z",),
        )
        assert capability.gives() == {"a.x", "a.y", "a.z"}
        assert capability.gives(frozenset({"x", "z"})) == {"a.y", "a.z"}

    def test_an_attribute_that_two_fields_report_is_given_while_one_is_left(self) -> None:
        reports = (Report(field="x", attribute="a.x"), Report(field="y", attribute="a.x"))
        assert Capability(reports=reports).gives(frozenset({"x"})) == {"a.x"}


def test_an_opening_without_a_kind_is_a_query() -> None:
    read = TypeAdapter[Query | Dialogue](Opening).validate_python

    assert read({"text": "Hello"}) == Query(text="Hello")
    assert isinstance(read({"kind": "dialogue", "utterances": [{"role": "user", "text": "Hi"}]}), Dialogue)
    assert read(Query(text="Hello")) == Query(text="Hello")
    with pytest.raises(ValidationError, match="kind"):
        read({"kind": "letter", "text": "Dear"})


def test_the_user_has_the_last_word_of_a_dialogue() -> None:
    past = PastCall(tool="get_rate", arguments={"currency": "yen"}, result={"rate": 160.5})
    user, called = Utterance(role="user", text="Hi"), Utterance(role="assistant", calls=(past,))

    assert Dialogue(utterances=(user, called, user)).text == (
        'User: Hi\n\n[get_rate was called with {"currency": "yen"} and returned {"rate": 160.5}]\n\nUser: Hi'
    )
    with pytest.raises(ValidationError, match="the last message"):
        Dialogue(utterances=(user, called))


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"role": "user", "text": "x", "calls": [{"tool": "get_rate"}]}, "only the assistant"),
        ({"role": "assistant"}, "words or calls"),
    ],
)
def test_a_message_that_makes_no_sense_is_refused(given: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        Utterance.model_validate(given)
