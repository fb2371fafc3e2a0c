"""Scenarios: what an author may write, and what is said where it is wrong."""

import datetime as dt
import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from forge.small_world import TABLE
from knowact.core.errors import BadData
from knowact.worlds.scenarios import (
    Clock,
    Day,
    Draw,
    Fractional,
    Key,
    OneOf,
    Scenario,
    Several,
    Whole,
    drawn,
    read_scenarios,
)

TODAY = dt.date(2026, 3, 12)
GOOD = TABLE.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def changed(**jobs: dict[str, Any]) -> dict[str, Any]:
    """The good scenario with jobs changed or added."""
    merged = {name: {**GOOD["jobs"].get(name, {}), **jobs.get(name, {})} for name in (*GOOD["jobs"], *jobs)}
    return {**GOOD, "jobs": merged}


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        (changed(bill={"with": {"left": 1, "right": {"from": "nowhere.menu_eur"}}}), "no such job stands"),
        (changed(menu={"with": {"restaurant": {"from": "bill.product"}}}), "no such job stands above it"),
        (changed(bill={"with": {"left": "$crowd", "right": 2}}), "'values' does not have it"),
        (changed(bill={"told": "somebody said so"}), "'told' cannot stand for it"),
        (changed(menu={"ask": " "}), "should match pattern"),
        ({**GOOD, "people": ["only one"]}, "at least 2 items"),
        ({**GOOD, "jobs": {"menu": GOOD["jobs"]["menu"]}}, "at least 2 items"),
        ({**GOOD, "mood": "sunny"}, "Extra inputs are not permitted"),
    ],
)
def test_what_is_wrong_with_a_scenario_is_said_with_its_place(
    scenario: dict[str, Any], said: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.yaml").write_text(
        yaml.safe_dump({"supper": scenario}, sort_keys=False), encoding="utf-8"
    )
    with pytest.raises(BadData) as raised:
        read_scenarios(tmp_path)
    assert said in str(raised.value)
    assert "mine.yaml" in str(raised.value)
    assert "supper" in str(raised.value)


def test_a_name_that_occurs_in_two_files_is_refused(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(yaml.safe_dump({"supper": GOOD}, sort_keys=False), encoding="utf-8")
    with pytest.raises(BadData, match="two scenarios named 'supper'"):
        read_scenarios(tmp_path)


@pytest.mark.parametrize(("text", "said"), [("a: [", "this is not YAML"), ("- a", "must map names")])
def test_a_file_that_holds_no_scenarios_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(BadData, match=said):
        read_scenarios(tmp_path)


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump({"supper": GOOD}, sort_keys=False), encoding="utf-8")
    assert read_scenarios(tmp_path) == {"supper": Scenario.model_validate(GOOD)}


@pytest.mark.parametrize(
    ("how", "allowed"),
    [
        (OneOf(one_of=("a", "b")), {"a", "b"}),
        (Whole(whole=(10, 20), step=5), {10, 15, 20}),
        (Fractional(decimal=(0.5, 0.7), places=1), {0.5, 0.6, 0.7}),
        (Day(day=(1, 2)), {"2026-03-13", "2026-03-14"}),
        (Clock(time=("09:00", "09:30"), step=15), {"09:00", "09:15", "09:30"}),
        (Key(table="pets"), {"cat", "dog"}),
        (Key(table="pets", only=("cat",)), {"cat"}),
    ],
)
def test_a_draw_gives_every_value_that_it_allows_and_no_other(how: Draw, allowed: set[object]) -> None:
    rng = random.Random(1)
    assert {str(drawn(how, TODAY, {"pets": ("cat", "dog")}, rng)) for _ in range(100)} == set(
        map(str, allowed)
    )


def test_a_list_has_as_many_different_values_as_asked_for() -> None:
    how = Several(list_of=Whole(whole=(1, 3)), count=(3, 3))
    found = drawn(how, TODAY, {}, random.Random(1))
    assert isinstance(found, list)
    assert sorted(map(str, found)) == ["1", "2", "3"]
    with pytest.raises(ValueError, match="not 4 different"):
        drawn(Several(list_of=Whole(whole=(1, 3)), count=(4, 4)), TODAY, {}, random.Random(1))
