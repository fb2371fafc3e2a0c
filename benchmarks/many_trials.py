"""Logs of four suites with thousands of trials, for the benchmarks of reading and reporting.

Built-in agents are run once over part of the shipped data; their samples are then repeated as further epochs,
as `--trials` would log them. So 20,000 trials take minutes to make, not an hour.
"""

import argparse
from pathlib import Path

from inspect_ai.log import EvalLog, read_eval_log, write_eval_log

from knowact.engine.reader import find_logs
from knowact.engine.records import LOGGED
from knowact.engine.runs import Request, carry_out
from knowact.suites import find

AGENTS = {
    "kapro": ("random", "lexical"),
    "ict": ("random", "always-act"),
    "fail_talms": ("fabricator", "always-ask"),
    "car": ("premature", "misreporter"),
}
"""Agents that are sometimes right and sometimes wrong, so that trials differ."""

ITEMS = 300
"""Items of each run; the shipped data of one suite have no more."""


def made_logs(folder: Path, trials: int) -> Path:
    """Write a log for each of eight runs, `trials` in all, below `folder`, which is returned."""
    each = trials // sum(map(len, AGENTS.values()))
    for name, agents in AGENTS.items():
        suite = find(name)
        options = suite.defaults() | {"limit": min(ITEMS, each), "trials": 1}
        plan = suite.plan(options)
        for agent in agents:
            carry_out(Request(suite, options, f"knowact/{agent}", folder / "once"), plan)
    for log in find_logs([folder / "once"]):
        target = folder / "many" / f"{log.run.suite}-{log.header.eval.model.rpartition('/')[2]}.eval"
        target.parent.mkdir(exist_ok=True)
        write_eval_log(_repeated(read_eval_log(str(log.path)), each), str(target))
    return folder / "many"


def _repeated(log: EvalLog, trials: int) -> EvalLog:
    """Repeat a log's samples as further epochs until there are `trials`."""
    own = log.samples or []
    first = max(sample.epoch for sample in own)
    log.samples = [
        sample.model_copy(update={"epoch": sample.epoch + first * epoch, "uuid": None})
        for epoch in range(-(-trials // len(own)))
        for sample in own
    ][:trials]
    (log.eval.metadata or {})[LOGGED]["planned"] = trials
    return log


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trials", type=int, default=20_000)
    wanted = parser.parse_args()
    print(made_logs(wanted.folder, wanted.trials))


if __name__ == "__main__":
    main()
