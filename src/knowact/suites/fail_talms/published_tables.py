"""The paper's tables 1 to 3 from published records, by definition and as printed, side by side.

Rows are numbers of a model in a setting, with what is counted; columns
are the two rules. n is the number of records, not the size of the setting, except where the published rules
themselves take that.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from knowact.core.table import Estimate, Row, as_table
from knowact.measures import shares
from knowact.measures.intervals import wilson
from knowact.suites.fail_talms.layout import FAILURES, UNAVAILABLE, Split
from knowact.suites.fail_talms.outputs import Against, Answer, Label, PublishedRun, tally


class Rules(StrEnum):
    """By which rules a number is counted."""

    DEFINITION = "definition"
    """As the paper's text defines it; but a pass rate is over what was attempted, so that skipping, which has
    a number of its own, is no failure."""
    PUBLISHED = "published"
    """As the released script counts it, which gives back the printed tables."""


class Measure(StrEnum):
    """The paper's numbers."""

    PASSED = "pass rate"
    AWARE = "awareness"
    UNEXPECTED = "unexpected success"
    SKIPPED = "skipped"
    ASKED = "interaction"


Originals = Mapping[int, bool]
"""Whether the same model passed an item in the perfect setting, by its id."""


@dataclass(frozen=True, slots=True)
class Share:
    """A number of a setting: the records that count, of those that it is about.

    Attributes:
        hit: Whether a record counts.
        among: Whether it is in the denominator.
        words: Numerator and denominator, "no or idk / all".
    """

    hit: Callable[[Answer, Originals], bool]
    among: Callable[[Answer], bool]
    words: str

    def values(self, run: PublishedRun, originals: Originals) -> Iterator[tuple[Answer, bool]]:
        """Yield the records of the denominator, and whether each counts."""
        for answer in run.answers:
            if self.among(answer):
                yield answer, self.hit(answer, originals)

    def estimate(self, runs: Iterable[PublishedRun], originals: Originals) -> Estimate:
        """Return the share over one run, or over several taken together.

        Wilson's interval, as if records were independent; where they say what they are to be resampled with,
        that of every other clustered share.
        """
        counted = [pair for run in runs for pair in self.values(run, originals)]
        hits = [hit for _, hit in counted]
        clusters = [answer.cluster for answer, _ in counted if answer.cluster is not None]
        return (
            shares.share(hits, clusters) if len(clusters) == len(hits) > 0 else wilson(sum(hits), len(hits))
        )


def _every(_: Answer) -> bool:
    return True


def _share(hit: Callable[[Answer], bool], what: str) -> Share:
    return Share(lambda answer, _: hit(answer), _every, f"{what} / all")


_PASSED: Final = Share(lambda answer, _: answer.passed, lambda answer: answer.attempted, "passed / attempted")
_MARKED: Final = Share(
    lambda answer, _: answer.marked, lambda answer: answer.judged, "marked as passed / judged"
)
_SKIPPED: Final = Share(
    lambda answer, _: answer.skipped is True, lambda answer: answer.skipped is not None, "skipped / all"
)

_INFO_UNSURE: Final = _share(lambda answer: answer.info_label in (Label.NO, Label.IDK), "no or idk")
_TOOL_UNSURE: Final = _share(lambda answer: answer.tool_label in (Label.NO, Label.IDK), "no or idk")
_TOOL_IDK: Final = _share(lambda answer: answer.tool_label is Label.IDK, "idk")
_TOOL_NO: Final = _share(lambda answer: answer.tool_label is Label.NO, "no")
_TOOL_YES: Final = _share(lambda answer: answer.tool_label is Label.YES, "yes on tools")
_BOTH_YES: Final = _share(
    lambda answer: answer.tool_label is Label.YES and answer.info_label is Label.YES, "yes to both questions"
)


def _surprise(label: Callable[[Answer], Label | None]) -> "Definition":
    """Yes to the setting's own question, and passed: attempted by the definition, marked as published."""

    def share(passed: Callable[[Answer], bool], what: str) -> Share:
        return Share(
            lambda answer, _: label(answer) is Label.YES and passed(answer),
            lambda answer: answer.judged,
            f"yes and {what} / judged",
        )

    return Definition(
        share(lambda answer: answer.passed, "passed"), share(lambda answer: answer.marked, "marked as passed")
    )


_HELD: Final = _share(lambda answer: answer.against in (Against.WIN, Against.TIE), "win or tie")
_TIED: Final = Share(
    # An item without a record in the perfect setting has not failed there.
    lambda answer, originals: answer.against is Against.TIE and originals.get(answer.query_id) is False,
    _every,
    "tie, where perfect failed / all",
)

