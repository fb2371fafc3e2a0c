"""Killed at a random moment, ten times over: the same command finishes the run, and nothing shows."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from knowact.testing.endpoint import ScriptedEndpoint
from local_agents import LocalAgents
from running import MODEL, knowact, measured, records_at, tasks_of

ITEMS = 56
"""Far more requests than ten interrupted attempts can make, however fast the machine starts them."""
KILLS = 10
LATENCY = 0.15
PATIENCE = 60
"""Seconds after which a process that does nothing fails the test."""


def start(logs: Path, base_url: str) -> subprocess.Popen[str]:
    words = ["run", "kapro", "--model", MODEL, "--limit", str(ITEMS), "--max-connections", "2"]
    return subprocess.Popen(
        [sys.executable, "-m", "knowact", *words, "--log-dir", str(logs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "LOCAL_BASE_URL": base_url},
        # A background shell hands down that Ctrl-C is ignored; a user's terminal does not.
        preexec_fn=heed_interrupts,  # noqa: PLW1509 - it only sets a signal's disposition
    )


def heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def kill(process: subprocess.Popen[str], agents: LocalAgents, moment: tuple[int, float], how: int) -> str:
    """Let the process make some requests, then some time pass, and end it. Returns what it said."""
    requests, seconds = moment
    until, deadline = len(agents.requests) + requests, time.monotonic() + PATIENCE
    while len(agents.requests) < until:
        assert process.poll() is None, f"it ended by itself: {process.communicate()[0]}"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(seconds)
    assert process.poll() is None, "the test's moments are too late for its items"
    process.send_signal(how)
    said, _ = process.communicate(timeout=PATIENCE)
    return said


@pytest.mark.process
def test_a_run_that_is_killed_ten_times_ends_like_one_that_is_not(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:ITEMS]
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    words = ("run", "kapro", "--model", MODEL, "--limit", ITEMS, "--max-connections", 2)
    assert knowact(capsys, *words, "--log-dir", calm).code == 0
    undisturbed = sum(local.asked().values())

    agents = LocalAgents(tasks=local.tasks)
    dice = random.Random(20)
    # Somewhere in the start-up (no request awaited), or in the midst of the asking.
    awaited = [dice.choice((0, 1, 2, 3, 4)) for _ in range(KILLS)]
    moments = [(count, dice.uniform(0.0, 1.2 * LATENCY if count else 1.2)) for count in awaited]
    interrupted = (4, 7)
    with ScriptedEndpoint(agents.script, LATENCY) as endpoint:
        for number, moment in enumerate(moments):
            process = start(rough, endpoint.base_url)
            how = signal.SIGINT if number in interrupted else signal.SIGKILL
            moment = (max(1, moment[0]), moment[1]) if number in interrupted else moment  # noqa: PLW2901
            said = kill(process, agents, moment, how)
            if how == signal.SIGINT:
                assert process.returncode == 130, said
                assert "the same command goes on" in said
            else:
                assert process.returncode == -signal.SIGKILL
        last = start(rough, endpoint.base_url)
        said, _ = last.communicate(timeout=PATIENCE)
    assert last.returncode == 0, said
    assert "(going on)" in said

    expected, found = records_at(calm), records_at(rough)
    assert set(found) == {task.id for task in local.tasks}
    assert {item: measured(record) for item, record in found.items()} == {
        item: measured(record) for item, record in expected.items()
    }
    # At most what was under way at each kill was asked again: two samples of three requests each.
    asked = sum(agents.asked().values())
    assert undisturbed <= asked <= undisturbed + KILLS * 6
    second = knowact(capsys, "report", rough, "--json", tmp_path / "report.json")
    assert second.code == 0, second.said
