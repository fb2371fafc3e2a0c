"""Transportation: trains, flights, roads and fuel as they stand today, and reckoning on the way."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

import datetime as dt
from typing import Annotated, Final, Literal, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, sources
from knowact.worlds.everyday.contract import (
    always,
    by_argument,
    near,
    person_can,
    person_cannot,
    refuse,
    tool,
)
from knowact.worlds.everyday.fields import CityName, ClockTime, Day, FlightNumber, Minutes, TrainNumber
from knowact.worlds.everyday.places import city as known_city
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

_TRAFFIC: Final = always(Dimension.TEMPORALITY, why="Traffic and timetables are different every hour.")


def _two_cities(origin: str, destination: str) -> None:
    known_city(origin)
    known_city(destination)
    if origin == destination:
        refuse("bad_arguments", "Origin and destination are the same city.", "Name two different cities.")


class NextTrain(TypedDict):
    """The next train between two cities.

    Attributes:
        train: The train's number.
        departs: Departure time, HH:MM.
        platform: Platform of departure.
        minutes: Duration of the ride in minutes.
    """

    train: Annotated[str, Attribute("train.number")]
    departs: Annotated[str, Attribute("train.departure", is_a="moment.time")]
    platform: Annotated[int, Attribute("train.platform")]
    minutes: Annotated[int, Attribute("train.minutes", is_a="duration.minutes")]


@tool(
    category="Transportation",
    server="railway",
    about=("origin", "destination"),
    rubric=_TRAFFIC,
    scenario="Somebody wants to take a train now and asks when the next one leaves, and from where.",
    human=person_can("Whoever is at the station reads it off the departures board."),
)
def get_next_train(state: State, origin: CityName, destination: CityName) -> NextTrain:
    """Find the next train from one city to another.

    Args:
        origin: City of departure.
        destination: City of arrival.
    """
    _two_cities(origin, destination)
    train = sources.next_train(state.seed, origin, destination, state.now)
    return {
        "train": train.number,
        "departs": train.departs,
        "platform": train.platform,
        "minutes": train.minutes,
    }


class TrainDelay(TypedDict):
    """How late a train is.

    Attributes:
        train: The train's number.
        delay_minutes: Minutes behind the timetable; 0 if it is on time.
        reason: Why it is late, or "none".
    """

    train: Annotated[str, ECHO]
    delay_minutes: Annotated[int, Attribute("train.delay", is_a="duration.minutes")]
    reason: Annotated[str, Attribute("train.delay_reason", is_a="text.value")]


@tool(
    category="Transportation",
    server="railway",
    about=("train",),
    rubric=_TRAFFIC,
    scenario="Somebody waits on a platform, or picks a visitor up, and wonders how late the train is.",
    human=person_can("The board on the platform says it, and so do the people who wait."),
)
def get_train_delay(state: State, train: TrainNumber) -> TrainDelay:
    """Tell how late a train of today is, and why.

    Args:
        train: The train's number, such as "IC1234".
    """
    if not sources.train_runs(state.seed, train):
        fix = "Train numbers are IC and four digits; the search for the next train gives them."
        refuse("not_found", f"No train {train!r} runs today.", fix)
    minutes, reason = sources.train_delay(state.seed, train, state.today)
    return {"train": train, "delay_minutes": minutes, "reason": reason}


class TrainFare(TypedDict):
    """What a ticket costs.

    Attributes:
        price_eur: Price of one single ticket for one adult in euros.
    """

    price_eur: Annotated[int, Attribute("train.fare", is_a="quantity.value")]


@tool(
    category="Transportation",
    server="railway",
    about=("origin", "destination"),
    rubric=always(Dimension.TEMPORALITY, why="Fares follow demand."),
    scenario="A family or a club works out what a train journey would cost them.",
    human=person_cannot("Fares change with demand and stand only in the railway's system."),
)
def get_train_fare(
    state: State,
    origin: CityName,
    destination: CityName,
    travel_class: Literal["first", "second"] = "second",
) -> TrainFare:
    """Quote the price of a single train ticket for one adult, bought today.

    Args:
        origin: City of departure.
        destination: City of arrival.
        travel_class: First or second class.
    """
    _two_cities(origin, destination)
    return {"price_eur": sources.fare(state.seed, origin, destination, travel_class == "first")}


class Drive(TypedDict):
    """How long a drive takes.

    Attributes:
        minutes: Driving time in minutes in the present traffic.
        traffic: How dense the traffic is: low, moderate or high.
    """

    minutes: Annotated[int, Attribute("drive.minutes", is_a="duration.minutes")]
    traffic: Annotated[str, Attribute("drive.traffic")]


@tool(
    category="Transportation",
    server="roads",
    about=("origin", "destination"),
    rubric=_TRAFFIC,
    scenario="Somebody gets into the car and wants to know when they will be there.",
    human=person_cannot("Nobody sees the traffic on the whole of a road between two cities."),
)
def get_driving_time(state: State, origin: CityName, destination: CityName) -> Drive:
    """Estimate how long it takes to drive between two cities in the traffic of this hour.

    Args:
        origin: Where the drive starts.
        destination: Where it ends.
    """
    _two_cities(origin, destination)
    minutes, level = sources.driving_minutes(state.seed, origin, destination, state.now)
    return {"minutes": minutes, "traffic": level}


class FuelPrice(TypedDict):
    """What fuel costs.

    Attributes:
        eur_per_litre: Average price of a litre in euros.
    """

    eur_per_litre: Annotated[float, Attribute("fuel.price", is_a="quantity.value")]


@tool(
    category="Transportation",
    server="roads",
    about=("city", "fuel"),
    rubric=always(Dimension.TEMPORALITY, why="Filling stations change their prices several times a day."),
    scenario="A driver compares what filling up costs here and across the border.",
    human=person_cannot("A driver sees one price, not the average of a city."),
)
def get_fuel_price(state: State, city: CityName, fuel: Literal["petrol", "diesel", "lpg"]) -> FuelPrice:
    """Report today's average price of a fuel in a city.

    Args:
        city: Name of a European city.
        fuel: The kind of fuel.
    """
    return {"eur_per_litre": sources.fuel_price(state.seed, city, fuel, state.today)}


class FlightStatus(TypedDict):
    """How a flight stands.

    Attributes:
        flight: The flight's number.
        status: On time, delayed, boarding or cancelled.
        gate: The gate.
        departs: Scheduled departure, HH:MM.
        delay_minutes: Minutes behind schedule.
    """

    flight: Annotated[str, ECHO]
    status: Annotated[str, Attribute("flight.status")]
    gate: Annotated[str, Attribute("flight.gate")]
    departs: Annotated[str, Attribute("flight.departure", is_a="moment.time")]
    delay_minutes: Annotated[int, Attribute("flight.delay", is_a="duration.minutes")]


@tool(
    category="Transportation",
    server="airport",
    about=("flight", "date"),
    rubric=always(Dimension.TEMPORALITY, why="Gates and delays are announced on the day."),
    scenario="A traveller, or whoever fetches them, checks gate and delay of a flight.",
    human=person_can("Whoever is at the airport reads it off the screens."),
)
def get_flight_status(state: State, flight: FlightNumber, date: Day) -> FlightStatus:
    """Report gate, departure and delay of a flight on a day.

    Args:
        flight: The flight's number, such as "NX204".
        date: The day of departure, as YYYY-MM-DD.
    """
    if flight not in sources.FLIGHTS:
        refuse("not_found", f"There is no flight {flight!r}.", near(flight, sources.FLIGHTS))
    found = sources.flight(state.seed, flight, dt.date.fromisoformat(date))
    return {
        "flight": flight,
        "status": found.status,
        "gate": found.gate,
        "departs": found.departs,
        "delay_minutes": found.delay,
    }


class FuelNeeded(TypedDict):
    """How much fuel a drive takes.

    Attributes:
        litres: Litres of fuel, rounded to two decimals.
    """

    litres: Annotated[float, Attribute("fuel.litres", is_a="quantity.value")]


@tool(
    category="Transportation",
    server="roads",
    about=("distance_km", "litres_per_100_km"),
    also_done_by=("multiply", "get_percentage", "get_rain_volume", "get_late_fee"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="300 km at 6 litres is done by head; 1,847.3 km at 6.83 litres is not.",
        within=lambda given: limits.product(given["distance_km"], given["litres_per_100_km"]),
    ),
    scenario="A driver works out how much fuel a trip will take.",
    human=person_cannot("Nobody multiplies long numbers in passing."),
)
def get_fuel_needed(
    _state: State,
    distance_km: Annotated[float, Attribute("distance.kilometres"), Rules(minimum=0, maximum=1e6)],
    litres_per_100_km: Annotated[float, Attribute("car.consumption"), Rules(minimum=0, maximum=1_000)],
) -> FuelNeeded:
    """Work out how many litres of fuel a drive takes.

    Args:
        distance_km: Length of the drive in kilometres.
        litres_per_100_km: Consumption in litres per 100 kilometres.
    """
    return {"litres": half_up(exact(distance_km) * exact(litres_per_100_km) / 100, 2)}


class Arrival(TypedDict):
    """When something that takes a while is over.

    Attributes:
        time: The time of day, HH:MM.
        days_later: 0 on the same day, 1 on the next, and so on.
    """

    time: Annotated[str, Attribute("moment.later", is_a="moment.time")]
    days_later: Annotated[int, Attribute("moment.days_later")]


@tool(
    category="Transportation",
    server="clock",
    about=("start", "minutes"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Some hours after a time of day are counted on the clock; thousands of minutes are not.",
        within=lambda given: given["minutes"] <= limits.DAY_MINUTES,
    ),
    scenario="Somebody knows when they leave and how long it takes, and wants to know when they arrive.",
    human=person_can("Hours and minutes are counted on along the clock."),
)
def get_arrival_time(_state: State, start: ClockTime, minutes: Minutes) -> Arrival:
    """Work out the time of day some minutes after another.

    Args:
        start: Time of departure, HH:MM on the 24-hour clock.
        minutes: How long it takes in minutes.
    """
    hours, begun = map(int, start.split(":"))
    days, rest = divmod(hours * 60 + begun + minutes, 24 * 60)
    return {"time": f"{rest // 60:02d}:{rest % 60:02d}", "days_later": days}
