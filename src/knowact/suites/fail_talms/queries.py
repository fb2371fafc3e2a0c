"""The queries of a published benchmark as they lie on disk, each with an id that stays.

A query's own file says category, base number and variant; the combined file
of its setting says the id that published outputs refer to. The two are joined by what they have in common.
"""

import difflib
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from knowact.core.errors import BadData, Place
from knowact.datasets.deviations import Ledger
from knowact.datasets.lines import Line
from knowact.datasets.members import Members, whole_number
from knowact.suites.fail_talms.functions import Function, FunctionKey
from knowact.suites.fail_talms.json_rows import read_one, read_rows
from knowact.suites.fail_talms.layout import (
    UNAVAILABLE,
    BenchmarkFolders,
    Kind,
    QueryName,
    Split,
    category_folders,
    combined_file,
    query_name,
)

RELEVANT = "relevant APIs"


@dataclass(slots=True)
class Entry:
    """One query on disk.

    Attributes:
        id: Made of setting, category, base number and variant; unique.
        category: As its folder is named.
        base: The number of the query that it was made from (or is); None where only the combined file has it.
        variant: Its number among the variants of that query; None where it has none.
        line: Its row.
        text: What the user says.
        offered: The entries of its `api_list`.
        relevant: The names under `relevant APIs`, which are nearly always left out.
        query_id: Its id in the combined file; None where that does not have it.
    """

    id: str
    split: Split
    category: str
    base: int | None
    variant: int | None
    line: Line
    text: str
    offered: Sequence[Members]
    relevant: tuple[str, ...]
    query_id: int | None = None

    @property
    def place(self) -> Place:
        """File and line."""
        return self.line.place()


@dataclass(frozen=True, slots=True)
class Queries:
    """All queries of a benchmark, and the files that they were read from."""

    entries: tuple[Entry, ...]
    files: tuple[Path, ...]


def read_queries(folders: BenchmarkFolders, ledger: Ledger) -> Queries:
    """Read every query of every setting that is there.

    Raises:
        BadData: One of them cannot be used; the first one is named.
    """
    entries: list[Entry] = []
    files: list[Path] = []
    originals: dict[int, Entry] = {}
    for split, folder in folders.splits.items():
        own = [*_single(split, folder, ledger)]
        combined = combined_file(folder)
        if combined is not None:
            files.append(combined)
            own += _joined(split, combined, own, originals, ledger)
        files += (entry.line.file for entry in own if entry.line.file != combined)
        if split is Split.PERFECT:
            originals = {entry.query_id: entry for entry in own if entry.query_id is not None}
        entries += own
    return Queries(tuple(entries), tuple(files))


def _single(split: Split, folder: Path, ledger: Ledger) -> Iterator[Entry]:
    """The queries with a file of their own, by category and number."""
    combined = combined_file(folder)
    for file in sorted(folder.iterdir()):
        if file.is_file() and file != combined:
            _stray(file, ledger)
    for category in category_folders(folder):
        names = {file: query_name(file.name) for file in category.iterdir() if file.is_file()}
        for file in sorted(file for file, name in names.items() if name is None):
            _stray(file, ledger)
        taken: set[tuple[int, int | None]] = set()
        for file, name in _in_order(names):
            number = _free(name, taken)
            taken.add(number)
            key = f"{split}.{category.name}.{number[0]}{'' if number[1] is None else f'.{number[1]}'}"
            if file.name != name.regular or number[1] != name.variant:
                how = f"read as query {number[0]}{'' if number[1] is None else f', variant {number[1]}'}"
                ledger.mended(Kind.FILE_NAME, Place(file), how, key)
            line = read_one(file, ledger)
            yield _entry(Members(line, line.value, ledger, item=key), split, category.name, number)


def _stray(file: Path, ledger: Ledger) -> None:
    if not file.name.startswith("."):
        ledger.noted(Kind.STRAY_FILE, Place(file), "passed over")


def _in_order(names: Mapping[Path, QueryName | None]) -> list[tuple[Path, QueryName]]:
    """By number; of two with one number, the one with the regular name first."""
    found = [(file, name) for file, name in names.items() if name is not None]

    def order(one: tuple[Path, QueryName]) -> tuple[int, int, bool, Path]:
        file, name = one
        return name.base, name.variant or 0, file.name != name.regular, file

    return sorted(found, key=order)


