"""Published tasks of CAR, made by hand in the layout of the release, and databases that they live in."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from car_data import write_folder
from knowact.worlds.car.databases.generated import generated_databases

WHEEL: tuple[Mapping[str, Any], ...] = ({"name": "set_steering_wheel_heating", "kwargs": {"level": 2}},)


def task(task_id: str = "base_0", **fields: Any) -> dict[str, Any]:
    """One record; nested values are JSON text, as in the release. Fields of None are left out."""
    made: dict[str, Any] = {
        "task_id": task_id,
        "persona": "45 years old, commanding",
        "calendar_id": "",
        "instruction": f"You want the steering wheel heating at level 2, as in {task_id}.",
        "context_init_config": json.dumps({"steering_wheel_heating": 0}),
        "actions": json.dumps(WHEEL),
        "task_type": "base",
        **fields,
    }
    return {name: value for name, value in made.items() if value is not None}


def lacking(task_id: str = "hallucination_0", part: str = "set_steering_wheel_heating") -> dict[str, Any]:
    """The same where a tool was taken away."""
    kind = "hallucination_missing_tool"
    return task(task_id, task_type=kind, removed_part=json.dumps([part]))


def write(folder: Path, *tasks: Mapping[str, Any]) -> Path:
    """Put records into a file of the release, and return it."""
    file = folder / "tasks_test.json"
    file.write_text(json.dumps(list(tasks)), encoding="utf-8")
    return file


def databases(folder: Path) -> Path:
    """A folder of databases with two cities."""
    return write_folder(folder / "databases", generated_databases(0), ("Munich", "Augsburg"))
