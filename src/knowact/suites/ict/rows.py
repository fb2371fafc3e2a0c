"""The rows of published files, each read as far as it can be without its partner.

What the card leaves open is taken from the data and told, or refused with what was
found: above all, a value of `corruption_type` whose meaning nobody has said is never guessed at.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, cast

from pydantic import BeforeValidator, Field, JsonValue, StrictBool

from knowact.core.clean import dumps
from knowact.core.condition import CLEAN, Condition
from knowact.core.errors import BadData, Place
from knowact.core.task import Dialogue, Opening, Query, Utterance
from knowact.core.tool import Tool
from knowact.core.world import Call
from knowact.datasets.deviations import Deviation, ToolKind
from knowact.datasets.lines import Line, parse, read_lines
from knowact.datasets.members import Members
from knowact.datasets.parquet import parquet_rows
from knowact.datasets.published import PublishedRow, WholeNumber
from knowact.suites.ict.cases import Manipulation
from knowact.suites.ict.conversations import REQUEST, read_conversation, told_loose
from knowact.suites.ict.descriptors import Offer
from knowact.suites.ict.layout import (
    DATASETS,
    IN_WORDS,
    PARQUET,
    SAYS_REPLACEMENT,
    Benchmark,
    DataFile,
    Kind,
    Part,
    folded,
)
from knowact.suites.ict.literals import read_calls, read_value

ORIGIN, ANSWER, TYPE, THOUGHT = "source_file_id", "answer", "corruption_type", "corruption_thought"
TOOLS, ALTERED_TOOLS = "api_list", "corruption_api_list"
OPTION: Final = "corruption_types"
"""How the suite's option is called that says what values of `corruption_type` stand for."""

MOST_VALUES: Final = 12
"""A column that has more values than that holds something else than its name says."""


def read_or_none(text: str) -> JsonValue:
    """Return the value of a text; None where it is neither JSON nor a literal."""
    try:
        return read_value(text)
    except ValueError:
        return None


def _dataset(value: JsonValue) -> JsonValue:
    """What `source_file_id`, an object or the text of one, says of the data set."""
    value = read_or_none(value) if isinstance(value, str) else value
    return value.get("dataset") if isinstance(value, dict) else None


class Columns(PublishedRow):
    """The columns of a row that are read alone; conversation and tools depend on more than their own.

    Attributes:
        sample: `original_sample_id`.
        kind: `corruption_type`.
        corrupted: Whether it is the manipulated one.
        dataset: What `source_file_id` says of the data set that it is from.
    """

    kind: JsonValue = Field(default=None, alias=TYPE)
    dataset: Annotated[JsonValue, BeforeValidator(_dataset)] = Field(default=None, alias=ORIGIN)
    sample: WholeNumber = Field(alias="original_sample_id")
    corrupted: StrictBool = Field(alias="is_corrupted")

    @property
    def benchmark(self) -> Benchmark | None:
        """The benchmark that it is from, as far as the card's words say it."""
        return DATASETS.get(folded(self.dataset)) if isinstance(self.dataset, str) else None


_OTHERS: Final = ("conversation", ANSWER, THOUGHT, TOOLS, ALTERED_TOOLS)
COLUMNS: Final = frozenset((*(field.alias or "" for field in Columns.model_fields.values()), *_OTHERS))

Bare = tuple[Members, Columns]


