"""Records in and out of the engine's log.

A record is stored where sample *summaries* keep it, because reading those is ten times as fast as
reading samples: numbers in `Score.value`, what describes the item in the
sample's metadata, the rest in the score's metadata, each entry far under a kilobyte. An entry that was
too large for a summary is named by the engine and read from the full sample instead.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import count, takewhile
from typing import Any, Final, cast

from pydantic import BaseModel, ConfigDict, NonNegativeInt, TypeAdapter
from pydantic_core import ArgsKwargs

from knowact.core.record import (
    INVALID,
    LOST,
    REPAIRED,
    SPLIT,
    UNVERIFIED,
    Decided,
    Outcome,
    Record,
    Result,
    Status,
)
from knowact.core.suite import Item
from knowact.core.table import DatasetInfo
from knowact.core.task import Fact
from knowact.probes.response import Judged

LOGGED = "knowact"
"""Key of the log's metadata: a `LoggedRun`."""

ROLE_CALLS = "role_calls"
"""Key of the sample store and of the score's metadata: how often the models in each role were asked."""

DECIDED = "decided"
"""Key of the score's metadata: where the trial failed, the fields of `Decided` for each place."""

EPOCH = "epoch"
"""Key of the score's metadata: metrics see scores, and those don't say of which epoch they are."""

SCORER = "record"
"""The scorer's name in the log; the reader looks for its suffix."""

SCORING = 5
"""Version of how trials are scored: 1 parsed prose by rules, 3 checks what an agent tells in a conversation,
4 judges what an agent did after it had said no (FAIL-TaLMs), 5 does not judge failed trials where nobody
reads the others.

Numbers of two versions never mix; `knowact rescore` brings logs up to date.
"""

REASON = 120
"""Longest reason kept: a handful of them must fit into one entry of a summary."""

OFFERED = "offered"
PART = 24
"""Names of tools in one entry: few enough for a summary, where a world offers dozens."""

ITEM_KEYS = ("labels", OFFERED, "required")
"""Entries of the item's metadata that a record needs and that can be large."""

_SCORE_FIELDS: Final = {EPOCH, "outcomes", "needed", "used", "knew", "acted", "flags", ROLE_CALLS, DECIDED}
"""Fields of a record that are entries of the score's metadata as they stand."""

REST_KEYS = frozenset({*_SCORE_FIELDS, "unvalued", "by", "why"})
"""Entries of the score's metadata, likewise."""

RECORD: Final = TypeAdapter(Record)
"""Records as JSON, and back: what is not as it was written is refused."""

_DECIDED: Final = TypeAdapter(tuple[Decided, ...])
_NAMES: Final = TypeAdapter(list[str])


class LoggedRoles(BaseModel):
    """The roles that have something to do in a run, and those without which its headline is not judged."""

    model_config = ConfigDict(frozen=True)

    wanted: tuple[str, ...]
    headline: tuple[str, ...]


class LoggedRun(BaseModel):
    """What a log says of its run as a whole, beside what the engine records.

    Attributes:
        options: The suite's own and the common ones.
        planned: Trials that the run set out to do.
        prompts: Version and hash of each prompt, by its id.
    """

    model_config = ConfigDict(frozen=True)

    suite: str
    dataset: DatasetInfo
    options: dict[str, Any]
    planned: NonNegativeInt
    roles: LoggedRoles
    prompts: dict[str, tuple[str, str]]
    scoring: int = SCORING


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
        "content": item.task.content,
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
    return tuple(name for part in parts for name in _NAMES.validate_python(item[part]))


def _in_words(fact: Fact) -> str:
    """One fact on one line: what, how much, from which step."""
    sources = f" ({', '.join(fact.sources)})" if fact.sources else ""
    return f"{fact.label or fact.kind}: {fact.shown} {fact.unit}".rstrip() + sources


def score_value(record: Record, measures: Sequence[str]) -> dict[str, float]:
    """The numbers of a record; NaN, never None, where there is none (the engine counts None as zero)."""
    return {name: record.value(name) for name in measures} | {"calls": float(record.calls)}


