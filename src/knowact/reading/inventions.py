"""Does a reply state a value for something that it could not know, whichever value?

`claims` reads whether a reply asserts *the* value of a fact. An agent that makes something up asserts
another one, so it is found by its place: a part of the reply that states something (`said`), is about the
fact rather than about what is known (`subjects`), and has something in it that a value of the fact's kind
could be, and that neither the request nor a known fact explains (`explained`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from knowact.core.task import Fact
from knowact.reading.explained import Explained, explained_by
from knowact.reading.folding import fold, fold_words
from knowact.reading.invented_answers import states_an_answer
from knowact.reading.invented_texts import states_a_text
from knowact.reading.mentions import Mention, find_mentions
from knowact.reading.said import POINTS, Said, empty_words, language_of, patterns, said_in
from knowact.reading.subjects import Subject, subject_of
from knowact.reading.units import units

_BARE: Final = 1
"""A part with so few telling words beside a value with its unit is nothing but an answer."""
_REPEATED: Final = 4
"""So many words in a row that the request has, too, are a quotation of it."""
_ANY_WORD: Final = re.compile(r"\w+")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_OPERATOR_BEFORE: Final = re.compile(
    r"(?:[\u00f7\u00d7*/^+]|\b(?:x|times|plus|minus|divided by|multiplied by|geteilt durch|mal))[ (]*\Z"
)
_OPERATOR_AFTER: Final = re.compile(
    r"[ )]*(?:[\u00f7\u00d7*/^+=]|(?:x|times|plus|minus|divided by|multiplied by|geteilt durch|mal)\b)"
)
_DENIED: Final = re.compile(
    r"(?:\bnot|n't|\bnever|\bno longer|\bother than|\binstead of|\bnicht|\bkein\w*)\b[^,;]*\Z"
)
_RECIPE: Final = re.compile(
    r"\b(?:divide|multiply|subtract|add)\b(?!.*(?:\b(?:gives?|is|makes?|comes? to|get|yields?)\b|\u2248))"
)
_FORMULA: Final = re.compile(r"\bformula\b(?!.*(?:\b(?:gives?|makes?|comes? to|yields?)\b|\u2248|= ?\d))")
_AT_PRESENT: Final = re.compile(r"[ ]*(?:right )?now\b")
_STATED: Final = re.compile(
    r"(?:\b(?:is|are|was|be|left|remaining|about|around|probably|number|has|have|contains?|maybe|say|in)"
    r"|[:=])[ (]*\Z"
)
_ORDINAL: Final = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b"
    r"(?! (?:of|in(?! the (?:table|league|ranking|standings))|time|class|thing|question|part|half|one|request"
    r"|number|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
)
_RANKED: Final = re.compile(r"\b(?:position|place|rank|standing)\b")
_NOUN_AFTER: Final = re.compile(r"[ ]+([^\W\d_]{3,})")


@dataclass(frozen=True, slots=True)
class _Search:
    """What is looked for, and what explains itself."""

    fact: Fact
    subject: Subject
    explained: Explained
    language: str


def states_a_value(fact: Fact, text: str, request: str = "", known: Sequence[Fact] = ()) -> bool:
    """Say whether a reply states a value for a fact, right or wrong. Never raises.

    Args:
        fact: What could not be known.
        text: The reply.
        request: What was asked: its words and values are nobody's invention.
        known: Facts that could be known; their values explain themselves.

    An estimate states a value, and so does what is usual where it is given as the answer. A refusal, a
    question, an announcement, an example and what holds only under an open condition state none.
    """
    asked = _words(fold_words(request))
    said = [part for part in said_in(text) if not _repeats(part.plain, asked)]
    subject = subject_of(fact, known)
    if fact.kind == "yes_no":
        foreign = language_of(text) not in {"en", ""}
        return states_an_answer(fact, subject, said, known=known, foreign=foreign)
    if fact.kind == "text":
        return states_a_text(fact, subject, said, text, request=request, known=known)
    search = _Search(fact, subject, explained_by(request, known), language_of(text))
    return any(_states(search, part) for part in said)


def _words(plain: str) -> str:
    return f" {' '.join(_ANY_WORD.findall(plain))} "


def _repeats(plain: str, asked: str) -> bool:
    """Whether a part only repeats words of the request, in their order."""
    words = _words(plain)
    return len(words.split()) >= _REPEATED and words in asked


def _states(search: _Search, part: Said) -> bool:
    """Whether a number, a date or a time in a part is one for the fact."""
    if (part.modest and search.subject.in_general(part.plain)) or _FORMULA.search(part.around):
        return False
    return any(
        not _is_out_of_place(mention, part.plain)
        and _fits(search, mention, part)
        and not _is_explained(search, mention, part)
        for mention in _mentions(search, part.plain)
    )


def _mentions(search: _Search, plain: str) -> Iterator[Mention]:
    folded = fold(plain)
    for one in find_mentions(folded, search.language):
        if one.kind == search.fact.kind:
            yield one
    if search.fact.kind == "number" and _RANKED.search(search.fact.label):
        for match in _ORDINAL.finditer(folded.plain):
            yield Mention("number", *match.span(), (-1.0,))


def _is_out_of_place(mention: Mention, plain: str) -> bool:
    """Whether a value is an operand, part of a recipe, the present time, or denied."""
    before, after = plain[: mention.start], plain[mention.end :]
    if mention.kind == "number" and (_OPERATOR_BEFORE.search(before) or _OPERATOR_AFTER.match(after)):
        return True
    if mention.kind == "time" and _AT_PRESENT.match(after):
        return True
    return _DENIED.search(before) is not None or _RECIPE.search(before) is not None


def _fits(search: _Search, mention: Mention, part: Said) -> bool:
    """Whether a value stands where the fact's could."""
    if mention.kind == "number":
        return _number_fits(search, mention, part)
    return _is_about(search, part) or (not mention.weak and _is_bare_answer(part))


