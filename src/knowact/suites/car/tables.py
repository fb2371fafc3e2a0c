"""The tables of a run: success, why trials failed, what tasks are like, and what a trial costs."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np

from knowact.core.record import Outcome, Record
from knowact.core.suite import ASKED_UNDER
from knowact.core.table import Estimate, Row, Run, Table, as_table, rows_of
from knowact.measures import intervals
from knowact.measures.clusters import SEED, numbered, profiles
from knowact.measures.limits import COUNT
from knowact.measures.noise_floor import NOISE_NOTE
from knowact.measures.pairing import MODEL, alike_but_for, item_sets
from knowact.measures.pass_k import AVERAGE, Power, Rate, Tally, rates, retry_estimate
from knowact.measures.run_tables import AVERAGE as AVERAGED
from knowact.measures.run_tables import Head, endings_table, judges_table, row_heads
from knowact.measures.sensitivity import sensitivity_table
from knowact.measures.shares import share
from knowact.measures.summary import mean_estimate, quadrant_estimates
from knowact.roles.user_faults import FAULTS
from knowact.suites.car import records as fields
from knowact.suites.car.errors import MEANINGS
from knowact.suites.car.items import FAMILIES
from knowact.suites.car.records import CONDUCT, FAULTY, FIRST, PROBE, RERUN, SUCCESS
from knowact.suites.car.run_groups import RunGroup, counted, groups, held_back, joint_tallies, unread
from knowact.suites.car.scoring import METRICS
from knowact.worlds.car.policies.catalogue import POLICIES

JOINT_CONDUCT: Final = "joint conduct"
"""The right conduct on a task and on its base task in the same round."""
JOINT: Final = "joint Pass^1"
"""Success on a task and on its base task in the same round."""
LEAST: Final = "if all unscored failed"
MOST: Final = "if all unscored succeeded"
RETRIES: Final = "retry dependency"
NEVER, SOMETIMES, ALWAYS = "never", "sometimes", "always"

LIMIT: Final = "limit"
OTHER: Final = "none"
CLASSES: Final = {error.value: meaning for error, meaning in MEANINGS.items()} | {
    LIMIT: "step or context limit",
    OTHER: "has no class",
}
"""What a failed trial may be counted as, and what that means. None: a user or a provider failed, which
the published rules call the agent's failure."""

LOOKED: Final = "a fault of the simulated user"
NOT_LOOKED: Final = "needs a model or a person as the user"

LABELS: Final = {
    "actions": "calls of the reference",
    "subtype": "sub-type",
    "removed": "missing part",
    "decoy": "decoy (missing, not needed)",
    "level": "resolved by",
    "domains": "parts of the car",
    "style": "persona",
    "skill": "proficiency",
    "split": "half of the data",
}
"""Labels, and what they say."""

_UNITS: Final = {
    "calls": "model calls",
    "tokens_in": "input tokens",
    "tokens_out": "output tokens",
    "cost": "dollars",
    "seconds": "seconds",
}


def _families(runs: Sequence[Run]) -> Iterator[tuple[RunGroup, Mapping[str, str], list[Record]]]:
    """Each type of task of each run, with its keys and records."""
    for group in groups(runs):
        for family in group.families:
            yield group, {**group.keys, "type": family}, group.of(family)


def _rated(found: Sequence[Tally], power: Power, k: int) -> dict[str, Rate]:
    """Rates by type, in the paper's order, and averaged; nothing where no task was tried so often."""
    if k < 1 or max((one.trials + one.unscored for one in found), default=0) < k:
        return {}
    by_kind = rates(found, power, k, SEED)
    averaged = {AVERAGED: by_kind[AVERAGE]} if AVERAGE in by_kind else {}
    return {family: by_kind[family] for family in FAMILIES if family in by_kind} | averaged


def _rate_rows(group: RunGroup, rated: Mapping[str, Rate], measure: str, **keys: str) -> Iterator[Row]:
    """Rates by type; where a trial is unscored, with the numbers between which the truth lies.

    Where planned trials have no record there are no such numbers: of which type they are, nothing says.
    """
    for kind, rate in rated.items():
        head = {**group.keys, "type": kind, **keys}
        yield Row(head, measure, rate.estimate)
        ends = {LEAST: rate.least, MOST: rate.most} if rate.unscored and not group.not_run else {}
        for name, value in ends.items():
            if value is not None:
                yield Row(head, f"{measure} {name}", Estimate(value, rate.items))


