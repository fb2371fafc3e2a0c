"""`knowact run --config`: what a team commits."""

from pathlib import Path

import pytest

from running import knowact, run_at

FILE = """
model = ["knowact/eager"]
seed = 3
log-dir = "runs"

[kapro]
limit = 3
subspace = "internal"

[fail_talms]
limit = 1
setting = "perfect"
max_questions = 2

[fail_talms.inspect]
max-retries = 5
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file, in the folder in which the command line is run."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "suite.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_every_section_is_run_with_its_options(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = knowact(capsys, "run", "--config", file)
    assert done.code == 0, done.said
    kapro, talms = run_at(Path("runs/kapro")), run_at(Path("runs/fail_talms"))
    assert (len(kapro.records), kapro.options["seed"], kapro.options["subspace"]) == (3, 3, "internal")
    assert (talms.options["seed"], talms.options["max_questions"]) == (3, 2)


def test_the_command_line_comes_before_the_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--limit", 1, "--model", "knowact/shy", "--log-dir", "own")
    done = knowact(capsys, "run", "kapro", "--config", file, *words)
    assert done.code == 0, done.said
    run = run_at(Path("own"))
    assert (run.model, len(run.records), run.options["subspace"]) == ("knowact/shy", 1, "internal")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[kapro]\nlimt = 3", "field 'kapro.limt': the command 'kapro' has no option 'limt'"),
        ("[kapra]", "field 'kapra': there is no suite 'kapra'. Fix: Did you mean 'kapro'"),
        ("limit = 3", "no suite has a section here"),
        ("[kapro", "this is not TOML"),
        ('model = "knowact/shy"\n[kapro]\nlimit = "many"', "'many' is not a valid integer"),
        ('model = "knowact/shy"\n[bfcl]\nlimit = 1\n[kapro]\nlimt = 1', "no option 'limt'"),
    ],
)
def test_what_is_wrong_is_told_before_anything_runs(
    file: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    file.write_text(text, encoding="utf-8")
    done = knowact(capsys, "run", "--config", file)
    assert (done.code, said in done.err) == (2, True), done.err
    assert not Path("logs").exists()
    assert "Traceback" not in done.err


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    done = knowact(capsys, "run", "--config", "nowhere.toml")
    assert (done.code, "cannot be read" in done.err) == (2, True)
