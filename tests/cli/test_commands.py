"""The smaller commands, and what all commands share."""

import importlib
import json
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from knowact import __version__
from knowact.agents.catalogue import DESCRIPTIONS
from knowact.cli import doctor_command, main, run_command, view_command
from knowact.suites import find, names
from running import knowact, run_at


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    models = ["--model", "knowact/oracle", "--model", "knowact/eager"]
    assert main.run(["run", "kapro", *models, "--limit", "8", "--log-dir", str(folder)]) == 0
    return folder


def log_of(logs: Path, agent: str) -> Path:
    (found,) = logs.rglob(f"*{agent}*/*.eval")
    return found


class TestHelp:
    @pytest.mark.parametrize("name", main.COMMANDS)
    def test_every_command_has_help_and_its_module_and_function_say_what_they_are(
        self, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        module = importlib.import_module(f"knowact.cli.{name}_command")
        command: click.Command = module.command
        assert command.help
        assert module.__doc__
        assert f"`knowact {name}" in module.__doc__
        done = knowact(capsys, name, "--help")
        assert done.code == 0
        assert command.help.split("\n")[0].split("`")[0].strip() in " ".join(done.out.split())

    @pytest.mark.parametrize("name", main.COMMANDS)
    def test_every_option_says_what_it_does(self, name: str) -> None:
        command: click.Command = importlib.import_module(f"knowact.cli.{name}_command").command
        commands = [command, *(run_command.suite_command(find(suite)) for suite in names())]
        silent = [
            f"{one.name} {option.name}"
            for one in commands
            for option in one.params
            if isinstance(option, click.Option) and not (option.help or option.hidden)
        ]
        assert silent == []

    def test_the_overview_lists_all_commands(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = knowact(capsys, "--help")
        assert done.code == 0
        for name, what in main.COMMANDS.items():
            assert name in done.out
            assert what.split()[0] in done.out

    def test_the_version_is_the_packages(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert knowact(capsys, "--version").out == f"knowact, version {__version__}\n"

    def test_a_suites_options_and_defaults_are_on_the_command_line(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "run", "kapro", "-h")
        assert done.code == 0
        for option in find("kapro").defaults():
            assert f"--{option.replace('_', '-')}" in done.out


class TestList:
    def test_it_names_suites_data_sets_and_agents(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = knowact(capsys, "list")
        assert done.code == 0
        for name in names():
            suite = find(name)
            assert suite.question in done.out
            for data in suite.datasets():
                label = f"{name}/{data.name}@{data.version}"
                line = next(line for line in done.out.splitlines() if label in line)
                assert f"{data.size:,} items" in line
                assert data.licence in line
        for agent in DESCRIPTIONS:
            assert f"knowact/{agent} " in done.out


class TestDoctor:
    def test_a_good_machine_is_all_ok(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        done = knowact(capsys, "doctor", "--log-dir", tmp_path / "new", "--model", "knowact/oracle")
        assert done.code == 0, done.out
        assert all(line.startswith("ok  ") for line in done.out.splitlines())
        for data in find("kapro").datasets():
            label = f"kapro/{data.name}@{data.version}"
            assert f"{label}: {data.size:,} items, hash as in the manifest" in done.out
        assert "the model knowact/oracle has its package and key" in done.out
        assert not (tmp_path / "new").exists()

    @pytest.mark.parametrize("version", [(3, 10, 9), (3, 14, 0)])
    def test_another_python_is_named(
        self,
        version: tuple[int, int, int],
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(doctor_command, "sys", SimpleNamespace(version_info=version))
        done = knowact(capsys, "doctor")
        assert done.code == 1
        failed = [line for line in done.out.splitlines() if line.startswith("FAIL")]
        assert len(failed) == 1
        assert "3.11 to 3.13 are supported" in failed[0]

    @pytest.mark.parametrize("found", ["0.3.262", "0.4.0", "1.0"])
    def test_another_engine_is_named_with_what_to_install(
        self, found: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def version(_: str) -> str:
            return found

        monkeypatch.setattr(doctor_command, "version", version)
        done = knowact(capsys, "doctor")
        assert done.code == 1
        assert (
            f"FAIL  Inspect {found} is not supported. Install another version with: pip install" in done.out
        )

    def test_a_missing_key_and_an_unwritable_folder_are_named(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        (tmp_path / "file").touch()
        done = knowact(capsys, "doctor", "--model", "openai/gpt-5", "--log-dir", tmp_path / "file")
        assert done.code == 1
        failed = [line for line in done.out.splitlines() if line.startswith("FAIL")]
        assert len(failed) == 2
        assert "Choose another --log-dir" in failed[0]
        assert "OPENAI_API_KEY" in failed[1]


class TestView:
    def test_a_dry_run_prints_the_address_and_starts_nothing(
        self, logs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def nothing(*_: object, **__: object) -> None:
            raise AssertionError("a dry run starts nothing")

        monkeypatch.setattr(view_command.subprocess, "run", nothing)
        monkeypatch.setattr(view_command.webbrowser, "open", nothing)
        log = log_of(logs, "oracle")
        sample = run_at(log.parent).records[0].item
        assert knowact(capsys, "view", logs, "--dry-run").out == "http://127.0.0.1:7575/\n"
        done = knowact(capsys, "view", log, "--sample", sample, "--epoch", 1, "--port", 8001, "--dry-run")
        assert done.code == 0
        assert done.out == f"http://127.0.0.1:8001/#/logs/{log.name}/samples/sample/{sample}/1/\n".replace(
            "+", "%2B"
        )

    def test_an_unknown_sample_is_answered_with_the_near_ones(
        self, logs: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        log = log_of(logs, "oracle")
        sample = run_at(log.parent).records[0].item
        done = knowact(capsys, "view", log, "--sample", sample[:-1], "--dry-run")
        assert done.code == 2
        assert f"There is no sample named {sample[:-1]!r}. Did you mean" in done.err
        done = knowact(capsys, "view", logs, "--sample", sample, "--dry-run")
        assert (done.code, "--sample needs one run" in done.err, str(log) in done.err) == (2, True, True)

    def test_a_run_is_named_by_its_folder_or_as_reports_name_it(
        self, logs: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        log = log_of(logs, "oracle")
        run = run_at(log.parent)
        shown = knowact(capsys, "view", log, "--sample", run.records[0].item, "--dry-run").out
        for name in (log.parent, log.parent.name, run.id):
            words = ("view", name, "--log-dir", logs, "--sample", run.records[0].item, "--dry-run")
            assert knowact(capsys, *words).out == shown, name
        done = knowact(capsys, "view", f"{run.id}x", "--log-dir", logs, "--dry-run")
        assert (done.code, f"Did you mean '{run.id}'" in done.err) == (2, True), done.err


class TestCompare:
    def test_two_runs_are_compared_on_the_same_items(
        self, logs: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "compare", "knowact/oracle", "knowact/eager", "--log-dir", logs)
        assert done.code == 0, done.said
        assert "A: kapro-oracle-" in done.out
        assert "B: kapro-eager-" in done.out
        by_path = knowact(capsys, "compare", log_of(logs, "oracle"), log_of(logs, "eager").parent)
        assert by_path.out == done.out
        rows = [line.split() for line in done.out.splitlines()]
        assert any(row[:1] == ["internal"] or "internal" in row[:3] for row in rows)

    def test_it_names_the_telling_items_their_link_and_writes_json(
        self, logs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        file = tmp_path / "new" / "compared.json"
        words = ("compare", "knowact/oracle", "knowact/eager", "--log-dir", logs, "--json", file)
        done = knowact(capsys, *words)
        assert done.code == 0, done.said
        written = json.loads(file.read_text("utf-8"))
        shown = done.out[done.out.index("The most telling items") :].splitlines()[2:]
        assert [line.split()[0] for line in shown[: len(written["items"])]] == [
            one["item"] for one in written["items"]
        ]
        assert 0 < len(written["items"]) <= 10
        assert all(one["second"] < one["first"] and one["why_second"] for one in written["items"])
        assert f"report/index.html{written['link']} " in done.out

    def test_unknown_and_ambiguous_runs_are_refused(
        self, logs: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "compare", "knowact/orakle", "knowact/eager", "--log-dir", logs)
        assert done.code == 2
        assert "There is no run named 'knowact/orakle'." in done.err
        assert "kapro-oracle-" in done.err
        done = knowact(capsys, "compare", logs, "knowact/eager", "--log-dir", logs)
        assert done.code == 2
        assert "matches several runs. Name one of them: " in done.err


class TestReport:
    def test_all_runs_below_a_folder_make_one_report(
        self, logs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        done = knowact(capsys, "report", logs, "--out", tmp_path / "report")
        assert done.code == 0, done.said
        assert Path(done.out.splitlines()[-1]) == tmp_path / "report" / "index.html"
        assert {path.name for path in (tmp_path / "report").iterdir()} == {"index.html", "report.json", "csv"}

    def test_a_folder_without_logs_says_how_to_make_one(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        done = knowact(capsys, "report", tmp_path)
        assert done.code == 2
        assert "Make one with: knowact run SUITE --model M" in done.err

    def test_what_is_no_log_is_named(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        (tmp_path / "x.eval").write_bytes(b"PK\x03\x04 and then nothing")
        done = knowact(capsys, "report", tmp_path)
        assert done.code == 2, done.said
        assert "x.eval: this is not an Inspect log, or it is damaged." in done.err
