"""Folders and file names of the published layout."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from knowact.core.errors import BadData, Place
from knowact.datasets.deviations import Deviation, DeviationKind, Done


class Kind(DeviationKind):
    """What departs. The values are what reports say."""

    # The files.
    FILE_NAME = "irregular file name"
    STRAY_FILE = "stray file"
    FOLDER_NAME = "folder name in another spelling"
    NOT_A_LIST = "one object in place of a list of one"
    DUPLICATE_NAME = "a member occurs twice"
    NO_JSON_VALUE = "a value that JSON does not have"
    ROW_WITHOUT_FILE = "only in the combined file"
    ROW_DIFFERS = "in the combined file with other functions"
    FILE_WITHOUT_ROW = "not in the combined file"

    # The members of a query.
    RELEVANT_MISSING = "'relevant APIs' missing"
    RELEVANT_FILLED = "'relevant APIs' filled"
    OFFERED_WITHOUT_TOOLS = "functions offered in the setting without tools"
    LISTED_TWICE = "the same function offered twice"
    SAME_NAME = "two functions of one name"

    # Tools.
    TOOL_NAME = "tool or function in another spelling"
    DESCRIPTOR_MISSING = "no descriptor"
    DESCRIPTOR_UNREADABLE = "descriptor cannot be read"
    SIGNATURE = "descriptor and function disagree"
    FUNCTION_MISSING = "a descriptor's function that its module does not have"
    REPLY_ELSEWHERE = "sketch of the reply under another name"

    # A query and the one that it was made from.
    UNALTERED = "not altered: query and functions are those of the original"
    NOTHING_DROPPED = "not altered: no function was dropped"
    CONTRADICTORY = "labelled replaceable and non-replaceable at once"
    REPEATED = "repeats another query of its setting"
    NO_ORIGINAL = "made from a query that is not there"
    ORIGINAL_BY_TEXT = "original told by its text"
    TEXT_DIFFERS = "text differs from the original's"
    FUNCTIONS_DIFFER = "other functions than the original's"
    SEVERAL_LEFT = "several functions left"
    ONE_TOOL = "all functions of one tool"

    # The records of a published run.
    RECORD_TWICE = "a record repeats an id"
    RECORD_UNKNOWN = "a record of an item that the benchmark does not have"
    RECORD_TEXT = "a record's query is not the benchmark's"
    ANSWER_ODD = "an answer that is not text"
    ANSWER_EMPTY = "an empty answer that was graded as passed"
    CALL_IN_ANSWER = "an answer with a call that was never made, graded as passed"
    SKIPPED_AND_PASSED = "a skipped record that was graded as passed"
    RULING_ODD = "no ruling of 0 or 1"
    RATING_ODD = "a question's rating that is neither 0 nor 1"
    LABEL_ODD = "no label of yes, no or idk"


class Split(StrEnum):
    """The five settings; the values are ours, `folder` is the published name."""

    PERFECT = "perfect"
    """Everything that is needed is there."""
    UNDER_SPECIFIED = "under-specified"
    """A detail that an argument needs was taken out of the query."""
    REPLACEABLE = "unavailable-replaceable"
    """A needed tool was removed whose job a person could do."""
    NON_REPLACEABLE = "unavailable-non-replaceable"
    """A needed tool was removed whose job a person could not do."""
    NO_TOOLS = "no-tools"
    """The query of the perfect setting, without any tool."""

    @property
    def folder(self) -> str:
        """The name of its published folder."""
        return _FOLDERS[self]


_FOLDERS: Mapping[Split, str] = {
    Split.PERFECT: "Original",
    Split.UNDER_SPECIFIED: "Underspecified",
    Split.REPLACEABLE: "Replaceable",
    Split.NON_REPLACEABLE: "Non-replaceable",
    Split.NO_TOOLS: "No-tools",
}

UNAVAILABLE = (Split.REPLACEABLE, Split.NON_REPLACEABLE)
"""The settings in which one tool is missing."""

FAILURES = (Split.UNDER_SPECIFIED, *UNAVAILABLE)
"""The settings that Ask-and-Help was run in, and whose queries have variants."""

_QUERY_NAME = re.compile(r"query[\W_]*(\d+)(?:[\W_]+(\d+))?[\W_]*\.json", re.IGNORECASE)
_LONGEST_NUMBER = 6


@dataclass(frozen=True, slots=True)
class QueryName:
    """What a file name says: `query_<base>.json`, or `query_<base>_<variant>.json`."""

    base: int
    variant: int | None

    @property
    def regular(self) -> str:
        """The name as it should be."""
        return f"query_{self.base}{'' if self.variant is None else f'_{self.variant}'}.json"


def query_name(name: str) -> QueryName | None:
    """Read a file name, with doubled dots or blanks in it too; None where it is no query's."""
    found = _QUERY_NAME.fullmatch(name.strip())
    if found is None or max(len(part or "") for part in found.groups()) > _LONGEST_NUMBER:
        return None
    base, variant = found.groups()
    return QueryName(int(base), None if variant is None else int(variant))


