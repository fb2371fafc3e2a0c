"""Language: counting, sorting and turning words over; what a model reads, it mostly need not look up."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import by_argument, near, never, person_can, person_cannot, refuse, tool
from knowact.worlds.everyday.fields import Text
from knowact.worlds.everyday.private.records import Note
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules

Source = Literal["text", "note"]
Passage = Annotated[str, Attribute("passage.value"), Rules(max_length=20_000)]
"""A text of several words; single words are `text.value`, and nobody counts the words of those."""
Lines = Annotated[str, Attribute("lines.value"), Rules(max_length=20_000)]
"""A list, one entry per line."""
Phrase = Annotated[str, Attribute("phrase.english"), Rules(max_length=120)]
Puzzle = Annotated[str, Attribute("puzzle.word"), Rules(max_length=120)]
Tongue = Literal["french", "german", "spanish", "italian", "dutch"]
Case = Literal["upper", "lower", "title", "snake"]


def read_text(state: State, text: str, source: Source) -> str:
    """Return the text itself, or the user's note of that title."""
    return text if source == "text" else state.record(Note, text, "note").text


class WordCount(TypedDict):
    """How long a text is.

    Attributes:
        words: Number of words, separated by white space.
        lines: Number of lines.
    """

    words: Annotated[int, Attribute("text.words", is_a="quantity.value")]
    lines: Annotated[int, Attribute("text.lines", is_a="quantity.value")]


@tool(
    category="Language",
    server="texts",
    about=("text",),
    also_done_by=("sort_lines",),
    rubric=by_argument(
        Dimension.PRIVACY,
        Dimension.COMPUTATION,
        why="A pasted sentence is counted by reading it; a long text is not, nor a note of the user's.",
        within=limits.pasted,
    ),
    scenario="Somebody has to keep a speech or a caption to a length and wants its words counted.",
    human=person_can("Whoever has the text before them can count its words."),
)
def count_words(state: State, text: Passage, source: Source = "text") -> WordCount:
    """Count the words and lines of a text, or of one of the user's notes.

    Args:
        text: The text to count; with source "note", the title of the note.
        source: Whether `text` is the text itself or the title of a note.
    """
    read = read_text(state, text, source)
    return {"words": len(read.split()), "lines": len(read.splitlines())}


class Sorted(TypedDict):
    """Lines in order.

    Attributes:
        text: All lines, sorted.
        first: The first line.
        last: The last line.
    """

    text: Annotated[str, Attribute("text.sorted")]
    first: Annotated[str, Attribute("text.first_line", is_a="text.value")]
    last: Annotated[str, Attribute("text.last_line", is_a="text.value")]


@tool(
    category="Language",
    server="texts",
    about=("text",),
    rubric=by_argument(
        Dimension.PRIVACY,
        Dimension.COMPUTATION,
        why="A few pasted lines are sorted by reading them; a long list is not, nor a note of the user's.",
        within=limits.pasted_lines,
    ),
    scenario="Somebody wants a guest list or a shopping list in alphabetical order.",
    human=person_can("Whoever has the list before them can put it in order."),
)
def sort_lines(
    state: State,
    text: Lines,
    order: Literal["ascending", "descending"] = "ascending",
    source: Source = "text",
) -> Sorted:
    """Sort the lines of a text alphabetically, ignoring case, or those of one of the user's notes.

    Args:
        text: The lines to sort, one per line; with source "note", the title of the note.
        order: From A to Z (ascending) or from Z to A (descending).
        source: Whether `text` is the text itself or the title of a note.
    """
    lines = [line.strip() for line in read_text(state, text, source).splitlines() if line.strip()]
    if not lines:
        refuse("bad_arguments", "There are no lines to sort.", "Give at least one line of text.")
    lines.sort(key=str.casefold, reverse=order == "descending")
    return {"text": "\n".join(lines), "first": lines[0], "last": lines[-1]}


class Reversed(TypedDict):
    """A text written backwards.

    Attributes:
        text: The text, last letter first.
    """

    text: Annotated[str, Attribute("text.reversed")]


@tool(
    category="Language",
    server="texts",
    about=("text",),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="A short word is spelt backwards by hand; models slip on whole sentences, letter by letter.",
        within=lambda given: limits.letters(given["text"]),
    ),
    scenario="Somebody makes a puzzle and wants a word or a sentence written backwards.",
    human=person_can("Anybody can write a word or a sentence backwards."),
)
def reverse_text(_state: State, text: Text) -> Reversed:
    """Write a text backwards, letter by letter.

    Args:
        text: The text.
    """
    return {"text": text[::-1]}


