"""Sports: an invented football league as it stands today, and what runners and organisers reckon."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Final

from knowact.core.seeds import generator
from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import Server, always, by_size, listed, on, refuse
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

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


class LeaguePosition(Shape):
    club: str = echo("The club.")
    position: int = fact("standing.position", "Its place, 1 for the best of sixteen.")
    points: int = fact("standing.points", "Its points, three for a win and one for a draw.")
    goal_difference: int = fact("standing.goal_difference", "Goals scored less goals conceded.")


@lru_cache(maxsize=256)
def table(seed: int, today: dt.date) -> Mapping[str, LeaguePosition]:
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
            club: LeaguePosition(
                club=club,
                position=position,
                points=points[club],
                goal_difference=scored[club] - conceded[club],
            )
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
    matches: list[Match] = []
    for week, pairs in enumerate(both):
        for home, away in pairs:
            matches.append(
                Match(
                    home,
                    away,
                    day=start + dt.timedelta(days=7 * week + draw.randrange(3)),
                    kick_off=f"{draw.randint(13, 20)}:{draw.choice(('00', '15', '30', '45'))}",
                    score=(draw.choice(_GOALS), draw.choice(_GOALS)),
                    attendance=draw.randint(41, 389) * 100,
                )
            )
    return tuple(sorted(matches, key=lambda match: (match.day, match.kick_off, match.home)))


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


_LEAGUE_SERVER: Final = Server("Sports", "league")
_TRAINING: Final = Server("Sports", "training")

ClubName = Annotated[str, Attribute("club.name"), Rules(max_length=120)]
_LEAGUE: Final = always(Dimension.TEMPORALITY, why="Every weekend of the season changes it.")
_EASY_KILOMETRES: Final = 20
_EASY_MINUTES: Final = 200
_EASY_TEAMS: Final = 12
_EASY_PITCHES: Final = 3
_EASY_SLOT: Final = 60


def _unknown(club: str) -> str:
    return f"There is no club named {club!r} in the Compass League."


class NextFixture(Shape):
    club: str = echo("The club.")
    opponent: str = fact("fixture.opponent", "The club that it meets.")
    date: str = fact("fixture.date", "The day, YYYY-MM-DD.")
    kick_off: str = fact("fixture.kick_off", "When it starts, HH:MM.")
    city: str = fact("fixture.city", "The city in which it is played.")
    at_home: bool = fact("fixture.at_home", "Whether the club plays at home.")


@_LEAGUE_SERVER.tool(
    rubric=_LEAGUE,
    scenario="Supporters want to know whom their club meets next, when, and how far they have to travel.",
    person_can="Any supporter of the club knows the next match.",
)
def get_next_fixture(state: State, club: ClubName) -> NextFixture:
    """Tell the next match of a football club in the Compass League, today's included.

    Args:
        club: Full name of the club, such as "Oslo Otters".
    """
    listed(CLUBS, club, _unknown(club))
    match = next_match(state.seed, club, state.today)
    at_home = match.home == club
    return NextFixture(
        club=club,
        opponent=match.away if at_home else match.home,
        date=match.day.isoformat(),
        kick_off=match.kick_off,
        city=CLUBS[match.home],
        at_home=at_home,
    )


class LastResult(Shape):
    club: str = echo("The club.")
    opponent: str = fact("result.opponent", "The club that it met.")
    date: str = fact("result.date", "The day, YYYY-MM-DD.")
    goals_for: int = fact("result.goals_for", "Goals that the club scored.")
    goals_against: int = fact("result.goals_against", "Goals that its opponent scored.")
    won: bool = fact("result.won", "Whether the club won; neither a draw nor a defeat is a win.")
    attendance: int = fact("result.attendance", "How many people watched it in the stadium.")


@_LEAGUE_SERVER.tool(
    rubric=_LEAGUE,
    scenario="Somebody has missed the match at the weekend and asks how it went.",
    person_can="Anybody who follows the club knows how it played.",
)
def get_last_result(state: State, club: ClubName) -> LastResult:
    """Tell how the last match of a football club in the Compass League ended, before today.

    Args:
        club: Full name of the club, such as "Oslo Otters".
    """
    listed(CLUBS, club, _unknown(club))
    match = last_match(state.seed, club, state.today)
    at_home = match.home == club
    own, other = match.score if at_home else match.score[::-1]
    return LastResult(
        club=club,
        opponent=match.away if at_home else match.home,
        date=match.day.isoformat(),
        goals_for=own,
        goals_against=other,
        won=own > other,
        attendance=match.attendance,
    )


@_LEAGUE_SERVER.tool(
    rubric=_LEAGUE,
    scenario="Colleagues argue over lunch how well their clubs are doing this season.",
    person_can="Anybody who follows the league has the table in mind.",
)
def get_league_position(state: State, club: ClubName) -> LeaguePosition:
    """Tell where a football club stands in the table of the Compass League this morning.

    Args:
        club: Full name of the club, such as "Oslo Otters".
    """
    return listed(table(state.seed, state.today), club, _unknown(club))


def _easy_run(distance_km: float, minutes: float) -> bool:
    """A whole number of kilometres up to 20, in whole minutes up to 200: one short division."""
    return _whole(distance_km, _EASY_KILOMETRES) and _whole(minutes, _EASY_MINUTES)


class RunningPace(Shape):
    seconds_per_km: int = fact(
        "run.seconds_per_km", "Seconds for each kilometre on average, rounded to whole seconds."
    )
    speed_kmh: float = fact("run.speed", "Average speed in kilometres per hour, rounded to one decimal.")


@_TRAINING.tool(
    rubric=by_size(
        on(_easy_run),
        why="Ten kilometres in 52 minutes are divided by hand; 27.83 km in 163.45 minutes are not.",
    ),
    scenario="A runner or cyclist has a distance and a time and wants to know how fast that was.",
    person_can="A friend with pencil and paper divides one by the other.",
)
def get_running_pace(
    _state: State,
    distance_km: Annotated[float, Attribute("distance.kilometres"), Rules(minimum=0.1, maximum=10_000)],
    minutes: Annotated[float, Attribute("run.minutes"), Rules(minimum=0.1, maximum=100_000)],
) -> RunningPace:
    """Work out the average pace and speed of somebody who took some minutes for a distance.

    Args:
        distance_km: Distance in kilometres.
        minutes: Time in minutes; 52.5 for 52 minutes and 30 seconds.
    """
    distance, time = exact(distance_km), exact(minutes)
    pace = int(half_up(time * 60 / distance, 0))
    return RunningPace(seconds_per_km=pace, speed_kmh=half_up(distance * 60 / time, 1))


def _easy_tournament(teams: int, pitches: int, minutes: int) -> bool:
    """Up to 12 teams on up to 3 pitches, and matches of at most an hour: 66 matches at the most."""
    return teams <= _EASY_TEAMS and pitches <= _EASY_PITCHES and minutes <= _EASY_SLOT


class RoundRobin(Shape):
    matches: int = fact("tournament.matches", "How many matches there are.")
    total_minutes: int = fact("tournament.minutes", "Minutes from the first whistle to the last.")


@_TRAINING.tool(
    also_done_by=("multiply",),
    rubric=by_size(
        on(_easy_tournament),
        why="Six teams on two pitches are counted on paper; 113 on nine are three longer sums in a row.",
    ),
    scenario="Somebody organises a tournament in which everybody plays everybody and needs a timetable.",
    person_can="Anybody who has run a tournament counts the matches on paper.",
)
def plan_round_robin(
    _state: State,
    teams: Annotated[int, Attribute("teams.count"), Rules(minimum=2, maximum=2_000)],
    pitches: Annotated[int, Attribute("pitches.count"), Rules(minimum=1, maximum=1_000)],
    minutes: Annotated[int, Attribute("match.minutes"), Rules(minimum=1, maximum=1_440)],
) -> RoundRobin:
    """Count the matches when every team plays every other once, and how long they take without breaks.

    As many matches as there are pitches go on at once, the next ones following straight away.

    Args:
        teams: How many teams, or players, there are.
        pitches: How many pitches, courts or boards there are; at most one for every two teams.
        minutes: Minutes that each match lasts.
    """
    if pitches > teams // 2:
        fix = f"At most {teams // 2} matches of {teams} teams can go on at once."
        refuse("bad_arguments", f"{teams} teams cannot fill {pitches} pitches.", fix)
    matches = teams * (teams - 1) // 2
    return RoundRobin(matches=matches, total_minutes=-(-matches // pitches) * minutes)


class SuccessRate(Shape):
    percent: float = fact("tries.percent", "Successes in per cent of the tries, rounded to one decimal.")
    missed: int = fact("tries.missed", "Tries that failed.")


@_TRAINING.tool(
    also_done_by=("get_percentage_change",),
    rubric=by_size(
        on(limits.at_most(99), "tried"),
        why="18 of 24 are three quarters; 2,867 of 4,391 are a long division.",
    ),
    scenario="A player has counted throws, serves or wins and wants to know how good that is in per cent.",
    person_can="A team-mate with pencil and paper divides one by the other.",
)
def get_success_rate(
    _state: State,
    made: Annotated[int, Attribute("tries.made"), Rules(minimum=0, maximum=1_000_000_000)],
    tried: Annotated[int, Attribute("tries.count"), Rules(minimum=1, maximum=1_000_000_000)],
) -> SuccessRate:
    """Work out the percentage of tries that were successful, and how many were not.

    Args:
        made: How many tries were successful.
        tried: How many tries there were.
    """
    if made > tried:
        fix = "Give the successful ones as 'made' and all tries as 'tried'."
        refuse("bad_arguments", f"{made} of {tried} tries cannot have been successful.", fix)
    return SuccessRate(percent=half_up(Fraction(made * 100, tried), 1), missed=tried - made)


def _whole(number: float, most: int) -> bool:
    """Whether a number is whole and not too large."""
    return number <= most and limits.decimals(number) == 0
