"""Weather: what services report of cities, and small reckoning with wind and rain."""

import datetime as dt
from typing import Annotated, Final

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, sources
from knowact.worlds.everyday.clock import day_between
from knowact.worlds.everyday.contract import Server, always, by_size, never, on, refuse
from knowact.worlds.everyday.fields import CityName, Day
from knowact.worlds.everyday.places import CITIES
from knowact.worlds.everyday.places import city as known_city
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact, part

_WEATHER: Final = Server("Weather", "weather")
_ENVIRONMENT: Final = Server("Weather", "environment")

_NO_FROST: Final = 11
"""Cities that are usually this warm in March get no warnings of snow."""
_LIVE: Final = always(
    Dimension.TEMPORALITY, why="The weather of a day is measured or forecast, not remembered."
)


class CurrentWeather(Shape):
    city: str = echo("The city.")
    temperature_c: int = fact("weather.temperature", "Air temperature in degrees Celsius.")
    sky: str = fact("weather.sky", "The sky in words.")
    wind_kmh: int = fact("wind.kmh", "Wind speed in kilometres per hour.", row="wind")


@_WEATHER.tool(
    rubric=_LIVE,
    scenario="Somebody is about to leave the house and wonders how cold and windy it is right now in a city.",
    person_can="Whoever is there looks at the sky and at a thermometer.",
)
def get_current_weather(state: State, city: CityName) -> CurrentWeather:
    """Report temperature, sky and wind in a city at this hour.

    Args:
        city: Name of a European city, such as "Lisbon".
    """
    day = sources.day_weather(state.seed, city, state.today)
    now = sources.temperature_now(state.seed, city, state.now)
    return CurrentWeather.of(day, city=city, temperature_c=now)


class Forecast(Shape):
    city: str = echo("The city.")
    date: str = echo("The day.")
    high_c: int = fact("forecast.high", "Highest temperature in degrees Celsius.", row="high")
    low_c: int = fact("forecast.low", "Lowest temperature in degrees Celsius.", row="low")
    sky: str = fact("forecast.sky", "The sky in words.")
    rain_chance_percent: int = fact("forecast.rain_chance", "Chance of rain in per cent.", row="rain_chance")
    rain_mm: int = fact("forecast.rain", "Expected rainfall in millimetres.", row="rain")


@_WEATHER.tool(
    rubric=_LIVE,
    scenario="Somebody plans a trip or a day outdoors and wants to know how warm or wet it will be there.",
    person_cannot="Nobody forecasts days ahead by looking at the sky.",
)
def get_forecast(state: State, city: CityName, date: Day) -> Forecast:
    """Give the forecast for a city on one day, from today to thirteen days ahead.

    Args:
        city: Name of a European city, such as "Lisbon".
        date: The day, as YYYY-MM-DD.
    """
    last = state.today + dt.timedelta(days=sources.FORECAST_DAYS - 1)
    day = day_between(date, state.today, last, f"There is no forecast for {date}.")
    return Forecast.of(sources.day_weather(state.seed, city, day), city=city, date=date)


class Alert(Shape):
    """One warning."""

    kind: str = fact("alert.kind", "What is warned of.")
    level: str = fact("alert.level", "How severe it is: yellow, orange or red.")


class WeatherAlerts(Shape):
    city: str = echo("The city.")
    count: int = fact("alert.count", "How many warnings there are.")
    alerts: list[Alert] = part("The warnings; empty if there are none.")


@_WEATHER.tool(
    rubric=always(Dimension.TEMPORALITY, why="Warnings are issued and lifted from hour to hour."),
    scenario="Somebody with outdoor plans checks whether weather warnings are in force in a city.",
    person_cannot="Warnings are issued by an authority, not seen from a window.",
)
def get_weather_alerts(state: State, city: CityName) -> WeatherAlerts:
    """List the official weather warnings in force today in a city.

    Args:
        city: Name of a European city, such as "Lisbon".
    """
    where, draw = known_city(city), state.draw("alerts", city, state.today.isoformat())
    usual = ["wind", "rain", "fog", "thunderstorms"]
    usual += ["snow", "ice"] if where.mild < _NO_FROST else []
    usual += ["coastal flooding"] if where.coastal else []
    kinds = draw.sample(usual, draw.choice((0, 0, 1, 1, 2)))
    alerts = [Alert(kind=kind, level=draw.choice(("yellow", "orange", "red"))) for kind in kinds]
    return WeatherAlerts(city=city, count=len(alerts), alerts=alerts)


class AirQuality(Shape):
    city: str = echo("The city.")
    index: int = fact("air.index", "Air quality index; 0 is clean, above 100 is unhealthy.")
    level: str = fact("air.level", "The index in one word: low, moderate or high pollution.")


