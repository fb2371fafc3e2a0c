"""What is a value said of? Compares the words around a mention with a fact's label."""

import re
from dataclasses import dataclass
from functools import cache

from knowact.reading.cues import cues
from knowact.reading.folding import fold, fold_words
from knowact.reading.reply import WINDOW, Reply

_CHUNK_END = re.compile(
    r"[,;|\n\u2014]|\s[-\u2013]\s|\b(?:and|und|et|y|but|while|whereas|sondern|mais|pero|maar)\b"
)
_WORD = re.compile(r"[^\W\d_]\w*")
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


@dataclass(frozen=True, slots=True)
class Label:
    """The telling words of a label, as patterns."""

    text: str
    words: tuple[re.Pattern[str], ...]
    names: tuple[str, ...]
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
    return Label(plain, tuple(_stem(word) for word in words), names, tuple(sides))


def _stem(word: str) -> re.Pattern[str]:
    """A pattern for a word in its inflections."""
    if len(word) <= _STEM:
        return re.compile(rf"(?<!\w){re.escape(word)}s?(?!\w)")
    return re.compile(rf"(?<!\w){re.escape(word[: max(_STEM, len(word) - 3)])}\w*")


@dataclass(frozen=True, slots=True)
class Anchor:
    """How a mention stands to a label.

    Attributes:
        score: How many of the label's words go with it; those next to it count most.
        foreign: Whether it is said of something else: of the opposite, or of another name.
        frame: The words around it; two values in the same words compete.
        low: Where these words begin.
        high: Where they end.
    """

    score: float
    foreign: bool
    frame: frozenset[str]
    low: int
    high: int


def anchor(reply: Reply, label: Label, span: tuple[int, int], neighbours: tuple[int, int]) -> Anchor:
    """Look at the surroundings of a mention.

    Args:
        reply: The reply.
        label: The fact's label.
        span: Where the mention stands.
        neighbours: The end of the previous mention and the start of the next one.
    """
    start, end = span
    sentence = reply.sentence(start)
    low = max(sentence[0], neighbours[0], start - WINDOW // 2)
    high = max(end, min(sentence[1], neighbours[1], end + WINDOW // 2))
    for delimiter in _CHUNK_END.finditer(reply.plain, low, start):
        low = delimiter.end()
    closing = _CHUNK_END.search(reply.plain, end, high)
    high = closing.start() if closing else high
    near = (
        f"{reply.plain[low:start]} {reply.plain[end:high]} {reply.column_head(start)} {reply.row_head(start)}"
    )
    earlier = reply.plain[max(sentence[0], start - WINDOW) : low]
    wide = reply.plain[max(0, sentence[0] - WINDOW // 2) : sentence[0]]
    if neighbours[1] >= sentence[1]:
        wide += reply.plain[high : min(sentence[1], high + WINDOW // 2)]
    inherited = 0.3 if _counts_something_else(reply, label, end) else 0.9
    score = 0.0
    for word in label.words:
        score += (
            1.0
            if word.search(near)
            else inherited
            if word.search(earlier)
            else 0.5
            if word.search(wide)
            else 0.0
        )
    words = frozenset(word for word in _WORD.findall(near) if word not in cues().empty)
    return Anchor(score, _is_foreign(reply, label, near, (low, high)), words, low, high)


def _counts_something_else(reply: Reply, label: Label, end: int) -> bool:
    """Whether a noun that the label does not have follows the value ("12 emails and 5 drafts")."""
    noun = _NOUN_AFTER.match(reply.plain, end)
    if (
        noun is None
        or noun[1] in cues().empty
        or any(noun[1] in words for words in cues().languages.values())
    ):
        return False
    return not any(word.search(noun[1]) for word in label.words)


def _fitting_words(label: Label, text: str) -> int:
    return sum(word.search(text) is not None for word in label.words)


def _stands_in_other_row(reply: Reply, label: Label, position: int) -> bool:
    """Whether another row of the table fits the label better."""
    heads = reply.other_row_heads(position)
    own = _fitting_words(label, reply.row_head(position))
    return any(_fitting_words(label, head) > own for head in heads)


def _is_foreign(reply: Reply, label: Label, near: str, span: tuple[int, int]) -> bool:
    if _stands_in_other_row(reply, label, span[0]) or _is_relative(label, near):
        return True
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


def _is_relative(label: Label, near: str) -> bool:
    """Whether a name of the label stands there only to say whose brother is meant."""
    relations = cues().patterns["relations"]
    for match in re.finditer(r"(\w+)'s? (\w+)", near):
        relation = relations.fullmatch(match[2])
        if relation and match[1] in label.names and not any(word.search(match[2]) for word in label.words):
            return True
    return False
