"""Games: boards, throws and teams; looking at one of them, or counting what can happen."""

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday.contract import by_argument, never, person_can, person_cannot, refuse, tool
from knowact.worlds.everyday.rounding import half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules

Throw = Literal["rock", "paper", "scissors", "lizard", "Spock"]
_FEW_PLAYERS: Final = 12
_SMALL_TEAM: Final = 3
_TWO_DICE: Final = 2
_DIE_SIDES: Final = 12


class SquareColour(TypedDict):
    """A square of the chessboard.

    Attributes:
        colour: Light or dark.
    """

    colour: Annotated[Literal["light", "dark"], Attribute("square.colour")]


@tool(
    category="Games",
    server="boards",
    about=("square",),
    rubric=never(why="The board is a pattern: a1 is dark, and its neighbours differ."),
    scenario="Somebody sets up a chess puzzle and checks on which colour a bishop stands.",
    human=person_can("One look at a chessboard is enough."),
)
def get_square_colour(
    _state: State, square: Annotated[str, Attribute("chess.square"), Rules(max_length=2)]
) -> SquareColour:
    """Tell whether a square of the chessboard is light or dark.

    Args:
        square: The square: its file, a to h, and its rank, 1 to 8, such as "e4".
    """
    if len(square) != 2 or square[0] not in "abcdefgh" or square[1] not in "12345678":  # noqa: PLR2004 - letter, digit
        refuse("bad_arguments", f"{square!r} is no square.", "Squares are named a1 to h8.")
    odd = ("abcdefgh".index(square[0]) + 1 + int(square[1])) % 2
    return {"colour": "light" if odd else "dark"}


class RoundWinner(TypedDict):
    """Who wins a round.

    Attributes:
        winner: The throw that wins, or "neither" when both are the same.
    """

    winner: Annotated[str, Attribute("round.winner")]


_BEATS: Final[dict[str, tuple[str, str]]] = {
    "rock": ("scissors", "lizard"),
    "paper": ("rock", "Spock"),
    "scissors": ("paper", "lizard"),
    "lizard": ("paper", "Spock"),
    "Spock": ("rock", "scissors"),
}


@tool(
    category="Games",
    server="boards",
    about=("first", "second"),
    rubric=never(why="Ten rules of a children's game that everybody has read."),
    scenario="Two people settle who does the dishes and disagree about who has won.",
    human=person_can("Whoever knows the game sees it at once."),
)
def judge_throws(_state: State, first: Throw, second: Throw) -> RoundWinner:
    """Tell which throw wins a round of rock, paper, scissors, lizard, Spock.

    Args:
        first: What one player throws.
        second: What the other player throws.
    """
    if first == second:
        return {"winner": "neither"}
    return {"winner": first if second in _BEATS[first] else second}


class BoardWinner(TypedDict):
    """Who has won.

    Attributes:
        winner: The side with a full line: crosses (X), noughts (O), or "nobody".
        free: How many squares are free.
    """

    winner: Annotated[Literal["crosses", "noughts", "nobody"], Attribute("noughts.winner")]
    free: Annotated[int, Attribute("noughts.free", is_a="quantity.value")]


_LINES: Final = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)
_SQUARES: Final = 9


@tool(
    category="Games",
    server="boards",
    about=("board",),
    rubric=never(why="Eight lines of three squares are seen at a glance."),
    scenario="Two children have filled a page with noughts and crosses and quarrel about one of the games.",
    human=person_can("Anybody sees three in a row."),
)
def judge_noughts(
    _state: State, board: Annotated[str, Attribute("noughts.board"), Rules(max_length=40)]
) -> BoardWinner:
    """Tell who has three in a row in a game of noughts and crosses, and how many squares are free.

    Args:
        board: The three rows from the top, separated by slashes or lines: X, O, and - for a free square.
    """
    squares = [sign for sign in board.upper() if sign not in "/ \n"]
    if len(squares) != _SQUARES or set(squares) - set("XO-"):
        refuse("bad_arguments", f"{board!r} is no board.", "Write it like XO-/OX-/--X.")
    full = {squares[a] for a, b, c in _LINES if squares[a] == squares[b] == squares[c] != "-"}
    if len(full) > 1 or abs(squares.count("X") - squares.count("O")) > 1:
        refuse("bad_arguments", "No game comes to such a board.", "Check the rows.")
    free = squares.count("-")
    if not full:
        return {"winner": "nobody", "free": free}
    return {"winner": "crosses" if "X" in full else "noughts", "free": free}


class TeamCount(TypedDict):
    """How many teams are possible.

    Attributes:
        teams: How many different teams can be picked; who is picked first makes no difference.
    """

    teams: Annotated[int, Attribute("teams.count", is_a="quantity.value")]


def few_teams(given: Mapping[str, Any]) -> bool:
    """Teams of at most three, out of at most twelve players."""
    return given["team_size"] <= _SMALL_TEAM and given["players"] <= _FEW_PLAYERS


@tool(
    category="Games",
    server="boards",
    about=("players", "team_size"),
    also_done_by=("multiply", "plan_round_robin"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="The pairs among eight players are counted on paper; teams of five out of 83 are not.",
        within=few_teams,
    ),
    scenario="The host of a tournament wonders how many different pairs or teams the players can form.",
    human=person_can("For a table of friends it is a short sum."),
)
def count_teams(
    _state: State,
    players: Annotated[int, Attribute("people.count"), Rules(minimum=1, maximum=200)],
    team_size: Annotated[int, Attribute("team.size"), Rules(minimum=1, maximum=6)],
) -> TeamCount:
    """Count the different teams of one size that can be picked from some players.

    Args:
        players: How many players there are.
        team_size: How many of them make a team.
    """
    if team_size > players:
        refuse("bad_arguments", "A team is larger than all players together.", "Choose a smaller team.")
    return {"teams": math.comb(players, team_size)}


class DiceOdds(TypedDict):
    """How likely a throw is.

    Attributes:
        percent: Chance of that total in per cent, rounded to two decimals.
    """

    percent: Annotated[float, Attribute("dice.odds", is_a="rate.percent")]


def two_dice(given: Mapping[str, Any]) -> bool:
    """At most two dice, of at most twelve sides each."""
    return given["dice"] <= _TWO_DICE and given["sides"] <= _DIE_SIDES


def _ways(dice: int, sides: int, total: int) -> int:
    """Count the throws of distinct dice that give a total, die by die."""
    ways = {0: 1}
    for _ in range(dice):
        after: Counter[int] = Counter()
        for reached, count in ways.items():
            for face in range(1, sides + 1):
                after[reached + face] += count
        ways = after
    return ways.get(total, 0)


@tool(
    category="Games",
    server="boards",
    about=("dice", "sides", "total"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="The throws of two dice are listed by hand; those of seven dice are not.",
        within=two_dice,
    ),
    scenario="A player needs a certain total with the next throw and wonders how likely it is.",
    human=person_cannot("For more than two or three dice nobody counts the throws in passing."),
)
def get_dice_odds(
    _state: State,
    dice: Annotated[int, Attribute("dice.number"), Rules(minimum=1, maximum=12)],
    sides: Annotated[int, Attribute("dice.sides"), Rules(minimum=2, maximum=20)],
    total: Annotated[int, Attribute("dice.total"), Rules(minimum=1, maximum=240)],
) -> DiceOdds:
    """Work out how likely it is to throw exactly a total with some fair dice.

    Args:
        dice: How many dice are thrown.
        sides: How many sides each of them has, numbered from 1.
        total: The total of all dice.
    """
    return {"percent": half_up(Fraction(100 * _ways(dice, sides, total), sides**dice), 2)}
