"""What the published records say beyond the paper's tables: asking paired, people against grader, and more.

Spec fail-talms.md, sections 8.6, 9 and 10: all models and runs answer the same items, so that differences are
paired; the grader was checked against a person once; and some items should never have counted.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from knowact.core.record import Record, Verdict
from knowact.core.table import Estimate, Row, Table
from knowact.measures.agreement import kappa
from knowact.measures.intervals import wilson
from knowact.measures.paired import compare_means
from knowact.suites.fail_talms.definitions import DEFINITIONS, Measure, Originals, Rules, Share
from knowact.suites.fail_talms.layout import FAILURES, Split
from knowact.suites.fail_talms.outputs import Answer, PublishedRun
from knowact.suites.fail_talms.published import Published
from knowact.suites.fail_talms.published_tables import TABLE_1, TABLE_2, Runs

SEED: Final = 0
"""Fixes the draws of the bootstrap: the same outputs give the same tables."""

VALUE: Final = "value"
BOTH: Final = "both"
ALL: Final = "all"

HIT, MISS = "pass", "fail"


def asking(models: Sequence[Runs], rules: Sequence[Rules]) -> Table:
    """Plain runs against those with a person to ask, on the same items: the paired difference."""
    rows: list[Row] = []
    for one in models:
        for split in (split for split in FAILURES if split in one.plain and split in one.helped):
            for measure in TABLE_1:
                for name, share in _distinct(split, measure, rules).items():
                    keys = {
                        "model": one.model,
                        "setting": split.value,
                        "number": measure.value,
                        "rules": name,
                    }
                    rows += _compared(keys, share, one.plain[split], one.helped[split])
    note = (
        "Over the items that both runs have exactly one record of, which n counts. The difference is with "
        "a person to ask minus without; its interval resamples base queries with all their variants."
    )
    return Table("asking", "What a person to ask changes", "knowact", tuple(rows), note=note)


def _distinct(split: Split, measure: Measure, rules: Sequence[Rules]) -> dict[str, Share]:
    """The shares to compare, by the rules that they belong to; one where the rules agree."""
    definition = DEFINITIONS[split, measure]
    found = {rule: share for rule in rules if (share := definition.share(rule)) is not None}
    if definition.agree and len(found) > 1:
        return {BOTH: found[rules[0]]}
    return {str(rule): share for rule, share in found.items()}


def _compared(keys: Mapping[str, str], share: Share, plain: PublishedRun, helped: PublishedRun) -> list[Row]:
    found = compare_means(_records(plain, share), _records(helped, share), VALUE, SEED)
    sides = (("plain", found.first), ("with a person", found.second))
    rows = [Row(keys, name, Estimate(value, found.matched)) for name, value in sides]
    return [*rows, Row(keys, "difference", found.difference)]


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
            endings={},
            verdicts={VALUE: Verdict.of(values[answer.place])} if answer.place in values else {},
        )
        for answer in _once(run)
    ]


def _once(run: PublishedRun) -> list[Answer]:
    """The records whose item no other record of the run has: two verdicts on one item are no verdict."""
    copies = Counter(answer.query_id for answer in run.answers)
    return [answer for answer in run.answers if copies[answer.query_id] == 1]


def cleaned(models: Sequence[Runs]) -> Table:
    """Each number by definition as it is, and without the records that should not count; where they differ.

    Left out are items that are set aside (queries that were not altered, contradictory labels), repeated
    records after the first, and records of items that the benchmark does not have.
    """
    rows: list[Row] = []
    for one in models:
        for runs, measures, name in (
            (one.plain, TABLE_1, "plain"),
            (one.helped, TABLE_2, "with a person to ask"),
        ):
            for split in (split for split in Split if split in runs):
                run = runs[split]
                kept = tuple(answer for answer in run.answers if _counts(answer))
                if len(kept) < len(run.answers):
                    keys = {"model": one.model, "setting": split.value, "run": name}
                    rows += _before_and_after(
                        keys, (run, replace(run, answers=kept)), measures, one.originals
                    )
    note = (
        "Left out: items that the loader sets aside, records that repeat an id, and records of items that "
        "are not in the benchmark. Runs without any such record are not shown."
    )
    return Table("cleaned", "Without records that should not count", "knowact", tuple(rows), note=note)


def _before_and_after(
    keys: Mapping[str, str],
    runs: tuple[PublishedRun, PublishedRun],
    measures: Sequence[Measure],
    originals: Originals,
) -> list[Row]:
    rows: list[Row] = []
    for measure in measures:
        definition = DEFINITIONS.get((runs[0].split, measure))
        if definition is None or definition.definition is None:
            continue
        for name, run in zip(("all records", "cleaned"), runs, strict=True):
            estimate = definition.definition.estimate([run], originals)
            rows.append(Row({**keys, "number": measure.value}, name, estimate))
    return rows


def _counts(answer: Answer) -> bool:
    return answer.copy == 1 and answer.item is not None and answer.item.excluded is None


def people(runs: Sequence[PublishedRun]) -> Table:
    """A person's verdicts against the grader's, over the items that both judged (spec, section 8.6)."""
    rows: list[Row] = []
    for human in (run for run in runs if run.by_person):
        grader = next((run for run in runs if not run.by_person and _same_run(run, human)), None)
        if grader is None:
            continue
        verdicts = {one.query_id: one.passed for one in _once(grader) if one.judged}
        pairs = [
            (verdicts[one.query_id], one.passed)
            for one in _once(human)
            if one.judged and one.query_id in verdicts
        ]
        ratings = [tuple(HIT if passed else MISS for passed in pair) for pair in pairs]
        numbers = {
            "agreement": wilson(sum(first == second for first, second in pairs), len(pairs)),
            "Cohen's kappa": kappa(ratings, [str(place) for place in range(len(pairs))], SEED),
            "passed by the grader": wilson(sum(first for first, _ in pairs), len(pairs)),
            "passed by the person": wilson(sum(second for _, second in pairs), len(pairs)),
        }
        keys = {"model": human.model, "setting": human.split.value}
        rows += [Row(keys, name, estimate) for name, estimate in numbers.items()]
    note = (
        "Over the items that both judged. The person judged answers of another run, so that other answers "
        "and another judge both count as disagreement."
    )
    return Table(
        "people",
        "A person's verdicts and the grader's",
        "FAIL-TaLMs, appendix D",
        tuple(rows),
        note=note,
        percent=False,
    )


def _same_run(run: PublishedRun, other: PublishedRun) -> bool:
    return (run.model, run.split, run.helper) == (other.model, other.split, other.helper)


def categories(benchmark: Published, runs: Sequence[PublishedRun], rules: Sequence[Rules]) -> Table:
    """Queries by category and setting: on disk, without those set aside, and with a record of any run."""
    evaluated = {one.item.id for run in runs for one in run.answers if one.item is not None}
    which = {
        "published (on disk)": benchmark.every if Rules.PUBLISHED in rules else (),
        "definition (usable)": benchmark.items if Rules.DEFINITION in rules else (),
        "with a published answer": [one for one in benchmark.every if one.id in evaluated],
    }
    splits = [split for split in Split if any(item.split is split for item in benchmark.every)]
    names = sorted({item.category for item in benchmark.every})
    rows: list[Row] = []
    for category in (*names, ALL):
        for kind, items in which.items():
            own = [item for item in items if category in (item.category, ALL)]
            if items:
                for split in splits:
                    found = sum(item.split is split for item in own)
                    keys = {"category": category, "counted": kind, "setting": split.value}
                    rows.append(Row(keys, "queries", Estimate(found, found)))
    note = (
        "Figure 3 shows the perfect setting, Figure 4 both unavailable ones; usable: without items set aside."
    )
    return Table(
        "categories",
        "Queries by category",
        "FAIL-TaLMs, Figures 3 and 4",
        tuple(rows),
        across=("setting",),
        note=note,
        percent=False,
        counts=True,
    )
