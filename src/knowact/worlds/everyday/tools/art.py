"""Art: museums and their queues, colours, paints and the measures of pictures."""

import datetime as dt
import re
from typing import Annotated, Final, Literal, get_args

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import Server, always, by_size, check_listed, never, on, public, refuse
from knowact.worlds.everyday.fields import ClockTime, Day
from knowact.worlds.everyday.private.leisure import MuseumSlot
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

MUSEUMS: Final = (
    *("Anchor Museum", "Bakker Collection", "Bellfounders' Museum", "Cartwright Gallery"),
    *("Clay and Kiln Museum", "Ferrymen's House", "Harbour Gallery", "Kestrel Gallery"),
    *("Lamplighter Museum", "Lindgren Museum", "Museum of Doors", "Museum of Maps"),
    *("Museum of Small Things", "Northlight Gallery", "Old Mint Museum", "Orangery Gallery", "Paper Museum"),
    *("Ropeworks Gallery", "Sugarhouse Museum", "Tallow House", "Voss Collection", "Weavers' Hall"),
)
"""Invented, so nobody can have read about them; each takes "the" in a sentence."""
_TITLES: Final = (
    *("A Century of Chairs", "Below the Waterline", "Birds in Ink", "Bread and Marble"),
    *("Colours of the Fjord", "Drawn from Memory", "Eleven Rooms", "Glass after Dark", "Gold Thread"),
    *("Letters to a Painter", "Lost Bridges", "Masks and Mirrors", "Northern Still Lifes", "Painted Doors"),
    *("Postcards from Nowhere", "Quiet Machines", "Salt, Sand, Silver", "The Borrowed Garden"),
    *("The Poster Years", "The Unfinished Portrait", "Thirty Windows", "Tin and Paper Toys"),
    *("Winter Light", "Woodcuts of the Coast"),
)


_MUSEUMS: Final = Server("Art", "museums")

MuseumName = Annotated[str, Attribute("museum.name"), Rules(max_length=120)]
_ENTRANCES: Final = ("north entrance", "south entrance", "garden entrance", "courtyard entrance")
_OPENS: Final = "10:00"
_LAST_ENTRY: Final = "16:30"


def _check(museum: str) -> None:
    check_listed(MUSEUMS, museum, f"There is no museum named {museum!r} here.")


class ExhibitionShown(Shape):
    museum: str = echo("The museum.")
    title: str = fact("exhibition.title", "The exhibition's title.")
    closes: str = fact("exhibition.closes", "Its last day, YYYY-MM-DD.")
    price_eur: float = fact("exhibition.price", "Price of one ticket in euros.")
    queue_minutes: int = fact("exhibition.queue", "How long one waits at the door at the moment, in minutes.")


@_MUSEUMS.tool(
    rubric=always(Dimension.TEMPORALITY, why="Exhibitions and queues change; only the museum knows them."),
    scenario="A family thinks of a museum for the afternoon and asks what is on and how full it is.",
    person_cannot="The queue and the prices are known at the museum's door, not to somebody at home.",
)
def get_exhibition(state: State, museum: MuseumName) -> ExhibitionShown:
    """Report a museum's current special exhibition, its ticket price and the queue at the door.

    Args:
        museum: The museum's name without "the", such as "Harbour Gallery".
    """
    _check(museum)
    draw = state.draw("exhibition", museum, state.today.isoformat())
    return ExhibitionShown(
        museum=museum,
        title=draw.choice(_TITLES),
        closes=(state.today + dt.timedelta(days=draw.randint(2, 45))).isoformat(),
        price_eur=float(draw.randint(8, 24)),
        queue_minutes=draw.randint(1, 15) * 5,
    )


class MuseumReservation(Shape):
    code: str = fact("museum_slot.code", "The code to show at the door.")
    entrance: str = fact("museum_slot.entrance", "Which entrance the slot is for.")


