"""Where cities lie on the globe, and which clocks they keep: facts that no seed changes.

Coordinates to a hundredth of a degree (about a kilometre), far finer than a minute of sunlight needs.
"""

from dataclasses import dataclass
from typing import Final

from knowact.worlds.everyday.contract import near, refuse


@dataclass(frozen=True, slots=True)
class Spot:
    """A city's latitude (north is positive), longitude (east is positive) and time zone (IANA)."""

    latitude: float
    longitude: float
    zone: str


HOME_ZONE: Final = "Europe/Amsterdam"
"""The zone of the world's one clock, whatever the setup calls home."""

SPOTS: Final = {
    "Amsterdam": Spot(52.37, 4.90, "Europe/Amsterdam"),
    "Antwerp": Spot(51.22, 4.40, "Europe/Brussels"),
    "Athens": Spot(37.98, 23.73, "Europe/Athens"),
    "Barcelona": Spot(41.39, 2.17, "Europe/Madrid"),
    "Berlin": Spot(52.52, 13.41, "Europe/Berlin"),
    "Bergen": Spot(60.39, 5.32, "Europe/Oslo"),
    "Brussels": Spot(50.85, 4.35, "Europe/Brussels"),
    "Cologne": Spot(50.94, 6.96, "Europe/Berlin"),
    "Copenhagen": Spot(55.68, 12.57, "Europe/Copenhagen"),
    "Dublin": Spot(53.35, -6.26, "Europe/Dublin"),
    "Edinburgh": Spot(55.95, -3.19, "Europe/London"),
    "Ghent": Spot(51.05, 3.73, "Europe/Brussels"),
    "Hamburg": Spot(53.55, 9.99, "Europe/Berlin"),
    "Helsinki": Spot(60.17, 24.94, "Europe/Helsinki"),
    "Lisbon": Spot(38.72, -9.14, "Europe/Lisbon"),
    "Lyon": Spot(45.76, 4.84, "Europe/Paris"),
    "Madrid": Spot(40.42, -3.70, "Europe/Madrid"),
    "Marseille": Spot(43.30, 5.37, "Europe/Paris"),
    "Munich": Spot(48.14, 11.58, "Europe/Berlin"),
    "Nice": Spot(43.70, 7.27, "Europe/Paris"),
    "Oslo": Spot(59.91, 10.75, "Europe/Oslo"),
    "Paris": Spot(48.86, 2.35, "Europe/Paris"),
    "Porto": Spot(41.15, -8.61, "Europe/Lisbon"),
    "Prague": Spot(50.08, 14.44, "Europe/Prague"),
    "Rome": Spot(41.90, 12.50, "Europe/Rome"),
    "Rotterdam": Spot(51.92, 4.48, "Europe/Amsterdam"),
    "Stockholm": Spot(59.33, 18.07, "Europe/Stockholm"),
    "Utrecht": Spot(52.09, 5.12, "Europe/Amsterdam"),
    "Vienna": Spot(48.21, 16.37, "Europe/Vienna"),
    "Zurich": Spot(47.38, 8.54, "Europe/Zurich"),
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


def spot(name: str) -> Spot:
    """Return where a city lies; an unknown one is refused with the nearest names."""
    found = SPOTS.get(name)
    if found is None:
        refuse("not_found", f"There is no city named {name!r} here.", near(name, SPOTS))
    return found
