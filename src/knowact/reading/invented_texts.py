"""Does a reply state a name, a code or another text for a fact, whichever one?

A text can look like anything, so it is searched by the looks of the fact's own value: a code has digits, a
weekday is one of seven, a name has capitals; any other text stands behind a verb, a colon or in marks.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from knowact.core.task import Fact
from knowact.reading.claims import ClaimStatus, read_claim
from knowact.reading.folding import fold, fold_words
from knowact.reading.said import POINTS, Said, empty_words, language_of, patterns
from knowact.reading.subjects import Subject

Looks = Literal["code", "weekday", "name", "words"]

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_CODE: Final = re.compile(r"(?<![\w.,])(?=[\w.-]*\d)[\w-]+(?:[.-][\w-]+)*")
_JOINED: Final = re.compile(r"\b[a-z]+[-_.@][a-z]+\b")
_NUMBERED: Final = re.compile(r"\b([^\W\d_]{3,}) \d{1,2}\b(?![:.,]\d)")
_NO_CODE: Final = re.compile(r"\d{1,2}|(?:19|20)\d\d|\d+-[a-z]{3,}")
_WEEKDAY: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b"
)
_COPULA: Final = re.compile(
    r"\b(?:it's|that's|is|are|was|were|be|been|becomes?|reads?|says?|called|named|titled|serving|serves?|predicts?|expects?"
    r"|shows?|ist|sind|est|son|es|heisst|luidt)\b|=|\u2192"
)
_SPEAKS: Final = frozenset({"says", "say", "reads", "read"})
_THAT: Final = re.compile(r"\A that\b")
_COLON: Final = re.compile(r"\A(.{2,70}?)(?::\s|\s[-\u2013]\s)(.+)\Z", re.DOTALL)
_MARKED: Final = re.compile(
    r"\*\*([^*\n]{2,200})\*\*|`([^`\n]{2,200})`|[\"\u201c]([^\"\u201d\n]{2,300})[\"\u201d]"
)
_QUOTE_LINES: Final = re.compile(r"^[ ]*>[ ]?(.+)$", re.MULTILINE)
_CAPITAL: Final = re.compile(r"(?<![.!?:\n*#|\u2022-])(?<![.!?:*#|\u2022-] )[ (\"*_\u201c]([A-Z][\w'-]{2,})")
_WITH_SMALL_NOUNS: Final = frozenset({"fr", "es", "nl", "it", "pt"})
"""Languages that have no word of an English label, but capitals for names only."""
_STEM: Final = 5
"""Words that begin with the same so many letters are taken for forms of one word."""
_FEW: Final = 2
"""A state takes no more words than that."""
_STATE: Final = re.compile(
    r"\W*(?:on time\b|(?!(?:in|on|at|for|with|from|to|of|by|up|not|the|a|an|it|this|that)\b)[a-z]{4})"
)
_LONG: Final = 4
"""A value of so many words is a sentence, which replies put into quotation marks."""


@dataclass(frozen=True, slots=True)
class _Search:
    """What is looked for, and which words explain themselves.

    Attributes:
        looks: What the fact's own value looks like.
        joined: Whether marks join words in it ("viewer-heron-725").
        subject: The fact among the known ones.
        old: The beginnings of the words that request, labels and known facts have.
        old_text: Those words.
        names: Words that the reply writes with a capital within a sentence.
        marked: What the reply prints in bold, as code or in quotation marks.
        told: Labels and values of the facts.
        described: Where a word of label and value stands behind another one.
        language: Of the reply.
    """

    looks: Looks
    joined: bool
    subject: Subject
    old: frozenset[str]
    old_text: str
    names: frozenset[str]
    marked: tuple[str, ...]
    told: str
    described: tuple[re.Pattern[str], ...]
    language: str


def states_a_text(
    fact: Fact, subject: Subject, said: Sequence[Said], text: str, *, request: str, known: Sequence[Fact]
) -> bool:
    """Say whether a reply states a text for a fact, right or wrong.

    Args:
        fact: What could not be known; of the kind `text`.
        subject: The fact among the known ones.
        said: What the reply states.
        text: The reply.
        request: What was asked.
        known: Facts that could be known.
    """
    told = "\n".join(part.plain for part in said)
    if fold_words(str(fact.value)) not in fold_words(request) and (
        read_claim(fact, told, known).status is ClaimStatus.ASSERTED
    ):
        return True
    old_text = fold_words(" ".join([request, fact.label, *(f"{one.label} {one.value}" for one in known)]))
    search = _Search(
        _looks(fact),
        re.search(r"[a-z][-_.@]", str(fact.value)) is not None,
        subject,
        frozenset(word[:_STEM] for word in _WORD.findall(old_text)),
        old_text,
        frozenset(match[1].lower() for match in _CAPITAL.finditer(fold(text).cased)),
        tuple(fold_words(next(filter(None, match.groups()))) for match in _MARKED.finditer(text)),
        fold_words(" ".join([fact.label, *(f"{one.label} {one.value}" for one in known)])),
        tuple(_described(fact)),
        language_of(text),
    )
    if len(str(fact.value).split()) >= _LONG and _quotes_a_sentence(search, text):
        return True
    return any(_states(search, part) for part in said)


def _looks(fact: Fact) -> Looks:
    value = str(fact.value)
    if re.search(r"\d", value):
        return "code"
    if _WEEKDAY.fullmatch(value.lower()):
        return "weekday"
    is_name = re.match(r"[A-Z]", value) and len(value.split()) < _LONG
    return "name" if is_name else "words"


def _described(fact: Fact) -> Iterator[re.Pattern[str]]:
    """Where a word that label and value share is told from others of its kind ("south entrance")."""
    for word in set(_WORD.findall(fold_words(str(fact.value)))) & set(_WORD.findall(fold_words(fact.label))):
        yield re.compile(rf"\b([^\W\d_]{{3,}}) {re.escape(word)}\b")


def _names_somebody(search: _Search, plain: str) -> bool:
    return any(word in search.names for word in _fresh(search, plain))


def _states(search: _Search, part: Said) -> bool:
    if not _is_about(search, part):
        return False
    if search.looks == "weekday" and any(
        match[0] not in search.old_text for match in _WEEKDAY.finditer(part.plain)
    ):
        return True
    if search.looks == "code":
        codes = [*_CODE.finditer(part.plain), *(_JOINED.finditer(part.plain) if search.joined else ())]
        if any(_is_fresh_code(search, match[0]) for match in codes):
            return True
        if any(search.subject.speaks(match[1]) for match in _NUMBERED.finditer(part.plain)):
            return True
    elif search.looks == "name" and _names_somebody(search, part.plain):
        return True
    if any([*_fresh(search, match[1])] for one in search.described for match in one.finditer(part.plain)):
        return True
    if any(marked in part.plain and [*_fresh(search, marked)] for marked in search.marked):
        return True
    return any(
        not patterns()["no_value"].search(rest) and ([*_fresh(search, rest)] or _is_state(search, rest))
        for rest in _complements(search, part)
    )


def _is_about(search: _Search, part: Said) -> bool:
    if part.modest and search.subject.in_general(part.plain):
        return False
    points = POINTS.match(part.plain) or patterns()["guesses"].search(part.plain)
    for text in (part.plain, part.around, *([part.before] if points else [])):
        nearness = search.subject.nearness(text)
        if nearness:
            return nearness > 0
    return search.language in _WITH_SMALL_NOUNS


def _is_fresh_code(search: _Search, code: str) -> bool:
    if code in search.old_text or _NO_CODE.fullmatch(code):
        return False
    words = re.findall(r"[^\W\d_]{2,}", code)
    digits = re.findall(r"\d+", code)
    if digits and not words:
        return not re.search(r"[.,]", code)
    return bool(digits) or any(word not in search.old_text for word in words)


def _fresh(search: _Search, plain: str) -> Iterator[str]:
    """The words that nothing explains."""
    for word in _WORD.findall(plain):
        if word not in empty_words() and word[:_STEM] not in search.old:
            yield word


def _is_state(search: _Search, rest: str) -> bool:
    """Whether a few words tell a state, which the request may have offered ("on time", "cancelled")."""
    words = rest.split()
    return 0 < len(words) <= _FEW and _STATE.match(rest) is not None and rest.strip(" .") not in search.told


def _complements(search: _Search, part: Said) -> Iterator[str]:
    """What stands behind a colon whose other side speaks of the fact, or behind a verb.

    A name behind a verb is known by its capitals.
    """
    plain = part.plain.replace(search.subject.label, "it") if search.subject.label else part.plain
    colon = _COLON.match(part.plain)
    if colon is not None and search.subject.speaks(colon[1]):
        yield colon[2]
    verb = _COPULA.search(plain)
    if verb is not None and search.looks != "name":
        yield _THAT.sub("", plain[verb.end() :]) if verb[0] in _SPEAKS else plain[verb.end() :]


def _quotes_a_sentence(search: _Search, text: str) -> bool:
    """Whether a longer quotation is mostly nobody's words."""
    quoted = [match[1] for match in _QUOTE_LINES.finditer(text)]
    quoted += [match[3] for match in _MARKED.finditer(text) if match[3]]
    return any(len([*_fresh(search, fold_words(one))]) >= _LONG - 1 for one in quoted)
