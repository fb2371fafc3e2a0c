"""What is in the user's own staging system: made-up customers and orders to test a shop with."""

import datetime as dt
import random
from typing import Final

from knowact.core.model import Noun
from knowact.worlds.everyday.places import CITIES
from knowact.worlds.everyday.private.records import IsoDate
from knowact.worlds.everyday.private.table import Table


class StagingCustomer(Noun):
    """A made-up customer, by number. Credit in whole euros."""

    name: str
    city: str
    joined: IsoDate
    credit: int


class StagingOrder(Noun):
    """A made-up order, by number. Money in whole euros."""

    customer: str
    items: int
    total: int
    placed: IsoDate


class ReservedAccount(Noun):
    """A test account that somebody holds, by login. `until` is the last day."""

    tester: str
    role: str
    until: IsoDate


_CUSTOMERS: Final = tuple(f"TC-{number}" for number in range(104, 304, 9))
_ORDERS: Final = tuple(f"TO-{number}" for number in range(2011, 2824, 37))
_FIRST: Final = (
    "Ansel",
    "Bodil",
    "Corin",
    "Delphine",
    "Edda",
    "Florian",
    "Gudrun",
    "Hendrik",
    "Isaura",
    "Jorun",
)
_LAST: Final = (
    "Abel",
    "Bakstra",
    "Corvin",
    "Dupree",
    "Ekdahl",
    "Fontein",
    "Grauer",
    "Hollis",
    "Ivarsen",
    "Jansma",
)


def _customer(draw: random.Random, _key: str, today: dt.date) -> StagingCustomer:
    return StagingCustomer(
        name=f"{draw.choice(_FIRST)} {draw.choice(_LAST)}",
        city=draw.choice(tuple(CITIES)),
        joined=(today - dt.timedelta(days=draw.randint(20, 1500))).isoformat(),
        credit=draw.randint(10, 95),
    )


def _order(draw: random.Random, _key: str, today: dt.date) -> StagingOrder:
    return StagingOrder(
        customer=draw.choice(_CUSTOMERS),
        items=draw.randint(1, 14),
        total=draw.randint(15, 95),
        placed=(today - dt.timedelta(days=draw.randint(1, 90))).isoformat(),
    )


TABLES: Final = {
    "test_customers": Table(StagingCustomer, lambda: _CUSTOMERS, _customer),
    "test_orders": Table(StagingOrder, lambda: _ORDERS, _order),
    "reserved_accounts": Table(ReservedAccount),
}
