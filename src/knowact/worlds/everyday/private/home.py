"""The user's home: rooms, appliances, meters, and the hours that guests may park."""

import datetime as dt
import random
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.private.table import Table

ROOMS: Final = (
    "kitchen",
    "living room",
    "bedroom",
    "bathroom",
    "hallway",
    "study",
    "nursery",
    "attic",
    "guest room",
    "conservatory",
    "utility room",
    "workshop",
)
_USUAL_USE: Final = {
    "dishwasher": 9,
    "washing machine": 8,
    "tumble dryer": 18,
    "oven": 11,
    "fridge": 6,
    "freezer": 8,
    "heat pump": 64,
    "car charger": 92,
    "television": 4,
    "dehumidifier": 15,
    "aquarium": 5,
    "water heater": 38,
}
"""What the appliances take on a usual day, in tenths of a kilowatt-hour."""
_USUAL_METERS: Final = {"electricity": (240_000, 110), "gas": (61_000, 45), "water": (8_400, 4)}
"""Reading of each meter and its usual use a day, in tenths of its unit."""
VISITORS: Final = "visitors"


class Room(Noun):
    """A room with its thermostat. Temperatures in degrees Celsius, humidity in per cent."""

    temperature: float
    target: float
    humidity: int
    light: bool


class Appliance(Noun):
    """An appliance behind a measuring plug, with its use on a usual day in tenths of a kilowatt-hour."""

    usual: int


class Meter(Noun):
    """A meter as it stood last midnight, and its use on a usual day, both in tenths of its unit."""

    reading: int
    usual: int


class ParkingCredit(Noun):
    """Minutes for which guests of the user may still park."""

    minutes: int


class Parked(Noun):
    """A guest's car that may stand in the street, by its number plate; until when, on the 24-hour clock."""

    until: str


def _room(draw: random.Random, _key: str, _today: dt.date) -> Room:
    return Room(
        temperature=draw.randint(150, 238) / 10,
        # Half degrees, so that the whole number that somebody asks for is always a change.
        target=draw.randint(15, 22) + 0.5,
        humidity=draw.randint(34, 68),
        light=draw.random() < 0.5,  # noqa: PLR2004 - a coin
    )


def _appliance(draw: random.Random, key: str, _today: dt.date) -> Appliance:
    usual = _USUAL_USE[key]
    return Appliance(usual=usual + draw.randint(0, usual // 2))


def _meter(draw: random.Random, key: str, _today: dt.date) -> Meter:
    reading, usual = _USUAL_METERS[key]
    return Meter(reading=reading + draw.randint(0, reading), usual=usual + draw.randint(0, usual // 2))


def _credit(draw: random.Random, _key: str, _today: dt.date) -> ParkingCredit:
    return ParkingCredit(minutes=draw.randint(60, 300) * 10)


TABLES: Final = {
    "rooms": Table(Room, lambda: ROOMS, _room),
    "appliances": Table(Appliance, lambda: tuple(_USUAL_USE), _appliance),
    "meters": Table(Meter, lambda: tuple(_USUAL_METERS), _meter),
    "parking_credit": Table(ParkingCredit, lambda: (VISITORS,), _credit),
    "parked": Table(Parked),
}
