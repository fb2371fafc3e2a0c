"""From 20,000 logged samples to records and columns, against reading the summaries alone."""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries, write_eval_log
from measuring import Line, alternated, finish, ratios

from knowact.engine.reader import find_logs, read_records
from knowact.engine.runs import Request, carry_out
from knowact.measures.columns import columns
from knowact.suites import find
from knowact.suites.kapro.run_groups import MEASURES

ROUNDS = 3


def made_log(folder: Path, samples: int) -> Path:
    """Run the shipped data once, and repeat its samples under new ids until there are enough."""
    suite = find("kapro")
    options = suite.defaults()
    carry_out(Request(suite, options, "knowact/random", folder / "run"), suite.plan(options))
    (one,) = find_logs([folder / "run"])
    log = read_eval_log(str(one.path))
    own = log.samples or []
    log.samples = [
        own[number % len(own)].model_copy(
            update={"id": f"{own[number % len(own)].id}-{number}", "uuid": None}
        )
        for number in range(samples)
    ]
    target = folder / "many.eval"
    write_eval_log(log, str(target))
    return target


def timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=20_000)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = made_log(Path(folder), wanted.samples)
        taken = alternated(
            {
                "summaries": lambda: timed(lambda: read_eval_log_sample_summaries(str(log))),
                "columns": lambda: timed(lambda: columns(read_records(log), MEASURES, ("boundary",))),
            },
            ROUNDS,
        )
    lines = [
        Line("summaries alone", taken["summaries"], "s"),
        Line("records and columns", taken["columns"], "s"),
        Line("ratio", ratios(taken["columns"], taken["summaries"]), "", 1.5),
    ]
    finish(lines, f"CPU for {wanted.samples:,} logged samples, {ROUNDS} rounds, sides alternating.")


if __name__ == "__main__":
    main()
