"""The queries of a published benchmark as they lie on disk, each with an id that stays.

A query's own file says category, base number and variant; the combined file
of its setting says the id that published outputs refer to. The two are joined by what they have in common.
"""

import difflib
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from pydantic import JsonValue

from knowact.core.errors import BadData, Place
from knowact.datasets.deviations import Deviation, Done
from knowact.datasets.lines import parse
from knowact.datasets.members import Members
from knowact.datasets.published import PublishedRow, Text, WholeNumber, read_row
from knowact.suites.fail_talms.functions import Function, FunctionKey, entries_of
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


class _Query(PublishedRow):
    query: Text


@dataclass(slots=True)
class Entry:
    """One query on disk.

    Attributes:
        row: What its file says; `row.item` is its id, made of setting, category, base number and variant.
        category: As its folder is named.
        base: The number of the query that it was made from (or is); None where only the combined file has it.
        variant: Its number among the variants of that query; None where it has none.
        text: What the user says.
        offered: The entries of its `api_list`.
        relevant: The names under `relevant APIs`, which are nearly always left out.
        query_id: Its id in the combined file; None where that does not have it.
    """

    row: Members
    split: Split
    category: str
    base: int | None
    variant: int | None
    text: str
    offered: Sequence[Members]
    relevant: tuple[str, ...]
    query_id: int | None = None

    @property
    def id(self) -> str:
        """Unique, and the same for every copy of the data."""
        return self.row.item


@dataclass(frozen=True, slots=True)
class Queries:
    """All queries of a benchmark, and the files that they were read from."""

    entries: tuple[Entry, ...]
    files: tuple[Path, ...]


def read_queries(folders: BenchmarkFolders, deviations: list[Deviation]) -> Queries:
    """Read every query of every setting that is there.

    Raises:
        BadData: One of them cannot be used; the first one is named.
    """
    entries: list[Entry] = []
    files: list[Path] = []
    originals: dict[int, Entry] = {}
    for split, folder in folders.splits.items():
        own = [*_single(split, folder, deviations)]
        combined = combined_file(folder)
        if combined is not None:
            files.append(combined)
            own += _joined(split, combined, own, originals, deviations)
        files += (entry.row.line.file for entry in own if entry.row.line.file != combined)
        if split is Split.PERFECT:
            originals = {entry.query_id: entry for entry in own if entry.query_id is not None}
        entries += own
    return Queries(tuple(entries), tuple(files))


def _single(split: Split, folder: Path, deviations: list[Deviation]) -> Iterator[Entry]:
    """The queries with a file of their own, by category and number."""
    combined = combined_file(folder)
    _tell_strays((file for file in folder.iterdir() if file != combined), deviations)
    for category in category_folders(folder):
        names = {file: query_name(file.name) for file in category.iterdir() if file.is_file()}
        _tell_strays((file for file, name in names.items() if name is None), deviations)
        taken: set[tuple[int, int | None]] = set()
        for file, name in _in_order(names):
            base, variant = number = _free(name, taken)
            taken.add(number)
            key = f"{split}.{category.name}.{base}{'' if variant is None else f'.{variant}'}"
            if file.name != name.regular or variant != name.variant:
                how = f"read as query {base}{'' if variant is None else f', variant {variant}'}"
                deviations.append(Deviation(Kind.FILE_NAME, Done.MENDED, Place(file), how, key))
            line = read_one(file, deviations)
            yield _entry(Members(line, line.value, deviations, item=key), split, category.name, number)


def _tell_strays(files: Iterable[Path], deviations: list[Deviation]) -> None:
    """Enter the files that hold no query; hidden ones are not worth a word."""
    deviations.extend(
        Deviation(Kind.STRAY_FILE, Done.NOTED, Place(file), "passed over")
        for file in sorted(files)
        if file.is_file() and not file.name.startswith(".")
    )


def _in_order(names: Mapping[Path, QueryName | None]) -> list[tuple[Path, QueryName]]:
    """By number; of two with one number, the one with the regular name first."""
    numbered = [(file, name) for file, name in names.items() if name is not None]

    def order(numbered: tuple[Path, QueryName]) -> tuple[int, int, bool, Path]:
        file, name = numbered
        return name.base, name.variant or 0, file.name != name.regular, file

    return sorted(numbered, key=order)


def _free(name: QueryName, taken: set[tuple[int, int | None]]) -> tuple[int, int | None]:
    """Base and variant, with the next free variant where another file has that number already."""
    variant = name.variant
    while (name.base, variant) in taken:
        variant = (variant or 1) + 1
    return name.base, variant


