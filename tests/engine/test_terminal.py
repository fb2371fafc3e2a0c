"""People at a real terminal: they see what they are asked, and may leave."""

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from subprocess import Popen

import pytest

from knowact.core.record import Outcome
from knowact.engine.transcripts import read_transcripts
from knowact.testing.endpoint import Hang
from local_agents import LocalAgents
from running import MODEL, knowact, records_at, run_at, tasks_of

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")

PATIENCE = 120.0


CONVERSATION = ("car", "--model", "knowact/oracle", "--user", "person", "--type", "base", "--limit", "1")


class Screen:
    """`knowact run` in front of somebody."""

    def __init__(self, logs: Path, words: Sequence[object] = CONVERSATION) -> None:
        self.keyboard, terminal = pty.openpty()
        given = map(str, (*words, "--log-dir", logs))
        command = [sys.executable, "-m", "knowact", "run", *given]
        self.process = Popen(
            command, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True, close_fds=True
        )
        os.close(terminal)
        self.shown = ""
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self.keyboard, 1024)
            except OSError:  # so it ends on Linux
                return
            if not piece:
                return
            self.shown += piece.decode(errors="replace")

    def wait_for(self, what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while what not in self.shown:
            assert self.process.poll() is None, self.shown
            assert time.monotonic() < deadline, self.shown
            time.sleep(0.02)

    def type(self, typed: bytes) -> None:
        os.write(self.keyboard, typed)

    def ends(self) -> int:
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        return code

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join(PATIENCE)
        os.close(self.keyboard)


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    with closing(Screen(tmp_path)) as one:
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
    words = ("kapro", "--model", MODEL, "--limit", 4, "--yes")
    stopped = {task.id for task in local.tasks[2:]}
    for name in stopped:
        local.habits[name] = lambda _, __: Hang(2 * PATIENCE)
    with closing(Screen(tmp_path, words)) as screen:
        deadline = time.monotonic() + PATIENCE
        # Two rounds of acting and one of knowing, or one of each, and then the trial is over in no time.
        expected = sum(3 if task.required else 2 for task in local.tasks[:2]) + len(stopped)
        while sum(local.asked().values()) < expected:
            assert time.monotonic() < deadline, screen.shown
            time.sleep(0.05)
        time.sleep(1)
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
    again = knowact(capsys, "run", *words, "--log-dir", tmp_path)
    assert again.code == 0, again.said
    assert stopped <= local.asked().keys()
    assert len(records_at(tmp_path)) == 4
