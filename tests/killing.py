"""Runs in processes of their own that are ended at a chosen moment."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

PATIENCE = 600
"""Seconds after which a process that does nothing fails the test."""


def start(words: Sequence[object], logs: Path, environment: Mapping[str, str]) -> subprocess.Popen[str]:
    """Start `knowact run ...` with its logs in a folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "knowact", "run", *map(str, words), "--log-dir", str(logs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **environment},
        # A background shell hands down that Ctrl-C is ignored; a user's terminal does not.
        preexec_fn=heed_interrupts,  # noqa: PLW1509 - it only sets a signal's disposition
    )


def heed_interrupts() -> None:
    """Let Ctrl-C end the process."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def kill(process: subprocess.Popen[str], asked: Sequence[object], moment: tuple[int, float], how: int) -> str:
    """Let the process make some requests, then some time pass, and end it. Returns what it said.

    Args:
        process: The run.
        asked: Grows with every request.
        moment: How many requests more, and how many seconds after them.
        how: The signal.
    """
    requests, seconds = moment
    until, deadline = len(asked) + requests, time.monotonic() + PATIENCE
    while len(asked) < until:
        assert process.poll() is None, f"it ended by itself: {process.communicate()[0]}"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(seconds)
    assert process.poll() is None, "the test's moments are too late for its items"
    process.send_signal(how)
    said, _ = process.communicate(timeout=PATIENCE)
    return said
