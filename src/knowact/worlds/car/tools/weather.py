"""The weather (CAR-bench)."""

from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import JsonValue

from knowact.worlds.car.contract import Car, Fault, car_tool, refuse
from knowact.worlds.car.databases.rows import Poi, Slot
from knowact.worlds.car.shapes import Day, Month, PlaceId, check_id
from knowact.worlds.typed.schema import Attribute, Rules, Shape, fact, part

_MINUTES: Final = Rules(minimum=0, maximum=59)
_FIRST_READ: Final = 6
"""The published world looks for the slot in a list that it reads wrongly, so that hours before this one
raise, and the slot after the one it finds is never shown."""


class WeatherSlot(Shape):
    """The weather of some hours."""

    start_time: str = fact("weather.start", "When it begins, HH:MM.")
    end_time: str = fact("weather.end", "When it ends, HH:MM.")
    temperature_c: int = fact("weather.temperature", "Degrees Celsius.")
    wind_speed_kph: int = fact("weather.wind", "Kilometres per hour.")
    humidity_percent: int = fact("weather.humidity", "Humidity of the air in percent.")
    condition: str = fact("weather.condition", "What the sky does.")


class LaterSlot(Shape):
    """The weather of the hours after that."""

    start_time: str = fact("weather.next_start", "When it begins, HH:MM.")
    end_time: str = fact("weather.next_end", "When it ends, HH:MM.")
    temperature_c: int = fact("weather.next_temperature", "Degrees Celsius.")
    wind_speed_kph: int = fact("weather.next_wind", "Kilometres per hour.")
    humidity_percent: int = fact("weather.next_humidity", "Humidity of the air in percent.")
    condition: str = fact("weather.next_condition", "What the sky does.")


def _raised(_value: JsonValue) -> Fault:
    return Fault.RAISED


class WeatherAround(Shape):
    current_slot: WeatherSlot = part("The hours that the asked time lies in.")
    next_slot: LaterSlot | None = part("The hours after those; left out where the day ends.", default=None)


@car_tool(
    "Weather",
    faults={"time_hour_24hformat": _raised, "time_minutes": _raised},
    open_when_published=("month", "day"),
)
def get_weather(
    car: Car,
    location_or_poi_id: PlaceId,
    month: Month,
    day: Day,
    time_hour_24hformat: Annotated[int, Attribute("day.hour"), Rules(minimum=0, maximum=23)],
    time_minutes: Annotated[int, Attribute("day.minute"), _MINUTES] = 0,
) -> WeatherAround:
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
    check_id("place", location_or_poi_id, "location_or_poi_id")
    place = car.databases.place(location_or_poi_id)
    city = place.corresponding_location_id if isinstance(place, Poi) else location_or_poi_id
    weather = car.databases.weather(city) if city else None
    if weather is None:
        message = f"There is no weather for {location_or_poi_id!r}."
        refuse("not_found", message, "Ask for a city, or for a place that lies in one.")
    if car.published and time_hour_24hformat < _FIRST_READ:
        refuse("not_found", "There is no weather for that hour.", fault=Fault.RAISED)
    return _around(car, weather.weather, time_hour_24hformat * 60 + time_minutes)


def _around(car: Car, slots: Sequence[Slot], minute: int) -> WeatherAround:
    """Return the slot that a minute of the day lies in, and the one after it."""
    within = (
        number
        for number, slot in enumerate(slots)
        if _minute(slot.start_time) <= minute < _minute(slot.end_time)
    )
    number = next(within, None)
    if number is None:
        refuse("not_found", "There is no weather for that time.", fault=Fault.RAISED)
    later = number + 1 < len(slots) and not car.published
    return WeatherAround(
        current_slot=WeatherSlot.of(slots[number]),
        next_slot=LaterSlot.of(slots[number + 1]) if later else None,
    )


def _minute(time: str) -> int:
    hour, _, minute = time.partition(":")
    return int(hour) * 60 + int(minute)
