"""Loading CAR tasks: authored ones, our own lines, published ones; complaints by file and line."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from car_authored import BASE
from knowact.core.errors import BadData
from knowact.suites.car.authored import Binder, Unbound
from knowact.suites.car.items import plan
from knowact.suites.car.published_tasks import persona_of
from knowact.suites.car.suite import SUITE
from knowact.suites.car.task_files import DATA, DEFAULT_DATA, load_tasks, shipped
from knowact.worlds.car.record import TaskType
from knowact.worlds.car.world import CarWorld
from running import knowact

HABITS = """\
weather.weather: [When I go sailing, tell me the wind first.]
points_of_interest.parking: [With the roof box on, no garages.]
points_of_interest.bakery: [On Sundays I like rolls.]
points_of_interest.airports: [With children I come early.]
vehicle_settings.climate_control: [With the dog, no draught.]
"""


def authored(folder: Path, base: str = BASE, **more: str) -> Path:
    (folder / "air.yaml").write_text(base, encoding="utf-8")
    (folder / "habits.yaml").write_text(HABITS, encoding="utf-8")
    for name, text in more.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def complaint(path: Path) -> str:
    with pytest.raises(BadData) as caught:
        load_tasks(path)
    return str(caught.value)


def test_an_authored_folder_loads(tmp_path: Path) -> None:
    data = load_tasks(authored(tmp_path))
    assert [task.id for task in data.tasks] == ["base_000"]
    assert data.tasks[0].source == "air.yaml:1"
    assert data.info.version == "own"
    assert data.task("base_000") is data.tasks[0]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("  age: 34\n", "", "air.yaml:1, field 'age': this field is missing"),
        ("age:", "aeg:", "air.yaml:1"),
        ("age: 34", "age: old", "field 'age'"),
        ("level: 2", "level: 7", "is refused"),
        ("set_steering_wheel_heating, args", "set_wheel, args", "There is no tool named"),
        ("Augsburg 2025-11-18 07:10", "Augsburg in the morning", "no city with a date and a time"),
        ("Augsburg", "Atlantis", "there is no city 'Atlantis'"),
        ("{level: 2}", "{level: $heat.level}", "names no earlier call"),
        ("{steering_wheel_heating: 2}", "{flux: 2}", "is not a variable of the car"),
        ("  style: commanding\n", "  style: commanding\n  style: commanding\n", "occurs twice"),
        ("- id: air-01", "id: air-01", "is not YAML"),
        ("says: Steering", "says: 'Steering", "is not YAML"),
    ],
)
def test_what_is_wrong_with_an_authored_task_is_said(tmp_path: Path, old: str, new: str, what: str) -> None:
    assert old in BASE
    assert what in complaint(authored(tmp_path, BASE.replace(old, new, 1)))


BEAM = "    - {{do: set_head_lights_high_beams, args: {{on: {}}}}}\n"
REACHED = "goal: {steering_wheel_heating: 2}"


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        (
            "goal: {steering_wheel_heating: 1}",
            "goal says steering_wheel_heating = 1, but 'does' leads to steering_wheel_heating = 2",
        ),
        (
            "goal: {steering_wheel_heating: 2, fan_speed: 3}",
            "goal says fan_speed = 3, but 'does' leads to fan_speed = 0",
        ),
        ("", "goal leaves steering_wheel_heating = 0, but 'does' leads to steering_wheel_heating = 2"),
        (
            "goal: {steering_wheel_heating: 1}\n  ends: [{steering_wheel_heating: 2}]",
            "goal says steering_wheel_heating = 1, but 'does' leads to steering_wheel_heating = 2",
        ),
        (
            "car: {head_lights_low_beams: true}\n  goal: {steering_wheel_heating: 2}",
            "head_lights_high_beams may never change, but 'does' sets it to true",
        ),
    ],
)
def test_a_goal_that_the_reference_does_not_lead_to_is_refused_with_both_values(
    tmp_path: Path, goal: str, said: str
) -> None:
    text = BASE.replace(REACHED, goal, 1)
    if "never" in said:
        beams = [
            f"    - {{do: set_head_lights_high_beams, args: {{on: {on}}}}}\n" for on in ("true", "false")
        ]
        text = text.replace("  does:\n", f"  does:\n{''.join(beams)}", 1)
    file = tmp_path / "air.yaml"
    place = f"{file}:1, field 'goal': in 'air-01', "
    assert complaint(authored(tmp_path, text)) == f"{place}{said}. Fix: correct the task."


def test_a_goal_of_a_disambiguation_task_is_held_against_its_own_reference(tmp_path: Path) -> None:
    twist = """\
- of: air-01
  says: Heat the wheel.
  story: You want the wheel heated at level three.
  does:
    - {do: set_steering_wheel_heating, args: {level: 3}}
  element: {what: level, level: user, at: set_steering_wheel_heating.level, options: [{value: 1}, {value: 3}]}
