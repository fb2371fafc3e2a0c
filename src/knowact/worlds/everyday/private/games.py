"""The standings of the user's own games league."""

import datetime as dt
import random
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.private.personal import vocabulary
from knowact.worlds.everyday.private.table import Table


class Standing(Noun):
    """How a player of the league stands, by name: points of all games, and the highest of one game."""

    points: int
    games: int
    best: int


def _standing(draw: random.Random, _key: str, _today: dt.date) -> Standing:
    games, best = draw.randint(4, 29), draw.randint(41, 99)
    # No game brought more than the best one, and most brought a good deal less.
    return Standing(points=best + (games - 1) * draw.randint(9, best * 3 // 4), games=games, best=best)


TABLES: Final = {
    # All of the user's friends play, so that the same person may turn up in other questions too.
    "game_league": Table(Standing, lambda: tuple(vocabulary()["contacts"]), _standing),
}
