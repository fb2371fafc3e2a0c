"""Affinity: how likely two tools are wanted together, judged by the scenarios in which each is used.

KAPRO draws the tools of a task by the cosine of their scenarios' embeddings.
Here the vectors are TF-IDF, so that data can be built offline and without a model; whoever has an
embedding passes it through `unit_rows` and goes on as with `vectors`.

Two machines rarely agree on the last digits of a matrix product, because each adds in an order of its own;
that is enough to order two close neighbours differently and to draw another data set from the same seed.
So entries are rounded to multiples of 1/2,048. A product of two of them is a multiple of 2^-22, and the sums
of a cosine stay below 4: float32 holds each of them exactly, and in any order they come out the same.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from knowact.core import seeds
from knowact.retrieval.bm25 import words

Matrix = NDArray[np.float32]
Indices = NDArray[np.int64]

COLUMNS: Final = 2_048
"""The most columns that `vectors` makes: room for every word of a world's scenarios (172 of them have 688),
and 0.23 GB for 27,902 texts. Of 4,000 synthetic texts with 9,977 words, 99.8 % of the neighbours at 0.3 or
above that are among the ten nearest with a column for each word still are with this many."""

STEP: Final = 1 / 2_048
"""What entries are multiples of: the finest power of two whose products float32 adds up without rounding."""

ROWS: Final = 1_024
"""Rows that are worked out in double precision at a time."""

SCORES: Final = 2**24
"""Scores that are held at a time, in `top`: 64 MiB of them, with a copy to find the best in."""

LENGTH_SLACK: Final = 0.05
"""How far a row's length may lie from one. Rounding moves it by 0.001, and by 0.02 if 8,000 entries round
the same way."""


class Nearest(NamedTuple):
    """The nearest others of each row, best first.

    Attributes:
        indices: One row per text, k columns: which texts.
        scores: Their cosines, in the same places.
    """

    indices: Indices
    scores: Matrix


def vectors(texts: Sequence[str], columns: int = COLUMNS) -> Matrix:
    """Return the TF-IDF vector of each text, of length one, as the rows of a matrix.

    A word weighs (1 + ln of its count in the text) times its rarity in the collection, the same rarity as
    in `bm25` (Manning, Raghavan and Schütze, "Introduction to Information Retrieval", 2008, section 6.4).
    Words are those of `bm25.words`: plurals are cut because a scenario says "flights" where the next says
    "flight", and nothing more is, because stemmers also merge what is told apart here (an *order* and
    *ordering*). Words that occur everywhere need no list: their rarity is next to nothing.

    Each word has a column of its own as long as there are enough. Beyond that the rarer words share columns
    with random signs, so that what they add to a cosine is right on average (Weinberger et al., "Feature
    Hashing for Large Scale Multitask Learning", ICML 2009); the most widespread words share with the rarest.

    Args:
        texts: The collection; rarity is counted in it, so vectors of two calls don't compare.
        columns: The most columns to use.

    Returns:
        One row per text; a text without words has zeros, and so no affinity to anything.

    Raises:
        ValueError: `columns` is less than one.
    """
    if columns < 1:
        raise ValueError(f"vectors need at least one column, not {columns}")
    counted = [Counter(words(text)) for text in texts]
    texts_with = Counter(word for count in counted for word in count)
    ranked = sorted(texts_with, key=lambda word: (-texts_with[word], word))
    width = min(len(ranked), columns)
    places = {word: rank % width for rank, word in enumerate(ranked)}
    weights = {
        word: _sign(word, alone=rank < width) * _rarity(texts_with[word], len(texts))
        for rank, word in enumerate(ranked)
    }
    matrix = np.zeros((len(counted), width), np.float32)
    for rows in _blocks(len(counted), ROWS):
        matrix[rows] = unit_rows(_weighted(counted[rows], places, weights, width))
    return matrix


def _rarity(texts_with: int, texts: int) -> float:
    return math.log(1 + (texts - texts_with + 0.5) / (texts_with + 0.5))


def _sign(word: str, *, alone: bool) -> int:
    return 1 if alone or seeds.derive(0, "column", word) % 2 else -1


def _blocks(length: int, size: int) -> Iterator[slice]:
    return (slice(start, min(start + size, length)) for start in range(0, length, size))


def _weighted(
    counted: Sequence[Counter[str]], places: dict[str, int], weights: dict[str, float], width: int
) -> NDArray[np.float64]:
    cells = np.array(
        [row * width + places[word] for row, count in enumerate(counted) for word in count], np.int64
    )
    values = [(1 + math.log(times)) * weights[word] for count in counted for word, times in count.items()]
    total = np.zeros(len(counted) * width)
    np.add.at(total, cells, values)
    return total.reshape(len(counted), width)


def unit_rows(matrix: NDArray[np.floating]) -> Matrix:
    """Return the rows at length one, rounded so that products of them are exact (see the module).

    Rounding moves the cosines of an embedding with 1,024 columns by 0.0002, and rarely by 0.001.

    Args:
        matrix: One row per text; an embedding, say. Rows of zeros stay.

    Raises:
        ValueError: It is no matrix, or an entry is no number.
    """
    _require_numbers(matrix)
    rounded = np.empty(matrix.shape, np.float32)
    for rows in _blocks(len(matrix), ROWS):
        block = matrix[rows].astype(np.float64)
        # The largest entry first, so that no square over- or underflows.
        block /= np.maximum(np.abs(block).max(axis=1, keepdims=True, initial=0.0), np.finfo(np.float64).tiny)
        lengths = np.sqrt(np.square(block).sum(axis=1, keepdims=True))
        block /= np.where(lengths > 0, lengths, 1.0)
        rounded[rows] = np.rint(block / STEP) * STEP
    return rounded


def top(matrix: Matrix, k: int) -> Nearest:
    """Return the k rows with the largest cosine to each row, without the row itself.

    Only some rows' scores are held at a time, never all of them: for 27,902 rows that would be 3.1 GB.

    Args:
        matrix: From `vectors` or `unit_rows`; then the result is the same on every machine. Any other rows
            of length one do as well, up to what rounding does to scores that are next to equal.
        k: How many others.

    Returns:
        Best first; of equal scores the lower index first, also where only some of them find room.

    Raises:
        ValueError: There are no k others, or the rows are not of length one (or zero).
    """
    count = len(matrix)
    if not 1 <= k < count:
        raise ValueError(f"each of {count} rows has {max(count - 1, 0)} others, so k cannot be {k}")
    _require_unit_rows(matrix)
    matrix = np.ascontiguousarray(matrix, np.float32)
    nearest = Nearest(np.empty((count, k), np.int64), np.empty((count, k), np.float32))
    size = max(1, SCORES // count)
    room = np.empty((min(size, count), count), np.float32)
    for rows in _blocks(count, size):
        scores = np.matmul(matrix[rows], matrix.T, out=room[: rows.stop - rows.start])
        np.fill_diagonal(scores[:, rows], -np.inf)
        nearest.indices[rows], nearest.scores[rows] = _best(scores, k)
    return nearest


def _best(scores: Matrix, k: int) -> Nearest:
    """Return the k largest of each row; the lower index first where they are equal."""
    least = np.partition(scores, -k, axis=1)[:, -k, None]
    chosen = scores > least
    level = scores == least
    free = k - np.count_nonzero(chosen, axis=1)[:, None]
    crowded = np.flatnonzero(np.count_nonzero(level, axis=1)[:, None] > free)
    level[crowded] &= np.cumsum(level[crowded], axis=1) <= free[crowded]
    chosen |= level
    indices = np.nonzero(chosen)[1].reshape(len(scores), k)
    values = np.take_along_axis(scores, indices, axis=1)
    # Stable, and the indices ascend.
    order = np.argsort(-values, axis=1, kind="stable")
    return Nearest(np.take_along_axis(indices, order, axis=1), np.take_along_axis(values, order, axis=1))


def _require_numbers(matrix: NDArray[np.floating]) -> None:
    if matrix.ndim != 2:  # noqa: PLR2004 - rows and columns
        raise ValueError(f"vectors are the rows of a matrix, not of an array with {matrix.ndim} dimensions")
    if not all(np.isfinite(matrix[rows]).all() for rows in _blocks(len(matrix), ROWS)):
        raise ValueError("an entry of the vectors is infinite or not a number")


def _require_unit_rows(matrix: NDArray[np.floating]) -> None:
    _require_numbers(matrix)
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    wrong = np.flatnonzero((np.abs(lengths - 1) > LENGTH_SLACK) & (lengths > 0))
    if len(wrong):
        raise ValueError(f"row {wrong[0]} has the length {lengths[wrong[0]]:.3g}, not 1: use unit_rows first")