@_MUSEUMS.tool(
    about=("museum", "date", "time", "visitors"),
    changes=("museum_slot.reserved",),
    rubric=always(Dimension.INTERACTION, why="The museum holds places for the user afterwards."),
    scenario="Somebody wants to walk into a busy museum at a fixed time with friends.",
    person_cannot="The reservation is made in the user's name at the museum's booking desk.",
)
def reserve_museum_slot(
    state: State,
    museum: MuseumName,
    date: Day,
    time: ClockTime,
    visitors: Annotated[int, Attribute("people.count"), Rules(minimum=1, maximum=12)] = 1,
) -> MuseumReservation:
    """Reserve a time for entering a museum; slots start every half hour from 10:00 to 16:30, every day.

    Args:
        museum: The museum's name without "the", such as "Harbour Gallery".
        date: The day, as YYYY-MM-DD, from today on.
        time: When to enter, HH:MM on the 24-hour clock.
        visitors: How many people come, at most 12.
    """
    _check(museum)
    if dt.date.fromisoformat(date) < state.today:
        refuse("bad_arguments", f"{date} is over.", "Choose a day from today on.")
    if not (_OPENS <= time <= _LAST_ENTRY and time[3:] in {"00", "30"}):
        fix = f"Choose a full or half hour from {_OPENS} to {_LAST_ENTRY}."
        refuse("bad_arguments", f"No slot starts at {time}.", fix)
    key = f"{museum}, {date}, {time}"
    if key in state.table(MuseumSlot):
        refuse("conflict", "The user has that slot already.", "Choose another time.")
    state.put(key, MuseumSlot(museum=museum, date=date, time=time, visitors=visitors))
    draw = state.draw("museum slot", museum, date, time)
    letters = "".join(draw.choice("BCDFGHKLMNPRSTVX") for _ in range(3))
    entrance = state.draw("museum entrance", museum, date, time).choice(_ENTRANCES)
    return MuseumReservation(code=f"{letters}-{draw.randint(1000, 9999)}", entrance=entrance)


_COLOURS: Final = Server("Art", "colours")
_STUDIO: Final = Server("Art", "studio")

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
_WHEEL: Final[tuple[WheelColour, ...]] = get_args(WheelColour)
"""The painter's wheel of twelve: primary colours at every fourth place, opposites six apart."""
_SMALL_PARTS: Final = 9
_FEW_PICTURES: Final = 9
_HEX: Final = re.compile(r"#?([0-9A-Fa-f]{6})")


def _pairs(colour: str) -> str:
    """Return the six digits of a colour, in small letters."""
    digits = _HEX.fullmatch(colour)
    if digits is None:
        refuse("bad_arguments", f"{colour!r} is no hex colour.", "Write it like #1E90FF.")
    return digits[1].lower()


class ColourChannels(Shape):
    red: int = fact("colour.red", "Red, 0 to 255.")
    green: int = fact("colour.green", "Green, 0 to 255.")
    blue: int = fact("colour.blue", "Blue, 0 to 255.")


@_COLOURS.tool(
    rubric=never(why="Three numbers of two hexadecimal digits each are written down at sight."),
    scenario="A designer has a colour from a style sheet and a program that asks for red, green and blue.",
    person_cannot="Few people read hexadecimal numbers in passing.",
)
def convert_hex_colour(_state: State, colour: HexColour) -> ColourChannels:
    """Split a hex colour into its red, green and blue, each from 0 to 255.

    Args:
        colour: The colour in six hexadecimal digits, such as "#1E90FF".
    """
    digits = _pairs(colour)
    red, green, blue = (int(digits[start : start + 2], 16) for start in (0, 2, 4))
    return ColourChannels(red=red, green=green, blue=blue)


class WebColourName(Shape):
    name: str = fact("colour.web_name", "The name in style sheets (CSS 3).")


@_COLOURS.tool(
    rubric=public(why="The names of web colours are a published list of 140."),
    scenario="Somebody finds a colour code in a page and would rather read a name.",
    person_cannot="The list has 140 names and nobody learns it.",
)
def name_web_colour(_state: State, colour: HexColour) -> WebColourName:
    """Tell the name that style sheets (CSS 3) have for a hex colour, if it has one.

    Args:
        colour: The colour in six hexadecimal digits, such as "#1E90FF".
    """
    import webcolors  # pyright: ignore[reportMissingTypeStubs] - it has none

    digits = _pairs(colour)
    try:
        return WebColourName(name=webcolors.hex_to_name(f"#{digits}"))
    except ValueError:
        refuse("not_found", f"No web colour is #{digits}.", "Only the colours that CSS 3 names have one.")


class WheelComparison(Shape):
    steps: int = fact("colours.steps", "How many places they are apart, the shorter way round, 0 to 6.")
    complementary: bool = fact("colours.complementary", "True if they stand opposite each other.")


@_COLOURS.tool(
    about=("first", "second"),
    rubric=never(why="Twelve colours in a circle, as every paintbox has them."),
    scenario="A painter wonders whether two colours make a quiet pair or a loud one.",
    person_can="Everybody who has painted at school knows the wheel.",
)
def compare_wheel_colours(_state: State, first: WheelColour, second: WheelColour) -> WheelComparison:
    """Tell how far two colours are apart on the painter's wheel of twelve (red, yellow, blue are primary).

    Args:
        first: One of them.
        second: The other.
    """
    distance = abs(_WHEEL.index(first) - _WHEEL.index(second))
    half = len(_WHEEL) // 2
    return WheelComparison(steps=min(distance, len(_WHEEL) - distance), complementary=distance == half)


