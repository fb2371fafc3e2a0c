"""The result of a run in words: first what it amounts to, then what to make of it."""

from collections.abc import Mapping, Sequence

from knowact.core.record import Record, Status
from knowact.core.table import Run
from knowact.measures.summary import mean_estimate
from knowact.suites.fail_talms.arms import INCOMPLETE, NOBODY, PERFECT, SEED, Arm, arms, broken_heads
from knowact.suites.fail_talms.asking_tables import unspecific
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
    for measure, title in (("conduct", "Conduct right"), ("right", "Success")):
        known = _joint(arm, measure)
        if known:
            said.append(_best_and_worst(known, f"{title} on both twins"))
    return [*(said or _alone(arm)), *_blind(arm), *_inventing(arm), *_questions(arm)]


def _joint(arm: Arm, measure: str) -> dict[str, float]:
    """The share of twins that are right on both sides, by setting, where it was measured."""
    found = {
        setting: both_right(arm, setting, measure).value for setting in INCOMPLETE if setting in arm.settings
    }
    return {setting: value for setting, value in found.items() if value is not None}


def _best_and_worst(known: Mapping[str, float], title: str) -> str:
    worst, best = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
    head = f"{title}: {known[best]:.0%}"
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
    """Without twins (no perfect setting, or no form of what was said), each setting for itself."""
    found: list[str] = []
    for setting, records in arm.settings.items():
        aware_of = "sure that it has what it takes" if setting == PERFECT else "aware of what is missing"
        titles = {"conduct": "its conduct is right", "pass": "it passes", "aware": f"it is {aware_of}"}
        judged = [name for name in titles if not _unjudged(records, name)]
        measured = {name: mean_estimate(records, name, SEED) for name in judged}
        name = next((name for name, one in measured.items() if one.value is not None), "")
        if name:
            one = measured[name]
            found.append(f"On {_words(setting)} {titles[name]} in {one.value:.0%} of {one.n:,}.")
    return found


def _unjudged(records: Sequence[Record], measure: str) -> bool:
    """Whether nobody judged it: what was skipped has failed all the same, and would stand for the rest."""
    found = (record.verdicts.get(measure) for record in records)
    return any(one is not None and one.status is Status.NOT_JUDGED for one in found)


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
    vague = unspecific(every)
    if vague.value is not None and vague.value > OFTEN:
        said.append(f"Of its {vague.n:,} questions {vague.value:.0%} ask for nothing in particular.")
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
