"""`knowact serve`: tools of worlds and items over MCP, to a real client and to broken ones."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowact import agents
from knowact.agents.outside import mcp_tools
from knowact.core.schema import Schema
from knowact.core.world import Call
from knowact.tools.folder import find
from knowact.tools.world import LiveSession, ToolsWorld
from running import knowact

SERVE = [sys.executable, "-m", "knowact", "serve"]


async def over_stdio(
    words: list[str], *calls: tuple[str, dict[str, Any]]
) -> tuple[dict[str, Any], list[str]]:
    from mcp import Client, StdioServerParameters, stdio_client

    server = StdioServerParameters(command=SERVE[0], args=[*SERVE[1:], *words], env=dict(os.environ))
    # The SDK's default is what `sys.stderr` was when it was imported: under pytest, that of an ended test.
    assert sys.__stderr__ is not None
    async with Client(stdio_client(server, errlog=sys.__stderr__)) as client:
        listed = {one.name: one.output_schema for one in (await client.list_tools()).tools}
        results: list[Any] = [await client.call_tool(name, arguments) for name, arguments in calls]
        return listed, [one.content[0].text for one in results]


@pytest.mark.slow
def test_a_world_over_stdio_with_state_and_a_record(tmp_path: Path) -> None:
    record = tmp_path / "calls.jsonl"
    tools, (set_, read, wrong) = asyncio.run(
        over_stdio(
            ["car", "--record", str(record)],
            ("set_fan_speed", {"level": 3}),
            ("get_climate_settings", {}),
            ("no_such_tool", {}),
        )
    )
    assert len(tools) == 58
    # The client holds each result against the schema that its tool declares.
    assert all(tools.values())
    assert "3" in read
    assert set_ != wrong
    written = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    assert [one["tool"] for one in written] == ["set_fan_speed", "get_climate_settings", "no_such_tool"]
    assert [one["result"] for one in written] == [set_, read, wrong]


@pytest.mark.slow
def test_an_item_offers_its_own_tools_alone() -> None:
    tools, _ = asyncio.run(over_stdio(["--suite", "kapro", "--item", "everyday-hybrid-multi_hop-001"]))
    from knowact import suites

    plan = suites.find("kapro").plan(suites.find("kapro").defaults())
    [item] = [one for one in plan.items if one.id == "everyday-hybrid-multi_hop-001"]
    assert len(tools) == len(item.tools) < 20
    assert not any(tools.values())


@pytest.mark.slow
def test_a_served_world_that_is_added_has_described_results_and_refusals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path))
    # Servers get few variables; this one runs the sources under test.
    monkeypatch.setenv("PYTHONPATH", str(Path(agents.__file__).parents[2]))
    command = " ".join([*SERVE, "everyday"])
    added = knowact(capsys, "tools", "add", "ours", "--mcp", command, "--env", "PYTHONPATH")
    assert added.code == 0, added.said
    assert len(find("ours").tools) == 173
    assert all(tool.returns and not tool.returns_learnt for tool in find("ours").tools)
    session = ToolsWorld("tools:ours").open({}, 0)
    assert isinstance(session, LiveSession)
    try:
        assert session.call(Call("multiply", {"left": 6, "right": 7})).value == {"product": 42}
        refused = session.call(Call("get_forecast", {"city": "Lisbon", "date": "1999-01-01"})).problem
        assert refused is not None
        assert "There is no forecast for 1999-01-01." in refused.message
    finally:
        session.close()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Name a world, or an item by --item."),
        (("mars",), "There is no world named 'mars'"),
        (("everyday", "--setup", "[]"), "--setup takes a JSON object"),
        (("--suite", "kapro", "--item", "nope"), "There is no item named 'nope'"),
    ],
)
def test_what_cannot_be_served_gets_a_sentence(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    done = knowact(capsys, "serve", *words)
    assert done.code == 2
    assert said in done.err


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
METHODS = ["initialize", "ping", "tools/list", "tools/call", "notifications/initialized", "prompts/list", "x"]
VALID = st.fixed_dictionaries(
    {
        "jsonrpc": st.just("2.0"),
        "id": st.integers(0, 9) | st.text(max_size=5),
        "method": st.sampled_from(METHODS),
    },
    optional={
        "params": JSON
        | st.fixed_dictionaries({"name": st.sampled_from(["look", "", "x" * 99]), "arguments": JSON}),
    },
)
MESSAGES = st.one_of(
    VALID.map(lambda one: json.dumps(one).encode()),
    JSON.map(lambda one: json.dumps(one).encode()),
    st.binary(max_size=60),
    VALID.map(lambda one: json.dumps(one).encode()[:-3]),
)
HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@pytest.mark.soak
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example, HealthCheck.data_too_large],
)
@given(st.lists(st.tuples(MESSAGES, st.booleans()), min_size=500, max_size=500))
def test_ten_thousand_messages_valid_and_broken_crash_nothing(batch: list[tuple[bytes, bool]]) -> None:
    import httpx

    called: list[str] = []

    async def call(name: str, _arguments: object) -> str:
        called.append(name)
        return "seen"

    async def play() -> None:
        tools: list[Schema] = [{"name": "look", "description": "Looks.", "parameters": {"type": "object"}}]
        async with mcp_tools.served(tools, call) as url, httpx.AsyncClient(timeout=600) as client:
            for body, knows in batch:
                before = len(called)
                address = url if knows else url[: url.rindex("/mcp") - 3] + "abc/mcp"
                answer = await client.post(address, content=body, headers=HEADERS)
                assert answer.status_code < 500, (body, answer.text)
                if not knows:
                    assert answer.status_code == 404
                    assert len(called) == before, "no access without the token"
            right: dict[str, Any] = {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "look", "arguments": {}},
            }
            answer = await client.post(url, json=right, headers=HEADERS)
            assert answer.json()["result"]["content"][0]["text"] == "seen", "it still answers"

    asyncio.run(play())
