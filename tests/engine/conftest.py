"""The endpoint that plays agent, judge and person for FAIL-TaLMs."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from fail_talms_agents import AskingAgents
from knowact.testing.endpoint import Reply, Request, ScriptedEndpoint


@pytest.fixture(scope="session")
def _asking_endpoint() -> Iterator[AskingAgents]:
    """One address for all tests: the engine keeps a model, address included, as long as the process lives."""
    agents = AskingAgents()

    def script(request: Request) -> Reply:
        return agents.script(request)

    with ScriptedEndpoint(script, keep_requests=False) as endpoint:
        agents.base_url = endpoint.base_url
        yield agents


@pytest.fixture
def asking(_asking_endpoint: AskingAgents, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AskingAgents:
    """Scripted agents where Inspect's own provider finds the models `openai-api/asking/...`."""
    fresh = AskingAgents(_asking_endpoint.base_url)
    for one in fields(fresh):
        setattr(_asking_endpoint, one.name, getattr(fresh, one.name))
    monkeypatch.setenv("ASKING_API_KEY", "x")
    monkeypatch.setenv("ASKING_BASE_URL", _asking_endpoint.base_url)
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "engine-cache"))
    return _asking_endpoint
