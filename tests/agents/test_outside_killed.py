"""A run of an agent that is no model, killed and begun again: nothing is lost, nothing counted twice."""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import overload

import pytest

from killing import PATIENCE, kill, start
from running import knowact, records_at

AGENT = """
import asyncio, os

async def agent(messages, tools):
    with open(os.environ["TURNS"], "a") as file:
        file.write("turn\\n")
    await asyncio.sleep(0.15)
    if not tools:
        return '{"tool_decisions": {}}'
    await tools[0]()
    return "Done."
"""
ITEMS = 40


class Turns(Sequence[str]):
    """The agent's turns so far, over all processes."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __len__(self) -> int:
        return len(self.file.read_text().splitlines()) if self.file.exists() else 0

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self.file.read_text().splitlines()[place]


@pytest.mark.soak
def test_a_killed_run_of_an_agent_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_agent.py").write_text(AGENT, encoding="utf-8")
    turns = Turns(tmp_path / "turns")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setenv("TURNS", str(turns.file))
    words = ("kapro", "--agent", "py:slow_agent:agent", "--limit", ITEMS, "--judge", "none")
    slow = (*words, "--max-connections", 4)
    logs = tmp_path / "logs"
    environment = {"TURNS": str(turns.file), "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    for how, moment in ((signal.SIGKILL, (10, 0.05)), (signal.SIGINT, (12, 0.1)), (signal.SIGKILL, (9, 0.0))):
        kill(start(slow, logs, environment), turns, moment, how)
    last = start(slow, logs, environment)
    said, _ = last.communicate(timeout=2 * PATIENCE)
    assert last.returncode == 0, said
    found = records_at(logs)
    assert len(found) == ITEMS
    whole = knowact(capsys, "run", *words, "--log-dir", tmp_path / "whole")
    assert whole.code == 0, whole.said
    other = records_at(tmp_path / "whole")
    assert {name: (one.needed, one.used, one.calls, one.outcomes) for name, one in found.items()} == {
        name: (one.needed, one.used, one.calls, one.outcomes) for name, one in other.items()
    }
