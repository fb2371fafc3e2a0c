"""The result of a run in words: first what it amounts to, then what to make of it."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from knowact.core.table import Run
from knowact.measures.pass_k import AVERAGE, Power, Rate, rates
from knowact.measures.summary import mean_estimate
from knowact.people.termination import UNHEARD
from knowact.suites.car.arms import DERIVED, SEED, Arm, arms, counted, joint_tallies
from knowact.suites.car.failure_tables import CLASSES, LIMIT, faults_looked_for, is_failed, why_failed
from knowact.suites.car.records import CONDUCT, FAULTY, RERUN, SUCCESS, UNGRADED

GAP: Final = 0.1
"""Less steady than this between one trial and three is worth a sentence."""
OFTEN: Final = 0.05
"""So many attempts with a faulty user are worth a sentence."""


def verdict(run: Run) -> Sequence[str]:
    """Say what a run shows, the most important sentence first."""
    return [sentence for arm in arms([run]) for sentence in _of(arm)]


def _of(arm: Arm) -> list[str]:
    joint = [
        *_joint(arm, CONDUCT, "Right conduct on both members of a pair"),
        *_joint(arm, SUCCESS, "Success on both"),
    ]
    return [*joint, *_alone(arm), *_steady(arm), *_why(arm), *_judged(arm), *_users(arm)]


def _joint(arm: Arm, measure: str, words: str) -> list[str]:
    found = joint_tallies(arm, measure)
    if not any(one.trials for one in found):
        return []
    by_kind = rates(found, Power.HAT, 1, SEED)
    known = [by_kind[kind] for kind in DERIVED if kind in by_kind]
    said = [said for rate in known if (said := _with_bounds(rate))]
    return [f"{words}: {', '.join(said)}."] if said else []


def _with_bounds(rate: Rate) -> str:
    """A share of tasks, and where it would lie if what is unscored had failed or succeeded."""
    if rate.estimate.value is None:
        return ""
    said = f"{rate.estimate.value:.0%} of the {rate.kind} tasks"
    if rate.least is None or rate.most is None or rate.least == rate.most:
        return said
    return f"{said} ({rate.least:.0%} if all unscored had failed, {rate.most:.0%} if all had succeeded)"


def _alone(arm: Arm) -> list[str]:
    found = {family: mean_estimate(arm.of(family), SUCCESS, SEED) for family in arm.families}
    said = [f"{one.value:.0%} of {family}" for family, one in found.items() if one.value is not None]
    return [f"Succeeds in {', '.join(said)} trials."] if said else ["No trial could be scored."]


def _steady(arm: Arm) -> list[str]:
    tallied = counted(arm.records)
    k = arm.k
    if k <= 1 or not any(one.trials >= k for one in tallied):
        return []
    first, every = (_overall(arm, number) for number in (1, k))
    if first is None or every is None or first - every < GAP:
        return []
    return [f"It is not steady: {first:.0%} at one trial, {every:.0%} at {k} of {k}."]


def _overall(arm: Arm, k: int) -> float | None:
    found = rates(counted(arm.records), Power.HAT, k, SEED)
    one = found.get(AVERAGE) or next(iter(found.values()))
    return one.estimate.value


def _why(arm: Arm) -> list[str]:
    said: list[str] = []
    for family in arm.families:
        classes = Counter(why_failed(record) for record in arm.of(family) if is_failed(record))
        if classes:
            first = classes.most_common(1)[0][0]
            named = [first, LIMIT] if first != LIMIT and classes[LIMIT] else [first]
            shares = [f"{classes[n] / classes.total():.0%} are {n} ({CLASSES.get(n, '')})" for n in named]
            said.append(f"Of the failed {family} trials {', '.join(shares)}.")
    return said


def _judged(arm: Arm) -> list[str]:
    judged = [record.verdicts[SUCCESS] for record in arm.records if SUCCESS in record.verdicts]
    said: list[str] = []
    if any(one.by == UNGRADED for one in judged):
        said.append("No judge was bound: the seven policies that only a model can judge are left out.")
    if unheard := sum(one.why == UNHEARD for one in judged):
        said.append(f"{unheard:,} trials hang on what the agent said, and are not judged.")
    return said


def _users(arm: Arm) -> list[str]:
    if not faults_looked_for(arm):
        return []
    attempts = sum(1 + record.flags.get(RERUN, 0) for record in arm.records)
    faulty = sum(record.flags.get(FAULTY, 0) for record in arm.records)
    if not attempts or faulty / attempts <= OFTEN:
        return []
    return [f"The simulated user was at fault in {faulty / attempts:.0%} of {attempts:,} attempts."]
