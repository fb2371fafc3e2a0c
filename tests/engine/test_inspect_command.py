"""`inspect eval knowact/SUITE` and `knowact run SUITE` are the same measurement."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval  # pyright: ignore[reportUnknownVariableType] - optional parts
from inspect_ai.log import EvalLog, read_eval_log

from knowact.engine.suite_task import planned_task
from knowact.suites import find
from running import json_report, knowact, measured, records_at, table_rows

LIMIT = 16


def metrics_of(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["kapro", "ict"])
def test_the_engines_own_command_gives_the_same_records_and_metrics(
    suite: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    words = [f"knowact/{suite}", "--model", "knowact/random", "-T", f"limit_tasks={LIMIT}", "-T", "seed=3"]
    ended = subprocess.run(
        [sys.executable, "-m", "inspect_ai", "eval", *words, "--log-dir", str(theirs), "--display", "none"],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    model = ("--model", "knowact/random", "--limit", LIMIT, "--seed", 3)
    assert knowact(capsys, "run", suite, *model, "--log-dir", ours).code == 0

    first, second = records_at(theirs), records_at(ours)
    assert len(first) >= LIMIT
    assert {item: measured(record) for item, record in first.items()} == {
        item: measured(record) for item, record in second.items()
    }
    logs = [read_eval_log(str(next(folder.rglob("*.eval"))), header_only=True) for folder in (theirs, ours)]
    metrics = [metrics_of(log) for log in logs]
    assert metrics[0] == metrics[1]
    checks = {"kapro": assert_main_table, "ict": assert_items_right}
    for folder in (theirs, ours):
        checks[suite](json_report(capsys, folder, tmp_path / "report.json"), metrics[0])


def assert_main_table(report: Mapping[str, Any], metrics: Mapping[str, float]) -> None:
    """KAPRO's main table says what the engine's own metrics say."""
    for row in table_rows(report, "main", "KAS"):
        if row["boundary"] in ("external", "hybrid", "internal"):
            assert metrics[f"kas_{row['boundary']}"] == pytest.approx(row["value"])
    for measure in ("Acc_know", "Acc_act", "Pass"):
        for row in table_rows(report, "main", measure):
            key = f"{measure.lower()}_{row['boundary']}"
            assert metrics[key] == pytest.approx(row["value"]), key


def assert_items_right(report: Mapping[str, Any], metrics: Mapping[str, float]) -> None:
    """ICT's tables do, too."""
    for table, measure, metric in (("table-2", "Acc", "explicit"), ("table-5", "Acc", "implicit")):
        found = table_rows(report, table, measure)
        assert len(found) == 4
        for row in found:
            assert metrics[f"{metric}_{row['part']}"] == pytest.approx(row["value"])


@pytest.mark.slow
def test_fail_talms_is_the_same_measurement_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    words = [
        "knowact/fail_talms",
        "--model",
        "knowact/oracle",
        "-T",
        "limit_tasks=6",
        "-T",
        "helper=scripted",
    ]
    ended = subprocess.run(
        [sys.executable, "-m", "inspect_ai", "eval", *words, "--log-dir", str(theirs), "--display", "none"],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    model = ("--model", "knowact/oracle", "--limit", 6, "--helper", "scripted")
    assert knowact(capsys, "run", "fail-talms", *model, "--log-dir", ours).code == 0
    first, second = records_at(theirs), records_at(ours)
    assert len({record.cluster for record in first.values()}) == 6
    assert {item: measured(record) for item, record in first.items()} == {
        item: measured(record) for item, record in second.items()
    }
    logs = [read_eval_log(str(next(folder.rglob("*.eval"))), header_only=True) for folder in (theirs, ours)]
    metrics = [metrics_of(log) for log in logs]
    assert metrics[0] == metrics[1]
    report = json_report(capsys, ours, tmp_path / "report.json")
    for measure in ("right", "pass"):
        rows = table_rows(report, "conduct", measure)
        assert len(rows) > 1
        for row in rows:
            key = f"{measure}_{row['setting'].replace('-', '_')}"
            assert metrics[0].get(key, metrics[0].get(f"{measure}_{row['setting']}")) == pytest.approx(
                row["value"]
            ), key


def test_a_plan_of_a_command_is_not_what_the_engine_finds_by_the_suites_name(tmp_path: Path) -> None:
    suite = find("kapro")
    options = {**suite.defaults(), "limit": 2}
    arguments = {name: value for name, value in options.items() if name != "limit"} | {"limit_tasks": 2}
    plan = suite.plan(options)
    ours = planned_task(suite, replace(plan, items=plan.items[:1]), arguments)
    assert [sample.id for sample in ours.dataset] == [plan.items[0].id]
    [log] = inspect_eval(
        "knowact/kapro", model="knowact/eager", task_args=arguments, log_dir=str(tmp_path), display="none"
    )
    assert log.eval.dataset.samples == len(plan.items) > 1
