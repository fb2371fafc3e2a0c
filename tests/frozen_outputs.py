"""What must not change while the house is rebuilt: records, tables and reports of the reference agents.

Each is kept as a hash in `frozen_hashes/<suite>.json`. `python tests/frozen_outputs.py [SUITE ...]` writes
them anew; do so only for a change of numbers that the changelog names. Words (titles, notes, reasons), times,
ids of runs, names of logs and hashes of prompts are left out, and so are tokens, which follow the prompts'
words.
"""

import hashlib
import json
import math
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import knowact
from knowact.core.record import Decided, Record, Result
from knowact.core.role_model import BUILT_IN
from knowact.core.table import Row, Run, Table
from knowact.suites import find, names

HASHES: Final = Path(__file__).parent / "frozen_hashes"
LIMIT: Final = 60
"""Base tasks of each suite: its data are in stratified order, so these hold every stratum."""

AGENTS: Final = (
    *("oracle", "always-act", "always-ask", "always-no", "always-idk", "eager", "shy"),
    *("random", "lexical", "tools-only", "fabricator"),
)
CONVERSING: Final = ("oracle", "fabricator", "silent-omitter", "misreporter", "premature", "asker", "refuser")

WORDS: Final = frozenset({"why", "note", "title", "source", "method"})
PASSING: Final = frozenset({"tokens", "seconds", "cost", "role_tokens", "role_cost"})
"""Fields of a record that hang on the clock or on the words of prompts."""

DIGITS: Final = 9
"""Significant digits of a number: the rest may differ from one machine to the next."""


def digest(value: object) -> str:
    """A short hash of anything that JSON can hold, sets sorted."""
    text = json.dumps(plain(value), sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def plain(value: Any) -> Any:
    """A value as JSON, without words: sets become sorted lists, floats are rounded, enumerations texts."""
    if isinstance(value, Result | Decided):
        return plain({each.name: getattr(value, each.name) for each in fields(value)})
    if isinstance(value, Mapping):
        known = cast("Mapping[str, Any]", value)
        return {str(name): plain(inner) for name, inner in known.items() if name not in WORDS}
    if isinstance(value, set | frozenset):
        return sorted(plain(inner) for inner in cast("frozenset[str]", value))
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in cast("Sequence[Any]", value)]
    if isinstance(value, float):
        return None if math.isnan(value) else float(f"{value:.{DIGITS}g}")
    return str(value) if isinstance(value, str) else value


def record_digest(record: Record) -> str:
    """The hash of a record."""
    kept = {each.name: getattr(record, each.name) for each in fields(record) if each.name not in PASSING}
    results = {name: result for name, result in record.results.items() if not _hangs_on_the_clock(name)}
    return digest(kept | {"results": results})


def table_digest(table: Table) -> str:
    """The hash of a table: its numbers with their keys, whatever their order."""
    rows = [_row(row) for row in table.rows if not _passes(row)]
    return digest(
        sorted(rows, key=lambda row: json.dumps(row["keys"] | {"": row["measure"]}, sort_keys=True))
    )


def _row(row: Row) -> Mapping[str, Any]:
    estimate = row.estimate
    return {
        "keys": dict(row.keys),
        "measure": row.measure,
        "numbers": [estimate.value, estimate.n, estimate.low, estimate.high],
    }


def _passes(row: Row) -> bool:
    """Whether a number hangs on the clock or on the words of prompts."""
    return any(map(_hangs_on_the_clock, (row.measure, *row.keys.values())))


def _hangs_on_the_clock(name: str) -> bool:
    return any(word in name.casefold() for word in ("second", "token", "dollar", "cost"))


def agents_of(suite: str) -> Sequence[str]:
    """The reference agents of a suite."""
    return CONVERSING if find(suite).converses else AGENTS


def runs_of(suite: str, folder: Path) -> Sequence[Run]:
    """One run of each reference agent on the first items of a suite's own data."""
    models = [BUILT_IN + agent for agent in agents_of(suite)]
    return knowact.run(suite, model=models, limit=LIMIT, trials=1, log_dir=folder, quiet=True)


def frozen(runs: Sequence[Run]) -> dict[str, Any]:
    """The hashes of some runs of one suite: records by agent and trial, tables, and the report's JSON."""
    loaded = runs if isinstance(runs, knowact.Runs) else knowact.Runs(runs)
    return {
        "records": {run.model.removeprefix(BUILT_IN): dict(_records(run)) for run in runs},
        "tables": {name: table_digest(table) for name, table in loaded.tables().items()},
        "report": digest(_report(loaded)),
    }


def _records(run: Run) -> Iterator[tuple[str, str]]:
    related = find(run.suite).with_related(run)
    for record in related.records:
        yield f"{record.item}@{record.condition}#{record.epoch}", record_digest(record)


def _report(runs: knowact.Runs) -> Any:
    """What the report's JSON says of runs, without what changes from run to run."""
    with tempfile.TemporaryDirectory() as folder:
        runs.report(folder)
        report = json.loads((Path(folder) / "report.json").read_text(encoding="utf-8"))
    kept = ("suite", "model", "planned", "scored", "outcomes", "bounds", "unscored", "flags")
    return [{name: run[name] for name in kept if name in run} for run in report["runs"]]


def kept_at(name: str) -> Path:
    """Where the hashes of a suite, or of published samples, are kept."""
    return HASHES / f"{name}.json"


def differences(before: Mapping[str, Any], now: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Name every hash that is new, gone or another."""
    for name in {**before, **now}:
        here = f"{path}/{name}"
        if name not in now or name not in before:
            yield f"{here} is {'gone' if name in before else 'new'}"
        elif isinstance(before[name], dict):
            yield from differences(before[name], now[name], here)
        elif before[name] != now[name]:
            yield f"{here} differs"


def main(suites: Sequence[str]) -> None:
    """Write the hashes of some suites, or of all."""
    HASHES.mkdir(exist_ok=True)
    for suite in suites or names():
        with tempfile.TemporaryDirectory() as folder:
            found = frozen(runs_of(suite, Path(folder)))
        write = partial(json.dumps, indent=0, sort_keys=True)
        kept_at(suite).write_text(write(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
