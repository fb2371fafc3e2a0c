"""The paper's tables 1 to 3 from published records, by definition and as printed, side by side.

Spec fail-talms.md, sections 8 and 9. Rows are numbers of a model in a setting, with what is counted; columns
are the two rules. n is the number of records, not the size of the setting, except where the published rules
themselves take that.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from knowact.core.table import Estimate, Row, Table
from knowact.measures.intervals import wilson
from knowact.suites.fail_talms.definitions import DEFINITIONS, WORDS, Measure, Originals, Rules
from knowact.suites.fail_talms.layout import FAILURES, UNAVAILABLE, Split
from knowact.suites.fail_talms.outputs import Label, PublishedRun, tally

TABLE_1: Final = (Measure.PASSED, Measure.AWARE, Measure.UNEXPECTED, Measure.SKIPPED)
TABLE_2: Final = (Measure.PASSED, Measure.AWARE, Measure.UNEXPECTED, Measure.ASKED)

MEAN: Final = "unavailable, mean of both"
MEAN_WORDS: Final = "plain mean of the two settings"
POOLED: Final = "unavailable, both together"

MOVER: Final = "wilson, combined"
"""The interval of a mean of two shares: the distances to their own ends, added like standard errors (MOVER;
Zou and Donner, "Construction of confidence limits about effect measures", 2008)."""

WHOLE: Final = "wilson, n of the whole setting"

NOTE: Final = (
    f"What is counted, of what: {WORDS} Intervals: Wilson, 95 %, as if the records were independent; "
    "variants of one base query are not."
)


@dataclass(frozen=True, slots=True)
class Printed:
    """A row of the paper's Table 3: which share, and the n that the paper took for it."""

    measure: Measure
    model: str
    setting: Split | None
    n: int


TABLE_3: Final = (
    Printed(Measure.PASSED, "gpt_4o", Split.UNDER_SPECIFIED, 599),
    Printed(Measure.PASSED, "claude3.5_sonnet", Split.PERFECT, 575),
    Printed(Measure.PASSED, "llama_70B", Split.NON_REPLACEABLE, 314),
    Printed(Measure.AWARE, "gpt_4o", Split.UNDER_SPECIFIED, 599),
    Printed(Measure.AWARE, "claude3.5_sonnet", Split.UNDER_SPECIFIED, 599),
    Printed(Measure.AWARE, "llama_70B", None, 575),
)
"""The six rows of Table 3; no setting means the mean of both unavailable ones."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of one model that were graded by a model."""

    model: str
    plain: Mapping[Split, PublishedRun]
    helped: Mapping[Split, PublishedRun]

    @property
    def with_help(self) -> Mapping[Split, PublishedRun]:
        """The runs of Table 2: those with a person to ask, and the plain controls where there is none."""
        controls = {split: run for split, run in self.plain.items() if split not in FAILURES}
        return {**controls, **self.helped} if self.helped else {}

    @property
    def originals(self) -> Originals:
        """Which items it passed in the perfect setting; of a repeated record the first counts."""
        found: dict[int, bool] = {}
        for answer in self.plain[Split.PERFECT].answers if Split.PERFECT in self.plain else ():
            found.setdefault(answer.query_id, answer.passed)
        return found


def by_model(runs: Iterable[PublishedRun]) -> list[Runs]:
    """Group the runs that a model graded by the model that was run."""
    graded = [run for run in runs if not run.by_person]
    return [
        Runs(
            model,
            {run.split: run for run in graded if run.model == model and not run.helper},
            {run.split: run for run in graded if run.model == model and run.helper},
        )
        for model in dict.fromkeys(run.model for run in graded)
    ]


def counts(runs: Sequence[PublishedRun]) -> Table:
    """The counts behind all numbers, one row per file (spec, section 11)."""
    rows: list[Row] = []
    for run in runs:
        found = tally(run)
        keys = {"model": run.model, "setting": run.split.value, "run": _kind(run)}
        numbers: dict[str, int | None] = {"records": found.n, "passed": found.passed}
        if run.split is not Split.NO_TOOLS:
            numbers |= {label.value: found.labels[label] for label in Label}
            numbers |= {"yes and passed": found.unexpected}
        numbers |= {"skipped": found.skipped}
        numbers |= {"asked": found.asked} if run.helper else {}
        numbers |= {"win or tie": found.held}
        rows += [Row(keys, name, Estimate(one, found.n)) for name, one in numbers.items() if one is not None]
    note = (
        "Labels are those of the setting's own question: on information where that is missing, else on "
        "tools. Repeated records are kept."
    )
    return Table("counts", "Counts", "knowact", tuple(rows), note=note, percent=False, counts=True)


def _kind(run: PublishedRun) -> str:
    return "verdicts by a person" if run.by_person else "with a person to ask" if run.helper else "plain"


def table_1(models: Sequence[Runs], rules: Sequence[Rules]) -> Table:
    """Pass rate, awareness, unexpected success and skipped, without anybody to ask."""
    rows = [row for one in models for row in _rows_of_model(one, one.plain, TABLE_1, rules)]
    return Table("table-1", "Without a person to ask", "FAIL-TaLMs, Table 1", tuple(rows), note=NOTE)


