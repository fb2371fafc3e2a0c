"""Helpers for suites' metrics in the engine's own results. Reports use records; these must agree."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from knowact.core.record import Outcome


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
    """Split scored samples by a label, with "all" for all of them.

    Items without tools are left out, being a group of their own, unless `with_toolless` says otherwise; an
    item without the label counts in "all" only.

    A sample with any number missing on the instrument's account (`scored` false) is in no group.
    """
    groups: dict[str, list[SampleScore]] = {"all": []}
    for score in scores:
        metadata: Mapping[str, Any] = score.sample_metadata or {}
        if _spoilt(score) or not (with_toolless or metadata.get("offered")):
            continue
        groups["all"].append(score)
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
