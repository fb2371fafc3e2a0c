"""Talking with a person at a terminal, or with a pipe in its place."""

import io
import sys

import click

from knowact.core.clean import one_line


def prepare() -> None:
    """Replace characters that the terminal's encoding lacks with "?", in either direction."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def say(*lines: str) -> None:
    """Print lines that are safe to print (`core.clean`)."""
    for line in lines:
        click.echo(line)


def ask(prompt: str) -> str | None:
    """Return what is typed, without surrounding blanks; None at the end of the input.

    Input from a pipe is echoed, so that a recorded session can be read.
    """
    try:
        typed = input(prompt)
    except EOFError:
        click.echo("")
        return None
    if not sys.stdin.isatty():
        click.echo(one_line(typed))
    return typed.strip()
