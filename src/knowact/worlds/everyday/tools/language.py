"""Language: counting, sorting, finding and turning over letters and words."""

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Annotated, Final, Literal

from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import Server, by_size, by_source, listed, never, on, refuse
from knowact.worlds.everyday.fields import Text
from knowact.worlds.everyday.private.personal import Note
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, fact

_TEXTS: Final = Server("Language", "texts")
_WORDS: Final = Server("Language", "words")

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


def lines_of(text: str, message: str) -> list[str]:
    """Return the lines of a text that are not empty; a text without any is refused."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        refuse("bad_arguments", message, "Give at least one line of text.")
    return lines


class WordCount(Shape):
    words: int = fact("text.words", "Number of words, separated by white space.")
    lines: int = fact("text.lines", "Number of lines.")


@_TEXTS.tool(
    also_done_by=("sort_lines",),
    rubric=by_source(
        on(limits.pasted),
        why="A pasted sentence is counted by reading it; a long text is not, nor a note of the user's.",
    ),
    scenario="Somebody has to keep a speech or a caption to a length and wants its words counted.",
    person_can="Whoever has the text before them can count its words.",
)
def count_words(state: State, text: Passage, source: Source = "text") -> WordCount:
    """Count the words and lines of a text, or of one of the user's notes.

    Args:
        text: The text to count; with source "note", the title of the note.
        source: Whether `text` is the text itself or the title of a note.
    """
    read = read_text(state, text, source)
    return WordCount(words=len(read.split()), lines=len(read.splitlines()))


class SortedLines(Shape):
    text: str = fact("text.sorted", "All lines, sorted.")
    first: str = fact("text.first_line", "The first line.")
    last: str = fact("text.last_line", "The last line.")


@_TEXTS.tool(
    rubric=by_source(
        on(limits.pasted_lines),
        why="A few pasted lines are sorted by reading them; a long list is not, nor a note of the user's.",
    ),
    scenario="Somebody wants a guest list or a shopping list in alphabetical order.",
    person_can="Whoever has the list before them can put it in order.",
)
def sort_lines(
    state: State,
    text: Lines,
    order: Literal["ascending", "descending"] = "ascending",
    source: Source = "text",
) -> SortedLines:
    """Sort the lines of a text alphabetically, ignoring case, or those of one of the user's notes.

    Args:
        text: The lines to sort, one per line; with source "note", the title of the note.
        order: From A to Z (ascending) or from Z to A (descending).
        source: Whether `text` is the text itself or the title of a note.
    """
    lines = lines_of(read_text(state, text, source), "There are no lines to sort.")
    lines.sort(key=str.casefold, reverse=order == "descending")
    return SortedLines(text="\n".join(lines), first=lines[0], last=lines[-1])


class ReversedText(Shape):
    text: str = fact("text.reversed", "The text, last letter first.")


@_TEXTS.tool(
    rubric=by_size(
        on(limits.letters, "text"),
        why="A short word is spelt backwards by hand; models slip on whole sentences, letter by letter.",
    ),
    scenario="Somebody makes a puzzle and wants a word or a sentence written backwards.",
    person_can="Anybody can write a word or a sentence backwards.",
)
def reverse_text(_state: State, text: Text) -> ReversedText:
    """Write a text backwards, letter by letter.

    Args:
        text: The text.
    """
    return ReversedText(text=text[::-1])


_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
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


class SpelledNumber(Shape):
    words: str = fact("number.words", 'The number in English words, such as "one hundred and five".')


@_WORDS.tool(
    rubric=never(why="Every number below a million has a name that any reader knows."),
    scenario="Somebody writes a cheque or an invitation and needs a number in words.",
    person_can="Anybody can say a number aloud and write that down.",
)
def spell_number(
    _state: State, number: Annotated[int, Attribute("quantity.value"), Rules(minimum=0, maximum=999_999)]
) -> SpelledNumber:
    """Spell a whole number below a million out in British English words.

    Args:
        number: The number.
    """
    thousands, rest = divmod(number, 1000)
    if not thousands:
        return SpelledNumber(words=_below_thousand(rest))
    start = f"{_below_thousand(thousands)} thousand"
    if not rest:
        return SpelledNumber(words=start)
    # British English puts "and" before a last part below one hundred.
    joint = " and " if rest < 100 else " "  # noqa: PLR2004 - one hundred
    return SpelledNumber(words=f"{start}{joint}{_below_thousand(rest)}")


class AnagramCheck(Shape):
    anagram: bool = fact("words.anagram", "True if they are, leaving case, spaces and punctuation aside.")


@_WORDS.tool(
    rubric=never(why="Two words are compared letter by letter in a moment."),
    scenario="Puzzle lovers argue whether two words are anagrams of each other.",
    person_can="Anybody can strike out the letters of two words one by one.",
)
def check_anagram(_state: State, first: Puzzle, second: Puzzle) -> AnagramCheck:
    """Check whether two words or short phrases are anagrams of each other.

    Args:
        first: One of them.
        second: The other.
    """

    def letters(word: str) -> list[str]:
        return sorted(letter for letter in word.casefold() if letter.isalnum())

    return AnagramCheck(anagram=letters(first) == letters(second))


@lru_cache(maxsize=1)
def _phrases() -> Mapping[str, Mapping[str, str]]:
    text = resources.files("knowact.worlds.everyday").joinpath("data/phrases.json").read_text("utf-8")
    return MappingProxyType(json.loads(text))


class PhraseTranslation(Shape):
    translation: str = fact("phrase.translation", "The phrase in that language.")


@_WORDS.tool(
    about=("phrase", "language"),
    rubric=never(why="Greetings and set phrases in large European languages."),
    scenario="Somebody writes a card to friends abroad and wants a greeting in their language.",
    person_cannot="Whoever is asked need not speak the language.",
)
def translate_phrase(_state: State, phrase: Phrase, language: Tongue) -> PhraseTranslation:
    """Translate a common English phrase or greeting.

    Args:
        phrase: The phrase in English.
        language: The language to translate it into.
    """
    message = f"The phrase book does not have {phrase!r}."
    return PhraseTranslation(
        translation=listed(_phrases(), phrase.strip(" .!").lower(), message, spelt=phrase)[language]
    )


class ChangedCase(Shape):
    text: str = fact("text.recased", "The text as the style has it.")


@_TEXTS.tool(
    also_done_by=("make_slug",),
    rubric=never(why="Writing the same words in other letters is copying."),
    scenario="Somebody needs a heading in capitals, or a file name without spaces.",
    person_can="Anybody can write the same words in other letters.",
)
def change_case(
    _state: State, text: Annotated[str, Attribute("text.value"), Rules(max_length=200)], style: Case
) -> ChangedCase:
    """Rewrite a short text in capitals, small letters, title case or snake_case.

    Args:
        text: The text, at most 200 characters.
        style: How to write it.
    """
    if style == "upper":
        return ChangedCase(text=text.upper())
    if style == "title":
        return ChangedCase(text=" ".join(word[:1].upper() + word[1:].lower() for word in text.split()))
    return ChangedCase(text="_".join(text.lower().split()) if style == "snake" else text.lower())


SoughtWord = Annotated[str, Attribute("word.sought"), Rules(max_length=60)]
_EDGES: Final = ".,;:!?\"'()[]…\N{EN DASH}\N{EM DASH}-"
"""What may stand around a word without being part of it."""
_SEES_THE_NOTE: Final = ("get_note", "sort_lines")
"""Who has all lines of a note, in whatever order, has its letters and words."""


def pasted_word(text: str, source: str = "text") -> bool:
    """A text that stands in the query, of at most twenty characters: counted letter by letter."""
    return source == "text" and limits.letters(text)


class LetterCount(Shape):
    count: int = fact("text.letter_count", "How many times the letter stands in the text, capital or small.")


@_TEXTS.tool(
    also_done_by=_SEES_THE_NOTE,
    rubric=by_source(
        on(pasted_word),
        why="One word is spelt through by eye; models slip on sentences, and a note is the user's own.",
    ),
    scenario="A sign painter buys single letters, or a puzzle asks how often a letter occurs in a word.",
    person_can="Anybody can go through a text with a pencil and tick a letter off.",
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
    return LetterCount(count=read_text(state, text, source).casefold().count(letter.casefold()))


class WordPosition(Shape):
    found: bool = fact("text.word_found", "Whether the word stands in the text at all.")
    count: int = fact(("text.word_count", "text.word_found"), "How many times it does.")


@_TEXTS.tool(
    also_done_by=_SEES_THE_NOTE,
    rubric=by_source(
        on(limits.pasted),
        why="A pasted sentence is searched by reading it; a long text is not, nor a note of the user's.",
    ),
    scenario="Somebody wonders whether a thing is on the list already, or uses one word too often.",
    person_can="Whoever has the text before them can look for a word.",
)
def find_word(state: State, text: Passage, word: SoughtWord, source: Source = "text") -> WordPosition:
    """Find a word in a text, or in one of the user's notes; only whole words count, capital or small.

    Args:
        text: The text to search; with source "note", the title of the note.
        word: The single word to find.
        source: Whether `text` is the text itself or the title of a note.
    """
    sought = word.strip(_EDGES).casefold()
    if not sought or len(sought.split()) != 1:
        refuse("bad_arguments", f"{word!r} is not one word.", "Give a single word without spaces.")
    words = [part.strip(_EDGES).casefold() for part in read_text(state, text, source).split()]
    count = words.count(sought)
    return WordPosition(found=count > 0, count=count)
