"""A session under random and hostile calls: nothing raises, nothing leaves its range, everything replays."""

from collections.abc import Sequence
from importlib import resources
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from car_calls import calls, hostile_calls
from knowact.core.errors import BadUsage, UnknownName
from knowact.core.world import Call
from knowact.worlds.car.catalogue import OPERATIONS, tools_of
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.fields import fields_of
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.session import CarState, Step
from knowact.worlds.car.world import CarWorld

MANY: Any = st.lists(calls(), min_size=1, max_size=12)
SHAPES = {
    rules: {tool.name: Draft202012Validator(tool.returns or {}) for tool in tools_of(rules)}
    for rules in Rules
}


def opened(rules: Rules = Rules.DEFINITION, **setup: Any) -> CarState:
    return CarWorld(rules).open(setup, 0)


def fits(step: Step, rules: Rules) -> bool:
    validator: Any = SHAPES[rules].get(step.call.tool)
    return not step.observation.ok or not list(validator.iter_errors(step.observation.value))


def in_range(session: CarState, rules: Rules) -> bool:
    fields = fields_of(rules)
    return all(
        _json(fields[name].admitted(value)) == value
        and type(_json(fields[name].admitted(value))) is type(value)
        for name, value in session.snapshot().items()
    )


def _json(value: Any) -> Any:
    return list(cast("tuple[str, ...]", value)) if isinstance(value, tuple) else value


class TestTools:
    def test_there_are_58_and_57_as_published(self) -> None:
        kinds = [one.kind for one in OPERATIONS.values()]
        assert (kinds.count("set"), kinds.count("get"), kinds.count("no-op")) == (26, 30, 2)
        assert len(opened().tools()) == 58
        published = {tool.name for tool in opened(Rules.PUBLISHED).tools()}
        assert {tool.name for tool in opened().tools()} - published == {"get_fuel_information"}
        assert len(published) == 57

    def test_every_tool_says_what_it_can_do_and_what_comes_back(self) -> None:
        for tool in opened().tools():
            assert tool.description
            assert tool.capability is not None
            assert tool.returns is not None
            assert all(shape.get("description") for shape in tool.properties.values()), tool.name

    def test_exactly_the_set_tools_declare_changes(self) -> None:
        for one in OPERATIONS.values():
            assert one.tool.capability is not None
            assert bool(one.tool.capability.changes) == (one.kind == "set")

    def test_the_car_does_not_load_the_everyday_world(self) -> None:
        sources = resources.files("knowact.worlds.car")
        modules = [file for folder in (sources, sources / "tools") for file in folder.iterdir()]
        texts = [file.read_text("utf-8") for file in modules if file.name.endswith(".py")]
        assert len(texts) > 30
        assert not [text for text in texts if "knowact.worlds.everyday" in text]

    def test_only_a_phone_call_ends_the_conversation(self) -> None:
        assert {name for name, one in OPERATIONS.items() if one.ends} == {"call_phone_by_number"}


class TestAnyCalls:
    @pytest.mark.parametrize("rules", list(Rules))
    @settings(deadline=None, max_examples=60)
    @given(sequence=MANY)
    def test_results_fit_their_shape_and_the_state_stays_in_range(
        self, rules: Rules, sequence: Sequence[Call]
    ) -> None:
        session = opened(rules)
        for call in sequence:
            step = session.do(call)
            assert fits(step, rules), step
            assert in_range(session, rules)
            assert (step.fault is None) == step.observation.ok

    @pytest.mark.parametrize("rules", list(Rules))
    @settings(deadline=None, max_examples=150)
    @given(call=hostile_calls())
    def test_no_exception_leaves_a_tool(self, rules: Rules, call: Call) -> None:
        session = opened(rules)
        step = session.do(call)
        assert fits(step, rules), step
        assert in_range(session, rules)
        assert step.observation.text()

    @settings(deadline=None, max_examples=60)
    @given(MANY)
    def test_a_call_that_failed_has_changed_nothing(self, sequence: Sequence[Call]) -> None:
        session = opened()
        for call in sequence:
            before = session.snapshot()
            step = session.do(call)
            if not step.observation.ok or OPERATIONS[call.tool].kind != "set":
                assert (session.snapshot(), step.changes) == (before, ())

    @pytest.mark.parametrize("rules", list(Rules))
    @settings(deadline=None, max_examples=40)
    @given(sequence=MANY)
    def test_the_same_calls_lead_to_the_same_steps_and_digest(
        self, rules: Rules, sequence: Sequence[Call]
    ) -> None:
        one, other = opened(rules), opened(rules)
        for call in sequence:
            one.do(call)
        for step in one.steps:
            other.do(step.call)
        assert one.steps == other.steps
        assert one.digest() == other.digest()

    @pytest.mark.parametrize("rules", list(Rules))
    @settings(deadline=None, max_examples=40)
    @given(sequence=MANY)
    def test_the_changes_of_all_steps_lead_from_the_first_state_to_the_last(
        self, rules: Rules, sequence: Sequence[Call]
    ) -> None:
        session = opened(rules)
        state = dict(session.snapshot())
        for call in sequence:
            for change in session.do(call).changes:
                assert state[change.name] == change.before
                state[change.name] = change.after
        assert state == session.snapshot()

    @settings(deadline=None, max_examples=40)
    @given(MANY)
    def test_equal_states_have_equal_digests_and_others_have_not(self, sequence: Sequence[Call]) -> None:
        session, untouched = opened(), opened()
        for call in sequence:
            session.do(call)
        same = session.snapshot() == untouched.snapshot()
        assert (session.digest() == untouched.digest()) == same