def _entry(row: Members, split: Split, category: str, number: tuple[int | None, int | None]) -> Entry:
    """Read a row; `row.item` is its id."""
    text = read_row(_Query, row).query.strip()
    offered: Sequence[Members] = ()
    if split is not Split.NO_TOOLS:
        offered = entries_of(row)
    elif row.get("api_list"):
        row.mended(Kind.OFFERED_WITHOUT_TOOLS, "none is offered", "api_list")
    return Entry(row, split, category, *number, text, offered, _relevant(row))


def _relevant(row: Members) -> tuple[str, ...]:
    """The names under `relevant APIs`: texts, or objects with tool and function."""
    key = row.key(RELEVANT)
    if key is None:
        row.mended(Kind.RELEVANT_MISSING, "taken for an empty list")
        return ()
    value = cast("JsonValue", row.value[key])
    listed = value if isinstance(value, list) else [value]
    names = tuple(name for name in map(_function_name, listed) if name)
    if names:
        how = f"it names {', '.join(names)}; 'api_list' decides which functions are offered"
        row.noted(Kind.RELEVANT_FILLED, how, key)
    return names


def _function_name(value: JsonValue) -> str:
    if isinstance(value, dict):
        texts = {name: text for name, text in value.items() if isinstance(text, str)}
        parts = (texts.get("tool_name"), texts.get("api_name") or texts.get("name"))
        return ".".join(filter(None, parts))
    if isinstance(value, list):
        return ".".join(map(str, value))
    return value if isinstance(value, str) else ""


def _joined(
    split: Split,
    file: Path,
    own: Sequence[Entry],
    originals: Mapping[int, Entry],
    deviations: list[Deviation],
) -> list[Entry]:
    """Give the queries their ids in the combined file; return those that only this file has."""
    if split is not Split.NO_TOOLS:
        # Rows without functions do not say their category; the original of their id does.
        originals = {}
    rows: dict[int, Members] = {}
    for line in read_rows(file, deviations):
        row = Members(line, line.value, deviations)
        number = parse(_Numbered, line).query_id
        if number in rows:
            what = f"the id {number} occurs twice in this file"
            raise BadData(what, row.place("query_id"), "number the rows anew")
        rows[number] = row
    waiting = list(own)
    for number, row in _matched(rows, waiting, originals):
        row.item = f"{split}.q{number}"
        row.noted(Kind.ROW_DIFFERS, "taken for the query of that text")
    for entry in waiting:
        entry.row.noted(Kind.FILE_WITHOUT_ROW, f"{file.name} does not have it")
    only_here: list[Entry] = []
    for number, row in rows.items():
        original = originals.get(number)
        category = original.category if original else _category(row)
        row.item = f"{split}.{category}.q{number}"
        entry = _entry(row, split, category, (original.base if original else None, None))
        entry.query_id = number
        only_here.append(entry)
        if own:
            row.noted(Kind.ROW_WITHOUT_FILE, "it has no number of a base query")
    return only_here


class _Numbered(PublishedRow):
    query_id: WholeNumber


def _matched(
    rows: dict[int, Members], waiting: list[Entry], originals: Mapping[int, Entry]
) -> Iterator[tuple[int, Members]]:
    """Match rows and queries, by text and functions first, then by text alone; yield the latter.

    Args:
        rows: By id; those that find their query are taken out.
        waiting: The queries; those that find their row are taken out.
        originals: What says the category of rows without functions.
    """
    for signature in (_signature, _text):
        places: dict[str, list[Entry]] = {}
        for entry in waiting:
            places.setdefault(signature(entry.row), []).append(entry)
        for number, row in list(rows.items()):
            same = places.get(signature(row), [])
            home = originals.get(number)
            near = [one for one in same if home and (one.category, one.base) == (home.category, home.base)]
            match = next(iter(near or same), None)
            if match is not None:
                same.remove(match)
                waiting.remove(match)
                match.query_id = number
                del rows[number]
                if signature is _text:
                    yield number, row


def _category(row: Members) -> str:
    """The category of a row, by its first function."""
    names = (function.get("category_name") for function in _functions(row))
    return next((name.strip() for name in names if isinstance(name, str) and name.strip()), "unknown")


def _functions(row: Members) -> list[dict[str, JsonValue]]:
    listed = cast("JsonValue", row.value.get("api_list"))
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def _signature(row: Members) -> str:
    """What a query's own file and its row in the combined file have in common."""
    names = [
        str(function.get(name, "")).strip().casefold()
        for function in _functions(row)
        for name in ("category_name", "tool_name", "api_name")
    ]
    return "\x1f".join([_text(row), *names])


