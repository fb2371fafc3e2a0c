"""What was taken away: gone under the definition, noted and carried out all the same as published."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from car_calls import hostile_calls
from knowact.core.condition import Hide, Mask
from knowact.core.errors import BadUsage
from knowact.core.proof import values_at
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation
from knowact.worlds.car.catalogue import OPERATIONS
from knowact.worlds.car.removal import (
    REMOVED_PARAMETER,
    REMOVED_TOOL,
    LimitedState,
    removed,
    variants,
)
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.world import CarWorld
from knowact.worlds.check import examples_of
from knowact.worlds.overlay import masked
from knowact.worlds.paths import supplied

TOOLS = [operation.tool for operation in OPERATIONS.values()]
VARIANTS = [path for tool in TOOLS for path in variants(tool)]
PREFERENCES = "get_user_preferences.preference_categories"


def limited(*paths: str, rules: Rules = Rules.DEFINITION, **setup: Any) -> LimitedState:
    session = CarWorld(rules).open(setup, 0)
    return LimitedState(session, removed(paths, session.tools()))


def shown(session: LimitedState, name: str) -> Tool:
    return next(tool for tool in session.tools() if tool.name == name)


class TestVariants:
    def test_each_tool_can_be_removed_whole_or_in_parts(self) -> None:
        assert variants(OPERATIONS["set_seat_heating"].tool) == (
            "set_seat_heating",
            "set_seat_heating.level",
            "set_seat_heating.seat_zone",
            "result.set_seat_heating.level",
            "result.set_seat_heating.seat_zone",
            "result.set_seat_heating.changed",
        )

    def test_nested_parameters_and_results_are_among_them(self) -> None:
        assert f"{PREFERENCES}.vehicle_settings.climate_control" in VARIANTS
        assert "planning_tool.steps.step_description" in VARIANTS
        assert "result.get_seats_occupancy.seats_occupied.driver" in VARIANTS

    def test_every_variant_reads_back_to_the_change_that_it_names(self) -> None:
        found = removed(VARIANTS, TOOLS)
        assert len(found.changes) == len(VARIANTS)
        assert found.condition().withheld == tuple(VARIANTS)
        assert sum(isinstance(change, Hide) for change in found.changes) == 58

    @pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
    def test_every_variant_leaves_no_trace_of_its_part_in_what_is_shown(self, tool: Tool) -> None:
        # Behind the parts that are named come those of other tools that would tell them.
        for path, change in zip(variants(tool), removed(variants(tool), TOOLS).changes, strict=False):
            if not isinstance(change, Mask):
                continue
            by_result = change.part == "result"
            names = frozenset({change.name})
            left = masked(tool, frozenset() if by_result else names, names if by_result else frozenset())
            assert path not in variants(left)
            assert set(variants(left)) < set(variants(tool))

    @pytest.mark.parametrize(
        "path", ["fly", "set_fan_speed.speed", "result.set_fan_speed", "result.set_fan_speed.x", "result", ""]
    )
    def test_what_is_not_there_cannot_be_removed(self, path: str) -> None:
        with pytest.raises(BadUsage, match="cannot be removed"):
            removed([path], TOOLS)


class TestPublishedShapes:
    """Parts of results that the original names by ids and arguments, and our results don't."""

    @pytest.mark.parametrize(
        ("path", "tool", "ours"),
        [
            ("get_contact_information.con_1234", "get_contact_information", "contacts"),
            ("get_contact_information.con_1234.email", "get_contact_information", "contacts[].email"),
            ("get_contact_id_by_contact_name.id", "get_contact_id_by_contact_name", "matches[].id"),
            ("get_contact_id_by_contact_name.matches", "get_contact_id_by_contact_name", "matches"),
            (
                "get_contact_id_by_contact_name.matches.con_1234",
                "get_contact_id_by_contact_name",
                "matches[].name",
            ),
            (
                "get_distance_by_soc.distance_km_for_60_until_10_percent_soc",
                "get_distance_by_soc",
                "distance_km",
            ),
            (
                "calculate_charging_time_by_soc.time_from_20_until_80_percent_soc",
                "calculate_charging_time_by_soc",
                "charging_times[].minutes",
            ),
            (
                "calculate_charging_soc_by_time.soc_in_percent_after_charging_for_30min",
                "calculate_charging_soc_by_time",
                "state_of_charge",
            ),
        ],
    )
    def test_lead_to_the_same_part_of_ours(self, path: str, tool: str, ours: str) -> None:
        found = removed([f"result.{path}"], TOOLS)
        assert found.paths == (f"result.{path}",)
        assert found.changes == (Mask(tool=tool, part="result", name=ours),)

    def test_what_is_like_none_of_them_is_refused(self) -> None:
        for path in ("get_contact_information.con_1234x", "get_contact_information.con_1234.shoe_size"):
            with pytest.raises(BadUsage, match="cannot be removed"):
                removed([f"result.{path}"], TOOLS)

    def test_a_missing_address_reads_unknown_as_published(self) -> None:
        contact = next(iter(CarWorld().open({}, 0).car.databases.contacts.values()))
        session = limited(f"result.get_contact_information.{contact.id}.email", rules=Rules.PUBLISHED)
        told = session.call(Call("get_contact_information", {"contact_ids": [contact.id]})).value["contacts"]
        assert [(one["email"], one["id"]) for one in told] == [("unknown", contact.id)]


