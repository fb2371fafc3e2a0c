"""Python's -O takes asserts away and changes nothing; -OO takes docstrings away and is refused."""

import subprocess
import sys
from pathlib import Path

import pytest

from running import knowact, measured, records_at

LIBRARY = """
from knowact.core.errors import BadUsage
try:
    import knowact.worlds.everyday.world
except BadUsage as error:
    print(error)
"""


def optimised(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.slow
def test_a_python_without_docstrings_is_refused_in_a_sentence() -> None:
    for words in (("list",), ("run", "car", "--model", "knowact/oracle"), ()):
        done = optimised("-OO", "-m", "knowact", *words)
        assert done.returncode == 2, done.stderr
        assert done.stdout == ""
        assert done.stderr.startswith("Error: Python was started with -OO ")
        assert done.stderr.count("\n") == 1
    assert optimised("-OO", "-c", LIBRARY).stdout.startswith("Python was started with -OO ")


@pytest.mark.slow
def test_a_run_without_asserts_measures_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ("run", "kapro", "--model", "knowact/random", "--limit", 6, "--log-dir")
    done = optimised("-O", "-m", "knowact", *words, tmp_path / "without")
    assert done.returncode == 0, done.stderr
    assert knowact(capsys, *words, tmp_path / "with").code == 0
    first, second = (records_at(tmp_path / name) for name in ("without", "with"))
    assert {item: measured(one) for item, one in first.items()} == {
        item: measured(one) for item, one in second.items()
    }
