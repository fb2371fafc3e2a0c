"""Synthetic tool descriptions, as many as wanted, with the repetition of real ones.

Real registries repeat themselves: servers that wrap one API, forks, generated wrappers. So a share of the
descriptions copies an earlier one, exactly or with a word changed, and all lean on the same openings and on
a vocabulary in which few words are common and most are rare (Zipf).
"""

import bisect
import itertools
import random
from dataclasses import dataclass

OPENINGS = (
    "Get the current",
    "Returns a list of",
    "Search for",
    "Create a new",
    "Delete an existing",
    "Convert between",
    "Retrieve detailed information about",
    "Update the settings of",
    "Fetch all available",
    "Calculate the",
    "Use this tool to find",
    "Given an identifier, look up",
)
ENDINGS = (
    "",
    "Requires an API key.",
    "Returns JSON.",
    "Supports pagination with limit and offset.",
    "The date must be in ISO format.",
    "Optionally filtered by name, type or status.",
    "Raises an error if nothing is found.",
)
LITTLE = ("the", "of", "a", "for", "by", "with", "and", "in", "to", "from")
SYLLABLES = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "an", "er", "is", "ol")]
WORDS = 20_000
EXACT, CHANGED = 0.08, 0.12
"""Shares that repeat an earlier description: exactly but for case and spaces, or in all but a word."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Descriptions, and how many of them were made as copies."""

    texts: list[str]
    exact: int
    changed: int


def descriptions(count: int, seed: int) -> Collection:
    """Make a collection; the same for the same seed."""
    rng = random.Random(seed)
    vocabulary = ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))) for _ in range(WORDS)]
    zipf = list(itertools.accumulate(1 / (rank + 3) for rank in range(WORDS)))

    def word() -> str:
        if rng.random() < 0.35:
            return rng.choice(LITTLE)
        return vocabulary[bisect.bisect(zipf, rng.random() * zipf[-1])]

    texts: list[str] = []
    made = {"exact": 0, "changed": 0}
    for number in range(count):
        kind = rng.random() if number else 1.0
        if kind < EXACT:
            texts.append(f" {rng.choice(texts).upper()}  ")
            made["exact"] += 1
        elif kind < EXACT + CHANGED:
            parts = rng.choice(texts).split()
            parts[rng.randrange(len(parts))] = word()
            texts.append(" ".join(parts))
            made["changed"] += 1
        else:
            body = " ".join(word() for _ in range(rng.randint(8, 40)))
            texts.append(f"{rng.choice(OPENINGS)} {body}. {rng.choice(ENDINGS)}".strip())
    return Collection(texts, **made)
