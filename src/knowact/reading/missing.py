"""What an item lacks, and what it has: the measure for everything that a reply says is missing."""

from dataclasses import dataclass
from typing import Literal

from knowact.reading.askable import Job, Slot

Fit = Literal["fits", "wrong", "none"]
"""Whether what is said to be missing is what is missing; `none` where nothing is named."""


@dataclass(frozen=True, slots=True)
class Missing:
    """What an item lacks, and what it has.

    Attributes:
        slots: Values that the query does not give.
        jobs: Tools that are not offered. A description may go on with what the tool gives for this item
            ("upper blood pressure of Cousin Mira"): that is how replies speak of it.
        there_slots: Values that the query gives.
        there_jobs: Tools that are offered.
        stuck_jobs: Those of them that want a missing value. That they can't run is a consequence, so it is
            no wrong reason to say so.
        phrases: What the query says in place of missing values ("the day we agreed on").
        about: What only the missing tools' part of the query is about ("order J1183"): who could not do
            something about it speaks of that part.
    """

    slots: tuple[Slot, ...] = ()
    jobs: tuple[Job, ...] = ()
    there_slots: tuple[Slot, ...] = ()
    there_jobs: tuple[Job, ...] = ()
    stuck_jobs: tuple[Job, ...] = ()
    phrases: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
