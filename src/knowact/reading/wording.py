"""Where does a clause speak of a slot or of a tool's job? By `askable.py` and the words of `wording.toml`.

Serves the readers of reasons and of limits. Spots have places, because what a clause names first is what it
is about ("the restaurant of which I don't know the menu").
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from knowact.reading.askable import (
    UNIT_WORDS,
    Job,
    Slot,
    hits_in,
    own_words,
    stem,
    table,
    topics_of,
    words_in,
)
from knowact.reading.cues import Finders
from knowact.reading.folding import fold_words

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_ARTICLES = frozenset({"the", "a", "an"})
_OF_SOMETHING = 2
_COMPANY = 2
"""Words of a description that it takes to speak of a job."""
_BY = re.compile(r"\b(?:with|by|using|via|through|besides|except(?: for)?)\s+(?:the\s+)?\Z")
_TURNED = frozenset(
    {"the", "a", "an", "i", "me", "my", "we", "us", "our", "you", "your", "of", "told", "tell"}
)
"""Words that change when the agent repeats what the user said."""


@dataclass(frozen=True, slots=True)
class _Words:
    """`wording.toml`, compiled."""

    finders: Finders
    types: frozenset[str]
    keys: dict[str, frozenset[str]]
    empty_slot: frozenset[str]
    empty_tool: frozenset[str]
    any_task: tuple[str, ...]


@cache
def _words() -> _Words:
    data = tomllib.loads(files("knowact.reading").joinpath("wording.toml").read_text("utf-8"))
    lists = {f"slot:{kind}": list(map(fold_words, words)) for kind, words in data["slots"].items()}
    lists |= {f"job:{name}": list(map(fold_words, group["words"])) for name, group in data["jobs"].items()}
    keys = {name: frozenset(map(stem, group["keys"])) for name, group in data["jobs"].items()}
    empty: dict[str, str] = data["empty"]
    return _Words(
        Finders(lists),
        frozenset(data["slots"]),
        keys,
        frozenset(map(stem, empty["slot"].split())),
        frozenset(map(stem, empty["tool"].split())),
        tuple(map(stem, empty["any_task"].split())),
    )


@lru_cache(maxsize=256)
def _by_words(plain: str) -> dict[str, list[tuple[int, int]]]:
    return _words().finders.by_words(plain)


def _found(label: str, plain: str) -> list[tuple[int, int]]:
    return _words().finders.spans(label, plain, _by_words(plain))


def slot_spots(slot: Slot, plain: str, others: Iterable[Slot] = ()) -> list[tuple[int, int]]:
    """Where a folded clause speaks of a slot.

    Args:
        slot: The slot.
        plain: The clause.
        others: Other slots; a word of one topic is not this slot's where the clause has another one's role
            ("to", "from") and not its own.
    """
    own = own_words(slot) - _words().empty_slot
    spots = [match.span() for match in _WORD.finditer(plain) if stem(match[0]) in own]
    kind = slot.attribute.split(".", 1)[0] or slot.parameter
    for label in {slot.attribute, f"{kind}.*"} & _words().types:
        spots += _found(f"slot:{label}", plain)
    topics = topics_of(slot)
    by_topic = [(hit.start, hit.end) for hit in hits_in(plain) if hit.topics & topics]
    if by_topic and _has_role(slot, plain, others):
        spots += by_topic
    return sorted(set(spots))


def _has_role(slot: Slot, plain: str, others: Iterable[Slot]) -> bool:
    topics = topics_of(slot)
    spoken = {stem(match[0]) for match in _WORD.finditer(plain)}
    roles = {slot.parameter, *(other.parameter for other in others if topics_of(other) & topics)}
    spoken_roles = {role for role in roles if table().roles.get(role, frozenset[str]()) & spoken}
    return not spoken_roles or slot.parameter in spoken_roles


@lru_cache(maxsize=4096)
def _groups(job: Job) -> frozenset[str]:
    """The groups of `wording.toml` that a job belongs to."""
    parts = set(words_in(fold_words(" ".join([job.tool, *job.reports]).replace("_", " "))))
    return frozenset(name for name, keys in _words().keys.items() if keys & parts)


@lru_cache(maxsize=4096)
def _name_words(job: Job) -> frozenset[str]:
    """The words of a tool's name, and of the fields of its result, that tell what it is about."""
    every = fold_words(" ".join([job.tool, *job.reports]).replace("_", " "))
    parts = set(words_in(every)) - set(map(stem, UNIT_WORDS))
    return frozenset(parts - table().empty - _words().empty_slot - _words().empty_tool)


