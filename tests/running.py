"""Running our command line in process, and looking at what it left behind."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from knowact.cli.main import run
from knowact.core.record import Record
from knowact.core.table import Run
from knowact.core.task import Task
from knowact.engine.progress import ended_before
from knowact.engine.reader import find_logs, read_runs
from knowact.suites.kapro.items import load
from timing import wait_until

MODEL = "openai-api/local/agent"
EXTRACTOR = "openai-api/local/extractor"
JUDGE = "openai-api/local/judge"
READ = ("--role", f"extractor={EXTRACTOR}", "--role", f"judge={JUDGE}")
OURS = "everyday@2-A"

PATIENT = ("--", "--attempt-timeout", "600", "--max-retries", "0", "--retry-on-error", "0")
"""A fault shows at once: no second attempt by the provider's client, none by the engine. A healthy endpoint
may be slow on a busy machine."""


def waiting(seconds: float) -> tuple[object, ...]:
    """The engine's options for an attempt of that length, and for no second one."""
    return *PATIENT[:2], seconds, *PATIENT[3:]


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err


def knowact(capsys: pytest.CaptureFixture[str], *words: object) -> Ran:
    """Run a command in process."""
    capsys.readouterr()
    code = run([str(word) for word in words])
    captured = capsys.readouterr()
    return Ran(code, captured.out, captured.err)


def run_at(folder: Path) -> Run:
    """The only run below a folder."""
    (found,) = read_runs(find_logs([folder]))
    return found


def records_at(folder: Path) -> dict[str, Record]:
    """The records of the only run below a folder, by item; each must occur once."""
    records = run_at(folder).records
    by_item = {record.item: record for record in records}
    assert len(by_item) == len(records), "an item is recorded more than once"
    return by_item


def wait_for_trials(folder: Path, number: int) -> None:
    """Wait until the log of another process's run holds so many trials to the end."""
    wait_until(lambda: folder.exists() and len(ended_before(folder)) >= number)


def measured(record: Record) -> tuple[Any, ...]:
    """What a record says about the agent, without clock and tokens."""
    results = {name: (v.status, v.value, v.by, v.why) for name, v in record.results.items()}
    sets = record.required, record.needed, record.used
    return *sets, dict(record.outcomes), record.calls, record.knew, record.acted, results, dict(record.flags)


def json_report(capsys: pytest.CaptureFixture[str], folder: Path, file: Path) -> dict[str, Any]:
    """What `knowact report --json` makes of the logs below a folder."""
    knowact(capsys, "report", folder, "--json", file)
    return json.loads(file.read_text(encoding="utf-8"))


def table_rows(report: Mapping[str, Any], table: str, measure: str) -> list[dict[str, Any]]:
    """The rows of one measure in one table of a report.json."""
    (rows,) = (one["rows"] for one in report["tables"] if one["id"] == table)
    return [row for row in rows if row["measure"] == measure]


def tasks_of(data: str | Path = OURS) -> tuple[Task, ...]:
    """The tasks of a data set, in the order of a run."""
    return load(str(data)).tasks
