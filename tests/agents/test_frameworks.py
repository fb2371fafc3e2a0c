"""One agent in four frameworks, and over MCP, gets the same scores (`make frameworks`)."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-frameworks" / "bin" / "python"


@pytest.mark.slow
@pytest.mark.skipif(not PYTHON.exists(), reason="`make frameworks` installs the frameworks, from the network")
def test_the_same_agent_in_every_framework_gets_the_same_scores(tmp_path: Path) -> None:
    where = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [PYTHON, ROOT / "benchmarks" / "frameworks" / "run.py"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        cwd=tmp_path,
        env=where,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "pydantic_ai over MCP: " in done.stdout
    assert "All the same." in done.stdout
