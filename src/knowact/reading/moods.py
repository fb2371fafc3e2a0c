"""The mood of the sentence that a value stands in: a condition, a joke, a story, somebody else's words.

A clause says whether its own words stand by a value (`polarity`); these are the cases in which a part of
the sentence outside that clause, or the sentence after it, takes the value out of the answer.
"""

import re
from enum import StrEnum

from knowact.reading.cues import cues
from knowact.reading.reply import Reply, Span

_REACH = 300
"""A sentence is looked at so far to both sides of the value: it keeps the work bounded."""
_FRESH_START = re.compile(r"[:;\u2014]\s|\bsince\b|\bbecause\b")
"""After these a value in the sentence no longer depends on its opening condition."""
_AFTER_OPENING = re.compile(r"(?:\W|\b(?:and|but|so|well|und|et|y|e|en|also)\b)*")


class Mood(StrEnum):
    """What the sentence does with what stands in it."""

    PLAIN = "plain"
    CONDITIONAL = "conditional"
    """It holds only if something else does."""
    NOT_MEANT = "not meant"
    """It is mocked, told in a story, quoted from somebody, or part of a call."""


def mood(reply: Reply, start: int, end: int) -> Mood:
    """Say in which mood the value at `start` to `end` of the folded text stands."""
    low, high = reply.sentence(start)
    sentence = max(low, start - _REACH), min(max(high, end), end + _REACH)
    if _mocked(reply, sentence) or _quoted_only(reply, sentence, start, end) or reply.in_call(start):
        return Mood.NOT_MEANT
    if any(reply.plain[hit[0] : start] for hit in reply.hits("fiction", sentence[0], start)):
        return Mood.NOT_MEANT
    if _conditional(reply, sentence, low, start, end):
        return Mood.CONDITIONAL
    return Mood.PLAIN


def _mocked(reply: Reply, sentence: Span) -> bool:
    """Whether the sentence or the start of the next one takes the words back as a joke."""
    if reply.hits("mockery", *sentence):
        return True
    following = reply.sentence(sentence[1])
    if following[0] < sentence[1]:
        return False
    return any(
        not re.search(r"\w", reply.plain[following[0] : hit[0]])
        for hit in reply.hits("mockery", following[0], min(following[1], following[0] + 60))
    )


def _quoted_only(reply: Reply, sentence: Span, start: int, end: int) -> bool:
    """Whether the value stands in quotation marks and the sentence sets something against it.

    What a source says is asserted with it ("the terms say '15 %'"), unless it is the user who says it or
    the sentence goes on against it ("..., but the shop lists 10 %").
    """
    quote = reply.quotation(start)
    if quote is not None and end <= quote[1]:
        if any(reply.hits(cue, sentence[0], quote[0]) for cue in ("attributed", "said")):
            return True
        if reply.hits("attributed", quote[1], min(sentence[1], quote[1] + 30)):
            return True
        led = re.search(r"\w", reply.plain[sentence[0] : quote[0]]) is not None
        return led and _is_contrasted(reply, quote[1], sentence[1])
    return bool(reply.hits("source", sentence[0], start)) and _is_contrasted(reply, end, sentence[1])


def _is_contrasted(reply: Reply, end: int, limit: int) -> bool:
    """Whether the sentence turns against what it has quoted, before it draws anything from it."""
    turns = reply.hits("contrast", end, limit)
    return bool(turns) and not reply.hits("conclusion", end, turns[0][0])


def _conditional(reply: Reply, sentence: Span, begin: int, start: int, end: int) -> bool:
    if reply.hits("otherwise", end, sentence[1]) or reply.hits("otherwise", sentence[0], start):
        return True
    if begin < sentence[0]:
        return False
    opening = _AFTER_OPENING.match(reply.plain, begin, start)
    first = opening.end() if opening else begin
    condition = cues().patterns["condition"].match(reply.plain, first, start)
    return condition is not None and not _FRESH_START.search(reply.plain, condition.end(), start)
