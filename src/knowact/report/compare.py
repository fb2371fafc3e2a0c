"""Two runs on the same items, side by side: `knowact compare A B`.

What is a pair says `measures.pairing`; the statistics are those of `measures.paired`: clusters resampled and
permuted together. This module computes them per measure and group, with Holm's correction over all rows,
and counts the trials that could not be paired.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import quote, urlencode

from knowact.core.errors import BadUsage
from knowact.core.record import Record
from knowact.core.suite import Suite
from knowact.core.table import Estimate, Paired, Row, Run, Table
from knowact.measures.group_means import GroupMean, applicable, applies
from knowact.measures.intervals import UNANIMOUS
from knowact.measures.limits import limits_of
from knowact.measures.paired import NO_DIFFERENCE, Comparison, compare_kas, compare_means, holm
from knowact.measures.pairing import Sides, sides, trial_of
from knowact.measures.run_tables import AVERAGE
from knowact.report.readers import instrument, readers

Measure: TypeAlias = str | tuple[str, str]
"""The name of a result, a quadrant or "DirGap"; or, for KAS, the results of knowing and of acting."""

_RecordSides: TypeAlias = tuple[Sequence[Record], Sequence[Record]]

ALL = "all"
NOT_GIVEN = "not given"
COVERED = frozenset({"data", "limit"})
"""Options that the counts of pairs show; runs on different data are not compared at all."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two tables with the same rows.

    Attributes:
        differences: Each run's value over the matched trials, and second minus first with its interval.
            In percent if all measures are shares.
        tests: p, p after Holm's correction over all rows, and the number of trials matched, unscored in
            one run, or present in only one.
        warning: That different models read the runs; empty if the same did.
    """

    differences: Table
    tests: Table
    warning: str = ""


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One measure over one group of trials of two runs.

    Attributes:
        keys: The row head: the result, the group, and what else tells rows apart.
        comparison: Both values, their difference and its p.
        share: Whether the measure lies between 0 and 1.
        paired: The runs, and what of them is compared.
    """

    keys: Mapping[str, str]
    comparison: Comparison
    share: bool
    paired: Paired


def compare_within(suite: Suite, a: Run, b: Run, seed: int) -> Compared:
    """Compare two runs of a suite by what it declares, pairs of trials included; see `compare`."""
    if a.suite == b.suite:
        a, b = suite.with_related(a), suite.with_related(b)
    return compare(a, b, suite.compared, seed, by=suite.compared_by)


def compare(a: Run, b: Run, measures: Sequence[Measure], seed: int, *, by: str = "boundary") -> Compared:
    """Compare two runs, overall and per value of one label where the measure applies.

    If each run has a single condition and these differ (clean against distractors), trials are paired by
    item and epoch alone, and the note says so.

    Args:
        a: The first run.
        b: The second run; differences are its values minus the first's.
        measures: What to compare.
        seed: Of the bootstrap and the permutations.
        by: The label that forms the groups; trials without it count in "all" only.

    Raises:
        BadUsage: The runs are of different suites, on different data, or share no trial, one has a trial
            twice, or one is self-read and the other was not read by the same models.
    """
    if a.suite != b.suite:
        raise BadUsage(
            f"{a.id!r} is a run of {a.suite!r}, {b.id!r} one of {b.suite!r}. Compare runs of one suite."
        )
    if not measures:
        raise BadUsage(f"The suite {a.suite!r} declares no measure to compare.")
    refuse_self_read(a, b)
    both = sides(a, b)
    lines = paired_lines(both.first, both.second, measures, seed, by=by)
    if not lines:
        raise BadUsage(
            f"{a.id!r} and {b.id!r} share no trial. Compare runs on the same items and conditions."
        )
    title = f"{b.model} minus {a.model}" if a.model != b.model else f"{b.id} minus {a.id}"
    return as_tables("compared", title, lines, _note(both), readers_differ(a, b))


