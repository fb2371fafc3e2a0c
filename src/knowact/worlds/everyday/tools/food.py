"""Food: restaurants, the market and the user's pantry as they are today, and a cook's small sums."""

import math
from typing import Annotated, Final

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.clock import check_booking, clock_time
from knowact.worlds.everyday.contract import (
    MULTIPLIERS,
    Server,
    always,
    by_size,
    check_listed,
    listed,
    never,
    on,
    refuse,
)
from knowact.worlds.everyday.fields import ClockTime, Day, People, Positive
from knowact.worlds.everyday.private.leisure import PantryItem, TableBooking
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

RESTAURANTS: Final = (
    *("The Copper Ladle", "Da Ottavia", "Lantern & Fig", "Het Zilveren Anker", "Casa Almendra"),
    *("The Salted Plum", "Kiraku", "Brasserie Molenaar", "Saffron Yard", "The Blue Heron"),
    *("Taverna Kalamos", "Little Odessa", "Chez Margaux", "The Old Granary"),
)
"""Invented, and the same under every seed."""
_DISHES: Final = (
    *("mushroom risotto", "braised lamb", "baked cod", "lentil stew", "stuffed peppers", "duck with plums"),
    *("pumpkin ravioli", "fish soup", "roast chicken", "aubergine bake", "beef goulash", "leek tart"),
    *("grilled trout", "chickpea curry", "veal dumplings", "spinach pie"),
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
_ORIGINS: Final = (
    *("Belgium", "Denmark", "France", "Germany", "Greece", "Ireland"),
    *("Italy", "Morocco", "Norway", "Poland", "Portugal", "Spain", "Turkey"),
)
_STEP_CENTS: Final = 20


_RESTAURANTS: Final = Server("Food", "restaurants")
_MARKET: Final = Server("Food", "market")
_PANTRY: Final = Server("Food", "pantry")

Restaurant = Annotated[str, Attribute("restaurant.name"), Rules(max_length=120)]
Product = Annotated[str, Attribute("product.name"), Rules(max_length=120)]

_KITCHEN_OPEN: Final = ("12:00", "22:00")


def _check(restaurant: str) -> None:
    check_listed(RESTAURANTS, restaurant, f"There is no restaurant named {restaurant!r} here.")


class RestaurantTonight(Shape):
    restaurant: str = echo("The restaurant.")
    first_free: str = fact(
        "restaurant.first_free", "The earliest time at which a table is free tonight, HH:MM."
    )
    free_tables: int = fact("restaurant.free_tables", "How many tables are free tonight.")
    menu_eur: int = fact(
        "restaurant.menu_price", "Price of tonight's set menu for one person, in whole euros."
    )
    dish: str = fact("restaurant.dish", "The main dish of that menu.")


@_RESTAURANTS.tool(
    rubric=always(
        Dimension.TEMPORALITY, why="Tables fill up, and the kitchen cooks something else every day."
    ),
    scenario="Friends want to eat out tonight and ask whether a restaurant still has a table, and the price.",
    person_cannot="Only the restaurant's own book shows what is still free tonight.",
)
def get_restaurant_tonight(state: State, restaurant: Restaurant) -> RestaurantTonight:
    """Report which tables a restaurant has free tonight, and its set menu.

    Args:
        restaurant: The restaurant's name, such as "The Blue Heron".
    """
    _check(restaurant)
    draw = state.draw("restaurant", restaurant, state.today.isoformat())
    return RestaurantTonight(
        restaurant=restaurant,
        first_free=clock_time(draw.randint(70, 87) * 15),
        free_tables=draw.randint(1, 14),
        menu_eur=draw.randint(19, 64),
        dish=draw.choice(_DISHES),
    )


class TableBookingShown(Shape):
    restaurant: str = echo("The restaurant.")
    table: int = fact("table_booking.table", "Number of the table.")
    deposit_eur: int = fact("table_booking.deposit", "Deposit for all guests together, in whole euros.")


@_RESTAURANTS.tool(
    changes=("table_booking.made",),
    rubric=always(Dimension.INTERACTION, why="The restaurant keeps a table for the user afterwards."),
    scenario="Somebody plans a birthday dinner and wants a table at a certain restaurant on that evening.",
    person_cannot="A booking in the user's name is made in the restaurant's book, not told to somebody.",
)
def book_table(
    state: State, restaurant: Restaurant, date: Day, time: ClockTime, people: People
) -> TableBookingShown:
    """Book a table at a restaurant, from tomorrow to sixty days ahead, between 12:00 and 22:00.

    Args:
        restaurant: The restaurant's name, such as "The Blue Heron".
        date: The day, as YYYY-MM-DD.
        time: When the guests come, HH:MM on the 24-hour clock.
        people: How many guests there are.
    """
    _check(restaurant)
    check_booking(
        state.today,
        date,
        time,
        _KITCHEN_OPEN,
        unbookable=f"Tables cannot be booked for {date}.",
        closed=f"Nothing is served at {time}.",
    )
    key = f"{restaurant} {date}"
    if key in state.table(TableBooking):
        refuse("conflict", f"A table at {restaurant} is booked for {date} already.", "Choose another day.")
    state.put(key, TableBooking(restaurant=restaurant, date=date, time=time, people=people))
    table = state.draw("table", restaurant, date, time, people).randint(1, 38)
    deposit = state.draw("deposit", restaurant, date).randint(3, 15)
    return TableBookingShown(restaurant=restaurant, table=table, deposit_eur=deposit * people)


class MarketPrice(Shape):
    product: str = echo("The product.")
    eur_per_kilo: float = fact("product.kilo_price", "Price of a kilo in euros.")
    origin: str = fact("product.origin", "The country that it comes from.")


@_MARKET.tool(
    rubric=always(Dimension.TEMPORALITY, why="The market sets other prices every morning."),
    scenario="A cook is on the way to the market and asks what a kilo of something costs there today.",
    person_cannot="Nobody who does not stand at the stall knows this morning's price.",
)
def get_market_price(state: State, product: Product) -> MarketPrice:
    """Report what a kilo of a product costs at the town's market today, and where it comes from.

    Args:
        product: The product, in small letters, such as "pears".
    """
    steps = listed(_USUAL_CENTS, product, f"The market has no {product!r}.") // _STEP_CENTS
    draw, spread = state.draw("market", product, state.today.isoformat()), max(2, steps // 3)
    price = (steps + draw.randint(-spread, spread)) * _STEP_CENTS / 100
    return MarketPrice(product=product, eur_per_kilo=price, origin=draw.choice(_ORIGINS))


class PantryStock(Shape):
    item: str = echo("The item.")
    grams: int = fact("pantry.grams", "How much of it is left, in grams.")
    best_before: str = fact("pantry.best_before", "The day it should be used by, YYYY-MM-DD.")


@_PANTRY.tool(
    rubric=always(Dimension.PRIVACY, why="Only the user's own pantry list has it."),
    scenario="Somebody writes a shopping list and wants to know how much of something is still at home.",
    person_can="Whoever is at home opens the cupboard and looks.",
)
def get_pantry_stock(
    state: State, item: Annotated[str, Attribute("pantry.item"), Rules(max_length=120)]
) -> PantryStock:
    """Look up how much of something is left in the user's pantry.

    Args:
        item: The item as the pantry list has it, such as "flour".
    """
    return PantryStock.of(state.record(PantryItem, item, "pantry item"), item=item)


_KITCHEN: Final = Server("Food", "kitchen")

Grams = Annotated[float, Attribute("weight.grams"), Rules(minimum=1, maximum=1_000_000)]
Joint = Annotated[float, Attribute("roast.grams"), Rules(minimum=1, maximum=1_000_000)]
Millilitres = Annotated[int, Attribute("volume.millilitres"), Rules(minimum=1, maximum=100_000)]

_FEW_GUESTS: Final = 20
_FEW_GLASSES: Final = 5
_SMALL_POT: Final = 12
_SMALL_ROAST: Final = 3_000
_PACKS: Final = (100, 125, 200, 250, 500)
"""Weights of packs that fill a kilo exactly, so that the price of a kilo is a whole multiple."""


def small_recipe(grams: float, servings: int, wanted: int) -> bool:
    """At most twelve servings on both sides, and grams of at most two digits that divide up evenly."""
    return limits.two_digits(grams) and max(servings, wanted) <= _SMALL_POT and grams * wanted % servings == 0


class ScaledRecipe(Shape):
    grams: float = fact("recipe.scaled_grams", "The amount in grams, rounded to two decimals.")


@_KITCHEN.tool(
    also_done_by=(*MULTIPLIERS, "get_oven_time", "get_energy_burnt"),
    rubric=by_size(
        on(small_recipe),
        why="From four guests to six is done by head; from 23 to 317, with odd grams, it is not.",
    ),
    scenario="A cook has a recipe for so many people and expects another number of guests.",
    person_can="Anybody who cooks scales a recipe with a pencil.",
)
def scale_recipe(_state: State, grams: Grams, servings: People, wanted: People) -> ScaledRecipe:
    """Work out how much of an ingredient another number of servings takes.

    Args:
        grams: What the recipe takes, in grams.
        servings: How many servings the recipe makes.
        wanted: How many servings are wanted.
    """
    return ScaledRecipe(grams=half_up(exact(grams) * wanted / servings, 2))


def plain_pack(price_eur: float, grams: float) -> bool:
    """A price of at most three digits, and a pack of 100, 125, 200, 250 or 500 g."""
    return limits.three_digits(price_eur) and grams in _PACKS


class UnitPrice(Shape):
    eur_per_kilo: float = fact("pack.kilo_price", "Price of a kilo in euros, rounded to cents.")


@_KITCHEN.tool(
    also_done_by=(*MULTIPLIERS, "scale_recipe"),
    rubric=by_size(
        on(plain_pack), why="Four packs of 250 g are a kilo; a price for 3,847 g is a long division."
    ),
    scenario="A shopper compares packs of different sizes by what a kilo would cost.",
    person_can="Shoppers do it at the shelf, or read it off the label.",
)
def get_unit_price(_state: State, price_eur: Positive, grams: Grams) -> UnitPrice:
    """Work out what a kilo costs from the price and the weight of a pack.

    Args:
        price_eur: Price of the pack in euros.
        grams: Weight of the pack in grams.
    """
    return UnitPrice(eur_per_kilo=half_up(exact(price_eur) * 1000 / exact(grams), 2))


def small_roast(grams: float, minutes_per_500g: int) -> bool:
    """At most six full pounds of 500 g, at a time per pound of at most two digits."""
    return grams % 500 == 0 and grams <= _SMALL_ROAST and minutes_per_500g < 100  # noqa: PLR2004 - as the docstring says


class OvenTime(Shape):
    minutes: int = fact("roast.minutes", "Time in the oven in whole minutes; half a minute is rounded up.")


@_KITCHEN.tool(
    also_done_by=(*MULTIPLIERS, "scale_recipe"),
    rubric=by_size(
        on(small_roast),
        why="Three times twenty minutes is done by head; 38,765 g at 37 minutes per 500 g is not.",
    ),
    scenario="A cook has a joint of some weight, and a rule of so many minutes for every 500 g of it.",
    person_can="A cook works it out beside the oven.",
)
def get_oven_time(
    _state: State,
    grams: Joint,
    minutes_per_500g: Annotated[int, Attribute("roast.rate"), Rules(minimum=1, maximum=500)],
) -> OvenTime:
    """Work out how long a joint roasts at so many minutes per 500 g.

    Args:
        grams: Weight of the joint in grams.
        minutes_per_500g: Minutes in the oven for every 500 g.
    """
    return OvenTime(minutes=math.floor(grams * minutes_per_500g / 500 + 0.5))


def small_round(guests: int, glasses_each: int, glass_ml: int, bottle_ml: int) -> bool:
    """At most twenty guests with five glasses each, glass and bottle in round numbers of two digits."""
    return (
        guests <= _FEW_GUESTS
        and glasses_each <= _FEW_GLASSES
        and all(limits.two_digits(amount) and amount % 50 == 0 for amount in (glass_ml, bottle_ml))
    )


class BottlesNeeded(Shape):
    bottles: int = fact("drinks.bottles", "How many full bottles it takes.")


@_KITCHEN.tool(
    also_done_by=MULTIPLIERS,
    rubric=by_size(
        on(small_round),
        why="Ten guests with two glasses each are counted by head; 683 guests and odd measures are not.",
    ),
    scenario="A host works out how many bottles to buy for a party.",
    person_can="A host estimates it on the back of an envelope.",
)
def get_bottles_needed(
    _state: State,
    guests: People,
    glasses_each: Annotated[int, Attribute("drinks.glasses_each"), Rules(minimum=1, maximum=100)],
    glass_ml: Millilitres,
    bottle_ml: Millilitres,
) -> BottlesNeeded:
    """Work out how many bottles it takes to pour every guest so many glasses.

    Args:
        guests: How many guests there are.
        glasses_each: How many glasses each of them drinks.
        glass_ml: What goes into a glass, in millilitres.
        bottle_ml: What is in a bottle, in millilitres.
    """
    return BottlesNeeded(bottles=-(-guests * glasses_each * glass_ml // bottle_ml))


class IngredientCheck(Shape):
    listed: bool = fact(
        "ingredients.listed", "Whether one of its entries is that ingredient, leaving case aside."
    )
    main: str = fact("ingredients.main", "The first entry of the list.")
    count: int = fact("ingredients.count", "How many entries the list has.")


@_KITCHEN.tool(
    rubric=never(why="A label of a few entries is read once."),
    scenario="Somebody with an allergy copies the label of a snack and asks whether something is in it.",
    person_can="Anybody can read the label.",
)
def check_ingredients(
    _state: State,
    ingredients: Annotated[str, Attribute("text.value"), Rules(max_length=400)],
    ingredient: Annotated[str, Attribute("ingredient.name"), Rules(max_length=60)],
) -> IngredientCheck:
    """Check whether an ingredient is an entry of a short list, and which entry comes first.

    Args:
        ingredients: The list, its entries separated by commas or by lines; at most 400 characters.
        ingredient: The ingredient to look for; it counts only where it is an entry by itself.
    """
    entries = [entry.strip() for entry in ingredients.replace("\n", ",").split(",") if entry.strip()]
    if not entries:
        refuse("bad_arguments", "The list has no entries.", "Separate the ingredients by commas.")
    listed = ingredient.strip().casefold() in {entry.casefold() for entry in entries}
    return IngredientCheck(listed=listed, main=entries[0], count=len(entries))
