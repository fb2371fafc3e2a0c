"""People at a real terminal: they see what they are asked, and may leave."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from knowact.engine.transcripts import read_transcripts
from running import run_at

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")

PATIENCE = 120.0


class Screen:
    """`knowact run car --driver person` in front of somebody."""

    def __init__(self, logs: Path) -> None:
        self.keyboard, terminal = pty.openpty()
        words = ("--driver", "person", "--type", "base", "--limit", "1", "--log-dir", str(logs))
        command = [sys.executable, "-m", "knowact", "run", "car", "--model", "knowact/oracle", *words]
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


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    one = Screen(tmp_path)
    yield one
    one.process.kill()
    one.process.wait()
    one.reader.join(PATIENCE)
    os.close(one.keyboard)


@pytest.mark.process
def test_the_driver_sees_the_scenario_and_what_the_assistant_says(screen: Screen, tmp_path: Path) -> None:
    screen.wait_for("You are the driver, and talk to the assistant of your car.")
    screen.wait_for("/stop when you are done.")
    screen.type(b"Hello \xff!\n")
    screen.wait_for("The assistant: Everything that you asked for is taken care of.")
    screen.type(b"/stop\n")
    assert screen.ends() == 0, screen.shown
    (run,) = read_transcripts(Path(run_at(tmp_path).logs[0]))
    assert "Hello \N{REPLACEMENT CHARACTER}!" in str(run)


@pytest.mark.process
def test_who_presses_ctrl_c_leaves(screen: Screen) -> None:
    screen.wait_for("/stop when you are done.")
    screen.type(b"\x03")
    if screen.process.poll() is None:
        screen.process.send_signal(2)
    assert screen.ends() == 130, screen.shown
