"""The user's visits to museums."""

from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.private.records import ClockTime, IsoDate
from knowact.worlds.everyday.private.table import Table


class MuseumSlot(Noun):
    """A reserved time for entering a museum, by "museum, day, time"."""

    museum: str
    date: IsoDate
    time: ClockTime
    visitors: int


TABLES: Final = {"museum_slots": Table(MuseumSlot)}