class TestCalls:
    @pytest.mark.parametrize("rules", list(Rules))
    def test_an_unknown_tool_is_a_problem_that_nobody_counts(self, rules: Rules) -> None:
        step = opened(rules).do(Call("fly"))
        assert step.observation.problem is not None
        assert step.observation.problem.code == "unknown_tool"
        assert (step.fault, step.changes) == (Fault.UNLOGGED, ())

    def test_arguments_that_could_not_be_read_are_a_problem(self) -> None:
        step = opened().do(Call("set_fan_speed", None))
        assert step.observation.problem is not None
        assert step.observation.problem.code == "bad_arguments"
        assert step.fault is Fault.RAISED

    def test_three_point_zero_is_three(self) -> None:
        step = opened().do(Call("set_fan_speed", {"level": 3.0}))
        assert [(change.before, change.after) for change in step.changes] == [(0, 3)]
        assert step.observation.text() == '{"level": 3, "changed": true}'

    def test_later_calls_see_what_earlier_ones_did(self) -> None:
        session = opened()
        session.call(Call("set_fan_speed", {"level": 2}))
        assert session.call(Call("get_climate_settings")).value["fan_speed"] == 2

    def test_one_session_knows_nothing_of_another(self) -> None:
        world = CarWorld()
        one, other = world.open({}, 0), world.open({}, 0)
        plan = {"command": "create", "plan_id": "p", "title": "t", "steps": [{"step_description": "s"}]}
        one.call(Call("set_fan_speed", {"level": 2}))
        one.call(Call("planning_tool", plan))
        assert other.call(Call("get_climate_settings")).value["fan_speed"] == 0
        assert other.call(Call("planning_tool", {"command": "list"})).value["plans"] == []

    def test_plans_are_no_part_of_the_state(self) -> None:
        session = opened()
        before = session.digest()
        plan = {"command": "create", "plan_id": "p", "title": "t", "steps": [{"step_description": "s"}]}
        assert session.call(Call("planning_tool", plan)).ok
        assert session.digest() == before

    def test_a_phone_call_ends_the_conversation_and_a_failed_one_does_not(self) -> None:
        session = opened()
        session.call(Call("call_phone_by_number", {"phone_number": "0"}))
        assert not session.ended
        number = next(iter(session.car.databases.contacts.values())).phone_number
        session.call(Call("call_phone_by_number", {"phone_number": number}))
        assert session.ended
        assert session.snapshot()["phone_numbers_called"] == [number]


class TestSetup:
    def test_state_context_and_calendar_are_set_by_name(self) -> None:
        session = opened(fan_speed=2, car_color="RED", calendar_id="cal_1234")
        assert session.call(Call("get_car_color")).value == {"car_color": "RED"}
        assert session.car.calendar_id == "cal_1234"
        assert session.snapshot()["fan_speed"] == 2

    def test_every_one_of_the_43_keys_is_taken(self) -> None:
        usual = opened()
        setup: dict[str, Any] = {**usual.snapshot(), **usual.car.context.model_dump(mode="json")}
        assert len(setup) == 43
        again = opened(**setup)
        assert again.digest() == usual.digest()
        assert again.car.context == usual.car.context

    def test_an_unknown_key_is_refused_with_the_near_ones(self) -> None:
        with pytest.raises(UnknownName, match="fan_speed"):
            opened(fanspeed=2)

    @pytest.mark.parametrize(("name", "value"), [("calendar_id", 3), ("waypoints_id", 3), ("fan_speed", 9)])
    def test_a_wrong_value_is_refused_by_name(self, name: str, value: Any) -> None:
        with pytest.raises(BadUsage, match=name):
            CarWorld().open({name: value}, 0)

    @pytest.mark.parametrize("stops", [3, "ab", {"a": "b"}, [1, 2], ["loc_mun_9995"], []])
    def test_a_guidance_that_no_tool_could_have_set_is_refused(self, stops: Any) -> None:
        with pytest.raises(BadUsage, match="waypoints_id"):
            CarWorld().open({"navigation_active": True, "waypoints_id": stops}, 0)

    def test_the_context_shows_where_and_when_and_nothing_else(self) -> None:
        assert opened().context() == {
            "current_location": '{"id":"loc_mun_9995","name":"Munich",'
            '"position":{"longitude":11.5755,"latitude":48.1372}}',
            "current_datetime": '{"year":2025,"month":2,"day":14,"hour":12,"minute":0}',
        }
