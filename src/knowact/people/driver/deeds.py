"""What is to be done in a car, by a wish or a proposal: clauses with their things, ways, numbers and places.

The things and what the rules of the car join to them stand in `proposals.toml`.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal

from knowact.people.driver.details import numbers
from knowact.people.driver.drafts import without_quotes
from knowact.people.driver.script import Script
from knowact.reading.cues import phrases
from knowact.reading.folding import fold, fold_words

Way = Literal["+", "-"]
"""On or open, off or closed."""

_CLAUSE: Final = re.compile(r"[.,;:!?\n](?:\s|\Z)|\s[-\u2013\u2014]\s|\b(?:and (?!a half)|then|but|plus)\b")
_ASIDE: Final = re.compile(
    r"\b(?:because|since|although|though|even (?:if|though)|so that|so (?:you|it)|which|whose|given"
    r"|while (?:the|it|you|we)"
    r"|as (?:it|the|you|there|i)|when|before i|after i|once|in case|without|rather than|except|despite|due to"
    r"|instead of|for (?:better|more|less)|but not|not the|if (?!i\b|we\b))\b.*"
)
"""What follows says why or when, and proposes nothing."""
FRONT: Final = re.compile(
    r"\b(?:shall|should|may|can|could|might|must) (?:i|we)\b"
    r"|\bi(?:'d|'ll| would| will| need to| have to| can)\b|\bi(?:'m| am) (?:ready|about) to\b"
    r"|\b(?:want|like) me to\b|\bif i\b|\blet me\b|\bsoll ich\b"
)
_FUTURE: Final = re.compile(r"\b(?:i'm|i am) going to\b")
_STATE: Final = re.compile(
    r"\b(?:is|are|was|were|isn't|aren't|it's|there's|they're|has|have|had|did)\b|'ve\b"
)
_ON: Final = re.compile(
    r"\b(?:open\w*|activat\w*|enabl\w*|start\w*|going|down to \d)\b"
    r"|\b(?:switch|turn|put|be)(?:ed|ing)? (?:it |them )?on\b(?! (?:\w+ side|two|three|one|level|\d))"
    r"|\bon\b(?! (?:the|your|my|his|her|their|our|a|an|level|which|this|that|each|both|either|every|all|it"
    r"|me|low|\d+|one|two|three|top|foot|time|side|board|here))"
)
_OFF: Final = re.compile(r"\boff\b(?! to\b)|\b(?:clos\w+|shut\w*|deactivat\w*|disabl\w*)\b")
_STRICT: Final = re.compile(r"(?:\b(?:to|at|on|of|level|step|stage|speed|setting|position)\s+|\A\s*)\Z")
_UNIT: Final = re.compile(r"\s*(?:percent\b|per cent\b|%|degrees?\b|°)")
_MEASURE: Final = re.compile(
    r"\s*(?:km|kilomet|m\b|min|hours?|h\b|kw|€|euro|:\d\d|pm\b|am\b|o'clock|stops?\b|routes?\b|st\b|nd\b"
    r"|rd\b|th\b|windows?\b|seats?\b|sides?\b|of (?:us|you|them))"
)
_RELATIVE: Final = re.compile(
    r"\b(?:more|less|warmer|cooler|colder|hotter|stronger|weaker|higher|lower|steps?|than it is"
    r"|notch\w*|by)\b"
)
_TO: Final = re.compile(r"\bto \d")
_AIRS: Final[Mapping[Way, re.Pattern[str]]] = {
    "+": re.compile(r"\b(?:fresh|outside) air\b"),
    "-": re.compile(r"\b(?:recirculat\w*|inside air)"),
}
_PARTS: Final = (
    (re.compile(r"\b(?:all the way|fully|completely|entirely|wide open|as far as it goes)\b"), 100.0),
    (re.compile(r"\b(?:halfway|half(?:-| )open|by half|half)\b"), 50.0),
    (re.compile(r"\ba quarter\b"), 25.0),
)
_LEFT: Final = re.compile(
    r"\b(?:leav\w+|keep\w*|stay\w*|remain\w*|untouched|unchanged|as (?:it|they) (?:is|are)|alone)\b"
)

_OWN: Final = r"(?:side|seat|window|zone|reading|light|own|temperature|part|door)"
_PLACES: Final[Sequence[tuple[re.Pattern[str], frozenset[str]]]] = tuple(
    (re.compile(words), frozenset(where.split()))
    for words, where in (
        (r"\b(?:all|every|everyone|everybody|each|whole car|everywhere)\b", "D P L R"),
        (r"\b(?:rear left|left rear|driver(?:'s)?[- ]side rear|behind (?:me|you|the driver))\b", "L"),
        (r"\b(?:rear right|right rear|passenger(?:'s)?[- ]side rear|behind (?:the|your) passenger)\b", "R"),
        (r"\b(?:rear|back (?:windows?|seats?)|(?:in|at) the back)\b", "L R"),
        (r"\b(?:both|front|for us|two of us|two of you)\b", "D P"),
        (rf"\b(?:my|your) {_OWN}|\b(?:driver(?:'s)?|yours|mine|myself|yourself|for me|for you)\b", "D"),
        (r"\b(?:passenger(?:'s)?|beside (?:me|you)|next to (?:me|you))\b", "P"),
    )
)
_FRONT_SEATS: Final = frozenset("DP")
_BY_A_SEAT: Final = re.compile(
    r"\b(?:above|over|at|beside|near|by) (?:your|my|the|his|her)(?: [\w'-]+)? seats?\b"
)


@dataclass(frozen=True, slots=True)
class Thing:
    """An entry of `proposals.toml`."""

    words: re.Pattern[str]
    needs: Mapping[str, str]
    extent: bool
    level: bool


@dataclass(frozen=True, slots=True)
class Deed:
    """A clause about things.

    Attributes:
        plain: Its words.
        things: What it is about; empty where it only goes on with the one before.
        ways: On or open, off or closed; both where both are said.
        counted: The numbers that it sets; of a wish, all that it has.
        relative: Whether they say how much more or less.
        places: Which seats, windows or zones.
        left: Whether it lets something be as it is.
    """

    plain: str
    things: frozenset[str]
    ways: frozenset[Way]
    counted: frozenset[float]
    relative: bool
    places: frozenset[str]
    left: bool


@cache
def known_things() -> Mapping[str, Thing]:
    """The entries of `proposals.toml` by their names."""
    data = tomllib.loads(files("knowact.people.driver").joinpath("proposals.toml").read_text("utf-8"))
    return {
        name: Thing(
            phrases(one["words"]),
            {need.rstrip("+-"): need[-1] if need[-1] in "+-" else "" for need in one.get("needs", ())},
            one.get("extent", False),
            one.get("level", False),
        )
        for name, one in data.items()
    }


@cache
def amounts() -> frozenset[str]:
    """The things that are set to a number."""
    return frozenset(name for name, one in known_things().items() if one.extent or one.level) | {
        "temperature"
    }


@cache
def levels() -> frozenset[str]:
    """The things that run at a level."""
    return frozenset(name for name, one in known_things().items() if one.level)


def about(plain: str) -> frozenset[str]:
    """The things of a text; where one stands inside another ("lights" in "fog lights") the longer counts."""
    plain = _BY_A_SEAT.sub(" ", plain)
    spans = [
        (m.start(), m.end(), name) for name, one in known_things().items() for m in one.words.finditer(plain)
    ]
    return frozenset(
        name
        for low, high, name in spans
        if not any(a <= low and high <= b and b - a > high - low for a, b, _ in spans)
    )


def _places(plain: str) -> frozenset[str]:
    found, rest = frozenset[str](), plain
    rear = re.search(r"\b(?:rear|back|behind)\b", plain) is not None
    for words, where in _PLACES:
        hit = words.search(rest)
        if hit is None or (rear and where == _FRONT_SEATS and hit[0] == "both"):
            continue
        found |= where
        rest = words.sub(" ", rest)
    return found


def _counted(plain: str, *, strict: bool) -> frozenset[float]:
    found = {value for words, value in _PARTS if words.search(plain)}
    if re.search(r"(?<![\d.])0\s*(?:%|percent)", plain):
        found.add(0.0)
    for low, high, value in numbers(plain):
        measured = _MEASURE.match(plain, high) is not None
        said = _UNIT.match(plain, high) is not None or _STRICT.search(plain[:low]) is not None
        if not measured and (said or not (strict or plain[low:high] == "one")):
            found.add(value)
    return frozenset(found)


def _deed(plain: str, *, strict: bool) -> Deed:
    things, counted = about(plain), _counted(plain, strict=strict)
    relative = _RELATIVE.search(plain) is not None and not (strict and _TO.search(plain))
    ways = _ways(plain, things, counted)
    if not strict and _STATE.search(plain):
        ways = frozenset[Way]()
    return Deed(plain, things, ways, counted, relative, _places(plain), bool(_LEFT.search(plain)))


def _ways(plain: str, things: frozenset[str], counted: frozenset[float]) -> frozenset[Way]:
    found, off = set[Way](), _OFF.search(plain) is not None
    if "circulation" in things:
        found.update(way for way, words in _AIRS.items() if words.search(plain) and not off)
        return frozenset(found)
    if _ON.search(plain):
        found.add("+")
    if off:
        found.add("-")
    if any(known_things()[one].extent for one in things):
        found.update("+" if value else "-" for value in counted)
    elif counted and any(known_things()[one].level for one in things):
        found.add("+")
    return frozenset(found)


def wishes_of(script: Script) -> tuple[Deed, ...]:
    """The clauses of the wishes and of the details."""
    return _cut((script.opening, *script.later), tuple(one.says for one in script.details))


@lru_cache(maxsize=1024)
def _cut(wishes: tuple[str, ...], details: tuple[str, ...]) -> tuple[Deed, ...]:
    """Clauses; those of a wish that name nothing go on with the one before."""
    found, before = list[Deed](), frozenset[str]()
    for text in wishes:
        for clause in _CLAUSE.split(fold(text).plain):
            deed = _deed(clause, strict=False)
            if not deed.things and not deed.left:
                deed = replace(deed, things=before)
            before = deed.things or before
            found.append(deed)
    clauses = (clause for text in details for clause in _CLAUSE.split(fold(text).plain))
    return (*found, *(_deed(clause, strict=False) for clause in clauses))


def allowed_by(script: Script) -> Mapping[str, str]:
    """The things that a wish, a cue or a detail speaks of, and what the rules join to them: which way."""
    cues = (*script.secrets, *(cue for one in script.details for cue in one.about))
    return _joined(wishes_of(script), " . ".join(cues))


@lru_cache(maxsize=1024)
def _joined(wishes: tuple[Deed, ...], cues: str) -> Mapping[str, str]:
    found = {name: "" for one in wishes for name in one.things}
    spoken = dict.fromkeys(about(fold_words(cues.replace("*", ""))), "")
    joined = [need for name in (*found, *spoken) for need in known_things()[name].needs.items()]
    # What is joined to what is joined: the windows of the air conditioning of the defroster.
    joined += [need for name, _ in joined for need in known_things()[name].needs.items()]
    return spoken | dict(joined) | found


def deeds(text: str) -> tuple[Deed, ...]:
    """What a text proposes to do; quoted words, reasons and states of things are left out."""
    return tuple(_proposed(fold(without_quotes(text)).plain))


def _proposed(plain: str) -> Iterator[Deed]:
    for clause in _CLAUSE.split(_FUTURE.sub(" i will ", plain)):
        kept = _ASIDE.sub(" ", clause)
        if _STATE.search(kept) is None or FRONT.search(kept) is not None:
            yield _deed(kept, strict=True)
