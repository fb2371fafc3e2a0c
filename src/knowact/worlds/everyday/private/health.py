"""The health folder of the user's family, their prescriptions and appointments."""

import datetime as dt
import random
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.private.records import ClockTime, IsoDate
from knowact.worlds.everyday.private.table import Table

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


TABLES: Final = {
    "checkups": Table(Checkup, lambda: _RELATIVES, _checkup),
    "prescriptions": Table(Prescription, lambda: _MEDICINES, _prescription),
    "doctor_visits": Table(DoctorVisit),
}
