"""The user's playlists."""

import datetime as dt
import random
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.private.table import Table
from knowact.worlds.everyday.sources_music import KNOWN_SONGS


class Playlist(Noun):
    """Songs in the order in which they are played, by the playlist's name."""

    titles: tuple[str, ...]


_PLAYLISTS: Final = (
    "Sunday Kitchen",
    "Night Drive",
    "Hill Runs",
    "Deep Focus",
    "Garden Party",
    "Slow Morning",
    "Road to Porto",
    "Rainy Commute",
    "Old Friends",
    "Last Dance",
    "Cabin Weekend",
    "Bread and Butter",
    "Early Swim",
    "Market Day",
    "Paint the Shed",
    "Porch Lights",
    "Snow Days",
    "Teenage Kicks Off",
    "Window Seat",
    "Winter Bus",
)
_SHORTEST: Final = 7


def _playlist(draw: random.Random, _key: str, _today: dt.date) -> Playlist:
    return Playlist(titles=tuple(draw.sample(KNOWN_SONGS, draw.randint(_SHORTEST, len(KNOWN_SONGS)))))


TABLES: Final = {"playlists": Table(Playlist, lambda: _PLAYLISTS, _playlist)}
