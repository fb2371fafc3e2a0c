"""Making and proving the shipped KAPRO data: 1,076 tasks from a seed, then every proof over them again.

    python benchmarks/forging.py [--rounds 3]

Targets: making them 120 s; proving them anew, ten distractors included, likewise; making the 2,324 cases of
FAIL-TaLMs 120 s. CPU seconds.
"""

import argparse
import time
from collections.abc import Callable

from measuring import Line, finish

from knowact.forge.fail_talms import build as cases
from knowact.forge.kapro import build, recipe
from knowact.forge.proofs import unproven, unproven_in_a_crowd

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
    made = recipe.tasks(build.SEED)

    def prove_all() -> None:
        for task in made:
            assert not unproven(task, build.SEED)
            assert not unproven_in_a_crowd(task)

    forged = [seconds(lambda: build.files(build.SEED)) for _ in range(rounds)]
    proven = [seconds(prove_all) for _ in range(rounds)]
    other = [seconds(cases.files) for _ in range(rounds)]
    lines = [
        Line("made", forged, "s", TARGET),
        Line("proven again", proven, "s", TARGET),
        Line("FAIL-TaLMs made", other, "s", TARGET),
    ]
    finish(lines, f"{len(made):,} KAPRO tasks, {rounds} rounds")


if __name__ == "__main__":
    main()