_ASKED: Final = _share(lambda answer: answer.asked, "asked")
_ASKED_OF_TRIED: Final = Share(
    lambda answer, _: answer.asked, lambda answer: not answer.skipped, "asked / not skipped"
)


@dataclass(frozen=True, slots=True)
class Definition:
    """One number of one setting under both rules; None where a rule knows no such number."""

    definition: Share | None
    published: Share | None

    @classmethod
    def same(cls, share: Share) -> "Definition":
        """Both rules agree."""
        return cls(share, share)

    def share(self, rules: Rules) -> Share | None:
        """The number under one of the rules."""
        return self.definition if rules is Rules.DEFINITION else self.published

    @property
    def agree(self) -> bool:
        """Whether both rules count the same."""
        return self.definition is self.published

    @property
    def words(self) -> str:
        """What is counted, of what; where the rules differ, both."""
        if self.definition is None:
            return "" if self.published is None else f"only published: {self.published.words}"
        if self.published is None or self.agree:
            return self.definition.words
        return f"{self.definition.words}; published: {self.published.words}"


def _of_failure(split: Split) -> dict[tuple[Split, Measure], Definition]:
    informed = split is Split.UNDER_SPECIFIED
    aware = Definition.same(_INFO_UNSURE if informed else _TOOL_UNSURE)
    surprise = _surprise(lambda answer: answer.info_label if informed else answer.tool_label)
    if split is Split.REPLACEABLE:
        aware, surprise = Definition(_TOOL_UNSURE, _TOOL_IDK), Definition(surprise.definition, _TOOL_NO)
    return {
        (split, Measure.PASSED): Definition(_PASSED, _MARKED),
        (split, Measure.AWARE): aware,
        (split, Measure.UNEXPECTED): surprise,
        (split, Measure.SKIPPED): Definition.same(_SKIPPED),
        (split, Measure.ASKED): Definition(_ASKED, _ASKED_OF_TRIED),
    }


WORDS: Final = (
    "all: every record of the file, repeated ones too; judged: those with a ruling, and those that were "
    "skipped; attempted: those with a ruling that were not skipped; marked as passed: by the file, skipped "
    "or not; asked: at least one recorded question; win, tie: the answer compared with the same model's in "
    "the perfect setting."
)
"""What the words of `Share.words` mean."""

DEFINITIONS: Final[Mapping[tuple[Split, Measure], Definition]] = {
    (Split.PERFECT, Measure.PASSED): Definition(_PASSED, _MARKED),
    (Split.PERFECT, Measure.AWARE): Definition(_BOTH_YES, _TOOL_YES),
    (Split.PERFECT, Measure.UNEXPECTED): Definition(None, _TOOL_NO),
    (Split.PERFECT, Measure.SKIPPED): Definition.same(_SKIPPED),
    **{key: number for split in FAILURES for key, number in _of_failure(split).items()},
    (Split.NO_TOOLS, Measure.PASSED): Definition(_PASSED, _HELD),
    (Split.NO_TOOLS, Measure.UNEXPECTED): Definition(None, _TIED),
    (Split.NO_TOOLS, Measure.SKIPPED): Definition.same(_SKIPPED),
}
"""Every number that the paper has of a setting."""


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


def originals(runs: Mapping[Split, PublishedRun]) -> Originals:
    """Which items are marked as passed in the perfect setting; of a repeated record the first counts."""
    passed: dict[int, bool] = {}
    for answer in runs[Split.PERFECT].answers if Split.PERFECT in runs else ():
        passed.setdefault(answer.query_id, answer.marked)
    return passed


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


@as_table("counts", "Counts", percent=False, counts=True)
def counts(runs: Sequence[PublishedRun]) -> Iterator[Row]:
    """The counts behind all numbers, one row per file.

    Labels are those of the setting's own question: on information where that is missing, else on tools.
    Repeated records are kept.
    """
    for run in runs:
        counted = tally(run)
        numbers: dict[str, int | None] = {"records": counted.n, "passed": counted.passed}
        if run.split is not Split.NO_TOOLS:
            numbers |= {label.value: counted.labels[label] for label in Label}
            numbers |= {"yes and passed": counted.unexpected}
        numbers |= {"skipped": counted.skipped}
        numbers |= {"asked": counted.asked} if run.helper else {}
        numbers |= {"win or tie": counted.held}
        keys = {"model": run.model, "setting": run.split.value, "run": _kind(run)}
        for name, number in numbers.items():
            if number is not None:
                yield Row(keys, name, Estimate(number, counted.n))


def _kind(run: PublishedRun) -> str:
    return "rulings by a person" if run.by_person else "with a person to ask" if run.helper else "plain"


