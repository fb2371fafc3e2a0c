"""The cities that this world knows: what about them stays the same whatever the seed is."""

from dataclasses import dataclass
from typing import Final

from knowact.worlds.everyday.contract import near, refuse


@dataclass(frozen=True, slots=True)
class City:
    """A city.

    Attributes:
        mild: A usual high in the middle of March, degrees Celsius; sources vary around it.
        coastal: Whether there is a sea to bathe in.
        east, north: Rough position on a map in kilometres, for durations and fares.
    """

    mild: int
    coastal: bool
    east: int
    north: int


CITIES: Final = {
    "Amsterdam": City(10, coastal=True, east=350, north=1470),
    "Antwerp": City(11, coastal=False, east=315, north=1340),
    "Athens": City(16, coastal=True, east=2080, north=0),
    "Barcelona": City(17, coastal=True, east=150, north=380),
    "Berlin": City(9, coastal=False, east=940, north=1480),
    "Bergen": City(6, coastal=True, east=370, north=2370),
    "Brussels": City(11, coastal=False, east=310, north=1300),
    "Cologne": City(11, coastal=False, east=490, north=1310),
    "Copenhagen": City(6, coastal=True, east=880, north=1820),
    "Dublin": City(10, coastal=True, east=-440, north=1570),
    "Edinburgh": City(9, coastal=True, east=-200, north=1850),
    "Ghent": City(11, coastal=False, east=270, north=1320),
    "Hamburg": City(8, coastal=False, east=700, north=1590),
    "Helsinki": City(2, coastal=True, east=1700, north=2350),
    "Lisbon": City(18, coastal=True, east=-730, north=100),
    "Lyon": City(13, coastal=False, east=340, north=850),
    "Madrid": City(16, coastal=False, east=-280, north=280),
    "Marseille": City(15, coastal=True, east=420, north=590),
    "Munich": City(9, coastal=False, east=810, north=1120),
    "Nice": City(15, coastal=True, east=570, north=640),
    "Oslo": City(4, coastal=True, east=720, north=2320),
    "Paris": City(12, coastal=False, east=170, north=1200),
    "Porto": City(16, coastal=True, east=-690, north=350),
    "Prague": City(9, coastal=False, east=1020, north=1340),
    "Rome": City(15, coastal=False, east=970, north=430),
    "Rotterdam": City(10, coastal=False, east=320, north=1440),
    "Stockholm": City(4, coastal=True, east=1250, north=2250),
    "Utrecht": City(10, coastal=False, east=370, north=1450),
    "Vienna": City(11, coastal=False, east=1190, north=1130),
    "Zurich": City(10, coastal=False, east=600, north=1030),
}


def city(name: str) -> City:
    """Return a city by its name; an unknown one is refused with the nearest names."""
    found = CITIES.get(name)
    if found is None:
        refuse("not_found", f"There is no city named {name!r} here.", near(name, CITIES))
    return found


def kilometres(origin: str, destination: str) -> int:
    """Return the rough distance of two cities as the crow flies."""
    start, end = city(origin), city(destination)
    return round(((start.east - end.east) ** 2 + (start.north - end.north) ** 2) ** 0.5)
