"""What offices and surgeries keep on the user."""

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.private.table import ClockTime, IsoDate, Table

_DOCUMENTS: Final = (
    *("passport", "identity card", "driving licence", "parking permit", "loft conversion permit"),
    *("fishing licence", "street party permit", "market stall permit", "skip permit", "tree-felling permit"),
    *("dog licence", "allotment lease", "birth certificate", "marriage certificate"),
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


_RELATIVES: Final = (
    *("Aunt Carla", "Uncle Ravi", "Grandma Ilse", "Grandpa Joost", "Cousin Mira", "Cousin Theo"),
    *("Aunt Edith", "Uncle Bruno", "Grandma Saskia", "Grandpa Henk", "Cousin Lena", "Cousin Felix"),
)
_MEDICINES: Final = (
    *("ramipril", "metformin", "levothyroxine", "amlodipine", "sertraline", "omeprazole", "atorvastatin"),
    *("bisoprolol", "montelukast", "allopurinol", "candesartan", "loratadine", "pantoprazole", "losartan"),
)


class Checkup(Noun):
    """What was last measured of a relative, by name.

    Weight in kilograms, height in centimetres, blood pressure in mmHg, pulse in beats per minute.
    """

    date: IsoDate
    weight: int
    height: int
    systolic: int
    diastolic: int
    pulse: int


class Prescription(Noun):
    """A repeat prescription, by the medicine. `refill_from` is the first day of the next refill."""

    refills: int
    tablets: int
    refill_from: IsoDate


class DoctorVisit(Noun):
    """An appointment of the user's with a doctor."""

    doctor: str
    date: IsoDate
    time: ClockTime


def _checkup(draw: random.Random, _key: str, today: dt.date) -> Checkup:
    return Checkup(
        date=(today - dt.timedelta(days=draw.randint(2, 150))).isoformat(),
        weight=draw.randint(52, 98),
        height=draw.randint(154, 193),
        systolic=draw.randint(104, 158),
        diastolic=draw.randint(62, 94),
        pulse=draw.randint(48, 82),
    )


def _prescription(draw: random.Random, _key: str, today: dt.date) -> Prescription:
    return Prescription(
        refills=draw.randint(1, 9),
        tablets=draw.randint(3, 88),
        refill_from=(today + dt.timedelta(days=draw.randint(1, 60))).isoformat(),
    )


TABLES: Final[Mapping[str, Table]] = {
    "permits": Table(Permit, _documents, _permit),
    "office_visits": Table(OfficeVisit),
    "checkups": Table(Checkup, lambda: _RELATIVES, _checkup),
    "prescriptions": Table(Prescription, lambda: _MEDICINES, _prescription),
    "doctor_visits": Table(DoctorVisit),
}
