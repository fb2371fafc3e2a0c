"""Art: colours, paints and the measures of pictures."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import (
    by_argument,
    never,
    person_can,
    person_cannot,
    public,
    refuse,
    tool,
)
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules

HexColour = Annotated[str, Attribute("colour.hex"), Rules(max_length=7)]
Centimetres = Annotated[float, Attribute("picture.centimetres"), Rules(minimum=0.1, maximum=10_000)]
Parts = Annotated[int, Attribute("paint.parts"), Rules(minimum=1, maximum=1_000)]
WheelColour = Literal[
    "red",
    "red-orange",
    "orange",
    "yellow-orange",
    "yellow",
    "yellow-green",
    "green",
    "blue-green",
    "blue",
    "blue-purple",
    "purple",
    "red-purple",
]
_WHEEL: Final[tuple[WheelColour, ...]] = (
    "red",
    "red-orange",
    "orange",
    "yellow-orange",
    "yellow",
    "yellow-green",
    "green",
    "blue-green",
    "blue",
    "blue-purple",
    "purple",
    "red-purple",
)
"""The painter's wheel of twelve: primary colours at every fourth place, opposites six apart."""
_SMALL_PARTS: Final = 9
_FEW_PICTURES: Final = 9
_HEX: Final = re.compile(r"#?([0-9A-Fa-f]{6})")


def _pairs(colour: str) -> str:
    """Return the six digits of a colour, in small letters."""
    found = _HEX.fullmatch(colour)
    if found is None:
        refuse("bad_arguments", f"{colour!r} is no hex colour.", "Write it like #1E90FF.")
    return found[1].lower()


class Channels(TypedDict):
    """A colour as a screen mixes it.

    Attributes:
        red: Red, 0 to 255.
        green: Green, 0 to 255.
        blue: Blue, 0 to 255.
    """

    red: Annotated[int, Attribute("colour.red")]
    green: Annotated[int, Attribute("colour.green")]
    blue: Annotated[int, Attribute("colour.blue")]


@tool(
    category="Art",
    server="colours",
    about=("colour",),
    rubric=never(why="Three numbers of two hexadecimal digits each are written down at sight."),
    scenario="A designer has a colour from a style sheet and a program that asks for red, green and blue.",
    human=person_cannot("Few people read hexadecimal numbers in passing."),
)
def convert_hex_colour(_state: State, colour: HexColour) -> Channels:
    """Split a hex colour into its red, green and blue, each from 0 to 255.

    Args:
        colour: The colour in six hexadecimal digits, such as "#1E90FF".
    """
    digits = _pairs(colour)
    red, green, blue = (int(digits[start : start + 2], 16) for start in (0, 2, 4))
    return {"red": red, "green": green, "blue": blue}


class ColourName(TypedDict):
    """What the web calls a colour.

    Attributes:
        name: The name in style sheets (CSS 3).
    """

    name: Annotated[str, Attribute("colour.web_name", is_a="text.value")]


@tool(
    category="Art",
    server="colours",
    about=("colour",),
    rubric=public(why="The names of web colours are a published list of 140."),
    scenario="Somebody finds a colour code in a page and would rather read a name.",
    human=person_cannot("The list has 140 names and nobody learns it."),
)
def name_web_colour(_state: State, colour: HexColour) -> ColourName:
    """Tell the name that style sheets (CSS 3) have for a hex colour, if it has one.

    Args:
        colour: The colour in six hexadecimal digits, such as "#1E90FF".
    """
    import webcolors  # pyright: ignore[reportMissingTypeStubs] - it has none

    digits = _pairs(colour)
    try:
        return {"name": webcolors.hex_to_name(f"#{digits}")}
    except ValueError:
        refuse("not_found", f"No web colour is #{digits}.", "Only the colours that CSS 3 names have one.")


class WheelDistance(TypedDict):
    """How two colours stand to each other on the painter's wheel.

    Attributes:
        steps: How many places they are apart, the shorter way round, 0 to 6.
        complementary: True if they stand opposite each other.
    """

    steps: Annotated[int, Attribute("colours.steps")]
    complementary: Annotated[bool, Attribute("colours.complementary")]


@tool(
    category="Art",
    server="colours",
    about=("first", "second"),
    rubric=never(why="Twelve colours in a circle, as every paintbox has them."),
    scenario="A painter wonders whether two colours make a quiet pair or a loud one.",
    human=person_can("Everybody who has painted at school knows the wheel."),
)
def compare_wheel_colours(_state: State, first: WheelColour, second: WheelColour) -> WheelDistance:
    """Tell how far two colours are apart on the painter's wheel of twelve (red, yellow, blue are primary).

    Args:
        first: One of them.
        second: The other.
    """
    distance = abs(_WHEEL.index(first) - _WHEEL.index(second))
    half = len(_WHEEL) // 2
    return {"steps": min(distance, len(_WHEEL) - distance), "complementary": distance == half}


