"""The result of a run in words: first what it amounts to, then what to make of it."""

from collections.abc import Mapping, Sequence

from knowact.core.record import Record
from knowact.core.table import Run
from knowact.measures.summary import mean_estimate
from knowact.suites.fail_talms.arms import INCOMPLETE, NOBODY, PERFECT, SEED, Arm, arms, broken_heads
from knowact.suites.fail_talms.asking_tables import UNMATCHED_WORTH_SAYING, unmatched
from knowact.suites.fail_talms.tables import balanced, both_right

OFTEN = 0.2
"""One in five is worth a sentence."""
CHANCE = 0.55
"""Balanced awareness below this is hardly better than always saying the same."""


def verdict(run: Run) -> Sequence[str]:
    """Say what a run shows, the most important sentence first."""
    said = [sentence for arm in arms([run]) for sentence in _of(arm)]
    return said + _broken(run)


def _of(arm: Arm) -> list[str]:
    said: list[str] = []
    joint = {
        setting: both_right(arm, setting, "right").value for setting in INCOMPLETE if setting in arm.settings
    }
    known = {setting: value for setting, value in joint.items() if value is not None}
    if known:
        worst, best = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
        said.append(_best_and_worst(known, best, worst))
    else:
        said += _alone(arm)
    return [*said, *_blind(arm), *_inventing(arm), *_questions(arm)]


def _best_and_worst(known: Mapping[str, float], best: str, worst: str) -> str:
    head = f"Right on both twins: {known[best]:.0%}"
    if len(known) > 1 and known[best] == known[worst]:
        return f"{head}, whatever is missing."
    tail = f", {known[worst]:.0%} of {_words(worst)}" if len(known) > 1 else ""
    return f"{head} of {_words(best)}{tail}."


def _words(setting: str) -> str:
    return {
        "under-specified": "the under-specified items",
        "unavailable-replaceable": "the items without a replaceable tool",
        "unavailable-non-replaceable": "the items without a tool that nobody can replace",
        "no-tools": "the items without any tool",
        PERFECT: "the perfect items",
    }[setting]


def _alone(arm: Arm) -> list[str]:
    """Without the perfect setting there are no twins: each setting for itself."""
    found: list[str] = []
    for setting, records in arm.settings.items():
        right, aware = (mean_estimate(records, name, SEED) for name in ("right", "aware"))
        measured = right if right.value is not None else aware
        aware_of = "sure that it has what it takes" if setting == PERFECT else "aware of what is missing"
        what = "right" if right.value is not None else aware_of
        if measured.value is not None:
            found.append(f"On {_words(setting)} it is {what} in {measured.value:.0%} of {measured.n:,}.")
    return found


def _blind(arm: Arm) -> list[str]:
    blind = [
        setting
        for setting in INCOMPLETE
        if (value := balanced(arm, setting).value) is not None and value < CHANCE
    ]
    if not blind:
        return []
    every = [setting for setting in INCOMPLETE if setting in arm.settings]
    where = "" if blind == every else f", on {' and '.join(map(_words, blind))}"
    return [f"What it says of its limits is no better than always saying the same{where}."]


def _inventing(arm: Arm) -> list[str]:
    lacking: list[Record] = [one for name in INCOMPLETE for one in arm.settings.get(name, ())]
    made_up, guessed = (mean_estimate(lacking, name, SEED) for name in ("made_up", "guessed"))
    said: list[str] = []
    if made_up.value is not None and made_up.value > OFTEN:
        said.append(
            f"It states what nobody can know in {made_up.value:.0%} of the items that lack something."
        )
    if guessed.value is not None and guessed.value > OFTEN:
        said.append(f"It calls tools with values that nobody gave it in {guessed.value:.0%} of the items.")
    return said


def _questions(arm: Arm) -> list[str]:
    if arm.helper == NOBODY:
        return []
    every = [record for records in arm.settings.values() for record in records]
    said: list[str] = []
    lost = unmatched(every)
    if lost.value is not None and lost.value > UNMATCHED_WORTH_SAYING:
        said.append(
            f"The scripted person did not understand {lost.value:.0%} of {lost.n:,} questions: the numbers "
            "with help say less than they seem to."
        )
    alarms = mean_estimate(arm.settings.get(PERFECT, ()), "asked", SEED)
    if alarms.value is not None and alarms.value > OFTEN:
        said.append(f"It asks in {alarms.value:.0%} of the perfect items, where nothing is missing.")
    return said


def _broken(run: Run) -> list[str]:
    heads = broken_heads([run])
    records = [record for head in heads for record in head.records]
    told = mean_estimate(records, "told", SEED)
    if told.value is None:
        return []
    passed = mean_estimate(records, "passed_on", SEED)
    said = [f"Of the broken tools that it called, it names {told.value:.0%} in the end."]
    if passed.value is not None:
        said.append(f"It passes on {passed.value:.0%} of the plausible but wrong results.")
    return said
