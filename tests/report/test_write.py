import csv
import json
from pathlib import Path

import pytest

from knowact.core.errors import BadUsage
from knowact.report.build import build
from knowact.report.write import write, write_json

from .report_double import make_input, make_run


def test_all_files_are_written_and_agree(tmp_path: Path) -> None:
    report = build(make_input([make_run("gpt-5", 0.9), make_run("gpt-4o", 0.5, broken=2)]))
    index = write(report, tmp_path / "new" / "report")
    assert index.name == "index.html"
    root = index.parent
    names = {str(file.relative_to(root)) for file in root.rglob("*") if file.is_file()}
    ids = ("main", "quadrants", "calls", "headlines", "knowing-acting", "profile")
    tables = {f"csv/{name}.csv" for name in ids}
    assert names == {"index.html", "report.json", "csv/items.csv", *tables}

    data = json.loads((root / "report.json").read_text(encoding="utf-8"))
    assert data["format"] == "knowact.report/2"
    assert list(data["runs"][1]["dataset"]) == ["name", "version", "sha256"]
    assert (data["runs"][1]["planned"], data["runs"][1]["scored"]) == (62, 60)
    assert data["runs"][1]["outcomes"]["act"] == {"answered": 60, "instrument_error": 2}
    [main] = [table for table in data["tables"] if table["id"] == "main"]
    assert list(main["rows"][0]) == ["model", "boundary", "measure", "value", "n", "low", "high", "method"]

    with (root / "csv" / "main.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["value"]) for row in rows] == [row["value"] for row in main["rows"]]
    with (root / "csv" / "items.csv").open(encoding="utf-8", newline="") as file:
        items = list(csv.DictReader(file))
    assert len(items) == 122
    assert items[0]["label boundary"] == "external"
    assert items[0]["required"] == "none"
    assert {item["needed"] for item in items if item["scored"] == "False"} == {"unknown"}


def test_a_second_report_takes_the_place_of_the_first(tmp_path: Path) -> None:
    write(build(make_input([make_run("gpt-5", 0.9)])), tmp_path)
    before = (tmp_path / "index.html").read_text(encoding="utf-8")
    write(build(make_input([make_run("gpt-4o", 0.4)])), tmp_path)
    assert (tmp_path / "index.html").read_text(encoding="utf-8") != before


def test_the_json_can_be_written_alone(tmp_path: Path) -> None:
    write_json(build(make_input([])), tmp_path / "deep" / "numbers.json")
    assert json.loads((tmp_path / "deep" / "numbers.json").read_text(encoding="utf-8"))["runs"] == []


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(BadUsage, match="Cannot write the report"):
        write(build(make_input([])), tmp_path / "file")
    with pytest.raises(BadUsage, match="Cannot write the report"):
        write_json(build(make_input([])), tmp_path / "file" / "numbers.json")