class TestDefinition:
    def test_a_removed_tool_is_unknown_and_its_use_is_noted(self) -> None:
        session = limited("set_fan_speed")
        step = session.do(Call("set_fan_speed", {"level": 3}))
        assert step.observation.problem is not None
        assert step.observation.problem.code == "unknown_tool"
        assert (step.forbidden, step.changes) == (REMOVED_TOOL, ())
        assert session.snapshot()["fan_speed"] == 0
        assert len(session.tools()) == 57

    def test_a_removed_parameter_is_refused_and_its_use_is_noted(self) -> None:
        session = limited("set_seat_heating.seat_zone")
        assert list(shown(session, "set_seat_heating").properties) == ["level"]
        step = session.do(Call("set_seat_heating", {"level": 1, "seat_zone": "DRIVER"}))
        assert (step.observation.ok, step.forbidden, step.changes) == (False, REMOVED_PARAMETER, ())

    def test_without_it_the_tool_fails_and_does_not_name_what_is_gone(self) -> None:
        step = limited("set_seat_heating.seat_zone").do(Call("set_seat_heating", {"level": 1}))
        assert not step.observation.ok
        assert step.forbidden == ""
        assert "seat_zone" not in step.observation.text()

    def test_a_nested_parameter_is_gone_alone(self) -> None:
        session = limited(f"{PREFERENCES}.vehicle_settings.climate_control")
        tool = shown(session, "get_user_preferences")
        assert variants(tool).count(f"{PREFERENCES}.vehicle_settings.vehicle_settings") == 1
        gone = {"vehicle_settings": {"climate_control": True}}
        kept = {"vehicle_settings": {"vehicle_settings": True}}
        step = session.do(Call("get_user_preferences", {"preference_categories": gone}))
        assert (step.observation.ok, step.forbidden) == (False, REMOVED_PARAMETER)
        assert session.do(Call("get_user_preferences", {"preference_categories": kept})).observation.ok

    def test_a_parameter_inside_a_list_is_gone_in_every_element(self) -> None:
        session = limited("planning_tool.steps.step_dependent_on")
        steps: list[dict[str, Any]] = [{"step_description": "a"}, {"step_description": "b"}]
        plan = {"command": "create", "plan_id": "p", "title": "t", "steps": steps}
        assert session.do(Call("planning_tool", plan)).observation.ok
        steps[1]["step_dependent_on"] = [0]
        step = session.do(Call("planning_tool", {**plan, "plan_id": "q"}))
        assert (step.observation.ok, step.forbidden) == (False, REMOVED_PARAMETER)

    def test_a_removed_part_of_a_result_is_not_there(self) -> None:
        session = limited("result.get_vehicle_window_positions.window_driver_position")
        told = session.call(Call("get_vehicle_window_positions")).value
        assert "window_driver_position" not in told
        assert len(told) == 4

    @pytest.mark.parametrize(
        ("part", "tool"),
        [
            ("result.get_climate_settings.fan_speed", "set_fan_speed"),
            ("result.get_temperature_inside_car.climate_temperature_driver", "set_climate_temperature"),
            ("get_reading_lights_status", "set_reading_light"),
            ("get_vehicle_window_positions", "open_close_window"),
        ],
    )
    def test_with_a_reading_goes_what_setting_it_would_tell(self, part: str, tool: str) -> None:
        session = limited(part)
        assert f"result.{tool}.changed" not in variants(shown(session, tool))
        (example, *_) = [one for one in examples_of("knowact.worlds.car") if one.tool == tool]
        step = session.do(Call(tool, example.arguments))
        assert step.observation.ok
        assert "changed" not in step.observation.value
        assert step.changes, "the record still says it"
        kept = session.call(Call("set_fog_lights", {"on": True}))
        assert kept.value["changed"] is True, "nobody withheld the lights"

    def test_taking_a_writing_tool_away_takes_nothing_else(self) -> None:
        names = (("set_fan_speed", "set_fan_speed.level", "result.set_fan_speed.level"), ("get_car_color",))
        for path in (path for some in names for path in some):
            assert len(removed([path], TOOLS).changes) == 1

    def test_what_is_left_works_as_before(self) -> None:
        session = limited("set_fan_speed", "result.get_climate_settings.fan_speed")
        step = session.do(Call("open_close_sunroof", {"percentage": 40}))
        assert [change.name for change in step.changes] == ["sunroof_position"]
        assert session.steps == (step,)
        assert session.digest() != limited("set_fan_speed").digest()

    def test_the_context_never_names_what_was_removed(self) -> None:
        assert limited("set_fan_speed").context() == CarWorld().open({}, 0).context()


