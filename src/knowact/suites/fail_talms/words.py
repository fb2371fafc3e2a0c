"""The result of a run in words: the headline first, then what to make of it."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from knowact.core.record import Record, Status
from knowact.core.table import Headline, Run, supposing
from knowact.measures.enough import Basis, basis, enough
from knowact.measures.run_tables import best_and_worst
from knowact.measures.summary import mean_estimate
from knowact.suites.fail_talms.run_groups import (
    INCOMPLETE,
    NOBODY,
    PERFECT,
    MinimalPair,
    RunGroup,
    broken_heads,
    groups,
    minimal_pairs,
)
from knowact.suites.fail_talms.tables import JOINT_CONDUCT, balanced, both_right, pairs_right, unspecific
from knowact.suites.fail_talms.transfer import TRANSFERRED

OFTEN = 0.2
"""One in five is worth a sentence."""
CHANCE = 0.55
"""Balanced awareness below this is hardly better than always saying the same."""


def summary_lines(run: Run) -> Sequence[str]:
    """Say what a run shows, the most important sentence first."""
    said = [sentence for group in groups([run]) for sentence in _of(group)]
    return [*said, *_broken(run), *TRANSFERRED.lines(run)]


def _of(group: RunGroup) -> list[str]:
    said: list[str] = []
    for measure, title in (
        ("conduct", "Conduct right on both items of a pair"),
        ("right", "Success on both"),
    ):
        settings = [name for name in INCOMPLETE if name in group.settings]
        found = {name: both_right(group, name, measure) for name in settings}
        pairs = {name: _measured(minimal_pairs(group, name), measure) for name in settings}
        said += best_and_worst(title, found, pairs, NAMES)
    return [*(said or _alone(group)), *_blind(group), *_fabrication(group), *_questions(group)]


def _measured(pairs: Sequence[MinimalPair], measure: str) -> Basis:
    """The pairs of which both items have a value, each named by its incomplete item."""
    return Basis.of(
        [
            (pair.incomplete.item, pair.perfect.cluster)
            for pair in pairs
            if not math.isnan(pair.incomplete.value(measure) + pair.perfect.value(measure))
        ]
    )


NAMES: Final = {
    "under-specified": "the under-specified items",
    "unavailable-replaceable": "the items without a replaceable tool",
    "unavailable-non-replaceable": "the items without a non-replaceable tool",
    "no-tools": "the items without any tool",
    PERFECT: "the perfect items",
}


def _alone(group: RunGroup) -> list[str]:
    """Without minimal pairs (no perfect setting, or replies that were not read), each setting by itself."""
    found: list[str] = []
    for setting, records in group.settings.items():
        aware_of = "sure that it has what it takes" if setting == PERFECT else "aware of what is missing"
        titles = {"conduct": "its conduct is right", "pass": "it passes", "aware": f"it is {aware_of}"}
        judged = [name for name in titles if not _unjudged(records, name)]
        measured = {name: mean_estimate(records, name) for name in judged}
        name = next((name for name, one in measured.items() if one.value is not None), "")
        if name:
            one = measured[name]
            items = basis(records, (name,)).counted()
            found.append(f"On {NAMES[setting]} {titles[name]} in {one.value:.0%} of {items}.")
    return found


def _unjudged(records: Sequence[Record], measure: str) -> bool:
    """Whether nobody judged it: as published what was skipped has failed all the same, for all the rest."""
    found = (record.results.get(measure) for record in records)
    return any(one is not None and one.status is Status.NOT_JUDGED for one in found)


def _blind(group: RunGroup) -> list[str]:
    blind = [
        setting
        for setting in INCOMPLETE
        if enough(_measured(minimal_pairs(group, setting), "aware").clusters)
        and (found := balanced(group, setting).value) is not None
        and found < CHANCE
    ]
    if not blind:
        return []
    every = [setting for setting in INCOMPLETE if setting in group.settings]
    where = "" if blind == every else f", on {' and '.join(NAMES[name] for name in blind)}"
    return [f"Its awareness is no better than a constant answer{where}."]


def _fabrication(group: RunGroup) -> list[str]:
    lacking: list[Record] = [one for name in INCOMPLETE for one in group.settings.get(name, ())]
    fabricated, guessed = (mean_estimate(lacking, name) for name in ("fabricated", "guessed"))
    said: list[str] = []
    if fabricated.value is not None and fabricated.value > OFTEN:
        said.append(
            f"It states what cannot be known on {fabricated.value:.0%} of the items that lack something."
        )
    if guessed.value is not None and guessed.value > OFTEN:
        said.append(
            f"It calls tools with fabricated values on {guessed.value:.0%} of the items that lack a value."
        )
    return said


def _questions(group: RunGroup) -> list[str]:
    if group.helper == NOBODY:
        return []
    every = [record for records in group.settings.values() for record in records]
    said: list[str] = []
    vague = unspecific(every)
    if vague.value is not None and vague.value > OFTEN:
        said.append(f"{vague.value:.0%} of its {vague.n:,} questions are unspecific.")
    alarms = mean_estimate(group.settings.get(PERFECT, ()), "asked")
    if alarms.value is not None and alarms.value > OFTEN:
        said.append(f"It asks on {alarms.value:.0%} of the perfect items, where nothing is missing.")
    return said


def _broken(run: Run) -> list[str]:
    heads = broken_heads([run])
    records = [record for head in heads for record in head.records]
    told = mean_estimate(records, "told")
    if told.value is None:
        return []
    passed = mean_estimate(records, "passed_on")
    said = [f"It reports {told.value:.0%} of the broken tools that it called."]
    if passed.value is not None:
        said.append(f"It passes on {passed.value:.0%} of the plausible but wrong results.")
    return said


def _every_pair(run: Run) -> list[MinimalPair]:
    return [one for group in groups([run]) for name in INCOMPLETE for one in minimal_pairs(group, name)]


def _policies_of(run: Run) -> Mapping[str, float]:
    """Going ahead always and holding back always are right on one item of each pair."""
    return {"always go ahead": 0.0, "always hold back": 0.0} if _every_pair(run) else {}


HEADLINE: Final = Headline(
    JOINT_CONDUCT,
    lambda run: pairs_right(_every_pair(run), "conduct"),
    _policies_of,
    rests_on=("conduct",),
    suppose=supposing("conduct"),
)
