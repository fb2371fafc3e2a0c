"""Reading a line of somebody's keyboard from a thread that may be left behind."""

import os
import sys

from knowact.core import clean


def typed_line(text: str) -> str:
    """Show a text and return the line that is typed, without its end; what is no UTF-8 becomes U+FFFD.

    A thread that waits in Python's own reader of standard input holds a lock on it, and a process that ends
    meanwhile (Ctrl-C) is aborted. So a pipe is read past that reader; a terminal has another one.

    Raises:
        EOFError: Nobody will ever type again.
        OSError: There is no standard input.
    """
    prompt = f"{text}\n> "
    if sys.stdin.isatty():
        return _at_keyboard(prompt)
    sys.stdout.write(prompt)
    sys.stdout.flush()
    return clean.text(_line(sys.stdin.fileno()).decode(errors="replace")).rstrip("\r\n")


def _at_keyboard(prompt: str) -> str:
    """Ask until what is typed is text; other bytes end nothing."""
    while True:
        try:
            return clean.text(input(prompt))
        except UnicodeDecodeError:
            prompt = "That cannot be read as text; please type it again.\n> "


def _line(descriptor: int) -> bytes:
    """Read up to the end of a line, and no further: the rest is for the next question."""
    line = bytearray()
    while not line.endswith(b"\n"):
        piece = os.read(descriptor, 1)
        if not piece:
            break
        line += piece
    if not line:
        raise EOFError
    return bytes(line)
