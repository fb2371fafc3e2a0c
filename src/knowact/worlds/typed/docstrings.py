"""Reading the docstrings that contracts are derived from (Google style: a summary, then sections)."""

import inspect
import re

_SECTION = re.compile(r"^(Args|Returns|Attributes|Raises|Examples?):$")
_ENTRY = re.compile(r"^ {4}(\w+): (.+)$")


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
    return (inspect.getdoc(documented) or "").splitlines()
