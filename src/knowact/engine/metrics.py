"""Metrics in the engine's own results: a run's headline first, then what suites add.

Reports use records, and these must agree with them. They are computed over all trials: the engine reduces no
epochs, because a pair of trials is not what its means are.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from knowact.core.record import Outcome, Record
from knowact.core.suite import AnySuite, Viewed
from knowact.core.table import Run
from knowact.engine.records import EPOCH, record_from
from knowact.measures.headline import headline_estimate, headline_of
from knowact.measures.kas import kas

ALL: Final = "all"
"""The group of all samples."""


def headline(suite: AnySuite, empty: Callable[[], Run]) -> Metric:
    """Return a metric: the number by which reports place a run, under the name that they give it.

    NaN where reports have none, because it was not measured or not judged. As the first metric of a log it is
    what the engine's viewer and data frames show of it.

    Args:
        suite: Whose run it is.
        empty: Returns the run without its records; called when the metric is computed.
    """

    @metric(name="headline")
    def leading() -> Metric:
        def compute(scores: list[SampleScore]) -> Value:
            run = suite.with_traits(replace(empty(), records=tuple(_records(scores))))
            value = headline_estimate(suite, run).value
            return {headline_of(suite).name: math.nan if value is None else value}

        return compute

    return leading()


def _records(scores: Sequence[SampleScore]) -> Iterator[Record]:
    """The records of all trials; what they cost is not in scores, and in no headline."""
    met = Counter[str]()
    for score in scores:
        item, rest = score.sample_metadata or {}, score.score.metadata or {}
        met[str(score.sample_id)] += 1
        epoch = int(rest.get(EPOCH, met[str(score.sample_id)]))
        value = cast("Mapping[str, Any]", score.score.value)
        yield record_from(epoch, item, value, rest)


def viewed_metric(viewed: Viewed) -> Metric:
    """Return the metric of a number that a suite shows in the engine's viewer."""
    if isinstance(viewed.measure, str):
        return mean_by(viewed.measure, viewed.by, with_toolless=viewed.with_toolless)
    return kas_by(viewed.measure, viewed.by)


def kas_by(pair: tuple[str, str], label: str) -> Metric:
    """Return a metric: KAS by a label (KAPRO, equation 7). Of all groups the headline is the average.

    Args:
        pair: The two accuracies.
        label: Makes the groups.
    """

    @metric(name="kas")
    def grouped() -> Metric:
        def compute(scores: list[SampleScore]) -> Value:
            groups = group_scores(scores, label)
            return {f"kas_{name}": _kas_of(group, pair) for name, group in groups.items() if name != ALL}

        return compute

    return grouped()


def _kas_of(scores: Sequence[SampleScore], pair: tuple[str, str]) -> float:
    """NaN unless both were measured: with one probe, or when every trial was spoilt."""
    both = [score for score in scores if not any(math.isnan(mean_of([score], name)) for name in pair)]
    first, second = (mean_of(both, name) for name in pair)
    return math.nan if math.isnan(first) or math.isnan(second) else kas(first, second)


def mean_by(measure: str, label: str, *, with_toolless: bool = False) -> Metric:
    """Return a metric: the mean of one number, over all samples and by a label of theirs.

    The engine shows the keys of a metric alone, so each carries the measure's name.
    """

    @metric(name=measure)
    def grouped() -> Metric:
        def compute(scores: list[SampleScore]) -> Value:
            groups = group_scores(scores, label, with_toolless=with_toolless).items()
            return {f"{measure}_{name}": mean_of(group, measure) for name, group in groups}

        return compute

    return grouped()


def group_scores(
    scores: Sequence[SampleScore], label: str, *, with_toolless: bool = False
) -> dict[str, list[SampleScore]]:
    """Split scored samples by a label, with `ALL` for all of them.

    Items without tools are left out, being a group of their own, unless `with_toolless` says otherwise; an
    item without the label counts in `ALL` only.

    A sample with any number missing on the instrument's account (`scored` false) is in no group.
    """
    groups: dict[str, list[SampleScore]] = {ALL: []}
    for score in scores:
        metadata: Mapping[str, Any] = score.sample_metadata or {}
        if _spoilt(score) or not (with_toolless or metadata.get("offered")):
            continue
        groups[ALL].append(score)
        if label in metadata["labels"]:
            groups.setdefault(str(metadata["labels"][label]), []).append(score)
    return groups


def _spoilt(score: SampleScore) -> bool:
    outcomes = (score.score.metadata or {}).get("outcomes", {})
    return any(Outcome(outcome).instrument for outcome in outcomes.values())


def mean_of(scores: Sequence[SampleScore], measure: str) -> float:
    """The mean of one number, over the samples that have it; NaN without any."""
    values = [float(cast("float", score.score.as_dict()[measure])) for score in scores]
    kept = [value for value in values if not math.isnan(value)]
    return math.fsum(kept) / len(kept) if kept else math.nan
