"""The user's private data, generated from the seed: one module per area, each with its `TABLES`."""

import datetime as dt
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from knowact.core.model import Noun
from knowact.core.seeds import generator
from knowact.worlds.everyday.private import leisure, personal, town, work
from knowact.worlds.everyday.private.table import Table

TABLES: Final[Mapping[str, Table]] = MappingProxyType(
    {**leisure.TABLES, **personal.TABLES, **town.TABLES, **work.TABLES}
)


def keys(table: str) -> tuple[str, ...]:
    """Return the keys of a table, the same for every seed."""
    return tuple(TABLES[table].keys())


@lru_cache(maxsize=2_048)
def generated(table: str, seed: int, today: dt.date) -> Mapping[str, Noun]:
    """Return one table of private data; shared between sessions, so it cannot be written to."""
    make = TABLES[table].make
    if make is None:
        return MappingProxyType({})
    return MappingProxyType({key: make(generator(seed, table, key), key, today) for key in keys(table)})
