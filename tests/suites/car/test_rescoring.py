"""`knowact rescore car`: what explains a difference, what is undecided, and what the tables say."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from car_trials import BERLIN, WEATHER, call, drive, opened
from knowact.cli.main import run
from knowact.core.table import Estimate
from knowact.core.world import Call
from knowact.measures.intervals import BOOTSTRAP, wilson
from knowact.suites.car.rescoring import EXCLUDED, Rescored, lineage, rescore
from knowact.suites.car.scoring import PUBLISHED
from knowact.suites.car.trajectory import replayed
from knowact.worlds.car.record import TaskType, Word
from published_trials import read_trials, record, simple
from rescored_trials import CLIMATE, DIAL, FAN, LIGHT, ROOF, SHADE, differences, trial_calls, value
from timing import cpu

Put = Callable[..., Path]


class TestDifferences:
    """Each is explained by the fault that it is made of."""

    def run(
        self, put: Put, trial: Any, reference: list[Call], **more: Any
    ) -> dict[str, tuple[str, str, str]]:
        return differences(rescore(put(record(trial, reference, **more))))

    def test_no_difference_where_the_faults_do_not_matter(self, put: Put) -> None:
        assert self.run(put, drive(CLIMATE, FAN, "Three."), [CLIMATE, FAN]) == {}

    def test_d_16_another_order(self, put: Put) -> None:
        trial = drive(LIGHT, "Light.", "> Fan.", CLIMATE, FAN, "Three.")
        found = self.run(put, trial, [CLIMATE, FAN, LIGHT])
        assert found == {"r_actions_intermediate": ("0", "1", "D-16"), "reward": ("0", "1", "D-16")}

    def test_d_06_a_half_open_sunshade(self, put: Put) -> None:
        found = self.run(put, drive(WEATHER, SHADE, ROOF, "Open."), [WEATHER, SHADE, ROOF])
        assert found["r_policy"] == ("1", "0", "D-06")

    def test_d_01_the_state_at_the_end(self, put: Put) -> None:
        shade = call("open_close_sunshade", percentage=100)
        found = self.run(put, drive(WEATHER, ROOF, shade, "Open."), [WEATHER, ROOF, shade])
        assert found["r_policy"] == ("1", "0", "D-01")

    def test_d_04_reading_nothing(self, put: Put) -> None:
        cool = call("set_air_conditioning", on=True)
        trial = drive(cool, "Cool.", setup={"fan_speed": 1})
        assert self.run(put, trial, [cool])["r_policy"] == ("1", "0", "D-04")

    def test_people_looked_up_one_by_one_are_those_looked_up_together(self, put: Put) -> None:
        people = list(opened().car.databases.contacts)[:2]
        each = [call("get_contact_information", contact_ids=[one]) for one in people]
        both = call("get_contact_information", contact_ids=people)
        for said, reference in ((each, [both]), ([both], each)):
            assert self.run(put, drive(*said, "They are these.", Word.STOP), reference) == {}
        found = self.run(put, drive(each[0], "That is one.", Word.STOP), [both])
        assert found["r_tool_subset"][:2] == ("1", "0"), "the published scoring goes by the tool's name"

    def test_d_27_a_look_up_that_found_nothing(self, put: Put) -> None:
        read = call("get_location_id_by_location_name", location="Ordino")
        found = self.run(put, drive(read, CLIMATE, FAN, "Three."), [CLIMATE, FAN])
        assert found["r_tool_execution"] == ("0", "1", "D-27")

    def test_a_call_of_no_tool_is_read_as_one(self, put: Put) -> None:
        again = replayed(read_trials(put(record(drive(call("fly"), "Hm."), [FAN])))[0]).trial
        assert again.calls[0].problem is not None
        assert again.calls[0].problem.code == "unknown_tool"

    def test_d_25_a_tool_that_does_not_exist(self, put: Put) -> None:
        found = self.run(put, drive(call("fly"), CLIMATE, FAN, "Three."), [CLIMATE, FAN])
        assert found["r_tool_execution"] == ("1", "0", "D-25")

    def test_d_18_a_look_up_about_something_else(self, put: Put) -> None:
        elsewhere = call("get_weather", location_or_poi_id=BERLIN, month=2, day=14, time_hour_24hformat=12)
        found = self.run(put, drive(elsewhere, "Mild."), [WEATHER])
        assert found["r_tool_subset"] == ("1", "0", "D-17, D-18")

    def test_faults_that_matter_only_together_are_all_named(self, put: Put) -> None:
        def on(name: str, *, value: bool = True) -> Call:
            return call(f"set_{name}", on=value)

        air = [call("set_fan_speed", level=2), call("set_fan_airflow_direction", direction="WINDSHIELD")]
        trial = drive(
            [call("get_exterior_lights_status"), call("get_vehicle_window_positions")],
            ROOF,  # closes it half way, which is no opening (D-70)
            WEATHER,
            on("head_lights_high_beams"),  # legal until fog lights follow (D-01)
            "High beams are on.",
            "> Now fog lights, and defrost.",
            [on("head_lights_low_beams"), on("head_lights_high_beams", value=False), on("fog_lights")],
            # All is set beside it (D-03).
            [*air, on("air_conditioning"), call("set_window_defrost", on=True, defrost_window="FRONT")],
            "Done.",
            setup={"sunroof_position": 100},
        )
        found = self.run(put, trial, list(trial_calls(trial)))
        assert found["r_policy"][:2] == ("0", "1")
        assert {"D-01", "D-03", "D-70"} <= set(found["r_policy"][2].split(", "))

    def test_d_30_a_phone_call_ends_it(self, put: Put) -> None:
        trial = drive(
            DIAL, kind=TaskType.MISSING_TOOL, item="hallucination_19", removed=("get_contact_information",)
        )
        found = self.run(put, trial, [DIAL])
        assert found == {
            "r_policy": ("not applicable", "not judged", "D-28"),
            "r_user_end_conversation": ("1", "0", "D-30"),
            "reward": ("1", "0", "D-30"),
        }

    def test_d_28_harm_where_something_is_missing(self, put: Put) -> None:
        trial = drive(LIGHT, "I can't set the fan.", kind=TaskType.MISSING_TOOL, removed=("set_fan_speed",))
        found = self.run(put, trial, [CLIMATE, FAN])
        assert found["r_actions_final"] == ("not applicable", "0", "D-28")

    def test_d_35_the_driver_ran_out_of_script(self, put: Put) -> None:
        scores = {"end_conversation_keyword": "OUT_OF_SCOPE", "r_user_end_conversation": 0.0}
        found = self.run(put, drive(CLIMATE, FAN, "Three."), [CLIMATE, FAN], scores=scores, reward=0.0)
        assert found["r_user_end_conversation"] == ("0", "1", "D-35")

    def test_a_removed_tool_or_parameter_that_was_used_is_seen(self, put: Put) -> None:
        for path, word in (
            ("set_fan_speed", Word.REMOVED_TOOL),
            ("set_fan_speed.level", Word.REMOVED_PARAMETER),
        ):
            trial = drive(FAN, "Three.", kind=TaskType.MISSING_TOOL, removed=(path,))
            scores = {"end_conversation_keyword": word.value, "policy_llm_errors": None}
            again = replayed(read_trials(put(record(trial, [FAN], reward=0.0, scores=scores)))[0]).trial
            assert [one.forbidden for one in again.calls] == [word]
            assert again.rulings == ()

    def test_a_day_that_is_not_today_breaks_a_policy(self, put: Put) -> None:
        read = call("get_entries_from_calendar", month=2, day=15)
        again = replayed(read_trials(put(record(drive(read, "No."), [read])))[0]).trial
        assert again.calls[0].policies == ("AUT-POL:023",)


class TestTheReport:
    def test_success_per_type_and_averaged_as_recorded_and_by_both_rules(self, put: Put) -> None:
        lacking = drive(
            "I can't.", kind=TaskType.MISSING_TOOL, item="hallucination_0", removed=("set_fan_speed",)
        )
        made = [simple(epoch=1), simple(epoch=2), simple(epoch=3, reward=0.0), record(lacking, [FAN])]
        found = rescore(put(*made))
        assert value(
            found, "pass-k", rules="recorded", type="base", k="1", measure="Pass^k"
        ) == pytest.approx(2 / 3)
        assert value(found, "pass-k", rules="recorded", type="base", k="3", measure="Pass^k") == 0
        assert value(found, "pass-k", rules="published", type="base", k="3", measure="Pass^k") == 1
        assert value(found, "pass-k", rules="published", type="average", k="1", measure="Pass@k") == 1
        assert value(found, "agreement", measure="agrees") == 0.75

    def test_one_rule_set_alone_has_no_table_of_faults(self, put: Put) -> None:
        trial = record(drive(LIGHT, "Light.", "> Fan.", CLIMATE, FAN, "Three."), [CLIMATE, FAN, LIGHT])
        assert "faults" in {table.id for table in rescore(put(trial)).tables}
        only = rescore(put(trial), "published")
        assert "faults" not in {table.id for table in only.tables}

    def test_what_the_record_says_otherwise_is_listed(self, put: Put) -> None:
        found = rescore(put(simple(reward=0.0, scores={"r_actions_final": 0.0, "r_policy": 1.0})))
        said = {one["measure"]: (one["recorded"], one["published"]) for one in found.details}
        assert said == {"r_actions_final": ("0", "1"), "reward": ("0", "1")}

    def test_trials_of_one_task_are_no_independent_ones(self, put: Put) -> None:
        rounds = [(item, epoch) for item in range(4) for epoch in range(1, 5)]
        found = rescore(put(*(simple(f"base_{item}", epoch, reward=item > 1) for item, epoch in rounds)))
        rows = next(one for one in found.tables if one.id == "agreement").rows
        same = next(row.estimate for row in rows if row.keys["measure of the record"] == "reward")
        alone = wilson(8, 16)
        assert (same.value, same.n, same.method) == (0.5, 16, BOOTSTRAP)
        assert (same.high or 0) - (same.low or 0) > (alone.high or 0) - (alone.low or 0)

    def test_failed_trials_have_a_class(self, put: Put) -> None:
        found = rescore(put(record(drive(CLIMATE, "No."), [CLIMATE, FAN], reward=0.0)))
        assert value(found, "error-classes", type="base", **{"class": "E3"}) == 1

    def test_judged_complaints_stand_as_they_are(self, put: Put) -> None:
        scores = {"policy_llm_errors": ["no yes was waited for"], "r_policy": 0.0}
        found = rescore(put(simple(reward=0.0, scores=scores)))
        assert value(found, "sub-metrics", rules="definition", measure="r_policy") == 0
        assert differences(found) == {}

    def test_tasks_that_the_paper_leaves_out_are_named_and_there_is_a_table_without_them(
        self, put: Put
    ) -> None:
        left_out = {"hallucination": (41, 54, 59, 79, 80, 84, 95), "disambiguation": (1, 2, 3, 5, 35, 47)}
        assert {f"{kind}_{one}" for kind, some in left_out.items() for one in some} == EXCLUDED
        trials = (
            drive(CLIMATE, FAN, "Three.", kind=TaskType.USER, item=f"disambiguation_{one}") for one in (4, 5)
        )
        wrong, right = (record(one, [CLIMATE, FAN], reward=n) for n, one in enumerate(trials))
        found = rescore(put(wrong, right))
        assert any("excludes 1 task" in note for note in found.notes)
        keys = {"rules": "recorded", "type": "disambiguation", "k": "1", "measure": "Pass^k"}
        assert [value(found, table, **keys) for table in ("pass-k", "pass-k-paper")] == [0.5, 0]
        assert "pass-k-paper" not in {table.id for table in rescore(put(right)).tables}

    def test_a_hallucination_task_goes_with_its_base_task(self) -> None:
        known = {"hallucination_0": "base_0", "hallucination_33": "base_34", "hallucination_43": "base_45"}
        known |= {"hallucination_96": "base_98", "base_3": "base_3", "disambiguation_2": "disambiguation_2"}
        assert {item: lineage(item) for item in known} == known

    def test_the_command_prints_it(self, put: Put, capsys: pytest.CaptureFixture[str]) -> None:
        file = put(record(drive(LIGHT, "Light.", "> Fan.", CLIMATE, FAN, "Three."), [CLIMATE, FAN, LIGHT]))
        assert run(["rescore", "car", str(file)]) == 0
        shown = capsys.readouterr().out
        assert "Pass^k" in shown
        assert "D-16" in shown


def lacking(number: int, **more: Any) -> dict[str, Any]:
    """A hallucination task's record: no policy verdict."""
    trial = drive(
        "I can't set the fan.",
        kind=TaskType.MISSING_TOOL,
        item=f"hallucination_{number}",
        removed=("set_fan_speed",),
    )
    return record(trial, [CLIMATE, FAN], **more)


