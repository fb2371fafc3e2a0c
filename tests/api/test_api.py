"""knowact from Python: scripts, running event loops, notebooks and data frames."""

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd  # pyright: ignore[reportMissingTypeStubs]
import polars as pl
import pytest

import knowact
from knowact.core.errors import BadUsage, KnowactError
from running import knowact as typed

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> knowact.Runs:
    """Two built-in agents on the same eight tasks."""
    logs = tmp_path_factory.mktemp("logs")
    return knowact.run("kapro", model=["knowact/eager", "knowact/oracle"], limit=8, log_dir=logs, quiet=True)


def test_a_run_is_the_command_s(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = knowact.run("kapro", model="knowact/eager", limit=4, solo=False, log_dir=tmp_path)
    announced = capsys.readouterr().out
    assert "KAPRO: from knowing to acting: 4 items" in announced
    again = typed(capsys, "run", "kapro", "--model", "knowact/eager", "--limit", 4, "--log-dir", tmp_path)
    assert again.code == 0
    assert "(resuming)" in again.out
    [run] = knowact.load(tmp_path)
    assert [record.results for record in run.records] == [record.results for record in first.records]


def test_quiet_prints_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    knowact.run("kapro", model="knowact/eager", limit=2, log_dir=tmp_path, quiet=True)
    found = capsys.readouterr()
    assert (found.out, found.err) == ("", "")


def test_it_works_within_a_running_loop(tmp_path: Path) -> None:
    async def both() -> tuple[knowact.Runs, knowact.Runs]:
        first = await knowact.run_async("kapro", model="knowact/eager", limit=2, log_dir=tmp_path, quiet=True)
        return first, knowact.run("kapro", model="knowact/oracle", limit=2, log_dir=tmp_path, quiet=True)

    first, second = asyncio.run(both())
    assert [run.model for run in (*first, *second)] == ["knowact/eager", "knowact/oracle"]


def test_options_that_are_wrong_raise_the_command_s_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match=r"No such option '--limt'"):
        knowact.run("kapro", model="knowact/eager", limt=2)
    with pytest.raises(KnowactError, match="no suite named 'kapru'"):
        knowact.run("kapru", model="knowact/eager")
    with pytest.raises(BadUsage, match="There is no knowact log"):
        knowact.load(tmp_path)


def test_mappings_lists_and_switches_are_options_as_typed(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="There is no role 'moderator'"):
        knowact.run("kapro", model="knowact/eager", role={"moderator": "x/y"}, log_dir=tmp_path)
    with pytest.raises(KnowactError, match="engine"):
        knowact.run(
            "kapro", model="knowact/eager", limit=1, log_dir=tmp_path, inspect={"no_such": 1}, quiet=True
        )


@pytest.mark.parametrize("library", [pd, pl])
def test_a_frame_has_a_row_per_trial_and_the_columns_of_the_item_table(
    runs: knowact.Runs, library: object, tmp_path: Path
) -> None:
    frame = runs.to_frame("pandas" if library is pd else "polars")
    runs.report(tmp_path)
    table = pd.read_csv(tmp_path / "csv" / "items.csv")
    assert list(frame.columns) == [name for name in table.columns if name != "view"]
    assert frame.shape[0] == len(table) == len(runs.records) == 16
    means = next(run for run in runs if run.model == "knowact/eager").records
    mine = [
        value
        for value, model in zip(frame["result acc_know"], frame["model"], strict=True)
        if model == "knowact/eager"
    ]
    assert mine == [record.value("acc_know") for record in means]


