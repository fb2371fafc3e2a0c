"""What the user has applied for at town offices, and the visits that calls book there."""

import datetime as dt
import random
from collections.abc import Sequence
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.private.records import ClockTime, IsoDate
from knowact.worlds.everyday.private.table import Table

_DOCUMENTS: Final = (
    "passport",
    "identity card",
    "driving licence",
    "parking permit",
    "loft conversion permit",
    "fishing licence",
    "street party permit",
    "market stall permit",
    "skip permit",
    "tree-felling permit",
    "dog licence",
    "allotment lease",
    "birth certificate",
    "marriage certificate",
)
_STATUSES: Final = (
    "received",
    "under review",
    "waiting for a photo",
    "waiting for payment",
    "approved",
    "being printed",
    "ready for collection",
)


class Permit(Noun):
    """A document that the user has applied for, by what it is. The fee in euros."""

    status: str
    ready: IsoDate
    fee: int


class OfficeVisit(Noun):
    """A booked appointment at a town office, by its ticket."""

    office: str
    date: IsoDate
    time: ClockTime


def _documents() -> Sequence[str]:
    return _DOCUMENTS


def _permit(draw: random.Random, _key: str, today: dt.date) -> Permit:
    return Permit(
        status=draw.choice(_STATUSES),
        ready=(today + dt.timedelta(days=draw.randint(2, 45))).isoformat(),
        fee=draw.randint(4, 32) * 5,
    )


TABLES: Final = {"permits": Table(Permit, _documents, _permit), "office_visits": Table(OfficeVisit)}
