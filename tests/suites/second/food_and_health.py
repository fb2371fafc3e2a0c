"""Kitchen and health sub-tasks, worked out a second time: in fractions, or by pouring, ticking and walking.

Health has personal records too, but what they hold is external; there is nothing of it here.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from suites.second.exact import exact

MINUTES_OF_A_DAY: Final = 24 * 60


def recipe(arguments: Mapping[str, Any]) -> dict[str, Fraction]:
    """Set the table for one guest after the other."""
    one_serving = exact(arguments["grams"]) / arguments["servings"]
    return {"grams": sum((one_serving for _ in range(arguments["wanted"])), Fraction(0))}


def kilo(arguments: Mapping[str, Any]) -> dict[str, Fraction]:
    """How often the pack goes into a kilo, times its price."""
    return {"eur_per_kilo": Fraction(1000) / exact(arguments["grams"]) * exact(arguments["price_eur"])}


def oven(arguments: Mapping[str, Any]) -> dict[str, int]:
    """Count the minutes that have begun their second half before the joint is done."""
    time = exact(arguments["grams"]) * arguments["minutes_per_500g"] / 500
    minutes = time.numerator // time.denominator
    left = time - minutes
    return {"minutes": minutes + 1 if left + left >= 1 else minutes}


def bottles(arguments: Mapping[str, Any]) -> dict[str, int]:
    """Pour glass by glass; whenever a bottle runs dry, another is opened."""
    opened = left = 0
    for _ in range(arguments["guests"]):
        for _ in range(arguments["glasses_each"]):
            while left < arguments["glass_ml"]:
                opened, left = opened + 1, left + arguments["bottle_ml"]
            left -= arguments["glass_ml"]
    return {"bottles": opened}


def entries(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Read the list character by character."""
    found, entry = list[str](), ""
    for character in arguments["ingredients"] + "\n":
        if character not in ",\n":
            entry += character
            continue
        if entry.strip():
            found.append(entry.strip())
        entry = ""
    sought = arguments["ingredient"].strip().lower()
    return {"listed": any(one.lower() == sought for one in found), "main": found[0], "count": len(found)}


def body_mass(arguments: Mapping[str, Any]) -> dict[str, Fraction]:
    """In centimetres throughout: a square metre has 10,000 square centimetres."""
    height = exact(arguments["height_cm"])
    return {"bmi": exact(arguments["weight_kg"]) * 10_000 / height / height}


def dose(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Let the clock run on from dose to dose, and past midnight whenever it gets there."""
    minute = int(arguments["first"][:2]) * 60 + int(arguments["first"][3:5])
    days = 0
    for _ in range(1, arguments["number"]):
        minute += arguments["every_hours"] * 60
        while minute >= MINUTES_OF_A_DAY:
            minute, days = minute - MINUTES_OF_A_DAY, days + 1
    return {"time": f"{minute // 60:02d}:{minute % 60:02d}", "days_later": days}


def energy(arguments: Mapping[str, Any]) -> dict[str, Fraction]:
    """Burn minute by minute."""
    rate = exact(arguments["kcal_per_minute"])
    return {"kcal": sum((rate for _ in range(arguments["minutes"])), Fraction(0))}


def pulse(arguments: Mapping[str, Any]) -> dict[str, Fraction]:
    """Mix the two pulses: at 60 % of the way, 40 parts of the one and 60 of the other."""
    share = exact(arguments["percent"])
    mixed = (100 - share) * exact(arguments["resting"]) + share * exact(arguments["maximum"])
    return {"bpm": mixed / 100}


SECOND: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "scale_recipe": recipe,
    "get_unit_price": kilo,
    "get_oven_time": oven,
    "get_bottles_needed": bottles,
    "check_ingredients": entries,
    "get_body_mass_index": body_mass,
    "get_dose_time": dose,
    "get_energy_burnt": energy,
    "get_training_pulse": pulse,
}
