"""Why trials failed: sub-metrics, error classes, policies, quadrants, faults of users, and of judges."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from knowact.core.record import Ending, Record
from knowact.core.table import Estimate, Row, Run, Table
from knowact.measures.shares import share
from knowact.measures.summary import mean_estimate, quadrant_estimates
from knowact.people.user_faults import FAULTS
from knowact.suites.car.arms import SEED, Arm, arms
from knowact.suites.car.errors import MEANINGS
from knowact.suites.car.records import (
    ACKNOWLEDGED,
    ASKED,
    BROKE,
    DRIVER,
    ERROR,
    FAULTY,
    PROBE,
    RERUN,
    SPLIT,
    SUCCESS,
)
from knowact.suites.car.scoring import METRICS
from knowact.worlds.car.policies.catalogue import POLICIES

LIMIT: Final = "limit"
OTHER: Final = "none"
CLASSES: Final = {error.value: meaning for error, meaning in MEANINGS.items()} | {
    LIMIT: "used up steps or context",
    OTHER: "has no class",
}
"""What a failed trial may be counted as, and what that means. None: a user or a provider failed, which
the published rules call the agent's failure."""

LOOKED: Final = "the user was at fault"
NOT_LOOKED: Final = "looked for only where a model or a person plays the user"


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
            failed = [record for record in arm.of(family) if is_failed(record)]
            classes = [why_failed(record) for record in failed]
            clusters = [record.cluster for record in failed]
            rows += [
                Row(
                    {**arm.keys, "type": family, "class": name, "meaning": meaning},
                    "share of failed trials",
                    share([one == name for one in classes], clusters, SEED),
                )
                for name, meaning in CLASSES.items()
                if name in classes
            ]
    note = (
        "Of all trials that failed, those that used up their steps included. Classes by the procedure of "
        "docs/suites/car.md. Unscored trials (a failure of user, judge or provider) are not here."
    )
    source = "CAR-bench, error taxonomy"
    return Table("error-classes", "Error classes", source, tuple(rows), ("type",), note, highest=False)


def is_failed(record: Record) -> bool:
    """Whether the trial was scored and did not succeed."""
    return record.scored and record.value(SUCCESS) == 0


def why_failed(record: Record) -> str:
    """What a failed trial is counted as: its error class, the step limit, or nothing that has a class."""
    if found := _flagged(record, ERROR):
        return found[0]
    return LIMIT if record.endings.get(PROBE) is Ending.LIMIT else OTHER


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
            broke = [f"{BROKE}{name}" in record.flags for record in records]
            clusters = [record.cluster for record in records]
            rows.append(Row(keys, "trials that broke it", share(broke, clusters, SEED)))
    note = "Policies that nobody broke are not listed. Judged ones are counted only where a judge was bound."
    return Table("policies", "Broken policies", "knowact", tuple(rows), note=note, highest=False)


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
        "K: it found out what it could, asked what only the user knew, or said what is missing; A: what it "
        "did to the car was right. c: correct, w: wrong. DirGap = Kc/Aw - Kw/Ac."
    )
    title = "Know-act quadrants"
    return Table("quadrants", title, "knowact", tuple(rows), across=("type",), note=note, highest=False)


def user_faults(runs: Sequence[Run]) -> Table:
    """How often the simulated user was at fault: per attempt, by kind."""
    rows: list[Row] = []
    for arm in arms(runs):
        rows += [
            Row(
                {**arm.keys, "fault": name, "meaning": meaning}, "attempts", _attempts(arm, f"{DRIVER}{name}")
            )
            for name, meaning in FAULTS.items()
            if any(f"{DRIVER}{name}" in record.flags for record in arm.records)
        ]
        looked = faults_looked_for(arm)
        keys = {**arm.keys, "fault": "any", "meaning": LOOKED if looked else NOT_LOOKED}
        rows.append(Row(keys, "attempts", _attempts(arm, FAULTY) if looked else Estimate(None, 0)))
    note = (
        "Not measured where the script plays the user, nor under published rules. Code finds lines that "
        "cannot be used and users who leave at once; a judge finds the rest, in a model's lines alone. "
        "Neither sees calls, reward or agent."
    )
    source = "CAR-bench, user errors"
    return Table("user-faults", "Faults of the simulated user", source, tuple(rows), note=note, highest=False)


def faults_looked_for(arm: Arm) -> bool:
    """Whether anything looked for faults of the user: for a model's, and some of a person's."""
    options = arm.run.options
    return options.get("user") in {"model", "person"} and options.get("rules", "definition") == "definition"


def _attempts(arm: Arm, flag: str) -> Estimate:
    """Return the share of attempts, several per trial, that a flag counts."""
    records = arm.records
    return share(
        [record.flags.get(flag, 0) for record in records],
        [record.cluster for record in records],
        SEED,
        of=[1 + record.flags.get(RERUN, 0) for record in records],
    )


def judges(runs: Sequence[Run]) -> Table:
    """How far the votes of the judge agree with themselves."""
    rows: list[Row] = []
    for arm in arms(runs):
        found = mean_estimate(arm.records, SPLIT, SEED)
        if found.n:
            rows.append(Row(arm.keys, "panels whose votes differ", found))
    note = (
        "Mean over trials of the share of panels that were not of one mind. Votes are stored with the trial."
    )
    return Table("judges", "Variance of the judge", "knowact", tuple(rows), note=note, highest=False)


def _flagged(record: Record, beginning: str) -> list[str]:
    return [flag.removeprefix(beginning) for flag in record.flags if flag.startswith(beginning)]
