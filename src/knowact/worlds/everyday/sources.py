"""What would be live in the real world: pure functions of the seed, of what is asked for, and of time.

Nothing is stored. A value is drawn from a generator of its own, named by what it is about, so asking
in another order, or for more, changes nothing. Values that people calculate with by head (fares,
prices, degrees) come in few digits on purpose: `limits` holds internal steps to small numbers.
"""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from knowact.core.seeds import generator
from knowact.worlds.everyday.places import CITIES, city

FORECAST_DAYS: Final = 14
SKIES: Final = ("clear", "partly cloudy", "overcast", "light rain", "heavy rain", "fog", "thunderstorms")
STOCKS: Final = {
    "NDKP": "Nordkap Energy",
    "BRML": "Bramble Retail",
    "OSTV": "Ostveld Shipping",
    "LMRA": "Lumera Optics",
    "TIDE": "Tidewater Foods",
    "QARO": "Quarro Mining",
    "HLVX": "Helvix Pharma",
    "PONT": "Pontis Bridges",
}
FLIGHTS: Final = tuple(
    f"NX{number}" for number in (118, 204, 233, 317, 342, 409, 455, 526, 571, 608, 660, 731)
)


@dataclass(frozen=True, slots=True)
class DayWeather:
    """A city's weather on one day: degrees Celsius, km/h, per cent, millimetres."""

    high: int
    low: int
    sky: str
    wind: int
    rain_chance: int
    rain: int


def day_weather(seed: int, place: str, day: dt.date) -> DayWeather:
    """Return what the weather services say about a city on a day."""
    draw = generator(seed, "weather", place, day.isoformat())
    high = city(place).mild + draw.randint(-6, 7)
    sky = draw.choice(SKIES)
    wet = "rain" in sky or sky == "thunderstorms"
    return DayWeather(
        high=high,
        low=high - draw.randint(3, 9),
        sky=sky,
        wind=draw.randint(3, 75),
        rain_chance=draw.randint(60, 95) if wet else draw.randint(0, 35),
        rain=draw.randint(3, 28) if wet else 0,
    )


def temperature_now(seed: int, place: str, now: dt.datetime) -> int:
    """Return the temperature at this hour, between the day's low and its high."""
    day = day_weather(seed, place, now.date())
    # Coldest at four in the morning, warmest at four in the afternoon.
    warmth = 1 - abs(now.hour + now.minute / 60 - 16) / 12
    return round(day.low + (day.high - day.low) * min(1.0, max(0.0, warmth)))


_NAMES: Final = tuple(CITIES)
_FIRST_TRAIN: Final = 1000
_TRAINS: Final = len(_NAMES) ** 2


def train_number(seed: int, origin: str, destination: str) -> str:
    """Number the connections so that a number leads back to its connection (see `train_runs`)."""
    index = _NAMES.index(origin) * len(_NAMES) + _NAMES.index(destination)
    return f"IC{_FIRST_TRAIN + (index + _shift(seed)) % _TRAINS}"


def _shift(seed: int) -> int:
    return generator(seed, "train numbers").randrange(_TRAINS)


def train_runs(seed: int, number: str) -> bool:
    """Whether a train of this number runs today."""
    if not (number.startswith("IC") and number[2:].isascii() and number[2:].isdigit() and len(number) == 6):  # noqa: PLR2004 - IC and four digits
        return False
    position = int(number[2:]) - _FIRST_TRAIN
    if not 0 <= position < _TRAINS:
        return False
    origin, destination = divmod((position - _shift(seed)) % _TRAINS, len(_NAMES))
    return origin != destination


SONGS: Final = {
    "Amber Lane": 201,
    "Back to the Ferry": 254,
    "Candle in the Hall": 187,
    "Carousel Blue": 233,
    "Every Other Tuesday": 176,
    "Fold the Map": 219,
    "Gravel and Gold": 305,
    "Half a Mile of Moon": 262,
    "Hold That Kite": 194,
    "Iron Swallow": 281,
    "Kettle Song": 148,
    "Lemon Tree Radio": 207,
    "Letters in the Rain": 243,
    "Midnight Allotment": 226,
    "Nine Bridges": 318,
    "Oh Marguerite": 199,
    "Paper Lantern Waltz": 164,
    "Quarter to Summer": 212,
    "Saltwater Shoes": 238,
    "Second Star Down": 271,
    "Tell It to the Tide": 223,
    "The Long Way Round": 296,
    "Umbrella Weather": 182,
    "Violet Hour": 249,
    "A Room of Clocks": 214,
    "Barefoot Parade": 191,
    "Copper Moon": 236,
    "Don't Wake the Harbour": 258,
    "Eleven Red Balloons": 203,
    "Fireflies Again": 229,
    "Glass Mountain": 274,
    "Hurry Home": 168,
    "Juniper": 221,
    "Little Thunder": 196,
    "Meet Me at the Weir": 245,
    "North of Nowhere": 287,
    "One More Encore": 232,
    "Pocket Full of Snow": 178,
    "Rosemary and Rust": 251,
    "Seven Ferries": 217,
    "Tangerine Skies": 209,
    "Under the Clocktower": 263,
}
"""Playing time of each song in seconds."""
_KNOWN: Final = 24
KNOWN_SONGS: Final = tuple(SONGS)[:_KNOWN]
"""Playlists start with these only, so that every other song can be added under every seed."""
ARTISTS: Final = (
    *("Ada Fennimore", "Blue Tram", "Brass Orchard", "Corinne Dassault", "Costa Verde Quartet"),
    *("Fern Hollow", "Hollow Pines Choir", "Ines Morgado", "Joris and the Locks", "Lisbon Static"),
    *("Marble Foxes", "Mira Tolvanen", "Nils Aakre", "Odd Lanterns", "Paper Admirals", "Rook and Willow"),
    *("Salt Cathedral", "The Late Ferries", "The Tin Parade", "The Velvet Oars"),
    *("Vesper Lindholm", "Yara Solberg"),
)
