"""Choosing and proving KAPRO's drafts: 1,076 of what the scenarios yield, then every proof over them again.

    python benchmarks/forging.py [--rounds 3]

Targets: choosing them 120 s; proving them anew, ten distractors included, likewise. CPU seconds.
"""

import argparse
import time
from collections.abc import Callable

from measuring import Line, finish

from knowact.forge.choose import candidates, chosen, stratified
from knowact.forge.drafts import Draft
from knowact.forge.proving import unproven, unproven_in_a_crowd
from knowact.forge.recipe import SEED
from knowact.suites.kapro.forge import sizes
from knowact.worlds.everyday.material import material

TARGET = 120.0


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one piece of work."""
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    """Make them, prove them, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    world = material()
    order = stratified(sizes(), sum(sizes().values()))

    def choose() -> list[Draft]:
        return chosen(candidates(world, SEED), order, world, SEED)

    made = choose()

    def prove_all() -> None:
        for draft in made:
            assert not unproven(draft.task, SEED, world)
            assert not unproven_in_a_crowd(draft.task, world)

    forged = [seconds(choose) for _ in range(rounds)]
    proven = [seconds(prove_all) for _ in range(rounds)]
    lines = [
        Line("chosen", forged, "s", TARGET),
        Line("proven again", proven, "s", TARGET),
    ]
    finish(lines, f"{len(made):,} KAPRO tasks, {rounds} rounds")


if __name__ == "__main__":
    main()
