"""The Compass League: sixteen invented football clubs, the same for every seed, and a drawn season.

A season starts on the first Friday of September and has thirty rounds, one a week; every club meets
every other at home and away. A match is on the Friday of its week, or one or two days later.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from knowact.core.seeds import generator

CLUBS: Final = {
    "Bergen Gulls": "Bergen",
    "Ghent Weavers": "Ghent",
    "Porto Lanterns": "Porto",
    "Lyon Larks": "Lyon",
    "Prague Millers": "Prague",
    "Oslo Otters": "Oslo",
    "Dublin Kestrels": "Dublin",
    "Vienna Foxes": "Vienna",
    "Zurich Rooks": "Zurich",
    "Nice Herons": "Nice",
    "Munich Badgers": "Munich",
    "Antwerp Anchors": "Antwerp",
    "Helsinki Hares": "Helsinki",
    "Hamburg Pilots": "Hamburg",
    "Athens Owls": "Athens",
    "Rome Swifts": "Rome",
}
"""Clubs, and the cities in which they are at home."""
_WIN: Final = 3
_FRIDAY: Final = 4
_SEPTEMBER: Final = 9
_GOALS: Final = (0, 0, 1, 1, 1, 2, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Match:
    """A match of the league. The score is that of the home club, then that of its guests."""

    home: str
    away: str
    day: dt.date
    kick_off: str
    score: tuple[int, int]
    attendance: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a club is in the table."""

    position: int
    points: int
    goal_difference: int


def next_match(seed: int, club: str, today: dt.date) -> Match:
    """Return a club's first match that is not before today; after a season, that is in the next."""
    start = _season(today)
    for season in (start, _season_of(start.year + 1)):
        for match in _matches(seed, season):
            if match.day >= today and club in {match.home, match.away}:
                return match
    raise AssertionError("every season has matches of every club")


def last_match(seed: int, club: str, today: dt.date) -> Match:
    """Return a club's last match before today; before a season, that is in the one before."""
    start = _season(today)
    for season in (start, _season_of(start.year - 1)):
        for match in reversed(_matches(seed, season)):
            if match.day < today and club in {match.home, match.away}:
                return match
    raise AssertionError("every season has matches of every club")


@lru_cache(maxsize=256)
def table(seed: int, today: dt.date) -> Mapping[str, Standing]:
    """Return the table after the matches before today, best club first.

    More points are better, then a better goal difference, more goals, and the order of the alphabet.
    """
    start = _season(today)
    played = [match for match in _matches(seed, start) if match.day < today]
    points = dict.fromkeys(CLUBS, 0)
    scored, conceded = dict.fromkeys(CLUBS, 0), dict.fromkeys(CLUBS, 0)
    for match in played:
        home, away = match.score
        for club, own, other in ((match.home, home, away), (match.away, away, home)):
            points[club] += _WIN if own > other else int(own == other)
            scored[club] += own
            conceded[club] += other
    order = sorted(
        CLUBS, key=lambda club: (-points[club], conceded[club] - scored[club], -scored[club], club)
    )
    return MappingProxyType(
        {
            club: Standing(position, points[club], scored[club] - conceded[club])
            for position, club in enumerate(order, start=1)
        }
    )


def _season_of(year: int) -> dt.date:
    """Return the first Friday of a year's September."""
    first = dt.date(year, _SEPTEMBER, 1)
    return first + dt.timedelta(days=(_FRIDAY - first.weekday()) % 7)


def _season(today: dt.date) -> dt.date:
    """Return the start of the season that a day belongs to, which has at least begun."""
    start = _season_of(today.year)
    # On the first weekend some clubs have not played yet, so the old table still stands.
    return start if today >= start + dt.timedelta(days=3) else _season_of(today.year - 1)


@lru_cache(maxsize=64)
def _matches(seed: int, start: dt.date) -> Sequence[Match]:
    """Return all matches of a season in order of their days."""
    draw = generator(seed, "league", start.isoformat())
    clubs = list(CLUBS)
    draw.shuffle(clubs)
    rounds = _pairings(clubs)
    both = [*rounds, *([(away, home) for home, away in pairs] for pairs in rounds)]
    found: list[Match] = []
    for week, pairs in enumerate(both):
        for home, away in pairs:
            found.append(
                Match(
                    home,
                    away,
                    day=start + dt.timedelta(days=7 * week + draw.randrange(3)),
                    kick_off=f"{draw.randint(13, 20)}:{draw.choice(('00', '15', '30', '45'))}",
                    score=(draw.choice(_GOALS), draw.choice(_GOALS)),
                    attendance=draw.randint(41, 389) * 100,
                )
            )
    return tuple(sorted(found, key=lambda match: (match.day, match.kick_off, match.home)))


def _pairings(clubs: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Return the rounds in which everybody meets everybody once: one club stays, the others go round."""
    first, *ring = clubs
    rounds: list[list[tuple[str, str]]] = []
    for turn in range(len(ring)):
        circle = [first, *ring[turn:], *ring[:turn]]
        pairs = [(circle[i], circle[-1 - i]) for i in range(len(circle) // 2)]
        rounds.append(
            [(away, home) if (turn + i) % 2 else (home, away) for i, (home, away) in enumerate(pairs)]
        )
    return rounds
