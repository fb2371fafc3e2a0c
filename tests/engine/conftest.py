"""The endpoint that plays agent, judge and person for FAIL-TaLMs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fail_talms_agents import AskingAgents
from one_address import afresh, served


@pytest.fixture(scope="session")
def _asking_endpoint() -> Iterator[AskingAgents]:
    with served(AskingAgents()) as agents:
        yield agents


@pytest.fixture
def asking(_asking_endpoint: AskingAgents, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AskingAgents:
    """Scripted agents where Inspect's own provider finds the models `openai-api/asking/...`."""
    return afresh(_asking_endpoint, "asking", monkeypatch, tmp_path)
