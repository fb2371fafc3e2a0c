"""Geo: maps, coordinates, compasses, clocks and the sun over cities."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

import csv
import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from importlib import resources
from typing import Annotated, Any, Final, Literal, TypedDict
from zoneinfo import ZoneInfo

from knowact.core.tool import Dimension
from knowact.worlds.everyday import atlas, limits
from knowact.worlds.everyday.contract import (
    always,
    by_argument,
    never,
    person_can,
    person_cannot,
    public,
    refuse,
    tool,
)
from knowact.worlds.everyday.fields import CityName, Day
from knowact.worlds.everyday.places import city as known_city
from knowact.worlds.everyday.state import State, weekday
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

Compass = Literal[
    "north",
    "north-north-east",
    "north-east",
    "east-north-east",
    "east",
    "east-south-east",
    "south-east",
    "south-south-east",
    "south",
    "south-south-west",
    "south-west",
    "west-south-west",
    "west",
    "west-north-west",
    "north-west",
    "north-north-west",
]
_POINTS: Final[tuple[Compass, ...]] = (
    *("north", "north-north-east", "north-east", "east-north-east"),
    *("east", "east-south-east", "south-east", "south-south-east"),
    *("south", "south-south-west", "south-west", "west-south-west"),
    *("west", "west-north-west", "north-west", "north-north-west"),
)
"""Clockwise, 22.5 degrees apart."""


class LocalTime(TypedDict):
    """What clocks in a city show.

    Attributes:
        city: The city.
        time: The time there, HH:MM.
        weekday: The day of the week there.
    """

    city: Annotated[str, ECHO]
    time: Annotated[str, Attribute("city.local_time", is_a="moment.time")]
    weekday: Annotated[str, Attribute("city.local_weekday")]


@tool(
    category="Geo",
    server="globe",
    about=("city",),
    rubric=public(why="The clock is shown to the agent, and time zones are public facts."),
    scenario="Somebody wants to ring a friend abroad without waking them.",
    human=person_can("Whoever is in the city looks at a clock."),
)
def get_local_time(state: State, city: CityName) -> LocalTime:
    """Tell what time it is in a city when the user's clock, on Central European time, shows what it shows.

    Args:
        city: Name of a large city, such as "Tokyo".
    """
    here = state.now.replace(tzinfo=ZoneInfo(atlas.HOME_ZONE))
    there = here.astimezone(ZoneInfo(atlas.spot(city).zone))
    return {"city": city, "time": f"{there:%H:%M}", "weekday": weekday(there.date())}


class AirportFacts(TypedDict):
    """An airport.

    Attributes:
        code: Its code.
        name: Its name.
        place: The town that it belongs to.
        country: The country's two-letter code.
    """

    code: Annotated[str, ECHO]
    name: Annotated[str, Attribute("airport.name", is_a="text.value")]
    place: Annotated[str, Attribute("airport.place")]
    country: Annotated[str, Attribute("airport.country")]


@lru_cache(maxsize=1)
def _airports() -> str:
    """Return the table of the `airportsdata` package as it is packaged.

    Its own `load` reads every row into a dictionary, which takes longer than a call may.
    """
    return resources.files("airportsdata").joinpath("airports.csv").read_text("utf-8")


def _airport_row(code: str) -> list[str] | None:
    """Return the row whose second column (IATA) is the code; other columns may hold the same letters."""
    table = _airports()
    found = table.find(f',"{code}",') if len(code) == 3 and code.isalpha() else -1  # noqa: PLR2004 - IATA codes
    while found >= 0:
        start = table.rfind("\n", 0, found) + 1
        row = next(csv.reader([table[start : table.find("\n", found)]]))
        if row[1] == code:
            return row
        found = table.find(f',"{code}",', found + 1)
    return None


@tool(
    category="Geo",
    server="globe",
    about=("code",),
    rubric=public(why="Codes of airports stand on every ticket."),
    scenario="Somebody reads three letters on a luggage label and wonders where the bag is going.",
    human=person_can("Frequent flyers know the codes, and every ticket explains its own."),
)
def get_airport(
    _state: State, code: Annotated[str, Attribute("airport.code"), Rules(max_length=10)]
) -> AirportFacts:
    """Tell which airport has a three-letter IATA code.

    Args:
        code: The code in capitals, such as "LIS".
    """
    row = _airport_row(code)
    if row is None:
        fix = "Codes have three capitals, such as 'LIS'."
        refuse("not_found", f"No airport has the code {code!r}.", fix)
    return {"code": code, "name": row[2], "place": row[3], "country": row[5]}


class SunTimes(TypedDict):
    """When the sun is above the horizon.

    Attributes:
        city: The city.
        date: The day.
        sunrise: When the sun rises by the city's own clocks, to the nearest minute, HH:MM.
        sunset: When it sets, likewise.
        daylight_minutes: Minutes from sunrise to sunset.
    """

    city: Annotated[str, ECHO]
    date: Annotated[str, ECHO]
    sunrise: Annotated[str, Attribute("sun.rise", is_a="moment.time")]
    sunset: Annotated[str, Attribute("sun.set", is_a="moment.time")]
    daylight_minutes: Annotated[int, Attribute("sun.daylight", is_a="duration.minutes")]


@tool(
    category="Geo",
    server="globe",
    about=("city", "date"),
    rubric=always(Dimension.COMPUTATION, why="The sun's path to the minute takes pages of trigonometry."),
    scenario="A photographer, or somebody who hikes or fasts, needs sunrise or sunset in a city.",
    human=person_cannot("Nobody knows sunrise to the minute for any place and day."),
)
def get_sun_times(_state: State, city: CityName, date: Day) -> SunTimes:
    """Work out sunrise and sunset in a city on a day, in local time with summer time where it holds.

    Args:
        city: Name of a European city, such as "Lisbon".
        date: The day, as YYYY-MM-DD.
    """
    from astral import Observer
    from astral.sun import sunrise, sunset

    known_city(city)
    there = atlas.spot(city)
    observer, zone = Observer(there.latitude, there.longitude), ZoneInfo(there.zone)
    day = dt.date.fromisoformat(date)
    half = dt.timedelta(seconds=30)
    rise, fall = (found(observer, date=day, tzinfo=zone) + half for found in (sunrise, sunset))
    minutes = (fall.hour - rise.hour) * 60 + fall.minute - rise.minute
    return {
        "city": city,
        "date": date,
        "sunrise": f"{rise:%H:%M}",
        "sunset": f"{fall:%H:%M}",
        "daylight_minutes": minutes,
    }


class MapDistance(TypedDict):
    """A distance in the world that was measured on a map.

    Attributes:
        distance_km: The distance in kilometres, rounded to six decimals.
    """

    distance_km: Annotated[float, Attribute("map.kilometres", is_a="distance.kilometres")]


def _easy_scale(given: Mapping[str, Any]) -> bool:
    """A length and a scale of at most two digits (zeros behind them aside), the scale up to a million."""
    length, scale = given["map_cm"], given["scale"]
    return limits.handy(length, 2) and limits.digits(scale) <= 2 and scale <= 1_000_000  # noqa: PLR2004 - two digits


@tool(
    category="Geo",
    server="maps",
    about=("map_cm", "scale"),
    also_done_by=("multiply", "convert_length"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="6 cm at 1:50,000 is done by head; 17.43 cm at 1:63,360 is not.",
        within=_easy_scale,
    ),
    scenario="A hiker has measured a route on a paper map and wants to know how long it is outdoors.",
    human=person_can("Whoever holds the map lays the route along its scale bar."),
)
def get_map_distance(
    _state: State,
    map_cm: Annotated[float, Attribute("map.centimetres"), Rules(minimum=0, maximum=100_000)],
    scale: Annotated[int, Attribute("map.scale"), Rules(minimum=1, maximum=1_000_000_000)],
) -> MapDistance:
    """Work out the real distance, in kilometres, of a length on a map.

    Args:
        map_cm: The length on the map in centimetres.
        scale: The scale's second number: 50000 for a map of 1:50,000.
    """
    return {"distance_km": round(float(Decimal(str(map_cm)) * scale / 100_000), 6)}


class DecimalDegrees(TypedDict):
    """An angle as one number.

    Attributes:
        decimal_degrees: The angle in degrees, rounded to six decimals.
    """

    decimal_degrees: Annotated[float, Attribute("angle.decimal")]


def _easy_angle(given: Mapping[str, Any]) -> bool:
    """No seconds, and minutes that make at most two decimals (multiples of three)."""
    return given.get("seconds", 0) == 0 and given["minutes"] % 3 == 0


@tool(
    category="Geo",
    server="maps",
    about=("degrees", "minutes", "seconds"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="30 minutes are half a degree; 22 minutes and 27.41 seconds are a fraction of six decimals.",
        within=_easy_angle,
    ),
    scenario="Somebody has coordinates from an old guidebook and a navigation device that wants decimals.",
    human=person_cannot("Nobody divides by 3,600 to six decimals in passing."),
)
def convert_coordinates(
    _state: State,
    degrees: Annotated[int, Attribute("angle.degrees"), Rules(minimum=0, maximum=180)],
    minutes: Annotated[int, Attribute("angle.minutes"), Rules(minimum=0, maximum=59)],
    seconds: Annotated[float, Attribute("angle.seconds"), Rules(minimum=0, maximum=59.999999)] = 0,
) -> DecimalDegrees:
    """Write an angle of degrees, minutes and seconds as decimal degrees (without its N, E, S or W).

    Args:
        degrees: Whole degrees.
        minutes: Minutes, sixty to a degree.
        seconds: Seconds, sixty to a minute.
    """
    total = degrees + Decimal(minutes) / 60 + Decimal(str(seconds)) / 3600
    return {"decimal_degrees": round(float(total), 6)}


class CompassDegrees(TypedDict):
    """A direction as a number.

    Attributes:
        degrees: Degrees clockwise from north, 0 to below 360.
        opposite: The opposite point of the compass in words.
    """

    degrees: Annotated[float, Attribute("compass.degrees", is_a="heading.degrees")]
    opposite: Annotated[str, Attribute("compass.opposite")]


@tool(
    category="Geo",
    server="maps",
    about=("direction",),
    rubric=never(why="Sixteen points at equal angles, in every schoolbook."),
    scenario="Somebody sets up an antenna or a sail and knows the direction only in words.",
    human=person_can("Everybody with a compass reads both off its dial."),
)
def get_compass_degrees(_state: State, direction: Compass) -> CompassDegrees:
    """Say how many degrees clockwise from north a point of the compass is, and which point is opposite.

    Args:
        direction: The point of the compass.
    """
    index = _POINTS.index(direction)
    return {"degrees": index * 22.5, "opposite": _POINTS[(index + 8) % 16]}


class Heading(TypedDict):
    """A direction after a turn.

    Attributes:
        heading: Degrees clockwise from north, 0 to below 360.
    """

    heading: Annotated[float, Attribute("heading.turned", is_a="heading.degrees")]


@tool(
    category="Geo",
    server="maps",
    about=("heading", "degrees", "side"),
    rubric=never(why="One sum or difference of three-digit numbers on a full circle."),
    scenario="Sailors or scouts walk a course by the compass and turn by so many degrees.",
    human=person_can("A small sum, or one glance at a compass."),
)
def turn_heading(
    _state: State,
    heading: Annotated[float, Attribute("heading.degrees"), Rules(minimum=0, maximum=360)],
    degrees: Annotated[int, Attribute("turn.degrees"), Rules(minimum=0, maximum=360)],
    side: Literal["left", "right"],
) -> Heading:
    """Work out the compass heading after a turn to one side.

    Args:
        heading: The heading before the turn, in degrees clockwise from north.
        degrees: How far to turn, in whole degrees.
        side: To which side to turn.
    """
    turned = Decimal(str(heading)) + (degrees if side == "right" else -degrees)
    return {"heading": float(turned % 360 if turned >= 0 else turned + 360)}
