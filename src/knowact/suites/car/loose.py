"""JSON of which nothing is certain: each function takes any value; of another kind, it gives an empty one."""

import json
from collections.abc import Mapping
from typing import Any, cast


def unpacked(value: Any) -> Any:
    """Return a value that may stand there as JSON text (spec car-bench.md, section 6.1)."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return value


def members(value: Any) -> Mapping[str, Any]:
    """Return an object, which may stand there as text."""
    found = unpacked(value)
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def items(value: Any) -> list[Any]:
    """Return a list, which may stand there as text."""
    found = unpacked(value)
    return cast("list[Any]", found) if isinstance(found, list) else []


def number(value: Any) -> float | None:
    """Return a number; None where there is none."""
    return float(value) if isinstance(value, int | float) else None
