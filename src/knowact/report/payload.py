"""The input of the page's scripts, as JSON inside the page.

A model's text reaches the page only through `script_json` and `markup`; the scripts insert it as text only.

Trials stand there in columns, one block per suite: thousands of them share their labels, outcomes and
results, so a column is a list of distinct values and, per trial, the place of its value in that list.
Transcripts stand in an element of their own, as many as fit, compressed in chunks, so that opening one
decompresses a few hundred kilobytes at most.
"""

import base64
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from operator import attrgetter
from typing import Final, TypeAlias, TypedDict

import numpy as np

from knowact.core import clean
from knowact.core.clean import Json
from knowact.core.record import Record, Result, Status
from knowact.core.table import DatasetInfo, Figure, Table, Term
from knowact.core.transcript import Transcript, Turn
from knowact.measures.pairing import data_names
from knowact.report import pictures
from knowact.report.as_csv import table_csv
from knowact.report.as_latex import table_latex
from knowact.report.build import ItemRow, Report, trial_key
from knowact.report.markup import Markup
from knowact.report.printed import markdown
from knowact.report.trace import Trace

_UNSAFE = "<>&\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"
"""Characters that could end a script element, or a line of a script."""


def script_json(value: object) -> Markup:
    """Return JSON that cannot end its script element."""
    text = clean.dumps(value)
    for sign in _UNSAFE:
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def payload(report: Report, traces: Sequence[Trace]) -> Mapping[str, Json]:
    """Return the page's data but for its trials: runs, figures, and what is behind each table cell."""
    return {
        "runs": [
            {"id": run.id, "suite": run.suite, "model": run.model, "dataset": names[run.dataset]}
            for section in report.sections
            for names in [data_names(summary.run.dataset for summary in section.runs)]
            for run in (summary.run for summary in section.runs)
        ],
        "measures": {section.suite.name: section.suite.measures for section in report.sections},
        **shown(
            [(table, suite.terms if suite else {}) for suite, table in report.every_table],
            [figure for _, figure in report.every_figure],
        ),
        "traces": [_trace(trace) for trace in traces],
        "compared": {section.suite.name: _compared(section.suite.compared) for section in report.sections},
    }


def shown(
    tables: Sequence[tuple[Table, Mapping[str, Term]]], figures: Sequence[Figure]
) -> Mapping[str, Json]:
    """Return what the scripts need of a page's tables and figures: to draw, to save and to copy them.

    With each table come the words of its suite. The copies, each table as Markdown, LaTeX and CSV by its id,
    are compressed, because few are ever wanted.
    """
    copies = {
        table.id: {
            "markdown": markdown(table, own),
            "latex": table_latex(table, own),
            "csv": table_csv(table),
        }
        for table, own in tables
        if table.rows
    }
    specs = [figure.spec for figure in figures]
    return {
        "figures": specs,
        "paper": pictures.for_page(specs),
        "copies": base64.b64encode(zlib.compress(clean.dumps(copies).encode(), level=9)).decode(),
    }


def _trace(trace: Trace) -> Mapping[str, Json]:
    paired = {} if trace.paired is None else {"paired": asdict(trace.paired)}
    return {"suite": trace.suite, "where": trace.where, "measure": trace.measure, **paired}


def _compared(measures: Sequence[str | tuple[str, str]]) -> list[Mapping[str, Json]]:
    """The results that two runs are compared by, the most important one first; a pair stands for KAS."""
    return [
        {"name": measure, "results": [measure]}
        if isinstance(measure, str)
        else {"name": "KAS", "results": measure}
        for measure in measures
    ]


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


def as_data(chunks: Sequence[Chunk]) -> list[Mapping[str, Json]]:
    """Return the chunks as the page's scripts read them."""
    return [{"places": chunk.places, "data": chunk.data} for chunk in chunks]


def _chunks(report: Report) -> Iterator[Chunk]:
    places: list[int] = []
    texts: list[str] = []
    for place, transcript in _transcripts(report):
        places.append(place)
        texts.append(clean.dumps(_transcript_json(transcript)))
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


