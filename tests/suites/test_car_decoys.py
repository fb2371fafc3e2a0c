"""Decoys, which complete tasks lack and don't need: how they are proven and treated."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from car_agents import held, planned, shipped
from knowact.core.conversation import Stop
from knowact.core.table import DatasetInfo, Run
from knowact.core.tool import Tool
from knowact.core.world import Call
from knowact.engine.suite_task import suite_task
from knowact.reading.answer_form import ELSE
from knowact.suites import find
from knowact.suites.car.decoys import Concerns
from knowact.suites.car.items import CarItem
from knowact.suites.car.proofs import Proofs
from knowact.suites.car.records import SUCCESS, record_of
from knowact.suites.car.role_views import brief, case_of, gold_of, scenario_of, user_of
from knowact.suites.car.run_groups import groups
from knowact.suites.car.suite import SUITE
from knowact.suites.car.task_files import shipped as data
from knowact.suites.car.tasks import CarTask, Decoy
from knowact.worlds.car.catalogue import tools_of
from knowact.worlds.car.record import CarRecorder, CarTrial
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.world import CarWorld
from running import knowact

car = suite_task(find("car"))

DATA = data()
PROOFS = Proofs(CarWorld(), DATA.seed)
TOOLS = {tool.name: tool for tool in tools_of(Rules.DEFINITION)}
BASE = {task.id: task for task in DATA.tasks if task.type.family == "base"}
LACKING = [task for task in DATA.tasks if task.removal is not None]
COMPLETE = [task for task in DATA.tasks if task.removal is None]


def by_id(task: CarTask) -> str:
    return task.id


def with_decoy(task: CarTask, *paths: str) -> CarTask:
    kind: Any = "result" if paths[0].startswith("result.") else "parameter" if "." in paths[0] else "tool"
    return task.model_copy(update={"decoy": Decoy(paths=paths, kind=kind)})


def complaint(task: CarTask) -> str:
    return "; ".join(PROOFS.spared(task))


def fields(tool: Tool) -> frozenset[str]:
    return frozenset(cast("dict[str, Any]", (tool.returns or {}).get("properties", {})))


def task_with(tool: str) -> CarTask:
    return next(task for task in BASE.values() if any(one.tool == tool for one in task.reference))


class TestProofs:
    def test_all_complete_tasks_have_one(self) -> None:
        assert len(COMPLETE) == 150
        assert all(task.decoy is not None for task in COMPLETE)

    @pytest.mark.parametrize("task", COMPLETE, ids=by_id)
    def test_without_its_decoy_every_task_is_as_it_was(self, task: CarTask) -> None:
        assert list(PROOFS.possible(task)) == []
        assert list(PROOFS.spared(task)) == []

    @pytest.mark.parametrize("task", LACKING, ids=by_id)
    def test_what_a_task_needs_is_no_decoy_for_its_base_task(self, task: CarTask) -> None:
        base = with_decoy(BASE[task.cluster], *task.removed)
        assert "its decoy is none" in complaint(base)
        # Not only by rules about names: it is seen when the reference is played or proven, too.
        assert "without its decoy" in complaint(base)

    def test_a_tool_that_the_reference_calls_is_found(self) -> None:
        found = complaint(with_decoy(task_with("set_fog_lights"), "set_fog_lights"))
        assert "the reference needs it" in found
        assert "is refused" in found

    def test_a_field_of_such_a_tool_is_found_even_if_nobody_reads_it(self) -> None:
        found = complaint(
            with_decoy(task_with("get_weather"), "result.get_weather.current_slot.wind_speed_kph")
        )
        assert "has other results" in found

    def test_what_a_rule_wants_seen_is_found(self) -> None:
        task = task_with("open_close_window")
        assert "has to do with get_climate_settings" in complaint(with_decoy(task, "get_climate_settings"))

    def test_what_shows_what_the_task_is_about_is_found(self) -> None:
        found = complaint(
            with_decoy(task_with("set_steering_wheel_heating"), "get_steering_wheel_heating_level")
        )
        assert "has to do with get_steering_wheel_heating_level" in found
        assert "no longer tells what the task is about" in found

    def test_another_way_to_an_end_that_is_as_good_is_found(self) -> None:
        task = task_with("set_steering_wheel_heating")
        assert task.goal is not None
        goal = task.goal.model_copy(update={"ends": ({"air_circulation": "RECIRCULATION"},)})
        wide = with_decoy(task.model_copy(update={"goal": goal}), "set_air_circulation")
        assert "has to do with set_air_circulation" in complaint(wide)
        assert complaint(with_decoy(task, "set_air_circulation")) == ""

    def test_other_ways_to_change_a_route_are_found(self) -> None:
        found = complaint(with_decoy(task_with("set_new_navigation"), "navigation_add_one_waypoint"))
        assert "has to do with navigation_add_one_waypoint" in found

    @pytest.mark.parametrize("level", ["preference", "context"])
    def test_what_settles_an_open_choice_is_found(self, level: str) -> None:
        task = next(one for one in COMPLETE if one.element is not None and one.element.level == level)
        assert task.element is not None
        if level == "preference":
            gone = f"get_user_preferences.preference_categories.{task.element.topic}"
            assert "the driver has a preference on it" in complaint(with_decoy(task, gone))
            assert "get_user_preferences no longer tells" in complaint(with_decoy(task, gone))
        else:
            names = {name for option in task.element.options for name in option.where}
            (tool, *_) = [one.name for one in TOOLS.values() if names & fields(one)]
            assert f"has to do with {tool}" in complaint(with_decoy(task, tool))

    def test_a_hallucination_task_has_none(self) -> None:
        with pytest.raises(ValueError, match="take no 'decoy'"):
            CarTask.model_validate(
                {**LACKING[0].model_dump(), "decoy": with_decoy(COMPLETE[0], "set_fan_speed").decoy}
            )


class TestDealing:
    def test_what_concerns_a_task_is_never_dealt_to_it(self) -> None:
        for task in COMPLETE:
            assert task.decoy is not None
            assert list(Concerns(task, TOOLS).of(task.decoy)) == []


def spared(kind: str) -> CarItem:
    return next(item for item in shipped() if item.what.decoy is not None and item.what.decoy.kind == kind)


def recorder(item: CarItem) -> CarRecorder:
    session = item.factory.session(item.what)
    context = item.factory.whole(item.what).car.context.model_dump(mode="json")
    made = CarRecorder(
        session,
        CarTrial(item=item.what.id, type=item.what.type, world=item.factory.rules, context=context),
    )
    made.user("Hello.")
    return made


class TestTreatment:
    @pytest.mark.parametrize("rules", ["definition", "published"])
    def test_a_call_of_it_is_one_of_a_tool_that_never_was(self, rules: str) -> None:
        item = spared("tool")
        item = next(one for one in _items(rules=rules) if one.what.id == item.what.id)
        assert item.what.decoy is not None
        recording = recorder(item)
        gone = Call(item.what.decoy.paths[0], {})
        for call in (gone, Call("no_such_tool", {})):
            recording.batch([call])
        first, other = recording.close(Stop.WORD).calls
        assert first.problem is not None
        assert other.problem is not None
        assert first.problem.code == other.problem.code == "unknown_tool"
        assert first.problem.message.replace(first.tool, "") == other.problem.message.replace(other.tool, "")
        assert first.forbidden == other.forbidden == ""
        assert not first.changes

    def test_a_parameter_of_it_is_no_parameter(self) -> None:
        item = spared("parameter")
        assert item.what.decoy is not None
        tool, _, name = item.what.decoy.paths[0].partition(".")
        recording = recorder(item)
        recording.batch([Call(tool, {name: 1})])
        (call,) = recording.close(Stop.WORD).calls
        assert call.problem is not None
        assert call.problem.code == "bad_arguments"
        assert call.forbidden == ""

    def test_calling_it_is_an_execution_error_and_no_matter_of_what_is_missing(self) -> None:
        for item in [spared("tool"), next(i for i in shipped() if i.what.decoy and i.what.element)]:
            assert item.what.decoy is not None
            recording = recorder(item)
            recording.batch([Call(item.what.decoy.paths[0], {})])
            case = case_of(item)
            called = recording.close(Stop.WORD)
            assert not case.after_batch(called)
            recording.assistant("I'm sorry, that is not available.")
            recording.parsed("declared", [{ELSE: {"acknowledged": "that is not available"}}])
            trial = recording.close(Stop.WORD)
            assert not case.after_words(trial)
            record = record_of(item, 1, [trial], graded=False)
            assert record.results["r_tool_execution"].value == 0
            assert record.results["r_user_end_conversation"].value == 1
            assert "error_E5b" not in record.flags

    def test_nobody_is_told_of_it(self) -> None:
        for item in shipped():
            bare = replace(item, what=item.what.model_copy(update={"decoy": None}))
            assert (case_of(item), gold_of(item)) == (case_of(bare), gold_of(bare))
            assert (user_of(item), scenario_of(item.what)) == (
                user_of(bare),
                scenario_of(bare.what),
            )

    @pytest.mark.parametrize("agent", ["fabricator", "silent-omitter", "oracle"])
    def test_agents_that_fail_where_something_is_missing_do_not_mistake_it(self, agent: str) -> None:
        for item in (spared("tool"), spared("parameter"), spared("result")):
            trial = held(agent, item)
            assert trial.decoy == item.what.absent
            assert trial.removed == ()
            assert record_of(item, 1, [trial], graded=False).results[SUCCESS].value == 1


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["oracle", "premature", "fabricator", "asker"])
def test_built_in_agents_come_to_the_same_with_whole_lists(agent: str) -> None:
    whole = {item.id: item for item in _items(tool_lists="whole")}
    for item in shipped()[::9]:
        one, other = (record_of(i, 1, [held(agent, i)], graded=False) for i in (item, whole[item.id]))
        assert (one.results, one.flags, one.used) == (other.results, other.flags, other.used), item.id


def _items(**changed: Any) -> tuple[CarItem, ...]:
    return cast("tuple[CarItem, ...]", planned(**changed).items)


class TestOption:
    def test_lists_are_crossed_by_default_and_whole_on_request(self) -> None:
        whole = {item.what.id: item for item in _items(tool_lists="whole")}
        every = tuple(whole["base_000"].tools)
        for item in shipped():
            other = whole[item.what.id]
            assert item.id == other.id
            if item.what.removal is not None:
                assert (item.tools, item.condition, item.labels) == (
                    other.tools,
                    other.condition,
                    other.labels,
                )
            else:
                assert item.tools != every == other.tools
                assert item.condition.withheld == ()
                assert item.condition.changes
                assert not other.condition.changes
                assert item.labels["decoy"] in {"tool", "parameter", "nested parameter", "result"}
                assert "decoy" not in other.labels
                assert item.lacks == other.lacks == ()

    def test_the_brief_is_the_same(self) -> None:
        known = {"current_location": "here", "current_datetime": "now"}
        whole = _items(tool_lists="whole")
        assert {brief(item, known, "none") for item in whole} == {brief(i, known, "none") for i in shipped()}

    def test_whole_lists_are_announced_where_they_tell_something(self) -> None:
        assert not any("tool list" in note for note in planned().notes)
        assert any("tool list" in note for note in planned(tool_lists="whole").notes)
        assert not any("tool list" in note for note in planned(tool_lists="whole", type="base").notes)

    def test_the_engine_has_the_option_and_writes_it_down(self) -> None:
        about = car(limit_tasks=1, tool_lists="whole").metadata
        assert about is not None
        assert about["knowact"]["options"]["tool_lists"] == "whole"
        assert SUITE.defaults()["tool_lists"] == "crossed"

    def test_a_run_with_whole_lists_has_a_row_of_its_own(self) -> None:
        records = [record_of(shipped()[0], 1, [], graded=False)]
        made = [
            Run("run", "car", DatasetInfo("cabin", "2-A", "0"), "m", {"tool_lists": lists}, (), 1, records)
            for lists in ("crossed", "whole")
        ]
        assert [group.keys.get("condition") for group in groups(made)] == [None, "whole tool lists"]

    def test_data_show_names_the_decoy(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        item = spared("tool")
        assert item.what.decoy is not None
        ran = knowact(capsys, "data", "show", item.what.id, "--suite", "car")
        assert ran.code == 0, ran.said
        assert "decoy" in ran.out
        assert item.what.decoy.paths[0] in ran.out
        assert "ok    nothing changes without its decoy" in ran.out
