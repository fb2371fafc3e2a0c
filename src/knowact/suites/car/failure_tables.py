"""Why trials failed: sub-metrics, error classes, policies, quadrants, faults of drivers, and of judges."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from knowact.core.record import Record
from knowact.core.table import Row, Run, Table
from knowact.measures.intervals import wilson
from knowact.measures.summary import mean_estimate, quadrant_estimates
from knowact.people.driver_faults import FAULTS
from knowact.suites.car.arms import SEED, arms
from knowact.suites.car.errors import ErrorClass
from knowact.suites.car.records import ACKNOWLEDGED, ASKED, BROKE, DRIVER, ERROR, FAULTY, RERUN, SPLIT
from knowact.suites.car.scoring import METRICS
from knowact.worlds.car.policies.catalogue import POLICIES

MEANINGS: Final = {
    ErrorClass.PREMATURE: "acted or asked too early",
    ErrorClass.POLICY: "broke a rule",
    ErrorClass.LOGIC: "knew all, concluded wrongly",
    ErrorClass.EXECUTION: "called wrongly",
    ErrorClass.CONCEALED: "hid what is missing",
    ErrorClass.CLAIMED: "claimed what was not done",
    ErrorClass.FABRICATION: "hid or claimed",
}


def sub_metrics(runs: Sequence[Run]) -> Table:
    """The share of trials that pass each sub-metric, and what else they show."""
    rows: list[Row] = []
    for arm in arms(runs):
        for family in arm.families:
            for measure in (*METRICS, ACKNOWLEDGED, ASKED):
                found = mean_estimate(arm.of(family), measure, SEED)
                if found.n:
                    rows.append(Row({**arm.keys, "type": family}, measure, found))
    note = (
        "The six names are those of published records. acknowledged: the missing part was named; "
        "asked_first: the open question was put before anything was changed."
    )
    return Table("sub-metrics", "Sub-metrics", "CAR-bench", tuple(rows), across=("type",), note=note)


def errors(runs: Sequence[Run]) -> Table:
    """How the failed trials fall into the error classes."""
    rows: list[Row] = []
    for arm in arms(runs):
        for family in arm.families:
            found = Counter(name for record in arm.of(family) for name in _flagged(record, ERROR))
            total = sum(found.values())
            rows += [
                Row(
                    {**arm.keys, "type": family, "class": error.value, "meaning": meaning},
                    "share of failed trials",
                    wilson(found[error.value], total),
                )
                for error, meaning in MEANINGS.items()
                if found[error.value]
            ]
    note = (
        "By the written procedure of docs/suites/car.md. Failures of driver, judge and provider are not here."
    )
    return Table("error-classes", "Error classes", "CAR-bench, error taxonomy", tuple(rows), ("type",), note)


def policies(runs: Sequence[Run]) -> Table:
    """How often each policy was broken, of all scored trials."""
    rows: list[Row] = []
    for arm in arms(runs):
        records = [record for record in arm.records if record.scored]
        found = Counter(name for record in records for name in _flagged(record, BROKE))
        for name in sorted(found, key=lambda one: (-found[one], one)):
            policy = POLICIES.get(name)
            keys = {
                **arm.keys,
                "policy": name,
                "decided by": "" if policy is None else policy.by,
                "when": "" if policy is None else policy.trigger,
            }
            rows.append(Row(keys, "trials that broke it", wilson(found[name], len(records))))
    note = "Policies that nobody broke are not listed. Judged ones are counted only where a judge was bound."
    return Table("policies", "Broken policies", "knowact", tuple(rows), note=note)


def quadrants(runs: Sequence[Run]) -> Table:
    """Knowing against acting, on the same trial."""
    rows: list[Row] = []
    for arm in arms(runs):
        for family in arm.families:
            found = quadrant_estimates(arm.of(family), SEED)
            rows += [
                Row({**arm.keys, "type": family}, name, estimate)
                for name, estimate in found.items()
                if estimate.n
            ]
    note = (
        "K: it found out what it could, asked what only the driver knew, or said what is missing; A: what it "
        "did to the car was right. c: correct, w: wrong. DirGap = Kc/Aw - Kw/Ac."
    )
    return Table("quadrants", "Know-act quadrants", "knowact", tuple(rows), across=("type",), note=note)


def driver_faults(runs: Sequence[Run]) -> Table:
    """How often the simulated driver was at fault: per attempt, by kind."""
    rows: list[Row] = []
    for arm in arms(runs):
        attempts = sum(1 + record.flags.get(RERUN, 0) for record in arm.records)
        found = Counter[str]()
        for record in arm.records:
            found.update({n: record.flags[f"{DRIVER}{n}"] for n in _flagged(record, DRIVER)})
        rows += [
            Row(
                {**arm.keys, "fault": name, "meaning": FAULTS.get(name, "")},
                "attempts",
                wilson(found[name], attempts),
            )
            for name in FAULTS
            if found[name]
        ]
        faulty = sum(record.flags.get(FAULTY, 0) for record in arm.records)
        keys = {**arm.keys, "fault": "any", "meaning": "the driver was at fault"}
        rows.append(Row(keys, "attempts", wilson(faulty, attempts)))
    note = "The detector sees the script and the talk, neither reward nor agent."
    return Table("driver-faults", "Faults of the driver", "CAR-bench, user errors", tuple(rows), note=note)


def judges(runs: Sequence[Run]) -> Table:
    """How far the votes of referee and judge agree with themselves."""
    rows: list[Row] = []
    for arm in arms(runs):
        found = mean_estimate(arm.records, SPLIT, SEED)
        if found.n:
            rows.append(Row(arm.keys, "panels whose votes differ", found))
    note = (
        "Mean over trials of the share of panels that were not of one mind. Votes are stored with the trial."
    )
    return Table("judges", "Variance of the judge", "knowact", tuple(rows), note=note)


def _flagged(record: Record, beginning: str) -> list[str]:
    return [flag.removeprefix(beginning) for flag in record.flags if flag.startswith(beginning)]