def _transcript_json(transcript: Transcript) -> Mapping[str, Json]:
    return {
        "error": shortened(transcript.error),
        "probes": [
            {"name": name, "turns": [_turn(turn) for turn in turns]} for name, turns in transcript.probes
        ],
    }


def _turn(turn: Turn) -> Mapping[str, Json]:
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


_FIELDS: Final = (
    *("item", "condition", "epoch", "cluster", "scored", "offered", "required", "needed", "used", "calls"),
    *("knew", "acted", "tokens", "seconds", "cost"),
)
"""Fields of a record that are a column each."""

_Texts: TypeAlias = tuple[str, ...]
_Value: TypeAlias = (
    Result | frozenset[str] | _Texts | tuple[int, ...] | tuple[_Texts, ...] | str | float | bool | None
)
"""What a field or group of a record holds of one trial."""

_GROUPS: Final[Mapping[str, Callable[[Record], Mapping[str, _Value]]]] = {
    "labels": lambda record: record.labels,
    "outcomes": lambda record: record.outcome_names,
    "results": lambda record: record.results,
    "flags": lambda record: record.flags,
}
"""Fields that are a column per name, with null where a trial does not have it."""


_Column: TypeAlias = tuple[list[Json], str | None]
"""The distinct values, and per trial the place of its own; see `trial_data`."""


class TrialBlock(TypedDict):
    """The trials of one suite; see `trial_data`."""

    suite: str
    count: int
    fields: Mapping[str, _Column]
    groups: Mapping[str, Mapping[str, _Column]]


def trial_data(report: Report) -> list[TrialBlock]:
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


def _block(suite: str, items: Sequence[ItemRow], places: Mapping[str, int]) -> TrialBlock:
    records = [item.record for item in items]
    fields = {name: _column(map(attrgetter(name), records)) for name in _FIELDS}
    fields["decided"] = _column(tuple((each.probe, each.why) for each in r.decided) for r in records)
    fields["run"] = _column(places[item.run.id] for item in items)
    fields["view"] = _column(map(_around_name, items))
    return {
        "suite": suite,
        "count": len(items),
        "fields": fields,
        "groups": {name: _group([read(record) for record in records]) for name, read in _GROUPS.items()},
    }


def _group(mappings: Sequence[Mapping[str, _Value]]) -> Mapping[str, _Column]:
    names = dict.fromkeys(name for mapping in mappings for name in mapping)
    columns = {name: _column(_applicable(mapping.get(name)) for mapping in mappings) for name in names}
    return {name: column for name, column in columns.items() if column[0] != [None]}


def _applicable(value: _Value) -> _Value:
    return None if isinstance(value, Result) and value.status is Status.NOT_APPLICABLE else value


def _around_name(item: ItemRow) -> tuple[str, ...]:
    """The command that opens a trial: what stands before and after the item's name, which is not repeated."""
    name = item.record.item
    place = item.view.rfind(name) if name else -1
    return (item.view,) if place < 0 else (item.view[:place], item.view[place + len(name) :])


def _column(column: Iterable[_Value]) -> _Column:
    places: dict[_Value, int] = {}
    codes = [places.setdefault(value, len(places)) for value in column]
    values = [_column_value(value) for value in places]
    if len(places) in {1, len(codes)}:
        return values, None
    width = "<u1" if len(places) <= 1 << 8 else "<u2" if len(places) <= 1 << 16 else "<u4"
    return values, base64.b64encode(np.array(codes, width).tobytes()).decode()


def _column_value(value: _Value) -> Json:
    """A value as the scripts read it. A result has no empty fields: there are dozens in each trial."""
    if isinstance(value, Result):
        number: dict[str, Json] = {"status": value.status} if value.value is None else {"value": value.value}
        texts = {"by": value.by, "why": shortened(value.why)}
        return number | {name: text for name, text in texts.items() if text}
    return sorted(value) if isinstance(value, frozenset) else value
