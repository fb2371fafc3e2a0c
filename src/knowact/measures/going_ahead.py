"""Going ahead or holding back, where one of both is right: pairs within a suite, and sets beside each other.

An agent either goes ahead (calls a tool) or does not. Suites that ask for this, in whatever way, have it in
common, so that one model's runs on several sets can stand in one table (arXiv 2406.12307, Figure 4).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from knowact.core.charts import grouped_bars
from knowact.core.record import Answer, Outcome, Record, Result, Said
from knowact.core.table import (
    Estimate,
    Figure,
    Headline,
    Row,
    Run,
    Supposed,
    Table,
    as_table,
    rows_of,
    supposing,
)
from knowact.measures.confusion import Score, both_scored, constant_policies, estimate, rests_on
from knowact.measures.pairing import data_names, item_sets
from knowact.measures.run_tables import heads_of

Answering = Callable[[Sequence[Record]], Sequence[Answer]]

CALLED: Final = "called"
HELD_BACK: Final = "held back"
"""Results by which `answers_of` tells what was done; where neither is 1, it is unreadable."""

GOLD, COMPLETE = "gold", "complete"
"""The label that says what is so, and its value where going ahead is right."""

PAIR: Final = "pair"
"""The label that both requests of a minimal pair share."""


def answers_of(records: Sequence[Record]) -> list[Answer]:
    """Whether a call was made, on items with the labels `gold` and `pair`."""
    return [
        Answer(
            f"{record.labels[PAIR]} {record.epoch}",
            record.labels[GOLD] == COMPLETE,
            _said(record),
            record.cluster,
        )
        for record in records
    ]


def _said(record: Record) -> Said | None:
    if not record.scored:
        return None
    return "yes" if record.value(CALLED) else "no" if record.value(HELD_BACK) else "unreadable"


PAIRED: Final[Mapping[Score, str]] = {
    Score.PAIR_ACCURACY: "both right",
    Score.BALANCED_ACCURACY: "balanced accuracy",
    Score.MCC: "MCC",
}


POLICIES: Final[tuple[tuple[Said, str], ...]] = (("yes", "always call"), ("no", "never call"))


@as_table("pairs", "Both requests of a pair right")
def pairs_table(runs: Sequence[Run], answers: Answering = answers_of) -> Iterator[Row]:
    """What no constant policy reaches.

    A pair is one request with a call right in one of its versions, and wrong in the other; a version whose
    partner was not scored, or does not exist, counts nowhere here. Always calling and
    never calling get no pair right, and a balanced accuracy of 50 %; they stand there for the same items as
    the runs. Runs without pairs, as on published rows, are left out.
    """
    paired = [
        (run, head, given)
        for run, head in zip(runs, heads_of(runs), strict=True)
        if (given := both_scored(answers(head.records)))
    ]
    for _, head, given in paired:
        yield from (Row(head.keys, name, estimate(score, given)) for score, name in PAIRED.items())
    for keys, records in item_sets([(run, {}, run.records) for run, _, _ in paired]):
        asked = [
            replace(record, outcomes=dict.fromkeys(record.outcomes, Outcome.ANSWERED)) for record in records
        ]
        given = both_scored(answers(asked))
        constant = constant_policies(given)
        for said, policy in POLICIES:
            for score, name in PAIRED.items():
                head = {"model": policy, **keys}
                yield Row(head, name, Estimate(constant[score][said], rests_on(score, given)))


def supposing_call(result: str) -> Supposed:
    """Return how a lost trial is taken for one that did what its item asks for, or what it doesn't.

    Args:
        result: That says whether it was right.
    """

    def suppose(record: Record, right: bool) -> Record:  # noqa: FBT001 - the truth itself
        called = right == (record.labels["gold"] == "complete")
        done = {CALLED: Result.of(called), HELD_BACK: Result.of(not called)}
        supposed = supposing(result)(record, right)
        return replace(supposed, results={**supposed.results, **done})

    return suppose


def pairs_headline(answers: Answering, result: str, suppose: Supposed) -> Headline:
    """Both requests of a pair right, as the number that places a suite's runs.

    Args:
        answers: What was done, item by item.
        result: What it takes of a trial.
        suppose: What a lost trial would have been.
    """

    def of(run: Run) -> Estimate:
        return estimate(Score.PAIR_ACCURACY, answers(run.records))

    def policies(run: Run) -> Mapping[str, float]:
        given = answers(run.records)
        if not rests_on(Score.PAIR_ACCURACY, given):
            return {}
        constant = constant_policies(given)[Score.PAIR_ACCURACY]
        return {"always call": constant["yes"], "never call": constant["no"]}

    return Headline(PAIRED[Score.PAIR_ACCURACY], of, policies, rests_on=(result,), suppose=suppose)


SETS: Final = {Score.ACCURACY: "accuracy", Score.F1: "F1 (no)"}


SuiteRuns = Sequence[tuple[Answering | None, Sequence[Run]]]
"""Runs of each suite, with how it tells what was done."""


@as_table("sets", "One model on several sets", "arXiv 2406.12307, Figure 4", across=("set",), highest=False)
def sets_table(suites: SuiteRuns) -> Iterator[Row]:
    """Runs on several sets, each model in a row.

    Accuracy: going ahead (a call) where that is right, holding back where it is not. Holding back is a
    question or a statement of limits; a reply that claims or fabricates, an empty one and a crash are
    neither, and wrong. A suite that reads no words takes every answer without a call for holding back. Not
    given where replies were left unread. F1 has holding back as the positive class. Sets differ in how often
    holding back is right, and always holding back has that share as its accuracy: compare models within a
    set, and their order between sets.
    """
    for name, answers, runs in _sets(suites):
        for head in heads_of(runs):
            given = answers(head.records)
            numbers = {title: estimate(score, given) for score, title in SETS.items()}
            always = constant_policies(given)[Score.ACCURACY]["no"]
            numbers["always holding back"] = Estimate(always, rests_on(Score.ACCURACY, given))
            yield from rows_of({**head.keys, "set": name}, numbers, empty=False)


@as_table("set-sizes", "How large the sets are", "arXiv 2406.12307, Table 4", percent=False, counts=True)
def sizes_table(suites: SuiteRuns) -> Iterator[Row]:
    """Examples and distinct tools of these runs.

    The paper counts domains, too; no record names one.
    """
    for name, _, runs in _sets(suites):
        records = [record for run in runs for record in run.records]
        examples = {(record.item, record.condition) for record in records}
        tools = {tool for record in records for tool in record.offered}
        for unit, members in (("examples", examples), ("tools", tools)):
            yield Row({"set": name}, unit, Estimate(len(members), len(members)))


def _sets(suites: SuiteRuns) -> list[tuple[str, Answering, list[Run]]]:
    """Each set by name, with its runs; none where there is only one."""
    sets: dict[str, tuple[str, Answering, list[Run]]] = {}
    for answers, runs in suites:
        names = data_names(run.dataset for run in runs)
        for run in runs if answers else ():
            name = f"{run.suite}/{names[run.dataset]}"
            if answers is not None and answers(run.records):
                sets.setdefault(name, (name, answers, []))[2].append(run)
    return list(sets.values()) if len(sets) > 1 else []


def sets_figure(table: Table) -> Figure:
    """Accuracy by set, a bar for each model (arXiv 2406.12307, Figure 4)."""
    rows = [row for row in table.rows if row.measure == SETS[Score.ACCURACY]]
    spec = grouped_bars(rows, "set", "model", value_title="Accuracy")
    return Figure("sets", "One model on several sets", table.source, spec)
