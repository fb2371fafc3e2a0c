"""knowact from Python: the same code as the commands, without their printing.

Reach these names as `knowact.load` and so on; they are loaded when they are first used. Errors that a user
can cause are `knowact.core.errors.KnowactError`s, whose text says what to do.
"""

import asyncio
import io
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, ParamSpec, overload

from knowact import suites
from knowact.agents.outside.reply import AgentFunction
from knowact.core.errors import BadUsage, KnowactError
from knowact.core.record import Record
from knowact.core.table import Run, Table
from knowact.measures.losses import trials_of
from knowact.measures.profile import profile_table
from knowact.report import gate
from knowact.report.as_text import compared_text, run_text
from knowact.report.build import summary
from knowact.report.compare import Compared, compare_within
from knowact.report.flat import columns_of, row_of
from knowact.report.gate import Gate
from knowact.report.markup import tag
from knowact.report.write import write
from knowact.running.carry_out import INTERRUPTED, CarriedOut, Output, carry_out
from knowact.running.from_python import called_first, request_of
from knowact.running.plan import plan_runs
from knowact.running.request import RunRequest
from knowact.running.sources import make_report, measured_rates, runs_at

Frames = Literal["pandas", "polars"]
Place = str | Path


class Runs(Sequence[Run]):
    """Runs of any suites, as `load` reads them from logs.

    Args:
        runs: Each with an id of its own.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = tuple(runs)

    @overload
    def __getitem__(self, place: int) -> Run: ...
    @overload
    def __getitem__(self, place: slice) -> "Runs": ...
    def __getitem__(self, place: int | slice) -> "Run | Runs":
        return Runs(self._runs[place]) if isinstance(place, slice) else self._runs[place]

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    @property
    def records(self) -> list[Record]:
        """The records of all runs, one per item, condition and epoch."""
        return [record for run in self._runs for record in run.records]

    def of(self, suite: str = "", model: str = "") -> "Runs":
        """Return the runs of a suite, of a model, or of both."""
        name = suite.replace("-", "_")
        return Runs([run for run in self if name in ("", run.suite) and model in ("", run.model)])

    def to_frame(self, library: Frames | None = None) -> Any:
        """Return one row per trial, with the columns of `items.csv`.

        What was not measured is missing (None, NaN). Tools are lists, in order; a flag that was not raised
        is 0.

        Args:
            library: Which data frame; None takes pandas where it is installed, else polars.

        Raises:
            BadUsage: It is not installed.
        """
        names = [library] if library else [each for each in ("pandas", "polars") if find_spec(each)][:1]
        if not names or find_spec(names[0]) is None:
            needed = library or "pandas or polars"
            raise BadUsage(f"A data frame needs {needed}: pip install {library or 'pandas'}.")
        runs = [suites.find(run.suite).with_traits(run) for run in self]
        head = columns_of([record for run in runs for record in run.records])
        rows = [row_of(run, record) for run in runs for record in run.records]
        made: dict[str, list[Any]] = {name: [_cell(name, row.get(name)) for row in rows] for name in head}
        return import_module(names[0]).DataFrame(made)

    def report(self, out: Place = "report") -> Path:
        """Write page, JSON and CSV below a folder; return the page's path."""
        return write(make_report(self._runs), Path(out))

    def tables(self, suite: str = "") -> dict[str, Table]:
        """Return the tables of the report by their ids, those of one suite or of all."""
        sections = make_report(self.of(suite)).sections
        return {table.id: table for section in sections for table in section.tables}

    def profile(self) -> Table:
        """Return one profile per model: how far it knows, acts, asks, admits and stays consistent."""
        known = [suites.find(name) for name in dict.fromkeys(run.suite for run in self)]
        return profile_table(
            [(suite, [suite.with_traits(run) for run in self if run.suite == suite.name]) for suite in known]
        )

    def __repr__(self) -> str:
        texts = [run_text(summary(suites.find(run.suite), run, measured_rates())) for run in self]
        return "\n".join(texts).rstrip() or "no runs"

    def _repr_html_(self) -> str:
        head = tag("tr", *(tag("th", name) for name in ("suite", "data", "model", "scored", "headline")))
        rows = [
            tag(
                "tr",
                tag("td", run.suite),
                tag("td", f"{run.dataset.name}@{run.dataset.version}"),
                tag("td", run.model),
                tag("td", f"{trials_of(suites.find(run.suite), run).scored:,} of {run.planned:,}"),
                tag("td", " ".join(_headline(run))),
            )
            for run in self
        ]
        return tag("table", tag("thead", head), tag("tbody", *rows))


