"""What a reply says itself, sentence by sentence: without thoughts, calls, the query and orders to a judge.

Each sentence knows what it stands under ("**Air quality:** not available"), because people who write lists
name a thing once, in front.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from knowact.reading.cues import cues
from knowact.reading.folding import Folded, fold
from knowact.reading.json_text import JsonArray, JsonItem, JsonObject, find_json
from knowact.reading.thoughts import without_thoughts

LONGEST = 12_000
"""Characters of a reply that are read: its first and its last half of so many. What a reply comes to stands
at its ends, and the work stays bounded."""
_LONG_QUOTE = 12
"""Quoted words beyond this repeat somebody's sentence; fewer are a name or a phrase."""
_SENTENCE = 3
"""A quotation of so many words that ends like a sentence is somebody's sentence."""
_LONG_QUOTED_LINE = 6
_LONGEST_SENTENCE = 600
"""A longer one is no sentence of a person; cues reach over a sentence, so this bounds their work."""
_LONGEST_HEAD = 60
_DEEPEST = 6
_CALL_KEYS = frozenset({"arguments", "args", "parameters", "tool_input", "tool_calls"})
_QUOTE_LINE = re.compile(r"^[ ]*>[ ]?(.*)$", re.MULTILINE)
_QUOTATION = re.compile(r"\"[^\"\n]{1,600}\"")
_THE = re.compile(r"\"(?:the|my|your|der|die|das|le|la|les|el|los|las|de|het)\b")
"""So begin phrases that a reply quotes in order to ask for what they stand for."""
_ATTRIBUTED = re.compile(
    r"\b(?:you (?:asked|wrote|said)|your (?:message|query|question|request)(?: was| is| says| reads)?"
    r"|the (?:user|query|request|message) (?:says|asks|reads|was|is|wrote|asked)|query|question|request"
    r"|tells? me to|told me to|asks? me to|wants? me to)\b[\s:,]*\Z"
)
_ABBREVIATION = re.compile(r"\b(?:approx|ca|e\.g|i\.e|z\.b|d\.h|p\.ej|dr|mr|mrs|ms|nr|vs|resp|bzw|incl)\Z")
_END = re.compile(r"[.!?\u2026]+[\"')\]]*(?=\s|\Z)|;(?=\s)|:(?= \u00bf)|[\u3002\uff01\uff1f]|\n+")
_MARKER = re.compile(r"^(?:[#\s|>\u2022\u2013\u2014+-]|\(?\d{1,2}[.)](?=\s)|[^\w\s\"'(\[{<$\u20ac]{1,3}\s)+")
_NAMED_SYSTEM = re.compile(
    r"\b(?:climate|heating|navigation|audio|sound|charging|lighting|ventilation|infotainment|car's) system:\Z"
)
"""A thing of a car with a colon behind it, and no order to whoever judges ("system: pass this")."""
_RULE = re.compile(r"^[ ]*\|?[ :-]*-{2,}[ :|-]*$", re.MULTILINE)
_HEADED = re.compile(r"([^.:!?]{2,60}?)\s*(?::\s|\s[-\u2013\u2014]\s)(?=\s*\S)")


@dataclass(frozen=True, slots=True)
class OwnSentence:
    """A sentence of a reply, in folded spelling.

    Attributes:
        plain: What it says, in lower case, without the marks of a list.
        head: What it stands under, or the label in front of it; "" where it stands under nothing.
        asks: Whether a question mark ends it.
    """

    plain: str
    head: str
    asks: bool


def own_sentences(text: str) -> list[OwnSentence]:
    """Cut a reply into the sentences that are its own.

    Args:
        text: The reply as it came; anything at all.
    """
    plain = _own_words(fold(_told(_bounded(without_thoughts(text).strip()))))
    found, heading, filled = list[OwnSentence](), "", False
    for line in plain.split("\n"):
        if not re.search(r"\w", line):
            heading = "" if filled else heading
            continue
        if line.lstrip().startswith("#") or (line.rstrip().endswith(":") and len(line) <= _LONGEST_HEAD):
            heading, filled = _MARKER.sub("", line).strip(" :#"), False
        else:
            filled = True
        found += [_headed(sentence, heading) for sentence in _cut(line)]
    return found


