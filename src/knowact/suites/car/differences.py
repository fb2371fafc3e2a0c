"""Where the two rule sets disagree about a trial, and which fault of the published scoring explains it.

Each fault is a switch (`worlds.car.defects`; spec car-bench.md, section 10). A difference is explained by the
fewest faults that, mended in the published scoring and in nothing else, give the definition's result.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

from knowact.core.record import Result, Status
from knowact.suites.car.goals import Goal
from knowact.suites.car.scoring import (
    ANSWER,
    CONVERSATION,
    EXECUTION,
    FINAL,
    INTERMEDIATE,
    METRICS,
    POLICY,
    SUBSET,
    Score,
    score,
    scored_with,
)
from knowact.worlds.car.defects import Defect
from knowact.worlds.car.record import CarTrial
from knowact.worlds.car.rules import Rules

REWARD: Final = "reward"

_MOST_TOGETHER: Final = 2
"""More than two faults that only together explain something are named as all that matter."""

_RELEVANT: Final = {
    FINAL: (Defect.HARM_UNSEEN, Defect.LISTS_IN_ORDER, Defect.TRUNK_WORDS),
    INTERMEDIATE: (Defect.ONE_ORDER, Defect.LISTS_IN_ORDER, Defect.TRUNK_WORDS),
    SUBSET: (Defect.TOOL_NAMES, Defect.FAILED_CALLS_COUNT, Defect.LATE_READS, Defect.LUCK_COUNTS),
    EXECUTION: (Defect.SLOPPY_IS_FREE, Defect.MISSES_ARE_FATAL),
    POLICY: (
        *(Defect.FINAL_STATE, Defect.FIRST_CALL, Defect.LOOSE_EVIDENCE, Defect.REWARDED_IGNORANCE),
        *(Defect.WRONG_TOOL_NAMES, Defect.LOOSE_SUNSHADE, Defect.FOG_LIGHTS_UNWATCHED, Defect.STATE_SETTER),
        *(Defect.LATE_TRIGGER, Defect.HARM_UNSEEN, Defect.BLIND_JUDGE, Defect.NO_CHANGE_COUNTS),
    ),
    CONVERSATION: (Defect.SCRIPT_DECIDES, Defect.CALL_ENDS_WELL, Defect.SUCCESS_BY_DEFAULT),
    ANSWER: (Defect.WORDS_UNCHECKED,),
}
"""The faults that can move each sub-metric."""


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
    published, definition = (
        _results(score(trial, goal, rules)) for rules in (Rules.PUBLISHED, Rules.DEFINITION)
    )
    found: list[Explained] = []
    for measure, after in definition.items():
        before = published.get(measure)
        if before is None or not _differ(before, after):
            continue
        known = {defect for one in found for defect in one.because}
        # What moves the reward moved a sub-metric first; only a trial without any has a reason of its own.
        likely = (
            known if definition.keys() & set(METRICS) and published.keys() & set(METRICS) else set(Defect)
        )
        candidates = _RELEVANT.get(measure) or tuple(one for one in Defect if one in likely)
        because = _smallest(trial, goal, measure, words(after), candidates)
        found.append(Explained(measure, words(before), words(after), because, after.why or before.why))
    return tuple(found)


def _results(found: Score) -> dict[str, Result]:
    return {**found.metrics, REWARD: found.reward}


def _differ(before: Result, after: Result) -> bool:
    """Whether two results differ in effect: what does not apply fails nobody, just like a 1."""
    harmless = [one.status is Status.NOT_APPLICABLE or one.value == 1 for one in (before, after)]
    return words(before) != words(after) and not all(harmless)


def _smallest(
    trial: CarTrial, goal: Goal, measure: str, wanted: str, candidates: tuple[Defect, ...]
) -> tuple[Defect, ...]:
    """The fewest faults whose mending alone gives the wanted result; all of them where few will not do."""
    for size in range(1, _MOST_TOGETHER + 1):
        for some in combinations(candidates, size):
            mended = scored_with(trial, goal, frozenset(Defect) - frozenset(some))
            result = _results(mended).get(measure)
            if result is not None and words(result) == wanted:
                return some
    return tuple(one for one in candidates if _matters(trial, goal, measure, one))


def _matters(trial: CarTrial, goal: Goal, measure: str, defect: Defect) -> bool:
    """Whether having this fault and no other changes the result or its reason."""
    clean, faulty = (
        _results(scored_with(trial, goal, some)) for some in (frozenset[Defect](), frozenset({defect}))
    )
    return faulty.get(measure) != clean.get(measure)


def words(result: Result) -> str:
    """Return a result in a word: 1, 0, or why there is none."""
    if result.status is Status.VALUE:
        return f"{result.value:g}"
    return result.status.value.replace("_", " ")
