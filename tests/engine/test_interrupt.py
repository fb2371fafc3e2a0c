"""Ctrl-C beside the engine's own handler; what it looks like at a terminal is in `test_terminal.py`."""

import os
import signal
from contextlib import suppress
from typing import Any

import pytest

from knowact.engine.interrupt import Interrupts


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.default_int_handler])
def test_it_is_noted_unless_the_process_ignores_it(handler: Any) -> None:
    """A job that was started in the background, or by `nohup`, ignores it."""
    before = signal.signal(signal.SIGINT, handler)
    interrupts = Interrupts()
    try:
        with suppress(KeyboardInterrupt), interrupts.noted():
            interrupts.watch()
            os.kill(os.getpid(), signal.SIGINT)
        assert interrupts.pressed is (handler is not signal.SIG_IGN)
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)