@dataclass(slots=True, eq=False)
class PublishedItem:
    """One published row. Which column holds its tools depends on its partner, so they come last.

    Attributes:
        row: What its file says; `row.item` is its id.
        part: Its benchmark and its manipulation; an original has those of the file that it stands in.
        sample: `original_sample_id`.
        is_corrupted: Whether it is the manipulated one, so that the right answer is *no*.
        utterances: What was said, without what the assistant says last.
        answer: The gold calls of the complete version; empty where there are none to read.
        offers: On offer, in the published order.
        withheld: What is missing, as `Condition.withheld` has it. Not known (None) for removals: the release
            does not say which words were taken out.
        cluster: Pairs that were made from one conversation share it.
    """

    row: Members
    part: Part
    sample: int
    is_corrupted: bool
    utterances: tuple[Utterance, ...]
    answer: tuple[Call, ...]
    offers: tuple[Offer, ...] = ()
    withheld: tuple[str, ...] | None = None
    cluster: str = ""

    @property
    def id(self) -> str:
        """Benchmark, manipulation, `original_sample_id`, which of the two.

        As in "apibank.api_replacement.17.manipulated"; unique, and the same for every copy of the data.
        """
        return self.row.item

    @property
    def place(self) -> Place:
        """File and line."""
        return self.row.place()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """What is on offer, as an agent sees it."""
        return tuple(offer.tool for offer in self.offers)

    @property
    def benchmark(self) -> Benchmark:
        """API-Bank or ToolBench."""
        return self.part.benchmark

    @property
    def manipulation(self) -> Manipulation:
        """What was done to it, or to its partner."""
        return self.part.manipulation

    @property
    def opening(self) -> Opening:
        """What an agent is asked.

        Raises:
            ValueError: The conversation does not end with the user; such items are set aside.
        """
        if len(self.utterances) == 1 and self.utterances[0].role == "user":
            return Query(text=self.utterances[0].text)
        return Dialogue(utterances=self.utterances)

    @property
    def condition(self) -> Condition:
        """The manipulation as a condition; its changes are in the data, none is left to apply."""
        return Condition(name=self.manipulation.value, withheld=self.withheld) if self.is_corrupted else CLEAN


def read_file(
    file: DataFile, meanings: Mapping[str, Manipulation], deviations: list[Deviation]
) -> tuple[PublishedItem, ...]:
    """Read the rows of one file.

    Args:
        file: What to read.
        meanings: What values of `corruption_type` stand for, as far as somebody has said so.
        deviations: Takes what departs from the card.

    Raises:
        BadData: A row cannot be used; the first one is named.
    """
    if file.path.suffix == PARQUET:
        lines = [Line(file.path, number, row) for number, row in enumerate(parquet_rows(file.path), start=1)]
    else:
        lines = list(read_lines(file.path))
    bare = _with_columns(lines, deviations)
    _check_kinds(bare, meanings, file)
    _check_datasets(bare, file)
    seen: Counter[tuple[Part, int, bool]] = Counter()
    rows: list[PublishedItem] = []
    for members, columns in bare:
        part = _part(members, columns, meanings, file)
        seen[part, columns.sample, columns.corrupted] += 1
        rows.append(_row(members, columns, part, seen[part, columns.sample, columns.corrupted]))
    return tuple(rows)


def _row(bare: Members, columns: Columns, part: Part, number: int) -> PublishedItem:
    side = "manipulated" if columns.corrupted else "original"
    item = (
        f"{part.benchmark}.{part.manipulation}.{columns.sample}.{side}{'' if number == 1 else f'-{number}'}"
    )
    row = replace(bare, item=item)
    if row.get(THOUGHT) not in (None, ""):
        row.noted(Kind.THOUGHT, "not read", THOUGHT)
    return PublishedItem(row, part, columns.sample, columns.corrupted, read_conversation(row), _answer(row))


def _with_columns(lines: Sequence[Line], deviations: list[Deviation]) -> list[Bare]:
    """Give the columns their published names; what else there is, or in which spelling, is entered once."""
    known = {folded(name): name for name in COLUMNS}
    seen: set[str] = set()
    rows: list[Bare] = []
    for line in lines:
        # A column in its own spelling comes last, so that it wins.
        ordered = sorted(line.value.items(), key=lambda column: column[0] in COLUMNS)
        value = {known.get(folded(name), name): inner for name, inner in ordered}
        row = Members(line, value, deviations)
        for name in (name for name in line.value if name not in COLUMNS and name not in seen):
            seen.add(name)
            if folded(name) in known:
                row.mended(ToolKind.SPELLING, f"{name!r} was read as {known[folded(name)]!r}", name)
            else:
                row.noted(Kind.COLUMN_UNKNOWN, "not read", name)
        rows.append((row, parse(Columns, replace(line, value=value))))
    return rows


def _meaning(kind: JsonValue, meanings: Mapping[str, Manipulation]) -> Manipulation | None:
    """What a value of `corruption_type` stands for."""
    return (meanings.get(kind) or IN_WORDS.get(folded(kind))) if isinstance(kind, str) else None


