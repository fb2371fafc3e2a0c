"""Open data: what cities count and publish by the hour, and how two figures compare."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Final, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, sources_open_data
from knowact.worlds.everyday.contract import always, by_argument, person_cannot, tool
from knowact.worlds.everyday.fields import CityName
from knowact.worlds.everyday.sources_open_data import Garage
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

_COUNTED: Final = always(Dimension.TEMPORALITY, why="A machine on the spot counts it afresh every hour.")


class BikeCount(TypedDict):
    """What a counting post for bicycles shows.

    Attributes:
        city: The city.
        cyclists_today: Cyclists so far today, rounded to tens.
        cyclists_yesterday: Cyclists on the whole of yesterday, rounded to tens.
        peak_yesterday: When most of them passed yesterday, HH:MM.
    """

    city: Annotated[str, ECHO]
    cyclists_today: Annotated[int, Attribute("bike_counter.today", is_a="quantity.value")]
    cyclists_yesterday: Annotated[int, Attribute("bike_counter.yesterday", is_a="quantity.value")]
    peak_yesterday: Annotated[str, Attribute("bike_counter.peak")]


@tool(
    category="OpenData",
    server="city_figures",
    about=("city",),
    rubric=_COUNTED,
    scenario="A cyclist or a councillor wants to know how many bicycles have passed a city's counting post.",
    human=person_cannot("Nobody stands at the post all day and counts."),
)
def get_bike_count(state: State, city: CityName) -> BikeCount:
    """Read the bicycle counter on a city's busiest cycle path.

    Args:
        city: Name of a European city, such as "Lisbon".
    """
    found = sources_open_data.bike_counter(state.seed, city, state.now)
    return {
        "city": city,
        "cyclists_today": found.so_far,
        "cyclists_yesterday": found.yesterday,
        "peak_yesterday": found.peak,
    }


class WaterLevel(TypedDict):
    """What a water gauge shows.

    Attributes:
        city: The city.
        level_cm: Level of the water at this hour, in centimetres above the gauge's zero.
        change_cm: How far it has moved since the same hour yesterday in centimetres, whichever way.
        trend: rising, steady or falling.
    """

    city: Annotated[str, ECHO]
    level_cm: Annotated[int, Attribute("water_gauge.level", is_a="quantity.value")]
    change_cm: Annotated[int, Attribute("water_gauge.change", is_a="quantity.value")]
    trend: Annotated[str, Attribute("water_gauge.trend", is_a="text.value")]


@tool(
    category="OpenData",
    server="city_figures",
    about=("city",),
    rubric=_COUNTED,
    scenario="Somebody with a cellar or a rowing boat on the water wants to know how high it stands.",
    human=person_cannot("A person would have to be at the gauge, in that city, this hour."),
)
def get_water_level(state: State, city: CityName) -> WaterLevel:
    """Read the public water gauge in a city.

    Args:
        city: Name of a European city, such as "Lisbon".
    """
    found = sources_open_data.water_gauge(state.seed, city, state.now)
    return {"city": city, "level_cm": found.level, "change_cm": abs(found.change), "trend": found.trend}


class LibraryToday(TypedDict):
    """How busy a library is.

    Attributes:
        city: The city.
        visitors: Visitors so far today.
        free_seats: Reading seats that are free at this hour.
        closes: When it closes today, HH:MM.
    """

    city: Annotated[str, ECHO]
    visitors: Annotated[int, Attribute("library.visitors")]
    free_seats: Annotated[int, Attribute("library.free_seats")]
    closes: Annotated[str, Attribute("library.closes", is_a="moment.time")]


@tool(
    category="OpenData",
    server="city_figures",
    about=("city",),
    rubric=_COUNTED,
    scenario="A student wants to read in the central library and asks whether it has a seat, and until when.",
    human=person_cannot("A person would have to walk through the library's halls and count."),
)
def get_library_today(state: State, city: CityName) -> LibraryToday:
    """Tell how busy a city's central library is today, and when it closes.

    Args:
        city: Name of a European city, such as "Lisbon".
    """
    found = sources_open_data.library(state.seed, city, state.now)
    return {"city": city, "visitors": found.visitors, "free_seats": found.free_seats, "closes": found.closes}


class ParkingSpaces(TypedDict):
    """What a public garage has left.

    Attributes:
        city: The city.
        garage: The garage.
        free_spaces: Spaces that are free at this hour.
        eur_per_hour: Price of an hour in euros.
    """

    city: Annotated[str, ECHO]
    garage: Annotated[str, ECHO]
    free_spaces: Annotated[int, Attribute("car_park.free_spaces", is_a="quantity.value")]
    eur_per_hour: Annotated[float, Attribute("car_park.price", is_a="quantity.value")]


@tool(
    category="OpenData",
    server="city_figures",
    about=("city", "garage"),
    rubric=_COUNTED,
    scenario="A driver on the way into town wants to know whether a garage has room, and what it costs.",
    human=person_cannot("Only the garage's barrier knows who has driven in and out."),
)
def get_parking_spaces(state: State, city: CityName, garage: Garage) -> ParkingSpaces:
    """Tell how many spaces a public garage in a city has free, and what an hour costs.

    Args:
        city: Name of a European city, such as "Lisbon".
        garage: Which garage: the one at the station, the town hall, the opera or the market.
    """
    found = sources_open_data.car_park(state.seed, city, garage, state.now)
    return {
        "city": city,
        "garage": garage,
        "free_spaces": found.free,
        "eur_per_hour": found.cents_per_hour / 100,
    }


class Change(TypedDict):
    """How a figure has changed.

    Attributes:
        percent: The difference in per cent of the old figure, rounded to one decimal; never negative.
    """

    percent: Annotated[float, Attribute("figures.change_percent", is_a="quantity.value")]


def _plain_figures(old: float, new: float) -> bool:
    """Two round figures: the old one of at most two digits, the new one of at most three."""
    return limits.handy(old, limits.SHORTER_FACTOR_DIGITS) and limits.handy(new, limits.LONGER_FACTOR_DIGITS)


@tool(
    category="OpenData",
    server="figures",
    about=("old", "new"),
    also_done_by=("split_bill", "get_success_rate", "scale_picture"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="From 40 to 50 is a quarter more; from 48,213.7 to 51,977.4 is a long division.",
        within=lambda given: _plain_figures(given["old"], given["new"]),
    ),
    scenario="Somebody compares two years' figures: rents, visitors, a bill then and now.",
    human=person_cannot("Few people do a long division in passing."),
)
def get_percentage_change(
    _state: State,
    old: Annotated[float, Attribute("quantity.value"), Rules(minimum=0.01, maximum=1e12)],
    new: Annotated[float, Attribute("quantity.value"), Rules(minimum=0, maximum=1e12)],
) -> Change:
    """Work out by how many per cent a figure has changed, whichever way.

    Args:
        old: The figure before.
        new: The figure after.
    """
    before, after = Decimal(repr(old)), Decimal(repr(new))
    percent = abs(after - before) * 100 / before
    return {"percent": float(percent.quantize(Decimal("0.1"), ROUND_HALF_UP))}
