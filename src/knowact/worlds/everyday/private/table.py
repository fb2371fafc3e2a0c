"""What a table of the user's own data is made of."""

import datetime as dt
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from knowact.core.model import Noun

Make = Callable[[random.Random, str, dt.date], Noun]


def _no_keys() -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the user's own data.

    The *keys* are the same for every seed (names of contacts, titles of notes, order numbers), because
    queries name them; what stands behind a key differs. So a query stays sensible under every seed, and
    its answer changes.

    Attributes:
        kind: The type of its records; no two tables share one.
        keys: The keys that every session starts with; none for tables that only calls fill.
        make: Draws the record behind a key, given a generator of its own, the key and today.
    """

    kind: type[Noun]
    keys: Callable[[], Sequence[str]] = _no_keys
    make: Make | None = None
