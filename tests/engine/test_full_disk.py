"""A disk that is full is named, whenever the engine runs into it."""

import errno
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from knowact.engine.run_folder import disk_full
from running import knowact, records_at

ITEMS = 40
WORDS = ("run", "kapro", "--model", "knowact/oracle", "--limit", ITEMS)


class Disk:
    """Logs are moved into their place by `os.replace`; from the nth time on there is no space for one."""

    def __init__(self, patch: pytest.MonkeyPatch, room: int, code: int) -> None:
        self.room, self.code, self.replace = room, code, os.replace
        patch.setattr(os, "replace", self.move)

    def move(self, source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
        if str(target).endswith((".eval", ".json")):
            if self.room <= 0:
                raise OSError(self.code, os.strerror(self.code))
            self.room -= 1
        self.replace(source, target)


@pytest.mark.slow
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("room", [0, 2])
def test_a_run_whose_logs_find_no_space_names_the_folder_and_goes_on_when_there_is_some(
    room: int, code: int, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        Disk(patch, room, code)
        done = knowact(capsys, *WORDS, "--log-dir", tmp_path)
    assert done.code == 1, done.said
    (folder,) = (tmp_path / "kapro").iterdir()
    assert done.err.count("\n") == 1
    assert done.err.startswith(f"The logs in {folder} cannot be written: the disk is full, or ")
    assert "the same command resumes." in done.err
    again = knowact(capsys, *WORDS, "--log-dir", tmp_path)
    assert again.code == 0, again.said
    assert len(records_at(tmp_path)) == ITEMS


def test_an_error_of_the_disk_that_reaches_us_is_the_same_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("knowact.engine.runs.eval_set", full)
    done = knowact(capsys, *WORDS, "--log-dir", tmp_path)
    assert done.code == 1
    assert "cannot be written: the disk is full" in done.err


def test_the_disk_of_temporary_files_is_named_where_that_one_is_full(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    logs, temporary = tmp_path / "logs", tmp_path / "temporary"
    free = {logs: 10**9, temporary: 0}
    monkeypatch.setattr("tempfile.tempdir", str(temporary))

    def usage(path: Path) -> SimpleNamespace:
        return SimpleNamespace(free=free[path])

    monkeypatch.setattr("shutil.disk_usage", usage)
    assert f"The logs in {logs} cannot be written: the disk of {temporary}, " in disk_full(logs)
    assert "set TMPDIR to another folder" in disk_full(logs)
