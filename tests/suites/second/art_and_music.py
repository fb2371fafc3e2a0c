"""Sub-tasks of art and music, worked out a second time: by walking round the wheel and along the keys."""

from collections.abc import Callable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, Final

from suites.second.exact import exact

WHEEL: Final = (
    *("red", "red-orange", "orange", "yellow-orange", "yellow", "yellow-green"),
    *("green", "blue-green", "blue", "blue-purple", "purple", "red-purple"),
)
HEXADECIMAL: Final = "0123456789abcdef"
KEYS: Final = ("C", "C sharp", "D", "D sharp", "E", "F", "F sharp", "G", "G sharp", "A", "A sharp", "B")
FIFTHS: Final = tuple(f"{letter}{sign}" for sign in (" flat", "", " sharp") for letter in "FCGDAEB")
"""The line of fifths. A major scale is seven neighbours of it, one of them below the tonic."""
PLACES: Final = {"second": 2, "third": 4, "fourth": -1, "fifth": 1, "sixth": 3, "seventh": 5}
"""How many fifths above the tonic each note of its major scale lies."""


def hex_colour(arguments: Mapping[str, Any]) -> dict[str, int]:
    """Look every digit up in the row of sixteen."""
    digits = [HEXADECIMAL.index(digit) for digit in arguments["colour"].lower().removeprefix("#")]
    red, green, blue = (high * 16 + low for high, low in zip(digits[::2], digits[1::2], strict=True))
    return {"red": red, "green": green, "blue": blue}


def wheel(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Walk both ways at once until one of the two arrives."""
    here = there = WHEEL.index(arguments["first"])
    steps = 0
    while arguments["second"] not in {WHEEL[here], WHEEL[there]}:
        here, there, steps = (here + 1) % len(WHEEL), there - 1, steps + 1
    return {"steps": steps, "complementary": here % len(WHEEL) == there % len(WHEEL) and steps > 0}


def paints(arguments: Mapping[str, Any]) -> dict[str, Fraction]:
    """Measure the mixture out part by part."""
    first, second = arguments["first_parts"], arguments["second_parts"]
    part = exact(arguments["volume_ml"]) / (first + second)
    return {
        "first_ml": sum((part for _ in range(first)), Fraction(0)),
        "second_ml": sum((part for _ in range(second)), Fraction(0)),
    }


def edging(arguments: Mapping[str, Any]) -> dict[str, Fraction]:
    """Lay the strip along side after side of picture after picture."""
    sides = [exact(arguments["width_cm"]), exact(arguments["height_cm"])] * 2
    return {"length_cm": sum(sides * arguments.get("pictures", 1), Fraction(0))}


def picture(arguments: Mapping[str, Any]) -> dict[str, Fraction]:
    """How tall a strip one centimetre wide is, times the new width."""
    for_one = exact(arguments["height_cm"]) / exact(arguments["width_cm"])
    return {"height_cm": for_one * exact(arguments["new_width_cm"])}


def scale_note(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Go along the line of fifths instead of up the keys."""
    return {"note": FIFTHS[FIFTHS.index(arguments["tonic"]) + PLACES[arguments["degree"]]]}


def interval(arguments: Mapping[str, Any]) -> dict[str, int]:
    """Play key after key upwards until the note comes."""
    key, semitones = KEYS.index(arguments["low"]), 0
    while True:
        key, semitones = (key + 1) % len(KEYS), semitones + 1
        if KEYS[key] == arguments["high"]:
            return {"semitones": semitones}


def tone(arguments: Mapping[str, Any]) -> dict[str, Fraction]:
    """Move semitone by semitone, each the twelfth root of two, in fifty digits."""
    with localcontext() as context:
        context.prec = 50
        root = (Decimal(2).ln() / 12).exp()
        hertz = Decimal(str(arguments["hertz"]))
        for _ in range(arguments["semitones"]):
            hertz = hertz / root if arguments.get("direction") == "down" else hertz * root
        return {"hertz": Fraction(hertz)}


def seconds(arguments: Mapping[str, Any]) -> dict[str, Fraction]:
    """How long one beat is, times the beats."""
    return {"seconds": Fraction(60) / exact(arguments["bpm"]) * arguments["beats"]}


def bars(arguments: Mapping[str, Any]) -> dict[str, int]:
    """Play bar after bar while another still ends in time."""
    bar = Fraction(arguments["beats_per_bar"]) / exact(arguments["bpm"])
    played = 0
    while (played + 1) * bar <= arguments["minutes"]:
        played += 1
    return {"bars": played}


SECOND: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "convert_hex_colour": hex_colour,
    "compare_wheel_colours": wheel,
    "mix_paints": paints,
    "get_edging_length": edging,
    "scale_picture": picture,
    "get_scale_note": scale_note,
    "get_interval": interval,
    "transpose_tone": tone,
    "beats_to_seconds": seconds,
    "count_bars": bars,
}
