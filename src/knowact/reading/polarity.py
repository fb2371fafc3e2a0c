"""Does a reply stand by a value that it mentions? Decided by the cues around the mention."""

import re
from enum import StrEnum

from knowact.reading.cues import cues
from knowact.reading.moods import Mood, mood
from knowact.reading.reply import Reply, Span

_SHORT_ASIDE = 4
"""A clause of at most this many words that carries a cue ("..., probably") qualifies its neighbour."""
_BEFORE_VALUE = re.compile(r"[\s\"'(:$€£]*\Z")
_SCOPE_END = re.compile(r"[,;]|\b(?:but|aber|sondern|mais|pero|sino|ma|mas|maar)\b")


_BEFORE_NOW = re.compile(r"[ ](?:before|earlier|previously|at first)(?=[ ]*(?:[.,;!)\n]|\Z))")
_NUMBER_SIGN = re.compile(r"no\.[ ]?\d")
_OTHER_CLAUSE = re.compile(r"(?:, (?:but|however|yet|though|aber|mais|pero|ma|mas|maar)\b|;|:)")
_SUMS_UP = re.compile(r"\b(?:sum|add|count|tot|come|amount)\w* up to[ $€£]*\Z")


class Polarity(StrEnum):
    """What a reply does with a value that it mentions."""

    ASSERTED = "asserted"
    DENIED = "denied"
    HEDGED = "hedged"
    IGNORED = "ignored"
    """It stands in a question, a quotation, or in words to whoever judges."""


def polarity(
    reply: Reply, start: int, end: int, *, kind: str = "text", exact: bool = False, extreme: str = ""
) -> Polarity:
    """Say what a reply does with the value at `start` to `end` of its folded text.

    Args:
        reply: The reply.
        start: Where the mention begins.
        end: Where it ends.
        kind: The kind of the fact; limits differ between numbers and times.
        exact: Whether a number is written so exactly that "about" speaks of rounding, not of doubt.
        extreme: "upper" or "lower" when the fact is itself an extreme, so that such a limit states it.
    """
    if not reply.is_answer(start):
        return Polarity.IGNORED
    clause = reply.clause(start, end)
    frame = mood(reply, start, end)
    if frame is Mood.NOT_MEANT or reply.hits("attributed", clause[0], start):
        return Polarity.IGNORED
    if _denied(reply, clause, start, end):
        return Polarity.DENIED
    if (
        frame is Mood.CONDITIONAL
        or _BEFORE_NOW.match(reply.plain, end)
        or _limited(reply, start, kind, exact=exact, extreme=extreme)
        or _doubted(reply, clause, start, end)
    ):
        return Polarity.HEDGED
    return Polarity.ASSERTED


def _denied(reply: Reply, clause: Span, start: int, end: int) -> bool:
    excused = reply.hits("no_denial", clause[0], start)
    for denial in reply.hits("denial", clause[0], start):
        if reply.language == "pt" and reply.plain[denial[0] : denial[1]] == "no":
            continue  # "in the"
        if _NUMBER_SIGN.match(reply.plain, denial[0]):
            continue
        if not any(low <= denial[0] < high for low, high in excused) and not _answers_no(
            reply, denial, clause
        ):
            return True
    if reply.hits(
        "denied_after", end, min(max(clause[1], end + 32), reply.sentence(start)[1])
    ) or _directly_before(reply, "exclusion", start):
        return True
    sentence = reply.sentence(start)
    return any(
        not _SCOPE_END.search(reply.plain, hit[1], start)
        and not any(low < hit[1] and hit[0] < high for low, high in excused)
        for hit in reply.hits("denial_wide", max(sentence[0], start - 200), start)
    )


def _answers_no(reply: Reply, denial: Span, clause: Span) -> bool:
    """Whether a "no" is an answer of its own ("No. It is 21"), not a denial of what follows."""
    alone = reply.plain[denial[0] : denial[1]] in {"no", "non", "nao", "nein", "nee"}
    return alone and reply.plain[clause[0] : denial[0]].strip() == "" and reply.plain[denial[1] :][:1] in ".!"


def _directly_before(reply: Reply, cue: str, start: int) -> bool:
    return any(
        _BEFORE_VALUE.fullmatch(reply.plain, hit[1], start)
        for hit in reply.hits(cue, max(0, start - 40), start)
    )


def _limited(reply: Reply, start: int, kind: str, *, exact: bool, extreme: str) -> bool:
    if kind in {"date", "time"}:
        return _directly_before(reply, "limit_time", start) or _directly_before(reply, "approximate", start)
    if kind != "number":
        return False
    limits = [side for side in ("upper", "lower") if side != extreme]
    if any(_directly_before(reply, f"limit_{side}", start) for side in limits):
        return _SUMS_UP.search(reply.plain, max(0, start - 24), start) is None
    return not exact and _directly_before(reply, "approximate", start)


def _doubted(reply: Reply, clause: Span, start: int, end: int) -> bool:
    low, high = _with_asides(reply, clause, start, end)
    if reply.hits("doubt", low, high) or reply.hits("announced", low, start):
        return True
    sentence = reply.sentence(start)
    low, high = max(sentence[0], start - 300), min(max(sentence[1], end), end + 300)
    if any(_reaches(reply, hit, start) for hit in reply.hits("stance", low, high)):
        return True
    return any(_is_about_everything(reply, hit[1]) for hit in _withdrawals(reply, sentence[1]))


def _withdrawals(reply: Reply, position: int) -> list[Span]:
    return [
        hit for hit in reply.hits("withdrawn", position, len(reply.plain))[-3:] if reply.is_answer(hit[0])
    ]


def _with_asides(reply: Reply, clause: Span, start: int, end: int) -> Span:
    """The clause, with a short neighbour on either side ("Probably, ...", "..., I think")."""
    low, high = clause
    sentence = reply.sentence(start)
    before = reply.plain[max(sentence[0], low - 40) : low].rstrip(" ,;:()-\u2014")
    aside = re.search(r"(?:^|[,;:(\u2014])([^,;:(\u2014]*)\Z", before)
    if aside and len(aside[1].split()) <= 2 and low - 40 <= sentence[0]:  # noqa: PLR2004 - an adverb or two
        low = max(sentence[0], low - 40)
    after = re.match(r"[ ,;:()\u2014-]*([^,;:()\u2014]*)", reply.plain[high : min(sentence[1], high + 60)])
    if after and 0 < len(after[1].split()) <= _SHORT_ASIDE and not re.search(r"\d", after[1]):
        high += after.end()
    return low, max(high, end)


def _is_about_everything(reply: Reply, position: int) -> bool:
    """Whether an admission of doubt names no object of its own, or only "that"."""
    rest = reply.plain[position : position + 40].lstrip()
    preposition = cues().patterns["object_of"].match(rest)
    if preposition is None:
        return True
    return cues().patterns["object_it"].match(rest[preposition.end() :].lstrip()) is not None


def _reaches(reply: Reply, hit: Span, start: int) -> bool:
    """Whether an admission of doubt reaches the value: always, unless it is about something of its own."""
    between = reply.plain[hit[1] : start] if hit[1] <= start else ""
    if re.match(r"[ ]\w", between) and _OTHER_CLAUSE.search(between):
        return False  # "I can't say anything about ..., but it is ..."
    if _is_about_everything(reply, hit[1]):
        return True
    return hit[1] <= start and not _SCOPE_END.search(reply.plain, hit[1], start)
