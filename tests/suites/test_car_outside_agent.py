"""An agent that is no model in whole conversations of the car: it does as a model does that says the same."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from car_people import Drive
from knowact.core.record import CRASHED, Outcome, Record
from running import records_at

pytestmark = pytest.mark.slow

AGENT = """
import json, os
from openai import AsyncOpenAI

async def agent(messages, tools):
    client = AsyncOpenAI(base_url=os.environ["WHEEL"], api_key="none")
    by_name, chat = {tool.name: tool for tool in tools}, list(messages)
    while True:
        done = await client.chat.completions.create(
            model="agent", messages=chat, tools=[tool.openai for tool in tools]
        )
        said = done.choices[0].message
        if not said.tool_calls:
            return said.content
        chat.append(said.model_dump(exclude_none=True))
        for call in said.tool_calls:
            result = await by_name[call.function.name](**json.loads(call.function.arguments))
            chat.append({"role": "tool", "tool_call_id": call.id, "content": result})

async def crashes(messages, tools):
    raise RuntimeError("boom")
"""


def comes_to(record: Record) -> object:
    """What a record says, the words of no result and what it cost left out."""
    spent = ("agent_", "user_", "judge_", "extractor_")
    results = {name: one.value for name, one in record.results.items() if not name.startswith(spent)}
    return record.outcomes, record.used, record.calls, record.knew, record.acted, results


@pytest.fixture
def wheel_agent(drive: Drive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module `wheel_agent` whose agent asks the same endpoint as the model does."""
    (tmp_path / "wheel_agent.py").write_text(AGENT, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "wheel_agent", raising=False)
    monkeypatch.setenv("WHEEL", drive.wheel.base_url)
    return tmp_path


@pytest.mark.parametrize("kind", ["base", "hallucination", "disambiguation"])
def test_it_scores_as_the_model_does(drive: Drive, wheel_agent: Path, kind: str) -> None:
    assert drive(kind, 2).code == 0
    mine = replace(drive, folder=wheel_agent / "mine", model="agent/py:wheel_agent:agent")
    ran = mine(kind, 2)
    assert ran.code == 0, ran.said
    first, second = records_at(drive.folder), records_at(mine.folder)
    assert {name: comes_to(one) for name, one in first.items()} == {
        name: comes_to(one) for name, one in second.items()
    }
    assert any(one.value("success") == 1 for one in second.values())


def test_a_crash_ends_the_conversation_by_name(drive: Drive, wheel_agent: Path) -> None:
    mine = replace(drive, folder=wheel_agent / "mine", model="agent/py:wheel_agent:crashes")
    ran = mine("base", 1)
    assert ran.code == 0, ran.said
    [record] = records_at(mine.folder).values()
    assert record.outcomes["conversation"] is Outcome.LIMIT
    assert record.flags[f"{CRASHED}conversation"] == 1
    assert record.value("success") == 0
