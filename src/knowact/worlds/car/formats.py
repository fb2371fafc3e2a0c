"""Refusing ids that cannot be any (spec car-bench.md, section 2.11).

The published world looks at single characters of an id: what is too short for that raises there, and only
what is long enough and wrong is reported.
"""

from collections.abc import Callable
from typing import Final

from knowact.worlds.car.contract import Fault, refuse
from knowact.worlds.car.databases import ids

_TWO_PARTS: Final = len("loc_")
_THREE_PARTS: Final = len("loc_mun_")
_FOUR_PARTS: Final = len("rll_ber_mun_")


def check_location(text: str, parameter: str) -> None:
    """Refuse what cannot be a city's id."""
    _check(
        ids.is_location_id, text, f"{parameter} must be the id of a city, like loc_xxx_123456", _THREE_PARTS
    )


def check_poi(text: str, parameter: str) -> None:
    """Refuse what cannot be the id of a point of interest."""
    clause = f"{parameter} must be the id of a point of interest, like poi_xxx_123456"
    _check(ids.is_poi_id, text, clause, _THREE_PARTS)


def check_place(text: str, parameter: str) -> None:
    """Refuse what can be the id neither of a city nor of a point of interest."""
    clause = f"{parameter} must be the id of a city or a point of interest, like loc_xxx_123456"
    _check(ids.is_place_id, text, clause, _THREE_PARTS)


def check_route(text: str, parameter: str) -> None:
    """Refuse what cannot be the id of a route."""
    clause = f"{parameter} must be the id of a route, like rll_xxx_xxx_123456"
    _check(ids.is_route_id, text, clause, _FOUR_PARTS)


def check_plug(text: str, parameter: str) -> None:
    """Refuse what cannot be the id of a charging plug."""
    _check(ids.is_plug_id, text, f"{parameter} must be the id of a plug, like plg_cha_123456", _THREE_PARTS)


def check_contact(text: str, parameter: str) -> None:
    """Refuse what cannot be the id of a contact."""
    _check(ids.is_contact_id, text, f"{parameter} must be the id of a contact, like con_1234", _TWO_PARTS)


def _check(fits: Callable[[str], bool], text: str, clause: str, separators: int) -> None:
    if not fits(text):
        fault = Fault.LOGGED if len(text) >= separators else Fault.RAISED
        refuse("bad_arguments", f"{clause}; {text[:40]!r} is none.", "Look the id up first.", fault=fault)
