"""Reading a line of somebody's keyboard from a thread that may be left behind."""

import os
import sys


def typed_line(text: str) -> str:
    """Show a text and return the line that is typed, without its end.

    A thread that waits in Python's own reader of standard input holds a lock on it, and a process that ends
    meanwhile (Ctrl-C) is aborted. So a pipe is read past that reader; a terminal has another one.

    Raises:
        EOFError: Nobody will ever type again.
        OSError: There is no standard input.
        UnicodeDecodeError: What was typed is no text.
    """
    prompt = f"{text}\n> "
    if sys.stdin.isatty():
        return input(prompt)
    sys.stdout.write(prompt)
    sys.stdout.flush()
    return _line(sys.stdin.fileno()).decode().rstrip("\r\n")


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
