"""Run groups: the records of one run under one condition, as columns. A row head of a table names one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowact import authoring as ka
from knowact.measures.columns import Columns, columns
from knowact.measures.run_tables import Head, row_heads
from knowact.probes.strategies import NONE, STRATEGY

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
"""The measures of a record, in the order of the log."""

CALLS = "calls"
"""A field of the record that is averaged like a measure."""

SUBSPACES = tuple(boundary.value for boundary in ka.Boundary)
TOPOLOGIES = tuple(topology.value for topology in ka.Topology)
SOLO = "no-tools"
"""How the conditions without tools begin (--solo), one for each time that a task is tried."""


@dataclass(frozen=True, slots=True)
class RunGroup:
    """One run under one condition.

    Attributes:
        keys: The row head: model and setting, and what tells runs apart that share them.
        solo: The records of the same run without tools, by item and epoch.
    """

    run: ka.Run
    keys: Mapping[str, str]
    condition: str
    records: Sequence[ka.Record]
    table: Columns
    solo: Sequence[ka.Record]

    def subspaces(self) -> Mapping[str, Columns]:
        """The columns of each subspace that occurs, in the paper's order."""
        found = self.table.groups("boundary")
        return {name: found[name,] for name in SUBSPACES if (name,) in found}


def groups(runs: Sequence[ka.Run]) -> list[RunGroup]:
    """Split runs by condition; the trials without tools (--solo) go along with the others."""
    parts = [
        (run, condition, {"model": run.model, "setting": _setting(run, condition)})
        for run in runs
        for condition in dict.fromkeys(record.condition for record in run.records)
        if not condition.startswith(SOLO)
    ]
    heads = row_heads([(run, keys) for run, _, keys in parts])
    made: list[RunGroup] = []
    for (run, condition, _), keys in zip(parts, heads, strict=True):
        records = [record for record in run.records if record.condition == condition]
        solo = [record for record in run.records if record.condition.startswith(SOLO)]
        table = columns(records, (*MEASURES, CALLS), ("boundary", "topology"))
        made.append(RunGroup(run, keys, condition, records, table, solo))
    return made


def heads(runs: Sequence[ka.Run]) -> list[Head]:
    """The row heads with all their records, for the tables that every suite has."""
    return [Head(group.keys, group.records) for group in groups(runs)]


def _setting(run: ka.Run, condition: str) -> str:
    rules, strategy = run.options.get("rules", "definition"), run.options.get(STRATEGY, NONE)
    told = [f"{rules} rules"] * (rules != "definition") + [str(strategy)] * (strategy != NONE)
    return ", ".join([condition, *told])
