"""What museums report of themselves today: pure functions of the seed, the museum and the day."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from knowact.core.seeds import generator

MUSEUMS: Final = (
    "Anchor Museum",
    "Bakker Collection",
    "Bellfounders' Museum",
    "Cartwright Gallery",
    "Clay and Kiln Museum",
    "Ferrymen's House",
    "Harbour Gallery",
    "Kestrel Gallery",
    "Lamplighter Museum",
    "Lindgren Museum",
    "Museum of Doors",
    "Museum of Maps",
    "Museum of Small Things",
    "Northlight Gallery",
    "Old Mint Museum",
    "Orangery Gallery",
    "Paper Museum",
    "Ropeworks Gallery",
    "Sugarhouse Museum",
    "Tallow House",
    "Voss Collection",
    "Weavers' Hall",
)
"""Invented, so nobody can have read about them; each takes "the" in a sentence."""
_TITLES: Final = (
    "A Century of Chairs",
    "Below the Waterline",
    "Birds in Ink",
    "Bread and Marble",
    "Colours of the Fjord",
    "Drawn from Memory",
    "Eleven Rooms",
    "Glass after Dark",
    "Gold Thread",
    "Letters to a Painter",
    "Lost Bridges",
    "Masks and Mirrors",
    "Northern Still Lifes",
    "Painted Doors",
    "Postcards from Nowhere",
    "Quiet Machines",
    "Salt, Sand, Silver",
    "The Borrowed Garden",
    "The Poster Years",
    "The Unfinished Portrait",
    "Thirty Windows",
    "Tin and Paper Toys",
    "Winter Light",
    "Woodcuts of the Coast",
)


@dataclass(frozen=True, slots=True)
class Exhibition:
    """What is on at a museum. Money in whole euros, the queue at the door in minutes."""

    title: str
    closes: dt.date
    price: int
    queue: int


def exhibition(seed: int, museum: str, today: dt.date) -> Exhibition:
    """Return a museum's current special exhibition, and how long the queue is at the moment."""
    draw = generator(seed, "exhibition", museum, today.isoformat())
    return Exhibition(
        title=draw.choice(_TITLES),
        closes=today + dt.timedelta(days=draw.randint(2, 45)),
        price=draw.randint(8, 24),
        queue=draw.randint(1, 15) * 5,
    )


def slot_code(seed: int, museum: str, day: str, time: str) -> str:
    """Return the code that the museum's booking desk gives for a slot."""
    draw = generator(seed, "museum slot", museum, day, time)
    letters = "".join(draw.choice("BCDFGHKLMNPRSTVX") for _ in range(3))
    return f"{letters}-{draw.randint(1000, 9999)}"


def slot_entrance(seed: int, museum: str, day: str, time: str) -> str:
    """Return which entrance a slot is for."""
    draw = generator(seed, "museum entrance", museum, day, time)
    return draw.choice(("north entrance", "south entrance", "garden entrance", "courtyard entrance"))
