"""Where the two rule sets disagree about a trial, and which fault of the published scoring explains it.

Each fault is a switch (`worlds.car.defects`; CAR-bench). A difference is explained by
faults that, mended in the published scoring and in nothing else, give the definition's result, and of which
none can be left out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from knowact.core.record import Result, Status
from knowact.suites.car.goals import Goal
from knowact.suites.car.scoring import scored_with
from knowact.worlds.car.defects import Defect, defects
from knowact.worlds.car.record import CarTrial
from knowact.worlds.car.rules import Rules

REWARD: Final = "reward"

_Results = Callable[[frozenset[Defect]], Mapping[str, Result]]
"""From the faults that are on to the sub-metrics and the reward."""


@dataclass(frozen=True, slots=True)
class Explained:
    """One sub-metric that the rule sets see otherwise.

    Attributes:
        metric: Its name, or "reward".
        published: What the published rules say, in words.
        definition: What the definition says.
        because: The faults that explain it.
        why: The definition's reason, or the published one's where that failed it.
    """

    metric: str
    published: str
    definition: str
    because: tuple[Defect, ...]
    why: str


def explained(trial: CarTrial, goal: Goal) -> tuple[Explained, ...]:
    """Return every sub-metric that comes out otherwise, and the reward where it does."""

    @cache
    def results(faults: frozenset[Defect]) -> dict[str, Result]:
        found = scored_with(trial, goal, faults)
        return {**found.metrics, REWARD: found.reward}

    published, definition = (results(defects(rules)) for rules in (Rules.PUBLISHED, Rules.DEFINITION))
    return tuple(
        Explained(
            measure,
            words(before),
            words(after),
            _because(results, measure, words(after)),
            after.why or before.why,
        )
        for measure, after in definition.items()
        if (before := published.get(measure)) is not None and _differ(before, after)
    )


def _differ(before: Result, after: Result) -> bool:
    """Whether two results differ in effect: what does not apply fails nobody, just like a 1."""
    harmless = [one.status is Status.NOT_APPLICABLE or one.value == 1 for one in (before, after)]
    return words(before) != words(after) and not all(harmless)


def _because(results: _Results, measure: str, wanted: str) -> tuple[Defect, ...]:
    """The faults to be mended: of all, those are left out without which the result is as wanted, too."""
    needed = list(Defect)
    for defect in reversed(Defect):
        fewer = [one for one in needed if one is not defect]
        result = results(frozenset(Defect) - frozenset(fewer)).get(measure)
        if result is not None and words(result) == wanted:
            needed = fewer
    return tuple(needed)


def words(result: Result) -> str:
    """Return a result in a word: 1, 0, or why there is none."""
    if result.status is Status.VALUE:
        return f"{result.value:g}"
    return result.status.value.replace("_", " ")