def _easily_mixed(first_parts: int, second_parts: int, volume_ml: float) -> bool:
    """At most nine parts of each, and a volume of at most two digits before its zeros."""
    parts = max(first_parts, second_parts)
    return parts <= _SMALL_PARTS and limits.two_digits(volume_ml)


class MixedPaint(Shape):
    first_ml: float = fact("paint.first_ml", "Millilitres of the first paint, to a tenth.")
    second_ml: float = fact("paint.second_ml", "Millilitres of the second paint, to a tenth.")


@_STUDIO.tool(
    also_done_by=("multiply", "get_percentage", "scale_picture"),
    rubric=by_size(
        on(_easily_mixed), why="Three parts to one of 800 ml by head; 17 parts to 23 of 3,865 ml not."
    ),
    scenario="Somebody mixes a shade from two tins and wants to know how much of each to pour.",
    person_cannot="Odd ratios of odd volumes take a calculator.",
)
def mix_paints(
    _state: State,
    first_parts: Parts,
    second_parts: Parts,
    volume_ml: Annotated[float, Attribute("paint.volume"), Rules(minimum=1, maximum=1e6)],
) -> MixedPaint:
    """Divide a volume of mixed paint into its two paints, given the ratio in parts.

    Args:
        first_parts: Parts of the first paint.
        second_parts: Parts of the second paint.
        volume_ml: How much mixture is wanted altogether, in millilitres.
    """
    first = exact(volume_ml) * first_parts / (first_parts + second_parts)
    return MixedPaint(first_ml=half_up(first, 1), second_ml=half_up(exact(volume_ml) - first, 1))


def _easily_edged(width_cm: float, height_cm: float, pictures: int = 1) -> bool:
    """Whole sides of at most two digits, and at most nine pictures."""
    sides = (width_cm, height_cm)
    return (
        all(limits.two_digits(side) and limits.decimals(side) == 0 for side in sides)
        and pictures <= _FEW_PICTURES
    )


class EdgingLength(Shape):
    length_cm: float = fact("edging.length", "Length of the strip in centimetres, without overlaps or waste.")


@_STUDIO.tool(
    about=("width_cm", "height_cm", "pictures"),
    also_done_by=("multiply", "add_amounts"),
    rubric=by_size(
        on(_easily_edged), why="Once round a few pictures by head; round 264 drawings of 29.7 by 41.9 cm not."
    ),
    scenario="Somebody puts tape or a wooden strip round the edge of pictures and buys it by the metre.",
    person_cannot="Hundreds of pictures in millimetres take a calculator.",
)
def get_edging_length(
    _state: State,
    width_cm: Centimetres,
    height_cm: Centimetres,
    pictures: Annotated[int, Attribute("pictures.count"), Rules(minimum=1, maximum=100_000)] = 1,
) -> EdgingLength:
    """Work out how long a strip is that goes once round the edge of each of some equal pictures.

    Args:
        width_cm: Width of a picture in centimetres.
        height_cm: Height of a picture in centimetres.
        pictures: How many pictures of that size there are.
    """
    return EdgingLength(length_cm=half_up(2 * (exact(width_cm) + exact(height_cm)) * pictures, 2))


def _easily_scaled(width_cm: float, height_cm: float, new_width_cm: float) -> bool:
    """Whole sides: an old width of one digit before its zeros, the others of at most two."""
    others = (height_cm, new_width_cm)
    return limits.handy(width_cm, 1) and all(
        limits.two_digits(side) and limits.decimals(side) == 0 for side in (width_cm, *others)
    )


class ScaledPicture(Shape):
    height_cm: float = fact("picture.scaled_height", "Its new height in centimetres, to two decimals.")


@_STUDIO.tool(
    also_done_by=("multiply", "mix_paints"),
    rubric=by_size(
        on(_easily_scaled), why="From 20 by 30 to 60 wide by head; from 37.4 by 52.65 to 118.25 wide not."
    ),
    scenario="Somebody has a photograph enlarged and asks how high it gets when it is to be so wide.",
    person_cannot="Millimetres in odd proportions take a calculator.",
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
    return ScaledPicture(height_cm=half_up(exact(height_cm) * exact(new_width_cm) / exact(width_cm), 2))
