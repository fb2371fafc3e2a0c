"""The example in docs/own-data.md is a valid task, and proven."""

import json
import re
from pathlib import Path
from typing import Any

from knowact.core.condition import Condition, Hide
from knowact.core.proof import Possibility, prove_task
from knowact.core.task import Boundary
from knowact.suites import find
from knowact.suites.car.items import CarItem
from knowact.suites.car.proofs import Proofs
from knowact.worlds.registry import open_world

PAGE = Path(__file__).parents[2] / "docs" / "own-data.md"


def example() -> dict[str, Any]:
    found = re.search(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return json.loads(found.group(1))


def test_the_example_loads_as_a_data_set_and_is_proven(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text(json.dumps(example()) + "\n", encoding="utf-8")
    suite = find("kapro")
    plan = suite.plan({**suite.defaults(), "data": str(tmp_path)})
    (item,) = plan.items
    assert item.task.boundary is Boundary.HYBRID
    assert item.task.required == {"get_stock"}
    tools = {tool.name: tool for tool in open_world(item.task.world, 0).tools()}
    assert prove_task(item.task, tools).possibility is Possibility.POSSIBLE
    without = Condition(name="", changes=(Hide(tool="get_stock"),))
    assert prove_task(item.task, tools, without).possibility is not Possibility.POSSIBLE


def test_every_field_of_a_task_that_the_page_lists_exists() -> None:
    from knowact.core.task import Task

    listed = re.findall(r"^\| `(\w+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    known = {*Task.model_fields, "arguments", "wants", "capability"}
    assert listed
    assert not set(listed) - known


def test_the_example_of_the_car_and_its_counterpart_are_proven(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    base = json.loads(re.findall(r"```json\n(.*?)```", page, re.DOTALL)[-1])
    removal = json.loads("{" + re.findall(r"`(\"removal\": .*?)`", page)[-1] + "}")
    lacking = {**base, **removal, "id": "hallucination_000", "type": "hallucination_missing_tool"}
    (tmp_path / "items.jsonl").write_text(f"{json.dumps(base)}\n{json.dumps(lacking)}\n", encoding="utf-8")
    suite = find("car")
    plan = suite.plan({**suite.defaults(), "data": str(tmp_path)})
    assert [item.labels["type"] for item in plan.items] == ["base", "hallucination"]
    assert not plan.obstacle
    for item in plan.items:
        assert isinstance(item, CarItem)
        assert not Proofs(item.factory.world, item.factory.seed).complaints(item.what)
