"""A catalogue of invented songs, and the concerts that invented artists give: the latter drawn by seed."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from knowact.core.seeds import generator
from knowact.worlds.everyday.places import CITIES

SONGS: Final = {
    "Amber Lane": 201,
    "Back to the Ferry": 254,
    "Candle in the Hall": 187,
    "Carousel Blue": 233,
    "Every Other Tuesday": 176,
    "Fold the Map": 219,
    "Gravel and Gold": 305,
    "Half a Mile of Moon": 262,
    "Hold That Kite": 194,
    "Iron Swallow": 281,
    "Kettle Song": 148,
    "Lemon Tree Radio": 207,
    "Letters in the Rain": 243,
    "Midnight Allotment": 226,
    "Nine Bridges": 318,
    "Oh Marguerite": 199,
    "Paper Lantern Waltz": 164,
    "Quarter to Summer": 212,
    "Saltwater Shoes": 238,
    "Second Star Down": 271,
    "Tell It to the Tide": 223,
    "The Long Way Round": 296,
    "Umbrella Weather": 182,
    "Violet Hour": 249,
    "A Room of Clocks": 214,
    "Barefoot Parade": 191,
    "Copper Moon": 236,
    "Don't Wake the Harbour": 258,
    "Eleven Red Balloons": 203,
    "Fireflies Again": 229,
    "Glass Mountain": 274,
    "Hurry Home": 168,
    "Juniper": 221,
    "Little Thunder": 196,
    "Meet Me at the Weir": 245,
    "North of Nowhere": 287,
    "One More Encore": 232,
    "Pocket Full of Snow": 178,
    "Rosemary and Rust": 251,
    "Seven Ferries": 217,
    "Tangerine Skies": 209,
    "Under the Clocktower": 263,
}
"""Playing time of each song in seconds."""
_KNOWN: Final = 24
KNOWN_SONGS: Final = tuple(SONGS)[:_KNOWN]
"""Playlists start with these only, so that every other song can be added under every seed."""
ARTISTS: Final = (
    "Ada Fennimore",
    "Blue Tram",
    "Brass Orchard",
    "Corinne Dassault",
    "Costa Verde Quartet",
    "Fern Hollow",
    "Hollow Pines Choir",
    "Ines Morgado",
    "Joris and the Locks",
    "Lisbon Static",
    "Marble Foxes",
    "Mira Tolvanen",
    "Nils Aakre",
    "Odd Lanterns",
    "Paper Admirals",
    "Rook and Willow",
    "Salt Cathedral",
    "The Late Ferries",
    "The Tin Parade",
    "The Velvet Oars",
    "Vesper Lindholm",
    "Yara Solberg",
)
_DOORS: Final = ("18:30", "19:00", "19:30", "20:00", "20:15", "20:30", "21:00")


@dataclass(frozen=True, slots=True)
class Concert:
    """An artist's next concert. Money in whole euros."""

    city: str
    date: dt.date
    starts: str
    price: int
    tickets_left: int


def concert(seed: int, artist: str, today: dt.date) -> Concert:
    """Return the next concert of one of `ARTISTS`; within the fortnight that forecasts reach."""
    draw = generator(seed, "concert", artist, today.isoformat())
    return Concert(
        city=draw.choice(tuple(CITIES)),
        date=today + dt.timedelta(days=draw.randint(1, 13)),
        starts=draw.choice(_DOORS),
        price=draw.randint(18, 95),
        tickets_left=draw.randint(3, 420),
    )