class PaintMix(TypedDict):
    """How much of each paint a mixture takes.

    Attributes:
        first_ml: Millilitres of the first paint, to a tenth.
        second_ml: Millilitres of the second paint, to a tenth.
    """

    first_ml: Annotated[float, Attribute("paint.first_ml")]
    second_ml: Annotated[float, Attribute("paint.second_ml")]


def _easily_mixed(given: Mapping[str, Any]) -> bool:
    """At most nine parts of each, and a volume of at most two digits before its zeros."""
    parts = max(given["first_parts"], given["second_parts"])
    return parts <= _SMALL_PARTS and limits.handy(given["volume_ml"], limits.SHORTER_FACTOR_DIGITS)


@tool(
    category="Art",
    server="studio",
    about=("first_parts", "second_parts", "volume_ml"),
    also_done_by=("multiply", "get_percentage", "scale_picture"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Three parts to one of 800 ml by head; 17 parts to 23 of 3,865 ml not.",
        within=_easily_mixed,
    ),
    scenario="Somebody mixes a shade from two tins and wants to know how much of each to pour.",
    human=person_cannot("Odd ratios of odd volumes take a calculator."),
)
def mix_paints(
    _state: State,
    first_parts: Parts,
    second_parts: Parts,
    volume_ml: Annotated[float, Attribute("paint.volume"), Rules(minimum=1, maximum=1e6)],
) -> PaintMix:
    """Divide a volume of mixed paint into its two paints, given the ratio in parts.

    Args:
        first_parts: Parts of the first paint.
        second_parts: Parts of the second paint.
        volume_ml: How much mixture is wanted altogether, in millilitres.
    """
    first = exact(volume_ml) * first_parts / (first_parts + second_parts)
    return {"first_ml": half_up(first, 1), "second_ml": half_up(exact(volume_ml) - first, 1)}


class Edging(TypedDict):
    """How much edging is needed.

    Attributes:
        length_cm: Length of the strip in centimetres, without overlaps or waste.
    """

    length_cm: Annotated[float, Attribute("edging.length")]


def _easily_edged(given: Mapping[str, Any]) -> bool:
    """Whole sides of at most two digits, and at most nine pictures."""
    sides = (given["width_cm"], given["height_cm"])
    return (
        all(limits.handy(side, limits.SHORTER_FACTOR_DIGITS) and limits.decimals(side) == 0 for side in sides)
        and given.get("pictures", 1) <= _FEW_PICTURES
    )


@tool(
    category="Art",
    server="studio",
    about=("width_cm", "height_cm", "pictures"),
    also_done_by=("multiply", "add_amounts"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Once round a few pictures by head; round 264 drawings of 29.7 by 41.9 cm not.",
        within=_easily_edged,
    ),
    scenario="Somebody puts tape or a wooden strip round the edge of pictures and buys it by the metre.",
    human=person_cannot("Hundreds of pictures in millimetres take a calculator."),
)
def get_edging_length(
    _state: State,
    width_cm: Centimetres,
    height_cm: Centimetres,
    pictures: Annotated[int, Attribute("pictures.count"), Rules(minimum=1, maximum=100_000)] = 1,
) -> Edging:
    """Work out how long a strip is that goes once round the edge of each of some equal pictures.

    Args:
        width_cm: Width of a picture in centimetres.
        height_cm: Height of a picture in centimetres.
        pictures: How many pictures of that size there are.
    """
    return {"length_cm": half_up(2 * (exact(width_cm) + exact(height_cm)) * pictures, 2)}


class ScaledPicture(TypedDict):
    """An enlarged or reduced picture.

    Attributes:
        height_cm: Its new height in centimetres, to two decimals.
    """

    height_cm: Annotated[float, Attribute("picture.scaled_height")]


def _easily_scaled(given: Mapping[str, Any]) -> bool:
    """Whole sides: an old width of one digit before its zeros, the others of at most two."""
    others = (given["height_cm"], given["new_width_cm"])
    return limits.handy(given["width_cm"], 1) and all(
        limits.handy(side, limits.SHORTER_FACTOR_DIGITS) and limits.decimals(side) == 0
        for side in (given["width_cm"], *others)
    )


@tool(
    category="Art",
    server="studio",
    about=("width_cm", "height_cm", "new_width_cm"),
    also_done_by=("multiply", "mix_paints"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="From 20 by 30 to 60 wide by head; from 37.4 by 52.65 to 118.25 wide not.",
        within=_easily_scaled,
    ),
    scenario="Somebody has a photograph enlarged and asks how high it gets when it is to be so wide.",
    human=person_cannot("Millimetres in odd proportions take a calculator."),
)
def scale_picture(
    _state: State, width_cm: Centimetres, height_cm: Centimetres, new_width_cm: Centimetres
) -> ScaledPicture:
    """Work out a picture's new height when its width changes and its proportions stay.

    Args:
        width_cm: Its width now, in centimetres.
        height_cm: Its height now, in centimetres.
        new_width_cm: The width that it shall have, in centimetres.
    """
    return {"height_cm": half_up(exact(height_cm) * exact(new_width_cm) / exact(width_cm), 2)}
