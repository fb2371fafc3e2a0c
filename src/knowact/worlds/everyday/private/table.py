"""What a table of the user's own data is made of."""

import datetime as dt
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Annotated

from pydantic import StringConstraints

from knowact.core.model import Noun

IsoDate = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
ClockTime = Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
Make = Callable[[random.Random, str, dt.date], Noun]


def _no_keys() -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the user's own data.

    The *keys* are the same for every seed (names of contacts, titles of notes, order numbers), because
    queries name them; what stands behind a key differs. So a query stays sensible under every seed, and
    its answer changes.

    Attributes:
        kind: The type of its records; no two tables share one.
        keys: The keys that every session starts with; none for tables that only calls fill.
        make: Draws the record behind a key, given a generator of its own, the key and today.
    """

    kind: type[Noun]
    keys: Callable[[], Sequence[str]] = _no_keys
    make: Make | None = None


class PeopleMail(Noun):
    """What people write: a question that ends with a day and an hour stands between opening and closing."""

    subjects: tuple[str, ...]
    openings: tuple[str, ...]
    closings: tuple[str, ...]


class ShopMail(Noun):
    """What shops write."""

    subjects: tuple[str, ...]
    texts: tuple[str, ...]


class Vocabulary(Noun):
    """The keys and the words that private data are made of; of each note the lines to draw from."""

    contacts: tuple[str, ...]
    domains: tuple[str, ...]
    people_mail: PeopleMail
    shops: tuple[str, ...]
    shop_mail: ShopMail
    events: tuple[str, ...]
    orders: tuple[str, ...]
    items: tuple[str, ...]
    statuses: tuple[str, ...]
    bookings: tuple[str, ...]
    accounts: tuple[str, ...]
    notes: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """Read the vocabulary."""
    text = resources.files("knowact.worlds.everyday").joinpath("data/private.json").read_text("utf-8")
    return Vocabulary.model_validate_json(text)
