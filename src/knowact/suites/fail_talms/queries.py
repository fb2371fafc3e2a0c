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

from knowact.core.condition import CLEAN, Condition
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


@dataclass(slots=True, eq=False)
class PublishedItem:
    """One published query.

    Attributes:
        row: What its file says of it; `row.item` is its id.
        split: The setting.
        category: As its folder is named.
        base: The number of the base query; None where only a combined file has this one.
        variant: Its number among the variants of its base query; None where it has none.
        query: What the user says.
        offered: The entries of its `api_list`.
        relevant: What `relevant APIs` names; nearly always nothing.
        query_id: Its id in the combined file of its setting, which published outputs refer to; None where
            that does not have it.
        functions: On offer, in the published order.
        source: The query of the perfect setting that it was made from; None where it is not there.
        excluded: Why it is set aside; None where it is not.
    """

    row: Members
    split: Split
    category: str
    base: int | None
    variant: int | None
    query: str
    offered: Sequence[Members]
    relevant: tuple[str, ...]
    query_id: int | None = None
    functions: tuple[Function, ...] = ()
    source: "PublishedItem | None" = None
    excluded: Kind | None = None

    @property
    def id(self) -> str:
        """Setting, category, base number and variant ("under-specified.Language.4.2").

        It is unique, and the same for every copy of the data.
        """
        return self.row.item

    @property
    def place(self) -> Place:
        """File and line."""
        return self.row.place()

    @property
    def original(self) -> str | None:
        """The text of the base query; None where that is not there."""
        if self.split is Split.PERFECT:
            return self.query
        return self.source.query if self.source else None

    @property
    def cluster(self) -> str:
        """The same for all variants of one base query in all settings ("Language.4")."""
        base = self.source or self
        if base.base is not None:
            return f"{base.category}.{base.base}"
        # Ids of the combined files count anew in each setting: only those of originals name a base query.
        return f"{base.category}.q{base.query_id}" if base.split is Split.PERFECT else base.id

    @property
    def keys(self) -> frozenset[FunctionKey]:
        """The functions on offer, in one letter case."""
        return frozenset(function.key.folded for function in self.functions)

    @property
    def dropped(self) -> tuple[Function, ...] | None:
        """The functions that are withheld; None where that is not known.

        It follows from the original's list, unless this one offers something that the original does not.
        """
        if self.split is Split.PERFECT:
            return ()
        keys = self.keys
        if self.source is None or not keys <= self.source.keys:
            return None
        return tuple(function for function in self.source.functions if function.key.folded not in keys)

    @property
    def withheld(self) -> tuple[str, ...] | None:
        """What is missing, as `Condition.withheld` has it.

        Not known (None) for under-specified queries: nobody wrote down which detail was taken out of
        `original`.
        """
        dropped = None if self.split is Split.UNDER_SPECIFIED else self.dropped
        return None if dropped is None else tuple(f"tool:{function.tool.name}" for function in dropped)

    @property
    def condition(self) -> Condition:
        """The published setting as a condition; its changes are in the data, none is left to apply."""
        if self.split is Split.PERFECT:
            return CLEAN
        return Condition(name=self.split.value, withheld=self.withheld)

    def exclude(self, kind: Kind, how: str) -> None:
        """Set it aside; the first reason counts."""
        self.excluded = self.excluded or kind
        self.row.excluded(kind, how)


@dataclass(frozen=True, slots=True)
class Queries:
    """All queries of a benchmark, and the files that they were read from."""

    items: tuple[PublishedItem, ...]
    files: tuple[Path, ...]


def read_queries(folders: BenchmarkFolders, deviations: list[Deviation]) -> Queries:
    """Read every query of every setting that is there.

    Raises:
        BadData: One of them cannot be used; the first one is named.
    """
    items: list[PublishedItem] = []
    files: list[Path] = []
    originals: dict[int, PublishedItem] = {}
    for split, folder in folders.splits.items():
        own = [*_single(split, folder, deviations)]
        combined = combined_file(folder)
        if combined is not None:
            files.append(combined)
            own += _joined(split, combined, own, originals, deviations)
        files += (item.row.line.file for item in own if item.row.line.file != combined)
        if split is Split.PERFECT:
            originals = {item.query_id: item for item in own if item.query_id is not None}
        items += own
    return Queries(tuple(items), tuple(files))


def _single(split: Split, folder: Path, deviations: list[Deviation]) -> Iterator[PublishedItem]:
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
            yield _read(Members(line, line.value, deviations, item=key), split, category.name, number)


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


def _read(row: Members, split: Split, category: str, number: tuple[int | None, int | None]) -> PublishedItem:
    """Read a row; `row.item` is its id."""
    text = read_row(_Query, row).query.strip()
    offered: Sequence[Members] = ()
    if split is not Split.NO_TOOLS:
        offered = entries_of(row)
    elif row.get("api_list"):
        row.mended(Kind.OFFERED_WITHOUT_TOOLS, "none is offered", "api_list")
    return PublishedItem(row, split, category, *number, text, offered, _relevant(row))


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
    own: Sequence[PublishedItem],
    originals: Mapping[int, PublishedItem],
    deviations: list[Deviation],
) -> list[PublishedItem]:
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
    for item in waiting:
        item.row.noted(Kind.FILE_WITHOUT_ROW, f"{file.name} does not have it")
    only_here: list[PublishedItem] = []
    for number, row in rows.items():
        original = originals.get(number)
        category = original.category if original else _category(row)
        row.item = f"{split}.{category}.q{number}"
        item = _read(row, split, category, (original.base if original else None, None))
        item.query_id = number
        only_here.append(item)
        if own:
            row.noted(Kind.ROW_WITHOUT_FILE, "it has no number of a base query")
    return only_here