def test_a_frame_needs_a_library(runs: knowact.Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> None:
        return None

    monkeypatch.setattr("knowact.api.find_spec", missing)
    with pytest.raises(BadUsage, match="A data frame needs pandas or polars: pip install pandas"):
        runs.to_frame()


def test_compare_and_check_take_runs(runs: knowact.Runs) -> None:
    eager, oracle = runs.of(model="knowact/eager"), runs.of("kapro", "knowact/oracle")
    assert "knowact/oracle minus knowact/eager" in repr(knowact.compare(eager, oracle))
    assert knowact.check(oracle, "kapro.kas >= 0.1")
    gate = knowact.check(eager, "kapro.kas >= 0.9", "kapro.calls<=0.5")
    assert not gate
    assert "2 of 2 failed." in repr(gate)
    assert knowact.check(oracle, against=eager, max_drop=0.5)
    with pytest.raises(BadUsage, match="there are 2 here"):
        knowact.compare(runs, eager)


def test_tables_are_the_report_s(runs: knowact.Runs) -> None:
    assert {row.keys["model"] for row in runs.tables("kapro")["main"].rows} == {
        "knowact/eager",
        "knowact/oracle",
    }


def test_nothing_from_a_log_becomes_markup(runs: knowact.Runs) -> None:
    import dataclasses

    evil = knowact.Runs([dataclasses.replace(runs[0], model="<script>alert(1)</script>")])
    shown: str = getattr(evil, "_repr_html_")()  # noqa: B009 - it is what notebooks call
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


@pytest.mark.slow
def test_importing_loads_little_more_than_the_name() -> None:
    look = "import sys; before = {*sys.modules}; import knowact; print(*{*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "knowact" in loaded
    assert {name.split(".")[0] for name in loaded} <= {"knowact", *sys.stdlib_module_names}
    assert len(loaded) < 60, sorted(loaded)


def page_blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.slow
def test_the_page_runs_in_a_real_notebook_kernel(tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    new: Any = nbformat.v4
    cells = [new.new_code_cell(block) for block in page_blocks()]
    book = new.new_notebook(cells=cells)
    # Ports that no connection gets by chance: of free ones, another test may have taken one when the kernel
    # is up at last.
    first = 20_000 + os.getpid() % 2_000 * 5
    names = ("shell_port", "iopub_port", "stdin_port", "hb_port", "control_port")
    ports = {name: first + place for place, name in enumerate(names)}
    config = Config({"KernelManager": {"cache_ports": False, **ports}})
    patience: Any = {"timeout": 600, "startup_timeout": 600}
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(book, config=config, resources=where, **patience).execute()
    shown = json.dumps(book)
    assert "<table>" in shown
    assert (tmp_path / "report" / "index.html").exists()


def test_the_page_names_everything_that_is_public() -> None:
    names = {name for name in knowact.__all__ if name != "__version__"}
    assert {name for name in names if not re.search(rf"\b{name}\b", PAGE)} == set()


@pytest.mark.slow
def test_the_commands_of_the_gate_s_page_do_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    gate = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```console\n(.*?)```", gate, re.DOTALL)
    import shlex

    for line in block.splitlines():
        done = typed(capsys, *shlex.split(line.removeprefix("$ "))[1:])
        assert done.code == 0, (line, done)
    assert (tmp_path / "check.xml").exists()
    [example] = re.findall(r"```python\n(.*?)```", gate, re.DOTALL)
    (tmp_path / "test_limits.py").write_text(example, encoding="utf-8")
    pytest_ = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_limits.py"]
    ran = subprocess.run(pytest_, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (ran.returncode, "1 passed" in ran.stdout) == (0, True), ran.stdout
    (tmp_path / "test_limits.py").write_text(example.replace("0.6", "0.999"), encoding="utf-8")
    failed = subprocess.run(pytest_, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert failed.returncode == 1
    assert "is below 0.999: at this estimate" in failed.stdout, "the failure shows the gate's table"
    workflow = re.search(r"```yaml\n(.*?)```", gate, re.DOTALL)
    assert workflow is not None
    commands = re.findall(r"- run: (knowact .*)", workflow[1])
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    assert len(commands) == 2
    for line in commands:
        words = shlex.split(line.replace("$MODEL", "knowact/oracle").replace("--cost-limit 5", ""))
        words = [str(tmp_path / "summary.md") if word == "$GITHUB_STEP_SUMMARY" else word for word in words]
        done = typed(capsys, *words[1:], *(["--log-dir", "ci"] if words[1] == "run" else ["ci"]))
        assert done.code == 0, (line, done)
    assert "### knowact: passed" in (tmp_path / "summary.md").read_text(encoding="utf-8")
