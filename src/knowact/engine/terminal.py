"""The terminal of this process: one screen and one keyboard for whoever takes part in a run.

People may sit in two seats, the user's and the assistant's. What one of them reads is not for the other, so
the screen is cleared, with the history of the keyboard, when the turn goes to another seat.
"""

import asyncio
import atexit
import io
import os
import queue
import re
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Final, TextIO, TypeAlias, cast

from knowact.core import clean
from knowact.core.screen import width, wrapped
from knowact.engine.outputs import InstrumentFailure

Completer: TypeAlias = Callable[[str, str], Sequence[str]]
"""From the line before the word under the cursor, and that word, to what the word may become."""

USER, ASSISTANT = "user", "assistant"
"""The seats."""

_CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def typed_line(text: str, complete: Completer | None = None) -> str:
    """Show a text, wrapped at spaces, and return the line that is typed, without its end.

    What is no UTF-8, and control characters, become U+FFFD. On a terminal the line can be edited and
    completed where Python has the module readline (Windows has none).

    Raises:
        EOFError: Nobody will ever type again.
        OSError: There is no standard input.
    """
    screen = _screen()
    shown = "\n".join(wrapped(text, width(), ""))
    editor = _editor() if sys.stdin.isatty() and screen.isatty() else None
    screen.write(f"{shown}\n" if editor else f"{shown}\n> ")
    screen.flush()
    typed = _line(sys.stdin.fileno()) if editor is None else _edited(editor, complete, screen)
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", clean.text(typed).rstrip("\r\n"))


def _screen() -> TextIO:
    """Standard output.

    The engine's display stands before it while it runs, and swallows what is written even when it shows
    nothing; so texts go past it.
    """
    return getattr(sys.stdout, "rich_proxied_file", sys.stdout)


def _line(descriptor: int) -> str:
    """Read up to the end of a line, and no further: the rest is for the next question.

    It goes past Python's own reader, which holds a lock: a process that ends while a thread waits there
    (Ctrl-C) is aborted.
    """
    line = bytearray()
    while not line.endswith(b"\n"):
        piece = os.read(descriptor, 1)
        if not piece:
            break
        line += piece
    if not line:
        raise EOFError
    return bytes(line).decode(errors="replace")


def _editor() -> Any:
    """The module that edits lines; None where there is none."""
    try:
        import readline
    except ImportError:
        return None
    return readline


def _edited(editor: Any, complete: Completer | None, screen: TextIO) -> str:
    _put_back_at_exit()
    cast("io.TextIOWrapper", sys.stdin).reconfigure(errors="replace")
    editor.set_completer_delims(" =")
    # What other systems have in readline's place spells this differently.
    editor.parse_and_bind("bind ^I rl_complete" if "libedit" in (editor.__doc__ or "") else "tab: complete")
    editor.set_completer(_one_by_one(editor, complete or _nothing))
    # The editor takes part only if standard output is the terminal, which the engine's display stands before.
    with redirect_stdout(screen):
        return input("> ")


def _nothing(before: str, word: str) -> Sequence[str]:  # noqa: ARG001 - as all completers
    return ()


def _one_by_one(editor: Any, complete: Completer) -> Callable[[str, int], str | None]:
    """What readline asks for: the completions of a word by their number."""

    def number(word: str, state: int) -> str | None:
        found = complete(editor.get_line_buffer()[: editor.get_begidx()], word)
        return found[state] if state < len(found) else None

    return number


_put_back = False


def _put_back_at_exit() -> None:
    """A process that is stopped while a line is edited must leave the terminal as it was."""
    global _put_back  # noqa: PLW0603 - once per process
    if _put_back:
        return
    _put_back = True
    try:
        import termios
    except ImportError:
        return
    keyboard = sys.stdin.fileno()
    atexit.register(termios.tcsetattr, keyboard, termios.TCSANOW, termios.tcgetattr(keyboard))


class NobodyThere(InstrumentFailure):
    """The terminal's input is at its end: nobody will answer any more."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What somebody is asked, and where the answer goes."""

    text: str
    seat: str
    complete: Completer | None
    answer: Future[str]


class _Terminal:
    """One screen and one keyboard for all samples of this process, in a thread that does nothing else.

    It is a daemon: a question nobody answers must not keep the process from ending.
    """

    def __init__(self) -> None:
        self._waiting: queue.Queue[_Asked] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._seat = ""
        self._over = False

    async def ask(self, text: str, seat: str = USER, complete: Completer | None = None) -> str:
        """Show a text to whoever sits in a seat, and return the line that they type.

        Raises:
            NobodyThere: The input has come to its end.
            InstrumentFailure: There is no terminal.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="terminal", daemon=True)
            self._thread.start()
        answer: Future[str] = Future()
        self._waiting.put(_Asked(text, seat, complete, answer))
        return await asyncio.wrap_future(answer)

    def _serve(self) -> None:
        while True:
            asked = self._waiting.get()
            # Its sample may have ended while it waited: then nobody wants to know any more.
            if asked.answer.set_running_or_notify_cancel():
                try:
                    asked.answer.set_result(self._answered(asked))
                except EOFError:
                    # A terminal goes on after its end (Ctrl-D); whoever has left is not asked again.
                    self._over = sys.stdin.isatty()
                    asked.answer.set_exception(NobodyThere("nobody answers at the terminal"))
                except (OSError, ValueError, AttributeError):  # closed, or never there
                    asked.answer.set_exception(InstrumentFailure("nobody answers at the terminal"))

    def _answered(self, asked: _Asked) -> str:
        if self._over:
            raise EOFError
        self._hand_over(asked.seat)
        return typed_line(asked.text, asked.complete)

    def _hand_over(self, seat: str) -> None:
        """Let another person come to the keyboard, who must not see what stood there."""
        before, self._seat = self._seat, seat
        if before in {"", seat} or not sys.stdin.isatty():
            return
        editor = _editor()
        if editor is not None:
            editor.clear_history()
        _screen().write(_CLEAR)
        typed_line(f"It is the {seat}'s turn. Only the {seat} should see what comes. Press Enter.")


ask_at_terminal: Final = _Terminal().ask
"""The one terminal of this process."""
