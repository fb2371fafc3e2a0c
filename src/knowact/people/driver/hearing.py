"""How a driver hears an assistant: what asks, what asks for a yes, what only closes or announces.

The lists stand in `hearing.toml`. Nothing here knows what a question asks *for*: see `details`.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

from knowact.people.asking import LONGEST, sentences
from knowact.reading.cues import phrases

_QUESTION: Final = re.compile("[?\uff1f]")
_BULLET: Final = re.compile(r"\s*[-*\u2022+]\s+")
_ENDED: Final = re.compile(r"[.!?:]\s*\Z")
_HEADS: Final = re.compile(
    r"\b(?:questions?|need|know|tell me|details?|specify|provide|clarify|information)\b"
)
"""A line that ends in a colon and says so makes questions of the list under it."""
_WH: Final = re.compile(
    r"\b(?:which|what|how|welche[nmrs]?|wie|quelle?|cual|quale|jaki|welke)\b"
    r"|(?:\A|\band|\bor|[,:-])\s*(?:and |so |but )?(?:where|when|who|whom|whose)\b"
)
_RELATIVE: Final = re.compile(r", (?:where|when|who|whom|whose)\b")
_OR: Final = re.compile(r"\b(?:or|oder|ou)\b(?! so\b)(?! not\b)|(?<=\w)/(?=\w)")
_YES_OR_NO: Final = re.compile(r"\byes or no\b|\bright or wrong\b")
_REPORTED_TAG: Final = re.compile(r"\A\W*(?:i've|i have|i just)\b.*\b(?:right|correct|okay|ok)\W*\Z")
_REQUEST: Final = re.compile(
    r"\s*(?:(?:please|tell me|let me know)\b|(?:which|what|how|where|when)\b.*(?<![.!])\s*\Z)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence that waits for an answer.

    Attributes:
        plain: In folded spelling and lower case.
        cased: As written.
        before: What the message says before it, folded.
        before_cased: The same as written.
        leave: Whether it asks for a yes to one thing.
    """

    plain: str
    cased: str
    before: str
    before_cased: str
    leave: bool


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(files("knowact.people.driver").joinpath("hearing.toml").read_text("utf-8"))


@cache
def _list(name: str) -> re.Pattern[str]:
    return phrases(_tables()[name])


@lru_cache(maxsize=4096)
def pattern(entries: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for any of the entries; nothing matches where there are none."""
    return phrases(entries) if any(entries) else re.compile(r"(?!)")


def has(name: str, plain: str) -> bool:
    """Whether an entry of a list of `hearing.toml` occurs in a folded text."""
    return _list(name).search(plain) is not None


def without_idioms(plain: str) -> str:
    """The text with manners of speaking blanked."""
    return _list("idioms").sub(lambda match: " " * len(match[0]), plain)


def questions(text: str) -> tuple[Question, ...]:
    """The sentences of a message that wait for an answer, in order. Never raises."""
    found, before, before_cased, announced = list[Question](), "", "", False
    for one in sentences(shortened(text, LONGEST)):
        listed = announced and (_BULLET.match(one.plain) is not None or _ENDED.search(one.plain) is None)
        if not listed:
            announced = one.plain.rstrip().endswith(":") and _HEADS.search(one.plain) is not None
        if (listed or _asks(one.plain, asks=one.asks)) and not _REPORTED_TAG.match(one.plain):
            found.append(Question(one.plain, one.cased, before, before_cased, is_leave(one.plain)))
        before, before_cased = before + one.plain, before_cased + one.cased
    return tuple(found)


def _asks(plain: str, *, asks: bool) -> bool:
    """Whether a sentence wants an answer; one that only has a noun in it ("what you like") does not."""
    if _QUESTION.search(plain):
        return True
    if has("no_requests", plain):
        return False
    return has("requests", plain) or (asks and _REQUEST.match(plain) is not None)


def is_leave(plain: str) -> bool:
    """Whether a question asks for a yes to one thing, not for a choice."""
    return (has("leave", plain) or has("tags", plain.strip())) and not is_choice(plain)


def is_choice(plain: str) -> bool:
    """Whether a question asks to choose, or asks which, what or how."""
    plain = _RELATIVE.sub(" ", _YES_OR_NO.sub(" ", plain))
    return _WH.search(plain) is not None or has("elliptic", plain) or offers_a_choice(plain)


def offers_a_choice(plain: str) -> bool:
    """Whether a question has two sides."""
    return _OR.search(_YES_OR_NO.sub(" ", plain)) is not None


def closes(one: Question) -> bool:
    """Whether a question only closes a conversation, or is a courtesy."""
    return has("closing", one.plain)


def shortened(text: str, longest: int) -> str:
    """The first and the last half of so many characters: a question stands at an end of a message."""
    half = longest // 2
    return text if len(text) < longest else f"{text[: half - 1]}\n{text[1 - half :]}"


def announces(text: str) -> bool:
    """Whether the last sentence of a message only says what is going to be done."""
    every = [one.plain for one in sentences(shortened(text, LONGEST))]
    last = every[-1] if every else ""
    return has("announces", last) and not has("announces_not", last) and not has("reports", last)


def reports(plain: str) -> bool:
    """Whether a folded text says that something was done."""
    return has("reports", plain)


def things(plain: str) -> frozenset[int]:
    """The things of a car that a folded text speaks of, by their place in the table."""
    return frozenset(place for place, (_, words) in enumerate(_things()) if words.search(plain))


def groups(plain: str) -> frozenset[str]:
    """The groups of the things that a folded text speaks of."""
    every = _things()
    return frozenset(every[place][0] for place in things(plain))


@cache
def _things() -> Sequence[tuple[str, re.Pattern[str]]]:
    return [(one["group"], phrases(one["words"])) for one in _tables()["things"]]