def _text(row: Members) -> str:
    return str(row.value.get("query", "")).strip()


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

    def exclude(self, kind: Kind, how: str) -> None:
        """Leave it out by default; the first reason counts."""
        self.excluded = self.excluded or kind
        self.entry.row.excluded(kind, how)

    @property
    def cluster(self) -> str:
        """The same for all variants of one base query, the base query included."""
        entry = self.entry if self.original is None else self.original.entry
        if entry.base is not None:
            return f"{entry.category}.{entry.base}"
        # Ids of the combined files count anew in each setting: only those of originals name a base query.
        return f"{entry.category}.q{entry.query_id}" if entry.split is Split.PERFECT else entry.id


def relate(drafts: Sequence[Draft]) -> None:
    """Find every query's original, and enter and mark what is wrong with the pair."""
    originals = [draft for draft in drafts if draft.entry.split is Split.PERFECT]
    for draft in originals:
        if len(draft.functions) > 1 and len({one.key.tool for one in draft.functions}) == 1:
            draft.entry.row.noted(Kind.ONE_TOOL, f"all of {draft.functions[0].key.tool}")
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
            draft.original = _by_text(draft, originals)
        _compare(draft)
    _contradictions(drafts)
    _repetitions(drafts)


def same_text(one: Draft, other: Draft) -> bool:
    """Whether two queries say the same, letter case and punctuation apart."""
    return _words(one) == _words(other)


def _words(draft: Draft) -> str:
    return re.sub(r"[\W_]+", " ", draft.entry.text.casefold()).strip()


def _by_text(draft: Draft, originals: Iterable[Draft]) -> Draft | None:
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
        draft.entry.row.noted(Kind.ORIGINAL_BY_TEXT, f"taken for a variant of {best.entry.id}")
    return best


def _compare(draft: Draft) -> None:
    """Hold a query against its original."""
    original, split = draft.original, draft.entry.split
    if original is None:
        draft.entry.row.noted(Kind.NO_ORIGINAL, "what was changed is not known")
        return
    same = same_text(draft, original)
    if split is Split.UNDER_SPECIFIED:
        if draft.keys != original.keys:
            draft.entry.row.noted(Kind.FUNCTIONS_DIFFER, f"{_names(draft)}; there {_names(original)}")
        elif same:
            draft.exclude(Kind.UNALTERED, f"left out; it is {original.entry.id}")
        return
    if not same:
        draft.entry.row.noted(Kind.TEXT_DIFFERS, f"there: {original.entry.text!r}")
    if split in UNAVAILABLE:
        _compare_functions(draft, original)


def _compare_functions(draft: Draft, original: Draft) -> None:
    dropped = draft.dropped
    if dropped is None:
        draft.entry.row.noted(Kind.FUNCTIONS_DIFFER, f"{_names(draft)}; there {_names(original)}")
    elif not dropped:
        draft.exclude(Kind.NOTHING_DROPPED, "left out; no function is missing")
    elif len(draft.functions) > 1:
        draft.entry.row.noted(Kind.SEVERAL_LEFT, f"{_names(draft)}, of {len(original.functions)}")


def _contradictions(drafts: Sequence[Draft]) -> None:
    """Exclude both of a pair that has the same query and functions and opposite labels."""
    unavailable = [draft for draft in drafts if draft.entry.split in UNAVAILABLE]
    for group in _groups(unavailable, lambda one: (one.entry.category, _words(one), one.keys)):
        if len({draft.entry.split for draft in group}) > 1:
            for draft in group:
                others = ", ".join(one.entry.id for one in group if one.entry.split is not draft.entry.split)
                draft.exclude(Kind.CONTRADICTORY, f"left out; the same as {others}")


def _repetitions(drafts: Sequence[Draft]) -> None:
    """Note every query after the first of those with the same words and functions in one setting."""
    for group in _groups(drafts, lambda one: (one.entry.split, one.entry.category, _words(one), one.keys)):
        for draft in group[1:]:
            draft.entry.row.noted(Kind.REPEATED, f"kept; the same as {group[0].entry.id}")


def _groups(drafts: Iterable[Draft], key: Callable[[Draft], Hashable]) -> list[list[Draft]]:
    found: dict[Hashable, list[Draft]] = {}
    for draft in drafts:
        found.setdefault(key(draft), []).append(draft)
    return list(found.values())


def _names(draft: Draft) -> str:
    return ", ".join(one.tool.name for one in draft.functions) or "none"
