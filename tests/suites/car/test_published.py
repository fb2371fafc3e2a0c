"""Published records are read in both shapes; what they answer is told apart as it was counted."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from knowact.core.errors import BadData
from knowact.suites.car.rescoring import rescore
from knowact.suites.car.trajectory import answer_of
from knowact.worlds.car.contract import Fault
from published_trials import competition, read_trials, simple

Put = Callable[..., Path]


class TestReading:
    def test_both_shapes_say_the_same(self, tmp_path: Path, put: Put) -> None:
        records = [simple(), simple("base_1", reward=0.0)]
        own = put(*records)
        other = tmp_path / "competition.json"
        other.write_text(json.dumps(competition(records)), encoding="utf-8")
        first, second = rescore(own), rescore(other)
        assert first.tables == second.tables
        assert first.notes == second.notes

    def test_one_record_per_line_will_do(self, tmp_path: Path) -> None:
        file = tmp_path / "trials.jsonl"
        file.write_text("\n".join(json.dumps(simple(f"base_{n}")) for n in range(2)), encoding="utf-8")
        assert [one.item for one in read_trials(file)] == ["base_0", "base_1"]

    def test_one_record_alone_will_do(self, tmp_path: Path) -> None:
        file = tmp_path / "trial.json"
        file.write_text(json.dumps(simple()), encoding="utf-8")
        assert [one.name for one in read_trials(file)] == ["base_0, trial 1"]

    def test_a_folder_holds_the_files_of_a_run(self, tmp_path: Path, put: Put) -> None:
        put(simple())
        put(simple("base_1"), name="base_test.json")
        assert len(read_trials(tmp_path)) == 2

    def test_nested_values_may_be_text(self, put: Put) -> None:
        assert read_trials(put(simple(as_text=True)))[0].task == read_trials(put(simple()))[0].task

    def test_legacy_files_number_their_tasks(self, put: Put) -> None:
        legacy = simple()
        del legacy["task_index"]
        legacy["task_id"] = 7
        legacy["info"]["task"]["task_id"] = 7
        assert read_trials(put(legacy))[0].item == "base_7"
        del legacy["info"]["task"]
        assert read_trials(put(legacy))[0].item == "base_7"

    @pytest.mark.parametrize("text", ["", "{", '{"a": 1}', "[1]", '[{"task_id": "a"}]', "\x00"])
    def test_what_is_no_result_file_is_refused(self, tmp_path: Path, text: str) -> None:
        file = tmp_path / "x.json"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(BadData, match=r"x\.json"):
            read_trials(file)

    def test_what_is_not_there_or_no_text_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadData, match="no such file"):
            read_trials(tmp_path / "nothing")
        with pytest.raises(BadData, match="no trial record"):
            read_trials(tmp_path)
        (tmp_path / "x.json").write_bytes(b"\xff\xfe\xff")
        with pytest.raises(BadData, match="not UTF-8"):
            read_trials(tmp_path)

    def test_rules_that_do_not_exist_are_refused(self, put: Put) -> None:
        with pytest.raises(ValueError, match="none"):
            rescore(put(simple()), "none")


@pytest.mark.parametrize(
    ("tool", "text", "fault", "code"),
    [
        ("set_fan_speed", '{"status": "SUCCESS", "result": {"level": 1}}', None, ""),
        ("set_fan_speed", '{"status": "FAILURE", "errors": {"a": "b"}}', Fault.LOGGED, "not_found"),
        ("search_poi_along_the_route", '{"errors": {"a": "b"}}', Fault.LOGGED, "not_found"),
        ("search_poi_along_the_route", '{"status": "FAILURE", "errors": {}}', Fault.UNLOGGED, "not_found"),
        ("planning_tool", '{"status": "FAILURE", "errors": {}}', Fault.UNLOGGED, "not_found"),
        ("set_fan_speed", "Error: level", Fault.RAISED, "bad_arguments"),
        ("calculate_math", "Error: no", Fault.UNLOGGED, "bad_arguments"),
        ("calculate_math", "4.0", None, ""),
        ("think", "", None, ""),
        ("fly", "Unknown action fly", Fault.UNLOGGED, "unknown_tool"),
        ("get_weather", "something else", None, ""),
    ],
)
def test_how_a_published_answer_was_counted(tool: str, text: str, fault: Fault | None, code: str) -> None:
    found = answer_of(tool, text)
    assert (found.fault, found.code) == (fault, code)


def test_a_search_for_no_category_was_not_counted() -> None:
    refusal = '{"status": "FAILURE", "errors": {"a": "b"}}'
    searches = ({"category_poi": ""}, {"category_poi": "bakery"})
    found = [answer_of("search_poi_at_location", refusal, one).fault for one in searches]
    assert found == [Fault.UNLOGGED, Fault.LOGGED]
