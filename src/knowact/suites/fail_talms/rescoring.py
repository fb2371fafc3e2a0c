"""`knowact rescore`: the paper's tables, recomputed from the published model outputs.

`rescore` is all that the command knows of this suite.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from knowact.core.record import Record, Result
from knowact.core.rounding import count
from knowact.core.table import Estimate, Row, Table, as_table, rows_of
from knowact.datasets.deviations import Deviation, counted
from knowact.measures.agreement import kappa
from knowact.measures.intervals import wilson
from knowact.measures.paired import compare_means
from knowact.suites.fail_talms.layout import FAILURES, Split, find_benchmark, find_outputs
from knowact.suites.fail_talms.outputs import Answer, PublishedRun, read_outputs
from knowact.suites.fail_talms.published import Published, load_published
from knowact.suites.fail_talms.published_tables import (
    DEFINITIONS,
    TABLE_1,
    TABLE_2,
    Measure,
    Originals,
    Rules,
    Runs,
    Share,
    by_model,
    counts,
    table_1,
    table_2,
    table_3,
)

VALUE: Final = "value"
BOTH: Final = "both"
ALL: Final = "all"

HIT, MISS = "pass", "fail"


@as_table("asking", "What a person to ask changes")
def asking(models: Sequence[Runs], rules: Sequence[Rules]) -> Iterator[Row]:
    """Plain runs against those with a person to ask, on the same items: the paired difference.

    Over the items that both runs have exactly one record of, which n counts. The difference is with a person
    to ask minus without; its interval resamples base queries with all their variants.
    """
    for one in models:
        for split in (split for split in FAILURES if split in one.plain and split in one.helped):
            for measure in TABLE_1:
                keys = {"model": one.model, "setting": split.value, "number": measure.value}
                for name, share in _distinct(split, measure, rules).items():
                    plain, helped = (_records(side[split], share) for side in (one.plain, one.helped))
                    found = compare_means(plain, helped, VALUE)
                    sides = {"plain": found.first, "with a person": found.second}
                    numbers = {side: Estimate(value, found.matched) for side, value in sides.items()}
                    yield from rows_of({**keys, "rules": name}, numbers | {"difference": found.difference})


def _distinct(split: Split, measure: Measure, rules: Sequence[Rules]) -> dict[str, Share]:
    """The shares to compare, by the rules that they belong to; one where the rules agree."""
    definition = DEFINITIONS[split, measure]
    found = {rule: share for rule in rules if (share := definition.share(rule)) is not None}
    if definition.agree and len(found) > 1:
        return {BOTH: found[rules[0]]}
    return {str(rule): share for rule, share in found.items()}


def _records(run: PublishedRun, share: Share) -> list[Record]:
    """One record for each item with exactly one, its value whether it counts."""
    nothing: Originals = {}
    values = {answer.place: hit for answer, hit in share.values(run, nothing)}
    return [
        Record(
            item=f"{answer.query_id}",
            condition=run.split,
            epoch=1,
            cluster=answer.item.cluster if answer.item else f"{answer.query_id}",
            labels={},
            offered=(),
            required=frozenset(),
            outcomes={},
            results={VALUE: Result.of(values[answer.place])} if answer.place in values else {},
        )
        for answer in _once(run)
    ]


def _once(run: PublishedRun) -> list[Answer]:
    """The records whose item no other record of the run has: two results on one item are no result."""
    copies = Counter(answer.query_id for answer in run.answers)
    return [answer for answer in run.answers if copies[answer.query_id] == 1]


@as_table("cleaned", "Without records that should not count")
def cleaned(models: Sequence[Runs]) -> Iterator[Row]:
    """Each number by definition as it is, and without the records that should not count; where they differ.

    Left out: items that the loader sets aside, records that repeat an id, and records of items that are not
    in the benchmark. Runs without any such record are not shown.
    """
    for one in models:
        kinds = ((one.plain, TABLE_1, "plain"), (one.helped, TABLE_2, "with a person to ask"))
        for runs, measures, name in kinds:
            for split in (split for split in Split if split in runs):
                run = runs[split]
                kept = replace(run, answers=tuple(answer for answer in run.answers if _counts(answer)))
                for measure in measures if len(kept.answers) < len(run.answers) else ():
                    found = DEFINITIONS.get((split, measure))
                    if found is not None and (share := found.definition) is not None:
                        keys = {"model": one.model, "setting": split.value, "run": name}
                        sides = {"all records": run, "cleaned": kept}
                        numbers = {side: share.estimate([x], {}) for side, x in sides.items()}
                        yield from rows_of({**keys, "number": measure.value}, numbers)


def _counts(answer: Answer) -> bool:
    return answer.copy == 1 and answer.item is not None and answer.item.excluded is None


@as_table("people", "A person's labels and the grader's", "FAIL-TaLMs, appendix D", percent=False)
def people(runs: Sequence[PublishedRun]) -> Iterator[Row]:
    """A person's labels against the grader's, over the items that both judged.

    Over the items that both judged. The person judged answers of another run, so that other answers and
    another judge both count as disagreement.
    """
    for human in (run for run in runs if run.by_person):
        grader = next((run for run in runs if not run.by_person and _same_run(run, human)), None)
        if grader is None:
            continue
        results = {one.query_id: one.passed for one in _once(grader) if one.attempted}
        pairs = [
            (results[one.query_id], one.passed)
            for one in _once(human)
            if one.attempted and one.query_id in results
        ]
        ratings = [tuple(HIT if passed else MISS for passed in pair) for pair in pairs]
        numbers = {
            "agreement": wilson(sum(first == second for first, second in pairs), len(pairs)),
            "Cohen's kappa": kappa(ratings, [str(place) for place in range(len(pairs))]),
            "passed by the grader": wilson(sum(first for first, _ in pairs), len(pairs)),
            "passed by the person": wilson(sum(second for _, second in pairs), len(pairs)),
        }
        yield from rows_of({"model": human.model, "setting": human.split.value}, numbers)


def _same_run(run: PublishedRun, other: PublishedRun) -> bool:
    return (run.model, run.split, run.helper) == (other.model, other.split, other.helper)


@as_table(
    *("categories", "Queries by category", "FAIL-TaLMs, Figures 3 and 4"),
    across=("setting",),
    percent=False,
    counts=True,
)
def categories(benchmark: Published, runs: Sequence[PublishedRun], rules: Sequence[Rules]) -> Iterator[Row]:
    """Queries by category and setting: on disk, without those set aside, and with a record of any run.

    Figure 3 shows the perfect setting, Figure 4 both unavailable ones; usable: without items set aside.
    """
    evaluated = {one.item.id for run in runs for one in run.answers if one.item is not None}
    which = {
        "published (on disk)": benchmark.every if Rules.PUBLISHED in rules else (),
        "definition (usable)": benchmark.items if Rules.DEFINITION in rules else (),
        "with a published answer": [one for one in benchmark.every if one.id in evaluated],
    }
    splits = [split for split in Split if any(item.split is split for item in benchmark.every)]
    for category in (*sorted({item.category for item in benchmark.every}), ALL):
        for kind, items in which.items():
            for split in splits if items else ():
                own = [item for item in items if category in (item.category, ALL) and item.split is split]
                keys = {"category": category, "counted": kind, "setting": split.value}
                yield Row(keys, "queries", Estimate(len(own), len(own)))


@dataclass(frozen=True, slots=True)
class Rescored:
    """Published outputs, scored again.

    Attributes:
        tables: Those of the paper first.
        notes: What a reader should know, a sentence each.
        details: Everything that was mended, noted or left out, one by one, for programs.
        unscored: None: what a label lacks is a number that is not printed.
    """

    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    details: tuple[Mapping[str, str], ...]
    unscored: int = 0


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
    odd = list[Deviation]()
    runs = read_outputs(path, benchmark, odd)
    models = by_model(runs)
    tables = [make(models, chosen) for make in (table_1, table_2, table_3, asking)]
    if benchmark is not None and Rules.DEFINITION in chosen:
        tables.append(cleaned(models))
    tables += [people(runs), counts(runs)]
    if benchmark is not None:
        tables.append(categories(benchmark, runs, chosen))
    deviations = (*(benchmark.deviations if benchmark else ()), *odd)
    return Rescored(
        tables=tuple(table for table in tables if table.rows),
        notes=(*_about(runs, benchmark), *_shared_items(runs), *_unlike(runs), *map(str, odd)),
        details=tuple(_detail(one) for one in deviations),
    )


def _benchmark(path: Path) -> Published | None:
    """The benchmark beside the outputs; None where there is none."""
    for root in (path, path.parent) if find_outputs(path) == path else (path,):
        if find_benchmark(root, list[Deviation]()) is not None:
            return load_published(root)
    return None


def _about(runs: Sequence[PublishedRun], benchmark: Published | None) -> list[str]:
    """What was read."""
    records = sum(len(run.answers) for run in runs)
    models = len({run.model for run in runs})
    notes = [f"{count(records, 'record')} in {count(len(runs), 'file')}, of {count(models, 'model')}."]
    if benchmark is None:
        return [*notes, "There is no benchmark beside the outputs, so no record was compared with its item."]
    mended = [f"{kind} {n:,} ({done})" for (kind, done), n in counted(benchmark.deviations).items()]
    total = len(benchmark.every)
    notes.append(f"The benchmark has {count(total, 'item')}, {len(benchmark.excluded):,} of them set aside.")
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
        f"The answers without tools of {', '.join(silent)} were never compared with the perfect setting: by "
        "the published rules their pass rate is 0 for that reason alone."
    )
    return [note]


def _detail(one: Deviation) -> Mapping[str, str]:
    place = {"file": str(one.place.file), "line": str(one.place.line or ""), "field": one.place.field or ""}
    return {"item": one.item, "kind": one.kind.value, "done": one.done.value, "how": one.how, **place}
