"""`knowact rescore`: the paper's tables, recomputed from the published model outputs.

`rescore` is all that the command knows of this suite.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from knowact.core.table import Table
from knowact.datasets.deviations import Deviation, Ledger, counted
from knowact.suites.fail_talms.definitions import Rules
from knowact.suites.fail_talms.layout import Split, find_benchmark, find_outputs
from knowact.suites.fail_talms.outputs import PublishedRun, read_outputs
from knowact.suites.fail_talms.published import Published, load_published
from knowact.suites.fail_talms.published_comparisons import asking, categories, cleaned, people
from knowact.suites.fail_talms.published_tables import by_model, counts, table_1, table_2, table_3

BOTH: Final = "both"


@dataclass(frozen=True, slots=True)
class Rescored:
    """Published outputs, scored again.

    Attributes:
        tables: Those of the paper first.
        notes: What a reader should know, a sentence each.
        details: Everything that was mended, noted or left out, one by one, for programs.
    """

    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    details: tuple[Mapping[str, str], ...]


def rescore(path: Path, rules: str = BOTH) -> Rescored:
    """Recompute tables 1 to 3 of the paper, and what else the published records say.

    Args:
        path: The folder of a release (with `outputs` and `benchmark` in it), or its `outputs`.
        rules: "definition", "published" or "both".

    Raises:
        BadData: The folder has another layout, or a file in it cannot be used.
        ValueError: There are no such rules.
    """
    chosen = tuple(Rules) if rules == BOTH else (Rules(rules),)
    benchmark = _benchmark(path)
    ledger = Ledger()
    runs = read_outputs(path, benchmark, ledger)
    models = by_model(runs)
    tables = [make(models, chosen) for make in (table_1, table_2, table_3, asking)]
    if benchmark is not None and Rules.DEFINITION in chosen:
        tables.append(cleaned(models))
    tables += [people(runs), counts(runs)]
    if benchmark is not None:
        tables.append(categories(benchmark, runs, chosen))
    deviations = (*(benchmark.deviations if benchmark else ()), *ledger.entries)
    return Rescored(
        tables=tuple(table for table in tables if table.rows),
        notes=(*_about(runs, benchmark), *_shared_items(runs), *_unlike(runs), *map(str, ledger.entries)),
        details=tuple(_detail(one) for one in deviations),
    )


def _benchmark(path: Path) -> Published | None:
    """The benchmark beside the outputs; None where there is none."""
    for root in (path, path.parent) if find_outputs(path) == path else (path,):
        if find_benchmark(root, Ledger()) is not None:
            return load_published(root)
    return None


def _about(runs: Sequence[PublishedRun], benchmark: Published | None) -> list[str]:
    """What was read."""
    records = sum(len(run.answers) for run in runs)
    models = len({run.model for run in runs})
    notes = [f"{_count(records, 'record')} in {_count(len(runs), 'file')}, of {_count(models, 'model')}."]
    if benchmark is None:
        return [*notes, "There is no benchmark beside the outputs, so no record was held against its item."]
    mended = [f"{kind} {n:,} ({done})" for (kind, done), n in counted(benchmark.deviations).items()]
    total = len(benchmark.every)
    notes.append(f"The benchmark has {_count(total, 'item')}, {len(benchmark.excluded):,} of them set aside.")
    return [*notes, f"Departures of the benchmark from its own layout: {'; '.join(mended) or 'none'}."]


def _shared_items(runs: Sequence[PublishedRun]) -> list[str]:
    """Which settings were not run on the same items by all models: their numbers are not paired."""
    notes: list[str] = []
    for split in Split:
        for helper in (False, True):
            ids = [
                {answer.query_id for answer in run.answers}
                for run in runs
                if run.split is split and run.helper is helper and not run.by_person
            ]
            every, shared = set[int]().union(*ids), set[int].intersection(*ids) if ids else set[int]()
            if len(shared) < len(every):
                name = f"{split}{' with a person to ask' if helper else ''}"
                notes.append(
                    f"Not all models ran the same items of {name}: {len(shared):,} have a record of each of "
                    f"the {len(ids)}, {len(every) - len(shared):,} of some only."
                )
    return notes


def _unlike(runs: Sequence[PublishedRun]) -> list[str]:
    """Runs that lack what the published rules count."""
    silent = [
        run.model
        for run in runs
        if run.split is Split.NO_TOOLS and all(answer.against is None for answer in run.answers)
    ]
    if not silent:
        return []
    note = (
        f"The answers without tools of {', '.join(silent)} were never held against the perfect setting: by "
        "the published rules their pass rate is 0 for that reason alone."
    )
    return [note]


def _detail(one: Deviation) -> Mapping[str, str]:
    place = {"file": str(one.place.file), "line": str(one.place.line or ""), "field": one.place.field or ""}
    return {"item": one.item, "kind": one.kind.value, "done": one.done.value, "how": one.how, **place}


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
