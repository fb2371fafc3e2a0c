"""`knowact.run(suite, agent=function)`: a function in a model's place, as docs/agents.md describes one."""

import importlib
import json
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import knowact
from knowact.agents.outside.reply import AgentFunction
from knowact.core.errors import BadUsage
from knowact.core.record import Outcome
from running import knowact as typed

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
DECISION = json.dumps({"tool_decisions": {}})


async def restrained(messages: list[dict[str, Any]], tools: list[knowact.AgentTool]) -> str | knowact.Reply:
    """Calls nothing."""
    return knowact.Reply("Done.", input_tokens=7, output_tokens=3) if tools else DECISION


def keen(messages: list[dict[str, Any]], tools: list[knowact.AgentTool]) -> str:
    """Calls the first tool."""
    return f"It says: {tools[0]()}" if tools else DECISION


def made(calls: int) -> Callable[[list[dict[str, Any]], list[knowact.AgentTool]], str]:
    """An agent of another function's making, which calls that many tools."""

    def agent(messages: list[dict[str, Any]], tools: list[knowact.AgentTool]) -> str:
        for tool in tools[:calls]:
            tool()
        return "Done." if tools else DECISION

    return agent


LAMBDA: AgentFunction = lambda _, tools: "Done." if tools else DECISION  # noqa: E731 - that it is one


class Keeper:
    """An agent that is an object."""

    def __call__(self, messages: list[dict[str, Any]], tools: list[knowact.AgentTool]) -> str:
        return "Done." if tools else DECISION

    def answer(self, messages: list[dict[str, Any]], tools: list[knowact.AgentTool]) -> str:
        return self(messages, tools)


def run(logs: Path, agent: AgentFunction | list[AgentFunction], **options: Any) -> knowact.Runs:
    return knowact.run("kapro", agent=agent, limit=2, judge="none", log_dir=logs, quiet=True, **options)


def test_functions_async_and_plain_are_run_and_scored(tmp_path: Path) -> None:
    first, second = run(tmp_path, [restrained, keen])
    assert [first.model, second.model] == [f"agent/py:{__name__}:restrained", f"agent/py:{__name__}:keen"]
    assert {record.outcomes["act"] for record in (*first.records, *second.records)} == {Outcome.ANSWERED}
    assert [record.calls for record in first.records] == [0, 0]
    assert [record.calls for record in second.records] == [1, 1]
    assert [record.tokens for record in first.records] == [(7, 3), (7, 3)]


def test_the_function_of_the_page_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [code] = re.findall(r"```python\n# my_agent.py\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "my_agent.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "my_agent", raising=False)
    [of_page] = run(tmp_path / "logs", importlib.import_module("my_agent").agent)
    assert of_page.model == "agent/py:my_agent:agent"
    assert [record.calls for record in of_page.records] == [1, 1]


def test_the_same_call_resumes_and_a_name_is_what_reports_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [first] = run(tmp_path, keen, agent_name="Keen 1.0")
    assert first.model == "agent/Keen 1.0"
    again = knowact.run("kapro", agent=keen, agent_name="Keen 1.0", limit=2, judge="none", log_dir=tmp_path)
    assert "(resuming)" in capsys.readouterr().out
    assert again[0].logs == first.logs


def test_the_command_line_resumes_what_a_function_of_a_module_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [first] = run(tmp_path, keen)
    words = ("--agent", f"py:{__name__}:keen", "--limit", 2, "--judge", "none", "--log-dir", tmp_path)
    done = typed(capsys, "run", "kapro", *words)
    assert done.code == 0, done.err
    assert "(resuming)" in done.out
    assert knowact.load(tmp_path)[0].logs == first.logs


def test_a_function_that_is_given_anew_under_the_same_name_is_the_one_that_runs(tmp_path: Path) -> None:
    for number, calls in enumerate((0, 1)):
        runs = run(tmp_path / str(number), made(calls), agent_name="Made")
        assert {record.calls for record in runs.records} == {calls}


@pytest.mark.parametrize(
    "agent",
    [
        pytest.param(made(1), id="a function within another"),
        pytest.param(LAMBDA, id="a lambda"),
        pytest.param(partial(keen), id="a partial"),
        pytest.param(Keeper(), id="an object"),
        pytest.param(Keeper().answer, id="a method"),
    ],
)
def test_what_shares_its_name_with_others_needs_one_of_its_own(agent: AgentFunction, tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="no name by which its run could be found again"):
        run(tmp_path, agent)
    assert not list(tmp_path.iterdir())
    [named] = run(tmp_path, agent, agent_name="Mine 2")
    assert named.scored == 2


@pytest.mark.parametrize("agent", [7, ["py:a:b", None]])
def test_what_is_neither_a_text_nor_a_function_is_refused(agent: Any) -> None:
    with pytest.raises(BadUsage, match="The option agent takes a text or a function, not"):
        knowact.run("kapro", agent=agent)
