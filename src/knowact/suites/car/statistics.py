"""What our tasks are made of: type, length, parts of the car, rules, preferences, open choices, drivers.

A task touches a rule when its trigger comes up while the reference is carried out (`touched`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, cast

from knowact.core.charts import count_bars
from knowact.core.suite import Item
from knowact.core.table import Estimate, Figure, Row, Table
from knowact.suites.car.goals import PREFERENCES
from knowact.suites.car.items import CarItem
from knowact.suites.car.proofs import Proofs
from knowact.suites.car.tables import by_size
from knowact.suites.car.tasks import LEVELS, CarTask
from knowact.worlds.car.defects import defects
from knowact.worlds.car.policies.applies import to_judge, triggered
from knowact.worlds.car.policies.catalogue import POLICIES
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Count:
    """A table that counts tasks by type and by something of which a task may have several, or none.

    Attributes:
        by: What the rows are called.
        of: The values of a task.
    """

    id: str
    title: str
    by: str
    of: Callable[[CarItem], Iterable[str]]

    def __call__(self, items: Sequence[Item]) -> Table:
        """Count the tasks of a data set."""
        tasks = {item.task.id: item for item in items if isinstance(item, CarItem)}.values()
        found = Counter((value, one.labels["type"]) for one in tasks for value in set(self.of(one)))
        values, families = (sorted({pair[place] for pair in found}, key=_order) for place in (0, 1))
        rows = (
            Row({self.by: value, "type": family}, "tasks", Estimate(found[value, family], len(tasks)))
            for value, family in product(values, families)
        )
        return Table(
            self.id, self.title, "knowact", tuple(rows), across=("type",), percent=False, counts=True
        )


def _order(value: str) -> tuple[int, str]:
    """Levels by strength, numbers by size, all else by name."""
    return (LEVELS.index(value), "") if value in LEVELS else by_size(value)


def _label(name: str) -> Callable[[CarItem], Iterable[str]]:
    return lambda item: [item.labels.get(name, "none")]


def _rules(item: CarItem) -> Iterable[str]:
    proofs = Proofs(item.factory.world, item.factory.seed)
    return [f"{policy}: {POLICIES[policy].trigger}" for policy in touched(proofs, item.what)]


def touched(proofs: Proofs, task: CarTask) -> tuple[str, ...]:
    """Return the ids of the rules that come up in a task, with all its parts there, in catalogue order."""
    trial = proofs.played(task)
    found = {*to_judge(Timeline(trial), defects(Rules.DEFINITION)), *triggered(trial.calls)}
    return tuple(policy for policy in POLICIES if policy in found)


def _preferences(item: CarItem) -> Iterable[str]:
    asked = [call.arguments for call in item.what.reference if call.tool == PREFERENCES]
    every = [cast("Mapping[str, Any]", given.get("preference_categories") or {}) for given in asked]
    return [
        f"{category}.{topic}"
        for categories in every
        for category, inner in categories.items()
        for topic, wanted in inner.items()
        if wanted
    ]


def _wishes(item: CarItem) -> Iterable[str]:
    return [str(len(item.what.script.later))] if item.what.script else []


def _level(item: CarItem) -> Iterable[str]:
    return [item.what.element.level] if item.what.element else []


def _gone(item: CarItem) -> Iterable[str]:
    return [item.labels.get("removed") or item.labels.get("decoy") or "nothing"]


_LENGTHS: Final = Count("actions", "Tasks by calls of the reference", "actions", _label("actions"))

STATISTICS: Final = (
    Count("types", "Tasks by type", "subtype", _label("subtype")),
    _LENGTHS,
    Count("wishes", "Tasks by wishes after the first message", "later wishes", _wishes),
    Count("domains", "Tasks by part of the car that is used", "domain", lambda item: item.what.domains),
    Count("policies", "Tasks by rule that the reference triggers", "rule", _rules),
    Count("preferences", "Tasks by preference that is looked up", "topic", _preferences),
    Count("levels", "Tasks by who or what resolves the open choice", "level", _level),
    Count("styles", "Tasks by style of the driver", "style", _label("style")),
    Count("gone", "Tasks by missing part, needed (hallucination) or not", "gone", _gone),
    Count("halves", "Tasks by half", "half", _label("split")),
)


def lengths(items: Sequence[Item]) -> Figure:
    """Tasks by type and number of reference calls, as a picture."""
    rows = [row for row in _LENGTHS(items).rows if row.estimate.value]
    spec = count_bars(rows, "actions", "type", value_title="Tasks")
    return Figure("lengths", _LENGTHS.title, "CAR-bench", spec)


PICTURES: Final[tuple[Callable[[Sequence[Item]], Figure], ...]] = (lengths,)
