"""The user's private data, generated from the seed.

The *keys* are the same for every seed (names of contacts, titles of notes and events, order numbers,
booking references), because queries name them; what stands behind a key differs. So a query stays
sensible under every seed, and its answer changes.
"""

import datetime as dt
import json
import random
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

from knowact.core.model import Noun
from knowact.core.seeds import generator
from knowact.worlds.everyday import records
from knowact.worlds.everyday.places import CITIES
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


def _order(draw: random.Random, _key: str, today: dt.date) -> records.Order:
    status = draw.choice(vocabulary()["statuses"])
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


_MAKERS: Final[Mapping[str, Callable[[random.Random, str, dt.date], Noun]]] = {
    "contacts": _contact,
    "mailbox": _mail,
    "events": _event,
    "orders": _order,
    "bookings": _booking,
    "accounts": _account,
    "notes": _note,
}


def keys(table: str) -> tuple[str, ...]:
    """Return the keys of a table, the same for every seed."""
    words = vocabulary()
    if table == "mailbox":
        return (*words["contacts"], *words["shops"])
    return tuple(words[table])


@lru_cache(maxsize=512)
def generated(table: str, seed: int, today: dt.date) -> Mapping[str, Any]:
    """Return one table of private data; shared between sessions, so it cannot be written to."""
    make = _MAKERS.get(table)
    if make is None:
        return MappingProxyType({})
    return MappingProxyType({key: make(generator(seed, table, key), key, today) for key in keys(table)})


def _day(start: dt.date, days: int) -> str:
    return (start + dt.timedelta(days=days)).isoformat()