"""
    said = complaint(authored(tmp_path, ambiguous=twist))
    assert (
        "ambiguous.yaml:1, field 'goal': in 'air-01', goal says steering_wheel_heating = 2, but 'does'"
        in said
    )
    whole = twist.replace("  element:", "  goal: {steering_wheel_heating: 3}\n  element:")
    assert len(load_tasks(authored(tmp_path, ambiguous=whole)).tasks) == 2


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"goal": {"holds": {"steering_wheel_heating": 1}}},
            "field 'goal': in 'base_000', goal says steering_wheel_heating = 1, but 'does' leads to",
        ),
        (
            {"reference": [{"tool": "set_fan_speed", "arguments": {"level": 99}}]},
            "field 'reference.0': call 0 (set_fan_speed) is refused",
        ),
        ({"setup": {"fan_speed": "fast"}}, "field 'setup': "),
    ],
)
def test_our_lines_are_carried_out_as_well(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    (task,) = load_tasks(authored(tmp_path)).tasks
    (tmp_path / "items.jsonl").write_text(json.dumps({**task.model_dump(mode="json"), **changed}), "utf-8")
    assert f"items.jsonl:1, {said}" in complaint(tmp_path)


def test_a_task_that_can_succeed_is_no_task_that_says_something_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = authored(tmp_path, BASE.replace(REACHED, "goal: {steering_wheel_heating: 1}", 1))
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
    assert "goal says steering_wheel_heating = 1, but 'does' leads to steering_wheel_heating = 2" in ran.err
    assert ran.err.count("\n") == 1


def test_an_id_that_stands_in_two_files_is_found(tmp_path: Path) -> None:
    assert "already" in complaint(authored(tmp_path, more=BASE))


def test_a_twist_of_nothing_is_found(tmp_path: Path) -> None:
    twist = """\
- of: air-99
  says: Heat the wheel.
  story: You want the wheel heated.
  element: {what: level, level: user, at: set_steering_wheel_heating.level, options: [{value: 1}, {value: 2}]}
"""
    assert "there is no base task 'air-99'" in complaint(authored(tmp_path, ambiguous=twist))


def test_a_twist_whose_choice_no_call_carries_is_found(tmp_path: Path) -> None:
    twist = """\
- of: air-01
  says: Heat the wheel.
  story: You want the wheel heated.
  element: {what: the level, level: user, at: set_fan_speed.level, options: [{value: 1}, {value: 2}]}
"""
    assert "no call carries 'set_fan_speed.level'" in complaint(authored(tmp_path, ambiguous=twist))


def test_a_part_that_there_is_not_is_found(tmp_path: Path) -> None:
    lack = "  lacks: {part: set_heater, words: heating, cues: [heat]}\n"
    assert "'set_heater' cannot be removed" in complaint(authored(tmp_path, BASE + lack))


@pytest.mark.parametrize("text", ["just words\n", "- one\n- two\n"])
def test_a_file_that_is_no_list_of_tasks_is_refused(tmp_path: Path, text: str) -> None:
    assert "air.yaml:1" in complaint(authored(tmp_path, text))


@pytest.mark.parametrize("text", ["- one\n", "weather.weather: windy\n", "weather.weather: [1]\n"])
def test_habits_are_lists_of_sentences(tmp_path: Path, text: str) -> None:
    assert "habits.yaml" in complaint(authored(tmp_path, habits=text))


def test_on_is_a_name_and_no_truth_value(tmp_path: Path) -> None:
    base = BASE.replace(
        "set_steering_wheel_heating, args: {level: 2}", "set_head_lights_low_beams, args: {on: true}"
    )
    data = load_tasks(
        authored(tmp_path, base.replace("steering_wheel_heating: 2", "head_lights_low_beams: true"))
    )
    assert data.tasks[0].reference[0].arguments == {"on": True}


@pytest.mark.slow
def test_shipped_data_are_checked_against_their_manifest(tmp_path: Path) -> None:
    copy = tmp_path / DEFAULT_DATA
    shutil.copytree(DATA / DEFAULT_DATA, copy)
    assert len(load_tasks(copy).tasks) == 240
    with (copy / "climate.yaml").open("a", encoding="utf-8") as file:
        file.write("# one more line\n")
    assert "the files don't match the manifest" in complaint(copy)


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
    assert "holds no task" in complaint(tmp_path)
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
    assert (base.persona.age, base.persona.style, base.persona.proficiency) == (45, "commanding", "low")
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


PYTHON = """\
from shop.kinds import Task

TASKS = [Task(task_id="base_7", instruction="Fan on two.", context_init_config={"fan_speed": 0}, actions=[
    {"name": "set_fan_speed", "kwargs": {"level": 2}}])]
"""
KINDS = """\
class Task:
    def __init__(self, **fields):
        self.fields = fields

    def model_dump(self, mode):
        return self.fields
