"""Reading the docstrings that contracts are derived from (Google style: a summary, then sections)."""

import inspect
import re
import sys
from typing import Final

from knowact.core.errors import BadUsage

STRIPS_DOCSTRINGS: Final = 2
"""The level of Python's optimisation from which on there are no docstrings."""

_SECTION = re.compile(r"^(Args|Returns|Attributes|Raises|Examples?):$")
_ENTRY = re.compile(r"^ {4}(\w+): (.+)$")


def refuse_without_docstrings() -> None:
    """Refuse a Python that strips docstrings.

    Raises:
        BadUsage: It does; the message says how to start it otherwise.
    """
    if sys.flags.optimize >= STRIPS_DOCSTRINGS:
        raise BadUsage(
            "Python was started with -OO (or PYTHONOPTIMIZE=2), which strips the docstrings that the worlds' "
            "tools are made from: start it without, or with -O."
        )


def description(documented: object) -> str:
    """Return everything before the first section, each paragraph on one line."""
    paragraphs: list[str] = []
    current: list[str] = []
    for line in _lines(documented):
        if _SECTION.match(line):
            break
        if line.strip():
            current.append(line.strip())
        elif current:
            paragraphs.append(" ".join(current))
            current = []
    if current:
        paragraphs.append(" ".join(current))
    return "\n\n".join(paragraphs)


def entries(documented: object, section: str) -> dict[str, str]:
    """Return the entries of one section ("Args", "Attributes"): name to text, lines joined."""
    found: dict[str, str] = {}
    inside, name = False, ""
    for line in _lines(documented):
        if heading := _SECTION.match(line):
            inside = heading[1] == section
        elif inside and (entry := _ENTRY.match(line)):
            name = entry[1]
            found[name] = entry[2].strip()
        elif inside and line.startswith(" " * 8) and name:
            found[name] = f"{found[name]} {line.strip()}"
    return found


def _lines(documented: object) -> list[str]:
    refuse_without_docstrings()
    return (inspect.getdoc(documented) or "").splitlines()
