"""The lists of `refereeing.toml`: how the words of a conversation are recognised."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from knowact.reading.cues import phrases
from knowact.reading.folding import fold_words

SHORTEST_STEM: Final = 4
"""Letters; a shorter word with any ending is another word ("fan", "fancy")."""


@cache
def entries(name: str) -> tuple[str, ...]:
    """Return a list as it stands there."""
    text = files("knowact.people").joinpath("refereeing.toml").read_text("utf-8")
    lists: dict[str, list[str]] = tomllib.loads(text)
    return tuple(lists[name])


def has(name: str, plain: str) -> bool:
    """Whether an entry of a list occurs in a folded text."""
    return speaks_of(entries(name), plain)


@cache
def done() -> tuple[str, ...]:
    """Everything that says that something was done: each beginning with each verb, and the states."""
    return (*(f"{did} {verb}" for did in entries("did") for verb in entries("verbs")), *entries("state"))


def end_of(words: Sequence[str], plain: str) -> int | None:
    """Where the first of some phrases that occurs in a folded text ends; None where none does."""
    found = _pattern(tuple(words)).search(plain)
    return None if found is None else found.end()


def speaks_of(words: Sequence[str], plain: str) -> bool:
    """Whether one of some words or phrases occurs in a folded text; a final `*` lets a word go on."""
    return bool(words) and _pattern(tuple(words)).search(plain) is not None


def inflected(words: Sequence[str]) -> tuple[str, ...]:
    """The words with any ending they may have in a sentence ("window" finds windows); not short ones."""
    return tuple(
        word if word.endswith("*") or len(word.split()[-1]) < SHORTEST_STEM else f"{word}*"
        for word in words
        if word.strip()
    )


@lru_cache(maxsize=1024)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return phrases(fold_words(word.removesuffix("*")) + "*" * word.endswith("*") for word in words)
