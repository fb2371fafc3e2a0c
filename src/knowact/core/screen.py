"""Text for somebody at a terminal: lines that fit, and are safe to print. Pure but for asking the width."""

import shutil
import textwrap

from knowact.core.clean import lines

WIDEST = 100
"""Longer lines are hard to read, however wide the window is."""

INDENT = "  "


def width() -> int:
    """How many characters a line may have."""
    return max(40, min(shutil.get_terminal_size((80, 24)).columns, WIDEST))


def wrapped(text: str, wide: int, first: str = INDENT, rest: str | None = None) -> list[str]:
    """Wrap a text to a width at spaces, never inside a word, keeping its own line breaks."""
    after = " " * len(first) if rest is None else rest
    found: list[str] = []
    for line in lines(text):
        start = after if found else first
        whole = textwrap.TextWrapper(
            wide,
            initial_indent=start,
            subsequent_indent=after,
            break_long_words=False,
            break_on_hyphens=False,
        )
        found += whole.wrap(line) or [start.rstrip()]
    return found
