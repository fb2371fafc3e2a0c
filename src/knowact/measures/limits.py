"""What values a measure can have; which interval it gets goes by that, not by the values that were seen."""

import math
from collections.abc import Iterable
from typing import Final, TypeAlias

from knowact.core.record import Record
from knowact.measures.columns import FIELDS
from knowact.measures.quadrants import DIRECTION_GAP

Limits: TypeAlias = tuple[float, float]
"""The least and greatest value that a measure can have; infinite where there is none."""

SHARE: Final[Limits] = (0.0, 1.0)
DIFFERENCE: Final[Limits] = (-1.0, 1.0)
"""Of two shares, or of two things that each did or did not happen in one trial (DirGap)."""
COUNT: Final[Limits] = (0.0, math.inf)
"""Calls, tokens, seconds."""
UNLIMITED: Final[Limits] = (-math.inf, math.inf)


def limits_of(measure: str, records: Iterable[Record] = ()) -> Limits:
    """Return what values a measure can have.

    Args:
        measure: A result's name, a quadrant, "DirGap", or a number that every record has (`FIELDS`).
        records: Where a result is no share in one of them, it is none at all.
    """
    if measure == DIRECTION_GAP:
        return DIFFERENCE
    if measure in FIELDS:
        return COUNT
    values = (record.value(measure) for record in records)
    return SHARE if all(0 <= value <= 1 for value in values if not math.isnan(value)) else UNLIMITED
