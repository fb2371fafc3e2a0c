"""The headline and the paper's main results: success, joint with the base twin, and in k trials."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from knowact.core.record import Record
from knowact.core.table import Estimate, Row, Run, Table
from knowact.measures.pass_k import AVERAGE, Power, Rate, Tally, rates, retry_estimate
from knowact.measures.run_tables import Head, endings_table
from knowact.measures.shares import share
from knowact.measures.summary import mean_estimate
from knowact.suites.car.arms import AVERAGED, SEED, Arm, arms, counted, joint_tallies
from knowact.suites.car.failure_tables import errors, judges, policies, quadrants, sub_metrics, user_faults
from knowact.suites.car.items import FAMILIES
from knowact.suites.car.part_tables import cost, parts
from knowact.suites.car.records import CONDUCT, FIRST, PROBE, SUCCESS

JOINT_CONDUCT: Final = "joint conduct"
"""The right conduct on a task and on its base task in the same round."""

JOINT: Final = "joint Pass^1"
"""Success on a task and on its base twin in the same round."""

LEAST: Final = "if all unscored had failed"
MOST: Final = "if all unscored had succeeded"

RETRIES: Final = "retry dependency"

NEVER, SOMETIMES, ALWAYS = "never", "sometimes", "always"


def conduct(runs: Sequence[Run]) -> Table:
    """The right conduct on the derived task *and* on its base task, in the same round of trials."""
    rows: list[Row] = []
    for arm in arms(runs):
        for kind, rate in _rated(joint_tallies(arm, CONDUCT), Power.HAT, 1).items():
            keys = {**arm.keys, "type": kind}
            rows += [Row(keys, JOINT_CONDUCT, rate.estimate), *_bounds(keys, rate, JOINT_CONDUCT)]
        for family in arm.families:
            found = mean_estimate(arm.of(family), CONDUCT, SEED)
            if found.n:
                rows.append(Row({**arm.keys, "type": family}, "conduct alone", found))
    note = (
        "Base task: went ahead, and called nothing impossible. Missing part: named, neither used nor "
        "claimed. Open element: looked up without asking, or asked before acting where only the user knows. "
        "Refusing everything, or asking about everything, gets nothing here. Whether tasks came out right "
        "stands in the tables of success. Needs a judge; built-in agents declare what they say."
    )
    return Table("conduct", "Joint conduct", "knowact", tuple(rows), across=("type",), note=note)


def joint(runs: Sequence[Run]) -> Table:
    """Success on the derived task *and* on its base task, in the same round of trials."""
    rows: list[Row] = []
    for arm in arms(runs):
        found = joint_tallies(arm)
        for k in dict.fromkeys((1, arm.k)):
            measure = JOINT if k == 1 else f"joint Pass^{k}"
            for kind, rate in _rated(found, Power.HAT, k).items():
                keys = {**arm.keys, "type": kind}
                rows += [Row(keys, measure, rate.estimate), *_bounds(keys, rate, measure)]
    note = (
        "A round counts when the task that lacks something, or leaves something open, went well and its base "
        "task did, too. Whoever refuses everything, or asks about everything, gets nothing here. Intervals "
        "resample base tasks. Bounds where something is unscored."
    )
    return Table("joint", "With the base twin", "knowact", tuple(rows), across=("type",), note=note)


def leaderboard(runs: Sequence[Run]) -> Table:
    """Pass^1, Pass^3 and Pass@3 by type, and the unweighted average (CAR-bench, main results)."""
    rows: list[Row] = []
    for arm in arms(runs):
        found = counted(arm.records)
        for power, k in dict.fromkeys(((Power.HAT, 1), (Power.HAT, arm.k), (Power.AT, arm.k))):
            for kind, rate in _rated(found, power, k).items():
                rows.append(Row({**arm.keys, "type": kind}, _named(power, k), rate.estimate))
    note = (
        "Unbiased over all trials. Without a judge (--judge MODEL) success is what code can say: the seven "
        "judged policies are left out, and trials that hang on words are not judged. Intervals resample base "
        "tasks with all that was made of them."
    )
    return Table("leaderboard", "Success", "CAR-bench, Table 2", tuple(rows), across=("type",), note=note)


def _named(power: Power, k: int) -> str:
    return power.value.replace("k", str(k))


def _rated(found: Sequence[Tally], power: Power, k: int) -> dict[str, Rate]:
    """Rates by type, in the paper's order, and averaged; nothing where no task was tried so often."""
    if k < 1 or max((one.trials + one.unscored for one in found), default=0) < k:
        return {}
    by_kind = rates(found, power, k, SEED)
    order = [family for family in FAMILIES if family in by_kind]
    averaged = {AVERAGED: by_kind[AVERAGE]} if AVERAGE in by_kind else {}
    return {family: by_kind[family] for family in order} | averaged