def paired_lines(a: Run, b: Run, measures: Sequence[Measure], seed: int, *, by: str) -> list[ComparedRow]:
    """Compare two runs of one suite, measure by measure and group by group; none if they share no trial.

    Raises:
        BadUsage: One has a trial twice, or they put an item into different clusters.
    """
    trial = trial_of(a, b)
    lines = [
        _line(
            measure,
            {"result": _named(measure), by: _head(measure, group)},
            (_in(a, by, group), _in(b, by, group)),
            seed=seed,
            pairing=_Pairing(trial, by, a.is_read_from_logs_of(b)),
            paired=Paired(a.id, b.id, _results(measure, (a, b))),
        )
        for measure in measures
        for group in _groups(measure, a, b, by)
    ]
    return lines if any(line.comparison.matched + line.comparison.unscored for line in lines) else []


def _results(measure: Measure, runs: Iterable[Run]) -> tuple[str, ...]:
    """The results of a trial that a measure is made of; none for a quadrant."""
    names = (measure,) if isinstance(measure, str) else measure
    recorded = {name for run in runs for record in run.records for name in record.results}
    return tuple(name for name in names if name in recorded)


def _named(measure: Measure) -> str:
    return measure if isinstance(measure, str) else "KAS"


def as_tables(name: str, title: str, lines: Sequence[ComparedRow], note: str, warning: str = "") -> Compared:
    """Both tables of some lines; p values are corrected over all of them (Holm)."""
    percent = all(line.share for line in lines)
    if any(_is_without_difference(line.comparison) for line in lines):
        note = f"{note} {NO_DIFFERENCE}"
    differences = Table(
        name, title, "knowact", tuple(_differences(lines)), note=note, percent=percent, highest=False
    )
    tests = Table(
        *(f"{name}-tests", "Tests and pairs" if name == "compared" else f"{title}: tests and pairs"),
        *("knowact", tuple(_tests(lines))),
        note=note,
        percent=False,
        highest=False,
    )
    return Compared(differences, tests, warning)


def _is_without_difference(comparison: Comparison) -> bool:
    return comparison.difference.method == UNANIMOUS and comparison.difference.value == 0


def refuse_self_read(a: Run, b: Run) -> None:
    """Refuse to rank a self-read run with a run that another model read."""
    own = next((run for run in (a, b) if run.self_read), None)
    if own is not None and instrument(a) != instrument(b):
        raise BadUsage(
            f"{own.id!r} is self-read: {own.model} read its own replies, so differences may come from the "
            "reader. Run both with the same --judge MODEL, or both with --judge none."
        )


def readers_differ(a: Run, b: Run) -> str:
    """A warning where different models played one role in the two runs."""
    if a.self_read and b.self_read:
        return f"Both runs are self-read, by {a.model}."
    played = {role: (_player(a, role), _player(b, role)) for role in sorted({*instrument(a), *instrument(b)})}
    parts = [f"{role}: {first} and {second}" for role, (first, second) in played.items() if first != second]
    if not parts:
        return ""
    return (
        f"Different models read the two runs ({'; '.join(parts)}), so differences in what is read from words "
        "may come from the readers."
    )


def _player(run: Run, role: str) -> str:
    return ", ".join(reader.words for reader in readers(run) if reader.role == role) or "not needed"


def _groups(measure: Measure, a: Run, b: Run, by: str) -> list[str]:
    """All trials and the groups to which a measure applies; one group alone if it applies to no other.

    Where trials have no label, "all" is more than any group.
    """
    labels = [record.labels.get(by, "") for run in (a, b) for record in run.records]
    names = list(dict.fromkeys(filter(None, labels)))
    own = [name for name in names if _applies(measure, (a, b), (*_in(a, by, name), *_in(b, by, name)))]
    return own if len(own) == 1 < len(names) and all(labels) else [ALL, *own]


def _head(measure: Measure, group: str) -> str:
    """What a row says of its trials: all of them, the mean of the groups, or a group."""
    return AVERAGE if group == ALL and isinstance(measure, GroupMean) else group


def _in(run: Run, by: str, group: str) -> list[Record]:
    return [record for record in run.records if group == ALL or record.labels.get(by) == group]


def _applies(measure: Measure, runs: Iterable[Run], records: Iterable[Record]) -> bool:
    """Whether a measure applies to any of these records; a quadrant always does."""
    if not isinstance(measure, str) or not any(measure in r.results for run in runs for r in run.records):
        return True
    return any(applies(record, measure) for record in records)


