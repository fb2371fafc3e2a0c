"""From options to the items of a run: which tasks, under which rules, with whom as user."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

from knowact.core.condition import CLEAN, Condition
from knowact.core.errors import BadUsage
from knowact.core.suite import Dataset, Item, Plan
from knowact.core.task import Query, WorldRef
from knowact.core.tool import Tool
from knowact.datasets.own import State, data_folder, shipped, state
from knowact.probes.strategies import GATHER, STRATEGY
from knowact.roles.simulated_user import SCRIPT_REFUSES, USER_OPTION
from knowact.suites.car.goals import Action, Goal, rehearsed, scoring_goal, without
from knowact.suites.car.parts import TaskParts, parts_of_all
from knowact.suites.car.proofs import Proofs
from knowact.suites.car.published_tasks import check_setups
from knowact.suites.car.task_files import DATA, CarData, load_tasks
from knowact.suites.car.tasks import CarTask
from knowact.suites.car.telling import Telling
from knowact.worlds.car.policies.catalogue import POLICIES
from knowact.worlds.car.record import TaskType
from knowact.worlds.car.removal import LimitedState, Removed, removed
from knowact.worlds.car.rules import Rules, rules_named
from knowact.worlds.car.session import CarState
from knowact.worlds.car.world import CarWorld

ALL: Final = "all"
FAMILIES: Final = ("base", "hallucination", "disambiguation")
TYPES: Final = (ALL, *FAMILIES)
SPLITS: Final = (ALL, "train", "test")
USERS: Final = ("scripted", "model", "person")

CROSSED: Final = "crossed"
WHOLE: Final = "whole"
TOOL_LISTS: Final = (CROSSED, WHOLE)
"""What tasks are offered that lack nothing they need: not everything either (`decoys`), or everything."""

HAS: Final = "has"
"""In the provenance of a task, for audits: whether the assistant has what it takes (`_has`)."""
OPENS: Final = "opens"
"""Likewise: whether an opening is written; of published tasks there is only the driver's story."""

FEWEST_CALLS: Final = 2
"""Model calls of the shortest conversation that can succeed: one batch, one message."""


@dataclass(frozen=True, slots=True)
class EnvironmentFactory:
    """Where the cars of a run come from: the world under its rules, and the seed of its databases."""

    world: CarWorld
    rules: Rules
    seed: int

    def session(self, task: CarTask) -> CarState | LimitedState:
        """A fresh car as a trial finds it, with parts taken away where the task says so."""
        car = self.world.open(task.setup, self.seed)
        if not task.absent:
            return car
        return LimitedState(car, _taken(task.absent, car.tools()), needed=bool(task.removed))

    def whole(self, task: CarTask) -> CarState:
        """A fresh car with everything there."""
        return self.world.open(task.setup, self.seed)


@dataclass(frozen=True)
class CarItem(Item):
    """A task ready to be run.

    Attributes:
        what: The task.
        factory: Opens its car.
        does: By the id of a part, the tools that do it or tell it.
        telling: What may be told, and is held against the world; nothing for published tasks.
        base_task: Its base task, where it is another.
    """

    what: CarTask = field(kw_only=True)
    factory: EnvironmentFactory = field(kw_only=True)
    does: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]], kw_only=True)
    telling: Telling = field(default_factory=Telling, kw_only=True)
    base_task: CarTask | None = field(default=None, kw_only=True)

    @property
    def required(self) -> frozenset[str]:
        """The tools of the calls that can still be made; leaving out a lost one is no fault."""
        lost = self.what.removal.lost if self.what.removal else ()
        return frozenset(one.tool for place, one in enumerate(self.what.reference) if place not in lost)

    @cached_property
    def goal(self) -> Goal:
        """What its trials are held against; found once, by carrying the reference out."""
        what = self.what
        if what.goal is not None:
            barred = frozenset(what.removal.lost if what.removal else ())
            decides = what.element.decides if what.element else ()
            session = self.factory.whole(what)
            asks = asks_of(what)
            found = scoring_goal(
                what.reference, what.goal, session, barred=barred, decides=decides, asks=asks
            )
            return found.model_copy(update={"telling": self.telling})
        actions = [Action(tool=one.tool, arguments=one.arguments) for one in what.reference]
        session = self.factory.whole(what)
        return rehearsed(without(actions, _taken(what.removed, session.tools())), session)


