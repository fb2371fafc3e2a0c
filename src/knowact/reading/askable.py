"""What a text speaks of, in terms of parameters and tools: the table `askable.toml`, ready to be searched.

It serves the person behind `ask_human` (what is asked for?) and the reader of reasons (what is said to be
missing?). Words count as whole words; where two entries overlap, the longer one stands ("train number" is
no "number").
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from knowact.reading.cues import Finders
from knowact.reading.folding import fold_words


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter as people speak of it.

    Attributes:
        parameter: Its name in the schema.
        description: What the schema says of it.
        attribute: Its data-flow type ("city.name"), as in `core.tool.Need`; may be empty.
    """

    parameter: str
    description: str = ""
    attribute: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """What a tool does, as far as it can be spoken of.

    Attributes:
        tool: The tool's name.
        description: As the agent would read it.
        reports: Its result fields, as in `core.tool.Report.field`.
    """

    tool: str
    description: str = ""
    reports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Hit:
    """An entry of the table in a text.

    Attributes:
        start: Where it begins in the folded text.
        end: Where it ends.
        asking: Whether the entry asks without naming the thing ("where").
        topics: The topics that it belongs to.
    """

    start: int
    end: int
    asking: bool
    topics: frozenset[str]


@dataclass(frozen=True, slots=True)
class Table:
    """`askable.toml`, compiled."""

    types: Mapping[str, frozenset[str]]
    parameters: Mapping[str, frozenset[str]]
    topic_words: Mapping[str, frozenset[str]]
    finders: Finders
    roles: Mapping[str, frozenset[str]]
    groups: Mapping[str, frozenset[str]]
    empty: frozenset[str]


_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_THING_TAILS = frozenset({"name", "title", "number", "reference", "symbol", "word", "line", "document"})
_NAMED_TAILS = frozenset({"name", "title"})
UNIT_WORDS = frozenset({"eur", "cm", "kg", "kmh", "c", "ml", "mm", "m2", "km", "per", "100"})
"""Parts of parameters' names that say the unit, not the thing."""
_PLURAL = 3
"""Words of up to this many letters keep their final s ("gas", "is")."""


@cache
def table() -> Table:
    """Load the table."""
    data: dict[str, Any] = tomllib.loads(files("knowact.reading").joinpath("askable.toml").read_text("utf-8"))
    topics: dict[str, dict[str, list[str]]] = data["topics"]
    lists: dict[str, list[str]] = {"lack": data["lack"]["words"]}
    for name, topic in topics.items():
        lists[f"word:{name}"] = topic["words"]
        lists[f"ask:{name}"] = topic.get("asks", [])
    groups: dict[str, set[str]] = {}
    for line in data["jobs"]["groups"]:
        words = {stem(fold_words(word)) for word in line.split()}
        for word in words:
            groups.setdefault(word, set()).update(words)
    return Table(
        types={name: frozenset(topic.get("types", [])) for name, topic in topics.items()},
        parameters={name: frozenset(topic.get("parameters", [])) for name, topic in topics.items()},
        topic_words={name: frozenset(map(fold_words, topic["words"])) for name, topic in topics.items()},
        finders=Finders({name: [_entry(one) for one in entries] for name, entries in lists.items()}),
        roles={name: frozenset(words) for name, words in data["roles"].items()},
        groups={word: frozenset(group) for word, group in groups.items()},
        empty=frozenset(stem(word) for word in data["jobs"]["empty"].split()),
    )


def _entry(text: str) -> str:
    """An entry in folded spelling; folding would take the star at its end for Markdown."""
    return fold_words(text.removesuffix("*")) + ("*" if text.endswith("*") else "")


def stem(word: str) -> str:
    """A word without possessive and plural endings; crude, the same for both sides of a comparison."""
    word = word.removesuffix("'s")
    if len(word) <= _PLURAL or word.endswith(("ss", "us")):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


