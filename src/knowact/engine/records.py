"""Records in and out of the engine's log.

A record is stored where sample *summaries* keep it, because reading those is ten times as fast as
reading samples (inspect-guide, section 7): numbers in `Score.value`, what describes the item in the
sample's metadata, the rest in the score's metadata, each entry far under a kilobyte. An entry that was
too large for a summary is named by the engine and read from the full sample instead.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import count, takewhile
from typing import Any

from knowact.core.record import Ending, Record, Status, Verdict
from knowact.core.suite import Item
from knowact.core.task import Fact

SCORER = "record"
"""The scorer's name in the log; the reader looks for its suffix."""

REASON = 120
"""Longest reason kept: a handful of them must fit into one entry of a summary."""

OFFERED = "offered"
PART = 24
"""Names of tools in one entry: few enough for a summary, where a world offers dozens."""

ITEM_KEYS = ("labels", OFFERED, "required")
"""Entries of the item's metadata that a record needs and that can be large."""

REST_KEYS = ("endings", "needed", "used", "unvalued", "by", "why", "flags")
"""Entries of the score's metadata, likewise."""


def item_metadata(item: Item) -> dict[str, Any]:
    """What a log says about an item before anything has run: gold included, schemas not."""
    return {
        "item": item.task.id,
        "condition": item.condition.name,
        "withheld": None if item.condition.withheld is None else list(item.condition.withheld),
        "cluster": item.task.cluster,
        "labels": dict(item.labels),
        **_in_parts([tool.name for tool in item.tools]),
        "required": sorted(item.required),
        # For people; as text, because the engine copies and walks metadata several times per trial.
        "facts": "; ".join(map(_in_words, item.task.facts)),
        "replay_gap": list(item.task.replay_gap),
    }


def _in_parts(names: Sequence[str]) -> dict[str, list[str]]:
    """Names under `offered`, and what is too much for one entry under `offered_2` and so on."""
    starts = range(0, max(len(names), 1), PART)
    return {_part(number): list(names[start : start + PART]) for number, start in enumerate(starts)}


def _part(number: int) -> str:
    return f"{OFFERED}_{number + 1}" if number else OFFERED


def _offered(item: Mapping[str, Any]) -> tuple[str, ...]:
    """All names again."""
    parts = takewhile(lambda name: name in item, map(_part, count()))
    return tuple(name for part in parts for name in item[part])


def _in_words(fact: Fact) -> str:
    """One fact on one line: what, how much, from which step."""
    sources = f" ({', '.join(fact.sources)})" if fact.sources else ""
    return f"{fact.label or fact.kind}: {fact.value} {fact.unit}".rstrip() + sources


def score_value(record: Record, measures: Sequence[str]) -> dict[str, float]:
    """The numbers of a record; NaN, never None, where there is none (the engine counts None as zero)."""
    return {name: record.value(name) for name in measures} | {"calls": float(record.calls)}


def score_metadata(record: Record) -> dict[str, Any]:
    """The rest of a record."""
    return {
        "endings": {probe: ending.value for probe, ending in record.endings.items()},
        "needed": None if record.needed is None else sorted(record.needed),
        "used": None if record.used is None else sorted(record.used),
        "knew": record.knew,
        "acted": record.acted,
        "unvalued": {
            name: verdict.status.value
            for name, verdict in record.verdicts.items()
            if verdict.status is not Status.VALUE
        },
        "by": {name: verdict.by for name, verdict in record.verdicts.items() if verdict.by},
        "why": {name: verdict.why[:REASON] for name, verdict in record.verdicts.items() if verdict.why},
        "flags": dict(record.flags),
    }


def whole(metadata: Mapping[str, Any], keys: Sequence[str]) -> bool:
    """Whether none of these entries was left out of a summary for its size (a sentence stands there)."""
    stood = [found for name, found in metadata.items() if name in keys or name.startswith(f"{OFFERED}_")]
    return not any(isinstance(found, str) and found.startswith("Key ") for found in stood)


def record_from(
    epoch: int,
    item: Mapping[str, Any],
    value: Mapping[str, Any] | None,
    rest: Mapping[str, Any] | None,
    spent: "Spent",
    *,
    interrupted: bool = False,
) -> Record:
    """Put a record together again.

    Args:
        epoch: Counted from 1.
        item: The sample's metadata, as `item_metadata` wrote it.
        value: `Score.value`, or None where the sample was never scored.
        rest: `Score.metadata`, likewise. A sample without a score was spoilt by the instrument.
        spent: Tokens, seconds, cost.
        interrupted: Whether a sample without a score was cancelled rather than spoilt.
    """
    lost = Ending.INTERRUPTED if interrupted else Ending.INSTRUMENT_ERROR
    rest = rest or {"endings": {"trial": lost.value}}
    needed, used = rest.get("needed"), rest.get("used")
    return Record(
        item=str(item["item"]),
        condition=str(item["condition"]),
        epoch=epoch,
        cluster=str(item["cluster"]),
        labels={str(name): str(value) for name, value in item["labels"].items()},
        offered=_offered(item),
        required=frozenset(item["required"]),
        endings={probe: Ending(ending) for probe, ending in rest["endings"].items()},
        needed=None if needed is None else frozenset(needed),
        used=None if used is None else frozenset(used),
        calls=int(value["calls"]) if value else 0,
        knew=rest.get("knew"),
        acted=rest.get("acted"),
        verdicts=_verdicts(value or {}, rest),
        tokens=spent.tokens,
        seconds=spent.seconds,
        cost=spent.cost,
        flags={str(name): int(count) for name, count in rest.get("flags", {}).items()},
    )


def _verdicts(value: Mapping[str, Any], rest: Mapping[str, Any]) -> dict[str, Verdict]:
    by, why = rest.get("by", {}), rest.get("why", {})
    found: dict[str, Verdict] = {}
    for name, status in rest.get("unvalued", {}).items():
        found[name] = Verdict(Status(status), None, by.get(name, ""), why.get(name, ""))
    for name, number in value.items():
        if name != "calls" and name not in found and number is not None and not math.isnan(number):
            found[name] = Verdict(Status.VALUE, float(number), by.get(name, ""), why.get(name, ""))
    return found


class Spent:
    """Tokens in and out, seconds of work and dollars of one trial."""

    __slots__ = ("cost", "seconds", "tokens")

    def __init__(self, tokens: tuple[int, int], seconds: float, cost: float | None) -> None:
        self.tokens, self.seconds, self.cost = tokens, seconds, cost
