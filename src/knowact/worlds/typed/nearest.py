"""Names that come near one that does not exist, for what a tool says when it refuses."""

import difflib
from collections.abc import Iterable


def near(name: str, known: Iterable[str], most: int = 12) -> str:
    """Say which of the known names come nearest, whatever their case; else list them when few."""
    names = {candidate.casefold(): candidate for candidate in sorted(known)}
    if same := names.get(name.casefold()):
        return f"Did you mean {same!r}?"
    found = difflib.get_close_matches(name.casefold(), names, n=3, cutoff=0.5)
    if found:
        return f"Did you mean {' or '.join(repr(names[key]) for key in found)}?"
    return f"There are: {', '.join(names.values())}." if len(names) <= most else ""
