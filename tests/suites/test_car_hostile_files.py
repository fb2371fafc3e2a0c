"""CAR's data files with every kind of defect: one sentence that says where, and never a crash."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

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

DEEP = "[" * 100_000 + "]" * 100_000
DIGITS = "9" * 5_000


def complaint(folder: Path, text: str, name: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(BadData) as caught:
        load_tasks(folder)
    said = str(caught.value)
    assert "\n" not in said
    assert str(folder / name) in said
    return said


def test_reads_of_what_no_result_has_speak_against_the_proof(tmp_path: Path) -> None:
    row = next(one for one in shipped().tasks if not one.reference[0].writes).model_dump(mode="json")
    row["reference"][0]["reads"] = ["zz"]
    (tmp_path / "items.jsonl").write_text(json.dumps(row), encoding="utf-8")
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
        ("base", {"setup__calendar_id": "nobody"}, "The driver has no calendar here"),
        ("base", {"goal__holds": {"steering_wheel_heating": "hot"}}, "must be a number from 0 to"),
        ("base", {"goal__holds": {"steering_wheel_heating": 9}}, "must be a number from 0 to 3"),
        ("base", {"script__opening": " "}, "field 'script.opening'"),
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
