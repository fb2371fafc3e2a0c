"""Affinity and top-k over 27,902 synthetic tool descriptions (KAPRO's final pool: spec kapro.md, 2.3).

    python benchmarks/affinity.py [--texts 27902] [--rounds 3]

One side starts at the texts: words, TF-IDF, every cosine, the ten nearest of each. The other side is
the bare matrix product of the same vectors, in the same blocks, its results thrown away. They take turns.
Targets: 3 times the bare product, and 2 GiB, measured in a fresh process that does all of the first side.
"""

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from descriptions import descriptions
from measuring import Line, alternated, finish, ratios

from knowact.retrieval.affinity import SCORES, Matrix, Nearest, top, vectors

K = 10


def nearest(texts: list[str]) -> tuple[Matrix, Nearest]:
    """The whole of it."""
    matrix = vectors(texts)
    return matrix, top(matrix, K)


def bare(matrix: Matrix) -> None:
    """Every cosine, and nothing done with it."""
    count = len(matrix)
    size = max(1, SCORES // count)
    room = np.empty((size, count), np.float32)
    for start in range(0, count, size):
        block = matrix[start : start + size]
        np.matmul(block, matrix.T, out=room[: len(block)])


def peak_of_a_fresh_process(count: int) -> float:
    """GiB that a process needs at most that makes the texts and does all of it."""
    # Started before this one has grown: a child's peak counts from what its parent held.
    done = subprocess.run(
        [sys.executable, str(Path(__file__)), "--texts", str(count), "--peak"],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def main() -> None:
    """Measure both sides."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--texts", type=int, default=27_902)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peak", action="store_true", help="only do it, and print the peak memory in GiB")
    options = parser.parse_args()
    if options.peak:
        nearest(descriptions(options.texts, seed=0).texts)
        # Kibibytes on Linux.
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)
        return
    peak = peak_of_a_fresh_process(options.texts)
    texts = descriptions(options.texts, seed=0).texts
    nearest(texts[:1_000])  # the first product starts the threads
    matrix = vectors(texts)

    def timed_whole() -> float:
        began = time.perf_counter()
        nearest(texts)
        return time.perf_counter() - began

    def timed_vectors() -> float:
        began = time.perf_counter()
        vectors(texts)
        return time.perf_counter() - began

    def timed_bare() -> float:
        began = time.perf_counter()
        bare(matrix)
        return time.perf_counter() - began

    taken = alternated({"whole": timed_whole, "bare": timed_bare, "vectors": timed_vectors}, options.rounds)
    lines = [
        Line("affinity and top-k", taken["whole"], "s"),
        Line("of it, vectors", taken["vectors"], "s"),
        Line("bare matrix product", taken["bare"], "s"),
        Line("ratio", ratios(taken["whole"], taken["bare"]), "", 3.0),
        Line("peak memory", [peak], "GiB", 2.0),
    ]
    finish(
        lines,
        f"{options.texts:,} descriptions, {matrix.shape[1]:,} columns, k = {K}, {options.rounds} rounds.",
    )


if __name__ == "__main__":
    main()
