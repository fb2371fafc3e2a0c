"""Tools of an MCP server over stdio, as a world: sessions begin anew, and servers that misbehave."""

import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from knowact.core.condition import Condition, Mask
from knowact.core.errors import BadUsage, Unreachable
from knowact.core.world import Call, Observation
from knowact.tools.folder import OwnTool, Source, ToolFolder
from knowact.tools.mcp_client import McpConnection, command_of
from knowact.tools.world import LiveSession, ToolsWorld
from knowact.worlds.overlay import Overlay, offered_under
from knowact.worlds.registry import open_world, world

pytest.importorskip("mcp")

SERVER = Path(__file__).parents[1] / "odd_server.py"


def source(mode: str = "good", file: Path | None = None, timeout: float = 600.0) -> Source:
    command = f'"{sys.executable}" -I "{SERVER}" {mode} {"" if file is None else file}'
    return Source(kind="mcp-stdio", command=command, timeout=timeout, added=date(2026, 11, 23))


def read(found: Source) -> tuple[OwnTool, ...]:
    connection = McpConnection(found)
    try:
        return tuple(connection.tools())
    finally:
        connection.close()


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ToolFolder]:
    """Reads the tools of a good server into a folder, whose sessions then reach one of another kind."""
    monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path))

    def add(mode: str = "good", **given: object) -> ToolFolder:
        file = tmp_path / "notes.txt"
        tools = read(source("good", file))
        told = source(mode, file).model_copy(update=given)
        folder = ToolFolder(tmp_path / "orders", told, tools)
        folder.save()
        return folder

    return add


@pytest.fixture
def session(added: Callable[..., ToolFolder]) -> Iterator[Callable[..., LiveSession]]:
    opened: list[LiveSession] = []

    def open_one(mode: str = "good", **given: object) -> LiveSession:
        found = ToolsWorld(f"tools:{added(mode, **given).name}").open({}, 0)
        assert isinstance(found, LiveSession)
        opened.append(found)
        return found

    yield open_one
    for one in opened:
        one.close()


def said(seen: Observation) -> str:
    assert seen.problem is None, seen
    return str(seen.value)


def test_tools_are_read_with_their_hints(added: Callable[..., ToolFolder]) -> None:
    count, order, note = added().tools
    assert (count.name, order.name, note.name) == ("count", "order", "note")
    assert (count.hints.read_only, order.hints.read_only, note.hints.read_only) == (False, True, None)
    assert order.tool("orders").required == ("id",)
    assert "it has no output schema" in order.odd
    assert "nothing is said of a parameter: detail" in order.odd


def test_a_session_keeps_its_state_and_the_next_one_begins_anew(
    session: Callable[..., LiveSession],
) -> None:
    one, other = session(), session()
    assert [said(one.call(Call("count"))) for _ in range(3)] == ["1", "2", "3"]
    assert said(other.call(Call("count"))) == "1"


def test_a_result_in_json_has_fields_and_a_refusal_is_a_result(session: Callable[..., LiveSession]) -> None:
    open_one = session()
    assert open_one.call(Call("order", {"id": 7})).value["state"] == "sent"
    refused = open_one.call(Call("order", {"id": 0})).problem
    assert refused is not None
    assert (refused.code, refused.message) == ("refused", "There is no order 0.")
    unknown = open_one.call(Call("orders", {})).problem
    assert unknown is not None
    assert unknown.code == "unknown_tool"


def test_what_is_missing_is_taken_away_before_the_server(session: Callable[..., LiveSession]) -> None:
    inner = session()
    tools = {tool.name: tool for tool in inner.tools()}
    changes = (
        Mask(tool="order", part="result", name="api_key"),
        Mask(tool="order", part="parameter", name="detail"),
    )
    condition = Condition(name="masked", changes=changes)
    overlay = Overlay(inner, condition, offered_under(["order"], tools, condition))
    assert list(overlay.tools()[0].properties) == ["id"]
    assert "api_key" not in overlay.call(Call("order", {"id": 7})).text()
    refused = overlay.call(Call("order", {"id": 7, "detail": "x"})).problem
    assert refused is not None
    assert refused.code == "bad_arguments"
    hidden = overlay.call(Call("count")).problem
    assert hidden is not None
    assert hidden.code == "unknown_tool"
    assert overlay.waits


