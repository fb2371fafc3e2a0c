"""The endpoint that plays agent, driver and judge for CAR."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from car_people import Drive, Wheel
from one_address import afresh, served


@pytest.fixture(scope="session")
def _wheel_endpoint() -> Iterator[Wheel]:
    with served(Wheel()) as wheel:
        yield wheel


@pytest.fixture
def wheel(_wheel_endpoint: Wheel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Wheel:
    """Scripted people where Inspect's own provider finds the models `openai-api/wheel/...`."""
    return afresh(_wheel_endpoint, "wheel", monkeypatch, tmp_path)


@pytest.fixture
def drive(wheel: Wheel, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Drive:
    return Drive(wheel, capsys, tmp_path / "logs")
