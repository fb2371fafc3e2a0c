"""Food: a cook's and a shopper's small sums. A model does these for handy numbers, and not for odd ones."""

import math
from collections.abc import Mapping
from typing import Annotated, Any, Final, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import by_argument, never, person_can, refuse, tool
from knowact.worlds.everyday.fields import People, Positive
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules

Grams = Annotated[float, Attribute("weight.grams"), Rules(minimum=1, maximum=1_000_000)]
Joint = Annotated[float, Attribute("roast.grams"), Rules(minimum=1, maximum=1_000_000)]
Millilitres = Annotated[int, Attribute("volume.millilitres"), Rules(minimum=1, maximum=100_000)]

_PRODUCTS: Final = (
    *("multiply", "get_percentage", "get_fuel_needed", "get_rain_volume"),
    *("scale_picture", "get_tourist_tax", "get_late_fee", "get_yearly_pay"),
)
"""Each of them multiplies, whatever it calls the factors."""
_FEW_GUESTS: Final = 20
_FEW_GLASSES: Final = 5
_SMALL_POT: Final = 12
_SMALL_ROAST: Final = 3_000
_PACKS: Final = (100, 125, 200, 250, 500)
"""Weights of packs that fill a kilo exactly, so that the price of a kilo is a whole multiple."""


class ScaledAmount(TypedDict):
    """How much of an ingredient it takes.

    Attributes:
        grams: The amount in grams, rounded to two decimals.
    """

    grams: Annotated[float, Attribute("recipe.scaled_grams", is_a="weight.grams")]


def small_recipe(given: Mapping[str, Any]) -> bool:
    """At most twelve servings on both sides, and grams of at most two digits that divide up evenly."""
    grams, servings, wanted = given["grams"], given["servings"], given["wanted"]
    return (
        limits.handy(grams, limits.SHORTER_FACTOR_DIGITS)
        and max(servings, wanted) <= _SMALL_POT
        and grams * wanted % servings == 0
    )


@tool(
    category="Food",
    server="kitchen",
    about=("grams", "servings", "wanted"),
    also_done_by=(*_PRODUCTS, "get_oven_time", "get_energy_burnt"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="From four guests to six is done by head; from 23 to 317, with odd grams, it is not.",
        within=small_recipe,
    ),
    scenario="A cook has a recipe for so many people and expects another number of guests.",
    human=person_can("Anybody who cooks scales a recipe with a pencil."),
)
def scale_recipe(_state: State, grams: Grams, servings: People, wanted: People) -> ScaledAmount:
    """Work out how much of an ingredient another number of servings takes.

    Args:
        grams: What the recipe takes, in grams.
        servings: How many servings the recipe makes.
        wanted: How many servings are wanted.
    """
    return {"grams": half_up(exact(grams) * wanted / servings, 2)}


class KiloPrice(TypedDict):
    """A price for comparing.

    Attributes:
        eur_per_kilo: Price of a kilo in euros, rounded to cents.
    """

    eur_per_kilo: Annotated[float, Attribute("pack.kilo_price", is_a="quantity.value")]


def plain_pack(given: Mapping[str, Any]) -> bool:
    """A price of at most three digits, and a pack of 100, 125, 200, 250 or 500 g."""
    return limits.handy(given["price_eur"], limits.LONGER_FACTOR_DIGITS) and given["grams"] in _PACKS


@tool(
    category="Food",
    server="kitchen",
    about=("price_eur", "grams"),
    also_done_by=(*_PRODUCTS, "scale_recipe"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Four packs of 250 g are a kilo; a price for 3,847 g is a long division.",
        within=plain_pack,
    ),
    scenario="A shopper compares packs of different sizes by what a kilo would cost.",
    human=person_can("Shoppers do it at the shelf, or read it off the label."),
)
def get_unit_price(_state: State, price_eur: Positive, grams: Grams) -> KiloPrice:
    """Work out what a kilo costs from the price and the weight of a pack.

    Args:
        price_eur: Price of the pack in euros.
        grams: Weight of the pack in grams.
    """
    return {"eur_per_kilo": half_up(exact(price_eur) * 1000 / exact(grams), 2)}


