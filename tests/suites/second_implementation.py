"""What internal sub-tasks come to, worked out a second time and in another way than the tools do.

Fractions instead of floats, counting day by day instead of subtracting dates, reading number words back
instead of writing them. Nothing here imports the world.
"""

import calendar
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

PHRASES = {
    ("happy birthday", "spanish"): "feliz cumpleaños",
    ("happy birthday", "italian"): "buon compleanno",
    ("good night", "dutch"): "goedenacht",
    ("good evening", "german"): "guten Abend",
    ("thank you very much", "german"): "vielen Dank",
}
VOLUMES = {"ml": Fraction(1), "l": Fraction(1000), "cup": Fraction(240), "tablespoon": Fraction(15)}
UNITS = VOLUMES | {"g": Fraction(1), "kg": Fraction(1000), "cm": Fraction(1), "m": Fraction(100)}
ONES = {
    word: number
    for number, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
            *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
            *("seventeen", "eighteen", "nineteen"),
        )
    )
}
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def exact(number: float) -> Fraction:
    return Fraction(str(number))


def next_day(day: str) -> str:
    year, month, number = map(int, day.split("-"))
    if number < calendar.monthrange(year, month)[1]:
        return f"{year:04d}-{month:02d}-{number + 1:02d}"
    return f"{year:04d}-{month + 1:02d}-01" if month < 12 else f"{year + 1:04d}-01-01"


def days_between(first: str, second: str) -> int:
    days = 0
    while first != second:
        first, days = next_day(first), days + 1
    return days


def shifted(day: str, days: int) -> dict[str, str]:
    for _ in range(days):
        day = next_day(day)
    year, month, number = map(int, day.split("-"))
    return {"date": day, "weekday": calendar.day_name[calendar.weekday(year, month, number)]}


def later(start: str, minutes: int) -> dict[str, Any]:
    hour, minute, days = int(start[:2]), int(start[3:]), 0
    for _ in range(minutes):
        minute += 1
        if minute == 60:
            hour, minute = hour + 1, 0
        if hour == 24:
            hour, days = 0, days + 1
    return {"time": f"{hour:02d}:{minute:02d}", "days_later": days}


def grown(principal: float, percent: float, years: int) -> dict[str, Fraction]:
    sum_now = exact(principal)
    for _ in range(years):
        sum_now += sum_now * exact(percent) / 100
    return {"final": sum_now, "interest": sum_now - exact(principal)}


def spelt(words: str) -> int:
    """Read a number in words."""
    total = part = 0
    for word in re.findall(r"[a-z]+", words):
        if word in ONES:
            part += ONES[word]
        elif word in TENS:
            part += 20 + 10 * TENS.index(word)
        elif word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = total + part * 1000, 0
    return total + part


def beaufort(kilometres_per_hour: float) -> int:
    """The scale's own formula: v = 0.836 B^1.5 metres per second (WMO)."""
    return round(math.pow(kilometres_per_hour / 3.6 / 0.836, 2 / 3))


def selection_sorted(text: str) -> list[str]:
    left, done = text.split("\n"), list[str]()
    while left:
        least = left[0]
        for line in left:
            if line.lower() < least.lower():
                least = line
        left.remove(least)
        done.append(least)
    return done


def sorted_lines(text: str) -> dict[str, str]:
    lines = selection_sorted(text)
    return {"text": "\n".join(lines), "first": lines[0], "last": lines[-1]}


def fahrenheit_or_celsius(degrees: float, to_scale: str) -> Fraction:
    there = exact(degrees)
    return there * Fraction(9, 5) + 32 if to_scale == "fahrenheit" else (there - 32) / Fraction(9, 5)


SECOND: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
    "multiply": lambda a: {"product": exact(a["left"]) * exact(a["right"])},
    "add_amounts": lambda a: {"total": sum(map(exact, a["amounts"]), Fraction(0))},
    "split_bill": lambda a: {
        "per_person": exact(a["bill"]) * (100 + exact(a.get("tip_percent", 0))) / 100 / a["people"],
        "total": exact(a["bill"]) * (100 + exact(a.get("tip_percent", 0))) / 100,
    },
    "get_percentage": lambda a: {
        "part": exact(a["amount"]) * exact(a["percent"]) / 100,
        "remainder": exact(a["amount"]) * (100 - exact(a["percent"])) / 100,
    },
    "compound_interest": lambda a: grown(a["principal"], a["percent"], a["years"]),
    "convert_volume": lambda a: {"amount": exact(a["amount"]) * UNITS[a["from_unit"]] / UNITS[a["to_unit"]]},
    "convert_weight": lambda a: {"amount": exact(a["amount"]) * UNITS[a["from_unit"]] / UNITS[a["to_unit"]]},
    "convert_length": lambda a: {"amount": exact(a["amount"]) * UNITS[a["from_unit"]] / UNITS[a["to_unit"]]},
    "convert_temperature": lambda a: {"degrees": fahrenheit_or_celsius(a["degrees"], a["to_scale"])},
    "count_words": lambda a: {"words": len(re.findall(r"\S+", a["text"]))},
    "sort_lines": lambda a: sorted_lines(a["text"]),
    "reverse_text": lambda a: {"text": "".join(a["text"][-1 - place] for place in range(len(a["text"])))},
    "check_anagram": lambda a: {"anagram": Counter(a["first"].lower()) == Counter(a["second"].lower())},
    "translate_phrase": lambda a: {"translation": PHRASES[a["phrase"], a["language"]]},
    "change_case": lambda a: {"text": "".join(chr(ord(x) - 32) if "a" <= x <= "z" else x for x in a["text"])},
    "get_wind_force": lambda a: {"beaufort": beaufort(a["speed_kmh"])},
    "get_rain_volume": lambda a: {"litres": exact(a["rain_mm"]) * exact(a["area_m2"])},
    "get_fuel_needed": lambda a: {"litres": exact(a["distance_km"]) * exact(a["litres_per_100_km"]) / 100},
    "get_arrival_time": lambda a: later(a["start"], a["minutes"]),
    "count_days": lambda a: {"days": days_between(a["first"], a["second"])},
    "shift_date": lambda a: shifted(a["date"], a["days"]),
}
