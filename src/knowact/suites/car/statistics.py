"""What our tasks are made of: type, length, parts of the car, rules, preferences, open choices, drivers.

A task touches a rule when its trigger comes up while the reference is carried out (`touched`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import product
from typing import Any, Final, cast

from knowact.core.charts import count_bars
from knowact.core.suite import Item
from knowact.core.table import Estimate, Figure, Row, Table, as_table
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


def touched(proofs: Proofs, task: CarTask) -> tuple[str, ...]:
    """Return the ids of the rules that come up in a task, with all its parts there, in catalogue order."""
    trial = proofs.played(task)
    found = {*to_judge(Timeline(trial), defects(Rules.DEFINITION)), *triggered(trial.calls)}
    return tuple(policy for policy in POLICIES if policy in found)


def _counted(
    name: str, title: str, key: str
) -> Callable[[Callable[[CarItem], Iterable[str]]], Callable[[Sequence[Item]], Table]]:
    """Count tasks by type and by something of which a task may have several, or none."""

    def wrap(values: Callable[[CarItem], Iterable[str]]) -> Callable[[Sequence[Item]], Table]:
        @as_table(name, title, across=("type",), percent=False, counts=True)
        @wraps(values)
        def table(items: Sequence[Item]) -> Iterator[Row]:
            tasks = {item.task.id: item for item in items if isinstance(item, CarItem)}.values()
            found = Counter((value, one.labels["type"]) for one in tasks for value in set(values(one)))
            families = sorted({family for _, family in found})
            for value, family in product(sorted({value for value, _ in found}, key=_order), families):
                yield Row({key: value, "type": family}, "tasks", Estimate(found[value, family], len(tasks)))

        return table

    return wrap


def _pairs(items: Sequence[Item], label: str) -> Iterator[Row]:
    """Tasks by type and a label; only what occurs."""
    tasks = {item.task.id: item.labels for item in items}.values()
    found = Counter((labels["type"], labels[label]) for labels in tasks)
    for (one, two), count in sorted(found.items(), key=lambda row: (row[0][0], _order(row[0][1]))):
        yield Row({"type": one, label: two}, "tasks", Estimate(count, len(tasks)))


def _order(value: str) -> tuple[int, str]:
    """Levels by strength, numbers by size, all else by name."""
    return (LEVELS.index(value), "") if value in LEVELS else by_size(value)


@as_table("types", "Tasks by type", "CAR-bench", across=("type",), percent=False, counts=True)
def by_subtype(items: Sequence[Item]) -> Iterator[Row]:
    """Tasks by type and sub-type.

    The paper reports on 100 base, 90 hallucination and 50 disambiguation tasks.
    """
    return _pairs(items, "subtype")


@as_table(
    "actions",
    "Tasks by calls of the reference",
    "CAR-bench",
    across=("actions",),
    percent=False,
    counts=True,
)
def by_length(items: Sequence[Item]) -> Iterator[Row]:
    """Tasks by type and number of reference calls.

    The paper's base tasks take 1 to 9, on average 3.6.
    """
    return _pairs(items, "actions")


@_counted("wishes", "Tasks by later wishes", "later wishes")
def by_wishes(one: CarItem) -> Iterable[str]:
    """Tasks by type and by how many wishes the driver raises after the first message."""
    return [str(len(one.what.script.later))] if one.what.script else []


@_counted("domain-count", "Tasks by number of domains", "domains")
def by_domain_count(one: CarItem) -> Iterable[str]:
    """Tasks by type and number of parts of the car that the reference uses."""
    return [one.labels["domains"]]


@_counted("domains", "Tasks by domain", "domain")
def by_domain(one: CarItem) -> Iterable[str]:
    """Tasks by type and each part of the car.

    A task counts under each domain of its reference calls; looking up preferences is none.
    """
    return one.what.domains


@_counted("policies", "Tasks by rule touched", "rule")
def by_policy(one: CarItem) -> Iterable[str]:
    """Tasks by type and each rule that comes up.

    A task counts under each rule that its reference triggers.
    """
    proofs = Proofs(one.factory.world, one.factory.seed)
    return [f"{policy}: {POLICIES[policy].trigger}" for policy in touched(proofs, one.what)]


@_counted("preferences", "Tasks by preferences looked up", "topic")
def by_preference(one: CarItem) -> Iterable[str]:
    """Tasks by type and each topic on which the reference looks up preferences."""
    asked = [call.arguments for call in one.what.reference if call.tool == PREFERENCES]
    every = [cast("Mapping[str, Any]", given.get("preference_categories") or {}) for given in asked]
    return [
        f"{category}.{topic}"
        for categories in every
        for category, inner in categories.items()
        for topic, wanted in inner.items()
        if wanted
    ]


@_counted("levels", "Tasks by how the open choice is resolved", "level")
def by_level(one: CarItem) -> Iterable[str]:
    """Tasks with an open choice, by what settles it.

    Only disambiguation tasks leave something open. 'user': only the driver can resolve it.
    """
    return [one.what.element.level] if one.what.element else []


@_counted("styles", "Tasks by style of the driver", "style")
def by_driver(one: CarItem) -> Iterable[str]:
    """Tasks by how the driver speaks."""
    return [one.labels["style"]]


@_counted("gone", "Tasks by missing part", "gone")
def by_decoy(one: CarItem) -> Iterable[str]:
    """Tasks by the kind of part that is gone, needed (hallucination) or not (a decoy).

    In hallucination tasks the part is needed; in the others it is a decoy.
    """
    return [one.labels.get("removed") or one.labels.get("decoy") or "nothing"]


@_counted("halves", "Tasks by half", "half")
def by_half(one: CarItem) -> Iterable[str]:
    """Tasks by half of the data."""
    return [one.labels.get("split", "none")]


def lengths(items: Sequence[Item]) -> Figure:
    """Tasks by type and number of reference calls, as a picture."""
    spec = count_bars(list(_pairs(items, "actions")), "actions", "type", value_title="Tasks")
    return Figure("lengths", "Tasks by calls of the reference", "CAR-bench", spec)


STATISTICS: Final[tuple[Callable[[Sequence[Item]], Table], ...]] = (
    *(by_subtype, by_length, by_wishes, by_domain_count, by_domain, by_policy),
    *(by_preference, by_level, by_driver, by_decoy, by_half),
)
PICTURES: Final[tuple[Callable[[Sequence[Item]], Figure], ...]] = (lengths,)
