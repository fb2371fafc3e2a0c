"""Own data in their world: what their plans come to is held against what they say."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from knowact.datasets.in_world import unreached
from knowact.datasets.own import ITEMS, OWN, load_own
from knowact.suites.fail_talms.cases import DATA as FAIL_TALMS
from knowact.suites.ict.cases import DATA as ICT
from knowact.suites.kapro.items import DATA as KAPRO
from own_tasks import Record, manifest_for, rain, replayed, write_items, write_manifest
from running import knowact

SHIPPED = "everyday@2-A"
BERGEN = 7
"""Degrees, in the world of seed 0."""


def fact(**changed: Any) -> Record:
    return rain(facts=[{**rain()["facts"][0], "value": BERGEN, **changed}])


@pytest.mark.parametrize(
    ("task", "said"),
    [
        (fact(), ""),
        (fact(value=BERGEN + 0.05), ""),
        (fact(value=4.5), "fact 0 says 4.5, the plan gives 7"),
        (fact(value=4.5, rule="half of it, and one"), ""),
        (fact(value=4.5, sources=[]), ""),
        (fact(sources=["0.colour"]), "fact 0 says 7.0, the plan gives []"),
        (fact(kind="text", value="Heavy Rain", sources=["0.sky"]), ""),
        (fact(kind="text", value="wet", aliases=["heavy rain"], sources=["0.sky"]), ""),
        (
            fact(kind="text", value="sunny", sources=["0.sky"]),
            "fact 0 says 'sunny', the plan gives 'heavy rain'",
        ),
        (replayed(), ""),
    ],
)
def test_a_fact_is_held_against_what_its_plan_leads_to(tmp_path: Path, task: Record, said: str) -> None:
    data = load_own(write_items(tmp_path, [task]))
    notes = unreached(data.info, [(one, data.lines[one.id]) for one in data.rows], data.seed)
    assert bool(notes) == bool(said)
    assert said in "".join(notes)


def test_a_call_that_is_refused_is_told(tmp_path: Path) -> None:
    task = rain()
    task["plan"][0]["arguments"]["city"]["value"] = "Atlantis"
    data = load_own(write_items(tmp_path, [fact(), {**task, "id": "b", "cluster": "b"}]))
    (note,) = unreached(data.info, [(one, data.lines[one.id]) for one in data.rows], data.seed)
    assert note.startswith("Correct agents fail 1 of 2 tasks, because their facts differ")
    assert f"{tmp_path / ITEMS}:2: step 0 (get_current_weather): " in note


def test_data_with_a_manifest_are_vouched_for(tmp_path: Path) -> None:
    folder = write_items(tmp_path, [fact(value=4.5)])
    write_manifest(folder, manifest_for(folder))
    data = load_own(folder)
    assert unreached(data.info, [(one, data.lines[one.id]) for one in data.rows], data.seed) == ()


def test_shipped_facts_hold_under_the_seed_of_their_manifest() -> None:
    data = load_own(KAPRO / SHIPPED)
    tasks = [(one, data.lines[one.id]) for one in data.rows]
    info = replace(data.info, version=OWN)
    assert unreached(info, tasks, data.seed) == ()
    assert unreached(info, tasks, 0) != ()


@pytest.mark.parametrize(("suite", "data"), [("kapro", KAPRO), ("fail-talms", FAIL_TALMS), ("ict", ICT)])
def test_shipped_lines_without_their_manifest_are_told_before_a_run(
    suite: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (data / SHIPPED / ITEMS).read_text("utf-8").splitlines(keepends=True)[:6]
    (tmp_path / ITEMS).write_text("".join(lines), "utf-8")
    words = ("run", suite, "--data", tmp_path, "--model", "knowact/oracle", "--limit", "1", "--yes")
    ran = knowact(capsys, *words, "--log-dir", tmp_path / "logs")
    assert ran.code == 0, ran.said
    assert "Note: Correct agents fail " in ran.said