class Spelt(TypedDict):
    """A number in words.

    Attributes:
        words: The number in English words, such as "one hundred and five".
    """

    words: Annotated[str, Attribute("number.words", is_a="text.value")]


_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *(
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ),
)
_TENS: Final = ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    end = _SMALL[rest] if rest < len(_SMALL) else _TENS[tens]
    if ones and rest > len(_SMALL):
        end += f"-{_SMALL[ones]}"
    if not hundreds:
        return end
    start = f"{_SMALL[hundreds]} hundred"
    return f"{start} and {end}" if rest else start


@tool(
    category="Language",
    server="words",
    about=("number",),
    rubric=never(why="Every number below a million has a name that any reader knows."),
    scenario="Somebody writes a cheque or an invitation and needs a number in words.",
    human=person_can("Anybody can say a number aloud and write that down."),
)
def spell_number(
    _state: State, number: Annotated[int, Attribute("quantity.value"), Rules(minimum=0, maximum=999_999)]
) -> Spelt:
    """Spell a whole number below a million out in British English words.

    Args:
        number: The number.
    """
    thousands, rest = divmod(number, 1000)
    if not thousands:
        return {"words": _below_thousand(rest)}
    start = f"{_below_thousand(thousands)} thousand"
    if not rest:
        return {"words": start}
    # British English puts "and" before a last part below one hundred.
    joint = " and " if rest < 100 else " "  # noqa: PLR2004 - one hundred
    return {"words": f"{start}{joint}{_below_thousand(rest)}"}


class AnagramCheck(TypedDict):
    """Whether two words are made of the same letters.

    Attributes:
        anagram: True if they are, leaving case, spaces and punctuation aside.
    """

    anagram: Annotated[bool, Attribute("words.anagram")]


@tool(
    category="Language",
    server="words",
    about=("first", "second"),
    rubric=never(why="Two words are compared letter by letter in a moment."),
    scenario="Puzzle lovers argue whether two words are anagrams of each other.",
    human=person_can("Anybody can strike out the letters of two words one by one."),
)
def check_anagram(_state: State, first: Puzzle, second: Puzzle) -> AnagramCheck:
    """Check whether two words or short phrases are anagrams of each other.

    Args:
        first: One of them.
        second: The other.
    """

    def letters(word: str) -> list[str]:
        return sorted(letter for letter in word.casefold() if letter.isalnum())

    return {"anagram": letters(first) == letters(second)}


class Translation(TypedDict):
    """A phrase in another language.

    Attributes:
        translation: The phrase in that language.
    """

    translation: Annotated[str, Attribute("phrase.translation", is_a="text.value")]


@lru_cache(maxsize=1)
def _phrases() -> Mapping[str, Mapping[str, str]]:
    text = resources.files("knowact.worlds.everyday").joinpath("data/phrases.json").read_text("utf-8")
    return MappingProxyType(json.loads(text))


@tool(
    category="Language",
    server="words",
    about=("phrase", "language"),
    rubric=never(why="Greetings and set phrases in large European languages."),
    scenario="Somebody writes a card to friends abroad and wants a greeting in their language.",
    human=person_cannot("Whoever is asked need not speak the language."),
)
def translate_phrase(_state: State, phrase: Phrase, language: Tongue) -> Translation:
    """Translate a common English phrase or greeting.

    Args:
        phrase: The phrase in English.
        language: The language to translate it into.
    """
    known = _phrases()
    found = known.get(phrase.strip(" .!").lower())
    if found is None:
        refuse("not_found", f"The phrase book does not have {phrase!r}.", near(phrase, known))
    return {"translation": found[language]}


class Recased(TypedDict):
    """A text in other letters.

    Attributes:
        text: The text as the style has it.
    """

    text: Annotated[str, Attribute("text.recased")]


@tool(
    category="Language",
    server="texts",
    about=("text",),
    also_done_by=("make_slug",),
    rubric=never(why="Writing the same words in other letters is copying."),
    scenario="Somebody needs a heading in capitals, or a file name without spaces.",
    human=person_can("Anybody can write the same words in other letters."),
)
def change_case(
    _state: State, text: Annotated[str, Attribute("text.value"), Rules(max_length=200)], style: Case
) -> Recased:
    """Rewrite a short text in capitals, small letters, title case or snake_case.

    Args:
        text: The text, at most 200 characters.
        style: How to write it.
    """
    if style == "upper":
        return {"text": text.upper()}
    if style == "title":
        return {"text": " ".join(word[:1].upper() + word[1:].lower() for word in text.split())}
    return {"text": "_".join(text.lower().split()) if style == "snake" else text.lower()}