def table_2(models: Sequence[Runs], rules: Sequence[Rules]) -> Table:
    """Pass rate, awareness, unexpected success and interaction, with a person to ask (Ask-and-Help)."""
    rows = [row for one in models for row in _rows_of_model(one, one.with_help, TABLE_2, rules)]
    note = (
        f"{NOTE} Perfect and no-tools were run without a person only; as in the paper, Table 1 is repeated "
        "there."
    )
    return Table("table-2", "With a person to ask", "FAIL-TaLMs, Table 2", tuple(rows), note=note)


def table_3(models: Sequence[Runs], rules: Sequence[Rules]) -> Table:
    """The six intervals of Table 3: with the n that was graded, and with the n that the paper took."""
    rows: list[Row] = []
    for printed in TABLE_3:
        one = next((one for one in models if one.model == printed.model), None)
        splits = UNAVAILABLE if printed.setting is None else (printed.setting,)
        if one is None or any(split not in one.plain for split in splits):
            continue
        keys = _keys(one.model, printed.setting or MEAN, printed.measure)
        words = MEAN_WORDS if printed.setting is None else _words(printed.setting, printed.measure)
        keys["counted"] = f"{words}; published: n = {printed.n}"
        for rule in rules:
            parts = [_estimate(one, one.plain, split, printed.measure, rule) for split in splits]
            found = _mean(*parts) if len(parts) > 1 else parts[0]
            if found is not None and rule is Rules.PUBLISHED:
                found = _with_n(found, printed.n)
            if found is not None:
                rows.append(Row(keys, rule, found))
    note = (
        "Published: the share as it is printed, with the size of the whole setting for n; by definition: n "
        "is the number of records that were graded."
    )
    return Table("table-3", "Intervals", "FAIL-TaLMs, Table 3", tuple(rows), note=note)


def _rows_of_model(
    one: Runs, runs: Mapping[Split, PublishedRun], measures: Sequence[Measure], rules: Sequence[Rules]
) -> list[Row]:
    """All numbers of one model; those of both unavailable settings are averaged after the second."""
    rows: list[Row] = []
    for split in (split for split in Split if split in runs):
        for measure in measures:
            found = {rule: _estimate(one, runs, split, measure, rule) for rule in rules}
            keys = {**_keys(one.model, split, measure), "counted": _words(split, measure)}
            rows += _row(keys, found)
        if split is UNAVAILABLE[-1] and all(part in runs for part in UNAVAILABLE):
            rows += _averages(one, runs, measures, rules)
    return rows


def _averages(
    one: Runs, runs: Mapping[Split, PublishedRun], measures: Sequence[Measure], rules: Sequence[Rules]
) -> list[Row]:
    """The paper's row "unavailable tools", a plain mean; and, by definition, the pooled share."""
    rows: list[Row] = []
    for measure in measures:
        means: dict[Rules, Estimate | None] = {}
        for rule in rules:
            means[rule] = _mean(*(_estimate(one, runs, split, measure, rule) for split in UNAVAILABLE))
        rows += _row({**_keys(one.model, MEAN, measure), "counted": MEAN_WORDS}, means)
    for measure in measures if Rules.DEFINITION in rules else ():
        share = DEFINITIONS[UNAVAILABLE[0], measure].share(Rules.DEFINITION)
        assert share is not None, "every failure setting has a definition of every number"
        pooled = share.estimate([runs[split] for split in UNAVAILABLE], one.originals)
        keys = {**_keys(one.model, POOLED, measure), "counted": share.words}
        rows += _row(keys, {Rules.DEFINITION: pooled})
    return rows


def _estimate(
    one: Runs, runs: Mapping[Split, PublishedRun], split: Split, measure: Measure, rule: Rules
) -> Estimate | None:
    """One number by one rule; None where the rule has no such number."""
    found = DEFINITIONS.get((split, measure))
    share = None if found is None else found.share(rule)
    return None if share is None else share.estimate([runs[split]], one.originals)


def _mean(first: Estimate | None, second: Estimate | None) -> Estimate | None:
    """The plain mean of two shares."""
    if first is None or second is None:
        return None
    ends = (first.value, first.low, first.high, second.value, second.low, second.high)
    n = first.n + second.n
    if any(end is None for end in ends):
        return Estimate(None, n)
    value, low, high, other, other_low, other_high = (end or 0.0 for end in ends)
    mean = (value + other) / 2
    down, up = math.hypot(value - low, other - other_low), math.hypot(high - value, other_high - other)
    return Estimate(mean, n, max(0.0, mean - down / 2), min(1.0, mean + up / 2), MOVER)


def _with_n(found: Estimate, n: int) -> Estimate:
    """The interval that a share, as printed with two digits, would have with another n."""
    if found.value is None:
        return Estimate(None, n)
    printed = round(found.value, 2)
    interval = wilson(round(printed * n), n)
    return replace(interval, value=printed, method=WHOLE)


def _keys(model: str, setting: str, measure: Measure) -> dict[str, str]:
    return {"model": model, "setting": str(setting), "number": measure.value}


def _words(split: Split, measure: Measure) -> str:
    found = DEFINITIONS.get((split, measure))
    return "" if found is None else found.words


def _row(keys: Mapping[str, str], found: Mapping[Rules, Estimate | None]) -> list[Row]:
    return [Row(keys, rule, estimate) for rule, estimate in found.items() if estimate is not None]
