"""Restaurants and the market as they are today: pure functions of the seed, the subject and the day.

See `sources` for how such values are drawn. Prices come in few digits, because people reckon with them.
"""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from knowact.core.seeds import generator

RESTAURANTS: Final = (
    "The Copper Ladle",
    "Da Ottavia",
    "Lantern & Fig",
    "Het Zilveren Anker",
    "Casa Almendra",
    "The Salted Plum",
    "Kiraku",
    "Brasserie Molenaar",
    "Saffron Yard",
    "The Blue Heron",
    "Taverna Kalamos",
    "Little Odessa",
    "Chez Margaux",
    "The Old Granary",
)
"""Invented, and the same under every seed."""
_DISHES: Final = (
    "mushroom risotto",
    "braised lamb",
    "baked cod",
    "lentil stew",
    "stuffed peppers",
    "duck with plums",
    "pumpkin ravioli",
    "fish soup",
    "roast chicken",
    "aubergine bake",
    "beef goulash",
    "leek tart",
    "grilled trout",
    "chickpea curry",
    "veal dumplings",
    "spinach pie",
)
_USUAL_CENTS: Final = {
    "apples": 280,
    "apricots": 520,
    "asparagus": 980,
    "aubergines": 340,
    "carrots": 180,
    "cherries": 860,
    "courgettes": 300,
    "figs": 920,
    "leeks": 260,
    "mussels": 640,
    "onions": 160,
    "pears": 320,
    "plaice": 1_680,
    "potatoes": 140,
    "pumpkin": 220,
    "salmon": 2_400,
    "spinach": 440,
    "strawberries": 760,
    "tomatoes": 360,
    "walnuts": 1_240,
}
"""By product: a usual price of a kilo in cents; the market's prices vary around it."""
PRODUCTS: Final = tuple(_USUAL_CENTS)
_ORIGINS: Final = (
    *("Belgium", "Denmark", "France", "Germany", "Greece", "Ireland"),
    *("Italy", "Morocco", "Norway", "Poland", "Portugal", "Spain", "Turkey"),
)
_STEP_CENTS: Final = 20


@dataclass(frozen=True, slots=True)
class Evening:
    """A restaurant's evening. The time is of the day, the price in whole euros."""

    first_free: str
    free_tables: int
    menu: int
    dish: str


def evening(seed: int, restaurant: str, day: dt.date) -> Evening:
    """Return what is free at one of `RESTAURANTS` on an evening, and what is cooked there."""
    draw = generator(seed, "restaurant", restaurant, day.isoformat())
    quarters = draw.randint(70, 87)
    return Evening(
        first_free=f"{quarters // 4:02d}:{quarters % 4 * 15:02d}",
        free_tables=draw.randint(1, 14),
        menu=draw.randint(19, 64),
        dish=draw.choice(_DISHES),
    )


def table_kept(seed: int, restaurant: str, day: dt.date, time: str, people: int) -> tuple[int, int]:
    """Return which table a restaurant keeps for guests, and the deposit it asks of each in whole euros."""
    table = generator(seed, "table", restaurant, day.isoformat(), time, people).randint(1, 38)
    return table, generator(seed, "deposit", restaurant, day.isoformat()).randint(3, 15)


def market_price(seed: int, product: str, day: dt.date) -> tuple[float, str]:
    """Return the price of a kilo of one of `PRODUCTS` in euros, in steps of 20 cents, and its origin."""
    draw = generator(seed, "market", product, day.isoformat())
    steps = _USUAL_CENTS[product] // _STEP_CENTS
    spread = max(2, steps // 3)
    return (steps + draw.randint(-spread, spread)) * _STEP_CENTS / 100, draw.choice(_ORIGINS)
