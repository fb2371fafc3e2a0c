"""Open data: what cities count and publish by the hour, and how two figures compare."""

import datetime as dt
from typing import Annotated, Final, Literal

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import Server, always, by_size, on
from knowact.worlds.everyday.fields import CityName
from knowact.worlds.everyday.places import city as known_city
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

Garage = Literal["station", "town hall", "opera", "market"]
_STEADY_BELOW: Final = 3
"""Centimetres a day that nobody on the quay would call a change."""


_CITY_FIGURES: Final = Server("OpenData", "city_figures")
_FIGURES: Final = Server("OpenData", "figures")

_COUNTED: Final = always(Dimension.TEMPORALITY, why="A machine on the spot counts it afresh every hour.")


class BikeCount(Shape):
    city: str = echo("The city.")
    cyclists_today: int = fact("bike_counter.today", "Cyclists so far today, rounded to tens.")
    cyclists_yesterday: int = fact(
        "bike_counter.yesterday", "Cyclists on the whole of yesterday, rounded to tens."
    )
    peak_yesterday: str = fact("bike_counter.peak", "When most of them passed yesterday, HH:MM.")


@_CITY_FIGURES.tool(
    rubric=_COUNTED,
    scenario="A cyclist or a councillor wants to know how many bicycles have passed a city's counting post.",
    person_cannot="Nobody stands at the post all day and counts.",
)
def get_bike_count(state: State, city: CityName) -> BikeCount:
    """Read the bicycle counter on a city's busiest cycle path.

    Args:
        city: Name of a European city, such as "Lisbon".
    """
    known_city(city)
    today = state.draw("bikes", city, state.hour)
    before = state.draw("bikes", city, (state.today - dt.timedelta(days=1)).isoformat())
    return BikeCount(
        city=city,
        peak_yesterday=f"{before.randint(7, 18):02d}:{before.choice((0, 15, 30, 45)):02d}",
        cyclists_today=today.randint(11, 98) * 10,
        cyclists_yesterday=before.randint(101, 899) * 10,
    )


class WaterLevel(Shape):
    city: str = echo("The city.")
    level_cm: int = fact(
        "water_gauge.level", "Level of the water at this hour, in centimetres above the gauge's zero."
    )
    change_cm: int = fact(
        "water_gauge.change",
        "How far it has moved since the same hour yesterday in centimetres, whichever way.",
    )
    trend: str = fact("water_gauge.trend", "rising, steady or falling.")


@_CITY_FIGURES.tool(
    rubric=_COUNTED,
    scenario="Somebody with a cellar or a rowing boat on the water wants to know how high it stands.",
    person_cannot="A person would have to be at the gauge, in that city, this hour.",
)
def get_water_level(state: State, city: CityName) -> WaterLevel:
    """Read the public water gauge in a city.

    Args:
        city: Name of a European city, such as "Lisbon".
    """
    known_city(city)
    draw = state.draw("gauge", city, state.hour)
    change = draw.randint(-24, 32)
    trend = "steady" if abs(change) < _STEADY_BELOW else "rising" if change > 0 else "falling"
    return WaterLevel(city=city, level_cm=draw.randint(62, 640), change_cm=abs(change), trend=trend)


class LibraryToday(Shape):
    city: str = echo("The city.")
    visitors: int = fact("library.visitors", "Visitors so far today.")
    free_seats: int = fact("library.free_seats", "Reading seats that are free at this hour.")
    closes: str = fact("library.closes", "When it closes today, HH:MM.")


@_CITY_FIGURES.tool(
    rubric=_COUNTED,
    scenario="A student wants to read in the central library and asks whether it has a seat, and until when.",
    person_cannot="A person would have to walk through the library's halls and count.",
)
def get_library_today(state: State, city: CityName) -> LibraryToday:
    """Tell how busy a city's central library is today, and when it closes.

    Args:
        city: Name of a European city, such as "Lisbon".
    """
    known_city(city)
    now, day = (
        state.draw("library", city, state.hour),
        state.draw("library hours", city, state.today.isoformat()),
    )
    closes = f"{day.randint(17, 22)}:{day.choice((0, 30)):02d}"
    return LibraryToday(
        city=city, visitors=now.randint(14, 620), free_seats=now.randint(3, 180), closes=closes
    )


class ParkingSpaces(Shape):
    city: str = echo("The city.")
    garage: str = echo("The garage.")
    free_spaces: int = fact("car_park.free_spaces", "Spaces that are free at this hour.")
    eur_per_hour: float = fact("car_park.price", "Price of an hour in euros.")


@_CITY_FIGURES.tool(
    about=("city", "garage"),
    rubric=_COUNTED,
    scenario="A driver on the way into town wants to know whether a garage has room, and what it costs.",
    person_cannot="Only the garage's barrier knows who has driven in and out.",
)
def get_parking_spaces(state: State, city: CityName, garage: Garage) -> ParkingSpaces:
    """Tell how many spaces a public garage in a city has free, and what an hour costs.

    Args:
        city: Name of a European city, such as "Lisbon".
        garage: Which garage: the one at the station, the town hall, the opera or the market.
    """
    known_city(city)
    spaces = state.draw("car park", city, garage, state.hour).randint(2, 340)
    cents = state.draw("car park price", city, garage, state.today.isoformat()).randint(9, 48) * 10
    return ParkingSpaces(city=city, garage=garage, free_spaces=spaces, eur_per_hour=cents / 100)


def _plain_figures(old: float, new: float) -> bool:
    """Two round figures: the old one of at most two digits, the new one of at most three."""
    return limits.two_digits(old) and limits.three_digits(new)


class PercentageChange(Shape):
    percent: float = fact(
        "figures.change_percent",
        "The difference in per cent of the old figure, rounded to one decimal; never negative.",
    )


@_FIGURES.tool(
    also_done_by=("split_bill", "get_success_rate", "scale_picture"),
    rubric=by_size(
        on(_plain_figures, "old", "new"),
        why="From 40 to 50 is a quarter more; from 48,213.7 to 51,977.4 is a long division.",
    ),
    scenario="Somebody compares two years' figures: rents, visitors, a bill then and now.",
    person_cannot="Few people do a long division in passing.",
)
def get_percentage_change(
    _state: State,
    old: Annotated[float, Attribute("quantity.value"), Rules(minimum=0.01, maximum=1e12)],
    new: Annotated[float, Attribute("quantity.value"), Rules(minimum=0, maximum=1e12)],
) -> PercentageChange:
    """Work out by how many per cent a figure has changed, whichever way.

    Args:
        old: The figure before.
        new: The figure after.
    """
    before, after = exact(old), exact(new)
    return PercentageChange(percent=half_up(abs(after - before) * 100 / before, 1))
