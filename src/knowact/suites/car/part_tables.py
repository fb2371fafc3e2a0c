"""Success by what a task is like, and what a trial costs whom."""

import math
from collections.abc import Sequence
from typing import Final

from knowact.core.record import Record
from knowact.core.table import Estimate, Row, Run, Table
from knowact.measures.summary import mean_estimate
from knowact.suites.car.arms import SEED, Arm, arms
from knowact.suites.car.records import ROLES, SPENT, STEPS, SUCCESS, TURNS

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
    """What one trial takes of whom: agent, driver and judge apart, every call and every attempt counted."""
    rows: list[Row] = []
    for arm in arms(runs):
        for role in ROLES:
            keys = {**arm.keys, "role": role}
            for what in SPENT:
                found = _mean(arm, f"{role}_{what}")
                if found.n and (role == "agent" or found.value):
                    rows.append(Row(keys, _UNITS[what], found))
            rows += _latency(arm, role, keys)
        rows += [
            Row({**arm.keys, "role": "agent"}, name, _mean(arm, measure))
            for name, measure in (("steps", STEPS), ("turns", TURNS))
        ]
    note = (
        "Means per trial, all attempts together; the referee's votes are the judge's. Dollars only where the "
        "prices of all calls are known. Seconds: waiting for the model, per trial, call and turn."
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


def _mean(arm: Arm, measure: str) -> Estimate:
    return mean_estimate(arm.records, measure, SEED, (0.0, math.inf))


def _latency(arm: Arm, role: str, keys: dict[str, str]) -> list[Row]:
    """Seconds per call and, for the agent, per turn: sums over sums, so long trials weigh what they take."""
    rows: list[Row] = []
    for name, measure in (("seconds per call", f"{role}_calls"), ("seconds per turn", TURNS)):
        if measure == TURNS and role != "agent":
            continue
        pairs = [(record.value(f"{role}_seconds"), record.value(measure)) for record in arm.records]
        known = [(seconds, count) for seconds, count in pairs if seconds >= 0 and count > 0]
        total = sum(seconds for seconds, _ in known)
        if total:
            estimate = Estimate(total / sum(count for _, count in known), len(known))
            rows.append(Row(keys, name, estimate))
    return rows
