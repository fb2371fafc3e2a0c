"""Paths, numbers and options of the engine that make no sense: one sentence and code 2."""

from pathlib import Path

import pytest

from running import knowact

LONG = "a" * 5_000
RUN = ("run", "car", "--model", "knowact/oracle", "--type", "base", "--limit", "1", "--trials", "1")

WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "a path too long for run": ((*RUN, "--data", LONG), "File name too long"),
    "a path too long for report": (("report", LONG), "File name too long"),
    "a path too long for compare": (("compare", LONG, "b"), "File name too long"),
    "a path too long for view": (("view", LONG), "File name too long"),
    "a path too long for rescore": (("rescore", "car", LONG), "File name too long"),
    "an effect beyond all measure": (("power", "--effect", "1e308"), "no more than 1e+06"),
    "a limit of no seconds": (
        ("world", "check", "car", "--time-limit", "nan"),
        "--time-limit takes a number of seconds",
    ),
    "an option of the engine twice": ((*RUN, "--", "--seed", "1", "--seed", "2"), "'--seed' is given twice"),
    "both spellings": (
        (*RUN, "--", "--max-tokens", "5", "--max_tokens", "6"),
        "'--max-tokens' is given twice",
    ),
    "another format of logs": (
        (*RUN, "--", "--log-format", "json"),
        "'--log-format' itself. Leave it out",
    ),
    "logs without samples": ((*RUN, "--", "--no-log-samples"), "'--log-samples' itself. Leave it out"),
}

LATE: dict[str, tuple[str, ...]] = {
    "tags": ("--tags", "7"),
    "metadata": ("--metadata", "7"),
    "fail on error": ("--fail-on-error", "x"),
    "approval": ("--approval", "x"),
    "sandbox": ("--sandbox", "x"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_it_gets_one_sentence(
    kind: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words, sentence = WRONG[kind]
    done = knowact(capsys, *words)
    assert done.code == 2, done.said
    assert sentence in done.err
    assert done.err.count("\n") <= 1
    assert len(done.err) < 5_000
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", LATE)
def test_what_the_engine_sees_late_gets_one_sentence(
    kind: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    done = knowact(capsys, *RUN, "--log-dir", tmp_path, "--", *LATE[kind])
    assert done.code == 2, done.said
    assert f"Error: The engine rejects {LATE[kind][0]}: " in done.err
    assert not list(tmp_path.rglob("*.eval"))


def test_a_complaint_moves_no_cursor_and_fills_no_screen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "x\x1b[2J\ny"
    folder.mkdir()
    done = knowact(capsys, *RUN, "--data", folder)
    assert done.code == 2
    assert "\x1b" not in done.said
    assert done.err.count("\n") == 1
