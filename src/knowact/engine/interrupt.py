"""Ctrl-C while the engine is at work: it closes its log, and only we say what has happened.

The engine's own last words would be several, and wrong for a run of ours: it names a command of its own to go
on with, and then reports that all tasks are completed.
"""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import rich  # it is the engine's, and so is the one console that it writes to


class Interrupts:
    """Whether Ctrl-C was pressed during a run; from then on the engine's console is silent."""

    def __init__(self) -> None:
        self.pressed = False
        self._running = False
        self._engines: Any = None

    @contextmanager
    def noted(self) -> Generator[None]:
        """Note them while the block runs the engine."""
        before = signal.getsignal(signal.SIGINT)
        self.pressed, self._engines = False, None
        self._running = threading.current_thread() is threading.main_thread()
        try:
            yield
        finally:
            self._running = False
            if self._engines is not None:
                signal.signal(signal.SIGINT, before)
            if self.pressed:
                console = rich.get_console()
                console.quiet = False
                console.show_cursor()

    def watch(self) -> None:
        """Stand before the engine's handler; cheap, and to be called when the engine's loop is running.

        The loop takes the signal over as it starts, and only from Python's own handler, so nobody can stand
        there before. Where nobody handles it, because the process was started to ignore it (`nohup`, a job in
        the background), it stays ignored.
        """
        handler = signal.getsignal(signal.SIGINT)
        if self._running and self._engines is None and callable(handler):
            self._engines = handler
            signal.signal(signal.SIGINT, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.pressed = True
        rich.get_console().quiet = True
        self._engines(number, frame)


INTERRUPTS = Interrupts()
"""One per process, as there is one keyboard."""