@lru_cache(maxsize=4096)
def _told_words(job: Job) -> frozenset[str]:
    """The words of a tool's description and fields, of which it takes two to speak of its job."""
    told = words_in(fold_words(" ".join([job.description, *job.reports]).replace("_", " ")))
    return frozenset(word for word in told if word not in table().empty) - frozenset(_words().any_task)


def job_spots(job: Job, plain: str, others: Iterable[Job] = ()) -> list[tuple[int, int]]:
    """Where a folded clause speaks of what a tool does.

    Args:
        job: The job.
        plain: The clause.
        others: Jobs beside it; what they share with it does not tell, and a tool's full name beats all else.
    """
    named = _named(job, plain)
    rest = [other for other in others if other != job]
    if named or any(_named(other, plain) for other in rest):
        return named
    shared = frozenset(group for other in rest for group in _groups(other))
    spots = [span for group in _groups(job) - shared for span in _found(f"job:{group}", plain)]
    words = _name_words(job) - frozenset(word for other in rest for word in _name_words(other))
    spots += [match.span() for match in _WORD.finditer(plain) if stem(match[0]) in words]
    if spots:
        return sorted(set(spots))
    told = _told_words(job) - frozenset(word for other in rest for word in _told_words(other))
    found = {stem(match[0]): match.span() for match in _WORD.finditer(plain) if stem(match[0]) in told}
    return sorted(found.values()) if len(found) >= _COMPANY else []


def _named(job: Job, plain: str) -> list[tuple[int, int]]:
    return [match.span() for match in _name(job).finditer(plain)]


@lru_cache(maxsize=4096)
def _name(job: Job) -> re.Pattern[str]:
    """A tool's name as a reply writes it; folding takes the underscores away."""
    parts = map(re.escape, re.split(r"[\W_]+", fold_words(job.tool.replace("_", " "))))
    return re.compile(rf"(?<!\w){r'[ _]+'.join(parts)}(?!\w)")


def without_means(plain: str, jobs: Iterable[Job]) -> str:
    """A clause without tools that it only names as a means: "can't be checked with get_forecast"."""
    for job in jobs:
        for start, end in reversed(_named(job, plain)):
            led = _BY.search(plain, 0, start)
            if led:
                plain = plain[: led.start()] + " " * (end - led.start()) + plain[end:]
    return plain


def says(phrase: str, plain: str) -> bool:
    """Whether a folded clause repeats a phrase, the user's "my" as the agent's "your"."""
    wanted = frozenset(words_in(fold_words(phrase))) - _TURNED
    return bool(wanted) and wanted <= frozenset(words_in(plain))


def heads_of(phrase: str) -> tuple[str, ...]:
    """What a phrase is about, folded: "number" and "point" of "the number of points my sister counted"."""
    words = [word for word in words_in(fold_words(phrase)) if word not in _ARTICLES]
    heads = words[:1]
    while len(words) > _OF_SOMETHING and words[1] == "of":
        words = words[2:]
        heads += words[:1]
    return tuple(head for head in heads if head not in _TURNED)


def phrase_spots(phrase: str, plain: str) -> list[tuple[int, int]]:
    """Where a folded clause says what a phrase is about ("which friend", for "the friend I mentioned")."""
    heads = heads_of(phrase)
    return [match.span() for match in _WORD.finditer(plain) if stem(match[0]) in heads]
