"""The endpoint that plays agent, driver and judge for CAR."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from car_people import Drive, Wheel
from knowact.testing.endpoint import Reply, Request, ScriptedEndpoint


@pytest.fixture(scope="session")
def _wheel_endpoint() -> Iterator[Wheel]:
    """One address for all tests: the engine keeps a model, address included, as long as the process lives."""
    wheel = Wheel()

    def script(request: Request) -> Reply:
        return wheel.script(request)

    with ScriptedEndpoint(script, keep_requests=False) as endpoint:
        wheel.base_url = endpoint.base_url
        yield wheel


@pytest.fixture
def wheel(_wheel_endpoint: Wheel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Wheel:
    """Scripted people where Inspect's own provider finds the models `openai-api/wheel/...`."""
    fresh = Wheel(_wheel_endpoint.base_url)
    for one in fields(fresh):
        setattr(_wheel_endpoint, one.name, getattr(fresh, one.name))
    monkeypatch.setenv("WHEEL_API_KEY", "x")
    monkeypatch.setenv("WHEEL_BASE_URL", _wheel_endpoint.base_url)
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "engine-cache"))
    return _wheel_endpoint


@pytest.fixture
def drive(wheel: Wheel, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Drive:
    return Drive(wheel, capsys, tmp_path / "logs")
