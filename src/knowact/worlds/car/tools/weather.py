"""The weather (spec car-bench.md, section 2.5)."""

# ruff: noqa: D417 - agents give every argument but the car, so no docstring describes it

from collections.abc import Sequence
from typing import Annotated, Any, Final, NotRequired, TypedDict, cast

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.car.databases.rows import Poi, Slot, shown
from knowact.worlds.car.formats import check_place
from knowact.worlds.car.shapes import Day, Month, PlaceId
from knowact.worlds.typed.schema import Attribute, Rules

_MINUTES: Final = Rules(minimum=0, maximum=59)
_FIRST_READ: Final = 6
"""The published world looks for the slot in a list that it reads wrongly, so that hours before this one
raise, and the slot after the one it finds is never shown (defect D-56)."""


class WeatherSlot(TypedDict):
    """The weather of some hours.

    Attributes:
        start_time: When it begins, HH:MM.
        end_time: When it ends, HH:MM.
        temperature_c: Degrees Celsius.
        wind_speed_kph: Kilometres per hour.
        humidity_percent: Humidity of the air in percent.
        condition: What the sky does.
    """

    start_time: Annotated[str, Attribute("weather.start")]
    end_time: Annotated[str, Attribute("weather.end")]
    temperature_c: Annotated[int, Attribute("weather.temperature")]
    wind_speed_kph: Annotated[int, Attribute("weather.wind")]
    humidity_percent: Annotated[int, Attribute("weather.humidity")]
    condition: Annotated[str, Attribute("weather.condition")]


class LaterSlot(TypedDict):
    """The weather of the hours after that.

    Attributes:
        start_time: When it begins, HH:MM.
        end_time: When it ends, HH:MM.
        temperature_c: Degrees Celsius.
        wind_speed_kph: Kilometres per hour.
        humidity_percent: Humidity of the air in percent.
        condition: What the sky does.
    """

    start_time: Annotated[str, Attribute("weather.next_start")]
    end_time: Annotated[str, Attribute("weather.next_end")]
    temperature_c: Annotated[int, Attribute("weather.next_temperature")]
    wind_speed_kph: Annotated[int, Attribute("weather.next_wind")]
    humidity_percent: Annotated[int, Attribute("weather.next_humidity")]
    condition: Annotated[str, Attribute("weather.next_condition")]


class WeatherShown(TypedDict):
    """The weather at a place.

    Attributes:
        current_slot: The hours that the asked time lies in.
        next_slot: The hours after those; left out where the day ends.
    """

    current_slot: WeatherSlot
    next_slot: NotRequired[LaterSlot]


def _raised(_value: Any) -> Fault:
    return Fault.RAISED


@car_tool(
    domain="Weather",
    kind="get",
    verdicts={"time_hour_24hformat": _raised, "time_minutes": _raised},
    open_when_published=("month", "day"),
)
def get_weather(  # noqa: PLR0917 - the published parameters
    car: Car,
    location_or_poi_id: PlaceId,
    month: Month,
    day: Day,
    time_hour_24hformat: Annotated[int, Attribute("day.hour"), Rules(minimum=0, maximum=23)],
    time_minutes: Annotated[int, Attribute("day.minute"), _MINUTES] = 0,
) -> WeatherShown:
    """Look up today's weather in a city, or at a point of interest that lies in one.

    There is a forecast for the present day only, in slots of three hours.

    Args:
        location_or_poi_id: The id of the city or of the point of interest.
        month: The present month, 1 to 12.
        day: The present day of the month.
        time_hour_24hformat: The hour that the weather is wanted for, 0 to 23.
        time_minutes: The minute of that hour.
    """
    if not car.context.current_datetime.is_day(month, day):
        today = car.context.current_datetime
        message = "There is a forecast for the present day only."
        fix = f"Today is month {today.month}, day {today.day}."
        refuse("conflict", message, fix, policy="AUT-POL:024")
    check_place(location_or_poi_id, "location_or_poi_id")
    place = car.databases.place(location_or_poi_id)
    city = place.corresponding_location_id if isinstance(place, Poi) else location_or_poi_id
    weather = car.databases.weather(city) if city else None
    if weather is None:
        message = f"There is no weather for {location_or_poi_id!r}."
        refuse("not_found", message, "Ask for a city, or for a place that lies in one.")
    if car.published and time_hour_24hformat < _FIRST_READ:
        refuse("not_found", "There is no weather for that hour.", fault=Fault.RAISED)
    return _around(car, weather.weather, time_hour_24hformat * 60 + time_minutes)


def _around(car: Car, slots: Sequence[Slot], minute: int) -> WeatherShown:
    """Return the slot that a minute of the day lies in, and the one after it."""
    within = (
        number
        for number, slot in enumerate(slots)
        if _minute(slot.start_time) <= minute < _minute(slot.end_time)
    )
    number = next(within, None)
    if number is None:
        refuse("not_found", "There is no weather for that time.", fault=Fault.RAISED)
    found: WeatherShown = {"current_slot": cast("WeatherSlot", shown(slots[number]))}
    if number + 1 < len(slots) and not car.published:
        found["next_slot"] = cast("LaterSlot", shown(slots[number + 1]))
    return found


def _minute(time: str) -> int:
    hour, _, minute = time.partition(":")
    return int(hour) * 60 + int(minute)
