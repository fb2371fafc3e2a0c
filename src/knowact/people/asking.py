"""What does a question ask for? Cuts it into sentences and marks what is asked, not only mentioned.

"What is the weather in the city?" mentions the city and asks for the weather; "In which city?" asks for the
city. A word asks for the noun that follows ("which", "provide"), a preposition or a verb ends that, and a
comma or an "and" goes on with a list.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from knowact.reading.askable import Hit, hits_in
from knowact.reading.cues import Finders
from knowact.reading.folding import Folded, fold, fold_words
from knowact.reading.json_text import JsonObject, find_json

_SENTENCE = re.compile(
    r"[^.!?\n\u3002\uff01\uff1f;]*(?:\.(?=\w)[^.!?\n\u3002\uff01\uff1f;]*)*[.!?\n\u3002\uff01\uff1f;]*"
)
_MARKS = re.compile(r"[,:+/&\u3001\uff0c]")
_NUMBERED = re.compile(r"^[ ]*\(?\d{1,2}[.)](?=[ ])", re.MULTILINE)
_OPEN_WORD = re.compile(r"\b(?:which|what|who|whom|whose|where|when|why|how)\b")
_OPEN_END = re.compile(r"\b(?:is|are)\s*[?:]\s*\Z")
"""A sentence to be completed: "The word that you mean is?"."""
_BULLET = re.compile(r"[ ]*[-\u2022+][ ]+")
LONGEST = 4_000
"""Characters that a person reads of one question; what follows is noise, and unread."""
_SHORT_QUESTION = 5
_SHORT_TEXT = 3
"""So few words ask by themselves ("Amount", "Departure point and day?")."""
_QUESTION_KEYS = frozenset({"question", "input_text", "text", "query", "message", "input", "prompt"})
_LISTS = ("opens", "closes", "lists", "guesses", "fishing", "leave", "one", "names", "handover", "fronts")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a question, in folded spelling.

    Attributes:
        plain: In lower case.
        cased: As written.
        asks: Whether it asks at all.
        wants: Whether something opens an asked noun in it ("which", "please provide").
        hits: What it asks for, in terms of the table.
        asked: The stretches in which a noun is asked for.
    """

    plain: str
    cased: str
    asks: bool
    wants: bool
    hits: tuple[Hit, ...]
    asked: tuple[tuple[int, int], ...]

    def has(self, cue: str) -> bool:
        """Whether an entry of a list of `asking.toml` occurs."""
        return bool(spans(cue, self.plain))

    @property
    def asks_whether(self) -> bool:
        """Whether it is to be answered with yes or no."""
        return (
            _OPEN_WORD.search(self.plain) is None
            and " or " not in self.plain
            and (self.has("guesses") or self.plain.lstrip().startswith(("is the", "is your", "are the")))
        )

    @property
    def asked_text(self) -> str:
        """What is asked for, in one string."""
        return " ".join(self.plain[start:end] for start, end in self.asked)


@cache
def _finders() -> Finders:
    data = tomllib.loads(files("knowact.people").joinpath("asking.toml").read_text("utf-8"))
    return Finders({name: [fold_words(entry) for entry in data[name]] for name in _LISTS})


def spans(cue: str, plain: str) -> list[tuple[int, int]]:
    """Where a list of `asking.toml` occurs in a folded text."""
    return _finders().spans(cue, plain, _finders().by_words(plain))


def unwrapped(question: str) -> str:
    """The question itself where it came wrapped in JSON."""
    for found in find_json(question):
        if isinstance(found.value, JsonObject):
            texts = [
                value
                for key, value in found.value.members
                if key.lower() in _QUESTION_KEYS and isinstance(value, str)
            ]
            if texts or any(key.lower() in _QUESTION_KEYS for key, _ in found.value.members):
                return "\n".join(texts)
    return question


def sentences(question: str) -> list[Sentence]:
    """Cut a question into sentences and mark what each one asks for. Never raises."""
    folded = _listed(fold(unwrapped(question[:LONGEST])))
    short = len(re.findall(r"\w+", folded.plain)) <= _SHORT_TEXT
    found, announced = list[Sentence](), False
    for match in _SENTENCE.finditer(folded.plain):
        if not re.search(r"\w", match[0]):
            continue
        listed = announced and _BULLET.match(match[0]) is not None
        one = _sentence(folded, match.start(), match.end(), listed=listed, short=short)
        announced = listed or (one.wants and match[0].rstrip().endswith(":")) or (announced and short)
        found.append(one)
    return found


def _listed(folded: Folded) -> Folded:
    """The text with plain bullets for the numbers of list items, whose full stops end no sentence."""

    def bullet(match: re.Match[str]) -> str:
        return "-".rjust(len(match[0]))

    return Folded(_NUMBERED.sub(bullet, folded.cased), _NUMBERED.sub(bullet, folded.plain), folded.origin)


def _sentence(folded: Folded, start: int, end: int, *, listed: bool, short: bool) -> Sentence:
    plain, cased = folded.plain[start:end], folded.cased[start:end]
    question = re.search(r"[?\uff1f][\s\"')]*\Z", plain) is not None
    opens = spans("opens", plain)
    every = hits_in(plain)
    fragment = question and not _has_front(plain) and _is_telegram(plain)
    lead = _BULLET.match(plain)
    start_on = listed or fragment or (short and not opens) or _OPEN_END.search(plain) is not None
    asked = _asked(plain, opens, start=lead.end() if lead else 0, on=start_on)
    asks = question or start_on or bool(opens) or listed or short
    hits = tuple(hit for hit in every if asks and (hit.asking or _within(hit, asked)))
    return Sentence(plain, cased, asks, bool(opens), hits, tuple(asked))


def _is_telegram(plain: str) -> bool:
    """Whether a question is a few words, or a list of such."""
    parts = [len(re.findall(r"\w+", part)) for part in _MARKS.split(plain)]
    return sum(parts) <= _SHORT_QUESTION or max(parts) <= _SHORT_TEXT


def _has_front(plain: str) -> bool:
    """Whether the first word is one that asks for no noun ("Who wrote the note?")."""
    first = re.search(r"\w", plain)
    return first is not None and any(start == first.start() for start, _ in spans("fronts", plain))


def _within(hit: Hit, asked: Iterable[tuple[int, int]]) -> bool:
    return any(start <= hit.start and hit.end <= end for start, end in asked)


def _asked(plain: str, opens: list[tuple[int, int]], start: int, *, on: bool) -> list[tuple[int, int]]:
    """The stretches in which a noun is asked for."""
    events = [(low, 0, "open", high) for low, high in opens]
    covered = [*opens]
    events += [
        (low, 1, "close", high)
        for low, high in spans("closes", plain)
        if not any(a <= low and high <= b for a, b in covered)
    ]
    marks = [match.span() for match in _MARKS.finditer(plain)]
    events += [(low, 2, "list", high) for low, high in (*spans("lists", plain), *marks)]
    stretches, begin, opened = list[tuple[int, int]](), start, on
    for low, _, kind, high in sorted(events):
        if kind == "close":
            if on and low > begin:
                stretches.append((begin, low))
            on = False
        elif kind in {"open", "list"} and (kind == "open" or opened):
            if on and low > begin:
                stretches.append((begin, low))
            on, opened, begin = True, True, high
    if on and len(plain) > begin:
        stretches.append((begin, len(plain)))
    return stretches
