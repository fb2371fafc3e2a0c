"""Loading CAR tasks: our own lines, published ones; complaints by file and line."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from knowact.core.errors import BadData
from knowact.suites.car.items import plan
from knowact.suites.car.published_tasks import persona_of
from knowact.suites.car.suite import SUITE
from knowact.suites.car.task_files import DATA, DEFAULT_DATA, load_tasks, shipped
from knowact.suites.car.tasks import CarTask
from knowact.worlds.car.record import TaskType
from knowact.worlds.car.world import CarWorld
from running import knowact


def lines(folder: Path, *tasks: CarTask, **changed: Any) -> Path:
    """Write tasks into a folder of ours, the first with other members."""
    first, *others = (task.model_dump(mode="json") for task in tasks)
    text = "".join(f"{json.dumps(one)}\n" for one in ({**first, **changed}, *others))
    (folder / "items.jsonl").write_text(text, encoding="utf-8")
    return folder


WHEEL = next(task for task in shipped().tasks if task.id == "base_001")


def complaint(path: Path) -> str:
    with pytest.raises(BadData) as caught:
        load_tasks(path)
    return str(caught.value)


def test_a_folder_without_a_manifest_is_ones_own(tmp_path: Path) -> None:
    data = load_tasks(lines(tmp_path, WHEEL))
    assert [task.id for task in data.tasks] == ["base_001"]
    assert data.info.version == "own"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"goal": {"holds": {"steering_wheel_heating": 1}}},
            "field 'goal': in 'base_001', the goal says steering_wheel_heating = 1, but the reference",
        ),
        (
            {"reference": [{"tool": "set_fan_speed", "arguments": {"level": 99}}]},
            "field 'reference.0': call 0 (set_fan_speed) is refused",
        ),
        ({"setup": {"fan_speed": "fast"}}, "field 'setup': "),
    ],
)
def test_our_lines_are_carried_out_as_well(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    assert f"items.jsonl:1, {said}" in complaint(lines(tmp_path, WHEEL, **changed))


def test_a_task_that_can_succeed_is_no_task_that_says_something_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = lines(tmp_path, WHEEL, goal={"holds": {"steering_wheel_heating": 1, "seat_heating_driver": 3}})
    words = (
        "run",
        "car",
        "--data",
        data,
        "--model",
        "knowact/oracle",
        "--yes",
        "--log-dir",
        tmp_path / "logs",
    )
    ran = knowact(capsys, *words)
    assert (ran.code, ran.out) == (2, "")
    assert (
        "the goal says steering_wheel_heating = 1, but the reference leads to steering_wheel_heating = 2"
        in ran.err
    )
    assert ran.err.count("\n") == 1


@pytest.mark.slow
def test_shipped_data_are_checked_against_their_manifest(tmp_path: Path) -> None:
    copy = tmp_path / DEFAULT_DATA
    shutil.copytree(DATA / DEFAULT_DATA, copy)
    assert len(load_tasks(copy).tasks) == 240
    with (copy / "items.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert "the items don't match the manifest" in complaint(copy)


def test_our_lines_load_as_they_were_written(tmp_path: Path) -> None:
    some = shipped().tasks[::40]
    (tmp_path / "items.jsonl").write_text("".join(f"{one.model_dump_json()}\n" for one in some), "utf-8")
    assert load_tasks(tmp_path).tasks == some


def test_what_is_wrong_with_our_lines_is_said(tmp_path: Path) -> None:
    task = shipped().tasks[0]
    file = tmp_path / "items.jsonl"
    file.write_text(f"{task.model_dump_json()}\n" * 2, encoding="utf-8")
    assert "items.jsonl:2, field 'id'" in complaint(tmp_path)
    file.write_text(json.dumps({**task.model_dump(mode="json"), "mood": "good"}), encoding="utf-8")
    assert "field 'mood': there is no such field" in complaint(tmp_path)
    file.write_text("\n", encoding="utf-8")
    assert "holds no items" in complaint(tmp_path)
    file.write_text(json.dumps({**task.model_dump(mode="json"), "type": "disambiguation_user"}), "utf-8")
    assert "the disambiguation types need 'element'" in complaint(tmp_path)


def test_a_cluster_is_a_base_task_and_what_was_made_of_it() -> None:
    found = [task for task in shipped().tasks if task.cluster == "base_000"]
    assert found[0].id == "base_000"
    assert len(found) >= 2


def published(**fields: Any) -> dict[str, Any]:
    return {
        "task_id": "base_7",
        "persona": "45 years old, commanding, low proficiency with technology",
        "calendar_id": "cal_1234",
        "instruction": "Ask for the fan at level two.",
        "context_init_config": json.dumps({"fan_speed": 0, "car_color": "BLUE"}),
        "actions": json.dumps([{"name": "set_fan_speed", "kwargs": {"level": 2}, "index": 0}]),
        "task_type": "base",
        **fields,
    }


def put(folder: Path, *rows: dict[str, Any], name: str = "tasks_base_train.jsonl") -> Path:
    file = folder / name
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


def test_published_tasks_load(tmp_path: Path) -> None:
    lacking = published(
        task_id="hallucination_3",
        task_type="hallucination_missing_tool_parameter",
        removed_part='["set_fan_speed.level", "set_fan_speed"]',
    )
    internal = published(
        task_id="disambiguation_2",
        task_type="disambiguation_internal",
        disambiguation_element_internal="fan level",
        disambiguation_element_note="several values, settled by the stored preference",
        context_init_config={"user_preferences": {"weather": {"weather": ["The wind first."]}}},
    )
    settled = {**internal, "task_id": "disambiguation_6", "context_init_config": {"fan_speed": 1}}
    user = published(
        task_id="disambiguation_4",
        task_type="disambiguation_user",
        disambiguation_element_user="fan level",
    )
    data = load_tasks(put(tmp_path, published(), lacking, internal, user, settled))
    base, hall, inner, outer, context = data.tasks
    assert base.setup == {"fan_speed": 0, "car_color": "BLUE", "calendar_id": "cal_1234"}
    assert (base.persona.style, base.persona.proficiency) == ("commanding", "low")
    assert (base.split, base.cluster, base.script, base.goal) == ("train", "base_7", None, None)
    assert base.reference[0].tool == "set_fan_speed"
    assert hall.type is TaskType.MISSING_PARAMETER
    assert hall.removed == ("set_fan_speed.level", "set_fan_speed")
    assert hall.removal is not None
    assert hall.removal.kind == "parameter"
    assert inner.element is not None
    assert (inner.element.level, inner.element.what) == ("preference", "fan level")
    assert outer.element is not None
    assert outer.element.level == "user"
    assert context.element is not None
    assert context.element.level == "context"


def test_published_tasks_load_from_lists_and_folders(tmp_path: Path) -> None:
    whole = tmp_path / "base_test.json"
    whole.write_text(json.dumps([published(), published(task_id="base_9")]), encoding="utf-8")
    assert [task.split for task in load_tasks(tmp_path).tasks] == ["test", "test"]


def test_published_tasks_load_from_wherever_they_stand(tmp_path: Path) -> None:
    exported = {"base": {"test": [published(task_id=0)]}, "rows": [{"row": published(task_id="base_9")}]}
    file = tmp_path / "data" / "export.json"
    file.parent.mkdir()
    file.write_text(json.dumps(exported), encoding="utf-8")
    assert [(task.id, task.split) for task in load_tasks(file).tasks] == [
        ("base_0", "test"),
        ("base_9", ""),
    ]


def test_a_charging_curve_is_read_by_name_and_null_is_no_value(tmp_path: Path) -> None:
    setup = {
        "charging_curve_parameters": {"power_percentages": [60.0, 20.0], "soc_tresholds": [50.0, 100.0]},
        "fan_speed": 3.0,
        "waypoints_id": None,
    }
    (task,) = load_tasks(put(tmp_path, published(context_init_config=setup))).tasks
    session = CarWorld().open(task.setup, 0)
    assert session.car.context.charging_curve_parameters.share(100) == 0.2
    assert session.snapshot()["fan_speed"] == 3


@pytest.mark.parametrize(
    "splits",
    [
        {"base": {"train": ["base_7"], "test": ["base_9"]}},
        {"base": {"train": [7], "test": [9.0]}},
        {"splits": {"test": {"base": ["9"]}, "train": {"base": ["7"]}}},
        {"train": ["base_7"], "test": ["base_9"]},
        {"base_7": "train", "base_9": "test"},
        {"base": {"7": "train", "9": "test"}},
    ],
)
def test_a_file_of_splits_gives_the_split_and_is_no_task_file(tmp_path: Path, splits: dict[str, Any]) -> None:
    put(tmp_path, published(), published(task_id=9), name="tasks.jsonl")
    (tmp_path / "task_splits.json").write_text(json.dumps(splits), encoding="utf-8")
    found = {task.id: task.split for task in load_tasks(tmp_path).tasks}
    assert found == {"base_7": "train", "base_9": "test"}


@pytest.mark.parametrize("named", [False, True])
def test_python_tasks_are_refused_unless_json_stands_beside_them(tmp_path: Path, *, named: bool) -> None:
    file = tmp_path / "base.py"
    file.write_text("TASKS = [Task(task_id='base_7', context_init_config={})]", encoding="utf-8")
    said = complaint(file if named else tmp_path)
    assert "base.py: these tasks are Python, which is not run here." in said
    (tmp_path / "base.json").write_text(json.dumps([published()]), encoding="utf-8")
    assert [task.id for task in load_tasks(tmp_path).tasks] == ["base_7"]


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"instruction": ""}, "field 'instruction': this field is missing"),
        ({"task_type": "easy"}, "field 'task_type': the task type 'easy' is unknown"),
        ({"task_type": "hallucination_missing_tool"}, "field 'removed_part': this field is missing"),
        ({"task_type": "disambiguation_user"}, "field 'disambiguation_element_user': this field is missing"),
        ({"actions": '[{"kwargs": {}}]'}, "field 'actions.0.name': there is no tool None"),
        ({"actions": '[{"name": "set_fan_sped"}]'}, "Did you mean 'set_fan_speed'"),
        (
            {"actions": '[{"name": "set_fan_speed", "kwargs": [1]}]'},
            "'actions.0.kwargs': this must be an object",
        ),
        ({"actions": "[7]"}, "field 'actions.0': this must be an object"),
        ({"actions": "7"}, "field 'actions': this must be a list, not 7"),
        ({"actions": '[{"name"'}, "field 'actions': the text is not JSON"),
        ({"context_init_config": '{"fan_speed": 0'}, "field 'context_init_config': the text is not JSON"),
        ({"context_init_config": "[1]"}, "field 'context_init_config': this must be an object"),
        ({"calendar_id": 7}, "field 'calendar_id': this must be text"),
        ({"persona": ["young"]}, "field 'persona': this must be text"),
    ],
)
def test_what_is_wrong_with_a_published_task_is_said(
    tmp_path: Path, fields: dict[str, Any], what: str
) -> None:
    assert what in complaint(put(tmp_path, published(**fields)))


@pytest.mark.parametrize(
    ("part", "what"),
    [
        ('["no_such_tool"]', "there is no tool 'no_such_tool'"),
        ('["set_fan_speed.speed"]', "the parameters of 'set_fan_speed' have level"),
        ('["result.get_climate_settings.wind"]', "the result of 'get_climate_settings' have"),
        ('["set_fan_speed", "zap"]', "there is no tool 'zap'"),
        ("[set_fan_speed", "the text is not JSON"),
        ({"tool": "set_fan_speed"}, "this must be a list"),
    ],
)
def test_a_removed_part_that_there_is_not_is_refused(tmp_path: Path, part: object, what: str) -> None:
    said = complaint(put(tmp_path, published(task_type="hallucination_missing_tool", removed_part=part)))
    assert "tasks_base_train.jsonl, record 1, field 'removed_part'" in said
    assert what in said


def test_a_removed_part_may_stand_there_without_brackets(tmp_path: Path) -> None:
    row = published(task_type="hallucination_missing_tool", removed_part="set_fan_speed")
    assert load_tasks(put(tmp_path, row)).tasks[0].removed == ("set_fan_speed",)


def test_a_record_of_a_list_is_named_by_its_number(tmp_path: Path) -> None:
    whole = tmp_path / "base_test.json"
    whole.write_text(json.dumps([published(), published(task_id="base_9", actions="7")]), encoding="utf-8")
    assert "base_test.json, record 2, field 'actions'" in complaint(tmp_path)


@pytest.mark.parametrize(
    ("words", "style", "skill"),
    [
        ("45 years old, commanding, low proficiency with technology", "commanding", "low"),
        ("Age: 31. Questioning style. Technological proficiency: high.", "questioning", "high"),
        ("You are a 62-year-old with high technological proficiency.", "conversational", "high"),
        ("You are 45 years old. You follow the news, speak in a commanding style.", "commanding", ""),
        ("Highly anxious, 30 years old.", "conversational", ""),
        ("The battery is low and the car slow; you are unquestioning.", "conversational", ""),
        ("Low or high proficiency, nobody knows; age 20", "conversational", ""),
        ("You are 45 years old and the proficient are few. The fan is on low.", "conversational", ""),
        ("A family of 4, driving at 20, drinking 33.", "conversational", ""),
        ("", "conversational", ""),
    ],
)
def test_a_persona_is_read_by_the_words_of_the_release(words: str, style: str, skill: str) -> None:
    found = persona_of(words)
    assert (found.style, found.proficiency, found.words) == (style, skill, words)


def test_a_published_id_that_stands_there_twice_is_found(tmp_path: Path) -> None:
    assert "occurs twice" in complaint(put(tmp_path, published(), published()))


def test_a_path_to_nothing_is_said(tmp_path: Path) -> None:
    assert "no such file" in complaint(tmp_path / "nowhere")
    assert "there is no task here" in complaint(tmp_path)


def test_data_that_were_edited_in_between_are_read_again(tmp_path: Path) -> None:
    options = {option.name: option.default for option in SUITE.options}
    chosen = {**options, "seed": 0, "limit": 0, "rules": "definition", "data": str(lines(tmp_path, WHEEL))}
    (before,) = plan(chosen).items
    assert WHEEL.script is not None
    script = {**WHEEL.script.model_dump(mode="json"), "opening": "Wheel heating on two, please."}
    lines(tmp_path, WHEEL, script=script)
    (after,) = plan(chosen).items
    assert (before.task.opening.text, after.task.opening.text) == (WHEEL.script.opening, script["opening"])
