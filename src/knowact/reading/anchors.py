"""What is a value said of? Compares the words around a mention with a fact's label."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from knowact.reading.cues import cues
from knowact.reading.folding import fold, fold_words
from knowact.reading.reply import WINDOW, Reply

_CHUNK_END = re.compile(
    r"[,;|()\n\u2014]|\s[-\u2013]\s|\b(?:and|und|et|y|but|while|whereas|sondern|mais|pero|maar)\b"
)
_WORD = re.compile(r"[^\W\d_][^\W_]*")
_PLACE = re.compile(r"\b(?:in|for|at|of|from|to)\s+([A-Z][\w'-]+)")
_LEADING_NAME = re.compile(r"\s*([A-Z][\w'-]+)\s+-?\d")
_NOUN_AFTER = re.compile(r"[ ]+([^\W\d_]{3,})")
_NO_PLACE = frozenset(
    [
        "celsius",
        "fahrenheit",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "total",
        "short",
        "fact",
    ]
)
_STEM = 4
_PLACED = re.compile(r"\b(in|at|from|to) (?:the |a |an |your |our |my )?([^\W\d_]{3,})")
"""A place, with the preposition that leads to it."""


@dataclass(frozen=True, slots=True)
class Label:
    """The telling words of a label, as patterns."""

    text: str
    words: tuple[re.Pattern[str], ...]
    names: tuple[str, ...]
    places: tuple[tuple[str, str], ...]
    sides: tuple[tuple[re.Pattern[str], tuple[re.Pattern[str], ...]], ...]
    """Of each group of opposites that the label takes sides in: its side, and the others."""


@cache
def read_label(label: str) -> Label:
    """Prepare a label."""
    plain = fold_words(label)
    words = [
        word for word in dict.fromkeys(_WORD.findall(plain)) if word not in cues().empty and len(word) > 1
    ]
    sides = list[tuple[re.Pattern[str], tuple[re.Pattern[str], ...]]]()
    for group in cues().opposites:
        own = [member for member in group if member.search(plain)]
        if len(own) == 1:
            sides.append((own[0], tuple(member for member in group if member is not own[0])))
    names = tuple(word.lower() for word in re.findall(r"\b[A-Z][\w'-]{2,}", fold(label).cased)[:6])
    places = tuple((match[1], match[2]) for match in _PLACED.finditer(plain))
    return Label(plain, tuple(_word(word, sides) for word in words), names, places, tuple(sides))


def _word(word: str, sides: Sequence[tuple[re.Pattern[str], tuple[re.Pattern[str], ...]]]) -> re.Pattern[str]:
    """A pattern for a word: any word of its side, where it takes sides ("winner", "won")."""
    return next((own for own, _ in sides if own.fullmatch(word)), None) or _stem(word)


def _stem(word: str) -> re.Pattern[str]:
    """A pattern for a word in its inflections."""
    if len(word) <= _STEM:
        return re.compile(rf"(?<![^\W_]){re.escape(word)}s?(?![^\W_])")
    return re.compile(rf"(?<![^\W_]){re.escape(word[: max(_STEM, len(word) - 3)])}\w*")


@dataclass(frozen=True, slots=True)
class Anchor:
    """How a mention stands to a label.

    Attributes:
        score: How many of the label's words go with it; those next to it count most.
        foreign: Whether it is said of something else: of the opposite, or of another name.
        frame: The words around it; two values in the same words compete.
        headed: Whether words stand before it that the label does not have.
        low: Where these words begin.
        high: Where they end.
    """

    score: float
    foreign: bool
    frame: frozenset[str]
    headed: bool
    low: int
    high: int


def anchor(
    reply: Reply, label: Label, span: tuple[int, int], neighbours: tuple[int, int], first: int | None = None
) -> Anchor:
    """Look at the surroundings of a mention.

    Words in its own chunk count most. What stands before the first value of the sentence is its topic and
    holds for every value in it, less so for one that has a head of its own ("the flat costs 900, the
    studio 700"). What stands around the sentence counts least.

    Args:
        reply: The reply.
        label: The fact's label.
        span: Where the mention stands.
        neighbours: The end of the previous mention and the start of the next one.
        first: Where the first mention of the sentence begins, if that is an earlier one.
    """
    start, end = span
    sentence = reply.sentence(start)
    low = max(sentence[0], neighbours[0], start - WINDOW // 2)
    high = max(end, min(sentence[1], neighbours[1], end + WINDOW // 2))
    for delimiter in _CHUNK_END.finditer(reply.plain, low, start):
        low = delimiter.end()
    if low == neighbours[0] > sentence[0] and (colon := reply.plain.rfind(":", low, start)) >= 0:
        low = colon + 1  # what stands before it belongs to the value before
    closing = _CHUNK_END.search(reply.plain, end, high)
    high = closing.start() if closing else high
    before = f"{reply.plain[low:start]} {reply.column_head(start)} {reply.row_head(start)}"
    near = f"{before} {reply.plain[end:high]}"
    topic = reply.plain[
        max(sentence[0], start - WINDOW) : max(sentence[0], low if first is None else min(first, low))
    ]
    wide = reply.plain[max(0, sentence[0] - WINDOW // 2) : sentence[0]]
    if neighbours[1] >= sentence[1]:
        wide += reply.plain[high : min(sentence[1], high + WINDOW // 2)]
    own_head = _has_other_head(label, before) or _counts_something_else(reply, label, end)
    inherited = _UNLIKELY if own_head else _INHERITED
    score = 0.0
    for word in label.words:
        if word.search(near):
            score += 1.0
        elif word.search(topic):
            score += inherited
        elif word.search(wide) and not own_head:
            score += _WIDE
    words = frozenset(word for word in _WORD.findall(near) if word not in cues().empty)
    return Anchor(
        score,
        _is_foreign(reply, label, near, (low, high), max(neighbours[0], sentence[0]), value=span),
        words,
        own_head,
        low,
        high,
    )


_INHERITED = 0.9
_UNLIKELY = 0.3
_WIDE = 0.5


def _has_other_head(label: Label, before: str) -> bool:
    """Whether words that the label does not have stand before the value in its chunk."""
    words = [word for word in _WORD.findall(before) if len(word) >= _STEM and not _is_small(word)]
    words = [word for word in words if word not in cues().heads]
    return bool(words) and not any(_is_of(label, word) for word in words)


def _is_small(word: str) -> bool:
    return word in cues().empty or word in cues().small


def coverage(reply: Reply, label: Label, span: tuple[int, int]) -> float:
    """How many words of a label a stretch of text has."""
    text = reply.plain[span[0] : min(span[1], span[0] + WINDOW)]
    return float(sum(word.search(text) is not None for word in label.words))


def _counts_something_else(reply: Reply, label: Label, end: int) -> bool:
    """Whether a noun that the label does not have follows the value ("12 emails and 5 drafts")."""
    noun = _NOUN_AFTER.match(reply.plain, end)
    if noun is None or noun[1] in cues().empty or noun[1] in cues().small:
        return False
    return not any(word.search(noun[1]) for word in label.words)


def _fitting_words(label: Label, text: str) -> int:
    return sum(word.search(text) is not None for word in label.words)


def _stands_in_other_row(reply: Reply, label: Label, position: int) -> bool:
    """Whether another row of the table fits the label better."""
    heads = reply.other_row_heads(position)
    own = _fitting_words(label, reply.row_head(position))
    return any(_fitting_words(label, head) > own for head in heads)


def _is_foreign(
    reply: Reply, label: Label, near: str, span: tuple[int, int], begin: int, *, value: tuple[int, int]
) -> bool:
    if _stands_in_other_row(reply, label, span[0]) or _is_relative(reply, label, (begin, span[1])):
        return True
    # "Old" in the value itself ("box of old records") says nothing of another time.
    others = [hit for hit in reply.hits("other_time", *span) if not value[0] <= hit[0] < value[1]]
    if any(not label.text.count(reply.plain[hit[0] : hit[1]]) for hit in others):
        return True
    if reply.language == "en" and _is_elsewhere(reply, label, span):
        return True
    near = _OPEN_UNTIL.sub(" ", near)
    for own, others in label.sides:
        if not own.search(near) and any(other.search(near) for other in others):
            return True
    if not label.names or reply.language != "en" or any(name[:_STEM] in near for name in label.names):
        return False
    chunk = reply.folded.cased[span[0] : span[1]]
    places = [name.lower() for name in _PLACE.findall(chunk)]
    if span[0] > reply.sentence(span[0])[0] and (leading := _LEADING_NAME.match(chunk)):
        places.append(leading[1].lower())
    return any(
        place not in _NO_PLACE and place[:3] not in {name[:3] for name in label.names} for place in places
    )


def _is_elsewhere(reply: Reply, label: Label, span: tuple[int, int]) -> bool:
    """Whether it is "in the attic" where the label has "in the cellar", and the cellar is not named."""
    begin = max(reply.sentence(span[0])[0], span[0] - WINDOW)
    around = reply.plain[max(0, begin - WINDOW // 2) : span[1]]
    for preposition, place in label.places:
        if place[:_STEM] in around:
            continue
        for match in _PLACED.finditer(reply.plain, span[0], span[1]):
            other = match[2]
            same = other[:3] == place[:3] or _is_of(label, other)  # Lisbon, Lissabon
            if match[1] == preposition and other not in cues().nowhere and not same:
                return True
    return False


def _is_of(label: Label, word: str) -> bool:
    return any(pattern.search(word) for pattern in label.words)


_OPEN_UNTIL = re.compile(r"\bopen\w*(?=[ ](?:until|till|to|from|between)\b)")
"""This tells of the closing time as much as of the opening time."""


def _is_relative(reply: Reply, label: Label, span: tuple[int, int]) -> bool:
    """Whether it is said of somebody's brother, or of another thing that the label's owner has."""
    for hit in reply.hits("relations", max(span[0], span[1] - WINDOW), span[1]):
        if not any(word.search(reply.plain[hit[0] : hit[1]]) for word in label.words):
            return True
    if _of_something_else(label, reply.plain[span[0] : span[1]]):
        return True
    owned = _OWNED.search(label.text)
    if owned is None:
        return False
    things = [
        match[1]
        for match in re.finditer(rf"\b{re.escape(owned[1])}'s? ([^\W\d_]+)", reply.plain[span[0] : span[1]])
    ]
    return bool(things) and all(not thing.startswith(owned[2][:_STEM]) for thing in things)


def _of_something_else(label: Label, text: str) -> bool:
    """Whether it is "the head of the laboratory" where the label has "head of the workshop"."""
    head = _HEAD_OF.search(label.text)
    if head is None or head[1] in cues().heads:
        return False
    found = list(re.finditer(rf"\b{re.escape(head[1])}\w*[ ]of((?:[ ][^\W_]+){{1,4}})", text))
    return bool(found) and not any(word.search(match[1]) for match in found for word in label.words)


_HEAD_OF = re.compile(r"([^\W\d_]{3,}) of ")
_OWNED = re.compile(r"([^\W\d_]+)'s ([^\W\d_]+)\Z")
"""A label that names a thing by its owner ("name of the neighbour's dog")."""
