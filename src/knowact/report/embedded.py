"""The transcripts inside the page: as many as fit, compressed, those first that a reader most likely opens.

They stand in an element of their own, which the page's scripts read only when a trial is opened. They are
compressed in chunks, so that opening one transcript decompresses a few hundred kilobytes at most.
"""

import base64
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from knowact.core import clean
from knowact.core.table import DatasetInfo
from knowact.core.transcript import Transcript, Turn
from knowact.report.build import ItemRow, Report, trial_key

LIMIT: Final = 8_000_000
"""Characters of all chunks together. The chunk that would go beyond it is left out, and what follows."""

CHUNK: Final = 256_000
"""Characters of JSON after which a chunk is full: it compresses well, and opens in a few milliseconds."""

BATCH: Final = 256
"""Transcripts in memory at a time, however many trials there are."""

TEXT_LIMIT: Final = 20_000
"""Characters shown of one message, so that a runaway reply does not make the page unusable."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some transcripts.

    Attributes:
        places: Their trials, as places in the report's items.
        data: The transcripts in the same order: a JSON list, compressed (zlib), in base64.
    """

    places: tuple[int, ...]
    data: str


def embed(report: Report) -> tuple[Chunk, ...]:
    """Read and compress the transcripts that fit into the page.

    Trials that failed, or went differently in another run, come first. Within both groups, the first trials
    of all runs come before the second ones: data sets are in an order of which every beginning is a fair
    sample, and the trials that one compares stand in the same chunk.

    Raises:
        BadData: A log cannot be read.
    """
    chunks: list[Chunk] = []
    left = LIMIT
    for chunk in _chunks(report):
        left -= len(chunk.data)
        if left < 0:
            break
        chunks.append(chunk)
    return tuple(chunks)


def as_data(chunks: Sequence[Chunk]) -> list[dict[str, Any]]:
    """Return the chunks as the page's scripts read them."""
    return [{"places": chunk.places, "data": chunk.data} for chunk in chunks]


def _chunks(report: Report) -> Iterator[Chunk]:
    places: list[int] = []
    texts: list[str] = []
    for place, transcript in _transcripts(report):
        places.append(place)
        texts.append(clean.dumps(_plain(transcript)))
        if sum(map(len, texts)) >= CHUNK:
            yield _chunk(places, texts)
            places, texts = [], []
    if places:
        yield _chunk(places, texts)


def _chunk(places: Sequence[int], texts: Sequence[str]) -> Chunk:
    packed = zlib.compress(f"[{','.join(texts)}]".encode(), level=9)
    return Chunk(tuple(places), base64.b64encode(packed).decode())


def _transcripts(report: Report) -> Iterator[tuple[int, Transcript]]:
    """The transcripts in the order of `embed`, with their trials' places, some at a time."""
    order = _order(report.items)
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        by_run: dict[str, list[ItemRow]] = defaultdict(list)
        for place in batch:
            by_run[report.items[place].run.id].append(report.items[place])
        transcripts = {
            (run, transcript.item, transcript.condition, transcript.epoch): transcript
            for run, items in by_run.items()
            for transcript in report.transcripts(items[0].run, [item.record for item in items])
        }
        for place in batch:
            if transcript := transcripts.get(trial_key(report.items[place])):
                yield place, transcript


def _order(items: Sequence[ItemRow]) -> list[int]:
    """The places of all items, in the order of `embed`."""
    seen: dict[tuple[str, DatasetInfo, str, str, int], set[object]] = defaultdict(set)
    number: dict[str, int] = defaultdict(int)
    numbers: list[int] = []
    for item in items:
        seen[_trial(item)].add(_course(item))
        numbers.append(number[item.run.id])
        number[item.run.id] += 1

    def rank(place: int) -> tuple[bool, int, int]:
        item = items[place]
        telling = _failed(item) or len(seen[_trial(item)]) > 1
        return not telling, numbers[place], place

    return sorted(range(len(items)), key=rank)


def _trial(item: ItemRow) -> tuple[str, DatasetInfo, str, str, int]:
    """What the same trial has in common in all runs on the same data."""
    return item.run.suite, item.run.dataset, item.record.item, item.record.condition, item.record.epoch


def _course(item: ItemRow) -> object:
    """How a trial went, in what is compared between runs."""
    return item.record.knew, item.record.acted, tuple(item.record.outcomes.items())


def _failed(item: ItemRow) -> bool:
    return not item.record.scored or item.record.knew is False or item.record.acted is False


def _plain(transcript: Transcript) -> dict[str, Any]:
    return {
        "error": shortened(transcript.error),
        "probes": [
            {"name": name, "turns": [_turn(turn) for turn in turns]} for name, turns in transcript.probes
        ],
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "role": turn.role,
        "text": shortened(turn.text),
        "calls": [{"tool": shortened(tool), "arguments": shortened(given)} for tool, given in turn.calls],
        "problem": turn.problem,
    } | ({"decided": shortened(turn.decided)} if turn.decided else {})


def shortened(text: str) -> str:
    """Return a text of at most `TEXT_LIMIT` characters, and how many more the log has."""
    if len(text) <= TEXT_LIMIT:
        return text
    return f"{text[:TEXT_LIMIT]}\n[{len(text) - TEXT_LIMIT} more characters are in the log]"
