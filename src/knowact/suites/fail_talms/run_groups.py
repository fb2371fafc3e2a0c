"""Row heads of the tables: one run each, split by setting; and minimal pairs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from knowact.core.record import Record
from knowact.core.table import Estimate, Run
from knowact.measures import shares
from knowact.measures.clusters import SEED, numbered
from knowact.measures.confusion import Answer
from knowact.measures.intervals import mean
from knowact.measures.pairing import run_pairs
from knowact.measures.run_tables import Head, row_heads
from knowact.measures.sensitivity import member
from knowact.probes.strategies import NONE, STRATEGY
from knowact.suites.fail_talms.layout import Split

SETTINGS: Final = tuple(split.value for split in Split)
PERFECT: Final = Split.PERFECT.value
INCOMPLETE: Final = tuple(name for name in SETTINGS if name != PERFECT)
NOBODY: Final = "nobody"
HELP: Final = ("helper", "max_questions")
"""The options, and the role, in which a run with somebody to ask differs from one without."""


@dataclass(frozen=True, slots=True)
class RunGroup:
    """One run without what was broken. `settings` holds its records by setting, those that occur."""

    run: Run
    keys: Mapping[str, str]
    settings: Mapping[str, Sequence[Record]]

    @property
    def helper(self) -> str:
        """Who could be asked."""
        return str(self.run.options.get("helper", NOBODY))


def groups(runs: Sequence[Run]) -> list[RunGroup]:
    """The runs whose tools work."""
    made: list[RunGroup] = []
    for run, keys in zip(runs, _heads(runs), strict=True):
        if found := split(run.records):
            made.append(RunGroup(run, keys, found))
    return made


def split(records: Sequence[Record]) -> dict[str, list[Record]]:
    """The records without a broken tool, by setting; those settings that occur."""
    settings: dict[str, list[Record]] = {name: [] for name in SETTINGS}
    for record in records:
        if "broken" not in record.labels and record.labels.get("setting") in settings:
            settings[record.labels["setting"]].append(record)
    return {name: some for name, some in settings.items() if some}


def helped_pairs(every: Sequence[RunGroup]) -> Iterator[tuple[RunGroup, RunGroup]]:
    """Each run with somebody to ask, behind the one that is like it but for that."""
    by_id = {group.run.id: group for group in every}
    runs = [group.run for group in every]
    for plain, helped in run_pairs(HELP, runs, lambda run: by_id[run.id].helper == NOBODY):
        yield by_id[plain.id], by_id[helped.id]


def _heads(runs: Sequence[Run]) -> list[dict[str, str]]:
    return row_heads([(run, _keys(run)) for run in runs])


def _keys(run: Run) -> dict[str, str]:
    """Model, who can be asked, and what else is not as usual."""
    keys = {"model": run.model, "helper": str(run.options.get("helper", NOBODY))}
    changed: list[str] = []
    if int(run.options.get("distractors", 0)):
        changed.append(f"{run.options['distractors']} distractors")
    if run.options.get("rules", "definition") != "definition":
        changed.append(f"{run.options['rules']} rules")
    if run.options.get("after_no", "act") != "act":
        changed.append("skips after a no")
    if (strategy := run.options.get(STRATEGY, NONE)) != NONE:
        changed.append(str(strategy))
    return keys | ({"condition": ", ".join(changed)} if changed else {})


def broken_heads(runs: Sequence[Run]) -> list[Head]:
    """The trials with a broken tool, by run and by how it breaks."""
    heads: list[Head] = []
    for run, keys in zip(runs, _heads(runs), strict=True):
        found: dict[str, list[Record]] = {}
        for record in run.records:
            if "broken" in record.labels:
                found.setdefault(record.labels["broken"], []).append(record)
        heads += [Head({**keys, "broken": how}, part) for how, part in found.items()]
    return heads


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """An incomplete item and the perfect one that it was made from, in one run and epoch."""

    incomplete: Record
    perfect: Record


def minimal_pairs(group: RunGroup, setting: str) -> list[MinimalPair]:
    """The pairs of a setting; an item whose perfect one was not run is in none.

    Neither is one that can be done in spite of what it lacks: it would be a pair of two complete ones.
    """
    return pairs_of(group.settings, setting)


def pairs_of(settings: Mapping[str, Sequence[Record]], setting: str) -> list[MinimalPair]:
    """The same, of records by setting."""
    perfect = {(one.cluster, one.epoch): one for one in settings.get(PERFECT, ()) if one.scored}
    return [
        MinimalPair(one, perfect[one.cluster, one.epoch])
        for one in settings.get(setting, ())
        if (one.cluster, one.epoch) in perfect and one.scored and one.labels.get("possibility") != "possible"
    ]


def held_back(pairs: Sequence[MinimalPair]) -> list[Answer]:
    """What the agent did on both members of each pair."""
    return [
        member(
            f"{pair.incomplete.item} {pair.incomplete.epoch}",
            one.value("held_back"),
            one.cluster,
            complete=one is pair.perfect,
        )
        for pair in pairs
        for one in (pair.incomplete, pair.perfect)
    ]


def clustered(values: Sequence[tuple[str, float]]) -> Estimate:
    """The mean of (cluster, value) pairs, with an interval that resamples clusters; NaN enters nothing."""
    codes = numbered([cluster for cluster, _ in values])
    return mean(np.array([value for _, value in values], dtype=np.float64), codes, SEED)


def share(records: Sequence[Record], hits: Sequence[bool]) -> Estimate:
    """The share of hits among scored records, a yes or no for each record."""
    counted = [(hit, one.cluster) for one, hit in zip(records, hits, strict=True) if one.scored]
    return shares.share([hit for hit, _ in counted], [cluster for _, cluster in counted])
