"""Names of tools: what the agent sees, and how data sets spell the same tool.

Providers accept letters, digits, `_` and `-`, at most 64 of them, as a function's name; the engine
does not sanitise them. Both probes show the sanitised name, so that a model
that knows `a.b` is not graded wrong for calling `a_b`.
"""

import re
from collections.abc import Iterable

MAX_LENGTH = 64
"""The shortest limit among the large providers."""


def bare(name: str) -> str:
    """Return the part after the last `::` (KAPRO: names may carry their server)."""
    return name.rsplit("::", 1)[-1].strip()


def sanitised(name: str) -> str:
    """Return `name` as providers accept it; never empty."""
    clean = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:MAX_LENGTH]
    return clean or "tool"


def shown_names(names: Iterable[str]) -> dict[str, str]:
    """Map each name to what the agent sees; names that would collide get a number.

    Args:
        names: Distinct tool names, in the order offered.
    """
    every = list(names)
    # Names that are fine keep themselves, whatever else is on the table.
    shown = {name: name for name in every if sanitised(name) == name}
    taken = set(shown)
    for name in every:
        if name in shown:
            continue
        base = sanitised(name)
        candidate, number = base, 2
        while candidate in taken:
            suffix = f"_{number}"
            candidate, number = base[: MAX_LENGTH - len(suffix)] + suffix, number + 1
        taken.add(candidate)
        shown[name] = candidate
    return {name: shown[name] for name in every}
