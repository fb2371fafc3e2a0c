"""Where the published sample is."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def sample() -> Path:
    """The folder of FAIL-TaLMs' published sample; nothing of it is kept in this repository."""
    upstream = os.environ.get("KNOWACT_UPSTREAM") or Path(__file__).parents[4] / "shared" / "upstream"
    folder = Path(upstream) / "fail-talms"
    if not folder.is_dir():
        pytest.skip(f"no published sample at {folder}; say where it is with KNOWACT_UPSTREAM")
    return folder