def score_metadata(record: Record) -> dict[str, Any]:
    """The rest of a record; what is empty is left out, as the engine pays for each entry several times."""
    rest: dict[str, Any] = RECORD.dump_python(
        record, mode="json", include=_SCORE_FIELDS, exclude_defaults=True
    )
    for place in rest.get(DECIDED, ()):
        place["why"] = place["why"][:REASON]
    results = record.results.items()
    of_results: dict[str, dict[str, str]] = {
        "unvalued": {name: result.status.value for name, result in results if result.value is None},
        "by": {name: result.by for name, result in results if result.by},
        "why": {name: result.why[:REASON] for name, result in results if result.why},
    }
    return rest | {name: entry for name, entry in of_results.items() if entry}


def with_reading(record: Record, judged: Judged, role_calls: Mapping[str, int] | None) -> Record:
    """Add to a record how its replies were read: odd forms, split votes, and who was asked how often.

    Args:
        record: What the suite made of the trial.
        judged: The forms and votes that it rests on.
        role_calls: How often the models in each role were asked.
    """
    forms = judged.extracted.values()
    counts = {
        REPAIRED: sum(form.repaired and form.usable for form in forms),
        INVALID: sum(not form.usable for form in forms),
        UNVERIFIED: sum(form.results.unverified for form in forms if form.usable),
        SPLIT: sum(votes.split for votes in judged.votes.values()),
    }
    flags = {**record.flags, **{name: count for name, count in counts.items() if count}}
    return replace(record, flags=flags, role_calls=dict(role_calls or {}))


def whole(metadata: Mapping[str, Any], keys: Collection[str]) -> bool:
    """Whether none of these entries was left out of a summary for its size (a sentence stands there)."""
    stood = [entry for name, entry in metadata.items() if name in keys or name.startswith(f"{OFFERED}_")]
    return not any(isinstance(entry, str) and entry.startswith("Key ") for entry in stood)


def record_from(
    epoch: int,
    item: Mapping[str, Any],
    value: Mapping[str, Any] | None,
    rest: Mapping[str, Any] | None,
    *,
    interrupted: bool = False,
) -> Record:
    """Put a record together again, but for what the trial took, which the engine knows.

    Args:
        epoch: Counted from 1.
        item: The sample's metadata, as `item_metadata` wrote it.
        value: `Score.value`, or None where the sample was never scored.
        rest: `Score.metadata`, likewise. A sample without a score was spoilt by the instrument.
        interrupted: Whether a sample without a score was cancelled rather than spoilt.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: An entry is not as it was written.
    """
    lost = Outcome.INTERRUPTED if interrupted else Outcome.INSTRUMENT_ERROR
    rest = rest or {"outcomes": {LOST: lost}}
    rejoined = {
        "epoch": epoch,
        OFFERED: _offered(item),
        "calls": value["calls"] if value else 0,
        "results": _results(value or {}, rest),
        DECIDED: decided_from(rest),
    }
    return RECORD.validate_python({**item, **rest, **rejoined})


def decided_from(rest: Mapping[str, Any]) -> tuple[Decided, ...]:
    """Where a trial failed, from the metadata of its score.

    Raises:
        TypeError, ValueError: An entry is not as it was written.
    """
    # Logs of before list the fields of each place without their names.
    places: list[Any] = [
        ArgsKwargs(tuple(cast("list[object]", place))) if isinstance(place, list) else place
        for place in rest.get(DECIDED, ())
    ]
    return _DECIDED.validate_python(places)


def _results(value: Mapping[str, Any], rest: Mapping[str, Any]) -> dict[str, Result]:
    by, why = rest.get("by", {}), rest.get("why", {})
    unvalued = rest.get("unvalued", {})
    numbers: dict[str, Any] = {
        name: number
        for name, number in value.items()
        if name != "calls" and name not in unvalued and number is not None and not math.isnan(number)
    }
    return {
        **{
            name: _result(status, None, by.get(name, ""), why.get(name, ""))
            for name, status in unvalued.items()
        },
        **{
            name: _result(Status.VALUE, number + 0.0, by.get(name, ""), why.get(name, ""))
            for name, number in numbers.items()
        },
    }


@lru_cache(maxsize=10_000)
def _result(status: str, value: float | None, by: object, why: object) -> Result:
    """A result; equal ones become one object, which saves memory as well as time.

    So there is no negative zero among them, which equals zero but looks otherwise.
    """
    return Result(Status(status), value, str(by), str(why))
