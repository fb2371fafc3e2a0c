"""Transportation: trains, flights, roads and fuel as they stand today, and reckoning on the way."""

import datetime as dt
from typing import Annotated, Final, Literal

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, sources
from knowact.worlds.everyday.clock import DAY_MINUTES, clock_time, minutes_of
from knowact.worlds.everyday.contract import Server, always, by_size, check_listed, on, refuse
from knowact.worlds.everyday.fields import CityName, ClockTime, Day, FlightNumber, Minutes, TrainNumber
from knowact.worlds.everyday.places import city as known_city
from knowact.worlds.everyday.places import kilometres
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_RAILWAY: Final = Server("Transportation", "railway")
_ROADS: Final = Server("Transportation", "roads")
_AIRPORT: Final = Server("Transportation", "airport")
_CLOCK: Final = Server("Transportation", "clock")

_REASONS: Final = ("signal failure", "late crew", "track works", "a broken door", "waiting for a connection")
_TRAFFIC: Final = always(Dimension.TEMPORALITY, why="Traffic and timetables are different every hour.")


def _two_cities(origin: str, destination: str) -> None:
    known_city(origin)
    known_city(destination)
    if origin == destination:
        refuse("bad_arguments", "Origin and destination are the same city.", "Name two different cities.")


class NextTrain(Shape):
    train: str = fact("train.number", "The train's number.")
    departs: str = fact("train.departure", "Departure time, HH:MM.")
    platform: int = fact("train.platform", "Platform of departure.")
    minutes: int = fact("train.minutes", "Duration of the ride in minutes.")


