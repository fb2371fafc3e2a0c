"""Records of the CAR suite made by hand, and what its tables print of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from knowact.core.record import Outcome, Record, Result, Status
from knowact.core.table import DatasetInfo, Run, Table
from knowact.suites.car.records import FIRST, SPLIT, STEPS, SUCCESS, TURNS

UNSCORED = Result(Status.JUDGE_ERROR, why="no majority")


def record(
    item: str,
    cluster: str,
    epoch: int,
    success: float | None,
    flags: Mapping[str, int] | None = None,
    **more: Any,
) -> Record:
    """One trial; `success` None leaves it unscored."""
    family = item.split("_", maxsplit=1)[0]
    found = UNSCORED if success is None else Result.of(success, more.pop("by", ""))
    values = {SPLIT: 0.25, STEPS: 4, TURNS: 2, "agent_calls": 4, "agent_seconds": 8.0, "agent_cost": 0.1}
    results = {SUCCESS: found, FIRST: more.pop("first", found)} | {n: Result.of(v) for n, v in values.items()}
    return Record(
        item=item,
        condition="clean",
        epoch=epoch,
        cluster=cluster,
        labels={"type": family, "subtype": family, "actions": "3", "style": "commanding"},
        offered=("get_weather",),
        required=frozenset(),
        outcomes={"conversation": more.pop("outcome", Outcome.ANSWERED)},
        results=results,
        flags=flags or {},
        knew=more.pop("knew", success == 1),
        acted=more.pop("acted", success == 1),
    )


def run(records: Sequence[Record], model: str = "m", **options: Any) -> Run:
    return Run(
        f"run-{model}", "car", DatasetInfo("cabin", "2-A", "0"), model, options, (), len(records), records
    )


def value(table: Table, measure: str, **keys: str) -> float | None:
    (row,) = [one for one in table.rows if one.measure == measure and keys.items() <= one.keys.items()]
    return row.estimate.value