def asks_of(what: CarTask) -> tuple[str, ...]:
    """The tools that carry what only the driver can settle; all that act, where no argument does."""
    element = what.element
    if element is None or element.level != "user":
        return ()
    if element.argument is not None:
        return (what.reference[element.argument[0]].tool,)
    return tuple(dict.fromkeys(one.tool for one in what.reference if one.writes))


def datasets() -> Sequence[Dataset]:
    """What the suite ships."""
    return shipped(DATA)


def plan(options: Mapping[str, Any]) -> Plan:
    """Turn options into items: each base task, then what was made of it, so that a prefix is a fair sample.

    Args:
        options: `data`, `seed`, `rules`, `limit` (base tasks; 0 for all), and the suite's own.

    Raises:
        BadData: The data cannot be used.
        BadUsage: The options do not go together, or with these data.
    """
    if int(options["votes"]) % 2 == 0:
        raise BadUsage(f"--votes takes an odd number, so that there is a majority, not {options['votes']}.")
    folder = data_folder(str(options["data"]), "car", datasets())
    data = _loaded(folder, state(folder))
    rules = rules_named(str(options["rules"]))
    databases = str(options["databases"])
    factory = EnvironmentFactory(CarWorld(rules, Path(databases) if databases else None), rules, data.seed)
    tasks = _chosen(data.tasks, options)
    if options["tool_lists"] == WHOLE:
        tasks = [task.model_copy(update={"decoy": None}) for task in tasks]
    if not tasks:
        raise BadUsage("No task is left. Widen --type, --split or --limit.")
    check_setups(tasks, factory.world, factory.seed, stored=bool(databases))
    obstacle = _obstacle(tasks, options)
    bases = {one.id: one for one in data.tasks if one.type is TaskType.BASE}
    parts = parts_of_all(data.tasks, {tool.name: tool for tool in _tools((), factory)})
    items = tuple(_item(one, factory, parts[one.cluster], bases.get(one.cluster)) for one in tasks)
    most = int(options["steps"]) * (2 if options[STRATEGY] == GATHER else 1)
    fewest = min(FEWEST_CALLS, most)
    read = 0 if rules is Rules.PUBLISHED else sum(one.telling.form() is not None for one in items)
    role_calls = _role_calls(len(items), read, options, most)
    return Plan(
        data.info,
        items,
        (fewest * len(items), most * len(items)),
        tuple(_notes(tasks)),
        data.seed,
        at_terminal=options["user"] == "person",
        obstacle=obstacle,
        roles={"user": USER_OPTION} if options["user"] == "model" else {},
        role_calls=role_calls,
        headline=tuple(role for role in ("judge", "extractor", "user") if role in role_calls),
        built_in_only=SCRIPT_REFUSES if options["user"] == "scripted" else "",
    )


def _role_calls(count: int, read: int, options: Mapping[str, Any], most: int) -> dict[str, tuple[int, int]]:
    """Calls of the models in roles: rulings on messages and on the user's lines, votes on policies, forms."""
    votes = int(options["votes"])
    played = options["user"] == "model"
    least, repaired = 1 + played, 2
    rulings = repaired * (most + played) + sum(one.by == "judge" for one in POLICIES.values())
    calls = {"judge": (count * votes * least, count * votes * rulings)}
    calls |= {"extractor": (read, repaired * most * read)} if read else {}
    return calls | ({"user": (2 * count, (most + 1) * count)} if played else {})


@lru_cache(maxsize=2)
def _loaded(folder: Path, _: State) -> CarData:
    """Planning and running a suite both want the data; data that were edited in between are read again."""
    return load_tasks(folder)


def _chosen(tasks: Sequence[CarTask], options: Mapping[str, Any]) -> list[CarTask]:
    """The tasks that the options leave, cluster by cluster in the order of the base tasks."""
    clusters = {one.cluster: place for place, one in reversed(list(enumerate(tasks)))}
    found = [one for one in tasks if options["split"] in (ALL, one.split)]
    kept = sorted({one.cluster for one in found}, key=clusters.__getitem__)
    if limit := int(options.get("limit") or 0):
        kept = kept[:limit]
    places = {cluster: place for place, cluster in enumerate(kept)}
    found = [one for one in found if one.cluster in places and options["type"] in (ALL, one.type.family)]
    return sorted(found, key=lambda one: places[one.cluster])


