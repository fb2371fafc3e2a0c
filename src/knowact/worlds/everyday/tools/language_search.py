"""Language: finding letters and words in texts, and counting them."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import by_argument, person_can, refuse, tool
from knowact.worlds.everyday.fields import Text
from knowact.worlds.everyday.state import State
from knowact.worlds.everyday.tools.language import Passage, Source, read_text
from knowact.worlds.typed.schema import Attribute, Rules

SoughtWord = Annotated[str, Attribute("word.sought"), Rules(max_length=60)]
_EDGES: Final = ".,;:!?\"'()[]…\N{EN DASH}\N{EM DASH}-"
"""What may stand around a word without being part of it."""
_SEES_THE_NOTE: Final = ("get_note", "sort_lines")
"""Who has all lines of a note, in whatever order, has its letters and words."""


def pasted_word(given: Mapping[str, Any]) -> bool:
    """A text that stands in the query, of at most twenty characters: counted letter by letter."""
    return given.get("source", "text") == "text" and limits.letters(given["text"])


class LetterCount(TypedDict):
    """How often a letter occurs.

    Attributes:
        count: How many times the letter stands in the text, capital or small.
    """

    count: Annotated[int, Attribute("text.letter_count", is_a="quantity.value")]


@tool(
    category="Language",
    server="texts",
    about=("text", "letter"),
    also_done_by=_SEES_THE_NOTE,
    rubric=by_argument(
        Dimension.PRIVACY,
        Dimension.COMPUTATION,
        why="One word is spelt through by eye; models slip on sentences, and a note is the user's own.",
        within=pasted_word,
    ),
    scenario="A sign painter buys single letters, or a puzzle asks how often a letter occurs in a word.",
    human=person_can("Anybody can go through a text with a pencil and tick a letter off."),
)
def count_letter(
    state: State,
    text: Text,
    letter: Annotated[str, Attribute("letter.name"), Rules(max_length=1)],
    source: Source = "text",
) -> LetterCount:
    """Count how often a letter occurs in a text, or in one of the user's notes, capital or small.

    Args:
        text: The text to go through; with source "note", the title of the note.
        letter: The letter.
        source: Whether `text` is the text itself or the title of a note.
    """
    if not letter.isalpha():
        refuse("bad_arguments", f"{letter!r} is not a letter.", "Give one letter, such as 'e'.")
    return {"count": read_text(state, text, source).casefold().count(letter.casefold())}


class WordFinds(TypedDict):
    """Where a word stands.

    Attributes:
        found: Whether the word stands in the text at all.
        count: How many times it does.
    """

    found: Annotated[bool, Attribute("text.word_found")]
    # A count implies whether there is one at all.
    count: Annotated[int, Attribute("text.word_count", is_a="quantity.value"), Attribute("text.word_found")]


@tool(
    category="Language",
    server="texts",
    about=("text", "word"),
    also_done_by=_SEES_THE_NOTE,
    rubric=by_argument(
        Dimension.PRIVACY,
        Dimension.COMPUTATION,
        why="A pasted sentence is searched by reading it; a long text is not, nor a note of the user's.",
        within=limits.pasted,
    ),
    scenario="Somebody wonders whether a thing is on the list already, or uses one word too often.",
    human=person_can("Whoever has the text before them can look for a word."),
)
def find_word(state: State, text: Passage, word: SoughtWord, source: Source = "text") -> WordFinds:
    """Find a word in a text, or in one of the user's notes; only whole words count, capital or small.

    Args:
        text: The text to search; with source "note", the title of the note.
        word: The single word to find.
        source: Whether `text` is the text itself or the title of a note.
    """
    wanted = word.strip(_EDGES).casefold()
    if not wanted or len(wanted.split()) != 1:
        refuse("bad_arguments", f"{word!r} is not one word.", "Give a single word without spaces.")
    words = [part.strip(_EDGES).casefold() for part in read_text(state, text, source).split()]
    count = words.count(wanted)
    return {"found": count > 0, "count": count}
