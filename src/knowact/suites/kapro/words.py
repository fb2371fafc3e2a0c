"""The result of a run in words: first what it amounts to, then what to make of it."""

from collections.abc import Mapping, Sequence

from knowact.core.table import Run
from knowact.measures.chance import policies_of
from knowact.measures.columns import Columns
from knowact.measures.quadrants import Quadrant
from knowact.measures.summary import kas_estimate, mean_estimate
from knowact.suites.kapro.arms import SEED, Arm, arms

MARGIN = 0.02
"""Differences below two points are not worth a sentence."""


def verdict(run: Run) -> Sequence[str]:
    """Say what a run shows, the most important sentence first."""
    return [sentence for arm in arms([run]) for sentence in _of(arm)]


def _of(arm: Arm) -> list[str]:
    parts = {name: part for name, part in arm.subspaces().items() if part.scored.any()}
    if not parts:
        return []
    said = [_headline(parts), *_against_policies(parts)]
    if "internal" in parts:
        said += _restraint(parts["internal"])
    if arm.condition != "clean":
        kind, _, count = arm.condition.partition("-")
        said[0] = f"With {count} {kind}, {said[0]}"
    return said


def _headline(parts: Mapping[str, Columns]) -> str:
    scores = {name: kas_estimate(part, "acc_know", "acc_act", SEED).value for name, part in parts.items()}
    known = {name: score for name, score in scores.items() if score is not None}
    if not known:
        return "Knowing and acting were not both measured, so there is no KAS."
    weakest = min(known, key=lambda name: known[name])
    strongest = max(known, key=lambda name: known[name])
    if known[strongest] - known[weakest] < MARGIN:
        return f"KAS is {known[weakest]:.0%} on every kind of task."
    return f"KAS is {known[strongest]:.0%} on {strongest} tasks and {known[weakest]:.0%} on {weakest} ones."


def _against_policies(parts: Mapping[str, Columns]) -> list[str]:
    """Compare with agents that do not read: doing worse than those is the plainest thing to say."""
    beaten: dict[tuple[str, str], list[str]] = {}
    for name, part in parts.items():
        kas = kas_estimate(part, "acc_know", "acc_act", SEED)
        if kas.value is None:
            continue
        found = policies_of(part)
        floors = {"mark everything": found.everything, "mark nothing": found.nothing, "a coin": found.coin}
        below = [who for who, floor in floors.items() if kas.value < floor - MARGIN]
        sure = [who for who in below if kas.high is not None and kas.high < floors[who]]
        if below:
            key = ("Below" if sure else "Probably below", " and ".join(sure or below))
            beaten.setdefault(key, []).append(name)
    return [f"{how} {who} on {' and '.join(names)} tasks." for (how, who), names in beaten.items()]


def _restraint(part: Columns) -> list[str]:
    """On internal tasks every call is overuse; say whether it is the knowing or the doing that fails."""
    counted = part.quadrants()
    if not counted.n:
        return []
    shares = counted.shares
    if shares[Quadrant.KNEW_ONLY] > 0.2:  # noqa: PLR2004 - one in five is worth a sentence
        share = shares[Quadrant.KNEW_ONLY]
        return [
            f"On {share:.0%} of internal tasks it knew that no tool is needed and called one all the same."
        ]
    over = mean_estimate(part, "over_know", SEED).value or 0.0
    if over > 0.5:  # noqa: PLR2004 - most of the time
        return [f"It took a tool for needed on {over:.0%} of internal tasks, where none is."]
    return []
