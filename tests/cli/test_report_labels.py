"""`knowact report --labels`: labels by people beside our results."""

import csv
import json
from pathlib import Path

import pytest

from knowact import suites
from knowact.cli import main
from knowact.roles import calibration
from running import knowact


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    words = ["run", "kapro", "--model", "knowact/oracle", "--limit", "4", "--log-dir", str(folder)]
    assert main.run(words) == 0
    return folder


def rows_of(report: Path) -> list[dict[str, str]]:
    with (report / "csv" / "items.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_items_of_a_report_come_back_with_a_persons_labels(
    logs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert knowact(capsys, "report", logs, "--out", tmp_path / "before").code == 0
    rows = rows_of(tmp_path / "before")
    said = ["yes", "no", *[""] * (len(rows) - 2)]
    labels = tmp_path / "labels.csv"
    with labels.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], "passed"])
        writer.writeheader()
        writer.writerows({**row, "passed": word} for row, word in zip(rows, said, strict=True))

    done = knowact(capsys, "report", logs, "--out", tmp_path / "after", "--labels", labels)
    assert done.code == 0, done.said
    assert "Labelled trials: 2." in done.out
    after = {row["item"]: row for row in rows_of(tmp_path / "after")}
    assert [after[row["item"]]["result pass_human"] for row in rows[:3]] == ["1.0", "0.0", ""]
    assert json.loads((tmp_path / "after" / "report.json").read_text("utf-8"))["format"] == "knowact.report/2"


def test_labels_that_fit_nothing_are_said(
    logs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("item,passed\nnobody-1,yes\n", encoding="utf-8")
    done = knowact(capsys, "report", logs, "--json", tmp_path / "r.json", "--labels", labels)
    assert done.code == 0, done.said
    assert "Labels that match no trial: 1 (line 2)." in done.out


def test_a_wrong_file_gets_a_sentence(logs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("item,passed\na,perhaps\n", encoding="utf-8")
    done = knowact(capsys, "report", logs, "--labels", labels)
    assert done.code == 2
    assert "labels.csv:2, field 'passed': 'perhaps' is not a label." in done.err


def test_a_report_reads_error_rates_and_computes_none(
    logs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come from what `knowact calibrate` stored; the labelled sets take seconds to go through."""

    def computed(*_: object) -> bytes:
        raise AssertionError("a labelled set was read")

    suites.labelled_sets.cache_clear()
    monkeypatch.setattr(calibration, "_file", computed)
    with pytest.raises(AssertionError, match="a labelled set was read"):
        suites.labelled_sets()
    assert knowact(capsys, "report", logs, "--out", tmp_path).code == 0
