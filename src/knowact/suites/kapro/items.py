"""From options to the items of a run: data, filters, conditions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from knowact import authoring as ka
from knowact.conditions.distractors import distractors
from knowact.conditions.removal import no_tools
from knowact.core.errors import Place
from knowact.core.proof import PROOF
from knowact.core.table import DatasetInfo
from knowact.datasets.in_world import own_tools, unreached
from knowact.datasets.lines import noted, raise_gathered
from knowact.datasets.own import ITEMS, load_own
from knowact.suites.kapro.published import load_published, looks_published
from knowact.worlds.overlay import offered_under
from knowact.worlds.registry import open_world

DATA = Path(__file__).parent / "data"


class KaproOptions(ka.Options):
    """What a run of KAPRO can be asked for."""

    data: str = "everyday@2-A"
    """A shipped data set, or a folder in our layout or the published one."""
    probe: Literal["both", "tools_needed", "act"] = "both"
    """Ask both ways, or only one."""
    subspace: Literal["all", "external", "hybrid", "internal"] = "all"
    """Only tasks of one side of the boundary."""
    topology: Literal["all", "single_hop", "parallel", "multi_hop"] = "all"
    """Only tasks of one topology."""
    distractors: int = 0
    """Offer this many tools in addition to the task's own (10 in the paper)."""
    strategy: ka.Strategy = "none"
    rounds: Annotated[int, ka.Least(1)] = 10
    """Maximum number of model calls per acting trial."""
    solo: Annotated[int, ka.Bare(5)] = 0
    """Try each task also N times without any tool: this model's own boundary. Without N: 5."""
    transfer: ka.Transferred = False
    votes: Annotated[int, ka.Least(1)] = 3
    """The judge's votes per answer."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A data set, whatever its layout. `seed` opens its worlds; `pool` is where distractors come from.

    Attributes:
        notes: What is odd about it, a sentence each.
    """

    info: DatasetInfo
    tasks: tuple[ka.Task, ...]
    seed: int
    tools: Mapping[str, Mapping[str, ka.Tool]]
    pool: tuple[ka.Tool, ...]
    notes: tuple[str, ...] = ()


def datasets() -> Sequence[ka.Dataset]:
    """What the suite ships."""
    return ka.shipped(DATA)


def load(data: str) -> Loaded:
    """Load a shipped data set by name ("everyday@2-A"), or a folder in our layout or the published one."""
    ours = datasets()
    folder = ka.data_folder(data, "kapro", ours)
    return _shipped(folder) if folder in {one.path for one in ours} else _loaded(folder)


@lru_cache(maxsize=2)
def _shipped(folder: Path) -> Loaded:
    """What is shipped doesn't change under a process; planning and running a suite both want it."""
    return _loaded(folder)


def _loaded(folder: Path) -> Loaded:
    if looks_published(folder):
        published = load_published(folder)
        own = {task.id: _session_tools(task) for task in published.tasks}
        return Loaded(published.info, published.tasks, 0, own, published.tools)
    if not (folder / ITEMS).exists():
        what = f"the folder holds neither {ITEMS} nor External_Function, Hybrid_Function or Internal_Function"
        raise ka.BadData(what, Place(folder), "point --data at a data set")
    data_set = load_own(folder)
    tools: dict[str, Mapping[str, ka.Tool]] = {}
    for task in data_set.rows:
        with noted():
            tools[task.id] = own_tools(task, data_set.seed, data_set.lines[task.id])
    raise_gathered()
    pool = {tool.name: tool for own in tools.values() for tool in own.values()}
    placed = ((task, data_set.lines[task.id]) for task in data_set.rows)
    notes = unreached(data_set.info, placed, data_set.seed)
    return Loaded(data_set.info, data_set.rows, data_set.seed, tools, tuple(pool.values()), notes)


def _session_tools(task: ka.Task) -> Mapping[str, ka.Tool]:
    return {tool.name: tool for tool in open_world(task.world, 0).tools()}


def tasks_of(loaded: Loaded, options: KaproOptions) -> list[ka.Task]:
    """The tasks that the options leave, in the data set's stratified order.

    Raises:
        BadUsage: None is left.
    """
    tasks = [task for task in loaded.tasks if _fits(task, options)][: options.limit or None]
    if not tasks:
        raise ka.BadUsage("No item is left; widen --subspace, --topology or --limit.")
    return tasks


def items_of(task: ka.Task, loaded: Loaded, options: KaproOptions) -> Iterator[ka.Item]:
    """The task under its condition, and without any tool as often as `solo` says."""
    yield _item(task, _condition(task, loaded, options), loaded)
    yield from _alone(task, options.solo)


def _fits(task: ka.Task, options: KaproOptions) -> bool:
    boundary, topology = task.boundary.value, task.topology.value
    return options.subspace in ("all", boundary) and options.topology in ("all", topology)


def _condition(task: ka.Task, loaded: Loaded, options: KaproOptions) -> ka.Condition:
    if not options.distractors:
        return ka.CLEAN
    own = loaded.tools[task.id]
    return distractors(task, own, _pool(task, loaded), options.distractors, options.seed)


def _pool(task: ka.Task, loaded: Loaded) -> Sequence[ka.Tool]:
    """Tools of the same world: a tool of another one could not be called there."""
    return tuple(loaded.tools[task.id].values()) if task.world.name != "replay" else loaded.pool


def _item(task: ka.Task, condition: ka.Condition, loaded: Loaded) -> ka.Item:
    tools = {tool.name: tool for tool in loaded.pool} | dict(loaded.tools[task.id])
    return ka.Item(task, condition, offered_under(task.offered, tools, condition), _labels(task))


def _labels(task: ka.Task) -> dict[str, str]:
    labels = {
        "boundary": task.boundary.value,
        "topology": task.topology.value,
        "tools": str(len(task.offered)),
    }
    level = str(task.provenance.get(PROOF, ""))
    return labels | {name: said for name, said in (("server", task.server), (PROOF, level)) if said}


@dataclass(frozen=True, slots=True)
class AloneItem(ka.Item):
    """A task without any tool: what can this model do alone?"""

    @property
    def required(self) -> frozenset[str]:
        """The tools that were taken away: what a model that cannot do the task alone would have to call.

        Which part of the task was too much for it nobody knows, so these are all tools of the plan.
        """
        return frozenset(self.task.offered)


def _alone(task: ka.Task, samples: int) -> Iterator[AloneItem]:
    """The task without tools, an item for each time that it is tried."""
    bare = no_tools(task)
    for number in range(1, samples + 1):
        condition = bare if number == 1 else bare.model_copy(update={"name": f"{bare.name}-{number}"})
        yield AloneItem(task, condition, (), _labels(task))


def notes_on(items: Sequence[ka.Item], loaded: Loaded) -> list[str]:
    """What the user should know before the run, a sentence each."""
    notes = list(loaded.notes)
    for task in {item.task.id: item.task for item in items if item.tools}.values():
        if task.replay_gap:
            names = ", ".join(task.replay_gap)
            notes.append(f"Item {task.id} has no recording of {names}: its pass is not judged.")
    if all(task.world.name == "replay" for task in loaded.tasks):
        notes.append(
            "Recordings are found by a tool's name alone, so a pass does not vouch for its arguments."
        )
        if any(item.condition.name.startswith("distractors") for item in items):
            notes.append("These tools declare no capabilities, so the distractors are not proven harmless.")
    return notes