@pytest.mark.slow
class TestServersThatMisbehave:
    def test_one_that_hangs(self, session: Callable[..., LiveSession]) -> None:
        with pytest.raises(Unreachable, match="did not answer within 1 seconds"):
            session("hangs", timeout=1.0).call(Call("count"))

    def test_one_that_never_says_a_word(self) -> None:
        with pytest.raises(Unreachable, match="did not answer within 1 seconds"):
            McpConnection(source("silent", timeout=1.0))

    def test_one_that_dies(self, session: Callable[..., LiveSession]) -> None:
        with pytest.raises(Unreachable, match="It last wrote: MemoryError: no room"):
            session("dies").call(Call("count"))

    def test_one_that_floods(
        self, session: Callable[..., LiveSession], caplog: pytest.LogCaptureFixture
    ) -> None:
        text = said(session("flood").call(Call("count")))
        assert len(text) < 130_000
        assert "3,000,000 characters" in text
        assert caplog.records == [], "a line that is no message is no business of the terminal's"

    def test_one_whose_line_never_ends(self, session: Callable[..., LiveSession]) -> None:
        resource: Any = pytest.importorskip("resource")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with pytest.raises(Unreachable, match="did not answer within 3 seconds"):
            session("endless", timeout=3.0).call(Call("count"))
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_000_000  # KiB

    def test_one_that_changes_its_tools_between_two_calls(self, session: Callable[..., LiveSession]) -> None:
        with pytest.raises(Unreachable, match="changed since 2026-11-23: 'order' is gone"):
            session("changes").call(Call("order", {"id": 7}))

    def test_one_whose_tool_is_another_now(self, session: Callable[..., LiveSession], tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("", encoding="utf-8")
        with pytest.raises(
            Unreachable, match=r"'order' is another tool now\. Run `knowact tools add orders`"
        ):
            session("other").call(Call("order", {"id": 7}))

    def test_one_that_puts_markup_and_orders_into_names_and_results(self) -> None:
        connection = McpConnection(source("markup"))
        try:
            order = connection.tools()[1]
            assert (
                "providers refuse its name (not letters, digits, _, -); agents see 'order__b_'" in order.odd
            )
            assert "<script>" in connection.call(order, {"id": 7}).text()
        finally:
            connection.close()

    def test_one_that_cannot_be_started(self) -> None:
        with pytest.raises(BadUsage, match="cannot be started"):
            McpConnection(source().model_copy(update={"command": "/no/such/server --db x"}))

    def test_a_command_that_ends_at_once(self) -> None:
        ends = f'"{sys.executable}" -c "import sys; sys.exit(\'bad flag\')"'
        with pytest.raises(Unreachable, match="bad flag"):
            McpConnection(source().model_copy(update={"command": ends}))


def test_a_command_is_no_shell_line_and_names_its_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODD_TOKEN", "a; rm -rf /")
    assert command_of('serve "two words" ${ODD_TOKEN}') == ["serve", "two words", "a; rm -rf /"]
    monkeypatch.delenv("ODD_TOKEN")
    with pytest.raises(BadUsage, match="needs the environment variable ODD_TOKEN"):
        command_of("serve ${ODD_TOKEN}")
    with pytest.raises(BadUsage, match="cannot be read"):
        command_of('serve "')
    with pytest.raises(BadUsage, match="needs the environment variable ODD_TOKEN"):
        McpConnection(source().model_copy(update={"env": ("ODD_TOKEN",)}))


def test_reset_runs_before_a_session_and_its_failure_is_said(
    session: Callable[..., LiveSession], tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    clear = f"\"{sys.executable}\" -c \"open(r'{notes}', 'w').close()\""
    one = session(reset=clear)
    one.call(Call("note"))
    assert notes.read_text("utf-8") == "noted\n"
    one.close()
    other = session(reset=clear)
    other.call(Call("count"))
    assert not notes.read_text("utf-8")
    other.close()
    with pytest.raises(Unreachable, match="ended with 1"):
        session(reset=f'"{sys.executable}" -c "raise SystemExit(1)"').call(Call("count"))


def test_the_registry_knows_a_folder_of_tools_as_a_world(added: Callable[..., ToolFolder]) -> None:
    from knowact.core.task import WorldRef

    added()
    assert not world("tools:orders").deterministic
    assert [tool.name for tool in open_world(WorldRef(name="tools:orders"), 0).tools()] == [
        *("count", "order", "note")
    ]
    with pytest.raises(BadUsage, match="Did you mean 'orders'"):
        world("tools:order")


def test_a_server_that_prints_what_is_no_message_is_said_without_a_traceback(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    server = tmp_path / "chatty.py"
    server.write_text("print('Welcome!', flush=True)\ninput()\n", encoding="utf-8")
    command = f'"{sys.executable}" -I "{server}"'
    with pytest.raises(Unreachable, match="Its standard output, which is for messages alone, has: Welcome!"):
        McpConnection(Source(kind="mcp-stdio", command=command, added=date(2026, 11, 23)))
    assert not caplog.records
