"""People at a real terminal: they see what they are asked, and may leave."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from doubles.endpoint import Hang
from knowact.core.record import Outcome
from knowact.engine.transcripts import read_transcripts
from local_agents import LocalAgents
from running import MODEL, knowact, records_at, run_at, tasks_of, wait_for_trials
from screens import PATIENCE, Screen
from timing import wait_until

CONVERSATION = (
    "run",
    "car",
    "--model",
    "knowact/oracle",
    "--user",
    "person",
    "--type",
    "base",
    "--limit",
    "1",
    "--trials",
    "1",
)


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    with closing(Screen(CONVERSATION, "--log-dir", tmp_path)) as one:
        yield one


@pytest.mark.slow
def test_the_driver_sees_the_scenario_and_what_the_assistant_says(screen: Screen, tmp_path: Path) -> None:
    screen.wait_for("You are the driver, and talk to the assistant of your car.")
    screen.wait_for("/stop when you are done.")
    screen.type(b"Hello \xff!\n")
    screen.wait_for("The assistant: Everything that you asked for is taken care of.")
    screen.type(b"/stop\n")
    assert screen.ends() == 0, screen.shown
    (run,) = read_transcripts(Path(run_at(tmp_path).logs[0]))
    assert "Hello \N{REPLACEMENT CHARACTER}!" in str(run)


@pytest.mark.slow
def test_who_presses_ctrl_c_leaves(screen: Screen) -> None:
    screen.wait_for("/stop when you are done.")
    screen.type(b"\x03")
    if screen.process.poll() is None:
        screen.process.send_signal(2)
    assert screen.ends() == 130, screen.shown


@pytest.mark.slow
def test_after_ctrl_c_only_we_speak_and_what_was_stopped_is_called_interrupted_and_done_again(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of()[:4]
    words = ("run", "kapro", "--model", MODEL, "--limit", 4, "--yes")
    stopped = {task.id for task in local.tasks[2:]}
    for name in stopped:
        local.habits[name] = lambda _, __: Hang(2 * PATIENCE)
    with closing(Screen(words, "--log-dir", tmp_path)) as screen:
        wait_until(lambda: stopped <= local.asked().keys())
        wait_for_trials(tmp_path, 2)
        screen.process.send_signal(2)
        assert screen.ends() == 130, screen.shown
    assert screen.shown.count("nterrupted;") == 1
    for of_the_engine in (
        "Task interrupted",
        "eval-retry",
        "ompleted all tasks",
        "successfully",
        "cancelled",
    ):
        assert of_the_engine not in screen.shown
    before = records_at(tmp_path)
    assert f"Outcome of trial: interrupted {len(before.keys() & stopped)}" in screen.shown
    for name in stopped:
        assert (before[name].scored, list(before[name].outcomes.values())) == (False, [Outcome.INTERRUPTED])

    local.recover()
    again = knowact(capsys, *words, "--log-dir", tmp_path)
    assert again.code == 0, again.said
    assert stopped <= local.asked().keys()
    assert len(records_at(tmp_path)) == 4
