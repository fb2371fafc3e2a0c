"""All measures over 1,000,000 records, streamed: seconds and peak memory.

    python benchmarks/measures_million.py [--records 1000000]

Records are made one at a time as a suite makes them (sets, results, labels) for 18 models in three
subspaces, which makes 54 cells; items come in clusters of three. None is kept: they go through
`measures.columns`. Then every cell gets every measure with its clustered bootstrap of 2,000 draws, each
model its averages, and two models are compared in every measure. Targets: 60 s, 1.5 GiB.
"""

import argparse
import itertools
import random
import resource
import time
from collections.abc import Iterator
from typing import Final

from knowact.core.record import Outcome, Record, Result
from knowact.core.table import Estimate
from knowact.measures.agreement import pearson
from knowact.measures.chance import corrected, policies_of
from knowact.measures.columns import Columns, columns
from knowact.measures.kas import agreement_bounds, jaccard, overuse, underuse
from knowact.measures.paired import compare_kas, compare_means, holm
from knowact.measures.summary import (
    average_kas,
    average_mean,
    kas_estimate,
    mean_estimate,
    quadrant_estimates,
    worst,
)

MODELS: Final = tuple(f"model-{number:02}" for number in range(1, 19))
BOUNDARIES: Final = ("external", "hybrid", "internal")
MEASURES: Final = (
    "acc_know",
    "acc_act",
    "over_know",
    "under_know",
    "over_act",
    "under_act",
    "agreement",
    "pass",
)
ENDINGS: Final = {"tools_needed": Outcome.ANSWERED, "act": Outcome.ANSWERED}
BROKEN: Final = {"tools_needed": Outcome.ANSWERED, "act": Outcome.INSTRUMENT_ERROR}


def stream(count: int, seed: int) -> Iterator[Record]:
    """Make records of random agents, one in a hundred of them spoilt by its instrument."""
    chance = random.Random(seed)
    cells = itertools.cycle(itertools.product(MODELS, BOUNDARIES))
    for number, (model, boundary) in zip(range(count), cells, strict=False):
        item = number // (len(MODELS) * len(BOUNDARIES))
        offered = ("a", "b", "c")[: 1 + item % 3]
        required = frozenset({"external": offered, "hybrid": offered[:1], "internal": ()}[boundary])
        said = frozenset(tool for tool in offered if chance.random() < 0.5)
        did = frozenset(tool for tool in (*offered, "x") if chance.random() < 0.5)
        yield Record(
            item=f"{boundary}-{item}",
            condition="clean",
            epoch=1,
            cluster=f"{boundary}-{item // 3}",
            labels={"model": model, "boundary": boundary},
            offered=offered,
            required=required,
            outcomes=BROKEN if chance.random() < 0.01 else ENDINGS,
            needed=said,
            used=did,
            knew=said == required,
            acted=did == required,
            results={
                "acc_know": Result.of(jaccard(said, required)),
                "acc_act": Result.of(jaccard(did, required)),
                "over_know": Result.of(overuse(said, required)),
                "under_know": Result.of(underuse(said, required)),
                "over_act": Result.of(overuse(did, required)),
                "under_act": Result.of(underuse(did, required)),
                "agreement": Result.of(jaccard(said, did)),
                "pass": Result.of(chance.random() < 0.7),
            },
        )


def measure_cell(cell: Columns, seed: int) -> Estimate:
    """Compute every measure of one cell and return its KAS."""
    means = {name: mean_estimate(cell, name, seed) for name in MEASURES}
    quadrant_estimates(cell, seed)
    cell.quadrants()
    score = kas_estimate(cell, "acc_know", "acc_act", seed)
    corrected(score, policies_of(cell).best)
    agreement_bounds(means["acc_know"].value or 0.0, means["acc_act"].value or 0.0)
    return score


def measure_models(data: Columns, seed: int) -> None:
    """Compute each model's averages, and compare two models as `knowact compare` does."""
    runs = {model: run for (model,), run in data.groups("model").items()}
    for run in runs.values():
        average_kas(run, "acc_know", "acc_act", "boundary", seed)
        average_mean(run, "DirGap", "boundary", seed, limits=(-1.0, 1.0))
    one, other = (runs[model] for model in MODELS[:2])
    rows = [compare_means(one, other, measure, seed) for measure in MEASURES]
    rows.append(compare_kas(one, other, ("acc_know", "acc_act"), seed))
    holm([row.p for row in rows])


def main() -> None:
    """Run it once and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--records", type=int, default=1_000_000)
    count = parser.parse_args().records
    laps = [time.perf_counter()]
    data = columns(stream(count, seed=0), MEASURES, ("model", "boundary"))
    laps.append(time.perf_counter())
    cells = data.groups("model", "boundary")
    scores = {" ".join(key): measure_cell(cell, seed=0) for key, cell in cells.items()}
    worst(scores)
    passes = [mean_estimate(cell, "pass", 0).value or 0.0 for cell in cells.values()]
    pearson(passes, [score.value or 0.0 for score in scores.values()])
    laps.append(time.perf_counter())
    measure_models(data, seed=0)
    laps.append(time.perf_counter())
    # Kibibytes on Linux.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    parts = ("making and reading records", f"{len(cells)} cells", "averages and comparisons")
    for part, start, end in zip(parts, laps, laps[1:], strict=False):
        print(f"{part:<28}{end - start:8.1f} s")
    print(f"{f'all, {len(data):,} records':<28}{laps[-1] - laps[0]:8.1f} s   (target 60 s)")
    print(f"{'peak memory':<28}{peak:8.2f} GiB (target 1.50 GiB)")


if __name__ == "__main__":
    main()
