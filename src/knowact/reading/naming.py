"""Whether a stretch of a clause that speaks of a limit names what is missing."""

import re
from collections.abc import Sequence
from typing import Literal

from knowact.reading.missing import Fit, Missing
from knowact.reading.wording import job_spots, phrase_spots, says, slot_spots, without_means

Kind = Literal["value", "unable", "no_tool", "assumed"]
"""What the stretch says: that a value is wanted, something could not be done, a tool is not there or fails, a
value was taken for granted."""

_JOINED = re.compile(r"(?:[\s,/&]|\b(?:and|or|the|your|a|an|und|oder|et|ou|y|o|en|of)\b)*\Z")
_DATE = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)?\.? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*"
    r"|\b\d{4}-\d{2}-\d{2}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
)
_TIME = re.compile(r"\b\d{1,2}:\d{2}\b|\b\d{1,2} ?(?:am|pm|uhr)\b")

_OBJECT = re.compile(
    r"\b(?:find(?: out)?|get|tell|determine|identify|see|locate|establish|work out|figure out|retrieve|read"
    r"|have|access to|know|ermitteln|finden)\b(?: (?:which|what|any|exact|correct|specific))*"
    r"|\b(?:find out|tell|see|know) (?=where|who|when)"
)
"""Behind these stands what was not found."""

_Spot = tuple[int, int, bool]
"""Start, end, and whether it is on the side of what is missing."""


def names(plain: str, missing: Missing, kind: Kind) -> Fit:
    """Say whether a folded stretch names what is missing.

    Args:
        plain: The stretch; for a wanted value what follows the cue ("I don't know ...").
        missing: What the item lacks and has.
        kind: What it says.

    The first thing that it speaks of counts, with all that is joined to it.
    """
    plain = without_means(plain, missing.there_jobs)
    if any(says(phrase, plain) for phrase in missing.phrases):
        return "fits"
    if kind in {"unable", "no_tool"}:
        return _of_jobs(plain, missing, kind) or _of_objects(plain, missing, kind)
    if kind == "assumed":
        return "fits" if _of_values(plain, missing, with_jobs=False) == "fits" else "none"
    return _of_values(_TIME.sub("time", _DATE.sub("day", plain)), missing, with_jobs=True)


def _of_jobs(plain: str, missing: Missing, kind: Kind) -> Fit | None:
    """What a stretch about an inability or a tool says of jobs; None where it speaks of none."""
    every = (*missing.jobs, *missing.there_jobs)
    idle = [job for job in missing.there_jobs if job not in missing.stuck_jobs]
    gone = max((len(job_spots(job, plain, every)) for job in missing.jobs), default=0)
    there = max((len(job_spots(job, plain, every)) for job in idle), default=0)
    if (gone and gone >= there) or any(says(value, plain) for value in missing.about):
        return "fits"
    if any(job_spots(job, plain) for job in missing.stuck_jobs):
        return "wrong" if kind == "no_tool" else "none"
    if there:
        return "wrong"
    # What missing and offered tools have in common: who lacks something of the kind may mean the former.
    return "fits" if any(job_spots(job, plain) for job in missing.jobs) else None


def _of_objects(plain: str, missing: Missing, kind: Kind) -> Fit:
    """What values a stretch could not find, or has no access to; what they belong to is another matter."""
    cut = _OBJECT.search(plain)
    if cut is None:
        return "none"
    fit = _of_values(plain[cut.end() :], missing, with_jobs=False, at_once=True)
    return "none" if kind == "no_tool" and missing.jobs else fit


def _of_values(plain: str, missing: Missing, *, with_jobs: bool, at_once: bool = False) -> Fit:
    """What a stretch that wants something names first."""
    slots = (*missing.slots, *missing.there_slots)
    spots: list[_Spot] = []
    for side, mine in ((True, missing.slots), (False, missing.there_slots)):
        spots += [(low, high, side) for slot in mine for low, high in slot_spots(slot, plain, slots)]
    for phrase in missing.phrases:
        spots += [(low, high, True) for low, high in phrase_spots(phrase, plain)]
    if with_jobs:
        every = (*missing.jobs, *missing.there_jobs)
        idle = [job for job in missing.there_jobs if job not in missing.stuck_jobs]
        for side, jobs in ((True, missing.jobs), (False, idle)):
            spots += [(low, high, side) for job in jobs for low, high in job_spots(job, plain, every)]
    if not spots or (at_once and not _JOINED.match(plain[: min(spots)[0]])):
        return "none"
    return "fits" if any(side for _, _, side in _first(spots, plain)) else "wrong"


def _first(spots: Sequence[_Spot], plain: str) -> list[_Spot]:
    """The first spot, all that say the same stretch, and what is joined to it."""
    ordered = sorted(set(spots), key=lambda spot: (spot[0], -spot[1], not spot[2]))
    found, low, reach = list[_Spot](), ordered[0][0], ordered[0][1]
    for start, end, side in ordered:
        inside = low <= start and end <= reach
        if inside and (start, end) != (low, reach):
            continue  # a part of a longer name is not spoken of: "order" in "order number"
        if inside or (start >= reach and _JOINED.match(plain[reach:start])):
            found.append((start, end, side))
            low, reach = start, max(reach, end)
        else:
            break
    return found
