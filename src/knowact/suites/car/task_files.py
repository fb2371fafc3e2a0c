"""Tasks from files: authored YAML, our own lines, and published tasks (spec car-bench.md, section 6.1).

A folder with `*.yaml` is authored: `habits.yaml` and `ambiguous.yaml` have a form of their own, every other
file is a list of base tasks. Complaints say file, line and field.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.table import DatasetInfo
from knowact.core.world import Call
from knowact.datasets.lines import Line, parse, read_lines, sha256
from knowact.datasets.own import ITEMS, MANIFEST, read_manifest
from knowact.suites.car.authored import AuthoredBase, AuthoredTwist, Unbound, read_list, read_map
from knowact.suites.car.decoys import crossed
from knowact.suites.car.derive import Maker, Underivable
from knowact.suites.car.goals import Description
from knowact.suites.car.published_tasks import published_tasks
from knowact.suites.car.situations import Unplaced
from knowact.suites.car.tasks import CarTask
from knowact.worlds.car.world import CarWorld

DATA: Final = Path(__file__).parent / "data"
DEFAULT_DATA: Final = "cabin@2-A"
HABITS: Final = "habits.yaml"
TWISTS: Final = "ambiguous.yaml"


@dataclass(frozen=True, slots=True)
class CarData:
    """A loaded data set. `seed` opens its world."""

    info: DatasetInfo
    tasks: tuple[CarTask, ...]
    seed: int

    def task(self, identity: str) -> CarTask:
        """Return a task by its id.

        Raises:
            KeyError: There is none.
        """
        return {task.id: task for task in self.tasks}[identity]


@lru_cache(maxsize=2)
def shipped(name: str = DEFAULT_DATA) -> CarData:
    """Return a data set that comes with knowact; the same object every time."""
    return load_tasks(DATA / name)


def load_tasks(path: Path) -> CarData:
    """Load a data set.

    Args:
        path: A folder of ours, authored or with an `items.jsonl`; or a file or folder of published tasks.

    Raises:
        BadData: Anything is wrong with it.
    """
    if not path.exists():
        raise BadData("there is no such file or folder", Place(path), "check the path")
    if path.is_dir() and (path / ITEMS).exists():
        return CarData(_info(path, [path / ITEMS]), _own(path / ITEMS, _seed(path)), _seed(path))
    files = sorted(path.glob("*.yaml")) if path.is_dir() else []
    if files:
        return _authored(path, files)
    tasks, read = published_tasks(path)
    return CarData(DatasetInfo(path.resolve().name, "published", sha256(*read)), tasks, 0)


def _own(file: Path, seed: int) -> tuple[CarTask, ...]:
    world = CarWorld()
    found: dict[str, CarTask] = {}
    for line in read_lines(file):
        task = parse(CarTask, line)
        if task.id in found:
            fix = "give each task an id of its own"
            raise BadData(f"the id {task.id!r} occurs twice", line.place("id"), fix)
        if task.goal is not None:
            _require_reached(task.goal, task, line, world, seed)
        found[task.id] = task
    if not found:
        raise BadData("the file holds no task", Place(file), "put one task on each line")
    return tuple(found.values())


def _require_reached(goal: Description, task: CarTask, line: Line, world: CarWorld, seed: int) -> None:
    """Refuse a task whose reference, carried out, does not lead to its goal."""
    try:
        session = world.open(task.setup, seed)
    except BadUsage as error:
        raise BadData(str(error).rstrip("."), line.place("setup"), "correct the variable") from error
    initial = session.snapshot()
    for place, one in enumerate(task.reference):
        seen = session.call(Call(one.tool, one.arguments))
        if seen.problem is not None:
            what = f"call {place} ({one.tool}) is refused: {seen.problem.message.rstrip('.')}"
            raise BadData(what, line.place(f"reference.{place}"), "correct the call")
    if clauses := goal.contradicted(session, initial):
        raise BadData(f"in {task.id!r}, {'; '.join(clauses)}", line.place("goal"), "correct the task")


def _authored(folder: Path, files: Sequence[Path]) -> CarData:
    seed = _seed(folder)
    habits = read_map(folder / HABITS) if (folder / HABITS).exists() else None
    maker = Maker(CarWorld(), seed, habits or {})
    written = _bases([file for file in files if file.name not in {HABITS, TWISTS}])
    bases: dict[str, CarTask] = {}
    for number, (line, base) in enumerate(written):
        split = "test" if number % 2 else "train"
        bases[base.id] = _made(line, partial(maker.base, base, number, split))
    by_id = {base.id: base for _, base in written}
    lacking: list[CarTask] = []
    for line, base in written:
        if base.lacks is not None:
            lacking.append(_made(line, partial(maker.lacking, bases[base.id], base, len(lacking))))
    ambiguous: list[CarTask] = []
    for line, twist in _twists(folder / TWISTS, list(by_id)):
        make = partial(maker.ambiguous, bases[twist.of], by_id[twist.of], twist, len(ambiguous))
        ambiguous.append(_made(line, make))
    tools = {tool.name: tool for tool in maker.world.open({}, seed).tools()}
    tasks = crossed((*bases.values(), *lacking, *ambiguous), tools)
    return CarData(_info(folder, files, len(tasks)), tasks, seed)


def _bases(files: Sequence[Path]) -> list[tuple[Line, AuthoredBase]]:
    """The authored base tasks, dealt out so that every prefix has something of all files."""
    dealt: list[tuple[float, str, Line, AuthoredBase]] = []
    seen: dict[str, Line] = {}
    for file in files:
        lines = read_list(file)
        for place, line in enumerate(lines):
            base = parse(AuthoredBase, line)
            if base.id in seen:
                what = f"the id {base.id!r} is already used in {seen[base.id].place()}"
                raise BadData(what, line.place("id"), "give each task an id of its own")
            seen[base.id] = line
            dealt.append(((place + 0.5) / len(lines), file.name, line, base))
    dealt.sort(key=lambda one: one[:2])
    return [(line, base) for _, _, line, base in dealt]


def _twists(file: Path, known: Sequence[str]) -> list[tuple[Line, AuthoredTwist]]:
    if not file.exists():
        return []
    found = [(line, parse(AuthoredTwist, line)) for line in read_list(file)]
    for line, twist in found:
        if twist.of not in known:
            raise BadData(f"there is no base task {twist.of!r}", line.place("of"), "name one that there is")
    return sorted(found, key=lambda one: known.index(one[1].of))


def _made(line: Line, make: Callable[[], CarTask]) -> CarTask:
    """Make a task; what the world does not bear out is a complaint about the line."""
    try:
        task = make()
    except ValidationError as error:
        said = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        raise BadData(said, line.place(), "correct the task") from error
    except Underivable as error:
        raise BadData(str(error).rstrip("."), line.place(error.field), "correct the task") from error
    except (Unbound, Unplaced, BadUsage) as error:
        raise BadData(str(error).rstrip("."), line.place(), "correct the task") from error
    return task.model_copy(update={"source": str(Place(Path(line.file.name), line.number))})


def _seed(folder: Path) -> int:
    return read_manifest(folder).seed if (folder / MANIFEST).exists() else 0


def _info(folder: Path, files: Sequence[Path], size: int | None = None) -> DatasetInfo:
    """Say which data these are, and check them against their manifest.

    Raises:
        BadData: They are not those that the manifest was made for.
    """
    digest = sha256(*files)
    if not (folder / MANIFEST).exists():
        return DatasetInfo(folder.resolve().name, "own", digest)
    manifest = read_manifest(folder)
    place = Place(folder / MANIFEST)
    if manifest.sha256 != digest:
        what = f"the files don't match the manifest; their hash is {digest}"
        raise BadData(what, place, "restore the files, or write the new hash and a new version")
    if size is not None and manifest.size != size:
        raise BadData(f"the manifest counts {manifest.size} tasks, but there are {size}", place, "correct it")
    return DatasetInfo(manifest.name, manifest.version, digest)
