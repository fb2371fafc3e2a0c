"""The ids of places, routes, plugs and people: their formats, and the numbers in ours.

Formats are positional, as in the original (CAR-bench): separators at fixed places,
digits behind the last one.

In generated data the digits of an id *are* what they stand for, shuffled: a number of six digits is an
index times a fixed factor plus an offset per prefix, so one division leads back from the id to the row.
That is why 1.7 million routes need no table. No seed goes in: ids are keys, and what stands behind a
key is what differs from seed to seed.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from knowact.core.seeds import derive

_LOCATION: Final = re.compile(r"loc_[^\W_]{3}_[0-9]+")
_POI: Final = re.compile(r"poi_[^\W_]{3}_[0-9]+")
_ROUTE: Final = re.compile(r"r(?:ll|lp|pl|pp)_[^\W_]{3}_[^\W_]{3}_[0-9]+")
_PLUG: Final = re.compile(r"plg_cha_[0-9]+")
_CONTACT: Final = re.compile(r"con_[0-9]+")

_FACTOR: Final = 618_033
"""Near the golden section, so that neighbours end up far apart; coprime to ten, so that it can be undone."""


def is_location_id(text: str) -> bool:
    """Whether it has the form of a city's id, such as loc_ber_217736."""
    return _LOCATION.fullmatch(text) is not None


def is_poi_id(text: str) -> bool:
    """Whether it has the form of a POI's id, such as poi_res_123456."""
    return _POI.fullmatch(text) is not None


def is_place_id(text: str) -> bool:
    """Whether it has the form of a city's or a POI's id."""
    return is_location_id(text) or is_poi_id(text)


def is_route_id(text: str) -> bool:
    """Whether it has the form of a route's id, such as rll_ber_mun_123456."""
    return _ROUTE.fullmatch(text) is not None


def is_plug_id(text: str) -> bool:
    """Whether it has the form of a plug's id, such as plg_cha_123456."""
    return _PLUG.fullmatch(text) is not None


def is_contact_id(text: str) -> bool:
    """Whether it has the form of a contact's id, such as con_1234."""
    return _CONTACT.fullmatch(text) is not None


def letters(name: str) -> str:
    """Return the three letters that stand for a city or a category in an id."""
    return name[:3].lower()


@dataclass(frozen=True, slots=True)
class Numbering:
    """The ids of one prefix.

    Attributes:
        prefix: What comes before the last separator ("poi_res").
        digits: How many digits come after it.
        offset: What is added, so that different prefixes have different digits.
    """

    prefix: str
    digits: int
    offset: int

    def id_of(self, index: int) -> str:
        """Return the id of the row at an index; different indexes have different ids."""
        number = (index * _FACTOR + self.offset) % 10**self.digits
        return f"{self.prefix}_{number:0{self.digits}d}"

    def index_of(self, text: str) -> int | None:
        """Return the index whose id this is; None if it has another prefix or other digits."""
        head, _, tail = text.rpartition("_")
        if head != self.prefix or len(tail) != self.digits or not (tail.isascii() and tail.isdigit()):
            return None
        modulus: int = 10**self.digits
        return (int(tail) - self.offset) * pow(_FACTOR, -1, modulus) % modulus


@lru_cache(maxsize=4096)
def numbering(prefix: str, digits: int = 6) -> Numbering:
    """Return how the ids of a prefix are numbered."""
    return Numbering(prefix, digits, derive(0, "numbering", prefix) % 10**digits)