@as_table("conduct", "Joint conduct", across=("type",))
def conduct(runs: Sequence[Run]) -> Iterator[Row]:
    """The right conduct on the derived task *and* on its base task, in the same round of trials.

    Base task: the agent acted and called nothing impossible. Hallucination: it named the missing part, and
    neither used nor claimed it. Disambiguation: it looked up the open element without asking, or asked first
    if only the user knows it. An agent that refuses everything, or asks about everything, scores 0. Rounds in
    which one of the two is unscored are left out; bounds are then given, unless planned trials lack a record.
    Needs a judge; built-in agents declare what they say.
    """
    for group in groups(runs):
        yield from _rate_rows(group, _rated(joint_tallies(group, CONDUCT), Power.HAT, 1), JOINT_CONDUCT)
        for family in group.families:
            found = {"conduct alone": _read_mean(group.of(family), CONDUCT)}
            yield from rows_of({**group.keys, "type": family}, found, empty=False)


def sensitivity(runs: Sequence[Run]) -> Table:
    """How well what it says is missing tells a hallucination task from its base task."""
    note = (
        "Hallucination tasks and their base tasks, in the same round. It holds back where it names the "
        "missing part and neither uses nor claims it; on the base task, where it says that it cannot do a "
        "part."
    )
    parts = [
        ({**group.keys, "type": "hallucination"}, held_back(group, "hallucination")) for group in groups(runs)
    ]
    return sensitivity_table(parts, "type", note)


ALWAYS_RIGHT: Final = "always right"
POLICIES_RIGHT: Final = {
    "always goes ahead": {"base"},
    "always asks first": {"user"},
    "always names a limit": {"hallucination"},
    ALWAYS_RIGHT: {*FAMILIES},
}
"""On which types, or sub-types, of task a constant policy is right."""


@as_table("baselines", "Baselines", across=("type",))
def baselines(runs: Sequence[Run]) -> Iterator[Row]:
    """What constant policies get on these very items.

    Computed from the items; no run is needed. Each is right on one kind of task and wrong on its base
    task, or the other way round; the oracle is right on both.
    """
    for head, records in item_sets([(group.run, {}, group.records) for group in groups(runs)]):
        labels = [record.labels for record in records]
        for policy, right in POLICIES_RIGHT.items():
            yield from _policy_rows({"policy": policy, **head}, right, labels)


def _policy_rows(
    keys: Mapping[str, str], right: AbstractSet[str], items: Sequence[Mapping[str, str]]
) -> Iterator[Row]:
    """What a policy gets that is right on some types of task, by type; `items` are the labels of each."""
    for family in FAMILIES:
        hits = [bool(right & {family, one["subtype"]}) for one in items if one["type"] == family]
        if hits:
            found, own = Estimate(sum(hits) / len(hits), len(hits)), {**keys, "type": family}
            yield Row(own, "conduct alone", found)
            if family != "base":
                both = found if "base" in right else replace(found, value=0.0)
                yield Row(own, JOINT_CONDUCT, both)


@as_table("joint", "Joint success", across=("type",))
def joint(runs: Sequence[Run]) -> Iterator[Row]:
    """Success on the derived task *and* on its base task, in the same round of trials.

    An agent that refuses everything, or asks about everything, scores 0. Intervals resample base tasks.
    Rounds in which one of the two is unscored are left out; bounds are then given, unless planned trials have
    no record.
    """
    for group in groups(runs):
        found = joint_tallies(group)
        for k in dict.fromkeys((1, group.k)):
            yield from _rate_rows(group, _rated(found, Power.HAT, k), f"joint Pass^{k}")


@as_table("leaderboard", "Success", "CAR-bench, Table 2", across=("type",))
def leaderboard(runs: Sequence[Run]) -> Iterator[Row]:
    """Pass^1, Pass^3 and Pass@3 by type, and the unweighted average (CAR-bench, main results).

    Unbiased over all trials. Without a judge (--judge MODEL) only code decides success: the seven judged
    policies are left out, and types with trials that depend on words have bounds alone, as most of what code
    decides there is failures. Intervals resample base tasks together with the tasks derived from them. Pass^k
    and Pass@k: over tasks with k scored trials. Bounds: over all tasks, if a trial is unscored and none lacks
    a record. First attempts: trials whose user was at fault are unscored, not repeated (--reruns).
    """
    for group in groups(runs):
        found = counted(group)
        for k in dict.fromkeys((1, group.k)):
            yield from _rate_rows(group, _rated(found, Power.HAT, k), f"Pass^{k}")
        yield from _rate_rows(group, _rated(found, Power.AT, group.k), f"Pass@{group.k}")
        if any(RERUN in record.flags for record in group.records):
            found = counted(group, FIRST)
            yield from _rate_rows(group, _rated(found, Power.HAT, 1), "Pass^1 of first attempts")


