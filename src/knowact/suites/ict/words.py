"""The result of a run in words: the headline first, then what to make of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from knowact.core.record import Outcome, Record
from knowact.core.table import Estimate, Headline, Run, supposing
from knowact.measures.confusion import (
    Answer,
    Score,
    both_scored,
    constant_policies,
    estimate,
    rests_on,
    scored,
)
from knowact.measures.enough import Basis, basis, enough
from knowact.measures.run_tables import best_and_worst
from knowact.measures.summary import mean_estimate
from knowact.roles.baseline import ANNOTATOR
from knowact.suites.ict.asked import EXPLICIT, FEEDBACK, IMPLICIT
from knowact.suites.ict.conduct import OTHER
from knowact.suites.ict.run_groups import (
    COLUMNS,
    RunGroup,
    conduct_answers,
    explicit_answers,
    groups,
    pair_of,
)
from knowact.suites.ict.tables import JOINT, joint_conduct
from knowact.suites.ict.transfer import TRANSFERRED

LEANING: Final = 0.25
"""Recalls this far apart show that the agent prefers an answer."""
FABRICATING: Final = 0.1
WORDS: Final = {
    "AR-AB": "the dialogues without the right tool",
    "AR-TB": "the requests without the right tool",
    "UR-AB": "the dialogues without the needed words",
    "UR-TB": "the requests without the needed words",
}


def summary_lines(run: Run) -> Sequence[str]:
    """Say what a run shows, the most important sentence first."""
    if ANNOTATOR in run.options:
        said = estimate(Score.ACCURACY, explicit_answers(run.records))
        items = basis(run.records, (EXPLICIT,)).counted()
        return [] if said.value is None else [f"A person: right on {said.value:.0%} of {items}."]
    return [*(said for group in groups([run]) for said in _of(group)), *TRANSFERRED.lines(run)]


def _of(group: RunGroup) -> list[str]:
    return [
        *_conduct(group),
        *_said(group),
        *_leaning(group),
        *_going_on(group),
        *_after_a_call(group),
        *_halves(group),
    ]


def _conduct(group: RunGroup) -> list[str]:
    """The headline, or why there is none."""
    if group.unjudged:
        return [f"Joint conduct is not judged: {group.unjudged:,} replies were not read. Use --judge MODEL."]
    done = {part: conduct_answers(group.records(part)) for part in COLUMNS}
    found = {part: joint_conduct(group, answers) for part, answers in done.items()}
    pairs = {part: _whole_pairs(group.records(part), answers) for part, answers in done.items()}
    return best_and_worst("Joint conduct", found, pairs, WORDS)


def _said(group: RunGroup) -> list[str]:
    said = {part: explicit_answers(group.records(part)) for part in COLUMNS}
    found = {part: estimate(Score.PAIR_ACCURACY, answers) for part, answers in said.items()}
    pairs = {part: _whole_pairs(group.records(part), answers) for part, answers in said.items()}
    return best_and_worst("Both answers of a pair right", found, pairs, WORDS)


def _whole_pairs(records: Sequence[Record], answers: Sequence[Answer]) -> Basis:
    """The pairs of which both items were answered. Each outcome of a call makes a pair of its own."""
    whole = {one.pair for one in both_scored(answers)}
    return Basis.of(
        [
            (f"{record.labels['pair']} {record.labels.get('call', '')}", record.cluster)
            for record in records
            if record.labels["gold"] == "complete" and pair_of(record) in whole
        ]
    )


def _leaning(group: RunGroup) -> list[str]:
    """Whether it prefers an answer."""
    said = explicit_answers(group.records())
    recalls = [estimate(score, said) for score in (Score.RECALL_NO, Score.RECALL_YES)]
    no, yes = (one.value for one in recalls)
    known = scored(said)
    compared = all(enough(one.cluster for one in known if one.complete is side) for side in (False, True))
    if no is None or yes is None or not compared or abs(no - yes) < LEANING:
        return []
    word, other = ("no", "yes") if no > yes else ("yes", "no")
    high, low = f"{max(no, yes):.0%}", f"{min(no, yes):.0%}"
    return [f"It leans to {word}: right on {high} where {word} is right, {low} where {other} is."]


def _going_on(group: RunGroup) -> list[str]:
    records = [record for record in group.records() if record.value("called") >= 0]
    lacking = [record for record in records if record.labels["gold"] != "complete"]
    if not lacking:
        return []
    right = None if group.unjudged else mean_estimate(records, IMPLICIT).value
    called = mean_estimate(lacking, "called").value or 0.0
    fabricated = sum("implicit_made_up_answer" in record.flags for record in lacking) / len(lacking)
    said = (
        [f"Continuing the dialogue, it does right on {right:.0%} of the items."] if right is not None else []
    )
    said.append(f"Where something is missing, it still calls a tool on {called:.0%}.")
    if fabricated > FABRICATING:
        said.append(f"It fabricates an answer in {fabricated:.0%} of those.")
    return said


def _after_a_call(group: RunGroup) -> list[str]:
    records = [record for record in group.run.records if record.scored and "call" in record.labels]
    answers = explicit_answers(records, FEEDBACK)
    both = estimate(Score.PAIR_ACCURACY, answers)
    if both.value is None:
        return []
    pairs = _whole_pairs(records, answers).counted("pair")
    return [f"After a call it tells complete from removed in {both.value:.0%} of {pairs}."]


def _halves(group: RunGroup) -> list[str]:
    records = [record for record in group.records(kind="partly") if record.labels["gold"] == "partly"]
    no = mean_estimate(records, "explicit").value
    if no is None:
        return []
    return [f"It says no to {no:.0%} of the partly possible requests."]


def _joint_of(run: Run) -> Estimate:
    """Joint conduct over all items of one run; no value where they were not asked so, or people were."""
    for group in groups([run]):
        if done := conduct_answers(group.records()):
            return joint_conduct(group, done)
    return Estimate(None, 0)


def _policies_of(run: Run) -> Mapping[str, float]:
    """An agent that always calls and one that never does are right on one item of each pair."""
    done = conduct_answers([record for group in groups([run]) for record in group.records()])
    if not rests_on(Score.PAIR_ACCURACY, done):
        return {}
    constant = constant_policies(done)[Score.PAIR_ACCURACY]
    return {"always call": constant["yes"], "never call": constant["no"]}


def _suppose(record: Record, right: bool) -> Record:  # noqa: FBT001 - the truth itself
    """A lost trial as one that did right, or something that is neither a call nor restraint."""
    found = supposing(IMPLICIT)(record, right)
    outcomes = {**found.outcomes, IMPLICIT: Outcome.ANSWERED}
    return replace(found, outcomes=outcomes, flags={**found.flags, f"implicit_{OTHER}": 1})


HEADLINE: Final = Headline(JOINT, _joint_of, _policies_of, rests_on=(IMPLICIT,), suppose=_suppose)
