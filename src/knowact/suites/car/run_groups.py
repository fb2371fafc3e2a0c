"""Row heads of the tables: one run each; and trials that are paired with their base task's."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from knowact.core.record import Record, Result, Status
from knowact.core.table import Run
from knowact.measures.confusion import Answer
from knowact.measures.pass_k import Tally, tallies
from knowact.measures.run_tables import row_heads
from knowact.measures.sensitivity import member
from knowact.suites.car.items import CROSSED, FAMILIES
from knowact.suites.car.records import ACKNOWLEDGED, CONDUCT, SUCCESS

DERIVED: Final = FAMILIES[1:]
BOTH: Final = "joint"
BOTH_CONDUCT: Final = "joint_conduct"
"""The results on a trial and on its base task's in the same round, where runs are compared: success on both,
and the right conduct on both."""
JOINT_OF: Final = {SUCCESS: BOTH, CONDUCT: BOTH_CONDUCT}
K: Final = 3
"""Trials of the paper's headline (CAR-bench), and of a run of ours by default."""


@dataclass(frozen=True, slots=True)
class RunGroup:
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


def groups(runs: Sequence[Run]) -> list[RunGroup]:
    """The runs that have records."""
    held = [run for run in runs if run.records]
    heads = row_heads([(run, _keys(run)) for run in held])
    return [RunGroup(run, keys) for run, keys in zip(held, heads, strict=True)]


def _keys(run: Run) -> dict[str, str]:
    """Model, who played the user, and what else is not as usual."""
    options = {"strategy": "none", "tool_lists": CROSSED, "rules": "definition"} | dict(run.options)
    changed = [
        *([str(options["strategy"])] if options["strategy"] != "none" else []),
        *(["whole tool lists"] if options["tool_lists"] != CROSSED else []),
        *([f"{options['rules']} rules"] if options["rules"] != "definition" else []),
        *(f"{name.replace('_', ' ')} {options[name]}" for name in run.settings),
    ]
    keys = {"model": run.model, "user": str(options.get("user", "scripted"))}
    return keys | ({"condition": ", ".join(changed)} if changed else {})


def counted(records: Iterable[Record], measure: str = SUCCESS) -> tuple[Tally, ...]:
    """Successes per task, by type."""
    return tallies(records, measure, "type")


def with_joint(records: Sequence[Record]) -> list[Record]:
    """Add both joint results to the trials of derived tasks whose base task was run in the same round."""
    bases = {(one.cluster, one.epoch): one for one in records if one.labels.get("type") == "base"}
    return [
        replace(one, results={**one.results, **{name: _both(one, base, of) for of, name in JOINT_OF.items()}})
        if one.labels.get("type") in DERIVED and (base := bases.get((one.cluster, one.epoch)))
        else one
        for one in records
    ]


def _both(derived: Record, base: Record, measure: str) -> Result:
    """1 where a measure is 1 on both, 0 where it is 0 on one of them."""
    found = derived.value(measure), base.value(measure)
    if 0.0 in found:
        return Result.of(0)
    lost = Result(Status.NOT_JUDGED, why="the task or its base task has no result")
    return Result.of(1) if found == (1.0, 1.0) else lost


def joint_tallies(group: RunGroup, measure: str = SUCCESS) -> list[Tally]:
    """Per derived task, how many rounds were 1 in a measure both on it and on its base task."""
    name, items = JOINT_OF[measure], dict[str, list[Record]]()
    for one in with_joint(group.records):
        if name in one.results:
            items.setdefault(one.item, []).append(one)
    return [
        Tally.of(item, some[0].labels["type"], some[0].cluster, [one.results[name].value for one in some])
        for item, some in items.items()
    ]


def held_back(group: RunGroup, family: str) -> list[Answer]:
    """What the agent did on each derived task of a type and on its base task, in the same round.

    It held back where its conduct is right on the derived task, and where it refuses a part of the base task.
    """
    bases = {(one.cluster, one.epoch): one for one in group.of("base") if one.scored}
    return [
        member(f"{one.item} {one.epoch}", side.value(measure), one.cluster, complete=side is not one)
        for one in group.of(family)
        if one.scored and (base := bases.get((one.cluster, one.epoch)))
        for side, measure in ((one, CONDUCT), (base, ACKNOWLEDGED))
    ]
