"""Our own format: a folder with `items.jsonl` (a `Task` per line) and, for shipped data, `manifest.json`."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Generic, TypeVar

from knowact.core.errors import BadData, Place, UnknownName
from knowact.core.model import Noun, Row
from knowact.core.option import Options
from knowact.core.suite import AnySuite, Dataset
from knowact.core.table import DatasetInfo
from knowact.core.task import Task
from knowact.datasets.consistency import check_task
from knowact.datasets.lines import Line, noted, parse, read_lines, read_object, sha256

T = TypeVar("T")

ITEMS = "items.jsonl"
MANIFEST = "manifest.json"
OWN = "own"
"""The version of data without a manifest."""


class Manifest(Noun):
    """The manifest of a shipped data set.

    Attributes:
        name: "everyday".
        version: "N-X". Equal N means comparable numbers.
        sha256: Of the bytes of `items.jsonl`; loading checks it.
        seed: The world's seed, which fixes every value.
        world: The world of its tasks.
        generator: The program that wrote it, with version; empty where people did.
        licence: SPDX name.
        datasheet: File name of its datasheet.
        size: Number of items.
        common_knowledge: What a plan may assume as known.
        labels: What its labels rest on, a sentence each, where that is not the world itself.
        written_by: The families of the models that wrote its requests ("gpt"); see `role_model.family`.
    """

    name: str
    version: str
    sha256: str
    seed: int = 0
    world: str = ""
    generator: str = ""
    licence: str
    datasheet: str = ""
    size: int
    common_knowledge: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    written_by: tuple[str, ...] = ()

    def text(self) -> str:
        """The file: what says nothing (`labels`, `written_by`) is left out."""
        silent = {name for name in ("labels", "written_by") if not getattr(self, name)}
        return f"{self.model_dump_json(indent=2, exclude=silent)}\n"


R = TypeVar("R", bound=Row)


@dataclass(frozen=True, slots=True)
class Rows(Generic[R]):
    """A loaded data set. `seed` opens its world; `lines` has the line of each row, by id."""

    info: DatasetInfo
    rows: tuple[R, ...]
    seed: int
    lines: Mapping[str, Line]


def read_manifest(folder: Path) -> Manifest:
    """Read and check `manifest.json`."""
    return parse(Manifest, read_object(folder / MANIFEST))


def load_rows(model: type[R], folder: Path, check: Callable[[R, Line], None] | None = None) -> Rows[R]:
    """Load a folder whose `items.jsonl` holds rows of any kind that have an id.

    A folder without a manifest is the user's own data: its name and hash identify it, its seed is 0.

    Args:
        model: What a line is made into.
        folder: Holds `items.jsonl`.
        check: Raises for what types alone do not say of a row.

    Raises:
        BadData: A line is wrong, an id occurs twice, or the items don't match the manifest.
    """
    file = folder / ITEMS
    rows: dict[str, R] = {}
    lines: dict[str, Line] = {}
    for line in read_lines(file):
        with noted():
            row = parse(model, line)
            if row.id in rows:
                fix = "give each item its own id"
                raise BadData(f"the id {row.id!r} occurs twice", line.place("id"), fix)
            if check is not None:
                check(row, line)
            rows[row.id], lines[row.id] = row, line
    if not rows:
        raise BadData("the file holds no items", Place(file), "put one on each line")
    info, seed = identified(folder, len(rows))
    return Rows(info, tuple(rows.values()), seed, lines)


def load_own(folder: Path) -> Rows[Task]:
    """Load a folder in our format: rows that are tasks, each checked against itself (`check_task`)."""
    return load_rows(Task, folder, check_task)


def _info(manifest: Manifest, digest: str) -> DatasetInfo:
    return DatasetInfo(manifest.name, manifest.version, digest, manifest.labels, manifest.written_by)


def identified(folder: Path, size: int) -> tuple[DatasetInfo, int]:
    """Identify the data in a folder, and the seed of their world.

    Args:
        folder: Holds `items.jsonl`, and a manifest if shipped.
        size: The number of items read.

    Raises:
        BadData: The items don't match the manifest.
    """
    digest = sha256(folder / ITEMS)
    if not (folder / MANIFEST).exists():
        return DatasetInfo(folder.resolve().name, OWN, digest), 0
    manifest = _checked(folder, digest, size)
    return _info(manifest, digest), manifest.seed


def verified(folder: Path) -> int:
    """Check items against the manifest by hash; return their number.

    Raises:
        BadData: The items don't match the manifest.
    """
    size = sum(1 for _ in read_lines(folder / ITEMS))
    identified(folder, size)
    return size


def _checked(folder: Path, digest: str, size: int) -> Manifest:
    file, manifest = folder / MANIFEST, read_manifest(folder)
    if manifest.sha256 != digest:
        raise BadData(
            "the items don't match the manifest",
            Place(file, None, "sha256"),
            "restore items.jsonl, or remove the manifest to use the folder as your own data",
        )
    if manifest.size != size:
        what = f"the manifest counts {manifest.size} items, but items.jsonl has {size}"
        raise BadData(what, Place(file, None, "size"), "correct the number")
    return manifest


def shipped(folder: Path) -> Sequence[Dataset]:
    """The data sets in a suite's `data` folder, in order of name."""
    found: list[Dataset] = []
    for manifest_file in sorted(folder.glob(f"*/{MANIFEST}")):
        manifest = read_manifest(manifest_file.parent)
        found.append(
            Dataset(manifest.name, manifest.version, manifest.size, manifest.licence, manifest_file.parent)
        )
    return found


def in_turn(items: Iterable[T], key: Callable[[T], Hashable]) -> list[T]:
    """Take one item of each group in turn, so that any prefix is a fair sample of all of them."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return [one for turn in zip_longest(*groups.values()) for one in turn if one is not None]


State = tuple[tuple[str, int, int], ...]


def state(path: Path) -> State:
    """Return the state of a file or folder for detecting changes: names, sizes, modification times."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return tuple((str(file), found.st_size, found.st_mtime_ns) for file in files for found in (file.stat(),))


def chosen_rows(suite: AnySuite, row: type[R], options: Options) -> Rows[R]:
    """Load the rows of a run: the data that its options name, as many as they ask for.

    Args:
        suite: Ships data sets.
        row: The kind of each line.
        options: Of the run.

    Raises:
        BadData: The data are not as they should be.
        UnknownName: There are no such data.
    """
    data = load_rows(row, data_folder(options.data, suite.name, suite.datasets()))
    return replace(data, rows=data.rows[: options.limit or None])


def data_folder(data: str, suite: str, ours: Sequence[Dataset], also: Sequence[str] = ()) -> Path:
    """Find the folder of `--data`: shipped data ("everyday@2-A", "kapro/everyday@2-A") or any folder.

    Args:
        data: The value of `--data`.
        suite: The suite's name; hyphens and underscores are the same.
        ours: The suite's shipped data sets.
        also: Other valid names, to suggest.

    Raises:
        BadData: It looks like a path that doesn't exist.
        UnknownName: It is neither a name nor a folder.
    """
    names = {f"{one.name}@{one.version}": one.path for one in ours}
    before, slash, name = data.partition("/")
    short = name if slash and before.replace("-", "_") == suite else data
    folder = names.get(short, Path(data))
    if folder.exists():
        return folder
    if "/" in short or "\\" in short:
        raise BadData("there is no such folder", Place(folder), "check the path given with --data")
    raise UnknownName("data set or folder", short, (*names, *also))
