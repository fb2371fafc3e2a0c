"""`inspect eval knowact/kapro` and `knowact run kapro` are the same measurement."""

import subprocess
import sys
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, read_eval_log

from running import json_report, knowact, measured, records_at, table_rows

LIMIT = 16


def metrics_of(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}


@pytest.mark.process
def test_the_engines_own_command_gives_the_same_records_and_metrics(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    words = ["knowact/kapro", "--model", "knowact/random", "-T", f"limit_tasks={LIMIT}", "-T", "seed=3"]
    ended = subprocess.run(
        [sys.executable, "-m", "inspect_ai", "eval", *words, "--log-dir", str(theirs), "--display", "none"],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    model = ("--model", "knowact/random", "--limit", LIMIT, "--seed", 3)
    assert knowact(capsys, "run", "kapro", *model, "--log-dir", ours).code == 0

    first, second = records_at(theirs), records_at(ours)
    assert len(first) == LIMIT
    assert {item: measured(record) for item, record in first.items()} == {
        item: measured(record) for item, record in second.items()
    }
    logs = [read_eval_log(str(next(folder.rglob("*.eval"))), header_only=True) for folder in (theirs, ours)]
    metrics = [metrics_of(log) for log in logs]
    assert metrics[0] == metrics[1]
    for folder in (theirs, ours):
        report = json_report(capsys, folder, tmp_path / "report.json")
        for row in table_rows(report, "main", "KAS"):
            if row["boundary"] in ("external", "hybrid", "internal"):
                assert metrics[0][f"kas_{row['boundary']}"] == pytest.approx(row["value"])
        for measure in ("Acc_know", "Acc_act", "Pass"):
            for row in table_rows(report, "main", measure):
                key = f"{measure.lower()}_{row['boundary']}"
                assert metrics[0][key] == pytest.approx(row["value"]), key