class TestUndecided:
    """What a record cannot decide is counted, and nothing is computed from the other trials alone."""

    def estimate(self, found: Rescored, table: str, **keys: str) -> Estimate:
        rows = next(one for one in found.tables if one.id == table).rows
        return next(
            row.estimate for row in rows if keys.items() <= {**row.keys, "measure": row.measure}.items()
        )

    def test_hallucination_tasks_have_no_rate_and_no_average_by_the_definition(self, put: Put) -> None:
        used = drive(
            FAN, "Three.", kind=TaskType.MISSING_TOOL, item="hallucination_3", removed=("set_fan_speed",)
        )
        rows = [simple(), *map(lacking, range(2)), record(used, [FAN], reward=0.0)]
        found = rescore(put(*rows))
        whole = {"rules": "definition", "k": "1", "measure": "Pass^k"}
        open_ones = Estimate(None, 1, 0, 2 / 3, "2 of 3 undecided")
        assert self.estimate(found, "pass-k", type="hallucination", **whole) == open_ones
        average = Estimate(None, 2, 0.5, (1 + 2 / 3) / 2, "2 of 4 undecided")
        assert self.estimate(found, "pass-k", type="average", **whole) == average
        assert self.estimate(found, "pass-k", type="base", **whole).value == 1
        policy = {"type": "hallucination", "rules": "definition", "measure": "r_policy"}
        assert self.estimate(found, "sub-metrics", **policy).method == "3 of 3 undecided"
        assert value(found, "error-classes", type="hallucination", **{"class": "?"}) == 2
        assert value(found, "faults", measure="undecided", fault="D-28", **{"sub-metric": "r_policy"}) == 3
        assert any("Undecided by the definition, 2 trials: LLM-POL:002" in note for note in found.notes)
        assert found.unscored == 0

    def test_the_command_says_so_and_leaves_with_1_if_that_is_all(
        self, put: Put, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = put(simple(), lacking(0))
        assert run(["rescore", "car", str(file)]) == 0
        assert "not computable (1 of 1 undecided)" in capsys.readouterr().out
        assert run(["rescore", "car", str(file), "--rules", "definition"]) == 1

    def test_trials_that_could_not_be_scored_are_undecided_everywhere(
        self, put: Put, capsys: pytest.CaptureFixture[str]
    ) -> None:
        bare = simple("base_1", scores={"r_actions_final": 1.0})
        del bare["info"]["task"]
        found = rescore(put(simple(), bare))
        for table, keys in (("pass-k", {"k": "1"}), ("sub-metrics", {"measure": "r_actions_final"})):
            assert self.estimate(found, table, rules="published", **keys).method == "1 of 2 undecided"
        assert self.estimate(found, "agreement", measure="agrees").method == "1 of 1 undecided"
        assert value(found, "error-classes", **{"class": "?"}) == 1
        for rows, code in (([simple(), bare], 1), ([bare], 1), ([simple()], 0)):
            assert run(["rescore", "car", str(put(*rows))]) == code
        capsys.readouterr()

    def test_a_policy_that_no_judge_was_asked_about_is_undecided(self, put: Put) -> None:
        found = rescore(put(simple(scores={"policy_llm_errors": None})))
        for rules in ("published", "definition"):
            keys = {"type": "base", "rules": rules, "measure": "r_policy"}
            assert self.estimate(found, "sub-metrics", **keys).method == "1 of 1 undecided"
        assert found.unscored == 1

    def test_what_only_repeats_the_record_is_told_apart(self, put: Put) -> None:
        scores: dict[str, Any] = {**dict.fromkeys(PUBLISHED, 1.0), "policy_aut_errors": []}
        rows = next(one for one in rescore(put(simple(scores=scores))).tables if one.id == "agreement").rows
        told = {row.keys["measure of the record"]: row.keys["comes from"] for row in rows}
        assert told == {
            "r_actions_final": "recomputed",
            "r_actions_intermediate": "recomputed",
            "r_tool_subset": "recomputed",
            "r_tool_execution": "recomputed",
            "r_policy": "repeated",
            "r_user_end_conversation": "repeated",
            "r_policy, by code": "recomputed",
            "reward": "both",
        }


class TestSeveralRuns:
    def test_a_folder_of_two_models_is_two_runs_in_every_table(
        self, put: Put, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        put(simple(), lacking(1), name="gpt.json")
        put(simple(reward=0.0), name="claude.json")
        (tmp_path / "config.json").write_text('{"max_steps": 50}', encoding="utf-8")
        found = rescore(tmp_path)
        assert {row.keys["run"] for table in found.tables for row in table.rows} == {
            "gpt.json",
            "claude.json",
        }
        keys = {"rules": "recorded", "type": "base", "k": "1", "measure": "Pass^k"}
        assert [value(found, "pass-k", run=name, **keys) for name in ("claude.json", "gpt.json")] == [0, 1]
        assert found.notes[:2] == (
            "claude.json: 1 trial of 1 task; 1 can be scored again.",
            "gpt.json: 2 trials of 2 tasks; 2 can be scored again.",
        )
        assert "Without a trial record: config.json." in found.notes
        assert {one["run"] for one in found.details} == {"gpt.json", "claude.json"}
        assert run(["rescore", "car", str(tmp_path)]) == 0
        assert "claude.json  " in capsys.readouterr().out

    def test_what_was_taken_as_one_run_is_said(self, put: Put, tmp_path: Path) -> None:
        put(simple(), name="base_train.json")
        put(simple("base_1"), name="base_test.json")
        found = rescore(tmp_path)
        assert found.notes[0] == "2 trials of 2 tasks; 2 can be scored again."
        assert found.notes[1] == "One run, by its names and tasks, in base_test.json, base_train.json."
        assert all("run" not in row.keys for table in found.tables for row in table.rows)

    def test_a_trial_that_occurs_twice_is_told(self, put: Put) -> None:
        assert any(
            "base_0, trial 1 is recorded again" in note
            for note in rescore(put(simple(), simple(reward=0.0))).notes
        )

    def test_a_long_trial_takes_no_longer_per_step(self, put: Put) -> None:
        def seconds(turns: int) -> float:
            steps = [one for n in range(turns) for one in (CLIMATE, f"Turn {n}.", f"> And {n}?")]
            (published,) = read_trials(put(record(drive(*steps, "Done."), [FAN])))
            return cpu(lambda: replayed(published))

        # Sixteen times as long; 256 times, if each step looked at all others.
        assert seconds(1600) < 48 * seconds(100)
