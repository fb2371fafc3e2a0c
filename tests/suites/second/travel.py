"""Places, dues, weather and journeys, worked out a second time: step by step, and in other units.

Nothing here imports the world.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from suites.second.clock import minute_after
from suites.second.exact import exact

Arguments = Mapping[str, Any]

_CARDINAL: Final = {"north": 0, "east": 90, "south": 180, "west": 270}
_ACROSS: Final = {"north": "south", "south": "north", "east": "west", "west": "east"}
# The names of the forces as the World Meteorological Organization has them in its manual of codes.
_FORCES: Final = (
    *("calm", "light air", "light breeze", "gentle breeze", "moderate breeze", "fresh breeze"),
    *("strong breeze", "near gale", "gale", "strong gale", "storm", "violent storm", "hurricane"),
)


def map_distance(a: Arguments) -> dict[str, Fraction]:
    """First what one centimetre of the map stands for, in kilometres."""
    one_centimetre = Fraction(a["scale"], 100_000)
    return {"distance_km": exact(a["map_cm"]) * one_centimetre}


def decimal_degrees(a: Arguments) -> dict[str, Fraction]:
    """Everything in seconds, of which a degree has 3,600."""
    seconds = exact(a.get("seconds", 0))
    for _ in range(60 * a["degrees"] + a["minutes"]):
        seconds += 60
    return {"decimal_degrees": seconds / 3600}


def _bearing(direction: str) -> Fraction:
    """A point with a compound name lies half-way between the two that it is named after."""
    first, _, rest = direction.partition("-")
    if not rest:
        return Fraction(_CARDINAL[first])
    one, other = _bearing(first), _bearing(rest)
    if abs(one - other) > 180:
        return ((one + other + 360) / 2) % 360
    return (one + other) / 2


def compass(a: Arguments) -> dict[str, Any]:
    """The opposite point has every word of its name opposite."""
    words = a["direction"].split("-")
    return {"degrees": _bearing(a["direction"]), "opposite": "-".join(_ACROSS[word] for word in words)}


def turned(a: Arguments) -> dict[str, Fraction]:
    """Turn degree by degree."""
    heading = exact(a["heading"])
    for _ in range(a["degrees"]):
        heading += 1 if a["side"] == "right" else -1
        if heading < 0:
            heading += 360
        if heading >= 360:
            heading -= 360
    return {"heading": Fraction(0) if heading == 360 else heading}


def late_fee(a: Arguments) -> dict[str, Fraction]:
    """Month by month."""
    surcharge = Fraction(0)
    for _ in range(a["months"]):
        surcharge += exact(a["amount"]) * exact(a["percent"]) / 100
    return {"surcharge_eur": surcharge, "total_eur": exact(a["amount"]) + surcharge}


def tourist_tax(a: Arguments) -> dict[str, Fraction]:
    """Night by night, everybody pays."""
    tax = Fraction(0)
    for _ in range(a["nights"]):
        tax += sum((exact(a["rate_eur"]) for _ in range(a["people"])), Fraction(0))
    return {"tax_eur": tax}


def fuel(a: Arguments) -> dict[str, Fraction]:
    """So many litres for every hundred kilometres, and a share for the last ones."""
    left, litres = exact(a["distance_km"]), Fraction(0)
    while left > 0:
        stretch = min(left, Fraction(100))
        litres += exact(a["litres_per_100_km"]) * (stretch / 100)
        left -= stretch
    return {"litres": litres}


def arrival(a: Arguments) -> dict[str, Any]:
    """Minute by minute; a day is over whenever the clock shows midnight."""
    time, days = a["start"], 0
    for _ in range(a["minutes"]):
        time = minute_after(time)
        days += time == "00:00"
    return {"time": time, "days_later": days}


def wind(a: Arguments) -> dict[str, Any]:
    """The scale's own formula: v = 0.836 B^1.5 metres per second (WMO). It has no force above 12.

    In whole km/h it gives what the tables give but at 1 km/h, which the tables count as light air already.
    """
    by_formula = round(math.pow(a["speed_kmh"] / 3.6 / 0.836, 2 / 3))
    force = 1 if a["speed_kmh"] == 1 else min(12, by_formula)
    return {"beaufort": force, "name": _FORCES[force]}


def rain(a: Arguments) -> dict[str, Fraction]:
    """Base times height in decimetres: a cubic decimetre is a litre."""
    return {"litres": (exact(a["area_m2"]) * 100) * (exact(a["rain_mm"]) / 100)}


SECOND: Final[dict[str, Callable[[Arguments], Mapping[str, Any]]]] = {
    "get_map_distance": map_distance,
    "convert_coordinates": decimal_degrees,
    "get_compass_degrees": compass,
    "turn_heading": turned,
    "get_late_fee": late_fee,
    "get_tourist_tax": tourist_tax,
    "get_fuel_needed": fuel,
    "get_arrival_time": arrival,
    "get_wind_force": wind,
    "get_rain_volume": rain,
}
