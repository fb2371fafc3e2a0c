"""Whole runs on somebody's own MCP server: trials reach it, end it, and are not scored where it fails."""

import json
import sys
from datetime import date
from pathlib import Path

import psutil
import pytest

from knowact.cli import main
from knowact.tools.folder import Source, ToolFolder
from knowact.tools.mcp_client import McpConnection

pytest.importorskip("mcp")

SERVER = Path(__file__).parents[1] / "odd_server.py"
TASK = {
    "id": "order",
    "cluster": "order",
    "opening": {"kind": "query", "text": "What is the state of order 7?"},
    "topology": "single_hop",
    "offered": ["order", "count"],
    "plan": [
        {
            "tool": "order",
            "boundary": "external",
            "arguments": {"id": {"value": 7, "origin": "query"}},
            "wants": ["state"],
        }
    ],
    "facts": [{"kind": "text", "value": "sent", "label": "state of order 7", "sources": ["0.state"]}],
    "world": {"name": "tools:orders"},
}


def servers() -> list[str]:
    """The servers that this process has started and that still run."""
    children = psutil.Process().children(recursive=True)
    return [line for one in children if str(SERVER) in (line := " ".join(one.cmdline()))]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    lines = (json.dumps({**TASK, "id": f"order-{n}"}) for n in range(4))
    (tmp_path / "data" / "items.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def add(root: Path, mode: str) -> None:
    command = f'"{sys.executable}" -I "{SERVER}" '
    good = Source(kind="mcp-stdio", command=f"{command}good", timeout=600.0, added=date(2026, 1, 1))
    connection = McpConnection(good)
    tools = tuple(connection.tools())
    connection.close()
    source = good.model_copy(update={"command": command + mode})
    ToolFolder(root / "knowact-tools" / "orders", source, tools).save()


COMMAND = ("run", "kapro", "--data", "data", "--model", "knowact/oracle", "--yes")


@pytest.mark.slow
def test_trials_call_the_server_and_leave_none_behind(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(run, "good")
    assert main.run(list(COMMAND)) == 0
    assert "Scored 4 of 4" in capsys.readouterr().out
    assert servers() == []


@pytest.mark.slow
def test_a_server_that_dies_leaves_trials_unscored_with_its_last_words(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(run, "dies")
    code = main.run(list(COMMAND))
    said = "".join(capsys.readouterr())
    assert code == 1
    assert "MemoryError: no room" in said
    assert servers() == []


def test_a_server_that_is_not_there_is_told_before_anything_runs(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(run, "good")
    file = run / "knowact-tools" / "orders" / "source.yaml"
    text = file.read_text(encoding="utf-8").replace("odd_server.py", "no_server.py")
    file.write_text(text, encoding="utf-8")
    assert main.run(list(COMMAND)) == 2
    said = capsys.readouterr().err
    assert "The MCP server" in said
    assert "No such file" in said
    assert not (run / "logs").exists()
