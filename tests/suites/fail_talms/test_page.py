"""The report of real runs: two agents, with and without somebody to ask, and broken tools."""

import json
from pathlib import Path
from typing import Any

import pytest

from knowact.cli.main import run
from knowact.engine.reader import find_logs, read_runs
from knowact.suites.fail_talms.figures import FIGURES
from knowact.suites.fail_talms.tables import TABLES
from knowact.suites.fail_talms.words import summary_lines

pytestmark = pytest.mark.slow

AGENTS = ("oracle", "fabricator")
BASES = "6"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    words = ["run", "fail-talms", "--log-dir", str(folder), "--limit", BASES]
    for agent in AGENTS:
        for helper in ("nobody", "scripted"):
            assert run([*words, "--model", f"knowact/{agent}", "--helper", helper]) == 0
    assert run([*words, "--model", "knowact/oracle", "--broken", "all", "--probe", "act"]) == 0
    return folder


@pytest.fixture(scope="module")
def report(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    assert run(["report", str(logs), "--out", str(out)]) == 0
    return out


def tables(report: Path) -> dict[str, list[dict[str, Any]]]:
    found = json.loads((report / "report.json").read_text("utf-8"))
    return {table["id"]: table["rows"] for table in found["tables"]}


def test_every_table_that_these_runs_can_fill_is_filled(report: Path) -> None:
    found = tables(report)
    made = {make([]).id for make in TABLES}
    assert made <= set(found)
    assert {name for name in made if not found[name]} == {"versus"}


def test_every_figure_has_something_to_draw(logs: Path) -> None:
    runs = read_runs(find_logs([logs]))
    assert [make.__name__ for make in FIGURES if not make(runs).spec] == []


def test_the_page_is_one_file_with_the_summary_lines(logs: Path, report: Path) -> None:
    page = (report / "index.html").read_text("utf-8")
    runs = read_runs(find_logs([logs]))
    assert len(runs) == 5
    for one in runs:
        said = summary_lines(one)
        assert said
        assert said[0].split(":")[0] in page


@pytest.mark.parametrize("measure", ["conduct right on both", "right on both"])
def test_the_fabricator_is_told_from_the_oracle(report: Path, measure: str) -> None:
    rows = [row for row in tables(report)["joint"] if row["measure"] == measure]
    by_agent = {
        agent: {row["value"] for row in rows if row["model"].endswith(agent) and row["helper"] == "nobody"}
        for agent in AGENTS
    }
    assert by_agent == {"oracle": {1.0}, "fabricator": {0.0}}


def test_a_person_to_ask_changes_the_oracles_passes_and_not_the_fabricators(report: Path) -> None:
    rows = [row for row in tables(report)["paired"] if row["measure"] == "pass: difference"]
    gained = {
        agent: {row["setting"]: row["value"] for row in rows if row["model"].endswith(agent)}
        for agent in AGENTS
    }
    assert gained["oracle"]["under-specified"] > 0.5
    assert gained["oracle"]["unavailable-non-replaceable"] == gained["oracle"]["perfect"] == 0
    assert set(gained["fabricator"].values()) == {0}


def test_an_agent_that_knows_its_tools_tells_of_the_broken_one(report: Path) -> None:
    rows = [row for row in tables(report)["broken"] if row["measure"] == "told the user"]
    assert {row["broken"] for row in rows} == {
        *("gone", "server error", "timeout", "empty", "malformed", "wrong")
    }
    assert {row["value"] for row in rows} == {1.0}