def _headline(run: Run) -> Sequence[str]:
    return summary(suites.find(run.suite), run, measured_rates()).headline[:2] or ("Nothing was scored.",)


def _cell(column: str, value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(str(tool) for tool in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return 0 if value is None and column.startswith("flag ") else value


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """Two runs on the same items. Printed, it is the table of `knowact compare`."""

    found: Compared

    @property
    def differences(self) -> Table:
        """Each run's value over the matched trials, and second minus first with its interval."""
        return self.found.differences

    @property
    def tests(self) -> Table:
        """p, p after Holm's correction, and how many trials matched."""
        return self.found.tests

    def __repr__(self) -> str:
        return compared_text(self.found)


def run(
    suite: str,
    *,
    model: str | Sequence[str] = (),
    agent: str | AgentFunction | Sequence[str | AgentFunction] = (),
    agent_name: str | None = None,
    judge: str | None = None,
    role: Mapping[str, str] | None = None,
    limit: int | None = None,
    trials: int | None = None,
    seed: int | None = None,
    rules: Literal["definition", "published"] | None = None,
    cost_limit: float | None = None,
    log_dir: Place | None = None,
    fresh: bool = False,
    quiet: bool = False,
    inspect: Mapping[str, Any] | None = None,
    **options: Any,
) -> Runs:
    """Run a suite, or resume it: `knowact run` with the same options, announcement and folders.

    It works within a running event loop (a notebook), too, and blocks until it is done; `run_async` doesn't.
    Calling it is the consent to what it costs: set `cost_limit`. None leaves an option at its default.

    Args:
        suite: Its name.
        model: As Inspect names models; several give a run each.
        agent: In the model's place: a function of messages and tools (docs/agents.md), or as `--agent` names
            agents.
        agent_name: The agent's name and version, as reports show them.
        judge: The model for all roles that `role` doesn't bind; "self" or "none".
        role: The model of each role: `{"user": "openai/gpt-4o"}`.
        limit: Only the first so many base tasks.
        trials: Epochs per item.
        seed: Fixes every random choice.
        rules: By which trials are scored.
        cost_limit: US dollars, all runs together.
        log_dir: The folder of all runs.
        fresh: Start over; the earlier run is kept.
        quiet: Print nothing.
        inspect: Options of the engine, which the command takes after `--`.
        options: The command's others, with underscores.

    Returns:
        The runs as they stand now, the unfinished ones (cost limit) too.

    Raises:
        KnowactError: An option, the data or a model cannot be used, or nothing was recorded.
        KeyboardInterrupt: Ctrl-C; the same call resumes.
    """
    preflight = called_first(options.pop("preflight", None))
    given = options | {"model": model, "agent": agent, "agent_name": agent_name, "judge": judge, "role": role}
    given |= {"limit": limit, "trials": trials, "seed": seed, "rules": rules, "log_dir": log_dir}
    given |= {"cost_limit": cost_limit, "fresh": fresh or None, "yes": None}
    request = request_of(suites.find(suite), given, inspect or {})
    return _runs(request, preflight=preflight, quiet=quiet)


def _runs(request: RunRequest, *, preflight: bool, quiet: bool) -> Runs:
    """Carry a request out."""
    with ExitStack() as stack:
        if quiet:
            stack.enter_context(redirect_stdout(io.StringIO()))
            stack.enter_context(redirect_stderr(io.StringIO()))
        done = _out_of_the_loop(request, preflight)
    if any(ended.exit_code == INTERRUPTED for ended in done.done):
        raise KeyboardInterrupt
    if lost := [ended for ended in done.done if ended.run is None]:
        raise KnowactError(lost[0].reason)
    return Runs([ended.run for ended in done.done if ended.run is not None])


P = ParamSpec("P")


def _in_a_thread(function: Callable[P, Runs]) -> Callable[P, Coroutine[Any, Any, Runs]]:
    @wraps(function)
    async def started(*args: P.args, **given: P.kwargs) -> Runs:
        return await asyncio.to_thread(function, *args, **given)

    started.__doc__ = (
        "Run a suite in a thread, so that the event loop goes on. Arguments, result and errors as for `run`."
    )
    return started


run_async = _in_a_thread(run)
"""Run a suite in a thread, so that the event loop goes on. Arguments, result and errors as for `run`."""


def _out_of_the_loop(request: RunRequest, preflight: bool) -> CarriedOut:  # noqa: FBT001 - a thread hands it on
    """Carry the runs out; in a thread of its own where this one's event loop is running."""
    try:
        if not _in_a_loop():
            return _carried_out(request, preflight)
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(_carried_out, request, preflight).result()
    except ModuleNotFoundError as error:
        # What the engine says where it finds itself in a notebook that can't show its progress.
        if "ipywidgets" not in str(error):
            raise
        raise BadUsage(
            "In a notebook the engine needs ipywidgets: pip install 'knowact[notebook]'."
        ) from error


def _carried_out(request: RunRequest, preflight: bool) -> CarriedOut:  # noqa: FBT001 - likewise
    """Plan, announce and run."""
    plan = plan_runs(request)
    for line in plan.announcement():
        _put(line)
    if preflight:
        for note in plan.call_first():
            _put_problem(note)
    return carry_out(plan, Output(_put, _put_problem))


def _put(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _put_problem(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def load(*paths: Place) -> Runs:
    """Read the runs of all logs at or below some paths [default: ./logs].

    Raises:
        BadUsage: There is none.
    """
    return Runs(runs_at([Path(path) for path in paths] or [Path("logs")]))


def compare(first: Run | Runs, second: Run | Runs, *, seed: int = 0) -> Comparison:
    """Compare two runs on the same items: paired differences with intervals, and Holm-corrected p values.

    Args:
        first: A run, or `Runs` with one.
        second: Another; differences are its values minus the first's.
        seed: Fixes the bootstrap and the permutation test.

    Raises:
        BadUsage: They can't be compared: other suites, no trial in common, one of them self-read.
    """
    a, b = _only(first), _only(second)
    return Comparison(compare_within(suites.find(a.suite), a, b, seed))


def _only(runs: Run | Runs) -> Run:
    if isinstance(runs, Run):
        return runs
    if len(runs) != 1:
        raise BadUsage(f"One run is compared with another, and there are {len(runs)} here: choose one.")
    return runs[0]


def check(
    runs: Sequence[Run],
    *requirements: str,
    against: Sequence[Run] | None = None,
    max_drop: float = 0.03,
    point: bool = False,
    seed: int = 0,
) -> Gate:
    """Check runs against bounds ("kapro.kas>=0.6") and against a baseline (docs/gate.md).

    Args:
        runs: Of any suites.
        requirements: The bounds.
        against: Runs of a baseline.
        max_drop: How much worse than the baseline a measure may be.
        point: Compare the estimates with the bounds, not the ends of their intervals.
        seed: Fixes the bootstrap.

    Returns:
        What is true where all bounds are met; printed, it is the table of `knowact check`.

    Raises:
        BadUsage: A requirement is none, or no run belongs to it.
    """
    baseline = gate.Baseline(against, max_drop) if against is not None else None
    return gate.check(runs, requirements, suites.find, baseline=baseline, point=point, seed=seed)
