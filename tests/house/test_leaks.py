"""A file that a test leaves open fails that test, not the one during which the collector comes by."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
LEAKS = """
import gc

class Cycle:
    def __init__(self, path):
        self.me, self.file = self, path.open("w")

def test_leaves_a_file_open(tmp_path):
    Cycle(tmp_path / "left")

def test_innocent():
    gc.collect()
"""


@pytest.mark.slow
def test_a_test_that_leaves_a_file_open_is_the_one_that_fails(tmp_path: Path) -> None:
    file = tmp_path / "test_leaks.py"
    file.write_text(LEAKS, encoding="utf-8")
    words = ("-p", "conftest", "-p", "no:cacheprovider", "-c", TESTS.parent / "pyproject.toml", "-rA")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *map(str, words), "--rootdir", str(tmp_path), str(file)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert "ERROR test_leaks.py::test_leaves_a_file_open" in done.stdout, done.stdout + done.stderr
    assert "PASSED test_leaks.py::test_innocent" in done.stdout
