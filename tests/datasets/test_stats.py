"""What a data set is made of, against counts by hand and by another road."""

import json
import math
from collections import defaultdict

import pytest

from knowact import suites
from knowact.core.condition import CLEAN
from knowact.core.suite import Item
from knowact.core.table import Figure, Table
from knowact.datasets import stats
from mini_world import TASKS, TOOLS

ITEMS = [Item(task, CLEAN, tuple(TOOLS[name] for name in task.offered), {}) for task in TASKS]


def numbers(table: Table) -> dict[tuple[str, ...], float | None]:
    return {(*row.keys.values(), row.measure): row.estimate.value for row in table.rows}


@pytest.mark.parametrize(
    ("texts", "n", "share"),
    [
        (["a b a b"], 1, 0.5),
        (["a b a b"], 2, 2 / 3),
        (["a b", "a b"], 2, 0.5),
        (["a", "b"], 2, math.nan),
        (["It's 4,5; it's!"], 1, 4 / 6),
        ([], 1, math.nan),
    ],
)
def test_distinct_n_by_hand(texts: list[str], n: int, share: float) -> None:
    assert stats.distinct_n(texts, n) == pytest.approx(share, nan_ok=True)


def test_sizes_of_the_mini_world() -> None:
    found = numbers(stats.size(ITEMS))
    assert found["tasks", "number"] == 9
    assert found["sub-tasks", "number"] == 16
    assert found["tools offered", "number"] == 5
    by_steps = numbers(stats.steps(ITEMS))
    assert by_steps["1", "tasks with this many sub-tasks"] == 2
    assert by_steps["2", "tasks with this many sub-tasks"] == 7


def test_a_task_under_two_conditions_counts_once() -> None:
    assert stats.size([*ITEMS, *ITEMS]).rows == stats.size(ITEMS).rows


def test_a_tool_is_on_both_sides_only_where_the_plans_say_so() -> None:
    table = stats.tools(ITEMS)
    assert table.rows == ()
    assert table.note.startswith("Of 5 tools in plans, 0")
    assert stats.tool_picture(ITEMS).note == "No tool is both."


def test_no_words_no_pictures_and_one_query_no_spread() -> None:
    assert stats.length_picture([]).spec == {}
    (_, two) = stats.diversity(ITEMS[:1]).rows
    assert two.estimate.n == 1
    assert two.estimate.low == two.estimate.value == two.estimate.high


@pytest.mark.parametrize("data", [f"{one.name}@{one.version}" for one in suites.find("kapro").datasets()])
def test_the_shipped_data_are_counted_as_their_lines_say(data: str) -> None:
    suite = suites.find("kapro")
    plan = suite.plan(suite.defaults() | {"data": data})
    (folder,) = (one.path for one in suite.datasets() if f"{one.name}@{one.version}" == data)
    lines = [json.loads(line) for line in (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    sides: dict[str, set[str]] = defaultdict(set)
    by_kind: dict[tuple[str, str], int] = defaultdict(int)
    for line in lines:
        boundaries = {step["boundary"] for step in line["plan"]}
        by_kind["hybrid" if len(boundaries) > 1 else boundaries.pop(), line["topology"]] += 1
        for step in line["plan"]:
            sides[step["tool"]].add(step["boundary"])
    both = {tool for tool, found in sides.items() if len(found) == 2}
    assert {row.keys["tool"] for row in stats.tools(plan.items).rows} == both
    assert stats.tools(plan.items).note.startswith(f"Of {len(sides)} tools in plans, {len(both)} are")
    own = numbers(suite.statistics(plan.items)[0])
    assert {key[:2]: value for key, value in own.items() if "all" not in key and value} == by_kind
    assert own["all", "all", "tasks"] == len(lines)
    words = [len(line["opening"]["text"].split()) for line in lines]
    mean = numbers(stats.query_lengths(plan.items))["all", "mean"]
    assert mean == pytest.approx(sum(words) / len(words), rel=0.1)
    figures: list[Figure] = [*suite.pictures(plan.items), *(make(plan.items) for make in stats.PICTURES)]
    assert all(figure.spec["data"]["values"] for figure in figures)
    drawn = sum(datum["value"] for datum in figures[1].spec["data"]["values"])
    assert drawn == len(lines), "every query is in one bar"
