"""A folder of own tools, and scripted models that describe them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from doubles.annotators import ScriptedAnnotator
from doubles.endpoint import ScriptedEndpoint
from knowact.tools.folder import ToolFolder
from tools.annotators import EVERYDAY, NAMES, folder_of, own_tool


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ToolFolder:
    monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path))
    return folder_of(tmp_path, (own_tool(EVERYDAY[name]) for name in NAMES))


@pytest.fixture
def models(mine: ToolFolder, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedAnnotator]:
    played = ScriptedAnnotator({own.name: own for own in mine.tools}, EVERYDAY)
    with ScriptedEndpoint(played.script, keep_requests=False) as endpoint:
        monkeypatch.setenv("NOTE_API_KEY", "x")
        monkeypatch.setenv("NOTE_BASE_URL", endpoint.base_url)
        yield played