def _check_kinds(rows: Sequence[Bare], meanings: Mapping[str, Manipulation], file: DataFile) -> None:
    """Refuse a value of `corruption_type` that stands for nothing known; enter each that the card lacks."""
    known: set[str] = set()
    for row, columns in rows:
        kind = columns.kind
        if kind is None or (isinstance(kind, str) and kind in known):
            continue
        meaning = _meaning(kind, meanings)
        if meaning is None or not isinstance(kind, str):
            listed = _listed(repr(other.kind) for _, other in rows)
            suggested = file.part.manipulation if file.part else Manipulation.REMOVAL
            what = f"it is not known what the corruption type {kind!r} stands for; the file has {listed}"
            fix = f"define it, as in --{OPTION.replace('_', '-')} {str(kind)!r}={suggested}"
            raise BadData(what, row.place(TYPE), fix)
        if kind != SAYS_REPLACEMENT:
            source = "as it was said" if kind in meanings else "in the paper's own words"
            row.noted(Kind.TYPE_IN_WORDS, f"{kind!r} is {meaning}, {source}", TYPE)
        known.add(kind)


def _listed(names: Iterable[str]) -> str:
    """Values with their numbers of rows, the most frequent first."""
    counts = Counter(names)
    shown = [f"{name[:60]} ({count} rows)" for name, count in counts.most_common(MOST_VALUES)]
    more = len(counts) - len(shown)
    return ", ".join([*shown, f"and {more} more"] if more else shown)


def _check_datasets(rows: Sequence[Bare], file: DataFile) -> None:
    """Enter names of data sets that the card lacks; refuse them where the file's name does not help."""
    unknown = [(row, repr(columns.dataset)) for row, columns in rows if columns.benchmark is None]
    if not unknown:
        return
    listed, first, field = _listed(name for _, name in unknown), unknown[0][0], f"{ORIGIN}.dataset"
    if file.part is None:
        what = f"the file does not say which benchmark it comes from; it has {listed}"
        stem = Part(Benchmark.APIBANK, Manipulation.REMOVAL).stem
        raise BadData(what, first.place(field), f"name the file as it was published ({stem}, …)")
    first.noted(Kind.SOURCE_UNKNOWN, f"{listed}: {file.part.benchmark} by the file's name", field)


def _part(row: Members, columns: Columns, meanings: Mapping[str, Manipulation], file: DataFile) -> Part:
    """Which of the four parts a row belongs to: as the file is named; its columns must not contradict."""
    manipulation, benchmark = _meaning(columns.kind, meanings), columns.benchmark
    if file.part is None:
        if manipulation is None or benchmark is None:
            fix = "write it out, or name the file as it was published"
            raise BadData("the row does not say how it was manipulated", row.place(TYPE), fix)
        return Part(benchmark, manipulation)
    for stated, right, value, field in (
        (manipulation, file.part.manipulation, columns.kind, TYPE),
        (benchmark, file.part.benchmark, columns.dataset, f"{ORIGIN}.dataset"),
    ):
        if stated not in (None, right):
            what = f"the file is named {file.part.stem}, but this row says {value!r}, which is {stated}"
            raise BadData(what, row.place(field), "put the row into the file that it belongs to")
    return file.part


def _answer(row: Members) -> tuple[Call, ...]:
    """Return the gold calls.

    The card shows a call with arguments. What ToolBench's rows have is not known: a list of names, or of
    pairs of tool and function (ToolBench's `relevant APIs`), is taken for calls without arguments.
    """
    value = row.get(ANSWER)
    if value is None or value in ("", []):
        row.noted(Kind.ANSWER_MISSING, "the item is as good without", ANSWER)
        return ()
    calls = _calls(value, row) if isinstance(value, str) else ()
    calls = calls or _names(read_or_none(value) if isinstance(value, str) else value)
    if not calls:
        text = value if isinstance(value, str) else dumps(value)
        row.noted(Kind.ANSWER_UNREADABLE, f"not read: {text[:60]!r}", ANSWER)
    return calls


def _calls(text: str, row: Members) -> tuple[Call, ...]:
    try:
        calls = read_calls(text.strip().removeprefix(f"{REQUEST}:"))
    except ValueError:
        return ()
    told_loose(calls, row, ANSWER)
    return tuple(Call(call.tool, call.arguments) for call in calls)


def _names(value: Any) -> tuple[Call, ...]:
    """The calls of a list of names or of pairs; none where it holds anything else."""
    listed = cast("list[Any]", value) if isinstance(value, list) else []
    pairs = [cast("list[Any]", pair) if isinstance(pair, list) else [pair] for pair in listed]
    if not all(pair and all(isinstance(name, str) for name in pair) for pair in pairs):
        return ()
    return tuple(Call(pair[-1]) for pair in pairs)
