"""Row heads of the tables: one run each; and trials that are paired with their base task's."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from knowact.core.record import Record, Result, Status
from knowact.core.table import Run
from knowact.measures.confusion import Answer
from knowact.measures.pass_k import Tally, tallies
from knowact.measures.run_tables import row_heads
from knowact.measures.sensitivity import member
from knowact.roles.extractor import NOT_EXTRACTED
from knowact.suites.car.items import CROSSED, FAMILIES
from knowact.suites.car.records import CONDUCT, REFUSED, SUCCESS
from knowact.suites.car.termination import UNJUDGED

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
    def rounds(self) -> int:
        """How many trials each task has; those of an interrupted run that have no record are counted."""
        recorded = max((record.epoch for record in self.records), default=0)
        return max(recorded, int(self.run.options.get("trials", 0)))

    @property
    def k(self) -> int:
        """The paper's three trials, or as many as there are."""
        return min(K, self.rounds)

    @property
    def not_run(self) -> int:
        """Planned trials without a record; of which type they are, nothing says."""
        return max(0, self.run.planned - len(self.records))

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


def counted(group: RunGroup, measure: str = SUCCESS) -> tuple[Tally, ...]:
    """Successes per task, by type; a trial without a record counts as unscored.

    A type of which some trial was not read has bounds alone (`unread`).
    """
    silent = {family for family in group.families if unread(group.of(family), measure)}
    found = [
        replace(one, unscored=max(one.unscored, group.rounds - one.trials))
        for one in tallies(group.records, measure, "type")
    ]
    return tuple(one.withheld() if one.kind in silent else one for one in found)


def unread(records: Iterable[Record], measure: str) -> bool:
    """Whether nobody read what a measure of some scored trial rests on.

    Then calls alone decide the others, most of them as failures, and a rate over these would be no rate
    (docs/decisions/0004 and 0025).
    """
    found = (one.results[measure] for one in records if one.scored and measure in one.results)
    return any(
        one.status is Status.NOT_JUDGED and (one.by == "judge" or one.why in {UNJUDGED, NOT_EXTRACTED.why})
        for one in found
    )


def with_joint(records: Sequence[Record]) -> list[Record]:
    """Add both joint results to the trials of derived tasks whose base task was run.

    A pair has a result if both of its trials have one. A failure of the one does not decide the pair: of the
    pairs that lost a trial only those that failed would then count (docs/decisions/0027).
    """
    bases = {(one.cluster, one.epoch): one for one in records if one.labels.get("type") == "base"}
    paired = {cluster for cluster, _ in bases}
    return [
        replace(one, results={**one.results, **_joint_results(one, bases.get((one.cluster, one.epoch)))})
        if one.labels.get("type") in DERIVED and one.cluster in paired
        else one
        for one in records
    ]


def _joint_results(derived: Record, base: Record | None) -> dict[str, Result]:
    """1 where a measure is 1 on both trials, 0 where both have a value and one is 0."""
    lost = Result(Status.NOT_JUDGED, why="the task or its base task has no result")
    values = {of: [_scored_value(one, of) for one in (derived, base)] for of in JOINT_OF}
    return {
        JOINT_OF[of]: lost if None in both else Result.of(both == [1.0, 1.0]) for of, both in values.items()
    }


def _scored_value(record: Record | None, measure: str) -> float | None:
    """The value of a trial; None if it has no record, an instrument spoilt it, or it is not judged."""
    value = record.value(measure) if record is not None and record.scored else math.nan
    return None if math.isnan(value) else value


def joint_tallies(group: RunGroup, measure: str = SUCCESS) -> list[Tally]:
    """Per derived task, how many rounds were 1 in a measure both on it and on its base task.

    A round without a record of one of the two counts as unscored, as one with a spoilt record does. A type of
    which some trial, or some base task's, was not read has bounds alone (`unread`).
    """
    trials = {(one.item, one.epoch): one for one in group.records}
    bases = {one.cluster: one.item for one in group.of("base")}
    derived = {one.item: one for family in DERIVED for one in group.of(family) if one.cluster in bases}
    found = [
        _joint_tally(
            one,
            [
                [_scored_value(trials.get((item, epoch)), measure) for item in (name, bases[one.cluster])]
                for epoch in range(1, group.rounds + 1)
            ],
        )
        for name, one in derived.items()
    ]
    silent = {family for family in DERIVED if unread((*group.of(family), *group.of("base")), measure)}
    return [one.withheld() if one.kind in silent else one for one in found]


def _joint_tally(derived: Record, rounds: Sequence[Sequence[float | None]]) -> Tally:
    """Count the rounds of a pair; each holds the value of the derived task and that of its base task."""
    scored = [both for both in rounds if None not in both]
    return Tally(
        item=derived.item,
        kind=derived.labels["type"],
        cluster=derived.cluster,
        successes=sum(all(both) for both in scored),
        trials=len(scored),
        unscored=len(rounds) - len(scored),
        failed=sum(None in both and 0.0 in both for both in rounds),
    )


def held_back(group: RunGroup, family: str) -> list[Answer]:
    """What the agent did on each derived task of a type and on its base task, in the same round.

    It held back where its conduct is right on the derived task, and where it refuses a part of the base task.
    """
    bases = {(one.cluster, one.epoch): one for one in group.of("base") if one.scored}
    return [
        member(f"{one.item} {one.epoch}", side.value(measure), one.cluster, complete=side is not one)
        for one in group.of(family)
        if one.scored and (base := bases.get((one.cluster, one.epoch)))
        for side, measure in ((one, CONDUCT), (base, REFUSED))
    ]
