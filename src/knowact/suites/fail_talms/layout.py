"""Folders and file names of the published layout (spec fail-talms.md, sections 5.1, 5.5 and 7)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from knowact.core.errors import BadData, Place
from knowact.datasets.deviations import Ledger
from knowact.suites.fail_talms.deviations import Kind


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


def find_benchmark(path: Path, ledger: Ledger) -> BenchmarkFolders | None:
    """Find the benchmark in or at a folder; None where there is none.

    Args:
        path: The folder of a release (with `benchmark` and `tools` in it), or its `benchmark`.
        ledger: Takes folders in another spelling.
    """
    for root in (path / "benchmark", path):
        splits = {
            split: folder
            for folder in _folders(root)
            if (split := split_of(folder, ledger)) is not None and _holds_queries(folder)
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


def looks_published(path: Path) -> bool:
    """Whether a folder has the published layout."""
    return find_benchmark(path, Ledger()) is not None


def require_benchmark(path: Path, ledger: Ledger) -> BenchmarkFolders:
    """Return where the benchmark lies.

    Raises:
        BadData: The folder does not have the published layout.
    """
    if not path.is_dir():
        raise BadData("there is no such folder", Place(path), "check the path")
    found = find_benchmark(path, ledger)
    if found is None:
        what = f"this folder has none of the published folders ({', '.join(_FOLDERS.values())})"
        raise BadData(what, Place(path), "name the folder that holds 'benchmark'")
    return found


def split_of(folder: Path, ledger: Ledger) -> Split | None:
    """Return the setting that a folder is named after, in any letter case and with any hyphen."""
    for split, name in _FOLDERS.items():
        if _plain(folder.name) == _plain(name):
            if folder.name != name:
                ledger.mended(Kind.FOLDER_NAME, Place(folder), f"taken for {name}")
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