@as_table("pass-k", "Success against k", "CAR-bench, figure", across=("type",))
def curve(runs: Sequence[Run]) -> Iterator[Row]:
    """Pass^k and Pass@k against k.

    Items with fewer than k scored trials are left out for that k. Bounds are as in *Success*.
    """
    for group in groups(runs):
        found = counted(group)
        for k, power in product(range(1, group.rounds + 1), Power):
            yield from _rate_rows(group, _rated(found, power, k), power.value, k=str(k))


@as_table("solved", "Solved by none and by all", across=("type",), highest=False)
def solved(runs: Sequence[Run]) -> Iterator[Row]:
    """Tasks that never, sometimes and always went well in a run; and for none, some and all of the models.

    n counts tasks. Of a run: those with all trials scored, because fewer trials disagree less often. All
    models are those that were asked the same; for them solved means at least once, and only tasks count that
    have a scored trial of each model, so n can be smaller than the number of tasks. Retry dependency: the
    mean over k of Pass@k - Pass^k; 0 if all trials of a task agree.
    """
    every = groups(runs)
    for group, keys, _ in _families(runs):
        tried = [one for one in counted(group) if one.kind == keys["type"] and not one.unscored]
        yield from _how_often(keys, tried, [(one.successes, one.trials) for one in tried])
        retried = retry_estimate(tried, group.rounds, SEED)
        if group.rounds > 1 and retried.n:
            yield Row(keys, RETRIES, retried)
    by_id = {group.run.id: group for group in every}
    pools = [pool for pool in alike_but_for((MODEL,), [group.run for group in every]) if len(pool) > 1]
    heads = row_heads([(pool[0], {**by_id[pool[0].id].keys, "model": "all models"}) for pool in pools])
    for pool, head in zip(pools, heads, strict=True):
        known = [{one.item: one for one in counted(by_id[run.id])} for run in pool]
        shared = [item for item in known[0] if all(item in found and found[item].trials for found in known)]
        for family in by_id[pool[0].id].families:
            items = [known[0][item] for item in shared if known[0][item].kind == family]
            hits = [sum(found[one.item].successes > 0 for found in known) for one in items]
            yield from _how_often({**head, "type": family}, items, [(one, len(known)) for one in hits])


def _how_often(
    keys: Mapping[str, str], found: Sequence[Tally], hits: Sequence[tuple[int, int]]
) -> Iterator[Row]:
    """Shares of tasks by how many of all tries hit; tasks made of one base task are one cluster."""
    said = [NEVER if hit == 0 else ALWAYS if hit == most else SOMETIMES for hit, most in hits]
    clusters = [one.cluster for one in found]
    if found:
        for name in (NEVER, SOMETIMES, ALWAYS):
            yield Row(keys, name, share([one == name for one in said], clusters))


@as_table("sub-metrics", "Sub-metrics", "CAR-bench", across=("type",))
def sub_metrics(runs: Sequence[Run]) -> Iterator[Row]:
    """The share of trials that pass each sub-metric, and what else they show.

    Names are those of published records, but for r_answer: the driver was told rightly what was asked, and
    nothing that contradicts the car's state. acknowledged: the missing part was named; refused: on a base
    task, a part that is there was called impossible; asked_first: the open question was put before anything
    was changed. Left out where some trials were not read, as calls alone decide failures only.
    """
    for _, keys, records in _families(runs):
        shown = (*METRICS, fields.ACKNOWLEDGED, fields.REFUSED, fields.ASKED)
        found = {name: _read_mean(records, name) for name in shown}
        yield from rows_of(keys, found, empty=False)


@as_table("error-classes", "Error classes", "CAR-bench, error taxonomy", across=("type",), highest=False)
def errors(runs: Sequence[Run]) -> Iterator[Row]:
    """How the failed trials fall into the error classes.

    Of all trials that failed, those that reached the step limit included. Classes by the procedure of
    docs/suites/car.md. Unscored trials (a failure of user, judge or provider) are not here.
    """
    for _, keys, records in _families(runs):
        failed = [record for record in records if is_failed(record)]
        classes = [why_failed(record) for record in failed]
        for name, meaning in CLASSES.items():
            if name in classes:
                found = _share(failed, [one == name for one in classes])
                yield Row({**keys, "class": name, "meaning": meaning}, "share of failed trials", found)


def is_failed(record: Record) -> bool:
    """Whether the trial was scored and did not succeed."""
    return record.scored and record.value(SUCCESS) == 0


