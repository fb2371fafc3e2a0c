"""The town: a baker's, a chemist's and a hardware shop, the user's purse and bag, and a letter box."""

from typing import Any

from knowact.authoring import FunctionWorld, JsonValue, Refusal, WorldEntry

Town = dict[str, Any]

START: Town = {
    "purse": 2000,
    "bag": {},
    "posted": [],
    "shops": {
        "baker": {"opens": "07:00", "closes": "18:30", "cents": {"rye loaf": 420, "bun": 60}},
        "chemist": {"opens": "08:30", "closes": "20:00", "cents": {"plasters": 350, "cough syrup": 890}},
        "hardware shop": {"opens": "09:00", "closes": "18:00", "cents": {"light bulb": 480, "hammer": 2600}},
    },
}


def _price(town: Town, shop: str, goods: str) -> int:
    if shop not in town["shops"]:
        raise Refusal("There is no such shop.", "not_found", f"There are: {', '.join(town['shops'])}.")
    prices = town["shops"][shop]["cents"]
    if goods not in prices:
        raise Refusal("They don't sell that.", "not_found", f"They sell: {', '.join(prices)}.")
    return prices[goods]


def get_price(town: Town, shop: str, goods: str) -> JsonValue:
    """Ask a shop for the price of something.

    Args:
        shop: The shop.
        goods: What to ask for.
    """
    return {"cents": _price(town, shop, goods)}


def buy(town: Town, shop: str, goods: str, count: int = 1) -> JsonValue:
    """Buy something in a shop, with the money in the user's purse.

    Args:
        shop: The shop.
        goods: What to buy.
        count: How many.
    """
    cents = count * _price(town, shop, goods)
    if not 0 < cents <= town["purse"]:
        raise Refusal("There is not enough money in the purse.")
    town["purse"] -= cents
    town["bag"][goods] = town["bag"].get(goods, 0) + count
    return {"paid_cents": cents, "left_cents": town["purse"]}


def get_opening_hours(town: Town, shop: str) -> JsonValue:
    """Look up when a shop opens and closes.

    Args:
        shop: The shop.
    """
    if shop not in town["shops"]:
        raise Refusal("There is no such shop.", "not_found", f"There are: {', '.join(town['shops'])}.")
    return {name: town["shops"][shop][name] for name in ("opens", "closes")}


def count_money(town: Town) -> JsonValue:
    """Count the money in the user's purse."""
    return {"cents": town["purse"]}


def post_letter(town: Town, to: str, text: str) -> JsonValue:
    """Write a letter and put it into the letter box.

    Args:
        to: Who gets it.
        text: What it says.
    """
    town["posted"].append({"to": to, "text": text})
    return {"posted": True}


WORLD = WorldEntry(
    lambda: FunctionWorld("errands", START, (get_price, buy, get_opening_hours, count_money, post_letter))
)
