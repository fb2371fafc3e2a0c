"""JSON of which nothing is certain: each function takes any value; of another kind, it gives an empty one."""

import json
import math
from collections.abc import Mapping
from typing import Any, cast

from knowact.core import clean
from knowact.datasets.lines import DEEPEST, depth


def unpacked(value: Any) -> Any:
    """Return a value that may stand there as JSON text (spec car-bench.md, section 6.1).

    A text stays one that is no JSON, nests deeper than anything real, or holds a number beyond all measure.
    """
    if not isinstance(value, str):
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    if value.count("[") + value.count("{") > DEEPEST and depth(found) > DEEPEST:
        return value
    # Half of a surrogate pair, spelt out, is what no record of ours can hold.
    return clean.plain(found) if "\\u" in value else found


def members(value: Any) -> Mapping[str, Any]:
    """Return an object, which may stand there as text."""
    found = unpacked(value)
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def items(value: Any) -> list[Any]:
    """Return a list, which may stand there as text."""
    found = unpacked(value)
    return cast("list[Any]", found) if isinstance(found, list) else []


def number(value: Any) -> float | None:
    """Return a number; None where there is none, or none that can be reckoned with."""
    try:
        found = float(value) if isinstance(value, int | float) else None
    except OverflowError:
        return None
    return found if found is not None and math.isfinite(found) else None


def amount(value: Any) -> float | None:
    """Return a number that is not negative; None where there is none."""
    found = number(value)
    return found if found is not None and found >= 0 else None
