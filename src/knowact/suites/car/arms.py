"""Row heads of the tables: one run each; and twins, which belong together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from knowact.core.record import Record, Status, Verdict
from knowact.core.table import Run
from knowact.measures.pass_k import Tally, tallies
from knowact.suites.car.items import CROSSED, FAMILIES
from knowact.suites.car.records import CONDUCT, SUCCESS

SEED: Final = 0
"""Of the bootstrap: equal records give equal intervals."""

DERIVED: Final = FAMILIES[1:]
AVERAGED: Final = "average"
BOTH: Final = "joint"
BOTH_CONDUCT: Final = "joint_conduct"
"""The verdicts on a trial and on its base task's in the same round, where runs are compared: success on both,
and the right conduct on both."""
K: Final = 3
"""Trials of the paper's headline (spec car-bench.md, section 9.1)."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One run: its row head, and its records."""

    run: Run
    keys: Mapping[str, str]

    @property
    def records(self) -> Sequence[Record]:
        """All of them."""
        return self.run.records

    @property
    def most(self) -> int:
        """How many trials the most often tried task has."""
        return max((record.epoch for record in self.records), default=0)

    @property
    def k(self) -> int:
        """The paper's three trials, or as many as there are."""
        return min(K, self.most)

    def of(self, family: str) -> list[Record]:
        """The records of one type of task."""
        return [record for record in self.records if record.labels.get("type") == family]

    @property
    def families(self) -> tuple[str, ...]:
        """The types that occur, in the paper's order."""
        return tuple(family for family in FAMILIES if self.of(family))


def arms(runs: Sequence[Run]) -> list[Arm]:
    """The runs that have records."""
    several = len({(run.dataset.name, run.dataset.sha256) for run in runs}) > 1
    made: list[Arm] = []
    for run in runs:
        keys = _keys(run, several=several)
        if any(arm.keys == keys for arm in made):
            keys["run"] = run.id
        if run.records:
            made.append(Arm(run, keys))
    return made


def _keys(run: Run, *, several: bool) -> dict[str, str]:
    """Model, who played the user, and what else is not as usual."""
    keys = {"model": run.model, "user": str(run.options.get("user", "scripted"))}
    changed: list[str] = []
    if (strategy := run.options.get("strategy", "none")) != "none":
        changed.append(str(strategy))
    if run.options.get("tool_lists", CROSSED) != CROSSED:
        changed.append("whole tool lists")
    if run.options.get("rules", "definition") != "definition":
        changed.append(f"{run.options['rules']} rules")
    changed += [f"{name.replace('_', ' ')} {run.options[name]}" for name in run.settings]
    if changed:
        keys["condition"] = ", ".join(changed)
    if several:
        keys["data"] = f"{run.dataset.name}@{run.dataset.version}"
    return keys


def counted(records: Iterable[Record], measure: str = SUCCESS) -> tuple[Tally, ...]:
    """Successes per task, by type."""
    return tallies(records, measure, "type")


@dataclass(frozen=True, slots=True)
class Twins:
    """A trial of a derived task, and the trial of its base task in the same round."""

    derived: Record
    base: Record

    def both(self, measure: str) -> float | None:
        """1 where a measure is 1 on both; None where that is not known."""
        found = self.derived.value(measure), self.base.value(measure)
        if 0.0 in found:
            return 0.0
        return 1.0 if found == (1.0, 1.0) else None


def twins(arm: Arm, family: str) -> list[Twins]:
    """The pairs of a type; a task whose base task was not run is in none."""
    bases = _bases(arm.records)
    return [Twins(one, base) for one in arm.of(family) if (base := bases.get((one.cluster, one.epoch)))]


def _bases(records: Iterable[Record]) -> dict[tuple[str, int], Record]:
    """The trials of base tasks, by what they have in common with those of derived tasks."""
    return {(one.cluster, one.epoch): one for one in records if one.labels.get("type") == "base"}


def with_joint(records: Sequence[Record]) -> list[Record]:
    """Add both joint verdicts to the trials of derived tasks whose base task was run in the same round."""
    bases = _bases(records)
    return [
        replace(one, verdicts={**one.verdicts, **_joint(Twins(one, base))})
        if one.labels.get("type") in DERIVED and (base := bases.get((one.cluster, one.epoch)))
        else one
        for one in records
    ]


def _joint(pair: Twins) -> dict[str, Verdict]:
    values = {BOTH: pair.both(SUCCESS), BOTH_CONDUCT: pair.both(CONDUCT)}
    lost = Verdict(Status.NOT_JUDGED, why="the task or its base task has no verdict")
    return {name: lost if value is None else Verdict.of(value) for name, value in values.items()}


def joint_tallies(arm: Arm, measure: str = SUCCESS) -> list[Tally]:
    """Per derived task, how many rounds were 1 in a measure both on it and on its base task."""
    groups: dict[str, list[Twins]] = {}
    for family in DERIVED:
        for pair in twins(arm, family):
            groups.setdefault(pair.derived.item, []).append(pair)
    return [_tally(item, pairs, measure) for item, pairs in groups.items()]


def _tally(item: str, pairs: Sequence[Twins], measure: str) -> Tally:
    values = [pair.both(measure) for pair in pairs]
    known = [value for value in values if value is not None]
    first = pairs[0].derived
    return Tally(
        item=item,
        kind=first.labels["type"],
        cluster=first.cluster,
        successes=int(sum(known)),
        trials=len(known),
        unscored=len(values) - len(known),
    )
