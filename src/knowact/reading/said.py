"""What a reply states: its own sentences without those that lack, ask, announce, suppose or illustrate.

`claims` looks at a value and asks whether the reply stands by it. Here no value is known beforehand, so it
goes the other way round: everything that asserts nothing is left out, and what remains is searched.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from knowact.reading.cues import cues
from knowact.reading.folding import fold
from knowact.reading.json_text import JsonArray, JsonItem, JsonObject, find_json
from knowact.reading.limits import read_limits
from knowact.reading.missing import Missing
from knowact.reading.own_sentences import LONGEST, OwnSentence, own_sentences
from knowact.reading.reply import detect_language

_LISTS = (
    "announces",
    "conditions",
    "examples",
    "general",
    "answers",
    "guesses",
    "retracts",
    "empty",
    "no_value",
)
_CUT = re.compile(
    r",(?=\s)|\s[-\u2013]\s|\u2014|[()]"
    r"|\b(?=(?:but|however|though|although|yet|aber|mais|pero|maar)\b)"
    r"|\band (?=(?:i|it|so|there|they|he|she|the|your)\b)|\b(?=nor\b)"
)
_RUNS_ON = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bz\.b)(?<!\bdr)(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bst)(?<!\bca)(?<!\betc)"
    r"(?<!\bapprox)(?<!\bincl)(?<!\bvs)(?<! [ap]\.m)(?<=[^\W_])\.\s+(?=[^\W\d_])(?!\S*\d)"
)
_NUMBER_SIGN = re.compile(r"\b([Nn])o\.(?=\s+\S*\d)")
"""Unlike "no. There"; in full it is no denial."""
_DEEPEST = 6
_CALL_KEYS = frozenset({"arguments", "args", "parameters", "tool_input", "tool_calls"})
"""Keys of JSON that is a call; it states nothing."""
_NOT = re.compile(r"n't\b|\b(?:not|no|cannot|unable|unknown|open|missing)\b")
POINTS = re.compile(
    r"\W*(?:it|this|that|they|these|those|there|so|the answer|the result|altogether|in total)\b"
)
"""Begins a part that speaks of what the sentence before named."""
_DASH = re.compile(r"\s[-\u2013\u2014]\s")
_TURNS = re.compile(r"\W*(?:but|however|though|yet|so|still|even so|aber|mais|pero|maar|dus)\b")
_HANGS_ON = re.compile(r"\W*(?:which|who|whose|whom|where|or|nor|and|because|since|as|even|including|like)\b")
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|will|would|should|has|have|had|may|might|it's|that's|ist|sind|est|son|es)\b"
    r"|'(?:s|d|ll|re)\b"
)
_HEDGED_VALUE = re.compile(
    r"\b(?:about|around|roughly|approximately|maybe|perhaps|circa|ca|something like)\b|~"
)


@dataclass(frozen=True, slots=True)
class Said:
    """A part of a sentence that states something.

    Attributes:
        plain: The part, in folded lower case.
        around: The sentence that it comes from, with what that stands under.
        before: The sentence before that one.
        sentence: The number of its sentence in the reply.
        modest: Whether the reply admits a limit anywhere: what it says in general is then no answer.
    """

    plain: str
    around: str
    before: str
    sentence: int
    modest: bool


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a sentence, before it is known whether it counts."""

    plain: str
    admits: bool
    general: bool


@cache
def word_lists() -> dict[str, str]:
    """The lists of words of `inventions.toml`, and its groups, a line each."""
    data = _data()["words"]
    return {
        "fillers": data["fillers"],
        "generic": data["generic"],
        "groups": "\n".join(data["groups"]),
    }


@cache
def patterns() -> dict[str, re.Pattern[str]]:
    """The patterns of `inventions.toml`, by list."""
    lists: dict[str, list[str]] = _data()["patterns"]
    return {name: re.compile("|".join(f"(?:{one})" for one in lists[name])) for name in _LISTS}


@cache
def empty_words() -> frozenset[str]:
    """Words that any answer may have, and that tell nothing of what it is about."""
    return frozenset({*word_lists()["fillers"].split(), *cues().empty, *cues().small})


def _data() -> dict[str, Any]:
    return tomllib.loads(files("knowact.reading").joinpath("inventions.toml").read_text("utf-8"))


def language_of(text: str) -> str:
    """The language of a reply; of two that lead, the one that is not English."""
    plain = fold(text).plain
    found = detect_language(plain)
    words = set(re.findall(r"\w+", plain[:LONGEST]))
    counts = {name: len(words & small) for name, small in cues().languages.items() if name != "en"}
    best = max(counts, key=lambda name: counts[name])
    english = len(words & cues().languages["en"])
    return found or (best if counts[best] > english else "")


