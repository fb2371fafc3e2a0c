"""The confusion matrices behind a published pair of figures (spec ict.md, section 13).

Accuracy and F1, printed with two decimals, leave one integer matrix at most points, and none where the
figures were computed on other items than the paper says.
"""

from dataclasses import dataclass
from typing import Final

_ROUNDING: Final = 1e-9
"""In percent: what floating point adds to half a unit of the last printed place."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What accuracy and F1 tell when only the total is known.

    Attributes:
        hits: Incomplete items answered *no*.
        passes: Complete items answered *yes*.
        errors: Misses and false alarms together; how they divide depends on the classes' sizes.
    """

    hits: int
    passes: int
    errors: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """A confusion matrix with *no* as the positive class.

    Attributes:
        hits: Incomplete items answered *no* (true positives).
        misses: Incomplete items answered otherwise (false negatives).
        passes: Complete items answered *yes* (true negatives).
        alarms: Complete items answered otherwise (false positives).
    """

    hits: int
    misses: int
    passes: int
    alarms: int


def recover_counts(accuracy: float, f1: float, total: int, decimals: int = 2) -> tuple[Counts, ...]:
    """Return all counts over `total` items that round to both figures; none where the tuple is empty.

    Args:
        accuracy: In percent, as printed.
        f1: In percent, with *no* as the positive class, as printed.
        total: How many items, of both classes together.
        decimals: How many places were printed.

    Raises:
        ValueError: A figure lies outside 0 to 100, `total` is not positive, or `decimals` is negative.
    """
    if not (0 <= accuracy <= 100 and 0 <= f1 <= 100):  # noqa: PLR2004 - percent
        raise ValueError(f"accuracy {accuracy} and F1 {f1} must lie between 0 and 100 percent")
    if total < 1 or decimals < 0:
        raise ValueError(f"{total} items printed with {decimals} decimals cannot be recovered")
    half = 0.5 * 10**-decimals + _ROUNDING
    found = list[Counts]()
    for right in range(total + 1):
        if abs(100 * right / total - accuracy) > half:
            continue
        errors = total - right
        for hits in range(right + 1):
            share = 2 * hits / (2 * hits + errors) if hits or errors else 0.0
            if abs(100 * share - f1) <= half:
                found.append(Counts(hits, right - hits, errors))
    return tuple(found)


def recover_confusion(accuracy: float, f1: float, n: int, decimals: int = 2) -> tuple[Matrix, ...]:
    """Return all confusion matrices on `n` incomplete and `n` complete items that round to both figures.

    Args:
        accuracy: In percent, as printed.
        f1: In percent, with *no* as the positive class, as printed.
        n: How many items of each class.
        decimals: How many places were printed.

    Raises:
        ValueError: A figure lies outside 0 to 100, `n` is not positive, or `decimals` is negative.
    """
    return tuple(
        Matrix(one.hits, n - one.hits, one.passes, n - one.passes)
        for one in recover_counts(accuracy, f1, 2 * n, decimals)
        if one.hits <= n and one.passes <= n
    )
