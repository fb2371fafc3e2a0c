"""How much of their wording two texts share: sets of shingles, their Jaccard index, and MinHash over them.

A shingle is five characters in a row, spaces included, as is usual for short texts (Leskovec, Rajaraman and
Ullman, "Mining of Massive Datasets", 3rd edition, section 3.2). Shingles of words would call two requests
different that differ in a city and a day, which is just what a repetitive generator writes.

Everything here is integer arithmetic on code points with constants from a stable hash, so it is the same on
every machine and Python (on characters that all their Unicode tables know).
"""

import unicodedata
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from knowact.core import seeds

Codes = NDArray[np.uint64]
"""A set of shingles: ascending 64-bit codes, none twice."""

SHINGLE: Final = 5
"""Characters."""

HASHES: Final = 128
"""Hash functions of a signature; the standard error of an estimate is at most 0.044."""

MISSED: Final = 1e-6
"""The most that banding may miss of pairs that are just at the threshold."""

_TEXTS: Final = 200
"""Texts that are hashed at a time: their shingles stay in the processor's cache."""

_BASE: Final = np.uint64(seeds.derive(0, "shingle") | 1)
_FACTORS: Final = np.array([seeds.derive(0, "factor", k) | 1 for k in range(HASHES)], np.uint64)
_SHIFTS: Final = np.array([seeds.derive(0, "shift", k) for k in range(HASHES)], np.uint64)


def normalised(text: str) -> str:
    """Return the text as exact duplicates are told: without case, widths of characters and white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def shingles(text: str) -> Codes:
    """Return the shingles of a text, one space before and after it included; never none.

    Two shingles may have one code, but a million different ones hold such a pair only once in some ten
    million collections. What is shorter than a shingle is filled up with spaces.

    Args:
        text: As `normalised` returns it.
    """
    padded = f" {text} ".ljust(SHINGLE)
    points = np.frombuffer(padded.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)
    count = len(points) - SHINGLE + 1
    codes = points[:count].copy()
    for place in range(1, SHINGLE):
        codes *= _BASE
        codes += points[place : place + count]
    return np.unique(_mixed(codes))


def _mixed(codes: Codes) -> Codes:
    """Spread codes evenly, one to one: the last step of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    codes = (codes ^ (codes >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    codes = (codes ^ (codes >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return codes ^ (codes >> np.uint64(31))


def jaccard(own: Codes, others: Sequence[Codes]) -> list[float]:
    """Return the Jaccard index of one set with each of the others: shared shingles over all.

    Args:
        own: From `shingles`.
        others: Likewise.
    """
    if not others:
        return []
    sizes = np.array([len(other) for other in others])
    every = np.concatenate(others)
    place = np.minimum(np.searchsorted(own, every), len(own) - 1)
    shared = np.add.reduceat((own[place] == every).astype(np.int64), np.cumsum(sizes) - sizes)
    indices: list[float] = (shared / (len(own) + sizes - shared)).tolist()
    return indices


def signatures(sets: Sequence[Codes]) -> Codes:
    """Return the MinHash signature of each set, as rows: the least value of each hash function over it.

    Two signatures agree in as large a share of their columns as their sets do in elements, on average
    (Broder, "On the resemblance and containment of documents", 1997). The hash functions are x -> ax + b
    modulo 2^64 on mixed codes.

    Args:
        sets: From `shingles`.
    """
    rows = np.empty((len(sets), HASHES), np.uint64)
    for start in range(0, len(sets), _TEXTS):
        block = sets[start : start + _TEXTS]
        sizes = np.array([len(codes) for codes in block])
        every, starts = np.concatenate(block), np.cumsum(sizes) - sizes
        for place, (factor, shift) in enumerate(zip(_FACTORS, _SHIFTS, strict=True)):
            hashed = every * factor
            hashed += shift
            rows[start : start + len(block), place] = np.minimum.reduceat(hashed, starts)
    return rows


def rows_of_a_band(threshold: float) -> int:
    """Return how many columns make a band: the most with which hardly a pair at the threshold is missed.

    A pair with Jaccard index s agrees in all r rows of one of b bands with probability 1 - (1 - s^r)^b
    ("Mining of Massive Datasets", section 3.4.2). More rows mean fewer pairs looked at in vain.

    Raises:
        ValueError: The threshold is above 1, or so low that even single rows miss too many (about 0.1).
    """
    fitting = [
        rows
        for rows in range(1, HASHES + 1)
        if 0 < threshold <= 1 and (1 - threshold**rows) ** (HASHES // rows) <= MISSED
    ]
    if not fitting:
        raise ValueError(f"near duplicates are told by a threshold from 0.11 to 1, not {threshold}")
    return fitting[-1]


def buckets(signatures: Codes, rows: int) -> list[list[int]]:
    """Return, for each text, the numbers of the buckets that it shares with another one.

    Texts fall into one bucket where a band of their signatures agrees.

    Args:
        signatures: From `signatures`.
        rows: Columns per band; what is left over at the end goes unused.
    """
    texts_buckets: list[list[int]] = [[] for _ in signatures]
    first = 0
    for start in range(0, signatures.shape[1] - rows + 1, rows):
        keys = signatures[:, start].copy()
        for place in range(start + 1, start + rows):
            keys = _mixed(keys) + signatures[:, place]
        _, numbers, sizes = np.unique(keys, return_inverse=True, return_counts=True)
        shared = np.flatnonzero(sizes[numbers] > 1)
        for text, number in zip(shared.tolist(), numbers[shared].tolist(), strict=True):
            texts_buckets[text].append(first + number)
        first += len(sizes)
    return texts_buckets
