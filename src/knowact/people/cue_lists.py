"""The lists of `refereeing.toml`: how the words of a conversation are recognised."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files

from knowact.reading.cues import phrases
from knowact.reading.folding import fold_words


@cache
def entries(name: str) -> tuple[str, ...]:
    """Return a list as it stands there."""
    text = files("knowact.people").joinpath("refereeing.toml").read_text("utf-8")
    lists: dict[str, list[str]] = tomllib.loads(text)
    return tuple(lists[name])


def has(name: str, plain: str) -> bool:
    """Whether an entry of a list occurs in a folded text."""
    return speaks_of(entries(name), plain)


def speaks_of(words: Sequence[str], plain: str) -> bool:
    """Whether one of some words or phrases occurs in a folded text; a final `*` lets a word go on."""
    return bool(words) and _pattern(tuple(words)).search(plain) is not None


@lru_cache(maxsize=1024)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return phrases(fold_words(word.removesuffix("*")) + "*" * word.endswith("*") for word in words)
