"""Does a message admit a limit, and does it name the missing part as that limit? Pure.

An admission is what the shared reader takes for one (`reading.limits`), an entry of the list "admits", or one
of the shapes below: a source that tells nothing, no means for it, something that is not given or not up to
the assistant. A part is named where it stands in the same clause, in front of it ("As for the seats, ..."),
in the clause before a pronoun, or in the sentence before one.
"""

import re
from itertools import pairwise
from typing import Final

from knowact.people.claiming import says_done
from knowact.people.cue_lists import has, speaks_of
from knowact.people.part_names import Part, bare_names
from knowact.reading.limits import read_limits
from knowact.reading.missing import Missing
from knowact.reading.own_sentences import OwnSentence, own_sentences
from knowact.reading.reasons import clauses_of

_TELLS_NOTHING: Final = (
    r"\b(?:say|tell|show|report|give|mention|reveal|contain|return|provide|list|include|display)(?:s|ed|n)?"
    r"(?: me| you| us)? (?:nothing|none)\b|\b(?:said|told|gave|came back with|comes back with)(?: me| you)?"
    r" nothing\b|\b(?:nothing|none|no \w+)(?: \w+)? (?:comes|came|gets|got|reaches|reached)"
    r" (?:back|through|me)\b|\bfound (?:none|nothing)\b|(?:n't|\bnot) (?:come|coming|get|getting) through\b"
)
_KEEPS_QUIET: Final = (
    r"(?<!you )(?<!we )\b(?:doesn't|don't|didn't|won't|does not|do not|did not|will not)(?: \w+)?"
    r" (?:tell|say|show|report|give|mention|reveal)\b"
)
_GIVES_NO: Final = (
    r"(?<!you )(?<!we )\b(?:doesn't|don't|didn't|won't|does not|do not|did not|will not)(?: \w+)?"
    r" (?:include|contain|list|return|provide|come with|appear|cover|let me|allow me|reach me|answer"
    r"|respond|obey)\b"
    r"|\bneither\b[^.;]{0,60}\b(?:visible|available|shown|accessible|possible|supported|known|reported"
    r"|given)\b"
)
_NOT_GIVEN: Final = (
    r"(?:n't|\bnot)(?: \w+)? (?:supported|included|listed|shown|reported|given|provided|visible|offered"
    r"|accessible|adjustable|controllable|among|part of|within|transmitted|passed on|recorded|filled in"
    r"|in (?:the|your|my|its|what) (?:entry|entries|data|result|list|report|specs|calendar|details|settings"
    r"|i))\b"
)
_NOT_MINE: Final = (
    r"(?:n't|\bnot)(?: \w+)? (?:up to me|for me to|mine to|open to me|(?:with)?in my|at my disposal"
    r"|(?:something|anything|a thing) (?:that )?(?:i|we|my|the assistant|this assistant))\b"
    r"|\b(?:out of|not in|outside(?: of)?|beyond) my (?:hands|control|reach|power|scope|means)\b"
    r"|\boff[- ]limits\b|\b(?:closed to|hidden from|invisible to|out of bounds for|locked for) me\b"
    r"|\bno (?:\w+ )?(?:control|controls|influence|function|command|switch|say|hold|power|tool)\b"
    r"|\b(?:have to|need to|must)\b[^.;]{0,60}\b(?:yourself|by hand|manually)\b"
)
_NO_MEANS: Final = (
    r"\b(?:no|without(?: an?| any)?)(?: (?!other\b|further\b|more\b)\w+){0,2} (?:data|readings?|fields?"
    r"|figures?|values?|entry|sensors?|switch|controls?|function|command|tool|means|information|info"
    r"|forecast|access|calculation|interface|insight|view|line)\b"
    r"(?! (?:is |are |was )?(?:needed|required|necessary))"
)
_NOTHING_FOR: Final = (
    r"\bi(?:'ve got|'ve| have| have got) nothing (?:here |there )?(?:to (?!add\b|say\b|do\b)\w+|that|for)\b"
    r"|\bnothing (?:here |there )?(?:that )?(?:lets|allows|tells|shows|gives) me\b"
)
_EMPTY: Final = (
    r"\b(?:field|entry|line|column|value|record|reading|data|result) (?:is|are|was|were|comes|came|stays)"
    r"(?: \w+)? (?:blank|empty|missing)\b|\b(?:comes|came) back (?:blank|empty)\b"
)
_SHAPES: Final = re.compile(
    f"{_TELLS_NOTHING}|{_KEEPS_QUIET}|{_GIVES_NO}|{_NOT_GIVEN}|{_NOT_MINE}|{_NO_MEANS}|{_NOTHING_FOR}|{_EMPTY}"
)
_MINE: Final = re.compile(_NOT_MINE)
_QUIET: Final = re.compile(_KEEPS_QUIET)
_UNKNOWN: Final = re.compile(
    r"\b(?:can't|cannot|couldn't|can not|unable to|not able to|no way to|no means to) (?:\w+ )?"
    r"(?:see|tell|find out|check|read|know|say|look|determine|verify|learn)\b(?! (?:why|anyone|anybody))"
    r"|\b(?:don't|do not|doesn't) know\b(?! why)|\b(?:un|n't |not )known to me\b"
    r"|(?:n't|\bnot)(?: \w+)? (?:visible|reported|shown|readable|given|provided|included|listed)\b"
    r"|\b(?:hidden from|closed to|invisible to) me\b|\bno (?:\w+ )?(?:reading|data|information|access)\b"
)
"""What an admission says that is about knowing something."""
_ABLE: Final = re.compile(
    r"\b(?:i|we) (?:can|could|do|see|know|have|get|found|got)\b|\b(?:shows?|tells?|gives?|told to) me\b"
)
_BUT_NOT: Final = re.compile(r"\A\W*(?:just |only |sadly )?not (?!only|just|yet|to worry|until|before|too)")
_FRONTED: Final = re.compile(
    r"\A\W*(?:and |but |so |now )?(?:as (?:for|to)|for|about|regarding|concerning|with|on|when it comes to)\b"
)
_NOT_YET: Final = re.compile(r"[^,;:]*\byet\b(?=\s*(?:[,.;:!?]|\Z))")
"""What only has not been done yet."""
_DONE_TO: Final = (
    r"(?!supported|included|offered|provided|allowed|equipped|installed|enabled|connected)"
    r"(?:\w+ed|sent|set|done|put|taken|written)\b"
)
_NOT_DONE: Final = re.compile(
    rf"\b(?:nothing|none|no [\w-]+)(?: \w+)? (?:(?:has|have) been|was|were|is|are) {_DONE_TO}"
    rf"|\b(?:haven't|hasn't|wasn't|weren't|(?:have|has|was|were) (?:not|never))(?: been| yet)* {_DONE_TO}"
)
"""What was not done is no limit of who could do it."""
_SENSED: Final = re.compile(
    r"\b(?:see|feel|check|know|tell you|verify) (?:how|whether|if|which|what|who|where|when|anyone|anybody)\b"
)
_MANY: Final = 4
"""Commas in a list of everything that somebody may not be able to do; it names nothing."""


