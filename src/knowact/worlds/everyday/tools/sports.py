"""Sports: an invented football league as it stands today, and what runners and organisers reckon."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import Annotated, Any, Final, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, sources_sports
from knowact.worlds.everyday.contract import always, by_argument, near, person_can, refuse, tool
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

ClubName = Annotated[str, Attribute("club.name"), Rules(max_length=120)]
_LEAGUE: Final = always(Dimension.TEMPORALITY, why="Every weekend of the season changes it.")
_EASY_KILOMETRES: Final = 20
_EASY_MINUTES: Final = 200
_EASY_TEAMS: Final = 12
_EASY_PITCHES: Final = 3
_EASY_SLOT: Final = 60
_EASY_TRIES: Final = 99


def _known(club: str) -> str:
    if club not in sources_sports.CLUBS:
        refuse(
            "not_found",
            f"There is no club named {club!r} in the Compass League.",
            near(club, sources_sports.CLUBS),
        )
    return club


class Fixture(TypedDict):
    """A match to come.

    Attributes:
        club: The club.
        opponent: The club that it meets.
        date: The day, YYYY-MM-DD.
        kick_off: When it starts, HH:MM.
        city: The city in which it is played.
        at_home: Whether the club plays at home.
    """

    club: Annotated[str, ECHO]
    opponent: Annotated[str, Attribute("fixture.opponent", is_a="club.name")]
    date: Annotated[str, Attribute("fixture.date", is_a="day.date")]
    kick_off: Annotated[str, Attribute("fixture.kick_off", is_a="moment.time")]
    city: Annotated[str, Attribute("fixture.city", is_a="city.name")]
    at_home: Annotated[bool, Attribute("fixture.at_home")]


@tool(
    category="Sports",
    server="league",
    about=("club",),
    rubric=_LEAGUE,
    scenario="Supporters want to know whom their club meets next, when, and how far they have to travel.",
    human=person_can("Any supporter of the club knows the next match."),
)
def get_next_fixture(state: State, club: ClubName) -> Fixture:
    """Tell the next match of a football club in the Compass League, today's included.

    Args:
        club: Full name of the club, such as "Oslo Otters".
    """
    match = sources_sports.next_match(state.seed, _known(club), state.today)
    at_home = match.home == club
    return {
        "club": club,
        "opponent": match.away if at_home else match.home,
        "date": match.day.isoformat(),
        "kick_off": match.kick_off,
        "city": sources_sports.CLUBS[match.home],
        "at_home": at_home,
    }


class LastResult(TypedDict):
    """A match that has been played.

    Attributes:
        club: The club.
        opponent: The club that it met.
        date: The day, YYYY-MM-DD.
        goals_for: Goals that the club scored.
        goals_against: Goals that its opponent scored.
        won: Whether the club won; neither a draw nor a defeat is a win.
        attendance: How many people watched it in the stadium.
    """

    club: Annotated[str, ECHO]
    opponent: Annotated[str, Attribute("result.opponent", is_a="club.name")]
    date: Annotated[str, Attribute("result.date", is_a="day.date")]
    goals_for: Annotated[int, Attribute("result.goals_for")]
    goals_against: Annotated[int, Attribute("result.goals_against")]
    won: Annotated[bool, Attribute("result.won")]
    attendance: Annotated[int, Attribute("result.attendance", is_a="quantity.value")]


@tool(
    category="Sports",
    server="league",
    about=("club",),
    rubric=_LEAGUE,
    scenario="Somebody has missed the match at the weekend and asks how it went.",
    human=person_can("Anybody who follows the club knows how it played."),
)
def get_last_result(state: State, club: ClubName) -> LastResult:
    """Tell how the last match of a football club in the Compass League ended, before today.

    Args:
        club: Full name of the club, such as "Oslo Otters".
    """
    match = sources_sports.last_match(state.seed, _known(club), state.today)
    at_home = match.home == club
    own, other = match.score if at_home else match.score[::-1]
    return {
        "club": club,
        "opponent": match.away if at_home else match.home,
        "date": match.day.isoformat(),
        "goals_for": own,
        "goals_against": other,
        "won": own > other,
        "attendance": match.attendance,
    }


class LeaguePosition(TypedDict):
    """A club in the table.

    Attributes:
        club: The club.
        position: Its place, 1 for the best of sixteen.
        points: Its points, three for a win and one for a draw.
        goal_difference: Goals scored less goals conceded.
    """

    club: Annotated[str, ECHO]
    position: Annotated[int, Attribute("standing.position")]
    points: Annotated[int, Attribute("standing.points")]
    goal_difference: Annotated[int, Attribute("standing.goal_difference")]


@tool(
    category="Sports",
    server="league",
    about=("club",),
    rubric=_LEAGUE,
    scenario="Colleagues argue over lunch how well their clubs are doing this season.",
    human=person_can("Anybody who follows the league has the table in mind."),
)
def get_league_position(state: State, club: ClubName) -> LeaguePosition:
    """Tell where a football club stands in the table of the Compass League this morning.

    Args:
        club: Full name of the club, such as "Oslo Otters".
    """
    standing = sources_sports.table(state.seed, state.today)[_known(club)]
    return {
        "club": club,
        "position": standing.position,
        "points": standing.points,
        "goal_difference": standing.goal_difference,
    }


def _easy_run(given: Mapping[str, Any]) -> bool:
    """A whole number of kilometres up to 20, in whole minutes up to 200: one short division."""
    return _whole(given["distance_km"], _EASY_KILOMETRES) and _whole(given["minutes"], _EASY_MINUTES)


class Pace(TypedDict):
    """How fast somebody was.

    Attributes:
        seconds_per_km: Seconds for each kilometre on average, rounded to whole seconds.
        speed_kmh: Average speed in kilometres per hour, rounded to one decimal.
    """

    seconds_per_km: Annotated[int, Attribute("run.seconds_per_km")]
    speed_kmh: Annotated[float, Attribute("run.speed")]


@tool(
    category="Sports",
    server="training",
    about=("distance_km", "minutes"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Ten kilometres in 52 minutes are divided by hand; 27.83 km in 163.45 minutes are not.",
        within=_easy_run,
    ),
    scenario="A runner or cyclist has a distance and a time and wants to know how fast that was.",
    human=person_can("A friend with pencil and paper divides one by the other."),
)
def get_running_pace(
    _state: State,
    distance_km: Annotated[float, Attribute("distance.kilometres"), Rules(minimum=0.1, maximum=10_000)],
    minutes: Annotated[float, Attribute("run.minutes"), Rules(minimum=0.1, maximum=100_000)],
) -> Pace:
    """Work out the average pace and speed of somebody who took some minutes for a distance.

    Args:
        distance_km: Distance in kilometres.
        minutes: Time in minutes; 52.5 for 52 minutes and 30 seconds.
    """
    distance, time = _exact(distance_km), _exact(minutes)
    speed = _rounded(distance * 60 / time * 10) / 10
    return {"seconds_per_km": _rounded(time * 60 / distance), "speed_kmh": speed}


def _easy_tournament(given: Mapping[str, Any]) -> bool:
    """Up to 12 teams on up to 3 pitches, and matches of at most an hour: 66 matches at the most."""
    return (
        given["teams"] <= _EASY_TEAMS and given["pitches"] <= _EASY_PITCHES and given["minutes"] <= _EASY_SLOT
    )


class Tournament(TypedDict):
    """What a tournament takes.

    Attributes:
        matches: How many matches there are.
        total_minutes: Minutes from the first whistle to the last.
    """

    matches: Annotated[int, Attribute("tournament.matches")]
    total_minutes: Annotated[int, Attribute("tournament.minutes")]


@tool(
    category="Sports",
    server="training",
    about=("teams", "pitches", "minutes"),
    also_done_by=("multiply",),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Six teams on two pitches are counted on paper; 113 on nine are three longer sums in a row.",
        within=_easy_tournament,
    ),
    scenario="Somebody organises a tournament in which everybody plays everybody and needs a timetable.",
    human=person_can("Anybody who has run a tournament counts the matches on paper."),
)
def plan_round_robin(
    _state: State,
    teams: Annotated[int, Attribute("teams.count"), Rules(minimum=2, maximum=2_000)],
    pitches: Annotated[int, Attribute("pitches.count"), Rules(minimum=1, maximum=1_000)],
    minutes: Annotated[int, Attribute("match.minutes"), Rules(minimum=1, maximum=1_440)],
) -> Tournament:
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
    return {"matches": matches, "total_minutes": -(-matches // pitches) * minutes}


def _easy_rate(given: Mapping[str, Any]) -> bool:
    """At most 99 tries: a division of two-digit numbers."""
    return given["tried"] <= _EASY_TRIES


class SuccessRate(TypedDict):
    """How often something was done well.

    Attributes:
        percent: Successes in per cent of the tries, rounded to one decimal.
        missed: Tries that failed.
    """

    percent: Annotated[float, Attribute("tries.percent")]
    missed: Annotated[int, Attribute("tries.missed")]


@tool(
    category="Sports",
    server="training",
    about=("made", "tried"),
    also_done_by=("get_percentage_change",),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="18 of 24 are three quarters; 2,867 of 4,391 are a long division.",
        within=_easy_rate,
    ),
    scenario="A player has counted throws, serves or wins and wants to know how good that is in per cent.",
    human=person_can("A team-mate with pencil and paper divides one by the other."),
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
    return {"percent": _rounded(Fraction(made * 1_000, tried)) / 10, "missed": tried - made}


def _whole(number: float, most: int) -> bool:
    """Whether a number is whole and not too large."""
    return number <= most and limits.decimals(number) == 0


def _exact(number: float) -> Fraction:
    """Return the number as it is written, so that halves round the way that people expect."""
    return Fraction(repr(number))


def _rounded(number: Fraction) -> int:
    """Return the nearest whole number; halves go up."""
    return floor(number + Fraction(1, 2))
