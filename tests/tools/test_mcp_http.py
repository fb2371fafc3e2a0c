"""Tools of an MCP server over streamable HTTP on loopback."""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from knowact.core.errors import Unreachable
from knowact.core.world import Call
from knowact.tools.folder import Source, ToolFolder
from knowact.tools.mcp_client import McpConnection
from knowact.tools.world import ToolsWorld

pytest.importorskip("mcp")

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {"word": {"type": "string", "description": "Said back."}},
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server that says a word back, in a thread and a loop of its own."""
    from knowact.agents.outside.mcp_tools import served

    told: list[str] = []
    ready, done = threading.Event(), threading.Event()

    async def call(name: str, arguments: Mapping[str, Any]) -> str:
        return f'{{"word": "{arguments.get("word")}", "by": "{name}"}}'

    async def serve() -> None:
        tools: list[dict[str, Any]] = [
            {"name": "echo", "description": "Says it back.", "parameters": PARAMETERS}
        ]
        async with served(tools, call) as url:
            told.append(url)
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(600)
    yield told[0]
    done.set()
    thread.join()


def test_two_sessions_call_one_service(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path))
    source = Source(kind="mcp-http", url=address, timeout=600.0, added=date(2026, 1, 1))
    connection = McpConnection(source)
    ToolFolder(tmp_path / "echo", source, tuple(connection.tools())).save()
    connection.close()
    sessions = [ToolsWorld("tools:echo").open({}, 0) for _ in range(2)]
    for number, session in enumerate(sessions):
        assert session.call(Call("echo", {"word": str(number)})).value == {"word": str(number), "by": "echo"}
        session.close()  # type: ignore[union-attr]


def test_a_service_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(Unreachable, match=r"The MCP server at http://127\.0\.0\.1:1/mcp fails"):
        McpConnection(
            Source(kind="mcp-http", url="http://127.0.0.1:1/mcp", timeout=600.0, added=date(2026, 1, 1))
        )
