"""Fixtures for pairs of anybody's items."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from doubles.endpoint import ScriptedEndpoint
from own_tasks import write_items

from .pairs_from import JOBS, Models, task


@pytest.fixture
def items(tmp_path: Path) -> Path:
    return write_items(tmp_path / "items", [task(number) for number in range(len(JOBS))])


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator[Models]:
    played = Models()
    with ScriptedEndpoint(played.script, keep_requests=False) as endpoint:
        monkeypatch.setenv("FORGE_API_KEY", "x")
        monkeypatch.setenv("FORGE_BASE_URL", endpoint.base_url)
        yield played
