"""Games: the user's raffle and league, games with letters, boards, throws and teams."""

import math
from collections import Counter
from fractions import Fraction
from typing import Annotated, Final, Literal

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import Server, always, by_size, never, on, refuse
from knowact.worlds.everyday.fields import PersonName, Text
from knowact.worlds.everyday.private.leisure import Standing
from knowact.worlds.everyday.rounding import half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_PRIZES: Final = (
    *("a jar of honey", "a board game", "a houseplant", "two cinema tickets", "a fruit basket"),
    *("a box of candles", "a picnic blanket", "a cookery book", "a bottle of cider", "a jigsaw puzzle"),
    *("a teapot", "a bird feeder", "a garden lantern", "a bag of coffee"),
)
_FIRST_TICKET: Final = 100
LOTS: Final = 60


_GAME_NIGHT: Final = Server("Games", "game_night")
_WORD_GAMES: Final = Server("Games", "word_games")

Points = Annotated[int, Attribute("game.points"), Rules(minimum=0, maximum=100_000)]
LetterPoints = Annotated[int, Attribute("letter.points"), Rules(minimum=0, maximum=100)]
_SHORT_WORD: Final = 12


class RaffleLot(Shape):
    number: int = echo("Which lot.")
    ticket: int = fact("raffle.ticket", "Number of the ticket that wins.")
    prize: str = fact("raffle.prize", "What it wins.")


@_GAME_NIGHT.tool(
    rubric=always(Dimension.TEMPORALITY, why="Lots are drawn anew for every evening."),
    scenario="A host runs the raffle of a game night and draws lot after lot.",
    person_can="Somebody pulls a ticket out of a hat.",
)
def draw_raffle_lot(
    state: State,
    number: Annotated[int, Attribute("raffle.lot"), Rules(minimum=1, maximum=LOTS)],
) -> RaffleLot:
    """Draw one lot of tonight's raffle: the winning ticket and its prize.

    Args:
        number: Which of the sixty lots, 1 for the first.
    """
    today = state.today.isoformat()
    # Of one sample, so that no ticket is drawn twice.
    tickets = state.draw("raffle", today).sample(range(_FIRST_TICKET, 1_000), LOTS)
    prize = state.draw("prize", today, number).choice(_PRIZES)
    return RaffleLot(number=number, ticket=tickets[number - 1], prize=prize)


class LeagueStanding(Shape):
    player: str = echo("The player.")
    points: int = fact("league.points", "Points of all games together.")
    games: int = fact("league.games", "How many games were played.")
    best: int = fact("league.best", "Most points in one game.")


@_GAME_NIGHT.tool(
    rubric=always(Dimension.PRIVACY, why="Only the league of the user and their friends keeps it."),
    scenario="Friends play all year and somebody asks how one of them stands.",
    person_can="Whoever keeps the score sheet reads it out.",
)
def get_league_standing(state: State, player: PersonName) -> LeagueStanding:
    """Look up how a player stands in the user's games league.

    Args:
        player: The player's full name.
    """
    return LeagueStanding.of(state.record(Standing, player, "player named"), player=player)


class LoggedScore(Shape):
    player: str = echo("The player.")
    points_after: int = fact("league.points_after", "Points of all games together, this one included.")
    games_after: int = fact("league.games_after", "How many games were played, this one included.")


@_GAME_NIGHT.tool(
    changes=("league.score_logged",),
    rubric=always(Dimension.INTERACTION, why="The league counts one game more afterwards."),
    scenario="A game has ended and its points go into the league.",
    person_can="Whoever keeps the score sheet writes it down.",
)
def log_game_score(state: State, player: PersonName, points: Points) -> LoggedScore:
    """Write the points of a finished game down for a player of the user's games league.

    Args:
        player: The player's full name.
        points: Points of the game.
    """
    old = state.record(Standing, player, "player named")
    after = Standing(points=old.points + points, games=old.games + 1, best=max(old.best, points))
    state.put(player, after)
    return LoggedScore(player=player, points_after=after.points, games_after=after.games)


_VOWELS: Final = frozenset("aeiou")


def short_word(text: str, vowel_points: int, consonant_points: int) -> bool:
    """At most twelve characters, and at most nine points a letter."""
    points = max(vowel_points, consonant_points)
    return len(text) <= _SHORT_WORD and points < 10  # noqa: PLR2004 - one digit


class WordScore(Shape):
    points: int = fact("word.points", "The points of all its letters together.")
    letters: int = fact("word.letters", "How many letters it has.")


@_WORD_GAMES.tool(
    rubric=by_size(
        on(short_word),
        why="A word's vowels are counted at a glance; models slip on whole sentences, letter by letter.",
    ),
    scenario="Friends play with letters for points and argue what a word is worth.",
    person_can="Players count the letters of a word at the table.",
)
def get_word_score(
    _state: State, text: Text, vowel_points: LetterPoints, consonant_points: LetterPoints
) -> WordScore:
    """Work out what a word or sentence is worth: a, e, i, o, u are vowels, all other letters consonants.

    Args:
        text: The word or sentence in plain English letters; only letters count.
        vowel_points: Points for every vowel.
        consonant_points: Points for every consonant, y among them.
    """
    letters = [letter for letter in text.lower() if "a" <= letter <= "z"]
    vowels = sum(letter in _VOWELS for letter in letters)
    points = vowels * vowel_points + (len(letters) - vowels) * consonant_points
    return WordScore(points=points, letters=len(letters))