def curve(runs: Sequence[Run]) -> Table:
    """Pass^k and Pass@k against k."""
    rows: list[Row] = []
    for arm in arms(runs):
        found = counted(arm.records)
        for k in range(1, arm.most + 1):
            for power in Power:
                for kind, rate in _rated(found, power, k).items():
                    rows.append(Row({**arm.keys, "type": kind, "k": str(k)}, power.value, rate.estimate))
    note = "Items with fewer than k scored trials are left out of that k."
    return Table("pass-k", "Success against k", "CAR-bench, figure", tuple(rows), across=("type",), note=note)


def reruns(runs: Sequence[Run]) -> Table:
    """With and without further attempts after a faulty user, and between which bounds the truth lies."""
    rows: list[Row] = []
    for arm in arms(runs):
        for name, measure in (("with re-runs", SUCCESS), ("first attempts only", FIRST)):
            for k in dict.fromkeys((1, arm.k)):
                for kind, rate in _rated(counted(arm.records, measure), Power.HAT, k).items():
                    keys = {**arm.keys, "attempts": name, "type": kind}
                    rows.append(Row(keys, _named(Power.HAT, k), rate.estimate))
                    rows += _bounds(keys, rate, _named(Power.HAT, k))
    note = (
        "A trial whose user was at fault says nothing about the agent: it is held again up to --reruns "
        "times. First attempts only: then it is unscored. Bounds where something is unscored."
    )
    return Table("reruns", "With and without re-runs", "knowact", tuple(rows), across=("type",), note=note)


def _bounds(keys: dict[str, str], rate: Rate, measure: str) -> list[Row]:
    """Between which numbers the truth lies; nothing where nothing is unscored."""
    if rate.least == rate.most:
        return []
    pairs = ((LEAST, rate.least), (MOST, rate.most))
    return [
        Row(keys, f"{measure} {name}", Estimate(value, rate.estimate.n))
        for name, value in pairs
        if value is not None
    ]


def solved(runs: Sequence[Run]) -> Table:
    """Tasks that never, sometimes and always went well in a run; and in none, some and all of the runs."""
    rows: list[Row] = []
    every = arms(runs)
    for arm in every:
        for family in arm.families:
            tried = [one for one in counted(arm.of(family)) if one.trials]
            rows += _how_often(
                {**arm.keys, "type": family}, tried, [_of_all(one.successes, one.trials) for one in tried]
            )
            retried = retry_estimate(tried, arm.most, SEED)
            if arm.most > 1 and retried.n:
                rows.append(Row({**arm.keys, "type": family}, RETRIES, retried))
    if len(every) > 1:
        rows += _across(every)
    note = (
        "Of the tasks with a scored trial. All runs: solved means once or more. Retry dependency: the mean "
        "over k of Pass@k - Pass^k, of tasks with all trials scored; 0 if a task's trials come out alike."
    )
    title = "Solved by none and by all"
    return Table("solved", title, "knowact", tuple(rows), across=("type",), note=note, highest=False)


def _of_all(hits: int, most: int) -> str:
    return NEVER if hits == 0 else ALWAYS if hits == most else SOMETIMES


def _how_often(keys: Mapping[str, str], found: Sequence[Tally], said: Sequence[str]) -> list[Row]:
    """Shares of tasks by what is said of each; tasks made of one base task are one cluster."""
    clusters = [one.cluster for one in found]
    return [
        Row(keys, name, share([one == name for one in said], clusters, SEED))
        for name in (NEVER, SOMETIMES, ALWAYS)
        if found
    ]


def _across(every: Sequence[Arm]) -> list[Row]:
    known = [{one.item: one for one in counted(arm.records)} for arm in every]
    shared = [item for item in known[0] if all(item in found and found[item].trials for found in known)]
    rows: list[Row] = []
    for family in every[0].families:
        items = [known[0][item] for item in shared if known[0][item].kind == family]
        hits = [sum(found[one.item].successes > 0 for found in known) for one in items]
        head = {key: "all runs" if key == "model" else "" for key in every[0].keys}
        rows += _how_often({**head, "type": family}, items, [_of_all(one, len(known)) for one in hits])
    return rows


def failures(runs: Sequence[Run]) -> Table:
    """Endings and oddities."""
    note = (
        "Step limits are the agent's failure, by name. Failures of the user, the judge or the provider leave "
        "a trial unscored. Oddities: error classes, broken policies, faults of the user."
    )
    return endings_table([arm_head(arm) for arm in arms(runs)], (PROBE,), lambda _: PROBE, note)


def arm_head(arm: Arm) -> Head:
    """The row head of a whole run."""
    return Head({"model": arm.run.model, "run": arm.run.id}, arm.records)


def unscored(records: Sequence[Record]) -> int:
    """How many trials have no verdict on success."""
    return sum(math.isnan(record.value(SUCCESS)) for record in records)


TABLES: tuple[Callable[[Sequence[Run]], Table], ...] = (
    *(conduct, joint, leaderboard, curve, reruns, solved, sub_metrics, errors, policies, quadrants),
    *(parts, user_faults, judges, failures, cost),
)
"""The headline first, then the paper's, then ours."""
