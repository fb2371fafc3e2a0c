"""The cue lists of `cues.toml`, compiled once."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from knowact.reading.folding import fold_words


def _plain(entry: str) -> str:
    return entry if entry.isascii() or not entry.isalnum() else fold_words(entry)


def _piece(entry: str) -> str:
    """The pattern of one entry: whole words, unless a final `*` lets a word go on."""
    if not entry.strip("*"):
        return re.escape(entry)
    before = r"(?<!\w)" if _stands_apart(entry[0]) else ""
    after = r"\w*" if entry.endswith("*") else r"(?!\w)" if _stands_apart(entry[-1]) else ""
    return before + re.escape(entry.removesuffix("*")).replace("\\ ", r"\s+") + after


def phrases(entries: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of the entries, the longest first."""
    plain = {_plain(entry) for entry in entries if entry}
    return re.compile("|".join(_piece(entry) for entry in sorted(plain, key=lambda one: (-len(one), one))))


class Finders:
    """Finds the entries of all lists in one text.

    One big alternation would be tried at every word; here a word is looked up first, once for all lists,
    and only the entries that begin with it are tried.
    """

    def __init__(self, lists: Mapping[str, Iterable[str]]) -> None:
        by_word = dict[str, list[tuple[str, re.Pattern[str]]]]()
        self._rest, self._plain_rest = dict[str, re.Pattern[str]](), dict[str, re.Pattern[str]]()
        for name, entries in lists.items():
            beginning, rest = dict[str, list[str]](), list[str]()
            for entry in map(_plain, entries):
                first = _WORD.match(entry)
                if first is None or not _stands_apart(entry[0]) or entry == f"{first[0]}*":
                    rest.append(entry)
                else:
                    beginning.setdefault(first[0], []).append(entry)
            for word, group in beginning.items():
                by_word.setdefault(word, []).append((name, phrases(group)))
            if rest:
                self._rest[name] = phrases(rest)
            if plain := [entry for entry in rest if entry.isascii()]:
                self._plain_rest[name] = phrases(plain)
        self._by_word: Mapping[str, Sequence[tuple[str, re.Pattern[str]]]] = by_word

    def by_words(self, text: str) -> dict[str, list[tuple[int, int]]]:
        """Find, in one pass and in order, the places of every list that hang on a first word.

        Args:
            text: The text in plain spelling.
        """
        found = dict[str, list[tuple[int, int]]]()
        for word in _WORD.finditer(text):
            for name, pattern in self._by_word.get(word[0], ()):
                if match := pattern.match(text, word.start()):
                    found.setdefault(name, []).append(match.span())
        return found

    def spans(
        self, name: str, text: str, by_words: Mapping[str, list[tuple[int, int]]]
    ) -> list[tuple[int, int]]:
        """Return all places of one list, in order; `by_words` is what the method of that name found."""
        found = by_words.get(name, [])
        # Most texts are ASCII once folded, and most of what hangs on no first word is not.
        rest = (self._plain_rest if text.isascii() else self._rest).get(name)
        return sorted([*found, *(match.span() for match in rest.finditer(text))]) if rest else found


_FIRST_WITHOUT_SPACES = 0x1100
"""From here on stand the scripts of Korea, Japan and China."""


def _stands_apart(character: str) -> bool:
    """Whether words of this script stand apart; Chinese and Japanese ones do not."""
    return character.isalnum() and ord(character) < _FIRST_WITHOUT_SPACES


_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Cues:
    """Everything in `cues.toml`, ready to be searched for.

    Attributes:
        patterns: By the name of the list.
        finders: The same lists, for searching whole texts.
        numbers: Number words and their values.
        scales: Words that multiply, and by how much.
        languages: Frequent small words by language.
        small: All of these together.
        opposites: Groups of patterns of which a statement has one at most.
        empty: Words of a label that do not tell.
        peers: Groups of words of which one answers a question (days, colours, states of an order).
        common: Words that open sentences or stand with a capital without being names.
        heads: Words before a value that fit any label ("total", "time").
        nowhere: Words after "in the" and the like that name no place.
    """

    patterns: Mapping[str, re.Pattern[str]]
    finders: Finders
    numbers: Mapping[str, float]
    scales: Mapping[str, int]
    languages: Mapping[str, frozenset[str]]
    small: frozenset[str]
    opposites: tuple[tuple[re.Pattern[str], ...], ...]
    empty: frozenset[str]
    peers: tuple[re.Pattern[str], ...]
    common: frozenset[str]
    heads: frozenset[str]
    nowhere: frozenset[str]


@cache
def cues() -> Cues:
    """Load the lists."""
    data: dict[str, Any] = tomllib.loads(files("knowact.reading").joinpath("cues.toml").read_text("utf-8"))
    lists: dict[str, list[str]] = {
        name: entries for name, entries in data.items() if isinstance(entries, list)
    }
    lists |= {f"answer_{name}": entries for name, entries in data["answers"].items()}
    lists |= {f"object_{name}": entries for name, entries in data["objects"].items()}
    lists |= {name: data[name]["words"] for name in ("relations", "zero")}
    lists["operator"] = data["arithmetic"]["operators"]
    numbers: dict[str, float] = {
        word: value for words in data["numbers"].values() for value, word in enumerate(words) if len(word) > 1
    }
    numbers |= data["fractions"]
    for index, ten in enumerate(data["tens"]["words"]):
        numbers[ten] = 20 + 10 * index
        for value, word in enumerate(data["numbers"]["en"][1:10], 1):
            numbers |= {f"{ten}-{word}": 20 + 10 * index + value, f"{ten} {word}": 20 + 10 * index + value}
    return Cues(
        patterns={name: phrases(entries) for name, entries in lists.items()},
        finders=Finders(lists),
        numbers=numbers,
        scales={word: int(factor) for factor, words in data["scales"].items() for word in words},
        languages={language: frozenset(words) for language, words in data["languages"].items()},
        small=frozenset(word for words in data["languages"].values() for word in words),
        opposites=tuple(
            tuple(phrases(member.split()) for member in group) for group in data["opposites"]["groups"]
        ),
        empty=frozenset(data["labels"]["empty"]),
        peers=tuple(phrases(group.split()) for group in data["peers"]["groups"]),
        common=frozenset(data["peers"]["common"]),
        nowhere=frozenset(data["labels"]["nowhere"]),
        heads=frozenset(data["labels"]["heads"]),
    )
