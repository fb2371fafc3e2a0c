"""The headline of a run in sentences, the most important one first."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from knowact.core.table import Estimate, Headline, Run, supposing
from knowact.measures.clusters import SEED
from knowact.measures.enough import enough
from knowact.measures.pass_k import AVERAGE, Power, Rate, rates
from knowact.measures.summary import mean_estimate
from knowact.suites.car.records import CONDUCT, FAULTY, RERUN, SUCCESS, UNGRADED
from knowact.suites.car.run_groups import DERIVED, RunGroup, counted, groups, joint_tallies, unread
from knowact.suites.car.tables import (
    ALWAYS_RIGHT,
    CLASSES,
    JOINT_CONDUCT,
    LIMIT,
    baselines,
    faults_looked_for,
    is_failed,
    why_failed,
)
from knowact.suites.car.termination import UNJUDGED

GAP: Final = 0.1
"""A larger drop from one trial to all of k trials gets a sentence."""
OFTEN: Final = 0.05
"""A larger share of attempts with a faulty user gets a sentence."""


def summary_lines(run: Run) -> Sequence[str]:
    """Say what a run shows, the most important sentence first."""
    made = (_as_published, _joint, _alone, _not_run, _steady, _why, _judged, _users)
    return [sentence for group in groups([run]) for make in made for sentence in make(group)]


def _as_published(group: RunGroup) -> Iterator[str]:
    """The paper's headline, under its rules."""
    if group.run.options.get("rules") == "published":
        found = rates(counted(group), Power.HAT, group.k, SEED).get(AVERAGE)
        if found is not None and found.estimate.value is not None:
            yield f"Pass^{group.k}, the mean over the types: {found.estimate.value:.0%}."


def _joint(group: RunGroup) -> Iterator[str]:
    for measure, words in ((CONDUCT, "Joint conduct"), (SUCCESS, "Joint success")):
        found = joint_tallies(group, measure)
        by_kind = rates(found, Power.HAT, 1, SEED) if any(one.trials for one in found) else {}
        said = [
            said
            for kind in DERIVED
            if kind in by_kind and (said := _share_of_tasks(by_kind[kind], bounded=not group.not_run))
        ]
        if said:
            yield f"{words}: {', '.join(said)}."


def _share_of_tasks(rate: Rate, *, bounded: bool) -> str:
    """A share of tasks; if bounded, with where it would lie had what is unscored failed or succeeded."""
    if rate.estimate.value is None:
        return ""
    said = f"{rate.estimate.value:.0%} of the {rate.kind} tasks"
    if not bounded or rate.least is None or rate.most is None or not rate.unscored:
        return said
    return f"{said} ({rate.least:.0%} if all unscored trials failed, {rate.most:.0%} if all succeeded)"


def _alone(group: RunGroup) -> Iterator[str]:
    read = [family for family in group.families if not unread(group.of(family), SUCCESS)]
    found = {family: mean_estimate(group.of(family), SUCCESS, SEED) for family in read}
    said = [f"{one.value:.0%} of {family}" for family, one in found.items() if one.value is not None]
    yield f"Succeeds in {', '.join(said)} trials." if said else "No trial could be scored."


def _not_run(group: RunGroup) -> Iterator[str]:
    """What stands in place of the bounds of types, where nothing says of which type a missing trial is."""
    if group.not_run:
        yield (
            f"{group.not_run:,} of {group.run.planned:,} planned trials have no record, "
            "so there are no bounds by type of task."
        )


def _steady(group: RunGroup) -> Iterator[str]:
    tallied, k = counted(group), group.k
    if k > 1 and enough(one.cluster for one in tallied if one.trials >= k):
        found = [rates(tallied, Power.HAT, number, SEED) for number in (1, k)]
        once, every = (one.get(AVERAGE, next(iter(one.values()))).estimate.value for one in found)
        if once is not None and every is not None and once - every >= GAP:
            yield f"It is inconsistent: {once:.0%} succeed once, {every:.0%} in all of {k} trials."


def _why(group: RunGroup) -> Iterator[str]:
    for family in group.families:
        classes = Counter(why_failed(record) for record in group.of(family) if is_failed(record))
        if classes:
            first = classes.most_common(1)[0][0]
            named = [first, LIMIT] if first != LIMIT and classes[LIMIT] else [first]
            shares = [f"{classes[n] / classes.total():.0%} are {n} ({CLASSES.get(n, '')})" for n in named]
            yield f"Of the failed {family} trials {', '.join(shares)}."


def _judged(group: RunGroup) -> Iterator[str]:
    judged = [record.results[SUCCESS] for record in group.records if SUCCESS in record.results]
    if any(one.by == UNGRADED for one in judged):
        yield "No judge was bound, so the seven judged policies are left out."
    if unjudged := sum(one.why == UNJUDGED for one in judged):
        yield f"{unjudged:,} trials depend on the agent's words and are not judged."


def _users(group: RunGroup) -> Iterator[str]:
    attempts = sum(1 + record.flags.get(RERUN, 0) for record in group.records)
    faulty = sum(record.flags.get(FAULTY, 0) for record in group.records)
    if faults_looked_for(group) and attempts and faulty / attempts > OFTEN:
        yield f"The simulated user was at fault in {faulty / attempts:.0%} of {attempts:,} attempts."


def _joint_of(run: Run) -> Estimate:
    """Joint conduct of one run: the mean over the types of derived tasks."""
    for group in groups([run]):
        found = joint_tallies(group, CONDUCT)
        if any(one.trials for one in found):
            rated = rates(found, Power.HAT, 1, SEED)
            return rated.get(AVERAGE, next(iter(rated.values()))).estimate
    return Estimate(None, 0)


def _policies_of(run: Run) -> Mapping[str, float]:
    """The same number of constant policies; each is wrong on a derived task or on its base task."""
    found: dict[str, list[float]] = {}
    for row in baselines([run]).rows:
        if row.measure == JOINT_CONDUCT and row.keys["policy"] != ALWAYS_RIGHT:
            found.setdefault(row.keys["policy"], []).append(row.estimate.value or 0.0)
    return {policy: math.fsum(values) / len(values) for policy, values in found.items()}


HEADLINE: Final = Headline(
    JOINT_CONDUCT, _joint_of, _policies_of, rests_on=(CONDUCT,), suppose=supposing(CONDUCT)
)
