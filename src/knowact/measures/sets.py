"""Two sets of names compared: what was said or used, against what is required.

KAPRO, equation 4 and appendix D; spec kapro.md, section 8.1. Two empty sets agree completely: using
nothing where nothing is required is right, not undefined.
"""

from collections.abc import Set as AbstractSet


def jaccard(predicted: AbstractSet[str], gold: AbstractSet[str]) -> float:
    """Return the share of all names in either set that are in both; 1 for two empty sets."""
    union = len(predicted | gold)
    return len(predicted & gold) / union if union else 1.0


def overuse(predicted: AbstractSet[str], gold: AbstractSet[str]) -> float:
    """Return the share of all names in either set that are in `predicted` only; 0 for two empty sets.

    `1 - jaccard == overuse + underuse`, so each lost unit of accuracy has a direction.
    """
    union = len(predicted | gold)
    return len(predicted - gold) / union if union else 0.0


def underuse(predicted: AbstractSet[str], gold: AbstractSet[str]) -> float:
    """Return the share of all names in either set that are in `gold` only; 0 for two empty sets."""
    return overuse(gold, predicted)
