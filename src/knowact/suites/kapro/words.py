"""The result of a run in words: the headline first, then what to make of it."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from knowact import authoring as ka
from knowact.core.table import supposing
from knowact.measures.chance import policies_of
from knowact.measures.columns import Columns
from knowact.measures.enough import Basis, basis, enough
from knowact.measures.quadrants import Quadrant
from knowact.measures.summary import mean_estimate
from knowact.suites.kapro.own_boundary import ACCURACIES, own_boundary_words
from knowact.suites.kapro.run_groups import CALLS, RunGroup, groups
from knowact.suites.kapro.tables import TRANSFERRED, average_of, kas_of

MARGIN = 0.02
"""Differences below two points are not worth a sentence."""


def summary_lines(run: ka.Run) -> Sequence[str]:
    """Say what a run shows, the most important sentence first."""
    return [*(said for group in groups([run]) for said in _of(group)), *TRANSFERRED.lines(run)]


def _of(group: RunGroup) -> list[str]:
    parts = {name: part for name, part in group.subspaces().items() if part.scored.any()}
    if not parts:
        return []
    said = [_headline(parts), *_against_baselines(parts)]
    if "internal" in parts:
        said += _restraint(parts["internal"])
    said += own_boundary_words(group)
    if group.condition != "clean":
        kind, _, count = group.condition.partition("-")
        said[0] = f"With {count} {kind}, {said[0]}"
    return said


def _headline(parts: Mapping[str, Columns]) -> str:
    scores = {name: kas_of(part) for name, part in parts.items()}
    known = {name: one.value for name, one in scores.items() if one.value is not None}
    if not known:
        return "Knowing and acting were not both measured, so there is no KAS."
    rests_on = [basis(parts[name], ACCURACIES) for name in known]
    if not all(enough(one.clusters) for one in rests_on):
        n = sum(scores[name].n for name in known)
        mean = math.fsum(known[name] * scores[name].n for name in known) / n
        counted = Basis.together(rests_on).counted()
        return f"KAS, averaged over the kinds of task, is {mean:.0%} on {counted}."
    weakest = min(known, key=lambda name: known[name])
    strongest = max(known, key=lambda name: known[name])
    if known[strongest] - known[weakest] < MARGIN:
        return f"KAS is {known[weakest]:.0%} on every kind of task."
    return f"KAS is {known[strongest]:.0%} on {strongest} tasks and {known[weakest]:.0%} on {weakest} ones."


def _against_baselines(parts: Mapping[str, Columns]) -> list[str]:
    """Compare with policies that do not read: doing worse than those is the plainest thing to say."""
    beaten: dict[tuple[str, str], list[str]] = {}
    for name, part in parts.items():
        kas = kas_of(part)
        found = policies_of(part).by_name
        worse = [policy for policy, value in found.items() if (kas.value or 0.0) < value - MARGIN]
        sure = [policy for policy in worse if kas.high is not None and kas.high < found[policy]]
        if worse and kas.value is not None and enough(basis(part, ACCURACIES).clusters):
            key = ("Worse" if sure else "Probably worse", " and ".join(sure or worse))
            beaten.setdefault(key, []).append(name)
    return [
        f"{how} than the {policies} baseline{'s' if ' and ' in policies else ''} "
        f"on {' and '.join(names)} tasks."
        for (how, policies), names in beaten.items()
    ]


def _restraint(part: Columns) -> list[str]:
    """On internal tasks every call is overuse; say whether it is the knowing or the doing that fails.

    A trial that ended without a call (a crash, an empty reply) is wrong, but nothing was called in it.
    """
    knew_only = part.values(Quadrant.KNEW_ONLY)
    measured = ~np.isnan(knew_only)
    if not measured.any():
        return []
    share = float(((knew_only == 1) & (part.values(CALLS) > 0))[measured].mean())
    if share > 0.2:  # noqa: PLR2004 - one in five is worth a sentence
        return [f"On {share:.0%} of internal tasks it knew that no tool is needed, and still called one."]
    over = mean_estimate(part, "over_know").value or 0.0
    if over > 0.5:  # noqa: PLR2004 - most of the time
        return [f"It judged a tool necessary on {over:.0%} of internal tasks; none is."]
    return []


def _average_of(run: ka.Run) -> ka.Estimate:
    """KAS over the subspaces of one run, each weighing the trials that it has a KAS of."""
    for group in groups([run]):
        return average_of(group)
    return ka.Estimate(None, 0)


def _policies_of(run: ka.Run) -> Mapping[str, float]:
    """The same average of policies that do not read: in each subspace KAS and accuracy are one number."""
    for group in groups([run]):
        found = policies_of(group.table)
        return found.by_name if found.n else {}
    return {}


HEADLINE = ka.Headline("KAS", _average_of, _policies_of, rests_on=ACCURACIES, suppose=supposing(*ACCURACIES))
