"""The tables of re-scored trials: success per type of task, sub-metrics, error classes, agreement, faults."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from knowact.core.table import Estimate, Row, Table
from knowact.measures.pass_k import AVERAGE, Power, Tally, rates
from knowact.measures.shares import share
from knowact.suites.car.differences import Explained
from knowact.suites.car.errors import Diagnosis, ErrorClass
from knowact.suites.car.published import PublishedTrial
from knowact.suites.car.scoring import METRICS, Score
from knowact.worlds.car.defects import Defect
from knowact.worlds.car.rules import Rules

SEED: Final = 0
"""Of the bootstrap: equal records give equal intervals."""

RECORDED: Final = "recorded"
AVERAGED: Final = "average"

_WITHOUT_TWIN: Final = (33, 35)
"""Base tasks that no hallucination task was made from (spec car-bench.md, section 6.3)."""


class Rescorable(Protocol):
    """What a table needs of a trial (`rescoring.Judged`)."""

    @property
    def published(self) -> PublishedTrial:
        """The record."""
        ...

    @property
    def scores(self) -> Mapping[Rules, Score]:
        """By rule set."""
        ...

    @property
    def differences(self) -> Sequence[Explained]:
        """Where the rule sets disagree."""
        ...

    @property
    def diagnosis(self) -> Diagnosis | None:
        """Why it failed by the definition."""
        ...


def pass_k(judged: Sequence[Rescorable], chosen: Sequence[Rules]) -> Table:
    """Pass^k and Pass@k per type of task and averaged, as recorded and under each rule set."""
    rows: list[Row] = []
    for rules in (RECORDED, *chosen):
        found = _tallies(judged, rules)
        most = max((one.trials for one in found), default=0)
        for k in range(1, most + 1):
            for power in Power:
                for kind, rate in rates(found, power, k, SEED).items():
                    keys = {"rules": str(rules), "type": AVERAGED if kind == AVERAGE else kind, "k": str(k)}
                    rows.append(Row(keys, power.value, rate.estimate))
    note = (
        "Unbiased over all trials; items with fewer than k scored trials are left out. A hallucination task "
        "and its base task are resampled together. Recorded: the rewards that stand in the file."
    )
    return Table("pass-k", "Success in k trials", "CAR-bench, main results", tuple(rows), ("rules",), note)


def _tallies(judged: Sequence[Rescorable], rules: str) -> list[Tally]:
    groups: dict[str, list[Rescorable]] = {}
    for one in judged:
        groups.setdefault(one.published.item, []).append(one)
    return [_tally(item, group, rules) for item, group in groups.items()]


def _tally(item: str, group: Sequence[Rescorable], rules: str) -> Tally:
    rewards = [_reward(one, rules) for one in group]
    known = [reward for reward in rewards if reward is not None]
    task = group[0].published.task
    return Tally(
        item=item,
        kind=task.type.family if task is not None else item.split("_", maxsplit=1)[0],
        cluster=lineage(item),
        successes=sum(reward == 1 for reward in known),
        trials=len(known),
        unscored=len(rewards) - len(known),
    )


def _reward(one: Rescorable, rules: str) -> float | None:
    if rules == RECORDED:
        return one.published.reward
    found = one.scores.get(Rules(rules))
    return None if found is None else found.reward.value


def lineage(item: str) -> str:
    """Return the base task that a published hallucination task was made from; any other item itself."""
    kind, _, number = item.rpartition("_")
    if kind != "hallucination" or not number.isdigit():
        return item
    place = int(number)
    for skipped in _WITHOUT_TWIN:
        place += place >= skipped
    return f"base_{place}"


def metrics(judged: Sequence[Rescorable], chosen: Sequence[Rules]) -> Table:
    """The share of trials that pass each sub-metric, per type of task."""
    kinds = list(dict.fromkeys(_kind(one) for one in judged))
    rows: list[Row] = []
    for kind in kinds:
        for rules in chosen:
            for metric in METRICS:
                values = [
                    (one, verdict.value)
                    for one in judged
                    if _kind(one) == kind and rules in one.scores
                    if (verdict := one.scores[rules].metrics.get(metric)) and verdict.value is not None
                ]
                if values:
                    keys = {"type": kind, "rules": str(rules)}
                    rows.append(Row(keys, metric, _share(values)))
    note = "Intervals resample base tasks with all trials of theirs, here and in the tables below."
    return Table("sub-metrics", "Sub-metrics", "knowact", tuple(rows), ("rules",), note)


def errors(judged: Sequence[Rescorable]) -> Table:
    """How the failed trials fall into the error classes, by the definition."""
    rows: list[Row] = []
    for kind in dict.fromkeys(_kind(one) for one in judged):
        failed = [
            (one, one.diagnosis.error) for one in judged if _kind(one) == kind and one.diagnosis is not None
        ]
        occurring = {error for _, error in failed}
        rows += [
            Row(
                {"type": kind, "class": error.value},
                "share",
                _share([(one, found is error) for one, found in failed]),
            )
            for error in ErrorClass
            if error in occurring
        ]
    note = "Of the trials that did not succeed by the definition; docs/suites/car.md has the procedure."
    return Table("error-classes", "Error classes", "CAR-bench, error taxonomy", tuple(rows), ("type",), note)


def agreement(judged: Sequence[Rescorable]) -> Table:
    """How often the published rules, computed anew, say what the record says."""
    rows: list[Row] = []
    for measure in (*METRICS, "reward"):
        pairs = [(one, pair) for one in judged if (pair := _then_and_now(one, measure)) is not None]
        if pairs:
            same = _share([(one, then == now) for one, (then, now) in pairs])
            rows.append(Row({"measure of the record": measure}, "agrees", same))
    note = "Of the trials in which both have a value."
    return Table("agreement", "The record against the published rules", "knowact", tuple(rows), note=note)


def _then_and_now(one: Rescorable, measure: str) -> tuple[float, float] | None:
    again = one.scores.get(Rules.PUBLISHED)
    if again is None:
        return None
    then = one.published.reward if measure == "reward" else one.published.recorded[measure]
    verdict = again.reward if measure == "reward" else again.metrics.get(measure)
    now = None if verdict is None else verdict.value
    return None if then is None or now is None else (then, now)


def defects_table(judged: Sequence[Rescorable]) -> Table:
    """Which faults of the published scoring change how many verdicts."""
    scored = [(one, _because(one)) for one in judged if Rules.PUBLISHED in one.scores]
    order = list(Defect)
    found = {pair for _, because in scored for pair in because}
    rows = [
        Row(
            {"sub-metric": metric, "fault": defect.value, "what it does": defect.meaning},
            "trials",
            _share([(one, (metric, defect) in because) for one, because in scored]),
        )
        for metric, defect in sorted(found, key=lambda pair: (pair[0], order.index(pair[1])))
    ]
    note = (
        "Share of the trials in which mending the fault is needed to get from the published verdict to ours."
    )
    return Table(
        "faults", "What the faults of the published scoring change", "knowact", tuple(rows), note=note
    )


def _because(one: Rescorable) -> frozenset[tuple[str, Defect]]:
    """What was seen otherwise in a trial, each with a fault that explains it."""
    return frozenset((found.metric, defect) for found in one.differences for defect in found.because)


def _share(hits: Sequence[tuple[Rescorable, float]]) -> Estimate:
    """The share of trials of which something holds; the trials of one base task are no independent ones."""
    clusters = [lineage(one.published.item) for one, _ in hits]
    return share([hit for _, hit in hits], clusters, SEED)


def _kind(one: Rescorable) -> str:
    task = one.published.task
    return task.type.family if task is not None else one.published.item.split("_", maxsplit=1)[0]
