"""The user's job applications, by employer."""

import datetime as dt
import random
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.places import CITIES
from knowact.worlds.everyday.private.personal import vocabulary
from knowact.worlds.everyday.private.records import IsoDate
from knowact.worlds.everyday.private.table import Table

EMPLOYERS: Final = (
    "Alder Street Clinic",
    "Brightwater School",
    "Cobalt Press",
    "Dovecote Hotel",
    "Eastgate Observatory",
    "Fennel & Fig",
    "Greyfriars Museum",
    "Hartland Rail",
    "Ironbridge Cycles",
    "Juniper Nursery",
    "Kestrel Airways",
    "Lockside Brewery",
    "Meridian Maps",
    "Northlight Radio",
    "Old Mill Bakery",
    "Quayside Aquarium",
    "Sandpiper Theatre",
    "Thornbury Gardens",
)
"""Invented, and each could employ people of many trades."""
_POSITIONS: Final = (
    "accounts clerk",
    "caretaker",
    "duty manager",
    "events assistant",
    "receptionist",
    "stock controller",
    "trainee buyer",
    "web editor",
)
_STATUSES: Final = ("received", "under review", "shortlisted", "on the waiting list")


class JobApplication(Noun):
    """An application of the user's. Pay in cents per hour; `reply` is the day of the promised answer."""

    position: str
    status: str
    sent: IsoDate
    reply: IsoDate
    city: str
    referee: str
    cents_per_hour: int


def _application(draw: random.Random, _key: str, today: dt.date) -> JobApplication:
    return JobApplication(
        position=draw.choice(_POSITIONS),
        status=draw.choice(_STATUSES),
        sent=(today - dt.timedelta(days=draw.randint(3, 40))).isoformat(),
        reply=(today + dt.timedelta(days=draw.randint(1, 13))).isoformat(),
        city=draw.choice([name for name in CITIES if name != "Utrecht"]),
        referee=draw.choice(vocabulary()["contacts"]),
        cents_per_hour=draw.randint(28, 70) * 50,
    )


TABLES: Final = {"job_applications": Table(JobApplication, lambda: EMPLOYERS, _application)}
