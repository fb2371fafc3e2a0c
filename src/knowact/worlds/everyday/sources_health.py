"""Pharmacies and practices as they stand today: pure functions of the seed, the subject and the day.

See `sources` for how such values are drawn.
"""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from knowact.core.seeds import generator
from knowact.worlds.everyday.places import city

DOCTORS: Final = (
    "Dr Verhoeven",
    "Dr Adeyemi",
    "Dr Castellani",
    "Dr Lindholm",
    "Dr Rahimi",
    "Dr Okonkwo",
    "Dr Jansen",
    "Dr Moreau",
    "Dr Petrova",
    "Dr Silva",
    "Dr Hartmann",
    "Dr Yamada",
)
"""Invented, and the same under every seed."""
_FIRST_NAMES: Final = ("Swan", "Sun", "Linden", "Harbour", "Station", "Castle", "Rose", "Bridge", "Eagle")
_STREETS: Final = (
    *("Mill Street", "Station Road", "Orchard Lane", "Canal Street", "Church Square"),
    *("Rope Walk", "Market Street", "Garden Road", "Tower Street", "Ferry Lane"),
)


@dataclass(frozen=True, slots=True)
class Pharmacy:
    """The pharmacy on duty of a night. `closes` is a time of the day."""

    name: str
    street: str
    closes: str


def pharmacy_on_duty(seed: int, place: str, day: dt.date) -> Pharmacy:
    """Return which pharmacy of a city stays open on the night of a day."""
    city(place)
    draw = generator(seed, "pharmacy", place, day.isoformat())
    return Pharmacy(
        name=f"{draw.choice(_FIRST_NAMES)} Pharmacy",
        street=f"{draw.randint(1, 96)} {draw.choice(_STREETS)}",
        closes=f"{draw.choice((22, 23)):02d}:{draw.choice((0, 10, 15, 20, 30, 40, 45, 50)):02d}",
    )


def consultation(seed: int, doctor: str, day: dt.date, time: str) -> tuple[int, int]:
    """Return the room of a consultation, and how many minutes before it one has to be there."""
    draw = generator(seed, "consultation", doctor, day.isoformat(), time)
    return draw.randint(1, 24), draw.choice((5, 10, 15, 20, 25, 30))
