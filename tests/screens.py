"""Commands at a pseudo-terminal, and somebody who reads the screen and types."""

import codecs
import os
import struct
import sys
import threading
import time
from collections.abc import Sequence
from subprocess import Popen

import pytest

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")

PATIENCE = 600.0
PROMPT = "\n> "


class Screen:
    """A command in front of somebody.

    Args:
        words: The command's.
        more: Further words.
        columns: The width of the terminal.
    """

    def __init__(self, words: Sequence[object], *more: object, columns: int = 80) -> None:
        self.keyboard, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        command = [sys.executable, "-m", "knowact", *map(str, (*words, *more))]
        shell = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
        self.process = Popen(
            command,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            close_fds=True,
            env={**shell, "TERM": "xterm"},
        )
        os.close(terminal)
        self.shown, self.answered = "", 0
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        # A character may come in two pieces.
        text = codecs.getincrementaldecoder("utf-8")(errors="replace")
        while True:
            try:
                piece = os.read(self.keyboard, 1024)
            except OSError:  # so it ends on Linux
                return
            if not piece:
                return
            self.shown += text.decode(piece)

    def wait_for(self, what: str, since: int = 0) -> None:
        """Wait until something stands on the screen, behind so many characters."""
        deadline = time.monotonic() + PATIENCE
        while what not in self.shown[since:]:
            if self.process.poll() is not None:
                self.reader.join(PATIENCE)  # what it said last may not be read yet
                assert what in self.shown[since:], self.shown
            assert time.monotonic() < deadline, self.shown
            time.sleep(0.02)

    def type(self, typed: bytes) -> None:
        os.write(self.keyboard, typed)

    def answer(self, *typed: str) -> None:
        """Type a line at each prompt, when it comes."""
        for line in typed:
            self.wait_for(PROMPT, self.answered)
            self.answered = len(self.shown)
            self.type(f"{line}\n".encode())

    def ends(self) -> int:
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        return code

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join(PATIENCE)
        os.close(self.keyboard)
