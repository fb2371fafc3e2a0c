"""`knowact demo`: a line per suite, one table, one page."""

import json
import re
from pathlib import Path

import pytest
import rich

from knowact.cli import demo_command
from running import knowact


@pytest.mark.slow
def test_each_suite_has_a_line_each_run_a_row_and_the_page_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(demo_command.suites, "names", lambda: ["fail_talms"])
    # The engine silences the console of its process once; a test before this one may have made another.
    monkeypatch.setattr(rich.get_console(), "quiet", True)
    done = knowact(capsys, "demo", "--out", tmp_path / "demo")
    assert done.code == 0, done.said
    lines = done.out.splitlines()
    assert lines[0].startswith(
        "FAIL-TaLMs: when something is missing: 3 runs of built-in agents, 72 trials, "
    )
    rows = [re.split(r"  +", line.strip()) for line in lines[3:6]]
    assert rows[0][:3] == ["fail-talms", "oracle", "conduct right on both"]
    assert [row[0] for row in rows[1:]] == ["always-act", "always-no"]
    report = json.loads((tmp_path / "demo/report/report.json").read_text(encoding="utf-8"))
    (headlines,) = (table for table in report["tables"] if table["id"] == "headlines")
    shown = [
        f"{100 * row['value']:.1f} [{100 * row['low']:.1f}, {100 * row['high']:.1f}]"
        for row in headlines["rows"]
    ]
    assert [row[-2] for row in rows] == shown, "the terminal and the page say the same"
    assert lines[-1] == str((tmp_path / "demo/report/index.html").resolve())
    assert Path(lines[-1]).exists()
