"""CAR's data files with every kind of defect: one sentence that says where, and never a crash."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from car_authored import BASE
from car_published import databases, task, write
from car_trials import WEATHER, call, drive
from knowact.core.errors import BadData
from knowact.suites.car.items import CarItem, plan
from knowact.suites.car.rescoring import rescore
from knowact.suites.car.showing import clauses
from knowact.suites.car.suite import SUITE
from knowact.suites.car.task_files import load_tasks, shipped
from knowact.worlds.car.record import Word
from published_trials import record

LACKS = "  lacks: {part: set_steering_wheel_heating, words: heating the wheel, cues: [wheel]}\n"
LOOK = "    - {do: get_steering_wheel_heating_level, name: w}\n"
DEEP = "[" * 100_000 + "]" * 100_000
DIGITS = "9" * 5_000
BOMB = ", ".join(f"x{n}: &x{n} [*x{n - 1}, *x{n - 1}]" for n in range(1, 60))


def complaint(folder: Path, text: str, name: str = "air.yaml") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(BadData) as caught:
        load_tasks(folder)
    said = str(caught.value)
    assert "\n" not in said
    assert str(folder / name) in said
    return said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("34", "!!timestamp 2001-99-99", "air.yaml:2: the file is not YAML ('2001-99-99' is no timestamp)"),
        ("34", "!!int abc", "air.yaml:2: the file is not YAML ('abc' is no int)"),
        ("34", "!!bool abc", "'abc' is no bool"),
        ("34", DIGITS, "air.yaml:2: the file is not YAML"),
        ("34", "3\x004", "air.yaml:2: the file is not YAML (the character '\\x00' is not allowed)"),
        ("34", "07:40", "field 'age': input should be a valid integer"),
        ("level: 2}", "level: .nan}", "'level' must be a number, not '.nan'"),
        ("level: 2}", "level: 010}", "'level' must be a number, not '010'"),
        ("  says", f"  car: {{x0: &x0 [a, a], {BOMB}}}\n  says", "air.yaml:5: it unfolds to more than"),
        ("  says", "  car: &a {x: *a}\n  says", "air.yaml:5: a value holds itself"),
        ("  says", "  car: {x: " + "[" * 90 + "]" * 90 + "}\n  says", "air.yaml:5: it nests too deeply"),
        ("Steering wheel heating on two.", '"\\ud800"', "air.yaml:5: the text holds half of a surrogate"),
        (
            "goal: {steering_wheel_heating: 2}",
            "goal: {steering_wheel_heating: hot}",
            "must be a number from 0 to",
        ),
        ("goal: {st", "ends: [{steering_wheel_heating: 9}]\n  goal: {st", "must be a number from 0 to 3"),
        ("  says", "  never: [steering_wheel_heating]\n  says", "cannot be forbidden"),
        ("  says", "  calendar: nobody\n  says", "there is no calendar 'nobody'"),
        ("    - {do", f"{LOOK}{LOOK}    - {{do", "call 1 (get_steering_wheel_heating_level) is named 'w'"),
        ("    - {do", f"{LOOK.replace('w}', 'here}')}    - {{do", "is named 'here', which is already in use"),
        ("says: Steering wheel heating on two.", 'says: " "', "field 'says'"),
        ("  goal", "  details: [{about: [' '], says: x}]\n  goal", "field 'details.0.about.0'"),
        ("{level: 2}}", "{level: 2}, name: a, told: {x: a.y}}", "'told' speaks of 'x', which is no argument"),
    ],
)
def test_what_is_wrong_with_an_authored_file_is_said(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in BASE
    assert said in complaint(tmp_path, BASE.replace(old, new, 1))


@pytest.mark.slow
@pytest.mark.parametrize("text", [DEEP, "&a\n- *a\n", f"- {{x0: &x0 [a, a], {BOMB}}}"])
def test_a_file_that_unfolds_without_end_is_refused_at_once(tmp_path: Path, text: str) -> None:
    complaint(tmp_path, text)


def test_a_blank_word_would_be_found_in_everything(tmp_path: Path) -> None:
    assert "field 'lacks.cues.0'" in complaint(tmp_path, BASE + LACKS.replace("[wheel]", '[" "]'))


def test_numbers_as_json_has_them_and_texts_otherwise(tmp_path: Path) -> None:
    (tmp_path / "air.yaml").write_text(BASE.replace("level: 2}", "level: 2.0}"), encoding="utf-8")
    assert load_tasks(tmp_path).tasks[0].reference[0].arguments == {"level": 2.0}


def test_reads_of_what_no_result_has_speak_against_the_proof(tmp_path: Path) -> None:
    text = BASE.replace("    - {do", f"{LOOK.replace('w}', 'w, reads: [zz]}')}    - {{do", 1)
    (tmp_path / "air.yaml").write_text(text, encoding="utf-8")
    (item,) = plan({**SUITE.defaults(), "data": str(tmp_path)}).items
    assert any("there is no proof" in one for clause in clauses(item) for one in clause.against)


def own(folder: Path, kind: str, **changed: Any) -> str:
    """The complaint about a line of ours of some type, with members changed; paths are dotted."""
    row = next(one for one in shipped().tasks if one.type.family == kind).model_dump(mode="json")
    for path, value in changed.items():
        *way, last = path.split("__")
        at: Any = row
        for part in way:
            at = at[int(part)] if part.isdigit() else at[part]
        at[last] = value
    return complaint(folder, json.dumps(row), "items.jsonl")


@pytest.mark.parametrize(
    ("kind", "changed", "said"),
    [
        ("base", {"reference": []}, "field 'reference'"),
        ("base", {"reference__0__tool": "warp"}, "call 0 of the reference names 'warp', which is not a tool"),
        ("base", {"reference__0__told": {"x": [{"step": 0, "field": "y"}]}}, "'told' speaks of 'x'"),
        ("base", {"id": "x" * 100_000}, "an id has at most 200 printable characters"),
        ("base", {"id": "\x1b[2J"}, "an id has at most 200 printable characters"),
        ("hallucination", {"removal__lost": [99]}, "'removal.lost' names call 99"),
        ("disambiguation", {"element__argument": [10**30, "x"]}, "'element.argument' names call"),
        ("disambiguation", {"element__argument": [0, "zz"]}, "'element.argument' names 'zz'"),
    ],
)
def test_what_is_wrong_with_a_line_of_ours_is_said(
    tmp_path: Path, kind: str, changed: dict[str, Any], said: str
) -> None:
    assert said in own(tmp_path, kind, **changed)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"actions": "[]"}, "field 'actions': this list is empty"),
        ({"task_id": {"x": 1}}, "field 'task_id': this must be an id, not {'x': 1}"),
        ({"task_id": "x" * 70_000}, "field 'task_id': this must be an id"),
        ({"task_id": "a\x00b"}, "field 'task_id': this must be an id"),
    ],
)
def test_what_is_wrong_with_a_published_task_is_said(
    tmp_path: Path, fields: dict[str, Any], said: str
) -> None:
    assert said in complaint(tmp_path, json.dumps([task(**fields)]), "tasks_test.json")


def test_a_persona_of_many_digits_has_no_age(tmp_path: Path) -> None:
    file = write(tmp_path, task(persona=DIGITS), {**task(), "task_id": 1})
    made = load_tasks(file).tasks
    assert made[0].persona.age is None
    assert made[1].id == "base_1"
    options = {"data": str(file), "user": "model", "databases": str(databases(tmp_path))}
    items = plan({**SUITE.defaults(), **options}).items
    assert all(isinstance(item, CarItem) and not item.goal.gap for item in items)


def rescored(folder: Path, **changed: Any) -> Mapping[str, Any]:
    made = record(drive(WEATHER, "Done.", Word.STOP), [call("open_close_sunshade", percentage=100)])
    for path, value in changed.items():
        *way, last = path.split("__")
        at: Any = made
        for part in way:
            at = at[part]
        at[last] = value
    file = folder / "base_train.json"
    file.write_text(json.dumps([made]), encoding="utf-8")
    found = rescore(file)
    assert found.tables or found.notes
    return {"notes": " ".join(found.notes), "details": found.details}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"reward": 10**400}, "1 trial of 1 task; 1 can be scored again"),
        ({"traj": DEEP}, "1 trial of 1 task"),
        ({"traj": DIGITS}, "1 trial of 1 task"),
        ({"info__total_agent_cost": -1}, "1 can be scored again"),
        ({"info__total_llm_induced_latency_ms": -1}, "1 can be scored again"),
        ({"info__task__actions": [None]}, "a reference action names no tool"),
        ({"info__task__actions": ["x"]}, "a reference action names no tool"),
        ({"info__task__actions": '[{"name": "think", "kwargs": {"thought": "\\ud800"}}]'}, "1 can be scored"),
    ],
)
def test_records_of_published_trials_are_scored_or_counted(
    tmp_path: Path, changed: dict[str, Any], said: str
) -> None:
    assert said in rescored(tmp_path, **changed)["notes"]


def test_a_trial_before_the_first_counts_by_its_place(tmp_path: Path) -> None:
    assert "1 can be scored again" in rescored(tmp_path, trial=-1)["notes"]