def _free(name: QueryName, taken: set[tuple[int, int | None]]) -> tuple[int, int | None]:
    """Base and variant, with the next free variant where another file has that number already."""
    number, variant = (name.base, name.variant), name.variant
    while number in taken:
        variant = (variant or 1) + 1
        number = (name.base, variant)
    return number


def _entry(row: Members, split: Split, category: str, number: tuple[int | None, int | None]) -> Entry:
    """Read a row; `row.item` is its id."""
    text = row.text("query").strip()
    offered: Sequence[Members] = ()
    if split is not Split.NO_TOOLS:
        offered = row.objects("api_list")
    elif row.get("api_list"):
        row.ledger.mended(Kind.OFFERED_WITHOUT_TOOLS, row.place("api_list"), "none is offered", row.item)
    return Entry(row.item, split, category, *number, row.line, text, offered, _relevant(row))


def _relevant(row: Members) -> tuple[str, ...]:
    """The names under `relevant APIs`: texts, or objects with tool and function."""
    key = row.key(RELEVANT)
    if key is None:
        row.ledger.mended(Kind.RELEVANT_MISSING, row.place(), "taken for an empty list", row.item)
        return ()
    value = row.value[key]
    listed = cast("list[Any]", value) if isinstance(value, list) else [value]
    names = tuple(name for one in listed if (name := _function_name(one)))
    if names:
        how = f"it names {', '.join(names)}; 'api_list' decides which functions are offered"
        row.ledger.noted(Kind.RELEVANT_FILLED, row.place(key), how, row.item)
    return names


def _function_name(value: Any) -> str:
    if isinstance(value, dict):
        texts = {str(key): one for key, one in cast("dict[str, Any]", value).items() if isinstance(one, str)}
        parts = (texts.get("tool_name", ""), texts.get("api_name", "") or texts.get("name", ""))
        return ".".join(part for part in parts if part)
    if isinstance(value, list):
        return ".".join(str(part) for part in cast("list[Any]", value))
    return value if isinstance(value, str) else ""


def _joined(
    split: Split, file: Path, own: Sequence[Entry], originals: Mapping[int, Entry], ledger: Ledger
) -> list[Entry]:
    """Give the queries their ids in the combined file; return those that only this file has."""
    known: set[int] = set()
    rows = {_query_id(line, known): line for line in read_rows(file, ledger)}
    waiting = list(own)
    for number, line in _matched(rows, waiting, originals if split is Split.NO_TOOLS else {}):
        ledger.noted(Kind.ROW_DIFFERS, line.place(), "taken for the query of that text", f"{split}.q{number}")
    for entry in waiting:
        ledger.noted(Kind.FILE_WITHOUT_ROW, entry.place, f"{file.name} does not have it", entry.id)
    only_here: list[Entry] = []
    for number, line in rows.items():
        original = originals.get(number) if split is Split.NO_TOOLS else None
        category = original.category if original else _category(line)
        row = Members(line, line.value, ledger, item=f"{split}.{category}.q{number}")
        entry = _entry(row, split, category, (original.base if original else None, None))
        entry.query_id = number
        only_here.append(entry)
        if own:
            ledger.noted(Kind.ROW_WITHOUT_FILE, line.place(), "it has no number of a base query", entry.id)
    return only_here


def _matched(
    rows: dict[int, Line], waiting: list[Entry], originals: Mapping[int, Entry]
) -> Iterator[tuple[int, Line]]:
    """Match rows and queries, by text and functions first, then by text alone; yield the latter.

    Args:
        rows: By id; those that find their query are taken out.
        waiting: The queries; those that find their row are taken out.
        originals: Rows without functions do not say their category; the original of their id does.
    """
    for signature in (_signature, _text):
        places: dict[str, list[Entry]] = {}
        for entry in waiting:
            places.setdefault(signature(entry.line), []).append(entry)
        for number, line in list(rows.items()):
            same = places.get(signature(line), [])
            home = originals.get(number)
            near = [one for one in same if home and (one.category, one.base) == (home.category, home.base)]
            match = next(iter(near or same), None)
            if match is not None:
                same.remove(match)
                waiting.remove(match)
                match.query_id = number
                del rows[number]
                if signature is _text:
                    yield number, line


