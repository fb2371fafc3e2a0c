"""CPU per model call: `knowact`'s KAPRO against the same two questions as a bare task of the engine.

    python benchmarks/cpu_per_call.py [--samples 400] [--rounds 8]

Both sides run in this process and take turns, after a warm-up of each; same items, prompts, tools, model,
logging and retries (bare.py says what differs). The model declares its answers as our built-in agents do, so
that each is read into its answer form and scored; an extractor's calls would be further calls. Target: 1.2,
under both ways of logging: samples written to the log as a whole (the default of `knowact run`), and event by
event (`--live`).
"""

import argparse
import functools
import importlib.metadata
import shutil
import tempfile
from functools import partial
from pathlib import Path

from bare import bare
from inspect_ai import Task, eval_set
from measuring import Line, alternated, cpu_seconds, finish, ratios
from workload import MODEL, SETTINGS, Rehearsed, options, rehearse, repeated_data, seed_of

from knowact.engine import assemble
from knowact.engine.reader import find_logs, read_runs
from knowact.engine.runs import Request, engine_task_of
from knowact.suites.kapro.suite import SUITE

TARGET = 1.2


class Bench:
    """Both sides on one set of items."""

    def __init__(self, folder: Path, samples: int) -> None:
        self.data = repeated_data(folder / "repeated", samples)
        self.logs = folder / "logs"
        rehearse(SUITE.plan(options(self.data)), seed_of(self.data))
        self.around: list[float] = []
        """CPU of planning and of reading back, per call in milliseconds, by run."""

    def ours(self, *, realtime: bool) -> float:
        """CPU per call of our task, in milliseconds."""
        began = cpu_seconds()
        request = Request(SUITE, options(self.data), MODEL, self.logs)
        task = engine_task_of(request, SUITE.plan(request.options))
        planned = cpu_seconds() - began
        taken, calls = self._evaluate(task, realtime=realtime)
        began = cpu_seconds()
        (run,) = read_runs(find_logs([self.logs]))
        read = cpu_seconds() - began
        assert all(record.knew and record.acted for record in run.records), "the model forgot its part"
        assert all(record.value("pass") == 1 for record in run.records), "its answers were not read"
        self.around.append(1000 * (planned + read) / calls)
        return self._done(taken, calls)

    def bare(self, *, realtime: bool) -> float:
        """CPU per call of the bare task, in milliseconds."""
        return self._done(*self._evaluate(bare(str(self.data)), realtime=realtime))

    def _evaluate(self, task: Task, *, realtime: bool) -> tuple[float, int]:
        asked, began = Rehearsed.asked, cpu_seconds()
        good, logs = eval_set(task, log_dir=str(self.logs), model=MODEL, log_realtime=realtime, **SETTINGS)
        assert good, logs
        return cpu_seconds() - began, Rehearsed.asked - asked

    def _done(self, seconds: float, calls: int) -> float:
        shutil.rmtree(self.logs)
        return 1000 * seconds / calls


def main() -> None:
    """Warm up, measure, print."""
    # When a run starts, the engine looks for the distribution that a task's file belongs to; the bare task
    # is a loose file, and would search all of them every time. That is no cost of a call.
    importlib.metadata.packages_distributions = functools.cache(importlib.metadata.packages_distributions)
    assemble.BUILT_IN = MODEL  # the rehearsed model is believed what it declares
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=8)
    chosen = parser.parse_args()
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warm = Bench(folder / "warm", 10)
        warm.ours(realtime=True), warm.bare(realtime=True)
        bench = Bench(folder, chosen.samples)
        for how, realtime in (("whole samples logged", False), ("every event logged", True)):
            sides = {
                "ours": partial(bench.ours, realtime=realtime),
                "bare": partial(bench.bare, realtime=realtime),
            }
            taken = alternated(sides, chosen.rounds)
            lines += [
                Line(f"{how}: knowact", taken["ours"], "ms"),
                Line(f"{how}: bare", taken["bare"], "ms"),
                Line(f"{how}: ratio", ratios(taken["ours"], taken["bare"]), target=TARGET),
            ]
        lines.append(Line("planning and reading back, beside that", bench.around, "ms"))
    finish(
        lines, f"CPU per model call, {chosen.samples} samples, {chosen.rounds} rounds of each side in turn"
    )


if __name__ == "__main__":
    main()
