"""Row heads of the tables: one run each, split by setting; and twins, which belong together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from knowact.core.record import Record
from knowact.core.table import Estimate, Run
from knowact.measures.intervals import mean, wilson
from knowact.measures.run_tables import Head
from knowact.suites.fail_talms.layout import Split

SEED: Final = 0
"""Of the bootstrap: equal records give equal intervals."""

SETTINGS: Final = tuple(split.value for split in Split)
PERFECT: Final = Split.PERFECT.value
INCOMPLETE: Final = tuple(name for name in SETTINGS if name != PERFECT)
NOBODY: Final = "nobody"


@dataclass(frozen=True, slots=True)
class Arm:
    """One run without what was broken. `settings` holds its records by setting, those that occur."""

    run: Run
    keys: Mapping[str, str]
    settings: Mapping[str, Sequence[Record]]

    @property
    def helper(self) -> str:
        """Who could be asked."""
        return str(self.run.options.get("helper", NOBODY))

    @property
    def kin(self) -> tuple[object, ...]:
        """What two runs have in common that differ in nothing but who could be asked."""
        options = {k: v for k, v in self.run.options.items() if k not in ("helper", "max_questions")}
        return self.run.model, self.run.dataset.sha256, tuple(sorted(map(str, options.items())))


def arms(runs: Sequence[Run]) -> list[Arm]:
    """The runs whose tools work."""
    return [arm for arm in _all(runs) if arm.settings]


def _all(runs: Sequence[Run]) -> list[Arm]:
    made: list[Arm] = []
    for run, keys in zip(runs, _heads(runs), strict=True):
        whole = [record for record in run.records if "broken" not in record.labels]
        settings = {
            name: found
            for name in SETTINGS
            if (found := [record for record in whole if record.labels.get("setting") == name])
        }
        made.append(Arm(run, keys, settings))
    return made


def _heads(runs: Sequence[Run]) -> list[dict[str, str]]:
    """The row head of each run, no two alike."""
    several = len({(run.dataset.name, run.dataset.sha256) for run in runs}) > 1
    heads: list[dict[str, str]] = []
    for run in runs:
        keys = _keys(run, several=several)
        heads.append({**keys, "run": run.id} if keys in heads else keys)
    return heads


def _keys(run: Run, *, several: bool) -> dict[str, str]:
    """Model, who can be asked, and what else is not as usual."""
    keys = {"model": run.model, "to ask": str(run.options.get("helper", NOBODY))}
    changed: list[str] = []
    if int(run.options.get("distractors", 0)):
        changed.append(f"{run.options['distractors']} distractors")
    if run.options.get("rules", "definition") != "definition":
        changed.append(f"{run.options['rules']} rules")
    if run.options.get("gate", "record") != "record":
        changed.append("gated")
    if changed:
        keys["condition"] = ", ".join(changed)
    if several:
        keys["data"] = f"{run.dataset.name}@{run.dataset.version}"
    return keys


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
class Twins:
    """An incomplete item and the perfect one that it was made from, in one run and epoch."""

    incomplete: Record
    perfect: Record


def twins(arm: Arm, setting: str) -> list[Twins]:
    """The pairs of a setting; an item whose perfect twin was not run is in none.

    Neither is one that can be done in spite of what it lacks: it would be a pair of two complete ones.
    """
    perfect = {(one.cluster, one.epoch): one for one in arm.settings.get(PERFECT, ())}
    return [
        Twins(one, perfect[one.cluster, one.epoch])
        for one in arm.settings.get(setting, ())
        if (one.cluster, one.epoch) in perfect
        and one.labels.get("possibility") != "possible"
        and one.scored
        and perfect[one.cluster, one.epoch].scored
    ]


def clustered(values: Sequence[tuple[str, float]]) -> Estimate:
    """The mean of (cluster, value) pairs, with an interval that resamples clusters; NaN enters nothing."""
    places = {name: place for place, name in enumerate(sorted({name for name, _ in values}))}
    numbers = np.array([value for _, value in values], dtype=np.float64)
    codes = np.array([places[name] for name, _ in values], dtype=np.int64)
    return mean(numbers, codes, SEED)


def share(
    records: Sequence[Record], hit: Callable[[Record], bool], among: Callable[[Record], bool] = lambda _: True
) -> Estimate:
    """The share of scored records that `hit`, of those that count, with Wilson's interval."""
    counted = [record for record in records if record.scored and among(record)]
    return wilson(sum(map(hit, counted)), len(counted))
