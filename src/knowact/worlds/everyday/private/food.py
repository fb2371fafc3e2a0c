"""What stands in the user's pantry, and the tables that the user has booked."""

import datetime as dt
import random
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.private.records import ClockTime, IsoDate
from knowact.worlds.everyday.private.table import Table

_ITEMS: Final = (
    *("flour", "brown rice", "sugar", "red lentils", "rolled oats", "spaghetti", "couscous", "raisins"),
    *(
        "polenta",
        "chickpeas",
        "almonds",
        "cocoa powder",
        "sea salt",
        "ground coffee",
        "black beans",
        "semolina",
    ),
)


class PantryItem(Noun):
    """What is left of something in the pantry, by its name. `grams` is the weight."""

    grams: int
    best_before: IsoDate


class TableBooking(Noun):
    """A table that is kept for the user at a restaurant."""

    restaurant: str
    date: IsoDate
    time: ClockTime
    people: int


def _item(draw: random.Random, _key: str, today: dt.date) -> PantryItem:
    best_before = today + dt.timedelta(days=draw.randint(5, 240))
    return PantryItem(grams=draw.randint(3, 48) * 50, best_before=best_before.isoformat())


TABLES: Final = {
    "pantry": Table(PantryItem, lambda: _ITEMS, _item),
    "table_bookings": Table(TableBooking),
}
