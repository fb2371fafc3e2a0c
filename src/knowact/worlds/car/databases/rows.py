"""Rows of the car's databases: names and meanings of fields as published (CAR-bench).

`shown` gives the published JSON shape of a row; what a row does not have is left out, not null.
"""

from typing import Final, Literal, Self, get_args

from pydantic import Field, JsonValue, model_validator

from knowact.core.model import Noun

Category = Literal[
    "airports",
    "bakery",
    "fast_food",
    "parking",
    "public_toilets",
    "restaurants",
    "supermarkets",
    "charging_stations",
]
Condition = Literal[
    "cloudy",
    "cloudy_and_fog",
    "cloudy_and_rain",
    "cloudy_and_rain_and_hail",
    "cloudy_and_rain_and_thunderstorm",
    "partly_cloudy",
    "sunny",
]
Availability = Literal["available", "occupied", "maintenance"]
PowerType = Literal["AC", "DC"]

CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
CONDITIONS: Final[tuple[Condition, ...]] = get_args(Condition)
DIRECTION: Final = 11
"""So many characters at the start of a city-to-city route's id say from where to where ("rll_ber_mun")."""


class Position(Noun):
    """A point on the globe in degrees; east and north are positive."""

    longitude: float = Field(ge=-180, le=180)
    latitude: float = Field(ge=-90, le=90)


class Location(Noun):
    """A city. `iso2` is the country's code; the published Munich has none."""

    id: str = Field(min_length=1)
    name: str = Field(min_length=1)
    position: Position
    iso2: str | None = None


class Plug(Noun):
    """A plug of a charging station."""

    plug_id: str = Field(min_length=1)
    power_type: PowerType
    power_kw: int = Field(gt=0)
    availability: Availability


class RoutePosition(Noun):
    """How far along a route something is, in kilometres from its start."""

    at_route_kilometer: float = Field(ge=0)


class Poi(Noun):
    """A point of interest, in a city or along the roads between two cities.

    Attributes:
        opening_hours: "HH:00h - HH:00h"; until 24:00h is the end of the day, an end before the start lies
            on the next one.
        corresponding_location_id: The city of a POI that is in one.
        corresponding_route_ids: The six routes (three each way) of a POI that is along roads.
        route_positions: Its kilometre on them, by the `DIRECTION` of their ids.
        charging_plugs: What a charging station has; nothing else has any.
    """

    id: str = Field(min_length=1)
    name: str = Field(min_length=1)
    category: Category
    position: Position
    opening_hours: str = Field(pattern=r"^([01]\d|2[0-4]):00h - ([01]\d|2[0-4]):00h$")
    phone_number: str = Field(min_length=1)
    corresponding_location_id: str | None = None
    corresponding_route_ids: tuple[str, ...] | None = None
    route_positions: dict[str, RoutePosition] | None = None
    charging_plugs: tuple[Plug, ...] | None = None

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if (self.corresponding_location_id is None) == (self.corresponding_route_ids is None):
            raise ValueError("a POI has either a corresponding_location_id or corresponding_route_ids")
        return self

    def kilometer(self, route_id: str) -> float | None:
        """Return how far along a city-to-city route it is; None if it is not along that."""
        place = (self.route_positions or {}).get(route_id[:DIRECTION])
        return None if place is None else place.at_route_kilometer


class Route(Noun):
    """A way from a start to a destination, one of several alternatives.

    Attributes:
        name_via: The numbers of the roads, joined by ", ".
        duration_minutes: Beside the hours; published rows have up to 60, ours less.
        road_types: Of "highway", "urban", "country road" and "includes toll road".
        alias: "fastest", "shortest", "first", "second", "third".
        base_route_id: For routes that are derived: the city-to-city route that they are made of.
    """

    route_id: str = Field(min_length=1)
    start_id: str = Field(min_length=1)
    destination_id: str = Field(min_length=1)
    name_via: str
    distance_km: float = Field(ge=0)
    duration_hours: int = Field(ge=0)
    duration_minutes: int = Field(ge=0, le=60)
    road_types: tuple[str, ...]
    includes_toll: bool
    alias: tuple[str, ...]
    base_route_id: str | None = None

    @property
    def minutes(self) -> int:
        """The whole duration in minutes."""
        return self.duration_hours * 60 + self.duration_minutes


class Slot(Noun):
    """The weather of three hours, "HH:MM" to "HH:MM"."""

    start_time: str = Field(pattern=r"^\d\d:\d\d$")
    end_time: str = Field(pattern=r"^\d\d:\d\d$")
    temperature_c: int
    wind_speed_kph: int = Field(ge=0)
    humidity_percent: int = Field(ge=0, le=100)
    condition: Condition


class Weather(Noun):
    """A city's weather, the same on every date."""

    location_id: str = Field(min_length=1)
    location_name: str
    weather: tuple[Slot, ...] = Field(min_length=1)


class FullName(Noun):
    """A person's name."""

    first_name: str
    last_name: str


class Contact(Noun):
    """Somebody in the address book."""

    id: str = Field(min_length=1)
    name: FullName
    phone_number: str
    email: str


class Date(Noun):
    """A day."""

    year: int
    month: int = Field(ge=1, le=12)
    day: int = Field(ge=1, le=31)


class Start(Noun):
    """When a meeting begins; texts of two digits, as published."""

    hour: str = Field(pattern=r"^([01]?\d|2[0-3])$")
    minute: str = Field(pattern=r"^[0-5]?\d$")


class Meeting(Noun):
    """A meeting; `attendees` are ids of contacts, `location` is the name of a city."""

    start: Start
    duration: str
    location: str
    attendees: tuple[str, ...]
    topic: str


class Calendar(Noun):
    """One day of a calendar."""

    id: str = Field(min_length=1)
    date: Date
    meetings: tuple[Meeting, ...]


def shown(row: Noun) -> dict[str, JsonValue]:
    """Return a row in its published JSON shape."""
    return row.model_dump(mode="json", exclude_none=True)
