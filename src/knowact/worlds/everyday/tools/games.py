"""Games: the user's raffle and league, and games with letters."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Final, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, sources_games
from knowact.worlds.everyday.contract import always, by_argument, person_can, refuse, tool
from knowact.worlds.everyday.fields import PersonName, Text
from knowact.worlds.everyday.private.games import Standing
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

Points = Annotated[int, Attribute("game.points"), Rules(minimum=0, maximum=100_000)]
LetterPoints = Annotated[int, Attribute("letter.points"), Rules(minimum=0, maximum=100)]
_SHORT_WORD: Final = 12


class RaffleLot(TypedDict):
    """A lot of the raffle.

    Attributes:
        number: Which lot.
        ticket: Number of the ticket that wins.
        prize: What it wins.
    """

    number: Annotated[int, ECHO]
    ticket: Annotated[int, Attribute("raffle.ticket")]
    prize: Annotated[str, Attribute("raffle.prize", is_a="text.value")]


@tool(
    category="Games",
    server="game_night",
    about=("number",),
    rubric=always(Dimension.TEMPORALITY, why="Lots are drawn anew for every evening."),
    scenario="A host runs the raffle of a game night and draws lot after lot.",
    human=person_can("Somebody pulls a ticket out of a hat."),
)
def draw_raffle_lot(
    state: State,
    number: Annotated[int, Attribute("raffle.lot"), Rules(minimum=1, maximum=sources_games.LOTS)],
) -> RaffleLot:
    """Draw one lot of tonight's raffle: the winning ticket and its prize.

    Args:
        number: Which of the sixty lots, 1 for the first.
    """
    ticket, prize = sources_games.raffle_lot(state.seed, number, state.today)
    return {"number": number, "ticket": ticket, "prize": prize}


class LeagueStanding(TypedDict):
    """How a player stands.

    Attributes:
        player: The player.
        points: Points of all games together.
        games: How many games were played.
        best: Most points in one game.
    """

    player: Annotated[str, ECHO]
    points: Annotated[int, Attribute("league.points", is_a="quantity.value")]
    games: Annotated[int, Attribute("league.games", is_a="quantity.value")]
    best: Annotated[int, Attribute("league.best", is_a="quantity.value")]


@tool(
    category="Games",
    server="game_night",
    about=("player",),
    rubric=always(Dimension.PRIVACY, why="Only the league of the user and their friends keeps it."),
    scenario="Friends play all year and somebody asks how one of them stands.",
    human=person_can("Whoever keeps the score sheet reads it out."),
)
def get_league_standing(state: State, player: PersonName) -> LeagueStanding:
    """Look up how a player stands in the user's games league.

    Args:
        player: The player's full name.
    """
    found = state.record(Standing, player, "player named")
    return {"player": player, "points": found.points, "games": found.games, "best": found.best}


class LoggedScore(TypedDict):
    """A score that has been written down.

    Attributes:
        player: The player.
        points_after: Points of all games together, this one included.
        games_after: How many games were played, this one included.
    """

    player: Annotated[str, ECHO]
    points_after: Annotated[int, Attribute("league.points_after")]
    games_after: Annotated[int, Attribute("league.games_after")]


@tool(
    category="Games",
    server="game_night",
    about=("player", "points"),
    changes=("league.score_logged",),
    rubric=always(Dimension.INTERACTION, why="The league counts one game more afterwards."),
    scenario="A game has ended and its points go into the league.",
    human=person_can("Whoever keeps the score sheet writes it down."),
)
def log_game_score(state: State, player: PersonName, points: Points) -> LoggedScore:
    """Write the points of a finished game down for a player of the user's games league.

    Args:
        player: The player's full name.
        points: Points of the game.
    """
    found = state.record(Standing, player, "player named")
    after = Standing(points=found.points + points, games=found.games + 1, best=max(found.best, points))
    state.put(player, after)
    return {"player": player, "points_after": after.points, "games_after": after.games}


class WordScore(TypedDict):
    """What a word is worth.

    Attributes:
        points: The points of all its letters together.
        letters: How many letters it has.
    """

    points: Annotated[int, Attribute("word.points", is_a="game.points")]
    letters: Annotated[int, Attribute("word.letters", is_a="quantity.value")]


_VOWELS: Final = frozenset("aeiou")


def short_word(given: Mapping[str, Any]) -> bool:
    """At most twelve characters, and at most nine points a letter."""
    points = max(given["vowel_points"], given["consonant_points"])
    return len(given["text"]) <= _SHORT_WORD and points < 10  # noqa: PLR2004 - one digit


@tool(
    category="Games",
    server="word_games",
    about=("text", "vowel_points", "consonant_points"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="A word's vowels are counted at a glance; models slip on whole sentences, letter by letter.",
        within=short_word,
    ),
    scenario="Friends play with letters for points and argue what a word is worth.",
    human=person_can("Players count the letters of a word at the table."),
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
    return {"points": points, "letters": len(letters)}


class LettersLeft(TypedDict):
    """What stays on the rack.

    Attributes:
        left: The letters that are left over, small and in alphabetical order, without spaces.
        count: How many letters are left over.
    """

    left: Annotated[str, Attribute("rack.left", is_a="text.value")]
    count: Annotated[int, Attribute("rack.left_count", is_a="quantity.value")]


@tool(
    category="Games",
    server="word_games",
    about=("letters", "word"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="A dozen letters are crossed out one by one; models slip on eighty of them.",
        within=lambda given: limits.letters(given["letters"]),
    ),
    scenario="A player lays a word from a rack of letters and wonders which letters are left for the next.",
    human=person_can("A player crosses the letters out on paper."),
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
    return {"left": left, "count": len(left)}
