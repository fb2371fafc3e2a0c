"""Finding a name that is spelt almost right (CAR-bench)."""

import unicodedata
from collections.abc import Iterable
from typing import Final

FARTHEST: Final = 2
"""So many letters may be wrong, missing or too many."""
_SHORT: Final = 5
"""Up to so many letters one mistake is the most: two make Berlin of Bern and Paris of Bari."""


def folded(name: str) -> str:
    """Return a name without capitals, accents and doubled spaces."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(letter for letter in plain if not unicodedata.combining(letter)).split())


def mistakes(name: str, other: str) -> int:
    """Return the edit distance of two texts (Levenshtein); all beyond `FARTHEST` counts as one more."""
    if abs(len(name) - len(other)) > FARTHEST:
        return FARTHEST + 1
    previous = list(range(len(other) + 1))
    for row, letter in enumerate(name, start=1):
        current = [row]
        for column, opposite in enumerate(other, start=1):
            change = previous[column - 1] + (letter != opposite)
            current.append(min(change, previous[column] + 1, current[-1] + 1))
        if min(current) > FARTHEST:
            return FARTHEST + 1
        previous = current
    return previous[-1]


def allowed(name: str) -> int:
    """Return how many mistakes are let pass in a name."""
    return FARTHEST if len(name) > _SHORT else 1


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that are spelt alike, the nearest distance only; in the order given.

    Args:
        name: What somebody wrote.
        known: The names that there are; capitals and accents do not count.
    """
    plain = folded(name)
    ranked = [(mistakes(plain, folded(candidate)), candidate) for candidate in known]
    best = min((distance for distance, _ in ranked), default=FARTHEST + 1)
    if best > allowed(plain):
        return []
    return [candidate for distance, candidate in ranked if distance == best]
