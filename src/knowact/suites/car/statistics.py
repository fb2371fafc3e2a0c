"""What our tasks are made of: type, length, parts of the car, rules, preferences, open choices, drivers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Final, cast

from knowact.core.count_charts import count_bars
from knowact.core.suite import Item
from knowact.core.table import Estimate, Figure, Row, Table
from knowact.suites.car.items import CarItem
from knowact.suites.car.proofs import Proofs
from knowact.suites.car.tasks import LEVELS
from knowact.suites.car.touched import touched
from knowact.worlds.car.policies.catalogue import POLICIES

_PREFERENCES: Final = "get_user_preferences"


def _counts(items: Sequence[Item], first: str, second: str) -> list[Row]:
    tasks = {item.task.id: item.labels for item in items}.values()
    found = Counter((labels[first], labels[second]) for labels in tasks)
    return [
        Row({first: one, second: two}, "tasks", Estimate(count, len(tasks)))
        for (one, two), count in sorted(found.items(), key=lambda row: (row[0][0], _order(row[0][1])))
    ]


def _order(value: str) -> tuple[int, str]:
    """Numbers by size, levels by strength, all else by name."""
    if value.isdigit():
        return int(value), ""
    return (LEVELS.index(value), "") if value in LEVELS else (0, value)


def by_subtype(items: Sequence[Item]) -> Table:
    """Tasks by type and sub-type."""
    rows = tuple(_counts(items, "type", "subtype"))
    note = "The paper reports on 100 base, 90 hallucination and 50 disambiguation tasks."
    return Table("types", "Tasks by type", "CAR-bench", rows, ("type",), note, percent=False, counts=True)


def by_length(items: Sequence[Item]) -> Table:
    """Tasks by type and number of reference calls."""
    rows = tuple(_counts(items, "type", "actions"))
    title, note = "Tasks by calls of the reference", "The paper's base tasks take 1 to 9, on average 3.6."
    return Table("actions", title, "CAR-bench", rows, ("actions",), note, percent=False, counts=True)


def by_domain_count(items: Sequence[Item]) -> Table:
    """Tasks by type and number of parts of the car that the reference uses."""
    return _several(
        "domain-count", "Tasks by number of domains", "domains", items, lambda one: [_label(one, "domains")]
    )


def by_domain(items: Sequence[Item]) -> Table:
    """Tasks by type and each part of the car."""
    note = "A task counts under each domain that its reference uses; looking up preferences is none."
    return _several("domains", "Tasks by domain", "domain", items, lambda one: one.what.domains, note=note)


def by_policy(items: Sequence[Item]) -> Table:
    """Tasks by type and each rule that comes up."""

    def rules(one: CarItem) -> list[str]:
        return [
            f"{policy}: {POLICIES[policy].trigger}"
            for policy in touched(Proofs(one.garage.world, one.garage.seed), one.what)
        ]

    note = "A task counts under each rule whose trigger comes up when its reference is carried out."
    return _several("policies", "Tasks by rule touched", "rule", items, rules, note=note)


def by_preference(items: Sequence[Item]) -> Table:
    """Tasks by type and each topic on which the reference looks up preferences."""

    def topics(one: CarItem) -> list[str]:
        asked = [call.arguments for call in one.what.reference if call.tool == _PREFERENCES]
        every = [cast("Mapping[str, Any]", given.get("preference_categories") or {}) for given in asked]
        return [
            f"{category}.{topic}"
            for categories in every
            for category, inner in categories.items()
            for topic, wanted in inner.items()
            if wanted
        ]

    title = "Tasks by preferences looked up"
    return _several("preferences", title, "topic", items, topics)


def by_level(items: Sequence[Item]) -> Table:
    """Tasks with an open choice, by what settles it."""

    def level(one: CarItem) -> list[str]:
        return [one.what.element.level] if one.what.element else []

    note = "Only disambiguation tasks leave something open; at 'user' only the driver can settle it."
    return _several("levels", "Tasks by the level that settles the choice", "level", items, level, note=note)


def by_driver(items: Sequence[Item]) -> Table:
    """Tasks by how the driver speaks."""
    return _several(
        "styles", "Tasks by style of the driver", "style", items, lambda one: [_label(one, "style")]
    )


def by_decoy(items: Sequence[Item]) -> Table:
    """Tasks by the kind of part that is gone, needed (hallucination) or not (a decoy)."""

    def kind(one: CarItem) -> list[str]:
        return [one.labels.get("removed") or one.labels.get("decoy") or "nothing"]

    note = "In hallucination tasks the part is needed; in the others it is a decoy."
    return _several("gone", "Tasks by what is gone", "gone", items, kind, note=note)


def by_half(items: Sequence[Item]) -> Table:
    """Tasks by half of the data."""
    return _several("halves", "Tasks by half", "half", items, lambda one: [one.labels.get("split", "none")])


def _label(item: Item, name: str) -> str:
    return item.labels[name]


def _several(
    name: str,
    title: str,
    key: str,
    items: Sequence[Item],
    values: Callable[[CarItem], Iterable[str]],
    *,
    note: str = "",
) -> Table:
    """Tasks by type and by something of which a task may have several, or none."""
    tasks = {item.task.id: item for item in items if isinstance(item, CarItem)}.values()
    found = Counter((value, _label(one, "type")) for one in tasks for value in set(values(one)))
    kept = (sorted({value for value, _ in found}, key=_order), sorted({family for _, family in found}))
    rows = tuple(
        Row({key: value, "type": family}, "tasks", Estimate(found[value, family], len(tasks)))
        for value, family in product(*kept)
    )
    return Table(name, title, "knowact", rows, ("type",), note, percent=False, counts=True)


def lengths(items: Sequence[Item]) -> Figure:
    """The same as a picture."""
    spec = count_bars(_counts(items, "type", "actions"), "actions", "type", value_title="Tasks")
    return Figure("lengths", "Tasks by calls of the reference", "CAR-bench", spec)


STATISTICS: Final[tuple[Callable[[Sequence[Item]], Table], ...]] = (
    by_subtype,
    by_length,
    by_domain_count,
    by_domain,
    by_policy,
    by_preference,
    by_level,
    by_driver,
    by_decoy,
    by_half,
)
PICTURES: Final[tuple[Callable[[Sequence[Item]], Figure], ...]] = (lengths,)