def _due(measure: str, sides: _RecordSides, trial: Sequence[str]) -> _RecordSides:
    """Leave out trials to which a measure applies in neither run: they are not unscored."""

    def name(record: Record) -> tuple[object, ...]:
        return tuple(getattr(record, part) for part in trial)

    both = [record for side in sides for record in side]
    if not any(measure in record.results for record in both):  # a quadrant
        return sides
    due = {name(record) for record in both if applies(record, measure) or not record.scored}
    first, second = ([record for record in side if name(record) in due] for side in sides)
    return first, second


@dataclass(frozen=True, slots=True)
class _Pairing:
    """How the trials of two runs are paired.

    Attributes:
        trial: The fields of a record that name a trial in both.
        by: The label that names the subspaces over which KAS, or a `GroupMean`, is averaged.
        same_trials: Whether the runs are the same replies.
    """

    trial: Sequence[str]
    by: str
    same_trials: bool


def _line(
    measure: Measure,
    keys: Mapping[str, str],
    sides: _RecordSides,
    *,
    seed: int,
    pairing: _Pairing,
    paired: Paired,
) -> ComparedRow:
    first, second = sides
    same, trial = pairing.same_trials, pairing.trial
    if not isinstance(measure, str):
        comparison = compare_kas(first, second, measure, pairing.by, seed, trial=trial, same_trials=same)
        return ComparedRow(keys, comparison, True, paired)
    if isinstance(measure, GroupMean):
        first, second = (applicable(side, measure, pairing.by) for side in sides)
    first, second = _due(measure, (first, second), trial)
    limits = limits_of(measure, (*first, *second))
    by = pairing.by if isinstance(measure, GroupMean) else ""
    comparison = compare_means(
        first, second, measure, seed, limits=limits, trial=trial, same_trials=same, by=by
    )
    return ComparedRow(keys, comparison, math.isfinite(limits[1]), paired)


def _differences(lines: Iterable[ComparedRow]) -> Iterator[Row]:
    for line in lines:
        comparison = line.comparison
        for name, value in (("first", comparison.first), ("second", comparison.second)):
            yield Row(line.keys, name, Estimate(value, comparison.matched), line.paired)
        yield Row(line.keys, "difference", comparison.difference, line.paired)


def _tests(lines: Sequence[ComparedRow]) -> Iterator[Row]:
    corrected = holm([line.comparison.p for line in lines])
    for line, adjusted in zip(lines, corrected, strict=True):
        comparison = line.comparison
        counts = (
            ("matched", comparison.matched),
            ("unscored", comparison.unscored),
            ("only first", comparison.only_first),
            ("only second", comparison.only_second),
        )
        for name, value in (("p", comparison.p), ("p, Holm", adjusted), *counts):
            yield Row(line.keys, name, Estimate(value, comparison.matched), line.paired)


def _note(both: Sides) -> str:
    a, b = both.first, both.second
    parts = [f"First: {a.id}. Second: {b.id}.", f"Paired by {', '.join(both.trial)}."]
    if both.note:
        parts.append(both.note)
    if others := ", ".join(differing(a, b)):
        parts.append(f"Options that differ: {others}.")
    return " ".join(parts)


def differing(a: Run, b: Run) -> Iterator[str]:
    """The options with different values, and both values."""
    for name in dict.fromkeys((*a.options, *b.options)):
        first, second = (run.options.get(name, NOT_GIVEN) for run in (a, b))
        if first != second and name not in COVERED:
            yield f"{name.replace('_', ' ')} ({first}, {second})"


MOST: Final = 10
"""Items that are named."""


@dataclass(frozen=True, slots=True)
class Telling:
    """One item on which two runs differ in the suite's headline.

    Attributes:
        item: The task's id.
        condition: The condition of the first run; of the second, too, unless the runs have one each.
        epochs: How many trials of the item both runs have a value for.
        first: The first run's mean over them.
        second: The second run's.
        same: In how many of the other compared results the same run is ahead.
        why_first: The first run's reason in the first trial on which they differ; empty where none is given.
        why_second: The second run's.
        link: What to put behind the address of a report's page to see both transcripts.
    """

    item: str
    condition: str
    epochs: int
    first: float
    second: float
    same: int
    why_first: str
    why_second: str
    link: str


