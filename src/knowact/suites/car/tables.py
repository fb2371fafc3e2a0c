"""The headline and the paper's main results: success, joint with the base twin, and in k trials."""

import math
from collections.abc import Callable, Sequence
from typing import Final

from knowact.core.record import Record
from knowact.core.table import Estimate, Row, Run, Table
from knowact.measures.intervals import wilson
from knowact.measures.pass_k import AVERAGE, Power, Rate, Tally, rates, steadiness
from knowact.measures.run_tables import Head, endings_table
from knowact.suites.car.arms import AVERAGED, FAMILIES, SEED, Arm, arms, counted, joint_tallies
from knowact.suites.car.failure_tables import driver_faults, errors, judges, policies, quadrants, sub_metrics
from knowact.suites.car.part_tables import cost, parts
from knowact.suites.car.records import FIRST, PROBE, SUCCESS

JOINT: Final = "joint Pass^1"
"""Success on a task and on its base twin in the same round."""

LEAST: Final = "if all unscored had failed"
MOST: Final = "if all unscored had succeeded"


def joint(runs: Sequence[Run]) -> Table:
    """Success on the derived task *and* on its base task, in the same round of trials."""
    rows: list[Row] = []
    for arm in arms(runs):
        found = joint_tallies(arm)
        for k in dict.fromkeys((1, arm.k)):
            measure = JOINT if k == 1 else f"joint Pass^{k}"
            rows += [
                Row({**arm.keys, "type": kind}, measure, rate.estimate)
                for kind, rate in _rated(found, Power.HAT, k).items()
            ]
    note = (
        "A round counts when the task that lacks something, or leaves something open, went well and its base "
        "task did, too. Whoever refuses everything, or asks about everything, gets nothing here. Intervals "
        "resample base tasks."
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
        "Unbiased over all trials. Without a judge (--role grader=MODEL) success is what code can say: the "
        "seven judged policies are left out. Intervals resample base tasks with all that was made of them."
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
    """With and without further attempts after a faulty driver, and between which bounds the truth lies."""
    rows: list[Row] = []
    for arm in arms(runs):
        for name, measure in (("with re-runs", SUCCESS), ("first attempts only", FIRST)):
            for k in dict.fromkeys((1, arm.k)):
                for kind, rate in _rated(counted(arm.records, measure), Power.HAT, k).items():
                    keys = {**arm.keys, "attempts": name, "type": kind}
                    rows.append(Row(keys, _named(Power.HAT, k), rate.estimate))
                    rows += _bounds(keys, rate, k)
    note = (
        "A trial whose driver was at fault says nothing about the agent: it is held again up to --reruns "
        "times. First attempts only: then it is unscored. Bounds where something is unscored."
    )
    return Table("reruns", "With and without re-runs", "knowact", tuple(rows), across=("type",), note=note)


def _bounds(keys: dict[str, str], rate: Rate, k: int) -> list[Row]:
    if rate.least == rate.most:
        return []
    pairs = ((LEAST, rate.least), (MOST, rate.most))
    return [
        Row(keys, f"{_named(Power.HAT, k)} {name}", Estimate(value, rate.estimate.n))
        for name, value in pairs
        if value is not None
    ]


def solved(runs: Sequence[Run]) -> Table:
    """Tasks that never, sometimes and always went well in a run; and in none, some and all of the runs."""
    rows: list[Row] = []
    every = arms(runs)
    for arm in every:
        for family in arm.families:
            found = steadiness(counted(arm.of(family)))
            total = found.never + found.sometimes + found.always
            counts = {"never": found.never, "sometimes": found.sometimes, "always": found.always}
            rows += [
                Row({**arm.keys, "type": family}, name, wilson(count, total))
                for name, count in counts.items()
                if total
            ]
    if len(every) > 1:
        rows += _across(every)
    note = "Of the tasks with a scored trial. All runs: solved means once or more."
    return Table("solved", "Solved by none and by all", "knowact", tuple(rows), across=("type",), note=note)


def _across(every: Sequence[Arm]) -> list[Row]:
    known = [{one.item: one for one in counted(arm.records)} for arm in every]
    shared = [item for item in known[0] if all(item in found and found[item].trials for found in known)]
    rows: list[Row] = []
    for family in every[0].families:
        items = [item for item in shared if known[0][item].kind == family]
        hits = [sum(found[item].successes > 0 for found in known) for item in items]
        head = {key: "all runs" if key == "model" else "" for key in every[0].keys}
        counts = {
            "never": hits.count(0),
            "sometimes": sum(0 < one < len(known) for one in hits),
            "always": hits.count(len(known)),
        }
        rows += [
            Row({**head, "type": family}, name, wilson(count, len(items)))
            for name, count in counts.items()
            if items
        ]
    return rows


def failures(runs: Sequence[Run]) -> Table:
    """Endings and oddities."""
    note = (
        "Steps used up are the agent's failure, by name. Failures of the driver, the judge or the provider "
        "leave a trial unscored. Oddities: error classes, broken policies, faults of the driver."
    )
    return endings_table([arm_head(arm) for arm in arms(runs)], (PROBE,), lambda _: PROBE, note)


def arm_head(arm: Arm) -> Head:
    """The row head of a whole run."""
    return Head({"model": arm.run.model, "run": arm.run.id}, arm.records)


def unscored(records: Sequence[Record]) -> int:
    """How many trials have no verdict on success."""
    return sum(math.isnan(record.value(SUCCESS)) for record in records)


TABLES: tuple[Callable[[Sequence[Run]], Table], ...] = (
    *(joint, leaderboard, curve, reruns, solved, sub_metrics, errors, policies, quadrants),
    *(parts, driver_faults, judges, failures, cost),
)
"""The headline first, then the paper's, then ours."""
