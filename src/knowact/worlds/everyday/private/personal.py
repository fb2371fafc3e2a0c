"""What is the user's own: people, mail, agenda, orders, bookings, accounts, notes and the house."""

import datetime as dt
import random
from collections.abc import Mapping
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.places import CITIES
from knowact.worlds.everyday.private.table import ClockTime, IsoDate, Table, vocabulary
from knowact.worlds.everyday.sources import FLIGHTS


class Contact(Noun):
    """Somebody in the address book, by name."""

    city: str
    phone: str
    email: str
    birthday: IsoDate


class Mail(Noun):
    """The latest message from a sender, by the sender's name. `received` is a day."""

    subject: str
    text: str
    received: IsoDate
    order_number: str | None = None


class Sent(Noun):
    """A message that the user's account has sent."""

    recipient: str
    subject: str
    body: str


class Event(Noun):
    """Something in the calendar, by title. It ends on the day that it starts."""

    date: IsoDate
    start: ClockTime
    end: ClockTime
    city: str


class Order(Noun):
    """A purchase, by order number. Money in euros, weight in grams."""

    item: str
    status: str
    total: float
    weight: int
    delivery: IsoDate
    city: str


class Booking(Noun):
    """A booked seat on a flight, by booking reference."""

    flight: str
    date: IsoDate
    seat: str
    destination: str


class Account(Noun):
    """A bank account, by name. Money in euros, cents exact."""

    cents: int


class Transfer(Noun):
    """Money that left an account."""

    account: str
    payee: str
    cents: int


class Note(Noun):
    """A text of the user's own, by title."""

    text: str


_CITIES: Final = tuple(name for name in CITIES if name != "Utrecht")
"""Everything private is elsewhere than at the usual home, so that travelling there makes sense."""
_NEARBY: Final = (
    "Amsterdam",
    "Antwerp",
    "Berlin",
    "Brussels",
    "Cologne",
    "Ghent",
    "Hamburg",
    "Paris",
    "Rotterdam",
)
"""Where appointments are: people do not see a dentist in Athens."""
_EVENT_DAYS: Final = 18
"""Events lie within this many days after today."""


def _contact(draw: random.Random, key: str, _today: dt.date) -> Contact:
    name = key.lower().replace(" ", ".")
    prefix = draw.choice((31, 32, 33, 44, 46, 49))
    return Contact(
        city=draw.choice(_CITIES),
        phone=f"+{prefix} {draw.randint(100, 999)} {draw.randint(100000, 999999)}",
        email=f"{name}{draw.randint(10, 99)}@{draw.choice(vocabulary().domains)}",
        birthday=_day(dt.date(draw.randint(1958, 2001), 1, 1), draw.randint(0, 364)),
    )


def _mail(draw: random.Random, key: str, today: dt.date) -> Mail:
    received = _day(today, -draw.randint(0, 9))
    if key in vocabulary().shops:
        return Mail(
            subject=draw.choice(vocabulary().shop_mail.subjects),
            text=draw.choice(vocabulary().shop_mail.texts),
            received=received,
            order_number=draw.choice(vocabulary().orders),
        )
    words = vocabulary().people_mail
    weekday = draw.choice(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"))
    hour = draw.choice(("ten", "noon", "three", "five", "seven"))
    text = f"{draw.choice(words.openings)} {weekday} at {hour}? {draw.choice(words.closings)}"
    return Mail(subject=draw.choice(words.subjects), text=text, received=received)


def _event(draw: random.Random, _key: str, today: dt.date) -> Event:
    start = draw.randint(16, 38) * 30
    end = start + draw.choice((30, 45, 60, 90, 120))
    return Event(
        date=_day(today, draw.randint(1, _EVENT_DAYS)),
        start=f"{start // 60:02d}:{start % 60:02d}",
        end=f"{end // 60:02d}:{end % 60:02d}",
        city=draw.choice(_NEARBY),
    )


def _order(draw: random.Random, key: str, today: dt.date) -> Order:
    status = draw.choice(vocabulary().statuses)
    if status == "delivered" and int(key[-1]) % 2:
        # What somebody wants to cancel must be under way whatever the seed is: orders with an odd number are.
        status = "processing"
    days = -draw.randint(1, 9) if status == "delivered" else draw.randint(1, 20)
    return Order(
        item=draw.choice(vocabulary().items),
        status=status,
        total=float(draw.randint(12, 95)),
        weight=draw.randint(3, 19) * 50,
        delivery=_day(today, days),
        city=draw.choice(_CITIES),
    )


def _booking(draw: random.Random, _key: str, today: dt.date) -> Booking:
    return Booking(
        flight=draw.choice(FLIGHTS),
        date=_day(today, draw.randint(0, 6)),
        seat=f"{draw.randint(1, 32)}{draw.choice('ABCDEF')}",
        destination=draw.choice(_CITIES),
    )


def _account(draw: random.Random, _key: str, _today: dt.date) -> Account:
    return Account(cents=draw.randint(210, 990) * 100)


def _note(draw: random.Random, key: str, _today: dt.date) -> Note:
    return Note(text="\n".join(draw.sample(vocabulary().notes[key], draw.randint(3, 7))))


def _day(start: dt.date, days: int) -> str:
    return (start + dt.timedelta(days=days)).isoformat()


ROOMS: Final = (
    *("kitchen", "living room", "bedroom", "bathroom", "hallway", "study", "nursery", "attic", "guest room"),
    *("conservatory", "utility room", "workshop"),
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


TABLES: Final[Mapping[str, Table]] = {
    "contacts": Table(Contact, lambda: vocabulary().contacts, _contact),
    "mailbox": Table(Mail, lambda: (*vocabulary().contacts, *vocabulary().shops), _mail),
    "sent": Table(Sent),
    "events": Table(Event, lambda: vocabulary().events, _event),
    "orders": Table(Order, lambda: vocabulary().orders, _order),
    "bookings": Table(Booking, lambda: vocabulary().bookings, _booking),
    "accounts": Table(Account, lambda: vocabulary().accounts, _account),
    "transfers": Table(Transfer),
    "notes": Table(Note, lambda: tuple(vocabulary().notes), _note),
    "rooms": Table(Room, lambda: ROOMS, _room),
    "appliances": Table(Appliance, lambda: tuple(_USUAL_USE), _appliance),
    "meters": Table(Meter, lambda: tuple(_USUAL_METERS), _meter),
    "parking_credit": Table(ParkingCredit, lambda: (VISITORS,), _credit),
    "parked": Table(Parked),
}