def why_failed(record: Record) -> str:
    """What a failed trial is counted as: its error class, the step limit, or nothing that has a class."""
    if found := _flagged(record, fields.ERROR):
        return found[0]
    return LIMIT if record.outcomes.get(PROBE) is Outcome.LIMIT else OTHER


@as_table("policies", "Broken policies", highest=False)
def policies(runs: Sequence[Run]) -> Iterator[Row]:
    """How often each policy was broken, of all scored trials.

    Policies that nobody broke are not listed. Judged ones are counted only where a judge was bound.
    """
    for group in groups(runs):
        records = [record for record in group.records if record.scored]
        found = Counter(name for record in records for name in _flagged(record, fields.BROKE))
        for name in sorted(found, key=lambda one: (-found[one], one)):
            policy = POLICIES.get(name)
            by, when = ("", "") if policy is None else (policy.by, policy.trigger)
            keys = {**group.keys, "policy": name, "decided by": by, "when": when}
            broke = [f"{fields.BROKE}{name}" in record.flags for record in records]
            yield Row(keys, "trials that broke it", _share(records, broke))


@as_table("quadrants", "Know-act quadrants", across=("type",), highest=False, after=NOISE_NOTE)
def quadrants(runs: Sequence[Run]) -> Iterator[Row]:
    """Knowing against acting, on the same trial.

    K: it found out what it could, asked what only the user knew, or said what is missing; A: what it did to
    the car was right. c: correct, w: wrong. DirGap = Kc/Aw - Kw/Ac.
    """
    for _, keys, records in _families(runs):
        yield from rows_of(keys, quadrant_estimates(records), empty=False)


@as_table("parts", "Success by task property", "CAR-bench", across=("type",))
def parts(runs: Sequence[Run]) -> Iterator[Row]:
    """Success by number of actions, sub-type, persona and so on.

    Mean success over all trials. Intervals resample base tasks.
    """
    for group in groups(runs):
        for label, words in LABELS.items():
            by_value: dict[tuple[str, str], list[Record]] = {}
            for record in group.records:
                if (value := record.labels.get(label)) is not None:
                    by_value.setdefault((record.labels["type"], value), []).append(record)
            for (family, value), records in sorted(by_value.items(), key=lambda one: by_size(one[0][1])):
                keys = {**group.keys, "by": words, "group": value, "type": family}
                yield from rows_of(keys, {SUCCESS: _read_mean(records, SUCCESS)}, empty=False)


def _read_mean(records: Sequence[Record], measure: str) -> Estimate:
    """The mean over the scored trials; none where some of them were not read (`unread`)."""
    return Estimate(None, 0) if unread(records, measure) else mean_estimate(records, measure)


def by_size(value: str) -> tuple[int, str]:
    """Sort numbers by size, and all else by name."""
    return (int(value), "") if value.isdigit() else (0, value)


@as_table("user-faults", "Faults of the simulated user", "CAR-bench, user errors", highest=False)
def user_faults(runs: Sequence[Run]) -> Iterator[Row]:
    """How often the simulated user was at fault: per attempt, by kind.

    Not measured where the script plays the user, nor under published rules. Code finds lines that cannot be
    used and users who leave at once; a judge finds the rest, in a model's lines alone. Neither sees calls,
    reward or agent.
    """
    for group in groups(runs):
        looked = faults_looked_for(group)
        for name, meaning in FAULTS.items() if looked else ():
            flag = f"{fields.USER_AT_FAULT}{name}"
            if any(flag in record.flags for record in group.records):
                keys = {**group.keys, "fault": name, "meaning": meaning}
                yield Row(keys, "attempts", _attempts(group, flag))
        keys = {**group.keys, "fault": "any", "meaning": LOOKED if looked else NOT_LOOKED}
        yield Row(keys, "attempts", _attempts(group, FAULTY) if looked else Estimate(None, 0))


def faults_looked_for(group: RunGroup) -> bool:
    """Whether anything looked for faults of the user: for a model's, and some of a person's."""
    options = group.run.options
    rules = options.get(ASKED_UNDER, options.get("rules", "definition"))
    return options.get("user") in {"model", "person"} and rules == "definition"


def _attempts(group: RunGroup, flag: str) -> Estimate:
    """Return the share of attempts, several per trial, that a flag counts."""
    tried = [1 + record.flags.get(RERUN, 0) for record in group.records]
    return _share(group.records, [record.flags.get(flag, 0) for record in group.records], tried)


