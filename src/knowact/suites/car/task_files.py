"""Tasks from files: our own lines, and published tasks (CAR-bench).

Complaints say file, line and field.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.table import DatasetInfo
from knowact.core.world import Call
from knowact.datasets.lines import Line, noted, parse, read_lines, sha256
from knowact.datasets.own import ITEMS, MANIFEST, identified, read_manifest
from knowact.suites.car.goals import Description
from knowact.suites.car.published_tasks import published_tasks
from knowact.suites.car.tasks import CarTask
from knowact.worlds.car.record import Values
from knowact.worlds.car.world import CarWorld

DATA: Final = Path(__file__).parent / "data"
DEFAULT_DATA: Final = "cabin@2-A"


@dataclass(frozen=True, slots=True)
class CarData:
    """A loaded data set. `seed` opens its world."""

    info: DatasetInfo
    tasks: tuple[CarTask, ...]
    seed: int


@lru_cache(maxsize=2)
def shipped(name: str = DEFAULT_DATA) -> CarData:
    """Return a data set that comes with knowact; the same object every time."""
    return load_tasks(DATA / name)


def load_tasks(path: Path) -> CarData:
    """Load a data set.

    Args:
        path: A folder of ours, with an `items.jsonl`; or a file or folder of published tasks.

    Raises:
        BadData: Anything is wrong with it.
    """
    if not path.exists():
        raise BadData("there is no such file or folder", Place(path), "check the path")
    if path.is_dir() and (path / ITEMS).exists():
        tasks = _own(path / ITEMS, read_manifest(path).seed if (path / MANIFEST).exists() else 0)
        info, seed = identified(path, len(tasks))
        return CarData(info, tasks, seed)
    tasks, read = published_tasks(path)
    return CarData(DatasetInfo(path.resolve().name, "published", sha256(*read)), tasks, 0)


def _own(file: Path, seed: int) -> tuple[CarTask, ...]:
    world = CarWorld()
    found: dict[str, CarTask] = {}
    for line in read_lines(file):
        with noted():
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
    initial, passed = session.snapshot(), list[Values]()
    for place, one in enumerate(task.reference):
        seen = session.call(Call(one.tool, one.arguments))
        if seen.problem is not None:
            what = f"call {place} ({one.tool}) is refused: {seen.problem.message.rstrip('.')}"
            raise BadData(what, line.place(f"reference.{place}"), "correct the call")
        passed.append(session.snapshot())
    if clauses := goal.contradicted(initial, passed):
        raise BadData(f"in {task.id!r}, {'; '.join(clauses)}", line.place("goal"), "correct the task")
