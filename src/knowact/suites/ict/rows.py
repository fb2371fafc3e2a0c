"""The rows of published files, each read as far as it can be without its partner.

What the card leaves open is taken from the data and told, or refused with what was
found: above all, a value of `corruption_type` whose meaning nobody has said is never guessed at.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from pydantic import JsonValue

from knowact.core.clean import dumps
from knowact.core.errors import BadData
from knowact.core.task import Utterance
from knowact.core.world import Call
from knowact.datasets.deviations import Ledger, ToolKind
from knowact.datasets.lines import Line, read_lines
from knowact.datasets.members import Members, whole_number
from knowact.datasets.parquet import parquet_rows
from knowact.suites.ict.cases import Manipulation
from knowact.suites.ict.conversations import REQUEST, read_conversation, told_loose
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

SAMPLE, ORIGIN, ANSWER = "original_sample_id", "source_file_id", "answer"
TYPE, CORRUPTED, THOUGHT = "corruption_type", "is_corrupted", "corruption_thought"
TOOLS, ALTERED_TOOLS = "api_list", "corruption_api_list"
OPTION: Final = "corruption_types"
"""How the suite's option is called that says what values of `corruption_type` stand for."""

MOST_VALUES: Final = 12
"""A column that has more values than that holds something else than its name says."""

