"""Reading a line of somebody's keyboard from a thread that may be left behind."""

import os
import sys

from knowact.core import clean


def typed_line(text: str) -> str:
    """Show a text and return the line that is typed, without its end; what is no UTF-8 becomes U+FFFD.

    On a terminal the engine's display stands before standard output while it runs, and swallows what is
    written even when it shows nothing; so the text goes past it. Reading goes past Python's own reader, which
    holds a lock: a process that ends while a thread waits there (Ctrl-C) is aborted.

    Raises:
        EOFError: Nobody will ever type again.
        OSError: There is no standard input.
    """
    screen = getattr(sys.stdout, "rich_proxied_file", sys.stdout)
    screen.write(f"{text}\n> ")
    screen.flush()
    return clean.text(_line(sys.stdin.fileno()).decode(errors="replace")).rstrip("\r\n")


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
