"""What is installed from outside works with every command, in processes of its own, as a user starts them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SUITES = ("choices", "errands", "library_desk")
ROOT = Path(__file__).parents[2]

DRIVER = """
import json, sys
from knowact.cli.main import run
from offline import block_sockets
with block_sockets():
    codes = [run(words) for words in json.loads(sys.argv[1])]
sys.exit(str(codes) if any(codes) else 0)
"""


def started(site: Path, *words: str) -> str:
    """What a Python process says that finds the plugins installed."""
    ended = subprocess.run(
        [sys.executable, *words],
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (site, ROOT / "src", ROOT / "tests")))},
        cwd=site.parent,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.slow
def test_list_run_compare_report_and_data_work_with_suites_from_outside(site: Path, tmp_path: Path) -> None:
    logs, report = tmp_path / "logs", tmp_path / "report"
    commands: list[list[str]] = [["list"]]
    for suite in SUITES:
        data = next((site / f"knowact_{suite}" / "data").iterdir())
        first = json.loads((data / "items.jsonl").read_text(encoding="utf-8").splitlines()[0])["id"]
        folder = str(logs / suite)
        models = ["--model", "knowact/oracle", "--model", "knowact/fabricator"]
        commands += [
            ["run", suite.replace("_", "-"), *models, "--log-dir", folder],
            ["compare", "knowact/fabricator", "knowact/oracle", "--log-dir", folder],
            ["data", "show", first, "--suite", suite],
            ["data", "stats", "--suite", suite, "--out", str(tmp_path / f"{suite}.html")],
        ]
    commands.append(["report", str(logs), "--out", str(report)])
    said = started(site, "-c", DRIVER, json.dumps(commands))
    for suite in SUITES:
        assert f"{suite}/" in said
        assert (tmp_path / f"{suite}.html").exists()
    assert "knowact/oracle minus knowact/fabricator" in said
    page = json.loads((report / "report.json").read_text(encoding="utf-8"))
    assert {(run["suite"], run["model"]) for run in page["runs"]} == {
        (suite, f"knowact/{name}") for suite in SUITES for name in ("oracle", "fabricator")
    }
    assert all(run["scored"] == run["planned"] for run in page["runs"])
    assert (report / "index.html").exists()


@pytest.mark.slow
def test_the_engines_own_command_finds_them_too(site: Path, tmp_path: Path) -> None:
    names = [f"knowact/{suite}" for suite in SUITES]
    options = ("--model", "knowact/oracle", "--log-dir", str(tmp_path), "--display", "none")
    started(site, "-m", "inspect_ai", "eval", *names, *options)
    from knowact.engine.reader import find_logs, read_runs

    runs = read_runs(find_logs([tmp_path]))
    assert {run.suite for run in runs} == set(SUITES)
    for run in runs:
        headline = {"choices": "right"}.get(run.suite, "success")
        assert len(run.records) == run.planned
        assert all(record.value(headline) == 1 for record in run.records)