def _query_id(line: Line, known: set[int]) -> int:
    """The id of a row of a combined file, which must be there and be its own."""
    value = whole_number(line.value.get("query_id"))
    if value is None:
        what = "this must be a whole number: published outputs refer to it"
        raise BadData(what, line.place("query_id"), "number the rows")
    if value in known:
        what = f"the id {value} occurs twice in this file"
        raise BadData(what, line.place("query_id"), "number the rows anew")
    known.add(value)
    return value


def _category(line: Line) -> str:
    """The category of a row, by its first function."""
    for function in _functions(line):
        name = function.get("category_name")
        if isinstance(name, str) and name.strip():
            return name.strip()
    return "unknown"


def _functions(line: Line) -> Iterable[Mapping[str, Any]]:
    listed = line.value.get("api_list")
    every = cast("list[Any]", listed) if isinstance(listed, list) else []
    return [cast("dict[str, Any]", one) for one in every if isinstance(one, dict)]


def _signature(line: Line) -> str:
    """What a query's own file and its row in the combined file have in common."""
    names = [
        str(function.get(name, "")).strip().casefold()
        for function in _functions(line)
        for name in ("category_name", "tool_name", "api_name")
    ]
    return "\x1f".join([_text(line), *names])


def _text(line: Line) -> str:
    return str(line.value.get("query", "")).strip()


_ALIKE: Final = 0.5
"""Least similarity of a query and its original (ratio of matching characters): masking keeps most of it."""


@dataclass(slots=True)
class Draft:
    """A query on its way to an item.

    Attributes:
        functions: On offer.
        original: The query of the perfect setting that it was made from; None where it is not there.
        excluded: Why it is left out by default; None where it is not.
    """

    entry: Entry
    functions: tuple[Function, ...]
    original: "Draft | None" = None
    excluded: Kind | None = None

    @property
    def keys(self) -> frozenset[FunctionKey]:
        """The functions on offer, in one letter case."""
        return frozenset(function.key.folded for function in self.functions)

    @property
    def dropped(self) -> tuple[Function, ...] | None:
        """The functions that were taken away; None where that can't be known.

        It follows from the original's list, unless this one offers something that the original does not.
        """
        if self.original is None or not self.keys <= self.original.keys:
            return None
        return tuple(one for one in self.original.functions if one.key.folded not in self.keys)

    @property
    def cluster(self) -> str:
        """The same for all variants of one base query, the base query included."""
        entry = self.entry if self.original is None else self.original.entry
        if entry.base is not None:
            return f"{entry.category}.{entry.base}"
        # Ids of the combined files count anew in each setting: only those of originals name a base query.
        return f"{entry.category}.q{entry.query_id}" if entry.split is Split.PERFECT else entry.id


def relate(drafts: Sequence[Draft], ledger: Ledger) -> None:
    """Find every query's original, and enter and mark what is wrong with the pair."""
    originals = [draft for draft in drafts if draft.entry.split is Split.PERFECT]
    for draft in originals:
        if len(draft.functions) > 1 and len({one.key.tool for one in draft.functions}) == 1:
            _note(ledger, Kind.ONE_TOOL, draft, f"all of {draft.functions[0].key.tool}")
    # Of two files with one number the first has the regular name.
    by_number = {(one.entry.category.casefold(), one.entry.base): one for one in reversed(originals)}
    by_id = {one.entry.query_id: one for one in originals}
    for draft in drafts:
        entry = draft.entry
        if entry.split is Split.PERFECT:
            continue
        if entry.base is not None:
            draft.original = by_number.get((entry.category.casefold(), entry.base))
        elif entry.split is Split.NO_TOOLS and entry.query_id in by_id:
            draft.original = by_id[entry.query_id]
        else:
            draft.original = _by_text(draft, originals, ledger)
        _compare(draft, ledger)
    _contradictions(drafts, ledger)
    _repetitions(drafts, ledger)


