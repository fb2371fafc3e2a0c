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
from knowact.datasets.lines import Line, sha256
from knowact.datasets.own import ITEMS, MANIFEST, load_rows, read_manifest
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
        seed = read_manifest(path).seed if (path / MANIFEST).exists() else 0
        world = CarWorld()
        found = load_rows(CarTask, path, lambda task, line: _require_reached(task, line, world, seed))
        return CarData(found.info, found.rows, found.seed)
    tasks, read = published_tasks(path)
    return CarData(DatasetInfo(path.resolve().name, "published", sha256(*read)), tasks, 0)


def _require_reached(task: CarTask, line: Line, world: CarWorld, seed: int) -> None:
    """Refuse a task whose reference, carried out, does not lead to its goal."""
    if task.goal is None:
        return
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
    if clauses := task.goal.contradicted(initial, passed):
        raise BadData(f"in {task.id!r}, {'; '.join(clauses)}", line.place("goal"), "correct the task")