class OvenTime(TypedDict):
    """How long something roasts.

    Attributes:
        minutes: Time in the oven in whole minutes; half a minute is rounded up.
    """

    minutes: Annotated[int, Attribute("roast.minutes", is_a="duration.minutes")]


def small_roast(given: Mapping[str, Any]) -> bool:
    """At most six full pounds of 500 g, at a time per pound of at most two digits."""
    return given["grams"] % 500 == 0 and given["grams"] <= _SMALL_ROAST and given["minutes_per_500g"] < 100  # noqa: PLR2004 - as the docstring says


@tool(
    category="Food",
    server="kitchen",
    about=("grams", "minutes_per_500g"),
    also_done_by=(*_PRODUCTS, "scale_recipe"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Three times twenty minutes is done by head; 38,765 g at 37 minutes per 500 g is not.",
        within=small_roast,
    ),
    scenario="A cook has a joint of some weight, and a rule of so many minutes for every 500 g of it.",
    human=person_can("A cook works it out beside the oven."),
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
    return {"minutes": math.floor(grams * minutes_per_500g / 500 + 0.5)}


class DrinksNeeded(TypedDict):
    """How much to buy.

    Attributes:
        bottles: How many full bottles it takes.
    """

    bottles: Annotated[int, Attribute("drinks.bottles")]


def small_round(given: Mapping[str, Any]) -> bool:
    """At most twenty guests with five glasses each, glass and bottle in round numbers of two digits."""
    return (
        given["guests"] <= _FEW_GUESTS
        and given["glasses_each"] <= _FEW_GLASSES
        and all(
            limits.handy(given[name], limits.SHORTER_FACTOR_DIGITS) and given[name] % 50 == 0
            for name in ("glass_ml", "bottle_ml")
        )
    )


@tool(
    category="Food",
    server="kitchen",
    about=("guests", "glasses_each", "glass_ml", "bottle_ml"),
    also_done_by=_PRODUCTS,
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Ten guests with two glasses each are counted by head; 683 guests and odd measures are not.",
        within=small_round,
    ),
    scenario="A host works out how many bottles to buy for a party.",
    human=person_can("A host estimates it on the back of an envelope."),
)
def get_bottles_needed(
    _state: State,
    guests: People,
    glasses_each: Annotated[int, Attribute("drinks.glasses_each"), Rules(minimum=1, maximum=100)],
    glass_ml: Millilitres,
    bottle_ml: Millilitres,
) -> DrinksNeeded:
    """Work out how many bottles it takes to pour every guest so many glasses.

    Args:
        guests: How many guests there are.
        glasses_each: How many glasses each of them drinks.
        glass_ml: What goes into a glass, in millilitres.
        bottle_ml: What is in a bottle, in millilitres.
    """
    return {"bottles": -(-guests * glasses_each * glass_ml // bottle_ml)}


class IngredientCheck(TypedDict):
    """What a list of ingredients says.

    Attributes:
        listed: Whether one of its entries is that ingredient, leaving case aside.
        main: The first entry of the list.
        count: How many entries the list has.
    """

    listed: Annotated[bool, Attribute("ingredients.listed")]
    main: Annotated[str, Attribute("ingredients.main")]
    count: Annotated[int, Attribute("ingredients.count")]


@tool(
    category="Food",
    server="kitchen",
    about=("ingredients", "ingredient"),
    rubric=never(why="A label of a few entries is read once."),
    scenario="Somebody with an allergy copies the label of a snack and asks whether something is in it.",
    human=person_can("Anybody can read the label."),
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
    return {"listed": listed, "main": entries[0], "count": len(entries)}
