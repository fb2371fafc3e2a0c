"""The headline of a run in sentences, the most important one first."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from knowact.core.table import Run
from knowact.measures.clusters import SEED
from knowact.measures.pass_k import AVERAGE, Power, Rate, rates
from knowact.measures.summary import mean_estimate
from knowact.suites.car.records import CONDUCT, FAULTY, RERUN, SUCCESS, UNGRADED
from knowact.suites.car.run_groups import DERIVED, RunGroup, counted, groups, joint_tallies
from knowact.suites.car.tables import CLASSES, LIMIT, faults_looked_for, is_failed, why_failed
from knowact.suites.car.termination import UNJUDGED

GAP: Final = 0.1
"""A larger drop from one trial to all of k trials gets a sentence."""
OFTEN: Final = 0.05
"""A larger share of attempts with a faulty user gets a sentence."""


def summary_lines(run: Run) -> Sequence[str]:
    """Say what a run shows, the most important sentence first."""
    return [sentence for group in groups([run]) for sentence in _of(group)]


def _of(group: RunGroup) -> list[str]:
    joint = [
        *_joint(group, CONDUCT, "Joint conduct"),
        *_joint(group, SUCCESS, "Joint success"),
    ]
    return [*joint, *_alone(group), *_steady(group), *_why(group), *_judged(group), *_users(group)]


def _joint(group: RunGroup, measure: str, words: str) -> list[str]:
    found = joint_tallies(group, measure)
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
    return f"{said} ({rate.least:.0%} if all unscored trials failed, {rate.most:.0%} if all succeeded)"


def _alone(group: RunGroup) -> list[str]:
    found = {family: mean_estimate(group.of(family), SUCCESS, SEED) for family in group.families}
    said = [f"{one.value:.0%} of {family}" for family, one in found.items() if one.value is not None]
    return [f"Succeeds in {', '.join(said)} trials."] if said else ["No trial could be scored."]


def _steady(group: RunGroup) -> list[str]:
    tallied = counted(group.records)
    k = group.k
    if k <= 1 or not any(one.trials >= k for one in tallied):
        return []
    first, every = (_overall(group, number) for number in (1, k))
    if first is None or every is None or first - every < GAP:
        return []
    return [f"It is inconsistent: {first:.0%} succeed once, {every:.0%} in all of {k} trials."]


def _overall(group: RunGroup, k: int) -> float | None:
    found = rates(counted(group.records), Power.HAT, k, SEED)
    one = found.get(AVERAGE) or next(iter(found.values()))
    return one.estimate.value


def _why(group: RunGroup) -> list[str]:
    said: list[str] = []
    for family in group.families:
        classes = Counter(why_failed(record) for record in group.of(family) if is_failed(record))
        if classes:
            first = classes.most_common(1)[0][0]
            named = [first, LIMIT] if first != LIMIT and classes[LIMIT] else [first]
            shares = [f"{classes[n] / classes.total():.0%} are {n} ({CLASSES.get(n, '')})" for n in named]
            said.append(f"Of the failed {family} trials {', '.join(shares)}.")
    return said


def _judged(group: RunGroup) -> list[str]:
    judged = [record.results[SUCCESS] for record in group.records if SUCCESS in record.results]
    said: list[str] = []
    if any(one.by == UNGRADED for one in judged):
        said.append("No judge was bound, so the seven judged policies are left out.")
    if unjudged := sum(one.why == UNJUDGED for one in judged):
        said.append(f"{unjudged:,} trials depend on the agent's words and are not judged.")
    return said


def _users(group: RunGroup) -> list[str]:
    if not faults_looked_for(group):
        return []
    attempts = sum(1 + record.flags.get(RERUN, 0) for record in group.records)
    faulty = sum(record.flags.get(FAULTY, 0) for record in group.records)
    if not attempts or faulty / attempts <= OFTEN:
        return []
    return [f"The simulated user was at fault in {faulty / attempts:.0%} of {attempts:,} attempts."]
