"""Geo: maps, coordinates, compasses, clocks and the sun over cities."""

import csv
import datetime as dt
from decimal import Decimal
from functools import lru_cache
from importlib import resources
from typing import Annotated, Final, Literal, get_args
from zoneinfo import ZoneInfo

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, places
from knowact.worlds.everyday.clock import weekday
from knowact.worlds.everyday.contract import Server, always, by_size, never, on, public, refuse
from knowact.worlds.everyday.fields import CityName, Day
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_GLOBE: Final = Server("Geo", "globe")
_MAPS: Final = Server("Geo", "maps")

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
_POINTS: Final[tuple[Compass, ...]] = get_args(Compass)
"""Clockwise, 22.5 degrees apart."""


class LocalTime(Shape):
    city: str = echo("The city.")
    time: str = fact("city.local_time", "The time there, HH:MM.")
    weekday: str = fact("city.local_weekday", "The day of the week there.")


@_GLOBE.tool(
    rubric=public(why="The clock is shown to the agent, and time zones are public facts."),
    scenario="Somebody wants to ring a friend abroad without waking them.",
    person_can="Whoever is in the city looks at a clock.",
)
def get_local_time(state: State, city: CityName) -> LocalTime:
    """Tell what time it is in a city when the user's clock, on Central European time, shows what it shows.

    Args:
        city: Name of a large city, such as "Tokyo".
    """
    here = state.now.replace(tzinfo=ZoneInfo(places.HOME_ZONE))
    there = here.astimezone(ZoneInfo(places.spot(city).zone))
    return LocalTime(city=city, time=f"{there:%H:%M}", weekday=weekday(there.date()))


@lru_cache(maxsize=1)
def _airports() -> str:
    """Return the table of the `airportsdata` package as it is packaged.

    Its own `load` reads every row into a dictionary, which takes longer than a call may.
    """
    return resources.files("airportsdata").joinpath("airports.csv").read_text("utf-8")


def _airport_row(code: str) -> list[str] | None:
    """Return the row whose second column (IATA) is the code; other columns may hold the same letters."""
    table = _airports()
    place = table.find(f',"{code}",') if len(code) == 3 and code.isalpha() else -1  # noqa: PLR2004 - IATA codes
    while place >= 0:
        start = table.rfind("\n", 0, place) + 1
        row = next(csv.reader([table[start : table.find("\n", place)]]))
        if row[1] == code:
            return row
        place = table.find(f',"{code}",', place + 1)
    return None


class Airport(Shape):
    code: str = echo("Its code.")
    name: str = fact("airport.name", "Its name.")
    place: str = fact("airport.place", "The town that it belongs to.")
    country: str = fact("airport.country", "The country's two-letter code.")


@_GLOBE.tool(
    rubric=public(why="Codes of airports stand on every ticket."),
    scenario="Somebody reads three letters on a luggage label and wonders where the bag is going.",
    person_can="Frequent flyers know the codes, and every ticket explains its own.",
)
def get_airport(
    _state: State, code: Annotated[str, Attribute("airport.code"), Rules(max_length=10)]
) -> Airport:
    """Tell which airport has a three-letter IATA code.

    Args:
        code: The code in capitals, such as "LIS".
    """
    row = _airport_row(code)
    if row is None:
        fix = "Codes have three capitals, such as 'LIS'."
        refuse("not_found", f"No airport has the code {code!r}.", fix)
    return Airport(code=code, name=row[2], place=row[3], country=row[5])


class SunTimes(Shape):
    city: str = echo("The city.")
    date: str = echo("The day.")
    sunrise: str = fact(
        "sun.rise", "When the sun rises by the city's own clocks, to the nearest minute, HH:MM."
    )
    sunset: str = fact("sun.set", "When it sets, likewise.")
    daylight_minutes: int = fact("sun.daylight", "Minutes from sunrise to sunset.")


@_GLOBE.tool(
    rubric=always(Dimension.COMPUTATION, why="The sun's path to the minute takes pages of trigonometry."),
    scenario="A photographer, or somebody who hikes or fasts, needs sunrise or sunset in a city.",
    person_cannot="Nobody knows sunrise to the minute for any place and day.",
)
def get_sun_times(_state: State, city: CityName, date: Day) -> SunTimes:
    """Work out sunrise and sunset in a city on a day, in local time with summer time where it holds.

    Args:
        city: Name of a European city, such as "Lisbon".
        date: The day, as YYYY-MM-DD.
    """
    from astral import Observer
    from astral.sun import sunrise, sunset

    places.city(city)
    there = places.spot(city)
    observer, zone = Observer(there.latitude, there.longitude), ZoneInfo(there.zone)
    day = dt.date.fromisoformat(date)
    half = dt.timedelta(seconds=30)
    rise, fall = (event(observer, date=day, tzinfo=zone) + half for event in (sunrise, sunset))
    minutes = (fall.hour - rise.hour) * 60 + fall.minute - rise.minute
    return SunTimes(
        city=city, date=date, sunrise=f"{rise:%H:%M}", sunset=f"{fall:%H:%M}", daylight_minutes=minutes
    )