@_ENVIRONMENT.tool(
    rubric=always(Dimension.TEMPORALITY, why="Air quality is measured afresh every hour."),
    scenario="A runner, or somebody with asthma, wants to know whether the air in a city is good today.",
    person_cannot="An air quality index is measured by instruments.",
)
def get_air_quality(state: State, city: CityName) -> AirQuality:
    """Report today's air quality index in a city.

    Args:
        city: Name of a European city, such as "Lisbon".
    """
    known_city(city)
    index = state.draw("air", city, state.today.isoformat()).randint(12, 148)
    level = "low" if index <= 50 else "moderate" if index <= 100 else "high"  # noqa: PLR2004 - the index's bands
    return AirQuality(city=city, index=index, level=level)


class SeaTemperature(Shape):
    city: str = echo("The city.")
    water_c: int = fact("sea.temperature", "Temperature of the sea in degrees Celsius.")


@_ENVIRONMENT.tool(
    rubric=always(Dimension.TEMPORALITY, why="The sea is measured by buoys, day by day."),
    scenario="Somebody on the coast thinks about a swim and asks how cold the water is today.",
    person_can="Whoever is on the beach puts a thermometer into the water.",
)
def get_sea_temperature(state: State, city: CityName) -> SeaTemperature:
    """Report today's sea temperature at a coastal city.

    Args:
        city: Name of a coastal European city, such as "Lisbon".
    """
    where = known_city(city)
    if not where.coastal:
        coastal = sorted(name for name, place in CITIES.items() if place.coastal)
        refuse("not_found", f"{city} does not lie on the sea.", f"Coastal cities: {', '.join(coastal)}.")
    water = where.mild + state.draw("sea", city, state.today.isoformat()).randint(-4, 5)
    return SeaTemperature(city=city, water_c=max(2, water))


_BEAUFORT: Final = (
    *((1, "calm"), (5, "light air"), (11, "light breeze"), (19, "gentle breeze"), (28, "moderate breeze")),
    *((38, "fresh breeze"), (49, "strong breeze"), (61, "near gale"), (74, "gale"), (88, "strong gale")),
    *((102, "storm"), (117, "violent storm")),
)
"""Upper speeds of each force in whole km/h, each inclusive but the first (World Meteorological Organization,
Manual on Codes, table 1100: below 1, 1-5, 6-11, 12-19, ... 118 and above)."""


class WindForce(Shape):
    beaufort: int = fact("wind.beaufort", "The force, 0 to 12.")
    name: str = fact("wind.name", "What sailors call it.")


@_ENVIRONMENT.tool(
    rubric=never(why="Twelve steps of a well-known scale."),
    scenario="A hobby sailor has a wind speed in km/h and wants to hear it as a force on the Beaufort scale.",
    person_can="Sailors know the scale, and it hangs in every harbour.",
)
def get_wind_force(
    _state: State, speed_kmh: Annotated[int, Attribute("wind.kmh"), Rules(minimum=0, maximum=400)]
) -> WindForce:
    """Tell which force on the Beaufort scale a wind speed is.

    Args:
        speed_kmh: Wind speed in whole kilometres per hour.
    """
    for force, (limit, name) in enumerate(_BEAUFORT):
        if speed_kmh < limit or (force > 0 and speed_kmh == limit):
            return WindForce(beaufort=force, name=name)
    return WindForce(beaufort=12, name="hurricane")


class RainVolume(Shape):
    litres: float = fact("rain.litres", "Volume of the water in litres, rounded to six decimals.")


@_ENVIRONMENT.tool(
    also_done_by=("multiply", "get_fuel_needed", "get_percentage", "get_late_fee"),
    rubric=by_size(
        on(limits.product, "rain_mm", "area_m2"),
        why="One product: by head for small numbers, not for long ones.",
    ),
    scenario="A gardener works out how many litres a shower brings onto the roof or into the rain barrel.",
    person_cannot="Nobody multiplies long numbers in passing.",
)
def get_rain_volume(
    _state: State,
    rain_mm: Annotated[float, Attribute("forecast.rain"), Rules(minimum=0, maximum=100_000)],
    area_m2: Annotated[float, Attribute("area.square_metres"), Rules(minimum=0, maximum=1e9)],
) -> RainVolume:
    """Work out how much water a rainfall brings onto an area (1 mm on 1 m² is 1 litre).

    Args:
        rain_mm: Rainfall in millimetres.
        area_m2: Area in square metres.
    """
    return RainVolume(litres=half_up(exact(rain_mm) * exact(area_m2), 6))
