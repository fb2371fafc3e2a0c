"""Exact and near duplicates among 65,770 synthetic tool descriptions (KAPRO's pool: spec kapro.md, 2.1).

    python benchmarks/duplicates.py [--texts 65770] [--rounds 3]

A fifth of the descriptions are copies, exact or with a word changed. The target is 60 s for removing them.
"""

import argparse
import time

from descriptions import descriptions
from measuring import Line, finish

from knowact.retrieval.duplicates import near, without_duplicates

THRESHOLD = 0.8


def main() -> None:
    """Remove the duplicates, then list all pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--texts", type=int, default=65_770)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    made = descriptions(options.texts, seed=0)
    removing: list[float] = []
    listing: list[float] = []
    for _ in range(options.rounds):
        began = time.perf_counter()
        kept = without_duplicates(made.texts, THRESHOLD)
        removed = time.perf_counter()
        pairs = near(made.texts, THRESHOLD)
        listing.append(time.perf_counter() - removed)
        removing.append(removed - began)
        found = f"{kept.exact:,} exact and {kept.near:,} near"
    characters = sum(map(len, made.texts)) // options.texts
    note = (
        f"{options.texts:,} descriptions of {characters} characters on average, {options.rounds} rounds.\n"
        f"Made: {made.exact:,} as exact copies, {made.changed:,} with a word changed. Found: {found}; "
        f"{len(pairs):,} pairs."
    )
    lines = [
        Line("duplicates removed", removing, "s", 60.0),
        Line("all pairs of duplicates", listing, "s"),
    ]
    finish(lines, note)


if __name__ == "__main__":
    main()
