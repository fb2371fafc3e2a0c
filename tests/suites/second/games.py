"""Sub-tasks of games, worked out a second time: by playing, walking and counting rather than by formulas."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, Final

MAGIC: Final = (2, 7, 6, 9, 5, 1, 4, 3, 8)
"""The magic square by rows: three of its numbers make 15 exactly where they stand in a line."""
CIRCLE: Final = ("scissors", "paper", "rock", "lizard", "Spock")
"""In this order every throw beats the next and the third after it."""


def word_score(arguments: Mapping[str, Any]) -> dict[str, int]:
    """Take the vowels out, then see what is left."""
    letters = re.sub(r"[^a-z]", "", arguments["text"].lower())
    consonants = re.sub(r"[aeiou]", "", letters)
    vowels = len(letters) - len(consonants)
    points = vowels * arguments["vowel_points"] + len(consonants) * arguments["consonant_points"]
    return {"points": points, "letters": len(letters)}


def letters_left(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Take the word's tiles off the rack one by one; a tile that isn't there is a ValueError."""
    rack = [letter.lower() for letter in arguments["letters"]]
    for letter in arguments["word"].lower():
        rack.remove(letter)
    return {"left": "".join(sorted(rack)), "count": len(rack)}


def square_colour(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Walk from a1, a dark corner, along the rank and up the file; the colour changes at every step."""
    dark, file, rank = True, "a", 1
    while file != arguments["square"][0]:
        dark, file = not dark, chr(ord(file) + 1)
    while rank != int(arguments["square"][1]):
        dark, rank = not dark, rank + 1
    return {"colour": "dark" if dark else "light"}


def throws(arguments: Mapping[str, Any]) -> dict[str, str]:
    """How far round the circle the second throw stands from the first."""
    ahead = (CIRCLE.index(arguments["second"]) - CIRCLE.index(arguments["first"])) % len(CIRCLE)
    if ahead == 0:
        return {"winner": "neither"}
    return {"winner": arguments["first"] if ahead in {1, 3} else arguments["second"]}


def noughts(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Lay the board on the magic square."""
    squares = arguments["board"].replace("/", "").replace("\n", "")
    won = [
        side
        for mark, side in (("X", "crosses"), ("O", "noughts"))
        if any(
            sum(three) == 15
            for three in combinations(
                [number for number, square in zip(MAGIC, squares, strict=True) if square == mark], 3
            )
        )
    ]
    return {"winner": won[0] if won else "nobody", "free": squares.count("-")}


def teams(arguments: Mapping[str, Any]) -> dict[str, int]:
    """Let the players come one by one: each joins every team that still lacks one, or stays out (Pascal)."""
    of_size = [1] + [0] * arguments["team_size"]
    for _ in range(arguments["players"]):
        of_size = [1, *(whole + short for short, whole in pairwise(of_size))]
    return {"teams": of_size[-1]}


def dice(arguments: Mapping[str, Any]) -> dict[str, Fraction]:
    """Throw one die after the other and follow the chance of every total."""
    chances = {0: Fraction(1)}
    for _ in range(arguments["dice"]):
        after: dict[int, Fraction] = {}
        for total, chance in chances.items():
            for side in range(1, arguments["sides"] + 1):
                after[total + side] = after.get(total + side, Fraction(0)) + chance / arguments["sides"]
        chances = after
    return {"percent": 100 * chances.get(arguments["total"], Fraction(0))}


SECOND: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "get_word_score": word_score,
    "get_letters_left": letters_left,
    "get_square_colour": square_colour,
    "judge_throws": throws,
    "judge_noughts": noughts,
    "count_teams": teams,
    "get_dice_odds": dice,
}
