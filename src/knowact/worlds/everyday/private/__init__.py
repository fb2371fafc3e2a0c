"""The user's private data, generated from the seed: one module per area, each with its `TABLES`."""

import datetime as dt
import importlib
import pkgutil
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from knowact.core.seeds import generator
from knowact.worlds.everyday.private.table import Table


def _gathered() -> Mapping[str, Table]:
    found: dict[str, Table] = {}
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        tables: Mapping[str, Table] = getattr(importlib.import_module(f"{__name__}.{module}"), "TABLES", {})
        if twice := found.keys() & tables.keys():
            raise TypeError(f"two modules define the private tables {sorted(twice)}")
        found |= tables
    return MappingProxyType(found)


TABLES: Final = _gathered()


def keys(table: str) -> tuple[str, ...]:
    """Return the keys of a table, the same for every seed."""
    return tuple(TABLES[table].keys())


@lru_cache(maxsize=2_048)
def generated(table: str, seed: int, today: dt.date) -> Mapping[str, Any]:
    """Return one table of private data; shared between sessions, so it cannot be written to."""
    make = TABLES[table].make
    if make is None:
        return MappingProxyType({})
    return MappingProxyType({key: make(generator(seed, table, key), key, today) for key in keys(table)})