def _easy_scale(map_cm: float, scale: int) -> bool:
    """A length and a scale of at most two digits (zeros behind them aside), the scale up to a million."""
    return limits.handy(map_cm, 2) and limits.digits(scale) <= 2 and scale <= 1_000_000  # noqa: PLR2004 - two digits


class MapDistance(Shape):
    distance_km: float = fact("map.kilometres", "The distance in kilometres, rounded to six decimals.")


@_MAPS.tool(
    also_done_by=("multiply", "convert_length"),
    rubric=by_size(on(_easy_scale), why="6 cm at 1:50,000 is done by head; 17.43 cm at 1:63,360 is not."),
    scenario="A hiker has measured a route on a paper map and wants to know how long it is outdoors.",
    person_can="Whoever holds the map lays the route along its scale bar.",
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
    return MapDistance(distance_km=round(float(Decimal(str(map_cm)) * scale / 100_000), 6))


def _easy_angle(minutes: int, seconds: float = 0) -> bool:
    """No seconds, and minutes that make at most two decimals (multiples of three)."""
    return seconds == 0 and minutes % 3 == 0


class Coordinates(Shape):
    decimal_degrees: float = fact("angle.decimal", "The angle in degrees, rounded to six decimals.")


@_MAPS.tool(
    about=("degrees", "minutes", "seconds"),
    rubric=by_size(
        on(_easy_angle),
        why="30 minutes are half a degree; 22 minutes and 27.41 seconds are a fraction of six decimals.",
    ),
    scenario="Somebody has coordinates from an old guidebook and a navigation device that wants decimals.",
    person_cannot="Nobody divides by 3,600 to six decimals in passing.",
)
def convert_coordinates(
    _state: State,
    degrees: Annotated[int, Attribute("angle.degrees"), Rules(minimum=0, maximum=180)],
    minutes: Annotated[int, Attribute("angle.minutes"), Rules(minimum=0, maximum=59)],
    seconds: Annotated[float, Attribute("angle.seconds"), Rules(minimum=0, maximum=59.999999)] = 0,
) -> Coordinates:
    """Write an angle of degrees, minutes and seconds as decimal degrees (without its N, E, S or W).

    Args:
        degrees: Whole degrees.
        minutes: Minutes, sixty to a degree.
        seconds: Seconds, sixty to a minute.
    """
    total = degrees + Decimal(minutes) / 60 + Decimal(str(seconds)) / 3600
    return Coordinates(decimal_degrees=round(float(total), 6))


class CompassDegrees(Shape):
    degrees: float = fact("compass.degrees", "Degrees clockwise from north, 0 to below 360.")
    opposite: str = fact("compass.opposite", "The opposite point of the compass in words.")


@_MAPS.tool(
    about=("direction",),
    rubric=never(why="Sixteen points at equal angles, in every schoolbook."),
    scenario="Somebody sets up an antenna or a sail and knows the direction only in words.",
    person_can="Everybody with a compass reads both off its dial.",
)
def get_compass_degrees(_state: State, direction: Compass) -> CompassDegrees:
    """Say how many degrees clockwise from north a point of the compass is, and which point is opposite.

    Args:
        direction: The point of the compass.
    """
    index = _POINTS.index(direction)
    return CompassDegrees(degrees=index * 22.5, opposite=_POINTS[(index + 8) % 16])


class TurnedHeading(Shape):
    heading: float = fact("heading.turned", "Degrees clockwise from north, 0 to below 360.")


@_MAPS.tool(
    about=("heading", "degrees", "side"),
    rubric=never(why="One sum or difference of three-digit numbers on a full circle."),
    scenario="Sailors or scouts walk a course by the compass and turn by so many degrees.",
    person_can="A small sum, or one glance at a compass.",
)
def turn_heading(
    _state: State,
    heading: Annotated[float, Attribute("heading.degrees"), Rules(minimum=0, maximum=360)],
    degrees: Annotated[int, Attribute("turn.degrees"), Rules(minimum=0, maximum=360)],
    side: Literal["left", "right"],
) -> TurnedHeading:
    """Work out the compass heading after a turn to one side.

    Args:
        heading: The heading before the turn, in degrees clockwise from north.
        degrees: How far to turn, in whole degrees.
        side: To which side to turn.
    """
    turned = Decimal(str(heading)) + (degrees if side == "right" else -degrees)
    return TurnedHeading(heading=float(turned % 360 if turned >= 0 else turned + 360))
