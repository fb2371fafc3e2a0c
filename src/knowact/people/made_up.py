"""Which values of a sentence are made up: nobody told them, and only the missing part could have. Pure.

What tells a value of a kind stands in `claiming.toml`. A number that was read under another unit (a
temperature) is no source for this one (a percentage).
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from pydantic import JsonValue

from knowact.core.model import Noun
from knowact.people.claiming import RIGHT_AFTER, listed, lists
from knowact.people.cue_lists import SHORTEST_STEM, entries, has, speaks_of
from knowact.people.part_names import stems_of
from knowact.reading.folding import fold, fold_words
from knowact.reading.mentions import readings
from knowact.reading.own_sentences import LONGEST, own_sentences
from knowact.worlds.car.record import Called, Said, Trial

_CLOCK: Final = re.compile(r"(?<![\w:.])([01]?\d|2[0-3])[:.]([0-5]\d)(?![\w:.]\d|\s*(?:km|%|°|kw))")
_PHONE: Final = re.compile(r"\+?\d[\d /-]{6,}\d")
_NUMBER: Final = re.compile(r"(?<![\w.,])(\d+(?:[.,]\d+)?)(?:\s*(°\s*c\b|°|%|[a-z]+(?: cent)?)(?![/\w]))?")
_ADD_UP: Final = ("distance_km", "duration")
"""Fields of legs that make a whole."""
_BIG: Final = 20
_NEAR: Final = 0.01
_ROUGH: Final = 1.0
"""How far a number may be from one that was read: a small one, one beyond `_BIG`."""
_PLACE: Final = re.compile(r"\b(?:in|to|at)\s+\W{0,3}([A-Z\u00c0-\u00de][\w'-]{2,})(?![\w'-]|\W{0,3}:)")
_NAME: Final = re.compile(r"\b([A-Z\u00c0-\u00de][\w'-]+ [A-Z\u00c0-\u00de][\w'-]+)\b(?!\W{0,3}:)")
_MAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,64}\w")
_TOPIC: Final = re.compile(
    r"\b(?:meeting|appointment|event|entry)s?\b[^.;?!]{0,60}?(?: is|'s| was| will be)"
    r" (?:about |called |titled )?(?:a |an |the |your )?(?P<topic>(?!to\b)[a-z][\w-]*(?: [a-z][\w-]*){0,3})"
)
_ROAD: Final = re.compile(r"\b(?:via|on|onto|take|and|the|,) ?(?:the )?([abekl]\d{1,4})\b")
_TITLE: Final = re.compile(
    r"\b(?:called|titled|entitled|about|topic(?: is|:)|subject(?: is|:))\W{0,4}"
    r"[\"\u201c\u201e]([^\"\u201c\u201d]{3,60})"
)
_LISTED: Final = re.compile(
    r"\b([A-Z][a-z\u00df-\u00ff]+)(?:, [A-Z][a-z\u00df-\u00ff]+)* and [A-Z][a-z\u00df-\u00ff]+\b"
)
_TOPIC_WORDS: Final = 2
_STATE: Final = re.compile(
    r"(?:\b(?:is|are)|'s|'re|:)(?: (?:now|all|both|fully|completely|currently|already|still))*"
    r" (?P<state>on|off|open|closed|shut)\b(?! the\b| a\b)"
)
_OWNER: Final = re.compile(
    r"([a-z]+)(?:'s| is| are| was| were| runs| stands)?(?: (?:now|set|running|currently))?"
    r"(?: (?:at|on|to)|:) \Z"
)
"""What has the bare number behind it ("fan at 3", "wheel: 2")."""
LOOKS: Final = ("get_", "search_", "calculate_", "convert_")
"""So begin the names of tools that tell values."""
_SPELLED: Final = re.compile(r"\b((?:level|speed|step|at|on|to) )(zero|one|two|three|four|five)\b(?! of\b)")
_FROM: Final = re.compile(r"\bfrom \Z")
_TO: Final = re.compile(r" to \d")
_MINUTES: Final = 60
_MOST: Final = 100


class Kind(Noun):
    """A kind of value.

    Attributes:
        cues: Words for missing parts that would tell one.
        example: A value, for built-in agents that make one up.
        before: Words in front of a number that make it one.
        after: Words behind it.
        words: Words that are values themselves.
        clock: Whether times of day are values.
        phone: Whether long numbers in groups are.
        places: Whether names of places are.
        names: Whether names of people, or of places with several words, are.
        mails: Whether addresses of e-mails are.
        topics: Whether what a meeting is said to be about is one.
        roads: Whether the letters and numbers of roads are.
        things: Words for what has a value of this kind, where it stands in front of a bare number.
        fields: Stems of the fields in results that hold it.
    """

    cues: tuple[str, ...]
    example: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    clock: bool = False
    phone: bool = False
    places: bool = False
    names: bool = False
    mails: bool = False
    topics: bool = False
    roads: bool = False
    things: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


@cache
def _kinds() -> tuple[Kind, ...]:
    return tuple(Kind.model_validate(one) for one in lists()["kind"])


class Heard:
    """What the driver and the results have said, for telling what is made up.

    Args:
        trial: The record so far.
        driver: Whether the driver's words count.
    """

    def __init__(self, trial: Trial, *, driver: bool = True) -> None:
        said, texts = list[tuple[str, float]](), list[str]()
        for event in trial.events:
            if isinstance(event, Called):
                said.extend(_in_json(event.result, texts))
        said.extend(_in_json(dict(trial.context), texts))
        users = [event.text for event in trial.events if isinstance(event, Said) and event.role == "user"]
        words = users if driver else []
        told = {*_numbers("\n".join((*texts, *words))), *_spelled("\n".join(words))}
        parts = [one for one in dict.fromkeys(said) if one[0] in _ADD_UP][:_MOST]
        pairs = [(one, other) for key, one in parts for key_too, other in parts if key == key_too]
        sums = {number for one, other in pairs for number in (one + other, abs(one - other))}
        self._read = frozenset({("", number) for number in (*told, *sums)} | set(said))
        self._text = fold("\n".join((*texts, *words))).plain.replace("_", " ")

    def number(self, value: float, fields: Sequence[str] = ()) -> bool:
        """Whether a number was said, or follows: rounded, minutes of hours, a sum of two.

        Args:
            value: The number.
            fields: Stems of the fields that hold such values; those of other kinds are no source.
        """
        near = _ROUGH if value > _BIG else _NEAR
        return any(abs(value - one) <= near and _is_source(field, fields) for field, one in self._read)

    def word(self, word: str) -> bool:
        """Whether a word was said."""
        return speaks_of((word,), self._text)

    def value(self, value: str) -> bool:
        """Whether a value was said, be it a number or a word."""
        return any(map(self.number, readings(value))) if value[:1].isdigit() else self.word(value)

    def text(self, words: str) -> bool:
        """Whether a string was said, letter for letter but for case."""
        return words.replace("_", " ") in self._text

    def digits(self, number: str) -> bool:
        """Whether a number in groups was said."""
        return re.sub(r"\D", "", number) in re.sub(r"[^\d\n]", "", self._text)


def _is_source(field: str, fields: Sequence[str]) -> bool:
    """Whether a field may hold a value of a kind: it has one of its stems, or one of no kind."""
    if not field or not fields or any(stem in field for stem in fields):
        return True
    return not any(stem in field for kind in _kinds() for stem in kind.fields)


def _in_json(value: JsonValue, texts: list[str], key: str = "") -> Iterator[tuple[str, float]]:
    """The numbers in a result, each with the field that it stands in; what is text goes to `texts`."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _in_json(inner, texts, name)
        for hour, minute in (("duration_hours", "duration_minutes"), ("hour", "minute")):
            try:
                yield "duration", float(int(str(value[hour])) * _MINUTES + int(str(value[minute])))
            except (KeyError, ValueError):
                continue
    elif isinstance(value, list):
        for inner in value:
            yield from _in_json(inner, texts, key)
    elif isinstance(value, str):
        texts.append(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield key, abs(float(value))


def _numbers(text: str) -> Iterator[float]:
    """The numbers of any text in digits, whatever its commas and points mean, and its times as minutes."""
    for number in re.findall(r"(?<![a-zA-Z_\d])\d{1,9}(?:[.,]\d{1,9})?", text):
        yield from readings(number)
    for hour, minute in _CLOCK.findall(text):
        yield float(int(hour) * _MINUTES + int(minute))


def _spelled(text: str) -> Iterator[float]:
    """The small numbers of any text that are words."""
    plain = fold(text).plain
    yield from (float(value) for value, word in enumerate(listed("numbers")) if speaks_of((word,), plain))


def makes_up(plain: str, cues: Sequence[str], heard: Heard) -> bool:
    """Whether a folded sentence states a value that the missing part would tell, and nobody has said.

    Args:
        plain: The sentence.
        cues: The words for the missing part.
        heard: What was said and read.
    """
    if speaks_of(listed("no_value"), plain):
        return False
    return any(_of_kind(kind, plain, heard) for kind in _told_by(cues))


def example(cues: Sequence[str]) -> str:
    """Return a value of the last kind that a missing part would tell; empty where none is known."""
    return next((kind.example for kind in reversed(_told_by(cues))), "")


def makes_up_a_name(text: str, cues: Sequence[str], heard: Heard) -> str:
    """Return a name that the missing part would tell, and nobody has said; empty where there is none.

    Args:
        text: As it came; capitals tell names.
        cues: The words for the missing part.
        heard: What was said and read.
    """
    kinds = _told_by(cues)
    patterns = [
        pattern
        for pattern, wanted in (
            (_PLACE, any(one.places for one in kinds)),
            (_NAME, any(one.names for one in kinds)),
            (_LISTED, any(one.names for one in kinds)),
            (_TITLE, any(one.topics for one in kinds)),
        )
        if wanted
    ]
    names = (name for pattern in patterns for name in pattern.findall(text[:LONGEST]))
    return next((name for name in names if not _is_heard(name, heard)), "")


def _is_heard(name: str, heard: Heard) -> bool:
    words = [word for word in name.split() if word.casefold() not in listed("place_words")]
    return not words or any(heard.word(word) or word in entries("capitals") for word in words)


def _told_by(cues: Sequence[str]) -> list[Kind]:
    """The kinds of values that a missing part would tell."""
    wanted = {cue.removesuffix("*").casefold() for cue in cues}
    return [kind for kind in _kinds() if any(speaks_of(kind.cues, cue) for cue in wanted)]


def _of_kind(kind: Kind, plain: str, heard: Heard) -> bool:
    if any(speaks_of((word,), plain) and not heard.word(word.removesuffix("*")) for word in kind.words):
        return True
    if kind.phone and any(not heard.digits(number) for number in _PHONE.findall(plain)):
        return True
    if kind.clock:
        times = (int(hour) * _MINUTES + int(minute) for hour, minute in _CLOCK.findall(plain))
        return any(not heard.number(time) for time in times)
    if kind.mails and any(not heard.text(mail) for mail in _MAIL.findall(plain)):
        return True
    if kind.roads and any(not heard.word(road) for road in _ROAD.findall(plain)):
        return True
    if kind.topics and _is_made_up_topic(plain, heard):
        return True
    return any(not any(heard.number(one, kind.fields) for one in meant) for meant in _quantities(kind, plain))


def _is_made_up_topic(plain: str, heard: Heard) -> bool:
    """Whether a meeting is said to be about words of which nobody has said one."""
    found = _TOPIC.search(plain)
    words = [] if found is None else [word for word in found["topic"].split() if len(word) >= SHORTEST_STEM]
    told = [word for word in words if heard.word(word) or speaks_of(listed("no_topic"), word)]
    return len(words) >= _TOPIC_WORDS and not told


def tells_state(plain: str, head: str, missing: str, trial: Trial) -> bool:
    """Whether a sentence says that a thing is open or shut, on or off, which only a missing look would tell.

    Args:
        plain: The sentence, folded.
        head: What it stands under.
        missing: The missing part in words ("seeing which windows are open"); all that is left of these
            without the words for looking has to be named, or all things of the kind.
        trial: The record so far: a state that the driver spoke of, or that a call has set, is none.
    """
    stems, found = stems_of(missing), _STATE.search(plain)
    if not stems or found is None or speaks_of(listed("no_value"), plain):
        return False
    said = [event.text for event in trial.events if isinstance(event, Said) and event.role == "user"]
    known = " ".join(one.plain for text in said for one in own_sentences(text) if not one.asks)
    if speaks_of((found["state"],), known) or has("undone", plain[: found.end() + RIGHT_AFTER]):
        return False
    done = [call for call in trial.calls if call.ok and not call.tool.startswith(LOOKS)]
    if any(_is_about(stems, fold_words(f"{call.tool} {call.arguments}").replace("_", " ")) for call in done):
        return False
    return _is_about(stems, f"{head} {plain[: found.start()]}")


def _is_about(stems: Sequence[str], text: str) -> bool:
    """Whether a text names all of some things, or says that it is about all of the kind."""
    every = speaks_of(("all", "every", "each"), text) and speaks_of(stems, text)
    return every or all(speaks_of((stem,), text) for stem in stems)


def _quantities(kind: Kind, plain: str) -> Iterator[tuple[float, ...]]:
    """The numbers of a sentence that are of a kind, by the words around them, each as all it may mean."""
    plain = _SPELLED.sub(lambda found: found[1] + str(listed("numbers").index(found[2])), plain)
    for found in _NUMBER.finditer(plain):
        unit = (found[2] or "").replace(" ", "")
        front = plain[: found.start()]
        if speaks_of(kind.things, front) and _FROM.search(front) and _TO.match(plain, found.end(1)):
            yield readings(found[1])
        before = re.search(r"([a-z]+) ?(?:to |at |of |on )?\Z", front)
        owner = None if unit else _OWNER.search(front)
        if (
            (unit and speaks_of(kind.after, unit))
            or (before and speaks_of(kind.before, before[1]))
            or (owner and speaks_of(kind.things, owner[1]))
        ):
            yield readings(found[1])
