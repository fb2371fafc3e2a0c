"""From the words of a command line to runs, items and reports: shared by several commands."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from knowact import suites
from knowact.core.errors import BadData, BadUsage
from knowact.core.record import Record
from knowact.core.role_model import BUILT_IN
from knowact.core.suite import Plan
from knowact.core.table import Run, Table
from knowact.probes.suite import Suite
from knowact.roles.baseline import PERSON
from knowact.roles.calibration import data_folder, known_rates

if TYPE_CHECKING:  # the report's modules bring numpy, which not every command needs
    from knowact.core.transcript import Transcript
    from knowact.report.build import Report
    from knowact.report.readers import Rates

FREE = (BUILT_IN, PERSON, "mockllm/", "filed/")
"""Prefixes of models whose calls cost nothing."""


def runs_at(paths: Iterable[Path]) -> list[Run]:
    """The runs of all logs at or below the paths.

    Raises:
        BadUsage: There is none.
    """
    from knowact.engine.reader import find_logs, read_runs

    places = list(paths)
    runs = read_runs(find_logs(places))
    if not runs:
        where = ", ".join(str(path) for path in places)
        raise BadUsage(f"There is no knowact log at {where}. Make one with: knowact run SUITE --model M")
    return runs


def make_report(runs: Sequence[Run], more: Mapping[str, Sequence[Table]] | None = None) -> "Report":
    """Build the report of some runs; transcripts are read when its page is written.

    Args:
        runs: Of all suites.
        more: Further tables, by the suite's name.
    """
    from knowact.report.build import ReportInput, build

    grouped = [
        (suites.find(name), [run for run in runs if run.suite == name])
        for name in dict.fromkeys(run.suite for run in runs)
    ]
    return build(ReportInput(grouped, _transcripts, view_command, measured_rates(), more or {}))


def measured_rates() -> "Rates":
    """The error rates of models in roles, as `knowact calibrate` left them in the user's data folder."""
    return partial(known_rates, data_folder())


def _transcripts(run: Run, records: Sequence[Record]) -> "Iterator[Transcript]":
    from knowact.engine.transcripts import read_transcripts

    trials = [(_sample(record), record.epoch) for record in records]
    for log in run.logs:
        yield from read_transcripts(Path(log), trials)


def _sample(record: Record) -> str:
    """The id of a trial's sample in the log."""
    return record.item if record.condition == "clean" else f"{record.item}@{record.condition}"


def view_command(run: Run, record: Record) -> str:
    """The line that opens one trial in the engine's viewer; for people, the one that sums them up."""
    if not run.logs:
        return f"knowact human answer {typed(run.suite)} --summary"
    epoch = f" --epoch {record.epoch}" if record.epoch > 1 else ""
    return f'knowact view "{run.logs[0]}" --sample "{_sample(record)}"{epoch}'


def typed(suite: str) -> str:
    """A suite's name as people type it."""
    return suite.replace("_", "-")


def plan_of(suite: Suite, data: str | None) -> Plan:
    """The items of a suite's data set, unchanged: the one that `data` names, else its default."""
    options = suite.defaults()
    return suite.plan(options if data is None else {**options, "data": data})


def shipped_names(suite: Suite) -> list[str]:
    """The data sets that a suite ships, as `--data` takes them."""
    return [f"{data.name}@{data.version}" for data in suite.datasets()]


def suite_for(name: str | None, data: str | None) -> Suite:
    """The suite with this name, or the only one that the data can belong to.

    Raises:
        BadUsage: The data can belong to several suites.
    """
    if name is not None:
        return suites.find(name)
    every = [suites.find(known_name) for known_name in suites.names()]
    if data is not None:
        first = data.split("/", maxsplit=1)[0].replace("-", "_")
        named = [suite for suite in every if suite.name == first and not Path(data).exists()]
        owners = named or [suite for suite in every if data in shipped_names(suite)]
        every = owners or [suite for suite in every if _reads(suite, data)] or every
    if len(every) != 1:
        raise BadUsage(f"Name the suite: --suite {' or '.join(typed(suite.name) for suite in every)}.")
    return every[0]


def _reads(suite: Suite, data: str) -> bool:
    """Whether a suite can read this folder. A folder that doesn't exist raises instead."""
    if not Path(data).exists():
        plan_of(suite, data)  # says that there is no such folder
    try:
        plan_of(suite, data)
    except BadData:
        return False
    except BadUsage:
        return True  # its layout, with options that do not fit
    return True
