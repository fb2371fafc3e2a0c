"""This model's own boundary (--solo): KAS where *internal* means what this model does alone.

The data's labels say what a strong model can do without tools. Here each task is tried without any, several
times, and the labels follow from that: internal where at least 80 % of the tries pass, external where at most
20 % do, unlabelled between.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from knowact import authoring as ka
from knowact.core.table import Row, as_table, rows_of
from knowact.measures.columns import columns
from knowact.measures.intervals import wilson
from knowact.measures.kas import jaccard
from knowact.measures.summary import average_kas, kas_estimate, mean_estimate
from knowact.suites.kapro.run_groups import SUBSPACES, RunGroup, groups

SOLVES: Final = 0.8
FAILS: Final = 0.2
"""Shares of tries from which a task is the model's own, and up to which it is beyond it."""

EXTERNAL, INTERNAL, UNLABELLED = "external", "internal", "unlabelled"
SIDES: Final = (EXTERNAL, INTERNAL, UNLABELLED)
AVERAGE: Final = "average"
OWN: Final = "own_boundary"
"""The label under which a trial carries the side that its task has for this model."""

ACCURACIES: Final = ("acc_know", "acc_act")


@dataclass(frozen=True, slots=True)
class Alone:
    """What came of trying one task without tools.

    Attributes:
        boundary: The data's label.
        taken: The tools of its plan, which were taken away.
        passed: Of each try that could be judged.
    """

    boundary: str
    taken: frozenset[str]
    passed: tuple[float, ...]

    @property
    def side(self) -> str:
        """On which side of this model's boundary the task lies."""
        share = sum(self.passed) / len(self.passed)
        return INTERNAL if share >= SOLVES else EXTERNAL if share <= FAILS else UNLABELLED

    def required(self, by_data: frozenset[str]) -> frozenset[str]:
        """T for this model: the tools without which *it* cannot do the task.

        None for a task that it does alone. For one that it cannot, what the data require; where they require
        nothing (an internal task), every tool of the plan, because nobody knows which of its parts was too
        much.

        Args:
            by_data: T of the data.
        """
        return frozenset[str]() if self.side == INTERNAL else by_data or self.taken


def alone(group: RunGroup) -> dict[str, Alone]:
    """Each task of a run that was tried without tools, all tries of all trials together.

    A task of which no try could be judged is left out.
    """
    tries: dict[str, list[float]] = {}
    known: dict[str, ka.Record] = {}
    for record in group.solo:
        known[record.item] = record
        if record.scored and not math.isnan(passed := record.value("pass_alone")):
            tries.setdefault(record.item, []).append(passed)
    return {
        item: Alone(known[item].labels["boundary"], known[item].required, tuple(passed))
        for item, passed in tries.items()
    }


def relabelled(records: Sequence[ka.Record], found: Mapping[str, Alone]) -> list[ka.Record]:
    """The trials on one side of the model's boundary, scored against its own T."""
    return [
        _scored_again(record, found[record.item])
        for record in records
        if record.item in found and found[record.item].side != UNLABELLED
    ]


def _scored_again(record: ka.Record, task: Alone) -> ka.Record:
    required = task.required(record.required)
    sets = {"know": record.needed, "act": record.used}
    accuracies = {f"acc_{name}": _accuracy(record, name, tools, required) for name, tools in sets.items()}
    results = {name: ka.Result.of(value) for name, value in accuracies.items() if not math.isnan(value)}
    labels = {**record.labels, OWN: task.side}
    return replace(record, required=required, results=results, labels=labels)


def _accuracy(record: ka.Record, name: str, tools: frozenset[str] | None, required: frozenset[str]) -> float:
    """J of what was said or used, and T; 0 where the agent left nothing to read."""
    lost = record.value(f"lost_{name}")
    if math.isnan(lost):
        return math.nan
    return 0.0 if lost or tools is None else jaccard(tools, required)


@as_table("solo", "Without tools", across=("boundary",))
def solo(runs: Sequence[ka.Run]) -> Iterator[Row]:
    """What the model solves without any tool, and on which side of its own boundary the tasks lie.

    Takes --solo. Solved: tries that pass. External, internal: tasks of which at most 20 %, or at least 80 %,
    of the tries pass; the others are unlabelled. The columns are the data's labels, which depend on no model.
    """
    for group in groups(runs):
        found = alone(group)
        for boundary in SUBSPACES:
            mine = [one for one in found.values() if one.boundary == boundary]
            if mine:
                tries = [r for r in group.solo if r.labels["boundary"] == boundary]
                shares = {f"{side} for it": sum(one.side == side for one in mine) for side in SIDES}
                numbers = {"solved without tools": mean_estimate(tries, "pass_alone")}
                numbers |= {name: wilson(count, len(mine)) for name, count in shares.items()}
                yield from rows_of({**group.keys, "boundary": boundary}, numbers)


@as_table("own-boundary", "KAS by this model's own boundary", across=("boundary",))
def own_boundary(runs: Sequence[ka.Run]) -> Iterator[Row]:
    """KAS where T is what this model cannot do alone, beside KAS of the same trials by the data's labels.

    Takes --solo. External: at most 20 % of the tries without tools pass; T is the data's, or all tools of the
    plan where the data require none. Internal: at least 80 % pass; T is empty. Tasks between are left out:
    "Without tools" counts them. n counts trials. Intervals take the labels for settled, though each rests on
    a few tries.
    """
    for group in groups(runs):
        found = alone(group)
        mine = relabelled(group.records, found)
        theirs = [
            replace(old, labels={**old.labels, OWN: found[old.item].side})
            for old in group.records
            if old.item in found and found[old.item].side != UNLABELLED
        ]
        own, data = (columns(some, ACCURACIES, ("boundary", OWN)) for some in (mine, theirs))
        by_data = data.groups(OWN)
        for (side,), part in sorted(own.groups(OWN).items()):
            numbers = {
                "Acc_know": mean_estimate(part, "acc_know"),
                "Acc_act": mean_estimate(part, "acc_act"),
                "KAS": kas_estimate(part, *ACCURACIES),
                "KAS by the data's labels": kas_estimate(by_data[side,], *ACCURACIES),
            }
            yield from rows_of({**group.keys, "boundary": side}, numbers)
        if mine:
            averages = {
                "KAS": average_kas(own, *ACCURACIES, OWN),
                "KAS by the data's labels": average_kas(data, *ACCURACIES, "boundary"),
            }
            yield from rows_of({**group.keys, "boundary": AVERAGE}, averages)


def own_boundary_words(group: RunGroup) -> list[str]:
    """What the two tables say, in a sentence; nothing where no task was tried alone."""
    found = alone(group)
    if not found:
        return []
    sides = [one.side for one in found.values()]
    counted = ", ".join(f"{sides.count(side):,} {side}" for side in SIDES)
    kas = average_kas(relabelled(group.records, found), *ACCURACIES, OWN).value
    by = "" if kas is None else f"; KAS by that boundary is {kas:.0%}"
    return [f"Of {len(found):,} tasks tried without tools, {counted} for this model{by}."]
