"""The result of a run in words: first what it amounts to, then what to make of it."""

from collections.abc import Mapping, Sequence
from typing import Final

from knowact.core.table import Run
from knowact.measures.confusion import Score, estimate
from knowact.measures.summary import mean_estimate
from knowact.people.baseline import ANNOTATOR
from knowact.suites.ict.arms import COLUMNS, SEED, Arm, arms, conduct_answers, explicit_answers
from knowact.suites.ict.asked import FEEDBACK, IMPLICIT
from knowact.suites.ict.tables import joint_conduct

LEANING: Final = 0.25
"""Recalls that lie so far apart say that an answer is preferred, not found."""
INVENTING: Final = 0.1
WORDS: Final = {
    "AR-AB": "dialogues without the right tool",
    "AR-TB": "requests without the right tool",
    "UR-AB": "dialogues without the needed words",
    "UR-TB": "requests without the needed words",
}


def verdict(run: Run) -> Sequence[str]:
    """Say what a run shows, the most important sentence first."""
    if ANNOTATOR in run.options:
        said = estimate(Score.ACCURACY, explicit_answers(run.records), SEED)
        return [] if said.value is None else [f"A person: right on {said.value:.0%} of {said.n:,} items."]
    return [sentence for arm in arms([run]) for sentence in _of(arm)]


def _of(arm: Arm) -> list[str]:
    return [
        *_conduct(arm),
        *_said(arm),
        *_leaning(arm),
        *_going_on(arm),
        *_after_a_call(arm),
        *_halves(arm),
    ]


def _conduct(arm: Arm) -> list[str]:
    """The headline, or why there is none."""
    if arm.unjudged:
        return [f"Joint conduct is not judged: nobody read {arm.unjudged:,} trials. It takes --judge MODEL."]
    found = {part: joint_conduct(arm, conduct_answers(arm.records(part))).value for part in COLUMNS}
    return _best_and_worst("Joint conduct", found)


def _said(arm: Arm) -> list[str]:
    found = {
        part: estimate(Score.PAIR_ACCURACY, explicit_answers(arm.records(part)), SEED).value
        for part in COLUMNS
    }
    return _best_and_worst("Both answers of a pair right", found)


def _best_and_worst(name: str, values: Mapping[str, float | None]) -> list[str]:
    found = {part: value for part, value in values.items() if value is not None}
    if not found:
        return []
    worst, best = min(found, key=found.__getitem__), max(found, key=found.__getitem__)
    head = f"{name}: {found[best]:.0%}"
    if len(found) > 1 and found[best] == found[worst]:
        return [f"{head}, whatever is missing."]
    tail = f", {found[worst]:.0%} of the {WORDS[worst]}" if len(found) > 1 else ""
    return [f"{head} of the {WORDS[best]}{tail}."]


def _leaning(arm: Arm) -> list[str]:
    """Whether it prefers an answer."""
    said = explicit_answers(arm.records())
    no, yes = (estimate(score, said, SEED).value for score in (Score.RECALL_NO, Score.RECALL_YES))
    if no is None or yes is None or abs(no - yes) < LEANING:
        return []
    word, other = ("no", "yes") if no > yes else ("yes", "no")
    high, low = f"{max(no, yes):.0%}", f"{min(no, yes):.0%}"
    return [f"It leans to {word}: right on {high} where {word} is right, {low} where {other} is."]


def _going_on(arm: Arm) -> list[str]:
    records = [record for record in arm.records() if record.value("called") >= 0]
    lacking = [record for record in records if record.labels["gold"] != "complete"]
    if not lacking:
        return []
    right = None if arm.unjudged else mean_estimate(records, IMPLICIT, SEED).value
    called = mean_estimate(lacking, "called", SEED).value or 0.0
    invented = sum("implicit_made_up_answer" in record.flags for record in lacking) / len(lacking)
    said = [f"When the dialogue goes on, it does right in {right:.0%}."] if right is not None else []
    said.append(f"Where something is missing it still calls a tool in {called:.0%}.")
    if invented > INVENTING:
        said.append(f"It makes an answer up in {invented:.0%} of those.")
    return said


def _after_a_call(arm: Arm) -> list[str]:
    records = [record for record in arm.run.records if record.scored and "call" in record.labels]
    both = estimate(Score.PAIR_ACCURACY, explicit_answers(records, FEEDBACK), SEED)
    if both.value is None:
        return []
    return [f"After a call's outcome it tells complete from removed in {both.value:.0%} of {both.n:,} pairs."]


def _halves(arm: Arm) -> list[str]:
    records = [record for record in arm.records(kind="partly") if record.labels["gold"] == "partly"]
    no = mean_estimate(records, "explicit", SEED).value
    if no is None:
        return []
    return [f"Of the requests of which only one half can be served, it says no to {no:.0%}."]
