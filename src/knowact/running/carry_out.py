"""Carrying a plan out: run or resume each of its runs, and sum it up."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from knowact.core.errors import RunHeld
from knowact.core.table import Run
from knowact.probes.suite import Suite
from knowact.running.plan import PlannedRun, RunPlan
from knowact.running.sources import measured_rates

if TYPE_CHECKING:  # the engine takes seconds to load
    from knowact.engine.runs import Done

INTERRUPTED: Final = 130
"""The exit code of a run that Ctrl-C ended, as shells give it."""


@dataclass(frozen=True, slots=True)
class Output:
    """Where the words of a run go: results, and what is wrong."""

    result: Callable[[str], object]
    problem: Callable[[str], object]


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """What came of a plan: its runs, and the worst exit code, that of a run held by another included."""

    done: "tuple[Done, ...]"
    exit_code: int


def carry_out(plan: RunPlan, output: Output) -> CarriedOut:
    """Do one run after the other; the exit code is the worst.

    Where another process is at one of several, the others are done all the same. Ctrl-C and the cost limit,
    which holds for all of them together, end the rest, too.

    Raises:
        KnowactError: A run cannot start.
    """
    from knowact.engine.budget import BUDGET
    from knowact.engine.runs import COST

    worst, every, BUDGET.spent = 0, list["Done"](), 0.0
    for number, planned in enumerate(plan.runs, 1):
        if len(plan.runs) > 1:
            output.result(f"\n{plan.head(number)}")
        try:
            done = _run(planned, output, fresh=plan.fresh)
        except RunHeld as error:
            if len(plan.runs) == 1:
                raise
            output.problem(str(error))
            worst = max(worst, error.exit_code)
            continue
        _sum_up(plan.suite, done, output)
        worst = max(worst, done.exit_code)
        every.append(done)
        if done.exit_code in {COST, INTERRUPTED}:
            break
    if any(planned.words for planned in plan.runs):
        for line in _compared(plan.suite, [done.run for done in every if done.run is not None]):
            output.result(line)
    return CarriedOut(tuple(every), worst)


def _run(planned: PlannedRun, output: Output, *, fresh: bool) -> "Done":
    """Do one run, or go on with it."""
    from knowact.engine import runs
    from knowact.engine.run_folder import set_aside

    folder = planned.folder
    if fresh and folder.exists():
        output.result(f"The earlier run is now in {set_aside(folder)}.")
    return runs.carry_out(planned.request, planned.plan)


def _compared(suite: Suite, runs: Sequence[Run]) -> Iterator[str]:
    """Say what the runs of a sweep differ in, pair by pair."""
    from knowact.report.as_text import compared_text
    from knowact.report.treatments import treatments

    differences = treatments(suite, runs)
    if differences is not None:
        yield f"\n{compared_text(differences)}"
    if runs:
        folders = dict.fromkeys(_quoted(Path(run.logs[0]).parent) for run in runs)
        yield f"One page of all of them: knowact report {' '.join(folders)}"


def _sum_up(suite: Suite, done: "Done", output: Output) -> None:
    """Say the headline, the first table that this run fills, and the next command."""
    from knowact.report.as_text import run_text, table_text
    from knowact.report.build import summary, tables

    output.result("")
    # A run that was interrupted before its first score has nothing to sum up.
    if done.run is not None and (done.run.scored or done.exit_code != INTERRUPTED):
        output.result(run_text(summary(suite, done.run, measured_rates())).removesuffix("\n"))
        if done.run.scored:
            output.result("")
            made = tables(suite, [done.run])
            output.result(table_text(next((table for table in made if table.rows), made[0])))
    if done.reason:
        (output.problem if done.exit_code else output.result)(done.reason)
    if done.run is not None and done.run.scored:
        output.result(f"The page: knowact report {_quoted(done.folder)}")
    else:
        output.result(f"Logs: {done.folder}")


def _quoted(path: Path) -> str:
    text = str(path)
    return f'"{text}"' if " " in text else text