class TestPublished:
    def test_a_removed_tool_still_works_and_its_use_is_noted(self) -> None:
        session = limited("set_fan_speed", rules=Rules.PUBLISHED)
        step = session.do(Call("set_fan_speed", {"level": 3}))
        assert (step.observation.ok, step.forbidden) == (True, REMOVED_TOOL)
        assert session.snapshot()["fan_speed"] == 3
        assert "set_fan_speed" not in {tool.name for tool in session.tools()}

    def test_a_removed_parameter_still_works_and_its_use_is_noted(self) -> None:
        session = limited("set_seat_heating.seat_zone", rules=Rules.PUBLISHED)
        step = session.do(Call("set_seat_heating", {"level": 1, "seat_zone": "DRIVER"}))
        assert (step.observation.ok, step.forbidden) == (True, REMOVED_PARAMETER)

    def test_without_it_the_agent_is_told_that_it_is_removed(self) -> None:
        step = limited("set_fan_speed.level", rules=Rules.PUBLISHED).do(Call("set_fan_speed", {}))
        assert step.observation.problem is not None
        assert "'level' is removed" in step.observation.problem.message
        assert step.forbidden == ""

    def test_a_removed_part_of_a_result_reads_unknown(self) -> None:
        session = limited(
            "result.get_seats_occupancy.seats_occupied.driver",
            "result.get_climate_settings.fan_speed",
            rules=Rules.PUBLISHED,
        )
        assert session.call(Call("get_seats_occupancy")).value["seats_occupied"]["driver"] == "unknown"
        assert session.call(Call("get_climate_settings")).value["fan_speed"] == "unknown"

    def test_a_phone_call_still_ends_the_conversation(self) -> None:
        session = limited("set_fan_speed", rules=Rules.PUBLISHED)
        session.call(Call("call_phone_by_number", {"phone_number": "anything"}))
        assert session.ended


def results_without(tool: Tool, rules: Rules) -> Iterator[tuple[Observation, str]]:
    """Yield what every successful worked example shows without each part of its result, and that part."""
    known = CarWorld(rules).open({}, 0).tools()
    shown_there = next((one for one in known if one.name == tool.name), None)
    for path in variants(shown_there)[1:] if shown_there else ():
        change = removed([path], known).changes[0]
        assert isinstance(change, Mask)
        for example in examples_of("knowact.worlds.car"):
            if change.part == "result" and example.tool == tool.name and not example.problem:
                session = CarWorld(rules).open(example.setup, example.seed)
                call = Call(example.tool, example.arguments)
                yield LimitedState(session, removed([path], known)).call(call), change.name


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
class TestWorkedExamples:
    def test_under_the_definition_a_removed_part_of_a_result_is_nowhere(self, tool: Tool) -> None:
        seen = list(results_without(tool, Rules.DEFINITION))
        assert seen
        assert all(one.ok and not supplied(one.value, name) for one, name in seen)

    def test_as_published_a_removed_part_of_a_result_reads_unknown_everywhere(self, tool: Tool) -> None:
        for one, name in results_without(tool, Rules.PUBLISHED):
            assert set(values_at(one.value, name)) <= {"unknown"}


@pytest.mark.parametrize("rules", list(Rules))
@settings(deadline=None, max_examples=60)
@given(call=hostile_calls(), path=st.sampled_from(VARIANTS))
def test_no_exception_leaves_a_limited_session(rules: Rules, call: Call, path: str) -> None:
    session = CarWorld(rules).open({}, 0)
    known = [operation.tool for operation in OPERATIONS.values()]
    step = LimitedState(session, removed([path], known)).do(call)
    assert step.observation.text()
