"""The cities that this world knows: what about them stays the same whatever the seed is.

Coordinates are to a hundredth of a degree (about a kilometre), far finer than a minute of sunlight needs.
"""

from dataclasses import dataclass
from typing import Final

from knowact.worlds.everyday.contract import listed


@dataclass(frozen=True, slots=True)
class Spot:
    """A city's latitude (north is positive), longitude (east is positive) and time zone (IANA)."""

    latitude: float
    longitude: float
    zone: str


@dataclass(frozen=True, slots=True)
class City:
    """A city.

    Attributes:
        mild: A usual high in the middle of March, degrees Celsius; sources vary around it.
        coastal: Whether there is a sea to bathe in.
        east, north: Rough position on a map in kilometres, for durations and fares.
        spot: Where it lies on the globe.
    """

    mild: int
    coastal: bool
    east: int
    north: int
    spot: Spot


HOME_ZONE: Final = "Europe/Amsterdam"
"""The zone of the world's one clock, whatever the setup calls home."""

CITIES: Final = {
    "Amsterdam": City(10, coastal=True, east=350, north=1470, spot=Spot(52.37, 4.90, "Europe/Amsterdam")),
    "Antwerp": City(11, coastal=False, east=315, north=1340, spot=Spot(51.22, 4.40, "Europe/Brussels")),
    "Athens": City(16, coastal=True, east=2080, north=0, spot=Spot(37.98, 23.73, "Europe/Athens")),
    "Barcelona": City(17, coastal=True, east=150, north=380, spot=Spot(41.39, 2.17, "Europe/Madrid")),
    "Berlin": City(9, coastal=False, east=940, north=1480, spot=Spot(52.52, 13.41, "Europe/Berlin")),
    "Bergen": City(6, coastal=True, east=370, north=2370, spot=Spot(60.39, 5.32, "Europe/Oslo")),
    "Brussels": City(11, coastal=False, east=310, north=1300, spot=Spot(50.85, 4.35, "Europe/Brussels")),
    "Cologne": City(11, coastal=False, east=490, north=1310, spot=Spot(50.94, 6.96, "Europe/Berlin")),
    "Copenhagen": City(6, coastal=True, east=880, north=1820, spot=Spot(55.68, 12.57, "Europe/Copenhagen")),
    "Dublin": City(10, coastal=True, east=-440, north=1570, spot=Spot(53.35, -6.26, "Europe/Dublin")),
    "Edinburgh": City(9, coastal=True, east=-200, north=1850, spot=Spot(55.95, -3.19, "Europe/London")),
    "Ghent": City(11, coastal=False, east=270, north=1320, spot=Spot(51.05, 3.73, "Europe/Brussels")),
    "Hamburg": City(8, coastal=False, east=700, north=1590, spot=Spot(53.55, 9.99, "Europe/Berlin")),
    "Helsinki": City(2, coastal=True, east=1700, north=2350, spot=Spot(60.17, 24.94, "Europe/Helsinki")),
    "Lisbon": City(18, coastal=True, east=-730, north=100, spot=Spot(38.72, -9.14, "Europe/Lisbon")),
    "Lyon": City(13, coastal=False, east=340, north=850, spot=Spot(45.76, 4.84, "Europe/Paris")),
    "Madrid": City(16, coastal=False, east=-280, north=280, spot=Spot(40.42, -3.70, "Europe/Madrid")),
    "Marseille": City(15, coastal=True, east=420, north=590, spot=Spot(43.30, 5.37, "Europe/Paris")),
    "Munich": City(9, coastal=False, east=810, north=1120, spot=Spot(48.14, 11.58, "Europe/Berlin")),
    "Nice": City(15, coastal=True, east=570, north=640, spot=Spot(43.70, 7.27, "Europe/Paris")),
    "Oslo": City(4, coastal=True, east=720, north=2320, spot=Spot(59.91, 10.75, "Europe/Oslo")),
    "Paris": City(12, coastal=False, east=170, north=1200, spot=Spot(48.86, 2.35, "Europe/Paris")),
    "Porto": City(16, coastal=True, east=-690, north=350, spot=Spot(41.15, -8.61, "Europe/Lisbon")),
    "Prague": City(9, coastal=False, east=1020, north=1340, spot=Spot(50.08, 14.44, "Europe/Prague")),
    "Rome": City(15, coastal=False, east=970, north=430, spot=Spot(41.90, 12.50, "Europe/Rome")),
    "Rotterdam": City(10, coastal=False, east=320, north=1440, spot=Spot(51.92, 4.48, "Europe/Amsterdam")),
    "Stockholm": City(4, coastal=True, east=1250, north=2250, spot=Spot(59.33, 18.07, "Europe/Stockholm")),
    "Utrecht": City(10, coastal=False, east=370, north=1450, spot=Spot(52.09, 5.12, "Europe/Amsterdam")),
    "Vienna": City(11, coastal=False, east=1190, north=1130, spot=Spot(48.21, 16.37, "Europe/Vienna")),
    "Zurich": City(10, coastal=False, east=600, north=1030, spot=Spot(47.38, 8.54, "Europe/Zurich")),
}
_SPOTS: Final = {
    **{name: city.spot for name, city in CITIES.items()},
    # Cities further away, for their clocks: there are no trains and no weather of theirs here.
    "Buenos Aires": Spot(-34.60, -58.38, "America/Argentina/Buenos_Aires"),
    "Cairo": Spot(30.04, 31.24, "Africa/Cairo"),
    "Chicago": Spot(41.88, -87.63, "America/Chicago"),
    "Delhi": Spot(28.61, 77.21, "Asia/Kolkata"),
    "Los Angeles": Spot(34.05, -118.24, "America/Los_Angeles"),
    "Mexico City": Spot(19.43, -99.13, "America/Mexico_City"),
    "Nairobi": Spot(-1.29, 36.82, "Africa/Nairobi"),
    "New York": Spot(40.71, -74.01, "America/New_York"),
    "Singapore": Spot(1.35, 103.82, "Asia/Singapore"),
    "Sydney": Spot(-33.87, 151.21, "Australia/Sydney"),
    "Tokyo": Spot(35.68, 139.69, "Asia/Tokyo"),
}


def city(name: str) -> City:
    """Return a city by its name; an unknown one is refused with the nearest names."""
    return listed(CITIES, name, f"There is no city named {name!r} here.")


def kilometres(origin: str, destination: str) -> int:
    """Return the rough distance of two cities as the crow flies."""
    start, end = city(origin), city(destination)
    return round(((start.east - end.east) ** 2 + (start.north - end.north) ** 2) ** 0.5)


def spot(name: str) -> Spot:
    """Return where a city lies; an unknown one is refused with the nearest names."""
    return listed(_SPOTS, name, f"There is no city named {name!r} here.")
