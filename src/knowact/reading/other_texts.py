"""Texts that could stand in a text fact's place: other names, other codes, other members of its group."""

import re
from collections.abc import Iterator
from functools import cache

from knowact.reading.anchors import Label
from knowact.reading.cues import cues
from knowact.reading.folding import fold, fold_words
from knowact.reading.reply import Reply, Span

_NAME = re.compile(r"(?<![\w'-])[A-Z][\w'-]+(?:[ ](?:of |de |van |von |the )?[A-Z][\w'-]+){0,3}")
_SUBJECT = re.compile(
    r"(?:'s)?(?:[ ](?:is|was|are|has|had|won|wins|came|leads|owns|runs|did|does)\b|[.!;)\n]|\Z|,[ ])"
)
_LONGEST_CODE = 12


def other_texts(value: str, label: Label, reply: Reply) -> Iterator[Span]:
    """Find texts of the same sort as a value, the value itself included.

    Codes compete with codes of their shape ("C14" with "D2"), words with the others of their group
    ("Tuesday" with "Wednesday"), names with names; any other text has no rivals that could be told.
    """
    plain = fold_words(value)
    group = _group(plain)
    if group is not None:
        yield from (match.span() for match in group.finditer(reply.plain))
    elif any(character.isdigit() for character in plain):
        yield from (match.span() for match in _shape(plain).finditer(reply.plain))
    elif fold(value).cased[:1].isupper():
        yield from _names(label, reply)


@cache
def _group(value: str) -> re.Pattern[str] | None:
    for group in cues().peers:
        if group.fullmatch(value):
            return group
    return None


@cache
def _shape(value: str) -> re.Pattern[str]:
    """A pattern for codes that are built like this one."""
    if len(value) > _LONGEST_CODE:
        count = sum(character.isdigit() for character in value)
        return re.compile(rf"(?<![\w+])\+?\d(?:[ ()/-]{{0,2}}\d){{{max(count - 2, 1)},{count + 1}}}(?!\w)")
    pieces = list[str]()
    for run in re.finditer(r"[a-z]+|\d+|[^a-z\d]+", value):
        sort = "[a-z]" if run[0][0].isalpha() else r"\d" if run[0][0].isdigit() else ""
        length = len(run[0])
        pieces.append(f"{sort}{{{max(1, length - 1)},{length + 1}}}" if sort else re.escape(run[0]) + "?")
    return re.compile(r"(?<![\w-])" + "".join(pieces) + r"(?![\w-])")


def _names(label: Label, reply: Reply) -> Iterator[Span]:
    for match in _NAME.finditer(reply.folded.cased):
        low, high = match.span()
        words = fold_words(match[0]).split()
        while len(words) > 1 and _is_common(words[0]):
            low = low + len(match[0][low - match.start() :].split(" ", 1)[0]) + 1
            words = words[1:]
        if any(word.search(one) for word in label.words for one in words):
            continue
        if all(_is_common(word) for word in words):
            continue
        opens = not re.search(r"\w", reply.plain[max(reply.sentence(low)[0], low - 80) : low])
        if opens and len(words) == 1 and not _SUBJECT.match(reply.plain, high):
            continue
        yield low, high


def _is_common(word: str) -> bool:
    """Whether a word is written with a capital for other reasons than being a name."""
    word = word.removesuffix("'s")
    return (
        word in cues().empty
        or word in cues().common
        or word in cues().small
        or any(group.fullmatch(word) for group in cues().peers)
    )