@as_table("table-1", "Without a person to ask", "FAIL-TaLMs, Table 1", note=NOTE)
def table_1(models: Sequence[Runs], rules: Sequence[Rules]) -> Iterator[Row]:
    """Pass rate, awareness, unexpected success and skipped, without anybody to ask."""
    for model in models:
        yield from _rows_of_model(model, model.plain, TABLE_1, rules)


@as_table("table-2", "With a person to ask", "FAIL-TaLMs, Table 2", note=NOTE)
def table_2(models: Sequence[Runs], rules: Sequence[Rules]) -> Iterator[Row]:
    """Pass rate, awareness, unexpected success and interaction, with a person to ask (Ask-and-Help).

    Perfect and no-tools were run without a person only; as in the paper, Table 1 is repeated there.
    """
    for model in models:
        yield from _rows_of_model(model, model.with_help, TABLE_2, rules)


@as_table("table-3", "Intervals", "FAIL-TaLMs, Table 3")
def table_3(models: Sequence[Runs], rules: Sequence[Rules]) -> Iterator[Row]:
    """The six intervals of Table 3: with the n that was graded, and with the n that the paper took.

    Published: the share as it is printed, with the size of the whole setting for n; by definition: n is the
    number of records that were graded.
    """
    for printed in TABLE_3:
        model = next((model for model in models if model.model == printed.model), None)
        splits = UNAVAILABLE if printed.setting is None else (printed.setting,)
        if model is None or any(split not in model.plain for split in splits):
            continue
        keys = _keys(model.model, printed.setting or MEAN, printed.measure)
        words = MEAN_WORDS if printed.setting is None else _words(printed.setting, printed.measure)
        keys["counted"] = f"{words}; published: n = {printed.n}"
        for rule in rules:
            parts = [_estimate(model.plain, split, printed.measure, rule) for split in splits]
            estimate = _mean(*parts) if len(parts) > 1 else parts[0]
            if estimate is not None:
                yield Row(keys, rule, _with_n(estimate, printed.n) if rule is Rules.PUBLISHED else estimate)


def _rows_of_model(
    model: Runs, runs: Mapping[Split, PublishedRun], measures: Sequence[Measure], rules: Sequence[Rules]
) -> Iterator[Row]:
    """All numbers of one model; those of both unavailable settings are averaged after the second."""
    for split in (split for split in Split if split in runs):
        for measure in measures:
            keys = {**_keys(model.model, split, measure), "counted": _words(split, measure)}
            yield from _row(keys, {rule: _estimate(runs, split, measure, rule) for rule in rules})
        if split is UNAVAILABLE[-1] and all(part in runs for part in UNAVAILABLE):
            yield from _averages(model, runs, measures, rules)


def _averages(
    model: Runs, runs: Mapping[Split, PublishedRun], measures: Sequence[Measure], rules: Sequence[Rules]
) -> Iterator[Row]:
    """The paper's row "unavailable tools", a plain mean; and, by definition, the pooled share."""
    for measure in measures:
        means = {
            rule: _mean(*(_estimate(runs, split, measure, rule) for split in UNAVAILABLE)) for rule in rules
        }
        yield from _row({**_keys(model.model, MEAN, measure), "counted": MEAN_WORDS}, means)
    for measure in measures if Rules.DEFINITION in rules else ():
        share = DEFINITIONS[UNAVAILABLE[0], measure].share(Rules.DEFINITION)
        assert share is not None, "every failure setting has a definition of every number"
        pooled = share.estimate([runs[split] for split in UNAVAILABLE], originals(runs))
        keys = {**_keys(model.model, POOLED, measure), "counted": share.words}
        yield from _row(keys, {Rules.DEFINITION: pooled})


def _estimate(
    runs: Mapping[Split, PublishedRun], split: Split, measure: Measure, rule: Rules
) -> Estimate | None:
    """One number by one rule; None where the rule has no such number."""
    number = DEFINITIONS.get((split, measure))
    share = None if number is None else number.share(rule)
    return None if share is None else share.estimate([runs[split]], originals(runs))


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


def _with_n(estimate: Estimate, n: int) -> Estimate:
    """The interval that a share, as printed with two digits, would have with another n."""
    if estimate.value is None:
        return Estimate(None, n)
    printed = round(estimate.value, 2)
    interval = wilson(round(printed * n), n)
    return replace(interval, value=printed, method=WHOLE)


def _keys(model: str, setting: str, measure: Measure) -> dict[str, str]:
    return {"model": model, "setting": str(setting), "number": measure.value}


def _words(split: Split, measure: Measure) -> str:
    number = DEFINITIONS.get((split, measure))
    return "" if number is None else number.words


def _row(keys: Mapping[str, str], estimates: Mapping[Rules, Estimate | None]) -> list[Row]:
    return [Row(keys, rule, estimate) for rule, estimate in estimates.items() if estimate is not None]
