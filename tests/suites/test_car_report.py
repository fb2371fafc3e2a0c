"""Car in the report: baselines beside models, people's labels beside the judge, success against budget."""

import csv
import json
from pathlib import Path

import pytest

from knowact.engine.reader import find_logs, read_runs
from knowact.suites.car.figures import tokens_figure
from knowact.suites.car.tables import JOINT_CONDUCT, baselines
from running import knowact, run_at, table_rows

pytestmark = pytest.mark.slow

RUN = ("run", "car", "--limit", "4", "--trials", "1")


def test_baselines_are_what_the_items_make_of_constant_policies(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert knowact(capsys, *RUN, "--model", "knowact/asker", "--log-dir", tmp_path).code == 0
    run = run_at(tmp_path)
    found = baselines([run]).rows
    rows = {(row.keys["policy"], row.keys["type"], row.measure): row.estimate for row in found}
    for family in ("hallucination", "disambiguation"):
        of = [one for one in run.records if one.labels["type"] == family]
        assert rows["always right", family, JOINT_CONDUCT].value == 1
        assert {rows[policy, family, JOINT_CONDUCT].n for policy, *_ in rows} == {len(of)}
        constant = ("always goes ahead", "always asks first", "always names a limit")
        assert {rows[policy, family, JOINT_CONDUCT].value for policy in constant} == {0}
    assert rows["always goes ahead", "base", "conduct alone"].value == 1
    asked = [one for one in run.records if one.labels["type"] == "disambiguation"]
    mean = sum(one.labels["subtype"] == "user" for one in asked) / len(asked)
    assert 0 < mean < 1
    assert rows["always asks first", "disambiguation", "conduct alone"].value == mean


def test_labels_of_acknowledgements_stand_beside_the_judge(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for agent in ("oracle", "silent-omitter"):
        words = (
            *RUN,
            "--type",
            "hallucination",
            "--model",
            f"knowact/{agent}",
            "--log-dir",
            tmp_path / "logs",
        )
        assert knowact(capsys, *words, "--log-dir", tmp_path / "logs").code == 0
    assert knowact(capsys, "report", tmp_path / "logs", "--out", tmp_path / "page").code == 0
    with (tmp_path / "page" / "csv" / "items.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    # The person hears one acknowledgement of the oracle's less than the declared ones.
    heard = [row["result acknowledged"] == "1.0" for row in rows]
    first = heard.index(True)
    labels = tmp_path / "labels.csv"
    with labels.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], "passed"])
        writer.writeheader()
        for place, row in enumerate(rows):
            said = heard[place] and place != first
            writer.writerow({**row, "passed": "yes" if said else "no"})
    file = tmp_path / "report.json"
    assert knowact(capsys, "report", tmp_path / "logs", "--labels", labels, "--json", file).code == 0
    report = json.loads(file.read_text(encoding="utf-8"))

    def value(measure: str) -> dict[str, float | None]:
        found = table_rows(report, "judges", measure)
        return {row["model"]: row["value"] for row in found}

    assert value("acknowledged by judge") == {"knowact/oracle": 1.0, "knowact/silent-omitter": 0.0}
    assert value("acknowledged by person") == {"knowact/oracle": 0.75, "knowact/silent-omitter": 0.0}
    assert value("agreement") == {"knowact/oracle": 0.75, "knowact/silent-omitter": 1.0}
    assert value("Cohen's kappa")["knowact/oracle"] == 0.0


def test_success_against_the_budget_of_several_runs_of_one_model(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = (
        "run",
        "car",
        "--limit",
        "1",
        "--trials",
        "1",
        "--model",
        "knowact/oracle",
        "--log-dir",
        tmp_path,
    )
    assert knowact(capsys, *words).code == 0
    assert tokens_figure(read_runs(find_logs([tmp_path]))).spec == {}
    for budget in (2048, 512):
        assert knowact(capsys, *words, "--", "--max-tokens", budget).code == 0
    assert knowact(capsys, *words, "--", "--reasoning-effort", "low").code == 0
    assert (
        knowact(
            capsys,
            "run",
            "car",
            "--limit",
            "1",
            "--trials",
            "1",
            "--model",
            "knowact/asker",
            "--log-dir",
            tmp_path,
        ).code
        == 0
    )
    figure = tokens_figure(read_runs(find_logs([tmp_path])))
    bars = figure.spec["data"]["values"]
    assert [bar["bar"] for bar in bars] == [
        "reasoning effort low",
        "max tokens 512",
        "max tokens 2048",
        "as usual",
    ]
    assert {bar["colour"] for bar in bars} == {"oracle"}
    assert {bar["value"] for bar in bars} == {1.0}