class _Numbered(PublishedRow):
    query_id: WholeNumber


def _matched(
    rows: dict[int, Members], waiting: list[PublishedItem], originals: Mapping[int, PublishedItem]
) -> Iterator[tuple[int, Members]]:
    """Match rows and queries, by text and functions first, then by text alone; yield the latter.

    Args:
        rows: By id; those that find their query are taken out.
        waiting: The queries; those that find their row are taken out.
        originals: What says the category of rows without functions.
    """
    for signature in (_signature, _text):
        places: dict[str, list[PublishedItem]] = {}
        for item in waiting:
            places.setdefault(signature(item.row), []).append(item)
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
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


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


def relate(items: Sequence[PublishedItem]) -> None:
    """Find every query's original, and enter and mark what is wrong with the pair."""
    originals = [item for item in items if item.split is Split.PERFECT]
    for item in originals:
        if len(item.functions) > 1 and len({function.key.tool for function in item.functions}) == 1:
            item.row.noted(Kind.ONE_TOOL, f"all of {item.functions[0].key.tool}")
    # Of two files with one number the first has the regular name.
    by_number = {(item.category.casefold(), item.base): item for item in reversed(originals)}
    by_id = {item.query_id: item for item in originals}
    for item in items:
        if item.split is Split.PERFECT:
            continue
        if item.base is not None:
            item.source = by_number.get((item.category.casefold(), item.base))
        elif item.split is Split.NO_TOOLS and item.query_id in by_id:
            item.source = by_id[item.query_id]
        else:
            item.source = _by_text(item, originals)
        if item.source is None:
            item.row.noted(Kind.NO_ORIGINAL, "what was changed is not known")
        else:
            _compare(item, item.source)
    _contradictions(items)
    for group in _alike(items, lambda item: item.split):
        for item in group[1:]:
            item.row.noted(Kind.REPEATED, f"kept; the same as {group[0].id}")


def _words(item: PublishedItem) -> str:
    """What a query says, letter case and punctuation apart."""
    return re.sub(r"[\W_]+", " ", item.query.casefold()).strip()


def _by_text(item: PublishedItem, originals: Iterable[PublishedItem]) -> PublishedItem | None:
    """Find the original by category, functions and text, where no file name tells it."""
    best: PublishedItem | None = None
    most = _ALIKE
    for other in originals:
        if other.category.casefold() == item.category.casefold() and item.keys <= other.keys:
            alike = difflib.SequenceMatcher(None, other.query, item.query, autojunk=False).ratio()
            if alike > most:
                best, most = other, alike
    if best is not None and _words(item) != _words(best):
        item.row.noted(Kind.ORIGINAL_BY_TEXT, f"taken for a variant of {best.id}")
    return best


def _compare(item: PublishedItem, original: PublishedItem) -> None:
    """Hold a query against its original."""
    row, same, dropped = item.row, _words(item) == _words(original), item.dropped
    masked = item.split is Split.UNDER_SPECIFIED
    differ = item.keys != original.keys if masked else item.split in UNAVAILABLE and dropped is None
    if not masked and not same:
        row.noted(Kind.TEXT_DIFFERS, f"there: {original.query!r}")
    if differ:
        row.noted(Kind.FUNCTIONS_DIFFER, f"{_names(item)}; there {_names(original)}")
    elif masked and same:
        item.exclude(Kind.UNALTERED, f"left out; it is {original.id}")
    elif item.split in UNAVAILABLE and not dropped:
        item.exclude(Kind.NOTHING_DROPPED, "left out; no function is missing")
    elif item.split in UNAVAILABLE and len(item.functions) > 1:
        row.noted(Kind.SEVERAL_LEFT, f"{_names(item)}, of {len(original.functions)}")


def _contradictions(items: Sequence[PublishedItem]) -> None:
    """Exclude both of a pair that has the same query and functions and opposite labels."""
    for group in _alike([item for item in items if item.split in UNAVAILABLE], lambda _: ""):
        for item in group if len({item.split for item in group}) > 1 else ():
            others = ", ".join(other.id for other in group if other.split is not item.split)
            item.exclude(Kind.CONTRADICTORY, f"left out; the same as {others}")


def _alike(
    items: Iterable[PublishedItem], also: Callable[[PublishedItem], Hashable]
) -> Iterable[list[PublishedItem]]:
    """Items of one category with the same words and functions, and with something else the same."""
    groups: dict[Hashable, list[PublishedItem]] = {}
    for item in items:
        groups.setdefault((also(item), item.category, _words(item), item.keys), []).append(item)
    return groups.values()


def _names(item: PublishedItem) -> str:
    return ", ".join(function.tool.name for function in item.functions) or "none"
