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
_ENDS_IN: Final = re.compile(
    r"\b(?:if|in case|should (?:it|you|anything)|whenever)\b.*\b(?:tell me|let me know|say so)\W*\Z"
)
"""An offer: nothing is asked for."""
_TOLD_ME: Final = re.compile(
    r"\b(?:preferences|settings|calendar|notes|sensors?|car|system|that|which|you|it|they)"
    r" (?:also )?tells? me\b"
)
_HERE: Final = re.compile(
    r"\b(?:here (?:is|are|they are|it is|you go)|here's|as follows|i found|i have found|i've found)\b"
)
"""What follows is told, not asked for."""
_WOULD: Final = re.compile(
    r"\A\W*(?:(?:so|then|and|okay|ok|alright|all right|right|well|just to be sure|hm+)\W+)*"
    r"(?:i|we)(?:'d|'ll| will| would| should)\b"
)
"""A statement with a question mark proposes what it says ("So I'd turn it off?")."""
_FRONTED: Final = re.compile(r"\A\W*(?:(?:shall|should|may|can|could) i|do you want me|would you like me)\b")
"""Such a sentence may lose its mark to a quotation at its end."""
_SHOULD: Final = re.compile(
    r"\A\W*(?:(?:so|then|and|but)\W+)?(?:should|shall) (?:it|the|that|this|they|both|all)\b"
)
_CLOSED: Final = re.compile(r"\A\W*(?:(?:so|then|and|but)\W+)?(?:is|are|was|were|does|do|did|will|would)\b")
_REPORTED_TAG: Final = re.compile(r"\A\W*(?:i've|i have|i just)\b.*\b(?:right|correct|okay|ok)\W*\Z")
_REQUEST: Final = re.compile(
    r"\s*(?:(?:please|tell me|let me know)\b|(?:which|what|how|where|when)\b.*(?<![.!])\s*\Z)", re.DOTALL
)

CUT: Final = re.compile(r"(?<=[.!?:\n])\s+")
"""Between sentences, and lines of a list."""
_VALUE: Final = re.compile(r"\d|[a-z,] [A-Z][a-z]")
_PLAN: Final = re.compile(
    r"\bi(?:'d|'ll| would| will| can| could| am going| plan| suggest| propose| recommend)\b"
    r"|\bi'm (?:going|about|ready)\b|\b(?:confirm|to):"
    r"|\b(?:plan|draft|proposal|suggestion|here's what|this is what|would then|ha(?:s|ve) to|needs? to)\b"
)
_SPOKEN: Final = re.compile(r"[\"\u201c\u201e\u00ab].*", re.DOTALL)
_FAR_BACK: Final = 12
"""So many sentences, lines of a list among them, before a question may hold what it proposes."""


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence that waits for an answer.

    Attributes:
        plain: In folded spelling and lower case.
        cased: As written.
        before: What the message says before it, folded.
        before_cased: The same as written.
        leave: Whether it asks for a yes to one thing.
        proposal: Where it asks for a yes to something: the words that say to what. Those of the question, or,
            where it has none of its own ("Is that okay?"), of the sentences before it.
    """

    plain: str
    cased: str
    before: str
    before_cased: str
    leave: bool
    proposal: str


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
            announced = announced and _HERE.search(one.plain) is None
        if (listed or _asks(one.plain, asks=one.asks)) and not _REPORTED_TAG.match(one.plain):
            about = _proposal(one.plain, one.cased, before_cased)
            found.append(Question(one.plain, one.cased, before, before_cased, is_leave(one.plain), about))
        before, before_cased = before + one.plain, before_cased + one.cased
    return tuple(found)


def _proposal(plain: str, cased: str, before: str) -> str:
    if things(plain) or _VALUE.search(cased):
        return cased
    every = CUT.split(before.strip())
    for place in range(len(every) - 1, max(-1, len(every) - 1 - _FAR_BACK), -1):
        if _PLAN.search(_SPOKEN.sub("", every[place]).lower()):
            return " ".join([*every[place:], cased])
    return " ".join([*every[-1:], cased])


def _asks(plain: str, *, asks: bool) -> bool:
    """Whether a sentence wants an answer; one that only has a noun in it ("what you like") does not."""
    if _QUESTION.search(plain) or (plain.count('"') % 2 and _FRONTED.search(plain)):
        return True
    if has("requests_leave", plain):
        return True
    if has("no_requests", plain) or _ENDS_IN.search(plain) or _TOLD_ME.search(plain):
        return False
    return has("requests", plain) or (asks and _REQUEST.match(plain) is not None)


def is_leave(plain: str) -> bool:
    """Whether a question asks for a yes to one thing, not for a choice."""
    asks = _WOULD.search(plain) or _SHOULD.search(plain) if _QUESTION.search(plain) else None
    named = has("leave", plain) or has("requests_leave", plain) or has("tags", plain.strip())
    return (asks is not None or named) and not is_choice(plain)


def is_unspecific(one: Question) -> bool:
    """Whether a question wants to know more, and names nothing ("Can you be a bit more specific?")."""
    return not one.leave and has("unspecific", one.plain) and not things(one.plain)


def is_closed(plain: str) -> bool:
    """Whether a question is to be answered with yes or no, without asking for leave ("Is Brno the one?")."""
    return _QUESTION.search(plain) is not None and _CLOSED.search(plain) is not None and not is_choice(plain)


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


def goes_on(text: str) -> bool:
    """Whether a message may be one report of several, or a word before a deed: nothing offered or concluded.

    What offers something must not be nodded to, which would be taken for a yes.
    """
    every = [one.plain for one in sentences(shortened(text, LONGEST))]
    return not any(has("concludes", plain) or has("offers", plain) for plain in every)


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