def said_in(text: str) -> list[Said]:
    """Cut out what a reply states, part by part, in order.

    Args:
        text: The reply as it came; anything at all.

    General knowledge ("usually") counts where the reply admits nothing, or where it is given as the answer.
    """
    told = _NUMBER_SIGN.sub(r"\1umber", f"{text}\n{_figures(text)}")
    sentences = [part for one in own_sentences(told) for part in _apart(one)]
    parts = [list(_parts(sentence)) for sentence in sentences]
    admits = any(part.admits for every in parts for part in every)
    found = list[Said]()
    for index, sentence in enumerate(sentences):
        if _is_taken_back(sentences, index):
            continue
        before = f"{sentences[index - 1].head} {sentences[index - 1].plain}" if index else ""
        around = f"{sentence.head} {sentence.plain}"
        found += [
            Said(part.plain, around, before, index, admits)
            for part in _standing(parts[index])
            if not (admits and part.general)
        ]
    return found


def _figures(text: str) -> str:
    """What the JSON of a reply says in numbers, a line each; its texts are read with the reply."""
    return "\n".join(line for found in find_json(text) for line in _in_words(found.value, "", 0))


def _in_words(value: JsonItem, key: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(value, JsonObject):
        if any(name.lower() in _CALL_KEYS for name, _ in value.members):
            return
        for name, inner in value.members:
            yield from _in_words(inner, name, depth + 1)
    elif isinstance(value, JsonArray):
        for inner in value.items:
            yield from _in_words(inner, key, depth + 1)
    elif isinstance(value, bool) and key:
        yield f"{key.replace('_', ' ')}: {'yes' if value else 'no'}"
    elif isinstance(value, int | float) and key:
        yield f"{key.replace('_', ' ')}: {value}"


def _apart(sentence: OwnSentence) -> Iterator[OwnSentence]:
    """The sentences of one that runs on after a unit, which looks like an abbreviation ("17 \u00b0C. It")."""
    pieces = _RUNS_ON.split(sentence.plain)
    for index, plain in enumerate(pieces):
        last = index == len(pieces) - 1
        yield OwnSentence(plain, sentence.head if not index else "", sentence.asks and last)


def _is_taken_back(sentences: Sequence[OwnSentence], index: int) -> bool:
    following = sentences[index + 1].plain if index + 1 < len(sentences) else ""
    return patterns()["retracts"].search(f"{sentences[index].plain} {following[:80]}") is not None


def _parts(sentence: OwnSentence) -> Iterator[_Part]:
    """The parts of a sentence; none where all of it asks, announces or supposes."""
    find = patterns()
    plain = _without_example(_under_head(sentence.plain))
    if sentence.asks or find["announces"].match(plain):
        return
    supposed = False
    general = find["general"].search(plain) is not None and not find["answers"].search(plain)
    for piece in _CUT.split(plain):
        if not re.search(r"\w", piece):
            continue
        piece = piece.strip()  # noqa: PLW2901 - the same part
        supposed = find["conditions"].search(piece) is not None or (supposed and not _TURNS.match(piece))
        if supposed or find["announces"].search(piece):
            continue
        limits = read_limits(piece, Missing())
        lacks = limits.admits or find["empty"].search(piece) is not None
        if limits.asks and not lacks:
            continue
        yield _Part(piece, lacks, general or find["general"].search(piece) is not None)


def _under_head(plain: str) -> str:
    """The sentence with a colon where a dash stands behind its head ("Gate - A21")."""
    dash = _DASH.search(plain)
    if dash is None or _VERB.search(plain, dash.end()) or _NOT.search(plain, 0, dash.start()):
        return plain
    return f"{plain[: dash.start()]}: {plain[dash.end() :]}"


def _without_example(plain: str) -> str:
    """The sentence up to an example in it, unless that is what to expect."""
    example = patterns()["examples"].search(plain)
    if example is None or patterns()["answers"].search(plain, 0, example.start()):
        return plain
    closing = plain.find(")", example.end())
    opened = plain.rfind("(", 0, example.end()) > plain.rfind(")", 0, example.end())
    rest = plain[closing:] if opened and closing >= 0 else ""
    return f"{plain[: example.start()]} {rest}"


def _standing(parts: Sequence[_Part]) -> Iterator[_Part]:
    """The parts that admit nothing, and do not hang on one that does."""
    after_admission = False
    for part in parts:
        if part.admits:
            after_admission = True
            continue
        if after_admission and not _TURNS.match(part.plain):
            free = _VERB.search(part.plain) or _HEDGED_VALUE.search(part.plain)
            if _HANGS_ON.match(part.plain) or not free:
                continue
        after_admission = False
        yield part
