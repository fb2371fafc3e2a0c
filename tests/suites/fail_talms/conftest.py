"""Where the published sample is, and data that are read once."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from knowact.suites.fail_talms.cases import load_cases
from knowact.suites.fail_talms.published import load_published


@pytest.fixture(scope="session")
def sample() -> Path:
    """The folder of FAIL-TaLMs' published sample; nothing of it is kept in this repository."""
    upstream = os.environ.get("KNOWACT_UPSTREAM") or Path(__file__).parents[4] / "shared" / "upstream"
    folder = Path(upstream) / "fail-talms"
    if not folder.is_dir():
        pytest.skip(f"no published sample at {folder}; say where it is with KNOWACT_UPSTREAM")
    return folder


@pytest.fixture(scope="module")
def loaded_once() -> Iterator[None]:
    """Read each data set once: here only what is made of it counts."""
    with pytest.MonkeyPatch.context() as patch:
        for module, load in (("items", load_cases), ("published_items", load_published)):
            patch.setattr(f"knowact.suites.fail_talms.{module}.{load.__name__}", cache(load))
        yield
