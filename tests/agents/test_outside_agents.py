"""Agents that are no models, through whole runs: functions, commands over MCP, solvers."""

import asyncio
import json
import os
import re
import sys
import textwrap
from pathlib import Path
from typing import Any, ClassVar

import psutil
import pytest

from knowact.agents.outside import mcp_tools
from knowact.agents.outside.command import prompt_text
from knowact.core.record import CRASHED, OUT_OF_TIME, Outcome, Record
from knowact.engine.own_model import named
from knowact.engine.transcripts import read_transcripts
from running import knowact, records_at, run_at
from timing import wait_until, within

POLICY = """
import json, re

def wanted(names):
    return [name for name in names if len(name) % 2 == 0]

def decision(text):
    names = dict.fromkeys(re.findall(r'"name": "([^"]+)"', text))
    return json.dumps({"tool_decisions": {name: name in wanted(names) for name in names}})
"""
"""A policy with no sense and no chance in it: the same in whatever way it is run."""

FUNCTIONS = """
import asyncio, time
import policy
from knowact import AgentUnavailable, Reply

async def agent(messages, tools):
    if not tools:
        return policy.decision(messages[-1]["content"])
    for tool in tools:
        if tool.name in policy.wanted([one.name for one in tools]):
            await tool()
    return Reply("Done.", input_tokens=7, output_tokens=3)

def plain(messages, tools):
    if not tools:
        return policy.decision(messages[-1]["content"])
    for tool in tools:
        if tool.name in policy.wanted([one.name for one in tools]):
            assert isinstance(tool(), str)
    return "Done."

def crash(messages, tools):
    if tools:
        raise RuntimeError("boom")
    return policy.decision(messages[-1]["content"])

async def hang(messages, tools):
    if tools:
        await asyncio.sleep(600)
    return policy.decision(messages[-1]["content"])

def hangs_in_a_thread(messages, tools):
    if tools:
        time.sleep(600)
    return policy.decision(messages[-1]["content"])

def garbage(messages, tools):
    return 42

def unavailable(messages, tools):
    raise AgentUnavailable("the provider is down")

async def forever(messages, tools):
    if not tools:
        return policy.decision(messages[-1]["content"])
    while True:
        await tools[0]()

def sometimes(messages, tools):
    text = messages[-1]["content"]
    match sum(map(ord, text)) % 10:
        case 0: raise ValueError("a crash")
        case 1: raise AgentUnavailable("a fault")
        case 2: return None
    return agent_like(messages, tools)

def agent_like(messages, tools):
    return plain(messages, tools)
"""

COMMAND = """
import asyncio, json, sys
import policy
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main(url, messages):
    async with Client(streamable_http_client(url)) as client:
        tools = (await client.list_tools()).tools
        if not tools:
            print(policy.decision(json.load(open(messages, encoding="utf-8"))[-1]["content"]))
            return
        for name in policy.wanted([one.name for one in tools]):
            await client.call_tool(name, {})
        print("Done.")

asyncio.run(main(*sys.argv[1:]))
"""

