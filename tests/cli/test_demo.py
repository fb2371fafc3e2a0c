"""`knowact demo`: a line per suite, one table, one page."""

from pathlib import Path

import pytest

from knowact.cli import demo_command
from running import knowact


@pytest.mark.slow
def test_each_suite_has_a_line_each_run_a_row_and_the_page_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(demo_command.suites, "names", lambda: ["fail_talms"])
    done = knowact(capsys, "demo", "--out", tmp_path / "demo")
    assert done.code == 0, done.said
    lines = done.out.splitlines()
    assert lines[0].startswith(
        "FAIL-TaLMs: when something is missing: 3 runs of built-in agents, 72 trials, "
    )
    rows = [line.split() for line in lines[3:6]]
    assert rows[0][:4] == ["fail-talms", "oracle", "conduct", "100.0"]
    assert [row[0] for row in rows[1:]] == ["always-act", "always-no"]
    assert lines[-1] == str((tmp_path / "demo/report/index.html").resolve())
    assert Path(lines[-1]).exists()
