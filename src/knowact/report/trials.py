"""The trials inside the page, in columns: one block per suite, and in it each distinct value once.

Thousands of trials share their labels, outcomes and results, so a column is a list of distinct values and,
per trial, the place of its value in that list. The page's scripts read them when trials are first looked at.
"""

import base64
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, cast

import numpy as np

from knowact.core.record import Record, Result, Status
from knowact.report.build import ItemRow, Report
from knowact.report.embedded import shortened

_FIELDS: Final[Mapping[str, Callable[[Record], Hashable]]] = {
    "item": lambda record: record.item,
    "condition": lambda record: record.condition,
    "epoch": lambda record: record.epoch,
    "cluster": lambda record: record.cluster,
    "scored": lambda record: record.scored,
    "offered": lambda record: record.offered,
    "required": lambda record: record.required,
    "needed": lambda record: record.needed,
    "used": lambda record: record.used,
    "calls": lambda record: record.calls,
    "knew": lambda record: record.knew,
    "acted": lambda record: record.acted,
    "tokens": lambda record: record.tokens,
    "seconds": lambda record: record.seconds,
    "cost": lambda record: record.cost,
    "decided": lambda record: tuple((decided.probe, decided.why) for decided in record.decided),
}

_GROUPS: Final[Mapping[str, Callable[[Record], Mapping[str, Hashable]]]] = {
    "labels": lambda record: record.labels,
    "outcomes": lambda record: record.outcome_names,
    "results": lambda record: record.results,
    "flags": lambda record: record.flags,
}
"""Fields that are a column per name, with null where a trial does not have it."""


def trial_data(report: Report) -> list[dict[str, Any]]:
    """Return the blocks, in the order of the report's items.

    Each has the `suite`, the number of its trials (`count`), `fields` and `groups`. A column is `[values,
    codes]`: the codes are unsigned integers in base64, little-endian, of one byte for up to 256 values, two
    for up to 65,536, else four. They are null if there is one value for all trials, or one for each.
    """
    places = {summary.run.id: place for place, summary in enumerate(report.runs)}
    return [
        _block(suite, list(items), places)
        for suite, items in groupby(report.items, lambda item: item.run.suite)
    ]


def _block(suite: str, items: Sequence[ItemRow], places: Mapping[str, int]) -> dict[str, Any]:
    records = [item.record for item in items]
    fields = {name: _column(map(read, records)) for name, read in _FIELDS.items()}
    fields["run"] = _column(places[item.run.id] for item in items)
    fields["view"] = _column(map(_around_name, items))
    return {
        "suite": suite,
        "count": len(items),
        "fields": fields,
        "groups": {name: _group([read(record) for record in records]) for name, read in _GROUPS.items()},
    }


def _group(mappings: Sequence[Mapping[str, Hashable]]) -> dict[str, Any]:
    names = dict.fromkeys(name for mapping in mappings for name in mapping)
    columns = {name: _column(_applicable(mapping.get(name)) for mapping in mappings) for name in names}
    return {name: column for name, column in columns.items() if column[0] != [None]}


def _applicable(value: Hashable) -> Hashable:
    return None if isinstance(value, Result) and value.status is Status.NOT_APPLICABLE else value


def _around_name(item: ItemRow) -> tuple[str, ...]:
    """The command that opens a trial: what stands before and after the item's name, which is not repeated."""
    name = item.record.item
    place = item.view.rfind(name) if name else -1
    return (item.view,) if place < 0 else (item.view[:place], item.view[place + len(name) :])


def _column(column: Iterable[Hashable]) -> tuple[list[Any], str | None]:
    places: dict[Hashable, int] = {}
    codes = [places.setdefault(value, len(places)) for value in column]
    values = [_plain(value) for value in places]
    if len(places) in {1, len(codes)}:
        return values, None
    width = "<u1" if len(places) <= 1 << 8 else "<u2" if len(places) <= 1 << 16 else "<u4"
    return values, base64.b64encode(np.array(codes, width).tobytes()).decode()


def _plain(value: Hashable) -> Any:
    """A value as the scripts read it. A result has no empty fields: there are dozens in each trial."""
    if isinstance(value, Result):
        plain: dict[str, Any] = {"status": value.status} if value.value is None else {"value": value.value}
        return plain | {
            name: text for name, text in (("by", value.by), ("why", shortened(value.why))) if text
        }
    return sorted(cast("frozenset[str]", value)) if isinstance(value, frozenset) else value
