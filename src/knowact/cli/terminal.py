"""Talking with a person at a terminal, or with a pipe that stands in for one."""

import io
import shutil
import sys

import click

WIDEST = 100
"""Lines longer than this are hard to read, however wide the window is."""


def width() -> int:
    """How many characters a line may have."""
    return max(40, min(shutil.get_terminal_size((80, 24)).columns, WIDEST))


def prepare() -> None:
    """Let a sign that the terminal does not know, either way, be a question mark instead of an end."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def say(*lines: str) -> None:
    """Print lines that are safe to print (`core.clean`)."""
    for line in lines:
        click.echo(line)


def ask(prompt: str) -> str | None:
    """Return what is typed, without blanks around it; None at the end of the input.

    What comes from a pipe is repeated, so that a record of the session can be read.
    """
    try:
        typed = input(prompt)
    except EOFError:
        click.echo("")
        return None
    if not sys.stdin.isatty():
        from knowact.core.clean import one_line

        click.echo(one_line(typed))
    return typed.strip()
