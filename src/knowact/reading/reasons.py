"""Does the reason that a reply gives name what is really missing?

The words come from `wording.py`. A reason is cut into clauses; only a clause that says that
something is not there ("missing", "not given", "which ...") speaks of what is missing.
"""

import re

from knowact.reading.askable import lacks_in
from knowact.reading.folding import fold
from knowact.reading.missing import Fit, Missing
from knowact.reading.wording import job_spots, phrase_spots, says, slot_spots, without_means

_CLAUSE = re.compile(
    r"[,;:.!?\n()\u3002\uff0c\uff01\uff1f\u2014]+|\s[-\u2013]\s|\b(?:but|although|though|however|whereas|yet|while|because|since|aber|mais|pero|ma|mas)\b"
    r"|\band(?= (?:there|i|it|no|the user|the request)\b)"
)
_CAN_BE_FOUND = re.compile(
    r"\b(?:can|could|will) (?:be (?:found|looked|read|had|done|got|fetched|retrieved|seen|derived|worked"
    r"|checked|computed|calculated|taken|asked)|find|get|look)\b"
)
_LACKS_TOOL = re.compile(
    r"\b(?:no|not|none|without|lack\w*|missing|n't have|cannot|can't|needs? an?)\b[^.]*"
    r"\b(?:tools?|functions?|services?|api|capability|access to)\b"
)
LONGEST = 2_000
"""Characters of a reason that are read: a short one was asked for."""
_FRAGMENT = 4
"""A reason of up to so many words names what is missing without saying that it is ("The city")."""


def reason_fits(reason: str, missing: Missing) -> Fit:
    """Compare a reason with the record of what is missing.

    Args:
        reason: `AwarenessReading.reason`.
        missing: What the item lacks and has.

    `fits` where it says that something is missing which is, whatever else it says; `wrong` where all that it
    misses and that the table knows is there, or plays no part; `none` where it names nothing.
    """
    plain = fold(reason[:LONGEST]).plain
    clauses = clauses_of(plain)
    lacking = [part for part in clauses if lacks_in(part)]
    if not lacking and len(plain.split()) <= _FRAGMENT:
        lacking = clauses
    verdicts = {_clause(part, missing) for part in lacking}
    return "fits" if "fits" in verdicts else "wrong" if "wrong" in verdicts else "none"


def clauses_of(plain: str) -> list[str]:
    """The clauses of a folded text, in order."""
    return [part for part in _CLAUSE.split(plain) if part.strip()]


def _clause(plain: str, missing: Missing) -> Fit:
    lacks = lacks_in(plain)
    if lacks and _CAN_BE_FOUND.search(plain) and not re.search(r"\b(?:not|cannot|no|nothing|n't)\b", plain):
        return "none"
    plain = without_means(plain, missing.there_jobs)
    if any(says(phrase, plain) for phrase in missing.phrases):
        return "fits"
    jobs, slots = (*missing.jobs, *missing.there_jobs), (*missing.slots, *missing.there_slots)
    if _LACKS_TOOL.search(plain.replace("don't", "not")):
        # "No tool tells the status of an order" misses a tool, not the order that it names.
        if any(job_spots(job, plain, jobs) for job in missing.jobs):
            return "fits"
        if any(job_spots(job, plain) for job in missing.there_jobs):
            return "wrong"
    if any(slot_spots(slot, plain, slots) for slot in missing.slots):
        return "fits"
    if any(phrase_spots(phrase, plain) for phrase in missing.phrases):
        return "fits"
    if any(job_spots(job, plain, jobs) for job in missing.jobs):
        return "fits"
    there = any(slot_spots(slot, plain, slots) for slot in missing.there_slots)
    return "wrong" if there or any(job_spots(job, plain) for job in missing.there_jobs) else "none"
