"""From options to the items of a run: data, filters, conditions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from knowact.conditions.distractors import distractors
from knowact.conditions.removal import no_tools
from knowact.core.condition import CLEAN, Condition
from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.proof import PROOF
from knowact.core.suite import Dataset, Item, Plan
from knowact.core.table import DatasetInfo
from knowact.core.task import Task
from knowact.core.tool import Tool
from knowact.datasets.in_world import own_tools, unreached
from knowact.datasets.lines import noted, raise_gathered
from knowact.datasets.own import ITEMS, data_folder, load_own, shipped
from knowact.probes import transfer
from knowact.probes.strategies import refuse_without_acting
from knowact.suites.kapro.options import KaproOptions
from knowact.suites.kapro.probes import KNOW, asked, rounds_of
from knowact.suites.kapro.published import load_published, looks_published
from knowact.worlds.overlay import offered_under
from knowact.worlds.registry import open_world

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A data set, whatever its layout. `seed` opens its worlds; `pool` is where distractors come from.

    Attributes:
        notes: What is odd about it, a sentence each.
    """

    info: DatasetInfo
    tasks: tuple[Task, ...]
    seed: int
    tools: Mapping[str, Mapping[str, Tool]]
    pool: tuple[Tool, ...]
    notes: tuple[str, ...] = ()


def datasets() -> Sequence[Dataset]:
    """What the suite ships."""
    return shipped(DATA)


def load(data: str) -> Loaded:
    """Load a shipped data set by name ("everyday@2-A"), or a folder in our layout or the published one."""
    ours = datasets()
    folder = data_folder(data, "kapro", ours)
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
        raise BadData(what, Place(folder), "point --data at a data set")
    data_set = load_own(folder)
    tools: dict[str, Mapping[str, Tool]] = {}
    for task in data_set.rows:
        with noted():
            tools[task.id] = own_tools(task, data_set.seed, data_set.lines[task.id])
    raise_gathered()
    pool = {tool.name: tool for own in tools.values() for tool in own.values()}
    placed = ((task, data_set.lines[task.id]) for task in data_set.rows)
    notes = unreached(data_set.info, placed, data_set.seed)
    return Loaded(data_set.info, data_set.rows, data_set.seed, tools, tuple(pool.values()), notes)


def _session_tools(task: Task) -> Mapping[str, Tool]:
    return {tool.name: tool for tool in open_world(task.world, 0).tools()}


def plan(options: KaproOptions) -> Plan:
    """Turn options into items, in the data set's stratified order."""
    refuse_without_acting(dict(options), acts=options.probe != KNOW)
    transfer.require(dict(options), {"probe": ("both", "what is said is compared with what is done")})
    loaded = load(options.data)
    tasks = [task for task in loaded.tasks if _wanted(task, options)][: options.limit or None]
    if not tasks:
        raise BadUsage("No item is left; widen --subspace, --topology or --limit.")
    items: list[Item] = []
    for task in tasks:
        items.append(_item(task, _condition(task, loaded, options), loaded))
        items += _alone(task, options.solo)
    few, most = 0, 0
    for item in items:
        know, act = asked(item, options.probe)
        few += know + act
        most += know + act * rounds_of(item, options)
        if know and options.transfer:
            few += 1 + transfer.CERTAIN
            most += 1 + transfer.MOST * rounds_of(item, options)
    notes = _notes(items, loaded)
    if options.solo:
        reader = "extractor" if any(_by_form(item, options) for item in items) else "judge"
        notes.append(f"The {reader} says what is solved without tools; without one, --solo shows nothing.")
    return Plan(
        *(loaded.info, tuple(items), (few, most), tuple(notes), loaded.seed),
        role_calls=_role_calls(items, options),
    )


def _role_calls(items: Sequence[Item], options: KaproOptions) -> dict[str, tuple[int, int]]:
    """Calls of the models in roles: a form and at most one repair per answer, and the votes on it.

    KAS, the headline, rests on calls and a requested format alone, so it needs neither of them.
    """
    judged = [one for one in items if asked(one, options.probe)[1] and not one.task.replay_gap]
    forms = [one for one in judged if _by_form(one, options)]
    votes = len(judged) * options.votes
    return {"extractor": (len(forms), 2 * len(forms)), "judge": (votes, votes)}


def _by_form(item: Item, options: KaproOptions) -> bool:
    """Whether its final reply is read into a form, rather than judged as a whole."""
    return bool(item.task.facts) and options.rules != "published"


def _wanted(task: Task, options: KaproOptions) -> bool:
    boundary, topology = task.boundary.value, task.topology.value
    return options.subspace in ("all", boundary) and options.topology in ("all", topology)


def _condition(task: Task, loaded: Loaded, options: KaproOptions) -> Condition:
    if not options.distractors:
        return CLEAN
    own = loaded.tools[task.id]
    return distractors(task, own, _pool(task, loaded), options.distractors, options.seed)


def _pool(task: Task, loaded: Loaded) -> Sequence[Tool]:
    """Tools of the same world: a tool of another one could not be called there."""
    return tuple(loaded.tools[task.id].values()) if task.world.name != "replay" else loaded.pool


def _item(task: Task, condition: Condition, loaded: Loaded) -> Item:
    tools = {tool.name: tool for tool in loaded.pool} | dict(loaded.tools[task.id])
    return Item(task, condition, offered_under(task.offered, tools, condition), _labels(task))


def _labels(task: Task) -> dict[str, str]:
    labels = {
        "boundary": task.boundary.value,
        "topology": task.topology.value,
        "tools": str(len(task.offered)),
    }
    level = str(task.provenance.get(PROOF, ""))
    return labels | {name: said for name, said in (("server", task.server), (PROOF, level)) if said}


@dataclass(frozen=True, slots=True)
class AloneItem(Item):
    """A task without any tool: what can this model do alone?"""

    @property
    def required(self) -> frozenset[str]:
        """The tools that were taken away: what a model that cannot do the task alone would have to call.

        Which part of the task was too much for it nobody knows, so these are all tools of the plan.
        """
        return frozenset(self.task.offered)


def _alone(task: Task, samples: int) -> Iterator[AloneItem]:
    """The task without tools, an item for each time that it is tried."""
    bare = no_tools(task)
    for number in range(1, samples + 1):
        condition = bare if number == 1 else bare.model_copy(update={"name": f"{bare.name}-{number}"})
        yield AloneItem(task, condition, (), _labels(task))


def _notes(items: Sequence[Item], loaded: Loaded) -> list[str]:
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
