"""One model on several sets: a table and a figure of several suites together (ICT, Table 4 and Figure 4)."""

import json
from pathlib import Path
from typing import Any

import pytest

from running import knowact

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from knowact.cli.main import run

    folder = tmp_path_factory.mktemp("sets")
    for suite in ("bfcl", "when2call", "ict", "kapro"):
        for model in ("knowact/oracle", "knowact/always-act"):
            words = [
                "run",
                suite,
                "--model",
                model,
                "--limit",
                "8",
                "--judge",
                "none",
                "--log-dir",
                str(folder),
            ]
            assert run(words) in (0, 2)
    return folder


def report_of(logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert knowact(capsys, "report", logs, "--out", tmp_path / "r").code == 0
    return json.loads((tmp_path / "r" / "report.json").read_text(encoding="utf-8"))


def test_each_model_has_a_row_for_each_set_that_asks_for_it(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = report_of(logs, tmp_path, capsys)
    (table,) = (one for one in report["tables"] if one["id"] == "sets")
    assert table["suite"] is None
    found = {(row["model"], row["set"], row["measure"]): row["value"] for row in table["rows"]}
    sets = {f"{suite}/everyday@2-A" for suite in ("bfcl", "when2call", "ict")}
    assert {name for _, name, _ in found} == sets
    for name in sets:
        assert found["knowact/oracle", name, "accuracy"] == found["knowact/oracle", name, "F1 (no)"] == 1
        assert found["knowact/always-act", name, "F1 (no)"] == 0
        held = found["knowact/always-act", name, "always holding back"]
        assert found["knowact/always-act", name, "accuracy"] == pytest.approx(1 - held)
    (sizes,) = (one for one in report["tables"] if one["id"] == "set-sizes")
    counts = {(row["set"], row["measure"]): row["value"] for row in sizes["rows"]}
    assert counts["bfcl/everyday@2-A", "examples"] == 16
    page = (tmp_path / "r" / "index.html").read_text(encoding="utf-8")
    assert "One model on several sets" in page
    assert (tmp_path / "r" / "csv" / "sets.csv").exists()
    (figure,) = (one for one in report["figures"] if one["id"] == "sets")
    assert figure["spec"]["data"]


def test_one_set_stands_beside_nothing(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = report_of(logs / "bfcl", tmp_path, capsys)
    assert {one["id"] for one in report["tables"]}.isdisjoint({"sets", "set-sizes"})
    assert "One model on several sets" not in (tmp_path / "r" / "index.html").read_text(encoding="utf-8")
