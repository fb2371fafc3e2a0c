"""Does the reason that a reply gives name what is really missing?

The words come from the table of `askable.py`. A reason is cut into clauses; only a clause that says that
something is not there ("missing", "not given", "which ...") speaks of what is missing.
"""

import re
from dataclasses import dataclass
from typing import Literal

from knowact.reading.askable import (
    Hit,
    Job,
    Slot,
    hits_in,
    lacks_in,
    own_words,
    speaks_of,
    table,
    topics_of,
    words_in,
)
from knowact.reading.folding import fold

Fit = Literal["fits", "wrong", "none"]

_CLAUSE = re.compile(
    r"[,;:.!?\n()\u3002\uff0c\uff01\uff1f\u2014]+|\s[-\u2013]\s|\b(?:but|although|though|however|whereas|yet|while|because|since|aber|mais|pero|ma|mas)\b"
    r"|\band(?= (?:there|i|it|no|the user|the request)\b)"
)
_CAN_BE_FOUND = re.compile(r"\b(?:can|could|will) (?:be|find|get|look)\b")
_LACKS_TOOL = re.compile(
    r"\b(?:no|not|none|without|lack\w*|missing|n't have|cannot|can't|needs? an?)\b[^.]*"
    r"\b(?:tools?|functions?|services?|api|capability|access to)\b"
)
LONGEST = 2_000
"""Characters of a reason that are read: a short one was asked for."""
_FRAGMENT = 4
"""A reason of up to so many words names what is missing without saying that it is ("The city")."""


@dataclass(frozen=True, slots=True)
class Missing:
    """What an item lacks, and what it has: the measure for a reason.

    Attributes:
        slots: Values that the query does not give.
        jobs: Tools that are not offered.
        there_slots: Values that the query gives.
        there_jobs: Tools that are offered.
    """

    slots: tuple[Slot, ...] = ()
    jobs: tuple[Job, ...] = ()
    there_slots: tuple[Slot, ...] = ()
    there_jobs: tuple[Job, ...] = ()


def reason_fits(reason: str, missing: Missing) -> Fit:
    """Compare a reason with the record of what is missing.

    Args:
        reason: `AwarenessReading.reason`.
        missing: What the item lacks and has.

    `fits` where it says that something is missing which is, whatever else it says; `wrong` where all that it
    misses and that the table knows is there, or plays no part; `none` where it names nothing.
    """
    plain = fold(reason[:LONGEST]).plain
    clauses = [part for part in _CLAUSE.split(plain) if part.strip()]
    lacking = [part for part in clauses if lacks_in(part)]
    if not lacking and len(plain.split()) <= _FRAGMENT:
        lacking = clauses
    verdicts = {_clause(part, missing) for part in lacking}
    return "fits" if "fits" in verdicts else "wrong" if "wrong" in verdicts else "none"


def _clause(plain: str, missing: Missing) -> Fit:
    lacks = lacks_in(plain)
    if lacks and _CAN_BE_FOUND.search(plain) and not re.search(r"\b(?:not|cannot|no|nothing|n't)\b", plain):
        return "none"
    if _LACKS_TOOL.search(plain.replace("don't", "not")):
        # "No tool tells the status of an order" misses a tool, not the order that it names.
        if any(speaks_of(job, plain) for job in missing.jobs):
            return "fits"
        if any(speaks_of(job, plain) for job in missing.there_jobs):
            return "wrong"
    hits, spoken = hits_in(plain), frozenset(words_in(plain))
    if any(_names_slot(slot, hits, spoken, missing) for slot in missing.slots):
        return "fits"
    if any(speaks_of(job, plain) for job in missing.jobs):
        return "fits"
    there = any(_names_slot(slot, hits, spoken, missing) for slot in missing.there_slots)
    return "wrong" if there or any(speaks_of(job, plain) for job in missing.there_jobs) else "none"


def _names_slot(slot: Slot, hits: list[Hit], spoken: frozenset[str], missing: Missing) -> bool:
    """Whether a clause speaks of a slot, and not of another one of the same topic by its role."""
    if own_words(slot) & spoken - {"name", "number", "title"}:
        return True
    topics = topics_of(slot)
    if not any(hit.topics & topics for hit in hits):
        return False
    roles = {other.parameter for other in (*missing.slots, *missing.there_slots) if topics_of(other) & topics}
    spoken_roles = {role for role in roles if table().roles.get(role, frozenset[str]()) & spoken}
    return not spoken_roles or slot.parameter in spoken_roles