def _obstacle(tasks: Sequence[CarTask], options: Mapping[str, Any]) -> str:
    unscripted = sum(one.script is None for one in tasks)
    if unscripted and options["user"] == "scripted":
        return (
            f"{unscripted:,} of these tasks have no script. Let a model play the user "
            "(--user model --role user=MODEL), or play it yourself (--user person)."
        )
    if unscripted and not options["databases"]:
        return "Published tasks need the published databases. Name their folder with --databases."
    return ""


def _notes(tasks: Sequence[CarTask]) -> list[str]:
    notes: list[str] = []
    whole = sum(not task.absent for task in tasks)
    if whole and any(task.removed for task in tasks):
        notes.append(
            f"{whole:,} tasks are offered everything, so the tool list alone distinguishes them from those "
            "that lack something."
        )
    return notes


def _item(what: CarTask, factory: EnvironmentFactory, parts: TaskParts, base: CarTask | None) -> CarItem:
    tools = _tools(what.absent, factory)
    opening = what.script.opening if what.script else what.instruction
    planned = Proofs(factory.world, factory.seed).as_plan(what)
    task = planned.model_copy(
        update={
            "opening": Query(text=opening),
            "world": WorldRef(name="car", setup=what.setup),
            "offered": tuple(tool.name for tool in _tools((), factory)),
            "provenance": {"source": what.source, HAS: _has(what), OPENS: what.script is not None},
        }
    )
    return CarItem(
        task=task,
        condition=_condition(what, factory),
        tools=tools,
        labels=labels_of(what),
        lacks=("tools",) if what.removed else (),
        parts=parts.parts,
        missing=parts.missing(what.removal) if what.removal else frozenset(),
        does=parts.does,
        telling=parts.telling(what) if what.goal is not None else Telling(),
        what=what,
        factory=factory,
        base_task=base if base is not None and base.id != what.id else None,
    )


def _has(what: CarTask) -> str:
    """Whether all is there, a needed part is missing, or a choice is open and somebody settles it."""
    if what.type.lacks_a_part:
        return "missing"
    return {TaskType.USER: "ask", TaskType.INTERNAL: "settled"}.get(what.type, "complete")


def _condition(what: CarTask, factory: EnvironmentFactory) -> Condition:
    """What was changed; a decoy is a change that withholds nothing, so that ids and pairs stay the same."""
    if not what.absent:
        return CLEAN
    taken = _taken(what.absent, _tools((), factory))
    return taken.condition() if what.removed else CLEAN.model_copy(update={"changes": taken.changes})


@lru_cache(maxsize=512)
def _tools(paths: tuple[str, ...], factory: EnvironmentFactory) -> tuple[Tool, ...]:
    """The tools on the table without some parts; they do not depend on the car's state."""
    session = factory.world.open({}, factory.seed)
    return tuple(LimitedState(session, _taken(paths, session.tools())).tools() if paths else session.tools())


def _taken(paths: Sequence[str], tools: Sequence[Tool]) -> Removed:
    """Parts to take away, as far as they are there: a rule set may lack a tool (`get_fuel_information`)."""
    names = {tool.name for tool in tools}
    kept = [path for path in paths if path.removeprefix("result.").partition(".")[0] in names]
    return removed(kept, tools)


def labels_of(what: CarTask) -> dict[str, str]:
    """What tables group a task's trials by."""
    count = len(what.reference)
    labels = {
        "type": what.type.family,
        "subtype": what.type.value.removeprefix(f"{what.type.family}_"),
        "actions": str(count),
        "domains": str(len(what.domains)),
        "style": what.persona.style,
        "skill": what.persona.proficiency or "unspecified",
    }
    if what.split:
        labels["split"] = what.split
    if what.removal is not None:
        labels["removed"] = what.removal.kind
    if what.decoy is not None:
        labels["decoy"] = what.decoy.kind
    if what.element is not None:
        labels["level"] = what.element.level
    return labels
