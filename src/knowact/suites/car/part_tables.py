"""Success by what a task is like, and what a trial costs whom."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from knowact.core.record import Record
from knowact.core.table import Estimate, Row, Run, Table
from knowact.measures import intervals
from knowact.measures.clusters import profiles
from knowact.measures.summary import mean_estimate
from knowact.suites.car.arms import SEED, Arm, arms
from knowact.suites.car.records import BROKEN, RERUN, ROLES, SPENT, STEPS, SUCCESS, TURNS

LABELS: Final = {
    "actions": "calls of the reference",
    "subtype": "sub-type",
    "removed": "what was removed",
    "decoy": "what is gone that is not needed",
    "level": "what settles the open choice",
    "domains": "parts of the car",
    "style": "persona",
    "skill": "proficiency",
    "split": "half of the data",
}
"""Labels, and what they say."""

_FREE: Final = (0.0, math.inf)
"""The least and the greatest that a trial can take."""

_UNITS: Final = {
    "calls": "model calls",
    "tokens_in": "input tokens",
    "tokens_out": "output tokens",
    "cost": "dollars",
    "seconds": "seconds",
}


def parts(runs: Sequence[Run]) -> Table:
    """Success by number of actions, sub-type, persona and so on."""
    rows: list[Row] = []
    for arm in arms(runs):
        for label, words in LABELS.items():
            groups: dict[tuple[str, str], list[Record]] = {}
            for record in arm.records:
                if (value := record.labels.get(label)) is not None:
                    groups.setdefault((record.labels["type"], value), []).append(record)
            for (family, value), records in sorted(groups.items(), key=lambda one: _order(one[0][1])):
                found = mean_estimate(records, SUCCESS, SEED)
                if found.n:
                    keys = {**arm.keys, "by": words, "group": value, "type": family}
                    rows.append(Row(keys, SUCCESS, found))
    note = "Mean success over all trials; intervals resample base tasks."
    return Table("parts", "Success by what a task is like", "CAR-bench", tuple(rows), ("type",), note)


def _order(value: str) -> tuple[int, str]:
    return (int(value), "") if value.isdigit() else (0, value)


def cost(runs: Sequence[Run]) -> Table:
    """What one trial takes of whom: agent, user and judge apart, every call and every attempt counted."""
    rows: list[Row] = []
    for arm in arms(runs):
        for role in ROLES:
            keys = {**arm.keys, "role": role}
            for what in SPENT:
                found = _spent(arm, f"{role}_{what}")
                if found.n and (role == "agent" or found.value):
                    rows.append(Row(keys, _UNITS[what], found))
            rows += _latency(arm, role, keys)
        rows += [
            Row({**arm.keys, "role": "agent"}, name, mean_estimate(arm.records, measure, SEED, _FREE))
            for name, measure in (("steps", STEPS), ("turns", TURNS))
        ]
    note = (
        "Means per trial, unscored ones included, all attempts together. "
        "Dollars only where the prices of all calls are known. Seconds: waiting for the model, per "
        "trial, call and turn (of trials held once). Steps and turns: of the attempt that was scored."
    )
    return Table(
        "cost",
        "Cost and latency of one trial",
        "knowact",
        tuple(rows),
        ("role",),
        note,
        percent=False,
        highest=False,
    )


def _spent(arm: Arm, measure: str) -> Estimate:
    """Return what a trial took on average; what came to no verdict was paid for, too."""
    values = np.array([record.value(measure) for record in arm.records])
    return intervals.mean(values, _clusters(arm.records), SEED, _FREE)


def _latency(arm: Arm, role: str, keys: dict[str, str]) -> list[Row]:
    """Seconds per call and, for the agent, per turn: sums over sums, so long trials weigh what they take.

    The turns of a trial are those of its last attempt, but its seconds are of all: per turn only trials that
    were held once are looked at.
    """
    rows: list[Row] = []
    once = [record for record in arm.records if not record.flags.keys() & {RERUN, BROKEN}]
    named = [("seconds per call", f"{role}_calls", arm.records)]
    if role == "agent":
        named.append(("seconds per turn", TURNS, once))
    for name, measure, records in named:
        known = [one for one in records if one.value(f"{role}_seconds") >= 0 and one.value(measure) > 0]
        if any(one.value(f"{role}_seconds") for one in known):
            rows.append(Row(keys, name, _ratio(known, f"{role}_seconds", measure)))
    return rows


def _ratio(records: Sequence[Record], above: str, below: str) -> Estimate:
    sums = np.array([[record.value(above), record.value(below)] for record in records])
    found = profiles(sums, _clusters(records))
    point = float(intervals.mean_of_totals(found.totals))
    estimate = intervals.percentile(point, intervals.mean_of_totals(found.resampled(SEED)), len(records))
    return estimate or Estimate(point, len(records))


def _clusters(records: Sequence[Record]) -> NDArray[np.int64]:
    """Tasks that come from one base task are drawn together."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(record.cluster, len(known)) for record in records], dtype=np.int64)
