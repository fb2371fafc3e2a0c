"""From paths on the command line to runs, and from runs to a report: shared by several commands."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from knowact import suites
from knowact.core.errors import BadUsage

if TYPE_CHECKING:
    from knowact.core.record import Record
    from knowact.core.suite import Suite
    from knowact.core.table import Run
    from knowact.core.transcript import Transcript
    from knowact.report.build import Report
    from knowact.report.readers import Rates


def runs_at(paths: Iterable[Path]) -> "list[Run]":
    """The runs of all logs at or below the paths.

    Raises:
        BadUsage: There is none.
    """
    from knowact.engine.reader import find_logs, read_runs

    places = list(paths)
    found = read_runs(find_logs(places))
    if not found:
        where = ", ".join(str(path) for path in places)
        raise BadUsage(f"There is no log of knowact at {where}. Make one with: knowact run SUITE --model M")
    return found


def by_suite(runs: "Sequence[Run]") -> "list[tuple[Suite, list[Run]]]":
    """Group runs by suite, in order of first appearance."""
    names = dict.fromkeys(run.suite for run in runs)
    return [(suites.find(name), [run for run in runs if run.suite == name]) for name in names]


def make_report(runs: "Sequence[Run]") -> "Report":
    """Build the report of some runs; transcripts are read only as far as a page embeds them."""
    from knowact.report.build import EMBED_LIMIT, ReportInput, build

    total = sum(len(run.records) for run in runs)
    transcripts = dict(_transcripts(runs)) if total <= EMBED_LIMIT else {}
    return build(ReportInput(by_suite(runs), transcripts, view_command, measured_rates()))


def measured_rates() -> "Rates":
    """The error rates of models in roles, as `knowact calibrate` left them in the user's data folder."""
    from knowact.core.folders import data_folder
    from knowact.people.calibration import known_rates

    return partial(known_rates, data_folder())


def _transcripts(runs: "Sequence[Run]") -> "Iterator[tuple[tuple[str, str, str, int], Transcript]]":
    from knowact.engine.transcripts import read_transcripts

    for run in runs:
        for log in run.logs:
            for one in read_transcripts(Path(log)):
                yield (run.id, one.item, one.condition, one.epoch), one


def view_command(run: "Run", record: "Record") -> str:
    """The line that opens one trial in the engine's viewer; for people, the one that sums them up."""
    if not run.logs:
        return f"knowact human answer {run.suite.replace('_', '-')} --summary"
    sample = record.item if record.condition == "clean" else f"{record.item}@{record.condition}"
    epoch = f" --epoch {record.epoch}" if record.epoch > 1 else ""
    return f'knowact view "{run.logs[0]}" --sample "{sample}"{epoch}'