SOLVER = """
from inspect_ai.agent import agent
from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.solver import solver
from inspect_ai.tool import ToolDef
import policy

async def answer(state, tools):
    if not tools:
        return policy.decision(state.messages[-1].text)
    for tool in tools:
        if ToolDef(tool).name in policy.wanted([ToolDef(one).name for one in tools]):
            await tool()
    return "Done."

@solver
def mine():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("mine", await answer(state, state.tools))
        return state
    return solve

@solver
def without_output():
    async def solve(state, generate):
        state.messages.append(ChatMessageAssistant(content=await answer(state, state.tools)))
        return state
    return solve
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with agents in it, in which the command line is run."""
    for name, code in (("policy", POLICY), ("mine", FUNCTIONS), ("command", COMMAND), ("solvers", SOLVER)):
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    for name in ("policy", "mine", "solvers"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def scores(records: dict[str, Record]) -> dict[str, tuple[object, ...]]:
    return {
        name: (one.needed, one.used, one.value("acc_know"), one.value("acc_act"), one.calls)
        for name, one in records.items()
    }


def ran(
    capsys: pytest.CaptureFixture[str], logs: str, *words: object, limit: int = 6
) -> tuple[int, dict[str, Record]]:
    given = ("--limit", limit, "--judge", "none", "--log-dir", logs)
    done = knowact(capsys, "run", "kapro", *given, *words)
    assert "Traceback" not in done.err
    return done.code, records_at(Path(logs))


@pytest.mark.slow
def test_the_same_agent_scores_the_same_in_every_way(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = f"cmd:{sys.executable} command.py {{mcp_url}} {{messages_file}}"
    found = {
        spec: ran(capsys, f"logs-{place}", "--agent", spec, *more)
        for place, (spec, more) in enumerate(
            {
                "py:mine:agent": (),
                "py:mine:plain": (),
                command: (),
                "solver:solvers.py@mine": ("--model", "mockllm/model"),
                "solver:solvers.py@without_output": ("--model", "mockllm/model"),
            }.items()
        )
    }
    assert {code for code, _ in found.values()} == {0}
    first, *others = [scores(records) for _, records in found.values()]
    assert len(first) == 6
    assert any(calls for *_, calls in first.values())
    assert all(other == first for other in others)
    assert here.exists()


def test_a_function_is_asked_both_ways_and_its_name_is_in_the_report(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, records = ran(capsys, "logs", "--agent", "py:mine:agent", "--agent-name", "Mine 1.0", limit=4)
    assert code == 0
    assert {outcome for one in records.values() for outcome in one.outcomes.values()} == {Outcome.ANSWERED}
    assert run_at(here / "logs").model == "agent/Mine 1.0"
    # The question reports no tokens, the acting those of its reply.
    assert all(one.tokens == (7, 3) for one in records.values())


@pytest.mark.parametrize(
    ("agent", "flag", "seconds"),
    [
        ("crash", CRASHED, 600),
        ("hang", OUT_OF_TIME, 0.5),
        ("hangs_in_a_thread", OUT_OF_TIME, 0.5),
        ("garbage", CRASHED, 600),
    ],
)
def test_what_an_agent_does_wrong_is_wrong_by_name(
    here: Path, capsys: pytest.CaptureFixture[str], agent: str, flag: str, seconds: float
) -> None:
    code, records = ran(
        capsys,
        "logs",
        "--agent",
        f"py:mine:{agent}",
        "--agent-timeout",
        seconds,
        "--",
        "--max-connections",
        4,
        limit=4,
    )
    assert code == 0, "it is scored"
    for one in records.values():
        assert one.outcomes["act"] is Outcome.LIMIT
        assert one.flags[f"{flag}act"] == 1
        assert one.value("acc_act") == 0, "not even where restraint would have been right"
    assert here.exists()


@pytest.mark.usefixtures("here")
def test_the_transcript_says_with_which_error_an_agent_crashed(capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = ran(capsys, "logs", "--agent", "py:mine:crash", limit=1)
    assert code == 0
    run = run_at(Path("logs"))
    (transcript,) = read_transcripts(Path(run.logs[0]), [(run.records[0].item, 1)])
    last = [turn.problem for turn in dict(transcript.probes)["act"] if turn.role == "assistant"][-1]
    assert "boom" in last


@pytest.mark.usefixtures("here")
def test_what_an_agent_depends_on_is_the_instrument_s_and_is_tried_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, records = ran(capsys, "logs", "--agent", "py:mine:unavailable", limit=2)
    assert code == 1
    assert all(set(one.outcomes.values()) == {Outcome.INSTRUMENT_ERROR} for one in records.values())


@pytest.mark.usefixtures("here")
def test_rounds_end_an_agent_that_does_not_stop(capsys: pytest.CaptureFixture[str]) -> None:
    code, records = ran(capsys, "logs", "--agent", "py:mine:forever", "--rounds", 3, limit=2)
    assert code == 0
    assert {(one.outcomes["act"], one.calls) for one in records.values()} == {(Outcome.LIMIT, 3)}


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_one_trial_in_ten_that_crashes_or_fails_changes_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    _, right = ran(capsys, "fine", "--agent", "py:mine:plain", limit=40)
    code, found = ran(capsys, "logs", "--agent", "py:mine:sometimes", limit=40)
    assert code == 1
    answered = {Outcome.ANSWERED}
    fine = {name for name, one in found.items() if set(one.outcomes.values()) == answered}
    lost = {name for name, one in found.items() if not one.scored}
    assert 0 < len(lost) < 40
    assert any(CRASHED + "act" in one.flags for one in found.values())
    assert len(fine) > 10
    assert {name: scores(found)[name] for name in fine} == {name: scores(right)[name] for name in fine}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Name a model by --model, or an agent by --agent."),
        (("--agent", "mine:agent"), "There is no agent 'mine:agent'. Write py:"),
        (("--agent", "py:mine"), "is named py:module:function"),
        (("--agent", "py:nowhere:agent"), "can't be loaded (ModuleNotFoundError"),
        (("--agent", "py:policy:json.__name__"), "is not a function"),
        (("--agent", "cmd:no-such-program {mcp_url}"), "There is no program 'no-such-program'"),
        (("--agent", "cmd:'"), "can't be read"),
        (("--agent", "solver:solvers.py@mine"), "A solver asks one model"),
        (
            ("--agent", "solver:solvers.py@nope", "--model", "mockllm/model"),
            "can't be loaded (AttributeError",
        ),
        (("--agent", "solver:none.py@mine", "--model", "mockllm/model"), "There is no Python file 'none.py'"),
        (
            ("--agent", "solver:policy.py@wanted", "--model", "mockllm/model"),
            "must make a solver or an agent",
        ),
        (("--agent", "py:mine:agent", "--agent-name", "a:b"), "has no colon"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_is_no_agent_gets_a_sentence(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    done = knowact(capsys, "run", "kapro", *words, "--limit", 1)
    assert (done.code, said in done.err) == (2, True), done.err
    assert "Traceback" not in done.err


def test_the_function_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n# my_agent.py\n(.*?)```", page, re.DOTALL)
    (tmp_path / "my_agent.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "my_agent", raising=False)
    code_, records = ran(capsys, "logs", "--agent", "py:my_agent:agent", limit=2)
    assert code_ == 0
    assert {one.outcomes["act"] for one in records.values()} == {Outcome.ANSWERED}
    assert all(one.calls == 1 for one in records.values())


class TestCommands:
    def command(self, code: str) -> str:
        Path("agent.py").write_text(textwrap.dedent(code), encoding="utf-8")
        return f"cmd:{sys.executable} agent.py {{prompt_file}}"

    @pytest.mark.slow
    @pytest.mark.usefixtures("here")
    def test_exit_status_output_and_time(self, capsys: pytest.CaptureFixture[str]) -> None:
        for place, (code, want) in enumerate(
            {
                "import sys; sys.exit('a stack trace')": (0, CRASHED, 600),
                "import sys; sys.exit(75)": (1, "", 600),
                "print('x' * 2_000_000)": (0, CRASHED, 600),
                "import time; time.sleep(600)": (0, OUT_OF_TIME, 1),
            }.items()
        ):
            exits, flag, seconds = want
            words = ("--agent", self.command(code), "--agent-timeout", seconds, "--probe", "act")
            found, records = ran(capsys, f"logs{place}", *words, limit=1)
            assert found == exits, code
            [one] = records.values()
            assert not flag or one.flags[f"{flag}act"] == 1
            assert flag or not one.scored

    @pytest.mark.slow
    def test_nothing_that_it_started_is_left(
        self, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        spec = self.command(
            """
            import os, subprocess, sys, time
            sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
            child = subprocess.Popen(sleep, stdout=subprocess.DEVNULL)
            with open("children", "a") as file:
                file.write(f"{child.pid}\\n{os.getpid()}\\n")
            print("Done.", flush=True)
            if "hang" in os.environ.get("MODE", ""):
                time.sleep(600)
            """
        )

        def started() -> list[int]:
            return [int(line) for line in (here / "children").read_text().split()]

        words = ("--agent", spec, "--probe", "act", "--agent-timeout")
        ran(capsys, "logs", *words, 600, limit=1)
        assert len(started()) == 2
        monkeypatch.setenv("MODE", "hang")
        # A busy machine may not have started it when its time is over.
        within(
            lambda seconds: ran(capsys, f"more{seconds}", *words, seconds, limit=1),
            lambda _: len(started()) > 2,
        )
        assert len(started()) == 4
        wait_until(lambda: not any(map(alive, started())))

    def test_a_prompt_is_instructions_and_dialogue(self) -> None:
        said: Any = [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hello."},
        ]
        assert prompt_text(said) == "Be brief.\n\nHello.\n"
        call = {"function": {"name": "look", "arguments": '{"x": 1}'}}
        more: Any = [
            *said,
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "content": "7"},
        ]
        assert prompt_text(more) == (
            'Be brief.\n\nUser: Hello.\n\nAssistant: (calls look {"x": 1})\n\nTool: 7\n'
        )


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class TestServed:
    TOOLS: ClassVar[tuple[dict[str, Any], ...]] = (
        {"name": "look", "description": "Looks.", "parameters": {"type": "object", "properties": {}}},
    )

    def test_a_client_of_the_protocol_lists_and_calls(self) -> None:
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        async def call(name: str, arguments: object) -> str:
            return f"{name} {json.dumps(arguments)}"

        async def play() -> tuple[list[str], str]:
            async with (
                mcp_tools.served(self.TOOLS, call) as url,
                Client(streamable_http_client(url)) as client,
            ):
                listed = await client.list_tools()
                result = await client.call_tool("look", {"x": "ü"})
                return [one.name for one in listed.tools], result.content[0].text  # type: ignore[union-attr]

        names, text = asyncio.run(play())
        assert names == ["look"]
        assert json.loads(text.removeprefix("look ")) == {"x": "ü"}

    def test_without_the_token_there_is_nothing(self) -> None:
        import httpx

        async def call(_name: str, _arguments: object) -> str:
            raise AssertionError

        async def play() -> list[int]:
            async with mcp_tools.served(self.TOOLS, call) as url, httpx.AsyncClient() as client:
                host = "/".join(url.split("/")[:3])
                body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
                paths = ["/mcp", "/", f"/{'x' * 43}/mcp", url.removeprefix(host)[:-5], "/%2e%2e/mcp"]
                answers = [await client.post(host + path, json=body) for path in paths]
                evil = await client.post(url, json=body, headers={"Host": "evil.example"})
                return [one.status_code for one in (*answers, evil)]

        assert asyncio.run(play()) == [404, 404, 404, 404, 404, 421]


def test_reports_show_an_agent_s_name_without_its_specification() -> None:
    assert named("agent/Mine 1.0=py:mine:agent") == "agent/Mine 1.0"
    assert named("agent/py:mine:agent") == "agent/py:mine:agent"
    assert named("agent/cmd:run --x=1") == "agent/cmd:run --x=1"
    assert named("openai/gpt=4") == "openai/gpt=4"
