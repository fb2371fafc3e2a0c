"""What can be worked out although it is not told: the same fact by way of another tool and some arithmetic.

The closure over capabilities knows attributes, not formulas. These are the car's: the time that a whole route
takes is that of all its kilometres, the weather now was to come three hours ago, and so on.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from knowact.core.tool import Tool
from knowact.suites.car.goals import Reference, Told
from knowact.suites.car.removals import is_hidden, unusable
from knowact.suites.car.tasks import CarTask
from knowact.worlds.car.removal import Removed

_WEATHER: Final = ("start", "end", "temperature", "wind", "humidity", "condition")
FORMULAS: Final[tuple[tuple[frozenset[str], str], ...]] = (
    (frozenset({"route.part_distance"}), "route.distance"),
    (frozenset({"route.part_minutes"}), "route.hours"),
    (frozenset({"route.part_minutes"}), "route.minutes"),
    (frozenset({"battery.charge", "charge.distance"}), "battery.range"),
    (frozenset({"battery.charge", "battery.range"}), "charge.distance"),
    (frozenset({"battery.range", "charge.distance"}), "battery.charge"),
    (frozenset({"charging.reached"}), "charging.minutes"),
    (frozenset({"charging.minutes"}), "charging.reached"),
    (frozenset({"waypoint.phone_number"}), "poi.phone_number"),
    *((frozenset({f"weather.next_{name}"}), f"weather.{name}") for name in _WEATHER),
)
"""What has to be known, and what follows from it."""


def worked_out(task: CarTask, taken: Removed, tools: Mapping[str, Tool]) -> Iterator[str]:
    """Return which lost facts follow from what the tools that are left tell, a clause each."""
    gone = unusable(taken.paths, tools)
    left = frozenset(
        attribute
        for name, tool in tools.items()
        if name not in gone and tool.capability is not None
        for attribute in tool.capability.gives(frozenset(taken.masked(name, "result")))
    )
    lost = frozenset(_lost(task, taken, tools, gone))
    for known, follows in FORMULAS:
        if follows in lost and known <= left - lost:
            yield f"{follows} follows from {' and '.join(sorted(known))}"


def _lost(task: CarTask, taken: Removed, tools: Mapping[str, Tool], gone: frozenset[str]) -> Iterator[str]:
    """The attributes that the reference needs and that the part itself would have told."""
    for place, one in enumerate(task.reference):
        told = [
            source.field
            for later in task.reference
            for sources in later.told.values()
            for source in sources
            if source.step == place
        ]
        for field in (*one.reads, *told):
            if one.tool in gone or is_hidden(Told(step=place, field=field), task.reference, taken):
                yield from _attributes(one, field, tools)


def _attributes(one: Reference, field: str, tools: Mapping[str, Tool]) -> Iterator[str]:
    capability = tools[one.tool].capability
    if capability is not None:
        yield from (report.attribute for report in capability.reports if report.field == field)