@dataclass(frozen=True, slots=True)
class BenchmarkFolders:
    """Where a benchmark lies.

    Attributes:
        root: The folder that holds the settings' folders.
        splits: Those that are there.
        tools: The folder of the descriptors; None where there is none.
    """

    root: Path
    splits: Mapping[Split, Path]
    tools: Path | None


def find_benchmark(path: Path, deviations: list[Deviation]) -> BenchmarkFolders | None:
    """Find the benchmark in or at a folder; None where there is none.

    Args:
        path: The folder of a release (with `benchmark` and `tools` in it), or its `benchmark`.
        deviations: Takes folders in another spelling.
    """
    for root in (path / "benchmark", path):
        splits = {
            split: folder
            for folder in _folders(root)
            if (split := split_of(folder, deviations)) is not None and _holds_queries(folder)
        }
        if splits:
            tools = next((place for place in (path / "tools", root.parent / "tools") if place.is_dir()), None)
            ordered = {split: splits[split] for split in Split if split in splits}
            return BenchmarkFolders(root, ordered, tools)
    return None


def find_outputs(path: Path) -> Path | None:
    """Find the folder of published outputs: `path`, or `outputs` in it; None where there is none."""
    for root in (path / "outputs", path):
        if any(root.glob("*/*/answers.json")):
            return root
    return None


def require_benchmark(path: Path, deviations: list[Deviation]) -> BenchmarkFolders:
    """Return where the benchmark lies.

    Raises:
        BadData: The folder does not have the published layout.
    """
    if not path.is_dir():
        raise BadData("there is no such folder", Place(path), "check the path")
    found = find_benchmark(path, deviations)
    if found is None:
        what = f"this folder has none of the published folders ({', '.join(_FOLDERS.values())})"
        raise BadData(what, Place(path), "name the folder that holds 'benchmark'")
    return found


def split_of(folder: Path, deviations: list[Deviation]) -> Split | None:
    """Return the setting that a folder is named after, in any letter case and with any hyphen."""
    for split, name in _FOLDERS.items():
        if _plain(folder.name) == _plain(name):
            if folder.name != name:
                deviations.append(
                    Deviation(Kind.FOLDER_NAME, Done.MENDED, Place(folder), f"taken for {name}")
                )
            return split
    return None


def category_folders(split: Path) -> Sequence[Path]:
    """The folders of the categories of one setting, by name."""
    return tuple(_folders(split))


def combined_file(split: Path) -> Path | None:
    """Return the file that holds all queries of a setting; None where there is none."""
    named = split / f"all_{split.name}_queries.json"
    return named if named.exists() else next(iter(sorted(split.glob("all_*queries.json"))), None)


def _folders(root: Path) -> Iterator[Path]:
    if root.is_dir():
        yield from sorted(one for one in root.iterdir() if one.is_dir() and not one.name.startswith("."))


def _holds_queries(folder: Path) -> bool:
    return combined_file(folder) is not None or any(
        query_name(file.name) for category in _folders(folder) for file in category.iterdir()
    )


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.casefold())