def same_text(one: Draft, other: Draft) -> bool:
    """Whether two queries say the same, letter case and punctuation apart."""
    return _words(one) == _words(other)


def _words(draft: Draft) -> str:
    return re.sub(r"[\W_]+", " ", draft.entry.text.casefold()).strip()


def _by_text(draft: Draft, originals: Iterable[Draft], ledger: Ledger) -> Draft | None:
    """Find the original by category, functions and text, where no file name tells it."""
    entry = draft.entry
    best: Draft | None = None
    most = _ALIKE
    for one in originals:
        if one.entry.category.casefold() == entry.category.casefold() and draft.keys <= one.keys:
            alike = difflib.SequenceMatcher(None, one.entry.text, entry.text, autojunk=False).ratio()
            if alike > most:
                best, most = one, alike
    if best is not None and not same_text(draft, best):
        _note(ledger, Kind.ORIGINAL_BY_TEXT, draft, f"taken for a variant of {best.entry.id}")
    return best


def _compare(draft: Draft, ledger: Ledger) -> None:
    """Hold a query against its original."""
    original, split = draft.original, draft.entry.split
    if original is None:
        _note(ledger, Kind.NO_ORIGINAL, draft, "what was changed is not known")
        return
    same = same_text(draft, original)
    if split is Split.UNDER_SPECIFIED:
        if draft.keys != original.keys:
            _note(ledger, Kind.FUNCTIONS_DIFFER, draft, f"{_names(draft)}; there {_names(original)}")
        elif same:
            _exclude(ledger, Kind.UNALTERED, draft, f"left out; it is {original.entry.id}")
        return
    if not same:
        _note(ledger, Kind.TEXT_DIFFERS, draft, f"there: {original.entry.text!r}")
    if split in UNAVAILABLE:
        _compare_functions(draft, original, ledger)


def _compare_functions(draft: Draft, original: Draft, ledger: Ledger) -> None:
    dropped = draft.dropped
    if dropped is None:
        _note(ledger, Kind.FUNCTIONS_DIFFER, draft, f"{_names(draft)}; there {_names(original)}")
    elif not dropped:
        _exclude(ledger, Kind.NOTHING_DROPPED, draft, "left out; no function is missing")
    elif len(draft.functions) > 1:
        _note(ledger, Kind.SEVERAL_LEFT, draft, f"{_names(draft)}, of {len(original.functions)}")


def _contradictions(drafts: Sequence[Draft], ledger: Ledger) -> None:
    """Exclude both of a pair that has the same query and functions and opposite labels."""
    unavailable = [draft for draft in drafts if draft.entry.split in UNAVAILABLE]
    for group in _groups(unavailable, lambda one: (one.entry.category, _words(one), one.keys)):
        if len({draft.entry.split for draft in group}) > 1:
            for draft in group:
                others = ", ".join(one.entry.id for one in group if one.entry.split is not draft.entry.split)
                _exclude(ledger, Kind.CONTRADICTORY, draft, f"left out; the same as {others}")


def _repetitions(drafts: Sequence[Draft], ledger: Ledger) -> None:
    """Note every query after the first of those with the same words and functions in one setting."""
    for group in _groups(drafts, lambda one: (one.entry.split, one.entry.category, _words(one), one.keys)):
        for draft in group[1:]:
            _note(ledger, Kind.REPEATED, draft, f"kept; the same as {group[0].entry.id}")


def _groups(drafts: Iterable[Draft], key: Callable[[Draft], Hashable]) -> list[list[Draft]]:
    found: dict[Hashable, list[Draft]] = {}
    for draft in drafts:
        found.setdefault(key(draft), []).append(draft)
    return list(found.values())


def _names(draft: Draft) -> str:
    return ", ".join(one.tool.name for one in draft.functions) or "none"


def _note(ledger: Ledger, kind: Kind, draft: Draft, how: str) -> None:
    ledger.noted(kind, draft.entry.place, how, draft.entry.id)


def _exclude(ledger: Ledger, kind: Kind, draft: Draft, how: str) -> None:
    draft.excluded = draft.excluded or kind
    ledger.excluded(kind, draft.entry.place, how, draft.entry.id)
