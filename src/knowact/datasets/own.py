"""Our own format: a folder with `items.jsonl` (a `Task` per line) and, for shipped data, `manifest.json`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from knowact.core.errors import BadData, Place, UnknownName
from knowact.core.model import Noun
from knowact.core.suite import Dataset
from knowact.core.table import DatasetInfo
from knowact.core.task import Task
from knowact.datasets.consistency import check_task
from knowact.datasets.lines import Line, parse, read_lines, read_object, sha256

ITEMS = "items.jsonl"
MANIFEST = "manifest.json"
OWN = "own"
"""The version of data without a manifest: somebody's own."""


class Manifest(Noun):
    """What a shipped data set says of itself.

    Attributes:
        name: "everyday".
        version: "N-X": comparability and interface. Equal N means comparable numbers.
        sha256: Over the bytes of `items.jsonl`; loading checks it.
        seed: The world's seed, which fixes every value.
        world: The world that its tasks live in.
        generator: What wrote it, with version.
        licence: SPDX name.
        datasheet: File name of the datasheet beside it.
        size: Number of items.
        common_knowledge: What a plan may take for known without saying it.
    """

    name: str
    version: str
    sha256: str
    seed: int
    world: str
    generator: str
    licence: str
    datasheet: str
    size: int
    common_knowledge: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnData:
    """A loaded data set of ours. `seed` opens its world; `lines` has the line of each task, by id."""

    info: DatasetInfo
    tasks: tuple[Task, ...]
    seed: int
    lines: Mapping[str, Line]


def read_manifest(folder: Path) -> Manifest:
    """Read and check `manifest.json`."""
    return parse(Manifest, read_object(folder / MANIFEST))


def load_own(folder: Path) -> OwnData:
    """Load a folder in our format.

    A folder without a manifest is somebody's own data: its name and hash identify it, its seed is 0.

    Raises:
        BadData: Anything is wrong with a line, an id occurs twice, a task does not fit together
            (`consistency.check_task`), or the items are not those that the manifest was made for.
    """
    file = folder / ITEMS
    tasks: dict[str, Task] = {}
    lines: dict[str, Line] = {}
    for line in read_lines(file):
        task = parse(Task, line)
        if task.id in tasks:
            fix = "give each item an id of its own"
            raise BadData(f"the id {task.id!r} stands there twice", line.place("id"), fix)
        check_task(task, line)
        tasks[task.id], lines[task.id] = task, line
    if not tasks:
        raise BadData("the file holds no item", Place(file), "put one task on each line")
    found = tuple(tasks.values())
    info, seed = identified(folder, len(found))
    return OwnData(info, found, seed, lines)


def identified(folder: Path, size: int) -> tuple[DatasetInfo, int]:
    """Say which data a folder of ours holds, and the seed of their world.

    Args:
        folder: Holds `items.jsonl`; without a manifest it is somebody's own data.
        size: How many items were read.

    Raises:
        BadData: The items are not those that the manifest was made for.
    """
    digest = sha256(folder / ITEMS)
    if not (folder / MANIFEST).exists():
        return DatasetInfo(folder.resolve().name, OWN, digest), 0
    manifest = _checked(folder, digest, size)
    return DatasetInfo(manifest.name, manifest.version, digest), manifest.seed


def verified(folder: Path) -> int:
    """Check items against manifest without understanding them; return how many there are.

    A folder without `items.jsonl` is authored: its `*.yaml` files are what the manifest was made for, and how
    many items they come to is the manifest's word.

    Raises:
        BadData: The items are not those that the manifest was made for.
    """
    authored = sorted(folder.glob("*.yaml"))
    if authored and not (folder / ITEMS).exists():
        manifest = read_manifest(folder)
        if manifest.sha256 != sha256(*authored):
            what = "the files are not those that the manifest was made for"
            raise BadData(what, Place(folder / MANIFEST, None, "sha256"), "restore the files")
        return manifest.size
    size = sum(1 for _ in read_lines(folder / ITEMS))
    identified(folder, size)
    return size


def _checked(folder: Path, digest: str, size: int) -> Manifest:
    file, manifest = folder / MANIFEST, read_manifest(folder)
    if manifest.sha256 != digest:
        raise BadData(
            "the items are not those that the manifest was made for",
            Place(file, None, "sha256"),
            "restore items.jsonl, or remove the manifest to use the folder as data of your own",
        )
    if manifest.size != size:
        what = f"the manifest counts {manifest.size} items, but items.jsonl holds {size}"
        raise BadData(what, Place(file, None, "size"), "correct the number")
    return manifest


def shipped(folder: Path) -> Sequence[Dataset]:
    """The data sets below a suite's `data` folder, in order of name."""
    found: list[Dataset] = []
    for manifest_file in sorted(folder.glob(f"*/{MANIFEST}")):
        manifest = read_manifest(manifest_file.parent)
        found.append(
            Dataset(manifest.name, manifest.version, manifest.size, manifest.licence, manifest_file.parent)
        )
    return found


State = tuple[tuple[str, int, int], ...]


def state(path: Path) -> State:
    """Return what tells a file or folder that was changed from what it was: names, sizes, times of change."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return tuple((str(file), found.st_size, found.st_mtime_ns) for file in files for found in (file.stat(),))


def data_folder(data: str, suite: str, ours: Sequence[Dataset], also: Sequence[str] = ()) -> Path:
    """Find what `--data` names: shipped data ("everyday@1-A", also with the suite before it), or a folder.

    Args:
        data: As it was given.
        suite: The suite's name in Python; a hyphen is as good as an underscore before the data.
        ours: What the suite ships.
        also: Other names that the suite knows, for the sentence about an unknown one.

    Raises:
        BadData: It looks like a path, and nothing is there.
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