"""


@pytest.mark.parametrize("named", [False, True])
def test_python_tasks_are_refused_with_the_line_that_exports_them(tmp_path: Path, *, named: bool) -> None:
    folder = tmp_path / "shop" / "tasks"
    folder.mkdir(parents=True)
    for file, text in (("__init__", ""), ("kinds", KINDS), ("tasks/__init__", ""), ("tasks/base", PYTHON)):
        (tmp_path / "shop" / f"{file}.py").write_text(text, encoding="utf-8")
    said = complaint(folder / "base.py" if named else folder)
    assert "these tasks are Python, which is not run here: base.py. Fix: export" in said
    command = said.partition("as in: ")[2].removesuffix(".").replace("python -c", f"{sys.executable} -c")
    subprocess.run(command, shell=True, check=True)  # noqa: S602 - the very line that a user copies
    (task,) = load_tasks(folder).tasks
    assert (task.id, task.reference[0].arguments) == ("base_7", {"level": 2})


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
    ("words", "age", "style", "skill"),
    [
        ("45 years old, commanding, low proficiency with technology", 45, "commanding", "low"),
        ("Age: 31. Questioning style. Technological proficiency: high.", 31, "questioning", "high"),
        ("You are a 62-year-old with high technological proficiency.", 62, "conversational", "high"),
        ("You are 45 years old. You follow the news, speak in a commanding style.", 45, "commanding", ""),
        ("Highly anxious, 30 years old.", 30, "conversational", ""),
        ("The battery is low and the car slow; you are unquestioning.", None, "conversational", ""),
        ("Low or high proficiency, nobody knows; age 20", 20, "conversational", ""),
        ("You are 45 years old and the proficient are few. The fan is on low.", 45, "conversational", ""),
        ("A family of 4, driving at 20, drinking 33.", None, "conversational", ""),
        ("", None, "conversational", ""),
    ],
)
def test_a_persona_is_read_by_the_words_of_the_release(
    words: str, age: int | None, style: str, skill: str
) -> None:
    found = persona_of(words)
    assert (found.age, found.style, found.proficiency, found.words) == (age, style, skill, words)


def test_a_published_id_that_stands_there_twice_is_found(tmp_path: Path) -> None:
    assert "occurs twice" in complaint(put(tmp_path, published(), published()))


def test_a_path_to_nothing_is_said(tmp_path: Path) -> None:
    assert "no such file" in complaint(tmp_path / "nowhere")
    assert "there is no task here" in complaint(tmp_path)


RESULTS = {
    "ways": {"routes": [{"alias": ["fastest"], "id": "r1", "km": 2.5}, {"alias": ["second"], "id": "r2"}]}
}
BINDER = Binder(RESULTS, {"here": "loc"})


@pytest.mark.parametrize(
    ("written", "value", "field"),
    [
        ("$ways.routes[fastest].id", "r1", "routes[].id"),
        ("$ways.routes[1].id", "r2", "routes[].id"),
        ("$ways.routes[-1].id", "r2", "routes[].id"),
        ("$ways.routes[id=r2].alias[0]", "second", "routes[].alias[]"),
        ("$ways.routes[*].id", ["r1", "r2"], "routes[].id"),
        ("$ways.routes[>km].id", "r1", "routes[].id"),
    ],
)
def test_references_are_looked_up(written: str, value: object, field: str) -> None:
    found, sources = BINDER.value(written)
    assert found == value
    assert [(one.name, one.field) for one in sources] == [("ways", field)]


def test_what_is_known_without_a_call_has_no_source() -> None:
    assert BINDER.value({"a": ["$here", 1]}) == ({"a": ["loc", 1]}, ())


def test_texts_are_filled_in() -> None:
    assert (
        BINDER.text("{$ways.routes[fastest].km} km by {$ways.routes[0].id}, {plainly}")
        == "2.5 km by r1, {plainly}"
    )


@pytest.mark.parametrize(
    "written",
    [
        "$nobody.id",
        "$ways.roads",
        "$ways.routes[scenic].id",
        "$ways.routes[7].id",
        "$ways.routes[id=r9].id",
        "$ways.routes[0].id.deeper",
        "$ways.ro-utes",
    ],
)
def test_references_that_lead_nowhere_are_refused(written: str) -> None:
    with pytest.raises(Unbound):
        BINDER.value(written)


def test_a_list_cannot_stand_in_a_sentence() -> None:
    with pytest.raises(Unbound, match="cannot be used in a sentence"):
        BINDER.text("Take {$ways.routes[*].id}.")


def test_data_that_were_edited_in_between_are_read_again(tmp_path: Path) -> None:
    options = {option.name: option.default for option in SUITE.options}
    chosen = {**options, "seed": 0, "limit": 0, "rules": "definition", "data": str(authored(tmp_path))}
    (before,) = plan(chosen).items
    authored(tmp_path, BASE.replace("heating on two", "heating on two, please"))
    (after,) = plan(chosen).items
    assert (before.task.opening.text, after.task.opening.text) == (
        "Steering wheel heating on two.",
        "Steering wheel heating on two, please.",
    )