def telling_items(suite: Suite, a: Run, b: Run, most: int = MOST) -> list[Telling]:
    """Return the items that differ most in the headline, the most telling one first.

    The headline is the first result that the suite compares. Items whose runs are equal in it are left out.
    First come those whose means over the epochs lie furthest apart. Of these, first those with the least
    noise: more epochs say so, then more of the other compared results have the same run ahead. What is left
    equal keeps the order of the data, which is stratified.

    Args:
        suite: Of both runs.
        a: The first run.
        b: The second run.
        most: How many items to return.

    Raises:
        BadUsage: The runs are on different data.
    """
    both = sides(suite.with_related(a), suite.with_related(b))
    headline, *others = suite.compared
    items = [
        _telling(pairs, headline, others, (a, b))
        for pairs in _pairs_by_item(headline, both)
        if _differ(pairs)
    ]
    items.sort(key=lambda item: (-abs(item.second - item.first), -item.epochs, -item.same))
    return items[:most]


@dataclass(frozen=True, slots=True)
class _Pair:
    """The same trial in two runs, and the headline of both."""

    records: tuple[Record, Record]
    values: tuple[float, float]


def _pairs_by_item(headline: Measure, both: Sides) -> Iterator[list[_Pair]]:
    """The trials for which both runs have a headline, by item and condition, in the first run's order."""

    def trial(record: Record) -> tuple[object, ...]:
        return tuple(getattr(record, name) for name in both.trial)

    others = {trial(record): record for record in both.second.records}
    by_item: dict[tuple[str, str], list[_Pair]] = defaultdict(list)
    for record in both.first.records:
        other = others.get(trial(record))
        if other is not None:
            values = _value(record, headline), _value(other, headline)
            if not any(map(math.isnan, values)):
                by_item[record.item, record.condition].append(_Pair((record, other), values))
    yield from by_item.values()


def _value(record: Record, measure: Measure) -> float:
    """A result; of a pair the mean, as KAS is high where both are; of a quadrant nothing."""
    names = (measure,) if isinstance(measure, str) else measure
    return sum(map(record.value, names)) / len(names)


def _differ(pairs: Sequence[_Pair]) -> bool:
    return _mean(pairs, 0) != _mean(pairs, 1)


def _mean(pairs: Sequence[_Pair], side: int) -> float:
    return math.fsum(pair.values[side] for pair in pairs) / len(pairs)


def _telling(
    pairs: Sequence[_Pair], headline: Measure, others: Sequence[Measure], runs: tuple[Run, Run]
) -> Telling:
    first, second = _mean(pairs, 0), _mean(pairs, 1)
    shown = next(pair for pair in pairs if pair.values[0] != pair.values[1])
    first_record, second_record = shown.records
    return Telling(
        item=first_record.item,
        condition=first_record.condition,
        epochs=len(pairs),
        first=first,
        second=second,
        same=sum(_ahead(pairs, measure) * (second - first) > 0 for measure in others),
        why_first=_why(first_record, headline),
        why_second=_why(second_record, headline),
        link=sides_link(
            *runs, item=first_record.item, condition=first_record.condition, epoch=str(first_record.epoch)
        ),
    )


def _ahead(pairs: Sequence[_Pair], measure: Measure) -> float:
    """By how much the second run is ahead in a result; 0 where some trial has none."""
    gap = math.fsum(_value(pair.records[1], measure) - _value(pair.records[0], measure) for pair in pairs)
    return 0.0 if math.isnan(gap) else gap


def _why(record: Record, headline: Measure) -> str:
    """The reason for the headline, what decided the failure, or how a probe ended without an answer."""
    names = (headline,) if isinstance(headline, str) else headline
    reasons = [record.results[name].why for name in names if name in record.results]
    places = [decided.why for decided in record.decided]
    return next(filter(None, (*reasons, *places)), "") or _ended(record.outcome_names)


def _ended(outcomes: Mapping[str, str]) -> str:
    usual = {"answered", "not_run"}
    ended = [f"{probe}: {outcome}" for probe, outcome in outcomes.items() if outcome not in usual]
    return ", ".join(ended).replace("_", " ")


def sides_link(a: Run, b: Run, **trial: str) -> str:
    """Return the part of a page's address that shows two runs side by side, or one trial of both."""
    return f"#sides?{urlencode({'a': a.id, 'b': b.id, **trial}, quote_via=quote, safe='')}"
