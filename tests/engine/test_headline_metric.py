"""What the engine shows of a log is the headline of our page: one number, wherever it is read."""

import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import headline_metric, read_eval_log

from running import json_report, knowact, table_rows

AGENTS = {
    "kapro": "random",
    "ict": "random",
    "fail-talms": "fabricator",
    "car": "premature",
    "when2call": "random",
    "bfcl": "random",
}
"""Agents that are right on some items and wrong on others."""


def shown(folder: Path) -> tuple[str, float]:
    """What the engine's viewer and `evals_df()` lead with."""
    (log,) = folder.rglob("*.eval")
    found = headline_metric(read_eval_log(str(log), header_only=True))
    assert found is not None
    return found.name, float(found.metric.value)


def on_the_page(report: Mapping[str, Any]) -> tuple[str, float]:
    (row,) = [one for table in report["tables"] if table["id"] == "headlines" for one in table["rows"]]
    return row["measure"], math.nan if row["value"] is None else row["value"]


@pytest.mark.slow
@pytest.mark.parametrize("suite", AGENTS)
def test_the_engine_shows_the_headline_of_the_page(
    suite: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first, again, shape = tmp_path / "first", tmp_path / "again", tmp_path / "report.json"
    model = ("--model", f"knowact/{AGENTS[suite]}", "--limit", 8, "--trials", 2)
    assert knowact(capsys, "run", suite, *model, "--log-dir", first, "--yes").code == 0
    assert shown(first) == pytest.approx(on_the_page(json_report(capsys, first, shape)))
    assert knowact(capsys, "rescore", suite, first, "--log-dir", again).code == 0
    assert shown(again) == pytest.approx(on_the_page(json_report(capsys, again, shape)))


@pytest.mark.slow
def test_a_headline_that_nobody_judged_is_no_number_to_the_engine_either(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vague_agent.py").write_text("def agent(messages, tools):\n    return 'I will see to it.'\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    words = (
        "--agent",
        "py:vague_agent:agent",
        "--limit",
        2,
        "--log-dir",
        tmp_path / "logs",
        "--judge",
        "none",
    )
    knowact(capsys, "run", "ict", *words, "--yes")
    assert math.isnan(shown(tmp_path / "logs")[1])
    report = json_report(capsys, tmp_path / "logs", tmp_path / "report.json")
    assert math.isnan(on_the_page(report)[1])
    assert not [row for row in table_rows(report, "joint", "joint conduct") if row["value"] is not None]
