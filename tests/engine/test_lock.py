"""The same command twice at once: one of them does the work, the other says who does."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from knowact.core.errors import RunHeld
from knowact.engine.run_folder import held
from running import knowact, records_at

WORDS = ("run", "kapro", "--model", "knowact/oracle", "--limit", 2)
HOLD = """
import sys, time
from pathlib import Path
from knowact.engine.run_folder import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


def folder_below(logs: Path) -> Path:
    (found,) = [path for path in (logs / "kapro").iterdir() if "superseded" not in path.name]
    return found


@pytest.mark.slow
def test_the_second_run_names_the_first_and_a_killed_one_holds_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert knowact(capsys, *WORDS, "--log-dir", tmp_path).code == 0
    folder = folder_below(tmp_path)
    before = records_at(tmp_path)
    with subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        try:
            for more in ((), ("--fresh",)):
                second = knowact(capsys, *WORDS, *more, "--log-dir", tmp_path)
                assert second.code == 5, second.said
                named = rf"\(process {holder.pid} on {re.escape(socket.gethostname())}, since 20\d\d-"
                assert re.search(named, second.err), second.err
                assert str(folder) in second.err
                assert second.err.count("\n") == 1
        finally:
            holder.kill()
    assert records_at(tmp_path).keys() == before.keys()
    assert knowact(capsys, *WORDS, "--fresh", "--log-dir", tmp_path).code == 0
    assert folder_below(tmp_path) == folder
    assert knowact(capsys, *WORDS, "--log-dir", tmp_path).code == 0


def test_a_folder_is_held_within_a_process_too_and_free_after_a_failure(tmp_path: Path) -> None:
    def fails() -> None:
        with held(tmp_path):
            with pytest.raises(RunHeld, match=f"process {os.getpid()} on"), held(tmp_path):
                raise AssertionError
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    with held(tmp_path):
        pass


def test_a_holder_that_is_not_written_down_yet_is_another_process(tmp_path: Path) -> None:
    with held(tmp_path):
        for written in ("", "[]", "{}"):
            (tmp_path / ".run.holder").write_text(written, encoding="utf-8")
            with pytest.raises(RunHeld, match="another process"), held(tmp_path):
                raise AssertionError