class LettersLeft(Shape):
    left: str = fact(
        "rack.left", "The letters that are left over, small and in alphabetical order, without spaces."
    )
    count: int = fact("rack.left_count", "How many letters are left over.")


@_WORD_GAMES.tool(
    rubric=by_size(
        on(limits.letters, "letters"),
        why="A dozen letters are crossed out one by one; models slip on eighty of them.",
    ),
    scenario="A player lays a word from a rack of letters and wonders which letters are left for the next.",
    person_can="A player crosses the letters out on paper.",
)
def get_letters_left(
    _state: State,
    letters: Annotated[str, Attribute("rack.letters"), Rules(max_length=400)],
    word: Annotated[str, Attribute("rack.word"), Rules(max_length=40)],
) -> LettersLeft:
    """Tell which letters of a rack are left over after a word has been laid.

    Args:
        letters: The letters on the rack, without spaces.
        word: The word, made of some of these letters.
    """
    rack, used = Counter(letters.lower()), Counter(word.lower())
    if missing := used - rack:
        listed = ", ".join(sorted(missing))
        refuse("conflict", f"The rack has too few of these letters: {listed}.", "Choose another word.")
    left = "".join(sorted((rack - used).elements()))
    return LettersLeft(left=left, count=len(left))


_BOARDS: Final = Server("Games", "boards")

Throw = Literal["rock", "paper", "scissors", "lizard", "Spock"]
_FEW_PLAYERS: Final = 12
_SMALL_TEAM: Final = 3
_TWO_DICE: Final = 2
_DIE_SIDES: Final = 12


class SquareColour(Shape):
    colour: Literal["light", "dark"] = fact("square.colour", "Light or dark.")


@_BOARDS.tool(
    rubric=never(why="The board is a pattern: a1 is dark, and its neighbours differ."),
    scenario="Somebody sets up a chess puzzle and checks on which colour a bishop stands.",
    person_can="One look at a chessboard is enough.",
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
    return SquareColour(colour="light" if odd else "dark")


_BEATS: Final[dict[str, tuple[str, str]]] = {
    "rock": ("scissors", "lizard"),
    "paper": ("rock", "Spock"),
    "scissors": ("paper", "lizard"),
    "lizard": ("paper", "Spock"),
    "Spock": ("rock", "scissors"),
}


class ThrowsVerdict(Shape):
    winner: str = fact("round.winner", 'The throw that wins, or "neither" when both are the same.')


@_BOARDS.tool(
    about=("first", "second"),
    rubric=never(why="Ten rules of a children's game that everybody has read."),
    scenario="Two people settle who does the dishes and disagree about who has won.",
    person_can="Whoever knows the game sees it at once.",
)
def judge_throws(_state: State, first: Throw, second: Throw) -> ThrowsVerdict:
    """Tell which throw wins a round of rock, paper, scissors, lizard, Spock.

    Args:
        first: What one player throws.
        second: What the other player throws.
    """
    if first == second:
        return ThrowsVerdict(winner="neither")
    return ThrowsVerdict(winner=first if second in _BEATS[first] else second)


_LINES: Final = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)
_SQUARES: Final = 9


class NoughtsVerdict(Shape):
    winner: Literal["crosses", "noughts", "nobody"] = fact(
        "noughts.winner", 'The side with a full line: crosses (X), noughts (O), or "nobody".'
    )
    free: int = fact("noughts.free", "How many squares are free.")


@_BOARDS.tool(
    rubric=never(why="Eight lines of three squares are seen at a glance."),
    scenario="Two children have filled a page with noughts and crosses and quarrel about one of the games.",
    person_can="Anybody sees three in a row.",
)
def judge_noughts(
    _state: State, board: Annotated[str, Attribute("noughts.board"), Rules(max_length=40)]
) -> NoughtsVerdict:
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
        return NoughtsVerdict(winner="nobody", free=free)
    return NoughtsVerdict(winner="crosses" if "X" in full else "noughts", free=free)


def few_teams(players: int, team_size: int) -> bool:
    """Teams of at most three, out of at most twelve players."""
    return team_size <= _SMALL_TEAM and players <= _FEW_PLAYERS


class TeamCount(Shape):
    teams: int = fact(
        "teams.count", "How many different teams can be picked; who is picked first makes no difference."
    )


@_BOARDS.tool(
    also_done_by=("multiply", "plan_round_robin"),
    rubric=by_size(
        on(few_teams),
        why="The pairs among eight players are counted on paper; teams of five out of 83 are not.",
    ),
    scenario="The host of a tournament wonders how many different pairs or teams the players can form.",
    person_can="For a table of friends it is a short sum.",
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
    return TeamCount(teams=math.comb(players, team_size))


def two_dice(dice: int, sides: int) -> bool:
    """At most two dice, of at most twelve sides each."""
    return dice <= _TWO_DICE and sides <= _DIE_SIDES


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


class DiceOdds(Shape):
    percent: float = fact("dice.odds", "Chance of that total in per cent, rounded to two decimals.")


@_BOARDS.tool(
    rubric=by_size(
        on(two_dice), why="The throws of two dice are listed by hand; those of seven dice are not."
    ),
    scenario="A player needs a certain total with the next throw and wonders how likely it is.",
    person_cannot="For more than two or three dice nobody counts the throws in passing.",
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
    return DiceOdds(percent=half_up(Fraction(100 * _ways(dice, sides, total), sides**dice), 2))
