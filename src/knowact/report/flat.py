"""One trial as one row: the columns of `items.csv`, and of a data frame in Python."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from knowact.core.record import Record
from knowact.core.table import Run

Cell: TypeAlias = str | int | float | bool | frozenset[str] | None


def columns_of(records: Sequence[Record]) -> tuple[str, ...]:
    """The columns of some records' rows, in order: records of several suites have the columns of all."""
    kinds = {
        "label": [record.labels for record in records],
        "outcome": [record.outcome_names for record in records],
        "result": [record.results for record in records],
        "flag": [record.flags for record in records],
    }
    named = {
        kind: list(dict.fromkeys(name for mapping in mappings for name in mapping))
        for kind, mappings in kinds.items()
    }
    return (
        *("run", "suite", "model", "item", "condition", "epoch", "cluster"),
        *(f"label {name}" for name in named["label"]),
        *(f"outcome {name}" for name in named["outcome"]),
        *("scored", "required", "needed", "used", "calls", "knew", "acted"),
        *(f"result {name}" for name in named["result"]),
        *(f"status {name}" for name in named["result"]),
        *("input_tokens", "output_tokens", "seconds", "cost"),
        *(f"flag {name}" for name in named["flag"]),
    )


def row_of(run: Run, record: Record) -> Mapping[str, Cell]:
    """The cells of one trial by their columns; a column that is not among them has no value.

    Sets of tools are None where they could not be read; a flag that was not raised has no column.
    """
    return {
        "run": run.id,
        "suite": run.suite,
        "model": run.model,
        "item": record.item,
        "condition": record.condition,
        "epoch": record.epoch,
        "cluster": record.cluster,
        **{f"label {name}": value for name, value in record.labels.items()},
        **{f"outcome {name}": ending for name, ending in record.outcome_names.items()},
        "scored": record.scored,
        "required": record.required,
        "needed": record.needed,
        "used": record.used,
        "calls": record.calls,
        "knew": record.knew,
        "acted": record.acted,
        **{f"result {name}": result.value for name, result in record.results.items()},
        **{f"status {name}": result.status.value for name, result in record.results.items()},
        "input_tokens": record.tokens[0],
        "output_tokens": record.tokens[1],
        "seconds": record.seconds,
        "cost": record.cost,
        **{f"flag {name}": count for name, count in record.flags.items()},
    }
