"""Food: restaurants, the market and the user's pantry as they are today."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

import datetime as dt
from typing import Annotated, Final, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import sources_food
from knowact.worlds.everyday.contract import always, near, person_can, person_cannot, refuse, tool
from knowact.worlds.everyday.fields import ClockTime, Day, People
from knowact.worlds.everyday.private.food import PantryItem, TableBooking
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

Restaurant = Annotated[str, Attribute("restaurant.name"), Rules(max_length=120)]
Product = Annotated[str, Attribute("product.name"), Rules(max_length=120)]

_BOOKED_AHEAD: Final = 60
_KITCHEN: Final = ("12:00", "22:00")


def _known(restaurant: str) -> None:
    if restaurant not in sources_food.RESTAURANTS:
        fix = near(restaurant, sources_food.RESTAURANTS)
        refuse("not_found", f"There is no restaurant named {restaurant!r} here.", fix)


class RestaurantTonight(TypedDict):
    """A restaurant's evening.

    Attributes:
        restaurant: The restaurant.
        first_free: The earliest time at which a table is free tonight, HH:MM.
        free_tables: How many tables are free tonight.
        menu_eur: Price of tonight's set menu for one person, in whole euros.
        dish: The main dish of that menu.
    """

    restaurant: Annotated[str, ECHO]
    first_free: Annotated[str, Attribute("restaurant.first_free", is_a="moment.time")]
    free_tables: Annotated[int, Attribute("restaurant.free_tables")]
    menu_eur: Annotated[int, Attribute("restaurant.menu_price", is_a="quantity.value")]
    dish: Annotated[str, Attribute("restaurant.dish")]


@tool(
    category="Food",
    server="restaurants",
    about=("restaurant",),
    rubric=always(
        Dimension.TEMPORALITY, why="Tables fill up, and the kitchen cooks something else every day."
    ),
    scenario="Friends want to eat out tonight and ask whether a restaurant still has a table, and the price.",
    human=person_cannot("Only the restaurant's own book shows what is still free tonight."),
)
def get_restaurant_tonight(state: State, restaurant: Restaurant) -> RestaurantTonight:
    """Report which tables a restaurant has free tonight, and its set menu.

    Args:
        restaurant: The restaurant's name, such as "The Blue Heron".
    """
    _known(restaurant)
    found = sources_food.evening(state.seed, restaurant, state.today)
    return {
        "restaurant": restaurant,
        "first_free": found.first_free,
        "free_tables": found.free_tables,
        "menu_eur": found.menu,
        "dish": found.dish,
    }


class BookedTable(TypedDict):
    """A table that is kept.

    Attributes:
        restaurant: The restaurant.
        table: Number of the table.
        deposit_eur: Deposit for all guests together, in whole euros.
    """

    restaurant: Annotated[str, ECHO]
    table: Annotated[int, Attribute("table_booking.table")]
    deposit_eur: Annotated[int, Attribute("table_booking.deposit")]


@tool(
    category="Food",
    server="restaurants",
    about=("restaurant", "date", "time", "people"),
    changes=("table_booking.made",),
    rubric=always(Dimension.INTERACTION, why="The restaurant keeps a table for the user afterwards."),
    scenario="Somebody plans a birthday dinner and wants a table at a certain restaurant on that evening.",
    human=person_cannot(
        "A booking in the user's name is made in the restaurant's book, not told to somebody."
    ),
)
def book_table(
    state: State, restaurant: Restaurant, date: Day, time: ClockTime, people: People
) -> BookedTable:
    """Book a table at a restaurant, from tomorrow to sixty days ahead, between 12:00 and 22:00.

    Args:
        restaurant: The restaurant's name, such as "The Blue Heron".
        date: The day, as YYYY-MM-DD.
        time: When the guests come, HH:MM on the 24-hour clock.
        people: How many guests there are.
    """
    _known(restaurant)
    day = dt.date.fromisoformat(date)
    first, last = state.today + dt.timedelta(days=1), state.today + dt.timedelta(days=_BOOKED_AHEAD)
    if not first <= day <= last:
        fix = f"Choose a day from {first.isoformat()} to {last.isoformat()}."
        refuse("bad_arguments", f"Tables cannot be booked for {date}.", fix)
    opens, closes = _KITCHEN
    if not opens <= time <= closes:
        refuse("bad_arguments", f"Nothing is served at {time}.", f"Choose a time from {opens} to {closes}.")
    key = f"{restaurant} {date}"
    if key in state.table(TableBooking):
        refuse("conflict", f"A table at {restaurant} is booked for {date} already.", "Choose another day.")
    state.put(key, TableBooking(restaurant=restaurant, date=date, time=time, people=people))
    table, deposit = sources_food.table_kept(state.seed, restaurant, day, time, people)
    return {"restaurant": restaurant, "table": table, "deposit_eur": deposit * people}


class MarketPrice(TypedDict):
    """A product at the market.

    Attributes:
        product: The product.
        eur_per_kilo: Price of a kilo in euros.
        origin: The country that it comes from.
    """

    product: Annotated[str, ECHO]
    eur_per_kilo: Annotated[float, Attribute("product.kilo_price", is_a="quantity.value")]
    origin: Annotated[str, Attribute("product.origin", is_a="text.value")]


@tool(
    category="Food",
    server="market",
    about=("product",),
    rubric=always(Dimension.TEMPORALITY, why="The market sets other prices every morning."),
    scenario="A cook is on the way to the market and asks what a kilo of something costs there today.",
    human=person_cannot("Nobody who does not stand at the stall knows this morning's price."),
)
def get_market_price(state: State, product: Product) -> MarketPrice:
    """Report what a kilo of a product costs at the town's market today, and where it comes from.

    Args:
        product: The product, in small letters, such as "pears".
    """
    if product not in sources_food.PRODUCTS:
        refuse("not_found", f"The market has no {product!r}.", near(product, sources_food.PRODUCTS))
    price, origin = sources_food.market_price(state.seed, product, state.today)
    return {"product": product, "eur_per_kilo": price, "origin": origin}


class PantryStock(TypedDict):
    """Something in the pantry.

    Attributes:
        item: The item.
        grams: How much of it is left, in grams.
        best_before: The day it should be used by, YYYY-MM-DD.
    """

    item: Annotated[str, ECHO]
    grams: Annotated[int, Attribute("pantry.grams", is_a="weight.grams")]
    best_before: Annotated[str, Attribute("pantry.best_before", is_a="day.date")]


@tool(
    category="Food",
    server="pantry",
    about=("item",),
    rubric=always(Dimension.PRIVACY, why="Only the user's own pantry list has it."),
    scenario="Somebody writes a shopping list and wants to know how much of something is still at home.",
    human=person_can("Whoever is at home opens the cupboard and looks."),
)
def get_pantry_stock(
    state: State, item: Annotated[str, Attribute("pantry.item"), Rules(max_length=120)]
) -> PantryStock:
    """Look up how much of something is left in the user's pantry.

    Args:
        item: The item as the pantry list has it, such as "flour".
    """
    found = state.record(PantryItem, item, "pantry item")
    return {"item": item, "grams": found.grams, "best_before": found.best_before}
