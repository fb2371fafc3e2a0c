"""KAPRO's formulas: overlap of tool sets, KAS of two accuracies, and what a value of it guarantees.

KAPRO, equations 4 and 7, and appendix D. Two empty sets agree completely: using nothing where nothing is
required is right, not undefined.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass


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


def kas(acc_know: float, acc_act: float) -> float:
    """Return the harmonic mean of the two *dataset-level* accuracies; 0 if either is 0.

    It is not the mean of harmonic means per task.

    Raises:
        ValueError: An accuracy lies outside 0 to 1, or is NaN.
    """
    _require_share("acc_know", acc_know)
    _require_share("acc_act", acc_act)
    # Dividing by the larger one first keeps the product of two tiny accuracies from vanishing.
    larger, smaller = max(acc_know, acc_act), min(acc_know, acc_act)
    return 2 * smaller / (1 + smaller / larger) if smaller else 0.0


@dataclass(frozen=True, slots=True)
class AgreementBounds:
    """How much knowing and acting must agree at least, given their accuracies.

    Attributes:
        by_accuracies: acc_know + acc_act - 1, the tighter one; says nothing where it is negative.
        by_kas: 2 KAS - 1, never larger; empty for KAS up to one half.
    """

    by_accuracies: float
    by_kas: float


def agreement_bounds(acc_know: float, acc_act: float) -> AgreementBounds:
    """Return the two lower bounds on the mean of J(needed, used) (KAPRO, appendix D, equation 12).

    Raises:
        ValueError: An accuracy lies outside 0 to 1, or is NaN.
    """
    return AgreementBounds(acc_know + acc_act - 1, 2 * kas(acc_know, acc_act) - 1)


def least_accuracy(tau: float) -> float:
    """Return the accuracy that *both* branches reach at least when KAS is at least `tau`.

    KAPRO, appendix D, equation 13: tau / (2 - tau).

    Raises:
        ValueError: `tau` lies outside 0 to 1, or is NaN.
    """
    _require_share("tau", tau)
    return tau / (2 - tau)


def _require_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must lie between 0 and 1, not {value}")
