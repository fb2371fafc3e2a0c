"""What town offices would show at this hour: queues and free appointments, drawn from the seed.

Pure functions, as in `sources`. The offices are invented and the same for every seed, because queries
name them.
"""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from knowact.core.seeds import generator
from knowact.worlds.everyday.contract import near, refuse

OFFICES: Final = (
    "Harbour Street office",
    "Old Town Hall",
    "Northgate office",
    "Station Square office",
    "Mill Lane registry",
    "Eastbank service point",
    "Linden Park office",
    "Canal Road registry",
    "Westfield service point",
    "Market Hall office",
    "Ferry Quay office",
    "Castle Hill registry",
    "Orchard Way service point",
    "Southbridge office",
)
BOOKING_DAYS: Final = 400
"""How far ahead appointments are given out: somebody may plan around next year's holiday."""
_SATURDAY: Final = 5


@dataclass(frozen=True, slots=True)
class Queue:
    """The waiting room: people in line, counters that serve them, and the expected wait in minutes."""

    people: int
    counters: int
    minutes: int


def known_office(name: str) -> str:
    """Return the name of an office; an unknown one is refused with the nearest names."""
    if name not in OFFICES:
        refuse("not_found", f"There is no office named {name!r} here.", near(name, OFFICES))
    return name


def queue(seed: int, office: str, now: dt.datetime) -> Queue:
    """Return how long the queue at an office is now."""
    draw = generator(seed, "office queue", office, now.isoformat(timespec="minutes"))
    people, counters = draw.randint(2, 34), draw.randint(1, 6)
    return Queue(people, counters, max(3, people * draw.randint(4, 9) // counters))


def free_slots(seed: int, office: str, earliest: dt.date) -> Iterator[tuple[dt.date, str]]:
    """Yield the free appointments of an office from a day on, as (day, HH:MM), in order of time."""
    for later in range(BOOKING_DAYS):
        day = earliest + dt.timedelta(days=later)
        if day.weekday() >= _SATURDAY:
            continue
        draw = generator(seed, "office slots", office, day.isoformat())
        quarters = draw.sample(range(8 * 4 + 2, 16 * 4 + 2), draw.choice((0, 0, 1, 2, 3)))
        for quarter in sorted(quarters):
            yield day, f"{quarter // 4:02d}:{quarter % 4 * 15:02d}"