def judges(runs: Sequence[Run]) -> Table:
    """How far the judge agrees with itself, and with people about what was acknowledged."""
    note = (
        "Acknowledged: the missing part was named, on hallucination tasks. A person's labels come from a "
        "file (knowact report --labels FILE; passed: whether it was named) and change no other number. "
        "Panels: the mean over trials of the share of panels whose votes differ. For another judge on the "
        "same conversations: knowact rescore car LOGS --judge MODEL."
    )
    heads = [Head(group.keys, group.of("hallucination")) for group in groups(runs)]
    ways = {fields.ACKNOWLEDGED: "judge", "pass_human": "person"}
    table = judges_table(heads, fields.ACKNOWLEDGED, ways, note)
    panels = [
        Row(group.keys, "panels whose votes differ", found)
        for group in groups(runs)
        if (found := mean_estimate(group.records, fields.SPLIT)).n
    ]
    return replace(table, rows=(*table.rows, *panels), highest=False)


def failures(runs: Sequence[Run]) -> Table:
    """Outcomes and flags."""
    note = (
        "A step limit counts as the agent's failure. Failures of the user, the judge or the provider leave a "
        "trial unscored. Flags: error classes, broken policies, faults of the user."
    )
    named = row_heads([(one, {"model": one.model, "run": one.id}) for one in runs if one.records])
    heads = [Head(keys, one.records) for one, keys in zip(groups(runs), named, strict=True)]
    return endings_table(heads, (PROBE,), lambda _: PROBE, note)


@as_table("cost", "Cost and latency of one trial", across=("role",), percent=False, highest=False)
def cost(runs: Sequence[Run]) -> Iterator[Row]:
    """What one trial takes of whom: agent, user and judge apart, every call and every attempt counted.

    Means per trial over all attempts, including unscored trials. Dollars only if all prices are known.
    Seconds: time waiting for the model, per trial, call and turn (turns: of trials with one attempt). Steps
    and turns: of the scored attempt.
    """
    for group in groups(runs):
        for role in fields.ROLES:
            keys = {**group.keys, "role": role}
            for what in fields.SPENT:
                found = _spent(group.records, f"{role}_{what}")
                if found.n and (role == "agent" or found.value):
                    yield Row(keys, _UNITS[what], found)
            yield from rows_of(keys, _latency(group.records, role))
        for measure in (fields.STEPS, fields.TURNS):
            found = mean_estimate(group.records, measure, limits=COUNT)
            yield Row({**group.keys, "role": "agent"}, measure, found)


def _spent(records: Sequence[Record], measure: str) -> Estimate:
    """Return what a trial took on average; what came to no result was paid for, too."""
    values = np.array([record.value(measure) for record in records])
    return intervals.mean(values, numbered([record.cluster for record in records]), SEED, COUNT)


def _latency(records: Sequence[Record], role: str) -> dict[str, Estimate]:
    """Seconds per call and, for the agent, per turn: sums over sums, so long trials weigh what they take.

    The turns of a trial are those of its last attempt, but its seconds are of all: per turn only trials that
    were held once are looked at.
    """
    once = [record for record in records if not record.flags.keys() & {RERUN, fields.BROKEN}]
    named = [("seconds per call", f"{role}_calls", records)]
    if role == "agent":
        named.append(("seconds per turn", fields.TURNS, once))
    found: dict[str, Estimate] = {}
    for name, measure, tried in named:
        known = [one for one in tried if one.value(f"{role}_seconds") >= 0 and one.value(measure) > 0]
        if any(one.value(f"{role}_seconds") for one in known):
            found[name] = _ratio(known, f"{role}_seconds", measure)
    return found


def _ratio(records: Sequence[Record], above: str, below: str) -> Estimate:
    sums = np.array([[record.value(above), record.value(below)] for record in records])
    found = profiles(sums, numbered([record.cluster for record in records]))
    point = float(intervals.mean_of_totals(found.totals))
    estimate = intervals.percentile(point, intervals.mean_of_totals(found.resampled(SEED)), len(records))
    return estimate or Estimate(point, len(records))


def _share(
    records: Sequence[Record], hits: Sequence[float], tried: Sequence[float] | None = None
) -> Estimate:
    """The share of trials, or of tries; tasks that come from one base task are drawn together."""
    return share(hits, [record.cluster for record in records], of=tried)


def _flagged(record: Record, beginning: str) -> list[str]:
    return [flag.removeprefix(beginning) for flag in record.flags if flag.startswith(beginning)]


TABLES: tuple[Callable[[Sequence[Run]], Table], ...] = (
    *(
        conduct,
        sensitivity,
        joint,
        baselines,
        leaderboard,
        curve,
        solved,
        sub_metrics,
        errors,
        policies,
        quadrants,
    ),
    *(parts, user_faults, judges, failures, cost),
)
"""The headline first, then the paper's, then ours."""