COLUMNS: Final = frozenset(
    (SAMPLE, ORIGIN, "conversation", ANSWER, TYPE, CORRUPTED, THOUGHT, TOOLS, ALTERED_TOOLS)
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row, without its tools: which column holds those depends on its partner.

    Attributes:
        sample: `original_sample_id`.
        corrupted: Whether it is the manipulated one.
        answer: The gold calls; empty where there are none to read.
    """

    members: Members
    part: Part
    sample: int
    corrupted: bool
    utterances: tuple[Utterance, ...]
    answer: tuple[Call, ...]

    @property
    def id(self) -> str:
        """Unique in a release, and the same for every copy of it."""
        return self.members.item


def read_file(file: DataFile, said: Mapping[str, Manipulation], ledger: Ledger) -> tuple[Row, ...]:
    """Read the rows of one file.

    Args:
        file: What to read.
        said: What values of `corruption_type` stand for, as far as somebody has said so.
        ledger: Takes what departs from the card.

    Raises:
        BadData: A row cannot be used; the first one is named.
    """
    lines = tuple(_numbered(file.path) if file.path.suffix == PARQUET else read_lines(file.path))
    bare = _with_columns(lines, ledger)
    meanings = _meanings(bare, said, file)
    _tell_sources(bare, file)
    seen: Counter[tuple[Part, int, bool]] = Counter()
    rows: list[Row] = []
    for row in bare:
        key = (_part(row, meanings, file), _sample(row), _truth(row, CORRUPTED))
        seen[key] += 1
        rows.append(_row(row, *key, seen[key]))
    return tuple(rows)


def _numbered(file: Path) -> Iterator[Line]:
    return (Line(file, number, row) for number, row in enumerate(parquet_rows(file), start=1))


def _row(bare: Members, part: Part, sample: int, corrupted: bool, number: int) -> Row:  # noqa: FBT001 - a column
    side = "manipulated" if corrupted else "original"
    item = f"{part.benchmark}.{part.manipulation}.{sample}.{side}{'' if number == 1 else f'-{number}'}"
    row = Members(bare.line, bare.value, bare.ledger, item=item)
    if row.get(THOUGHT) not in (None, ""):
        row.ledger.noted(Kind.THOUGHT, row.place(THOUGHT), "not read", item)
    return Row(
        members=row,
        part=part,
        sample=sample,
        corrupted=corrupted,
        utterances=read_conversation(row),
        answer=_answer(row),
    )


def _with_columns(lines: Sequence[Line], ledger: Ledger) -> list[Members]:
    """Give the columns their published names; what else there is, or in which spelling, is entered once."""
    known = {folded(name): name for name in COLUMNS}
    seen: set[str] = set()
    rows: list[Members] = []
    for line in lines:
        for name in line.value:
            if name not in COLUMNS and name not in seen:
                seen.add(name)
                meant = known.get(folded(name))
                if meant:
                    ledger.mended(ToolKind.SPELLING, line.place(name), f"{name!r} was read as {meant!r}")
                else:
                    ledger.noted(Kind.COLUMN_UNKNOWN, line.place(name), "not read")
        # A column in its own spelling comes last, so that it wins.
        ordered = sorted(line.value.items(), key=lambda column: column[0] in COLUMNS)
        value = {known.get(folded(name), name): one for name, one in ordered}
        rows.append(Members(line, value, ledger))
    return rows


def _meanings(
    rows: Sequence[Members], said: Mapping[str, Manipulation], file: DataFile
) -> Mapping[str, Manipulation]:
    """Say what each value of `corruption_type` stands for."""
    values = [row.get(TYPE) for row in rows]
    found: dict[str, Manipulation] = {}
    for row, value in zip(rows, values, strict=True):
        if value is None or (isinstance(value, str) and value in found):
            continue
        meaning = _meaning(value, said)
        if meaning is None:
            listed = _listed(Counter(repr(one) for one in values))
            suggested = file.part.manipulation if file.part else Manipulation.REMOVAL
            what = f"it is not known what the corruption type {value!r} stands for; the file has {listed}"
            fix = f"define it, as in --{OPTION.replace('_', '-')} {str(value)!r}={suggested}"
            raise BadData(what, row.place(TYPE), fix)
        if value != SAYS_REPLACEMENT:
            told = "as it was said" if value in said else "in the paper's own words"
            row.ledger.noted(Kind.TYPE_IN_WORDS, row.place(TYPE), f"{value!r} is {meaning}, {told}")
        found[value] = meaning
    return found


def _listed(counts: Counter[str]) -> str:
    """Values with their numbers of rows, the most frequent first."""
    shown = [f"{name[:60]} ({count} rows)" for name, count in counts.most_common(MOST_VALUES)]
    more = len(counts) - len(shown)
    return ", ".join([*shown, f"and {more} more"] if more else shown)


def _meaning(value: Any, said: Mapping[str, Manipulation]) -> Manipulation | None:
    return (said.get(value) or IN_WORDS.get(folded(value))) if isinstance(value, str) else None


def _tell_sources(rows: Sequence[Members], file: DataFile) -> None:
    """Enter, or refuse where the file's name does not help, names of sources that the card does not show."""
    unknown: Counter[str] = Counter()
    first: Members | None = None
    for row in rows:
        name = _origin(row).get("dataset")
        if not isinstance(name, str) or folded(name) not in DATASETS:
            unknown[repr(name)] += 1
            first = first or row
    if first is None:
        return
    listed = _listed(unknown)
    place = first.place(f"{ORIGIN}.dataset")
    if file.part is None:
        fix = f"name the file as it was published ({Part(Benchmark.APIBANK, Manipulation.REMOVAL).stem}, …)"
        raise BadData(f"the file does not say which benchmark it comes from; it has {listed}", place, fix)
    first.ledger.noted(Kind.SOURCE_UNKNOWN, place, f"{listed}: {file.part.benchmark} by the file's name")


def _part(row: Members, meanings: Mapping[str, Manipulation], file: DataFile) -> Part:
    """Which of the four parts a row belongs to: as the file is named; its columns must not contradict."""
    value, name = row.get(TYPE), _origin(row).get("dataset")
    manipulation = None if value is None else meanings[value]
    benchmark = DATASETS.get(folded(name)) if isinstance(name, str) else None
    if file.part is None:
        if manipulation is None or benchmark is None:
            fix = "write it out, or name the file as it was published"
            raise BadData("the row does not say how it was manipulated", row.place(TYPE), fix)
        return Part(benchmark, manipulation)
    fix = "put the row into the file that it belongs to"
    if manipulation not in (None, file.part.manipulation):
        what = f"the file is named {file.part.stem}, but this row says {value!r}, which is {manipulation}"
        raise BadData(what, row.place(TYPE), fix)
    if benchmark not in (None, file.part.benchmark):
        what = f"the file is named {file.part.stem}, but this row says {name!r}"
        raise BadData(what, row.place(f"{ORIGIN}.dataset"), fix)
    return file.part


def _sample(row: Members) -> int:
    number = whole_number(row.get(SAMPLE))
    if number is None:
        what = "this must be a whole number" if row.key(SAMPLE) else "this column is missing"
        raise BadData(what, row.place(SAMPLE), "give a manipulated row and its original the same number")
    return number


def _truth(row: Members, column: str) -> bool:
    value = row.get(column)
    if not isinstance(value, bool):
        what = f"this must be true or false, not {value!r}" if row.key(column) else "this column is missing"
        raise BadData(what, row.place(column), "write true for a manipulated row and false for an original")
    return value


def _origin(row: Members) -> Mapping[str, JsonValue]:
    """`source_file_id`, an object or the text of one; empty where it is neither."""
    value = row.get(ORIGIN)
    if isinstance(value, str):
        try:
            value = read_value(value)
        except ValueError:
            return {}
    return cast("Mapping[str, JsonValue]", value) if isinstance(value, dict) else {}


def _answer(row: Members) -> tuple[Call, ...]:
    """Return the gold calls.

    The card shows a call with arguments. What ToolBench's rows have is not known: a list of names, or of
    pairs of tool and function (ToolBench's `relevant APIs`), is taken for calls without arguments.
    """
    value = row.get(ANSWER)
    if value is None or value in ("", []):
        row.ledger.noted(Kind.ANSWER_MISSING, row.place(ANSWER), "the item is as good without", row.item)
        return ()
    calls = _calls(value, row) if isinstance(value, str) else ()
    calls = calls or tuple(Call(name) for name in _names(value))
    if not calls:
        text = value if isinstance(value, str) else dumps(value)
        how = f"not read: {text[:60]!r}"
        row.ledger.noted(Kind.ANSWER_UNREADABLE, row.place(ANSWER), how, row.item)
    return calls


def _calls(text: str, row: Members) -> tuple[Call, ...]:
    try:
        calls = read_calls(text.strip().removeprefix(f"{REQUEST}:"))
    except ValueError:
        return ()
    told_loose(calls, row, ANSWER)
    return tuple(Call(one.tool, one.arguments) for one in calls)


def _names(value: Any) -> Iterator[str]:
    """Yield the names in a list of names or of pairs; nothing where it holds anything else."""
    if isinstance(value, str):
        try:
            value = read_value(value)
        except ValueError:
            return
    listed = cast("list[Any]", value) if isinstance(value, list) else []
    found: list[str] = []
    for one in listed:
        pair = cast("list[Any]", one) if isinstance(one, list) else [one]
        if not pair or not all(isinstance(name, str) for name in pair):
            return
        found.append(pair[-1])
    yield from found
