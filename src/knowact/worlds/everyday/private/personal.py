"""People, mail, agenda, orders, bookings, accounts and notes of the user."""

import datetime as dt
import json
import random
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

from knowact.worlds.everyday.places import CITIES
from knowact.worlds.everyday.private import records
from knowact.worlds.everyday.private.table import Table
from knowact.worlds.everyday.sources import FLIGHTS

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


@lru_cache(maxsize=1)
def vocabulary() -> Mapping[str, Any]:
    """Return the keys and the words that private data are made of."""
    text = resources.files("knowact.worlds.everyday").joinpath("data/private.json").read_text("utf-8")
    return MappingProxyType(json.loads(text))


def _contact(draw: random.Random, key: str, _today: dt.date) -> records.Contact:
    name = key.lower().replace(" ", ".")
    prefix = draw.choice((31, 32, 33, 44, 46, 49))
    return records.Contact(
        city=draw.choice(_CITIES),
        phone=f"+{prefix} {draw.randint(100, 999)} {draw.randint(100000, 999999)}",
        email=f"{name}{draw.randint(10, 99)}@{draw.choice(vocabulary()['domains'])}",
        birthday=_day(dt.date(draw.randint(1958, 2001), 1, 1), draw.randint(0, 364)),
    )


def _mail(draw: random.Random, key: str, today: dt.date) -> records.Mail:
    received = _day(today, -draw.randint(0, 9))
    if key in vocabulary()["shops"]:
        words = vocabulary()["shop_mail"]
        return records.Mail(
            subject=draw.choice(words["subjects"]),
            text=draw.choice(words["texts"]),
            received=received,
            order_number=draw.choice(vocabulary()["orders"]),
        )
    words = vocabulary()["people_mail"]
    weekday = draw.choice(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"))
    hour = draw.choice(("ten", "noon", "three", "five", "seven"))
    text = f"{draw.choice(words['openings'])} {weekday} at {hour}? {draw.choice(words['closings'])}"
    return records.Mail(subject=draw.choice(words["subjects"]), text=text, received=received)


def _event(draw: random.Random, _key: str, today: dt.date) -> records.Event:
    start = draw.randint(16, 38) * 30
    end = start + draw.choice((30, 45, 60, 90, 120))
    return records.Event(
        date=_day(today, draw.randint(1, _EVENT_DAYS)),
        start=f"{start // 60:02d}:{start % 60:02d}",
        end=f"{end // 60:02d}:{end % 60:02d}",
        city=draw.choice(_NEARBY),
    )


def _order(draw: random.Random, key: str, today: dt.date) -> records.Order:
    status = draw.choice(vocabulary()["statuses"])
    if status == "delivered" and int(key[-1]) % 2:
        # What somebody wants to cancel must be under way whatever the seed is: orders with an odd number are.
        status = "processing"
    days = -draw.randint(1, 9) if status == "delivered" else draw.randint(1, 20)
    return records.Order(
        item=draw.choice(vocabulary()["items"]),
        status=status,
        total=float(draw.randint(12, 95)),
        weight=draw.randint(3, 19) * 50,
        delivery=_day(today, days),
        city=draw.choice(_CITIES),
    )


def _booking(draw: random.Random, _key: str, today: dt.date) -> records.Booking:
    return records.Booking(
        flight=draw.choice(FLIGHTS),
        date=_day(today, draw.randint(0, 6)),
        seat=f"{draw.randint(1, 32)}{draw.choice('ABCDEF')}",
        destination=draw.choice(_CITIES),
    )


def _account(draw: random.Random, _key: str, _today: dt.date) -> records.Account:
    return records.Account(cents=draw.randint(210, 990) * 100)


def _note(draw: random.Random, key: str, _today: dt.date) -> records.Note:
    lines: list[str] = vocabulary()["notes"][key]
    return records.Note(text="\n".join(draw.sample(lines, draw.randint(3, 7))))


def _keys(*words: str) -> Callable[[], Sequence[str]]:
    """Return what reads the keys of a table from the vocabulary, when they are first asked for."""
    return lambda: tuple(key for word in words for key in vocabulary()[word])


TABLES: Final = {
    "contacts": Table(records.Contact, _keys("contacts"), _contact),
    "mailbox": Table(records.Mail, _keys("contacts", "shops"), _mail),
    "sent": Table(records.Sent),
    "events": Table(records.Event, _keys("events"), _event),
    "orders": Table(records.Order, _keys("orders"), _order),
    "bookings": Table(records.Booking, _keys("bookings"), _booking),
    "accounts": Table(records.Account, _keys("accounts"), _account),
    "transfers": Table(records.Transfer),
    "notes": Table(records.Note, _keys("notes"), _note),
}


def _day(start: dt.date, days: int) -> str:
    return (start + dt.timedelta(days=days)).isoformat()