@_RAILWAY.tool(
    rubric=_TRAFFIC,
    scenario="Somebody wants to take a train now and asks when the next one leaves, and from where.",
    person_can="Whoever is at the station reads it off the departures board.",
)
def get_next_train(state: State, origin: CityName, destination: CityName) -> NextTrain:
    """Find the next train from one city to another.

    Args:
        origin: City of departure.
        destination: City of arrival.
    """
    _two_cities(origin, destination)
    draw = state.draw("train", origin, destination, state.now.isoformat(timespec="minutes"))
    leaves = state.now + dt.timedelta(minutes=draw.randint(4, 58))
    minutes = max(15, kilometres(origin, destination) * draw.randint(45, 75) // 100)
    return NextTrain(
        train=sources.train_number(state.seed, origin, destination),
        departs=leaves.strftime("%H:%M"),
        platform=draw.randint(1, 14),
        minutes=minutes,
    )


class TrainDelay(Shape):
    train: str = echo("The train's number.")
    delay_minutes: int = fact("train.delay", "Minutes behind the timetable; 0 if it is on time.")
    reason: str = fact("train.delay_reason", 'Why it is late, or "none".')


@_RAILWAY.tool(
    rubric=_TRAFFIC,
    scenario="Somebody waits on a platform, or picks a visitor up, and wonders how late the train is.",
    person_can="The board on the platform says it, and so do the people who wait.",
)
def get_train_delay(state: State, train: TrainNumber) -> TrainDelay:
    """Tell how late a train of today is, and why.

    Args:
        train: The train's number, such as "IC1234".
    """
    if not sources.train_runs(state.seed, train):
        fix = "Train numbers are IC and four digits; the search for the next train gives them."
        refuse("not_found", f"No train {train!r} runs today.", fix)
    draw = state.draw("delay", train, state.today.isoformat())
    minutes = draw.choice((0, 3, 5, 8, 10, 12, 15, 20, 25, 35, 40))
    reason = draw.choice(_REASONS) if minutes else "none"
    return TrainDelay(train=train, delay_minutes=minutes, reason=reason)


class TrainFare(Shape):
    price_eur: int = fact("train.fare", "Price of one single ticket for one adult in euros.")


@_RAILWAY.tool(
    rubric=always(Dimension.TEMPORALITY, why="Fares follow demand."),
    scenario="A family or a club works out what a train journey would cost them.",
    person_cannot="Fares change with demand and stand only in the railway's system.",
)
def get_train_fare(
    state: State, origin: CityName, destination: CityName, travel_class: Literal["first", "second"] = "second"
) -> TrainFare:
    """Quote the price of a single train ticket for one adult, bought today.

    Args:
        origin: City of departure.
        destination: City of arrival.
        travel_class: First or second class.
    """
    _two_cities(origin, destination)
    percent = state.draw("fare", origin, destination).randint(8, 18)
    second = max(6, kilometres(origin, destination) * percent // 100)
    return TrainFare(price_eur=second * 3 // 2 if travel_class == "first" else second)


class DrivingTime(Shape):
    minutes: int = fact("drive.minutes", "Driving time in minutes in the present traffic.")
    traffic: str = fact("drive.traffic", "How dense the traffic is: low, moderate or high.")


@_ROADS.tool(
    rubric=_TRAFFIC,
    scenario="Somebody gets into the car and wants to know when they will be there.",
    person_cannot="Nobody sees the traffic on the whole of a road between two cities.",
)
def get_driving_time(state: State, origin: CityName, destination: CityName) -> DrivingTime:
    """Estimate how long it takes to drive between two cities in the traffic of this hour.

    Args:
        origin: Where the drive starts.
        destination: Where it ends.
    """
    _two_cities(origin, destination)
    draw = state.draw("traffic", origin, destination, state.hour)
    level = draw.choice(("low", "moderate", "high"))
    pace = {"low": 0.72, "moderate": 0.86, "high": 1.1}[level]
    minutes = max(12, round(kilometres(origin, destination) * pace) + draw.randint(0, 25))
    return DrivingTime(minutes=minutes, traffic=level)


class FuelPrice(Shape):
    eur_per_litre: float = fact("fuel.price", "Average price of a litre in euros.")


@_ROADS.tool(
    about=("city", "fuel"),
    rubric=always(Dimension.TEMPORALITY, why="Filling stations change their prices several times a day."),
    scenario="A driver compares what filling up costs here and across the border.",
    person_cannot="A driver sees one price, not the average of a city.",
)
def get_fuel_price(state: State, city: CityName, fuel: Literal["petrol", "diesel", "lpg"]) -> FuelPrice:
    """Report today's average price of a fuel in a city.

    Args:
        city: Name of a European city.
        fuel: The kind of fuel.
    """
    known_city(city)
    cents = {"petrol": 185, "diesel": 170, "lpg": 82}[fuel]
    drift = state.draw("fuel", city, fuel, state.today.isoformat()).randint(-25, 28)
    return FuelPrice(eur_per_litre=(cents + drift) / 100)


class FlightStatus(Shape):
    flight: str = echo("The flight's number.")
    status: str = fact("flight.status", "On time, delayed, boarding or cancelled.")
    gate: str = fact("flight.gate", "The gate.")
    departs: str = fact("flight.departure", "Scheduled departure, HH:MM.")
    delay_minutes: int = fact("flight.delay", "Minutes behind schedule.")


@_AIRPORT.tool(
    rubric=always(Dimension.TEMPORALITY, why="Gates and delays are announced on the day."),
    scenario="A traveller, or whoever fetches them, checks gate and delay of a flight.",
    person_can="Whoever is at the airport reads it off the screens.",
)
def get_flight_status(state: State, flight: FlightNumber, date: Day) -> FlightStatus:
    """Report gate, departure and delay of a flight on a day.

    Args:
        flight: The flight's number, such as "NX204".
        date: The day of departure, as YYYY-MM-DD.
    """
    check_listed(sources.FLIGHTS, flight, f"There is no flight {flight!r}.")
    draw = state.draw("flight", flight, date)
    status = draw.choice(("on time", "delayed", "boarding", "cancelled", "delayed"))
    return FlightStatus(
        flight=flight,
        status=status,
        gate=f"{draw.choice('ABCDE')}{draw.randint(1, 48)}",
        departs=f"{draw.randint(6, 21):02d}:{draw.choice((0, 10, 15, 25, 35, 40, 55)):02d}",
        delay_minutes=draw.choice((15, 25, 40, 55, 70, 95)) if status == "delayed" else 0,
    )


class FuelNeeded(Shape):
    litres: float = fact("fuel.litres", "Litres of fuel, rounded to two decimals.")


@_ROADS.tool(
    also_done_by=("multiply", "get_percentage", "get_rain_volume", "get_late_fee"),
    rubric=by_size(
        on(limits.product, "distance_km", "litres_per_100_km"),
        why="300 km at 6 litres is done by head; 1,847.3 km at 6.83 litres is not.",
    ),
    scenario="A driver works out how much fuel a trip will take.",
    person_cannot="Nobody multiplies long numbers in passing.",
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
    return FuelNeeded(litres=half_up(exact(distance_km) * exact(litres_per_100_km) / 100, 2))


class ArrivalTime(Shape):
    time: str = fact("moment.later", "The time of day, HH:MM.")
    days_later: int = fact("moment.days_later", "0 on the same day, 1 on the next, and so on.")


@_CLOCK.tool(
    rubric=by_size(
        on(limits.at_most(DAY_MINUTES), "minutes"),
        why="Some hours after a time of day are counted on the clock; thousands of minutes are not.",
    ),
    scenario="Somebody knows when they leave and how long it takes, and wants to know when they arrive.",
    person_can="Hours and minutes are counted on along the clock.",
)
def get_arrival_time(_state: State, start: ClockTime, minutes: Minutes) -> ArrivalTime:
    """Work out the time of day some minutes after another.

    Args:
        start: Time of departure, HH:MM on the 24-hour clock.
        minutes: How long it takes in minutes.
    """
    days, rest = divmod(minutes_of(start) + minutes, DAY_MINUTES)
    return ArrivalTime(time=clock_time(rest), days_later=days)
