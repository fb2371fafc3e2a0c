"""Arms: the records of one run under one condition, as columns. What a row head of our tables names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowact.core.condition import CLEAN
from knowact.core.record import Record
from knowact.core.table import Run
from knowact.core.task import Boundary, Topology
from knowact.measures.columns import Columns, columns

MEASURES = (
    *("acc_know", "acc_act", "pass", "over_know", "under_know", "lost_know"),
    *(
        "over_act",
        "under_act",
        "lost_act",
        "agreement",
        "pass_form",
        "pass_judge",
        "pass_alone",
        "tool_calls",
    ),
)
"""All verdicts of a record, in the order of the log."""

CALLS = "calls"
"""A field of the record that is averaged like a verdict."""

SUBSPACES = tuple(boundary.value for boundary in Boundary)
TOPOLOGIES = tuple(topology.value for topology in Topology)
SOLO = "no-tools"
SEED = 0
"""Of the bootstrap: equal records give equal intervals."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One run under one condition.

    Attributes:
        keys: The row head: model and setting, and the data set where a report has several.
        solo: The records of the same run without tools, by item and epoch.
    """

    run: Run
    keys: Mapping[str, str]
    condition: str
    records: Sequence[Record]
    table: Columns
    solo: Sequence[Record]

    def subspaces(self) -> Mapping[str, Columns]:
        """The columns of each subspace that occurs, in the paper's order."""
        found = self.table.groups("boundary")
        return {name: found[name,] for name in SUBSPACES if (name,) in found}


def arms(runs: Sequence[Run]) -> list[Arm]:
    """Split runs by condition; the solo arm goes along with the others instead of being one."""
    several = len({(run.dataset.name, run.dataset.sha256) for run in runs}) > 1
    made: list[Arm] = []
    for run in runs:
        solo = [record for record in run.records if record.condition == SOLO]
        for condition in dict.fromkeys(record.condition for record in run.records):
            if condition == SOLO:
                continue
            records = [record for record in run.records if record.condition == condition]
            keys = {"model": run.model, "setting": _setting(run, condition)}
            if several:
                keys["data"] = f"{run.dataset.name}@{run.dataset.version}"
            table = columns(records, (*MEASURES, CALLS), ("boundary", "topology"))
            made.append(Arm(run, _distinct(keys, made, run), condition, records, table, solo))
    return made


def _setting(run: Run, condition: str) -> str:
    rules = run.options.get("rules", "definition")
    return condition if rules == "definition" else f"{condition}, {rules} rules"


def _distinct(keys: dict[str, str], made: Sequence[Arm], run: Run) -> dict[str, str]:
    """Two runs of one model under one condition (another seed, other rounds) are told apart by their id."""
    if any(arm.keys == keys for arm in made):
        keys["setting"] = f"{keys['setting']} ({run.id})"
    return keys


def is_clean(arm: Arm) -> bool:
    """Whether nothing was changed."""
    return arm.condition == CLEAN.name
