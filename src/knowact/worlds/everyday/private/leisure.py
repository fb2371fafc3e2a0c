"""What the user does for pleasure: museums, the table, games and music."""

import datetime as dt
import random
from collections.abc import Mapping
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.private.table import ClockTime, IsoDate, Table, vocabulary
from knowact.worlds.everyday.sources import KNOWN_SONGS


class MuseumSlot(Noun):
    """A reserved time for entering a museum, by "museum, day, time"."""

    museum: str
    date: IsoDate
    time: ClockTime
    visitors: int


_ITEMS: Final = (
    *("flour", "brown rice", "sugar", "red lentils", "rolled oats", "spaghetti", "couscous", "raisins"),
    *("polenta", "chickpeas", "almonds", "cocoa powder", "sea salt", "ground coffee"),
    *("black beans", "semolina"),
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


class Standing(Noun):
    """How a player of the league stands, by name: points of all games, and the highest of one game."""

    points: int
    games: int
    best: int


def _standing(draw: random.Random, _key: str, _today: dt.date) -> Standing:
    games, best = draw.randint(4, 29), draw.randint(41, 99)
    # No game brought more than the best one, and most brought a good deal less.
    return Standing(points=best + (games - 1) * draw.randint(9, best * 3 // 4), games=games, best=best)


class Playlist(Noun):
    """Songs in the order in which they are played, by the playlist's name."""

    titles: tuple[str, ...]


_PLAYLISTS: Final = (
    *("Sunday Kitchen", "Night Drive", "Hill Runs", "Deep Focus", "Garden Party", "Slow Morning"),
    *("Road to Porto", "Rainy Commute", "Old Friends", "Last Dance", "Cabin Weekend", "Bread and Butter"),
    *("Early Swim", "Market Day", "Paint the Shed", "Porch Lights", "Snow Days", "Teenage Kicks Off"),
    *("Window Seat", "Winter Bus"),
)
_SHORTEST: Final = 7


def _playlist(draw: random.Random, _key: str, _today: dt.date) -> Playlist:
    return Playlist(titles=tuple(draw.sample(KNOWN_SONGS, draw.randint(_SHORTEST, len(KNOWN_SONGS)))))


TABLES: Final[Mapping[str, Table]] = {
    "museum_slots": Table(MuseumSlot),
    "pantry": Table(PantryItem, lambda: _ITEMS, _item),
    "table_bookings": Table(TableBooking),
    # All of the user's friends play, so that the same person may turn up in other questions too.
    "game_league": Table(Standing, lambda: vocabulary().contacts, _standing),
    "playlists": Table(Playlist, lambda: _PLAYLISTS, _playlist),
}
