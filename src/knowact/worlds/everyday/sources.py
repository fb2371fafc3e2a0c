"""What would be live in the real world: pure functions of the seed, of what is asked for, and of time.

Nothing is stored. A value is drawn from a generator of its own, named by what it is about, so asking
in another order, or for more, changes nothing. Values that people calculate with by head (fares,
prices, degrees) come in few digits on purpose: `limits` holds internal steps to small numbers.
"""

import datetime as dt
from dataclasses import dataclass
from typing import Final, Literal

from knowact.core.seeds import generator
from knowact.worlds.everyday.places import CITIES, city, kilometres

FORECAST_DAYS: Final = 14
_NO_FROST: Final = 11
"""Cities that are usually this warm in March get no warnings of snow."""
Level = Literal["low", "moderate", "high"]
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
_EUROS_PER_UNIT: Final = {
    "EUR": 1.0,
    "USD": 0.91,
    "GBP": 1.17,
    "CHF": 1.05,
    "CAD": 0.67,
    "AUD": 0.6,
    "SEK": 0.088,
    "NOK": 0.086,
    "DKK": 0.134,
    "PLN": 0.233,
}
_GRAM_PRICES: Final = {"gold": 80.0, "silver": 1.0, "platinum": 30.0}


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


def alerts(seed: int, place: str, day: dt.date) -> list[tuple[str, str]]:
    """Return the warnings in force in a city on a day, as (kind, level); often none."""
    where = city(place)
    draw = generator(seed, "alerts", place, day.isoformat())
    usual = ["wind", "rain", "fog", "thunderstorms"]
    usual += ["snow", "ice"] if where.mild < _NO_FROST else []
    usual += ["coastal flooding"] if where.coastal else []
    kinds = draw.sample(usual, draw.choice((0, 0, 1, 1, 2)))
    return [(kind, draw.choice(("yellow", "orange", "red"))) for kind in kinds]


def air_quality(seed: int, place: str, day: dt.date) -> int:
    """Return a city's air quality index (0 is clean, above 100 is bad)."""
    city(place)
    return generator(seed, "air", place, day.isoformat()).randint(12, 148)


def sea_temperature(seed: int, place: str, day: dt.date) -> int:
    """Return the temperature of the water at a coastal city, degrees Celsius."""
    return max(2, city(place).mild + generator(seed, "sea", place, day.isoformat()).randint(-4, 5))


def exchange_rate(seed: int, base: str, quote: str, day: dt.date) -> float:
    """Return how much of `quote` one unit of `base` buys, to three significant digits."""

    def euros(currency: str) -> float:
        drift = generator(seed, "exchange", currency, day.isoformat()).uniform(0.88, 1.12)
        return _EUROS_PER_UNIT[currency] * (1.0 if currency == "EUR" else drift)

    return float(f"{euros(base) / euros(quote):.3g}")


def stock_price(seed: int, symbol: str, now: dt.datetime) -> tuple[float, float]:
    """Return a share's last price in euros, and the change since yesterday in per cent."""
    draw = generator(seed, "stock", symbol, now.strftime("%Y-%m-%d %H"))
    return draw.randint(180, 3_600) / 20, draw.randint(-49, 49) / 10


def metal_price(seed: int, metal: str, day: dt.date) -> float:
    """Return a metal's price in euros per gram, to three significant digits."""
    drift = generator(seed, "metal", metal, day.isoformat()).uniform(0.8, 1.2)
    return float(f"{_GRAM_PRICES[metal] * drift:.3g}")


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


def train_delay(seed: int, number: str, day: dt.date) -> tuple[int, str]:
    """Return how many minutes late a train is, and why."""
    draw = generator(seed, "delay", number, day.isoformat())
    minutes = draw.choice((0, 3, 5, 8, 10, 12, 15, 20, 25, 35, 40))
    reasons = ("signal failure", "late crew", "track works", "a broken door", "waiting for a connection")
    return minutes, draw.choice(reasons) if minutes else "none"


def fare(seed: int, origin: str, destination: str, first_class: bool) -> int:  # noqa: FBT001 - one flag, named
    """Return today's train fare in whole euros."""
    draw = generator(seed, "fare", origin, destination)
    second = max(6, kilometres(origin, destination) * draw.randint(8, 18) // 100)
    return second * 3 // 2 if first_class else second


def driving_minutes(seed: int, origin: str, destination: str, now: dt.datetime) -> tuple[int, Level]:
    """Return how long the drive takes in the traffic of this hour, and how heavy that is."""
    draw = generator(seed, "traffic", origin, destination, now.strftime("%Y-%m-%d %H"))
    level: Level = draw.choice(("low", "moderate", "high"))
    pace = {"low": 0.72, "moderate": 0.86, "high": 1.1}[level]
    return max(12, round(kilometres(origin, destination) * pace) + draw.randint(0, 25)), level


def fuel_price(seed: int, place: str, fuel: str, day: dt.date) -> float:
    """Return a city's average price of a litre of fuel in euros, two decimals."""
    city(place)
    base = {"petrol": 185, "diesel": 170, "lpg": 82}[fuel]
    return (base + generator(seed, "fuel", place, fuel, day.isoformat()).randint(-25, 28)) / 100


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