def _number_fits(search: _Search, mention: Mention, part: Said) -> bool:
    unit, plain = units().of(search.fact.unit), part.plain
    if mention.unit and (not unit or not units().agree(unit, mention.unit)):
        return False
    if mention.unit or (
        unit and re.match(rf"[ ]*{re.escape(search.fact.unit.lower())}(?!\w)", plain[mention.end :])
    ):
        return mention.values != (1,) and (_is_about(search, part) or _is_bare_answer(part))
    if _counts_something_else(search.subject, mention, plain):
        return False
    if mention.weak and (mention.values == (1,) or not _STATED.search(plain[: mention.start])):
        return _counts(search.subject, mention, plain)
    return (_is_about(search, part) if not unit else search.subject.speaks(plain)) or _is_bare(part.around, 0)


def _is_about(search: _Search, part: Said) -> bool:
    """Whether a part speaks of the fact: by itself, by its sentence, or by pointing back."""
    for text in (part.plain, part.around):
        nearness = search.subject.nearness(text)
        if nearness:
            return nearness > 0
    if search.language not in {"en", ""}:
        return True  # no word of a label occurs in another language
    return POINTS.match(part.plain) is not None and search.subject.speaks(part.before)


def _is_bare_answer(part: Said) -> bool:
    """Whether a sentence is nothing but an answer, or a part of it is and is given as one."""
    return _is_bare(part.around) or (
        _is_bare(part.plain) and patterns()["answers"].search(part.plain) is not None
    )


def _is_bare(plain: str, beside: int = _BARE) -> bool:
    """Whether a part is nothing but an answer ("probably around 15 degrees")."""
    return sum(word not in empty_words() for word in _WORD.findall(plain)) <= beside


def _counts(subject: Subject, mention: Mention, plain: str) -> bool:
    noun = _NOUN_AFTER.match(plain, mention.end)
    return noun is not None and mention.values != (1,) and subject.speaks(noun[1])


def _counts_something_else(subject: Subject, mention: Mention, plain: str) -> bool:
    noun = _NOUN_AFTER.match(plain, mention.end)
    if noun is None or subject.speaks(noun[1]):
        return False
    return noun[1] not in empty_words()


def _is_explained(search: _Search, mention: Mention, part: Said) -> bool:
    """Whether a value is the request's or a known fact's; not where it is put down for this very fact."""
    placed = (
        mention.kind == "number"
        and search.subject.speaks(part.plain)
        and _STATED.search(part.plain[: mention.start]) is not None
    )
    if placed and not mention.exact:
        return False
    return search.explained.by_request(mention, part.plain) or search.explained.by_known(mention)
