"""`knowact rescore car`: published trial records, scored again under both rule sets.

`rescore` is all that the command knows of this suite. No model is called: what the driver and the judge
said is taken from the record, everything else is computed anew.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from knowact.core.errors import BadData
from knowact.core.table import Estimate, Row, Table, as_table
from knowact.measures.pass_k import AVERAGE, Power, Tally, rates
from knowact.measures.shares import share
from knowact.suites.car.differences import Explained, explained, words
from knowact.suites.car.errors import Diagnosis, ErrorClass, diagnose
from knowact.suites.car.published_trials import PublishedTrial, read_trials
from knowact.suites.car.scoring import PUBLISHED, Score, score
from knowact.suites.car.trajectory import CannotReplay, replayed
from knowact.worlds.car.defects import Defect
from knowact.worlds.car.rules import Rules

SEED: Final = 0
"""Of the bootstrap: equal records give equal intervals."""

RECORDED: Final = "recorded"
AVERAGED: Final = "average"

_UNPAIRED: Final = (33, 35)
"""Base tasks that no hallucination task was made from (spec car-bench.md, section 6.3)."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """Published trials, scored again. `cli.rescore_command.Rescored` says what each part is."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    details: tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One published trial, and what it comes to.

    Attributes:
        scores: By rule set; empty where it could not be played again.
        differences: Where the rule sets disagree.
        diagnosis: Why it failed by the definition, or was not scored; None if it succeeded, or could not be
            played again.
        reason: Why it can't be scored again; empty if it can.
    """

    published: PublishedTrial
    scores: Mapping[Rules, Score]
    differences: tuple[Explained, ...] = ()
    diagnosis: Diagnosis | None = None
    reason: str = ""


@as_table("pass-k", "Success in k trials", "CAR-bench, main results", across=("rules",))
def pass_k(judged: Sequence[Judged], chosen: Sequence[Rules]) -> Iterator[Row]:
    """Pass^k and Pass@k per type of task and averaged, as recorded and under each rule set.

    Unbiased over all trials; items with fewer than k scored trials are left out. A hallucination task and its
    base task are resampled together. Recorded: the rewards that stand in the file.
    """
    for rules in (RECORDED, *chosen):
        found = _tallies(judged, rules)
        most = max((one.trials for one in found), default=0)
        for k in range(1, most + 1):
            for power in Power:
                for kind, rate in rates(found, power, k, SEED).items():
                    keys = {"rules": str(rules), "type": AVERAGED if kind == AVERAGE else kind, "k": str(k)}
                    yield Row(keys, power.value, rate.estimate)


def _tallies(judged: Sequence[Judged], rules: str) -> list[Tally]:
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(one.published.item, []).append(one)
    return [
        Tally.of(item, _kind(group[0]), lineage(item), [_reward(one, rules) for one in group])
        for item, group in groups.items()
    ]


def _reward(one: Judged, rules: str) -> float | None:
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
    for skipped in _UNPAIRED:
        place += place >= skipped
    return f"base_{place}"


@as_table("sub-metrics", "Sub-metrics", across=("rules",))
def metrics(judged: Sequence[Judged], chosen: Sequence[Rules]) -> Iterator[Row]:
    """The share of trials that pass each sub-metric, per type of task.

    Intervals resample base tasks with all trials of theirs, here and in the tables below.
    """
    for kind in dict.fromkeys(_kind(one) for one in judged):
        for rules in chosen:
            for metric in PUBLISHED:
                values = [
                    (one, result.value)
                    for one in judged
                    if _kind(one) == kind and rules in one.scores
                    if (result := one.scores[rules].metrics.get(metric)) and result.value is not None
                ]
                if values:
                    yield Row({"type": kind, "rules": str(rules)}, metric, _share(values))


@as_table("error-classes", "Error classes", "CAR-bench, error taxonomy", across=("type",))
def errors(judged: Sequence[Judged]) -> Iterator[Row]:
    """How the failed trials fall into the error classes, by the definition.

    Of the trials that did not succeed by the definition; docs/suites/car.md has the procedure.
    """
    for kind in dict.fromkeys(_kind(one) for one in judged):
        failed = [(one, one.diagnosis.error) for one in judged if _kind(one) == kind and one.diagnosis]
        for error in ErrorClass:
            if any(found is error for _, found in failed):
                shared = _share([(one, found is error) for one, found in failed])
                yield Row({"type": kind, "class": error.value}, "share", shared)


@as_table("agreement", "The record against the published rules")
def agreement(judged: Sequence[Judged]) -> Iterator[Row]:
    """How often the published rules, computed anew, say what the record says.

    Of the trials in which both have a value.
    """
    for measure in (*PUBLISHED, "reward"):
        pairs = [(one, pair) for one in judged if (pair := _then_and_now(one, measure)) is not None]
        if pairs:
            same = _share([(one, then == now) for one, (then, now) in pairs])
            yield Row({"measure of the record": measure}, "agrees", same)


def _then_and_now(one: Judged, measure: str) -> tuple[float, float] | None:
    again = one.scores.get(Rules.PUBLISHED)
    if again is None:
        return None
    then = one.published.reward if measure == "reward" else one.published.recorded[measure]
    result = again.reward if measure == "reward" else again.metrics.get(measure)
    now = None if result is None else result.value
    return None if then is None or now is None else (then, now)


@as_table("faults", "What the faults of the published scoring change")
def defects_table(judged: Sequence[Judged]) -> Iterator[Row]:
    """Which faults of the published scoring change how many results.

    Share of the trials in which mending the fault is needed to get from the published result to ours.
    """
    scored = [(one, _because(one)) for one in judged if Rules.PUBLISHED in one.scores]
    order = list(Defect)
    found = {pair for _, because in scored for pair in because}
    for metric, defect in sorted(found, key=lambda pair: (pair[0], order.index(pair[1]))):
        keys = {"sub-metric": metric, "fault": defect.value, "what it does": defect.meaning}
        yield Row(keys, "trials", _share([(one, (metric, defect) in because) for one, because in scored]))


def _because(one: Judged) -> frozenset[tuple[str, Defect]]:
    """What was seen otherwise in a trial, each with a fault that explains it."""
    return frozenset((found.metric, defect) for found in one.differences for defect in found.because)


def _share(hits: Sequence[tuple[Judged, float]]) -> Estimate:
    """The share of trials of which something holds; the trials of one base task are no independent ones."""
    clusters = [lineage(one.published.item) for one, _ in hits]
    return share([hit for _, hit in hits], clusters)


def _kind(one: Judged) -> str:
    task = one.published.task
    return task.type.family if task is not None else one.published.item.split("_", maxsplit=1)[0]


BOTH: Final = "both"

EXCLUDED: Final = frozenset(
    {
        *(f"hallucination_{number}" for number in (41, 54, 59, 79, 80, 84, 95)),
        *(f"disambiguation_{number}" for number in (1, 2, 3, 5, 35, 47)),
    }
)
"""Tasks that the paper leaves out as wrong (spec car-bench.md, section 6.2)."""


def rescore(path: Path, rules: str = BOTH) -> Rescored:
    """Score published trials again.

    Args:
        path: A result file, or a folder of the result files of one run.
        rules: "definition", "published" or "both".

    Raises:
        BadData: There is no record, a file cannot be read, or a trial occurs twice.
        ValueError: There are no such rules.
    """
    chosen = tuple(Rules) if rules == BOTH else (Rules(rules),)
    published = read_trials(path)
    _require_one_run(published)
    judged = [_judged(one) for one in published]
    tables = [pass_k(judged, chosen), metrics(judged, chosen), errors(judged), agreement(judged)]
    kept = [one for one in judged if one.published.item not in EXCLUDED]
    if 0 < len(kept) < len(judged):
        title = "Success in k trials, without the tasks that the paper excludes"
        tables.insert(1, replace(pass_k(kept, chosen), id="pass-k-paper", title=title))
    if len(chosen) > 1:
        tables.append(defects_table(judged))
    return Rescored(
        tables=tuple(table for table in tables if table.rows),
        notes=tuple(_notes(judged)),
        details=tuple(_details(judged)),
    )


def _require_one_run(published: Sequence[PublishedTrial]) -> None:
    seen: dict[tuple[str, int], PublishedTrial] = {}
    for one in published:
        first = seen.setdefault((one.item, one.index), one)
        if first is not one:
            what = f"{one.name} is recorded here and at {first.place}"
            raise BadData(what, one.place, "name the files of one run at a time")


def _judged(published: PublishedTrial) -> Judged:
    try:
        again = replayed(published)
    except CannotReplay as error:
        return Judged(published, {}, reason=str(error))
    scores = {rules: score(again.trial, again.goal, rules) for rules in Rules}
    reward = scores[Rules.PUBLISHED].reward
    return Judged(
        published,
        scores,
        differences=explained(again.trial, again.goal),
        diagnosis=diagnose(again.trial, again.goal),
        reason=reward.why if reward.value is None else "",
    )


def _notes(judged: Sequence[Judged]) -> Iterator[str]:
    items = {one.published.item for one in judged}
    whole = sum(not one.reason for one in judged)
    yield f"{_count(len(judged), 'trial')} of {_count(len(items), 'task')}; {whole:,} can be scored again."
    reasons = Counter(one.reason for one in judged if one.reason)
    for reason, count in reasons.most_common():
        yield f"Not re-scorable, {_count(count, 'trial')}: {reason}."
    excluded = len(items & EXCLUDED)
    if excluded:
        yield f"The paper excludes {_count(excluded, 'task')} of these as wrong, and so does one table."
    yield (
        "The user's messages and the judge's complaints come from the record; neither is asked again. A "
        "trial without a recorded failing message counts as ended well."
    )


def _details(judged: Sequence[Judged]) -> Iterator[Mapping[str, str]]:
    """One entry per difference between the rule sets or from the record, per failure, per trial left out."""
    for one in judged:
        head = {"item": one.published.item, "trial": str(one.published.index + 1)}
        place = {"place": str(one.published.place)}
        if one.reason:
            yield {**head, "kind": "not re-scorable", "why": one.reason, **place}
        for found in one.differences:
            yield {
                **head,
                "kind": "rule sets differ",
                "measure": found.metric,
                "published": found.published,
                "definition": found.definition,
                "defects": ", ".join(found.because),
                "meaning": "; ".join(defect.meaning for defect in found.because),
                "why": found.why,
                **place,
            }
        for measure, recorded, again in disagreements(one):
            yield {
                **head,
                "kind": "record differs",
                "measure": measure,
                "recorded": recorded,
                "published": again,
                **place,
            }
        if one.diagnosis is not None:
            diagnosis = one.diagnosis
            yield {**head, "kind": "error class", "class": diagnosis.error, "why": diagnosis.why, **place}


def disagreements(one: Judged) -> Iterator[tuple[str, str, str]]:
    """Yield what the record says otherwise than the published rules say now: measure, then, now."""
    again = one.scores.get(Rules.PUBLISHED)
    if again is None:
        return
    for metric in PUBLISHED:
        then, now = one.published.recorded[metric], again.metrics.get(metric)
        if then is not None and now is not None and now.value is not None and then != now.value:
            yield metric, f"{then:g}", words(now)
    if one.published.reward is not None and again.reward.value not in {None, one.published.reward}:
        yield "reward", f"{one.published.reward:g}", words(again.reward)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