def words_in(plain: str) -> list[str]:
    """The stems of a folded text, in order."""
    return [stem(match[0]) for match in _WORD.finditer(plain)]


@lru_cache(maxsize=4096)
def topics_of(slot: Slot) -> frozenset[str]:
    """The topics of the table that a slot belongs to: by its type, else by its parameter."""
    kind = slot.attribute.split(".", 1)[0]
    by_type = {name for name, types in table().types.items() if {slot.attribute, f"{kind}.*"} & types}
    by_name = {name for name, parameters in table().parameters.items() if slot.parameter in parameters}
    return frozenset(by_type or by_name)


@lru_cache(maxsize=4096)
def own_words(slot: Slot) -> frozenset[str]:
    """A slot's own words, as stems: those of its parameter and of the thing that its type is about."""
    kind, _, tail = slot.attribute.partition(".")
    names = _split(slot.parameter) | ({tail} & _THING_TAILS)
    if is_named(slot):
        names.add("name")
    if tail in _THING_TAILS:
        names |= _split(kind)
    return frozenset(stem(name) for name in names - UNIT_WORDS)


def is_named(slot: Slot) -> bool:
    """Whether the slot's value is what something is called."""
    return slot.attribute.rpartition(".")[2] in _NAMED_TAILS


def _split(name: str) -> set[str]:
    return {
        part for part in re.split(r"[\W_]+", fold_words(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))) if part
    }


def hits_in(plain: str) -> list[Hit]:
    """Every entry of the table's topics in a folded text, in order, without those inside longer ones."""
    by_words = table().finders.by_words(plain)
    found: dict[tuple[int, int, bool], set[str]] = {}
    for topic in table().types:
        for label in ("word", "ask"):
            for start, end in table().finders.spans(f"{label}:{topic}", plain, by_words):
                found.setdefault((start, end, label == "ask"), set()).add(topic)
    outermost, reach = set[tuple[int, int]](), -1
    for start, end in sorted({(start, end) for start, end, _ in found}, key=lambda span: (span[0], -span[1])):
        if end > reach:
            outermost.add((start, end))
            reach = end
    return [
        Hit(start, end, asking, frozenset(topics))
        for (start, end, asking), topics in sorted(found.items())
        if (start, end) in outermost
    ]


def lacks_in(plain: str) -> list[tuple[int, int]]:
    """Where a folded text says that something is not there."""
    return table().finders.spans("lack", plain, table().finders.by_words(plain))


@lru_cache(maxsize=4096)
def _job_words(job: Job) -> tuple[frozenset[str], frozenset[str]]:
    """What speaks of a job by itself, and what does so in company."""
    name = [stem(word) for word in re.split(r"[\W_]+", fold_words(job.tool)) if word]
    telling = [word for word in name if word not in table().empty]
    fields = {stem(word) for field in job.reports for word in _split(field)}
    strong = {word for word in (*telling[-1:], *fields) if word not in table().empty}
    weak = {word for word in (*telling, *words_in(fold_words(job.description))) if word not in table().empty}
    return _widened(strong), _widened(weak)


def _widened(words: Iterable[str]) -> frozenset[str]:
    groups = table().groups
    return frozenset(other for word in words for other in (word, *groups.get(word, ())))


def speaks_of(job: Job, plain: str, beside: Sequence[str] = ()) -> bool:
    """Whether a folded text speaks of what a tool does: its name, a result, or two words about it.

    Args:
        job: What the tool does.
        plain: The text.
        beside: Words that do not count, because they belong to something else (a known value).
    """
    spoken = [word for word in words_in(plain) if word not in set(beside)]
    if fold_words(job.tool.replace("_", " ")) in " ".join(plain.split()):
        return True
    strong, weak = _job_words(job)
    if strong & set(spoken):
        return True
    counted = {min({word, *table().groups.get(word, ())}) for word in spoken if word in weak}
    return len(counted) > 1