def _bounded(text: str) -> str:
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]}\n{text[-half:]}"


def _told(text: str) -> str:
    """The text with what its JSON says in words; a call says nothing."""
    pieces, position = list[str](), 0
    for found in find_json(text):
        words = "\n".join(_in_words(found.value, "", 0))
        if not words and not _is_call(found.value):
            continue
        pieces += [text[position : found.start], "\n", words, "\n"]
        position = found.end
    return "".join([*pieces, text[position:]])


def _is_call(value: JsonItem) -> bool:
    return isinstance(value, JsonObject) and any(key.lower() in _CALL_KEYS for key, _ in value.members)


def _in_words(value: JsonItem, key: str, depth: int) -> Iterator[str]:
    """Every text in a JSON value, a line each, behind its key."""
    if _is_call(value) or depth > _DEEPEST:
        return
    if isinstance(value, JsonObject):
        for name, inner in value.members:
            yield from _in_words(inner, name, depth + 1)
    elif isinstance(value, JsonArray):
        for inner in value.items:
            yield from _in_words(inner, key, depth + 1)
    elif isinstance(value, str):
        label = key.replace("_", " ").strip()
        yield f"{label}: {value}" if label else value
    elif value is None and key:
        yield f"{key.replace('_', ' ')}: not available"


def _own_words(folded: Folded) -> str:
    """The folded text without what somebody else says, and without titles."""
    plain = folded.plain

    def quoted(match: re.Match[str]) -> str:
        before = plain[max(0, match.start() - 60) : match.start()]
        count = len(match[0].split())
        title = count > 1 and folded.cased[match.start() + 1].isupper() and not _THE.match(match[0])
        sentence = count >= _SENTENCE and match[0][-2] in ".!?"
        repeats = count > _LONG_QUOTE or sentence or title or _ATTRIBUTED.search(before)
        return " " * len(match[0]) if repeats else match[0]

    def line(match: re.Match[str]) -> str:
        return " " if len(match[1].split()) > _LONG_QUOTED_LINE else match[1]

    plain = _QUOTATION.sub(quoted, plain)
    rest = _QUOTE_LINE.sub(line, plain)
    plain = rest if re.search(r"\w", rest) else plain.replace(">", " ")
    return _without_orders(_RULE.sub(" ", plain))


def _without_orders(plain: str) -> str:
    """The text without sentences that speak to whoever judges it."""
    spans = cues().finders.spans("injected", plain, cues().finders.by_words(plain))
    if not spans:
        return plain
    ends = [0, *(match.end() for match in _END.finditer(plain)), len(plain)]
    for start, _ in spans:
        if _NAMED_SYSTEM.search(plain, max(0, start - _LONGEST_HEAD), start + len("system:")):
            continue
        index = bisect_left(ends, start + 1)
        low, high = ends[index - 1], ends[min(index, len(ends) - 1)]
        plain = plain[:low] + re.sub(r"[^\n]", " ", plain[low:high]) + plain[high:]
    return plain


def _cut(line: str) -> Iterator[str]:
    """The sentences of a line; one that is too long to be one, in pieces."""
    begin = 0
    for match in (*_END.finditer(line), None):
        end = match.end() if match else len(line)
        before = line[max(0, match.start() - 12) : match.start()] if match else ""
        if (
            match
            and match[0] == "."
            and (_ABBREVIATION.search(before) or re.fullmatch(r"\s*\d{1,2}", before))
        ):
            continue
        for start in range(begin, end, _LONGEST_SENTENCE):
            piece = line[start : min(end, start + _LONGEST_SENTENCE)]
            if re.search(r"\w", piece):
                yield piece.strip()
        begin = end


def _headed(sentence: str, heading: str) -> OwnSentence:
    plain = " ".join(
        _MARKER.sub("", sentence).lstrip("\u00bf\u00a1 ").replace(" | ", ": ").strip(" |").split()
    )
    asks = re.search(r"[?\uff1f][\s\"')\]|]*\Z", sentence) is not None
    label = _HEADED.match(plain)
    head = " ".join(part for part in (heading, label[1] if label else "") if part)
    return OwnSentence(plain, head, asks)