def admits(text: str) -> bool:
    """Whether a text admits a limit, as the shared reader sees it, or in the words of somebody in a car."""
    return read_limits(text, Missing()).admits or any(
        admits_plainly(one.plain) and not has("no_limit", one.plain) and not one.asks
        for one in own_sentences(text)
    )


def admits_plainly(plain: str) -> bool:
    """Whether a folded text has a word or a shape of an admission; it may be one of something else."""
    return has("admits", plain) or _SHAPES.search(plain) is not None


def admits_it(part: Part, one: OwnSentence, before: str) -> bool:
    """Whether a sentence admits a limit and names the missing part.

    A sentence that also says what was done is held to one clause, or to a clause that points back to the one
    before it. Any other may name the part in one clause and admit in the next, stand under its name, or point
    back to the sentence before. Of a question only what stands before its last clause is said.

    Args:
        part: The missing part.
        one: The sentence.
        before: The sentence before it, folded.
    """
    plain = _NOT_YET.sub(" ", one.plain)
    clauses = clauses_of(plain)
    if one.asks:
        told = part.is_known and not has("leave", plain)
        clauses = [said for said in clauses[:-1] if told and admits_plainly(said)]
    if any(_is_named_limit(part, clause) for clause in clauses):
        return True
    if any(_is_taken_up(part, first, then) for first, then in pairwise(clauses)):
        return True
    if one.asks or any(says_done(clause) for clause in clauses) or not _is_flat(part, plain):
        return False
    meant = " ".join(clause for clause in clauses if not has("announces", clause))
    if plain.count(",") < _MANY and speaks_of(part.names, f"{one.head} {meant}"):
        return True
    return has("points_back", plain) and speaks_of(part.names, before)


def _is_named_limit(part: Part, clause: str) -> bool:
    """Whether one clause admits a limit and names the part.

    All words of its description name it, too, where the clause says that it is not the assistant's to do, or
    where it is something to be known and the clause says that it isn't.
    """
    said = clause if part.is_known else _NOT_DONE.sub(" ", clause)
    if speaks_of([f"no {word}" for word in bare_names(part.names)], said):
        return True
    if not _is_flat(part, clause):
        return False
    if speaks_of(part.names, clause):
        return True
    shape = _UNKNOWN if part.is_known else _MINE
    return shape.search(clause) is not None and part.is_described(clause)


def _is_flat(part: Part, text: str) -> bool:
    """Whether a text admits a limit that holds whatever else does; of a job, none of seeing or telling."""
    if has("conditional", text) or has("no_limit", text):
        return False
    if part.is_known:
        return admits(text)
    return _SENSED.search(text) is None and admits(_NOT_DONE.sub(" ", _QUIET.sub(" ", text)))


def _is_taken_up(part: Part, first: str, then: str) -> bool:
    """Whether a clause admits what the one before it is about: put in front, or taken up by a pronoun.

    So does "I can see the meeting, but not who attends".
    """
    if _BUT_NOT.match(then) and _ABLE.search(first) and speaks_of(part.names, then):
        return True
    if says_done(first) or says_done(then) or not speaks_of(part.names, first):
        return False
    return _is_flat(part, then) and (_FRONTED.match(first) is not None or has("points_back", then))
