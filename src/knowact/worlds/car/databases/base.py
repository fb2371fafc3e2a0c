"""What every source of the car's data offers, wherever the rows come from."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from knowact.worlds.car.databases.rows import Calendar, Category, Contact, Location, Poi, Route, Weather


@dataclass(frozen=True, slots=True)
class Detour:
    """A stop beside a city-to-city route: the way there, and the way on to the route's end."""

    there: Route
    on: Route


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows a source has, by the kinds of published files.

    Attributes:
        locations: Cities.
        bound: Points of interest in cities.
        along: Points of interest along roads.
        weather: Cities with weather.
        between_cities: Routes between two cities.
        local: Routes between a city and a POI of its own, both ways.
        derived: Routes between a city and a POI that is along roads or in another city, both ways.
        calendars: Calendars.
        contacts: People.
    """

    locations: int
    bound: int
    along: int
    weather: int
    between_cities: int
    local: int
    derived: int
    calendars: int
    contacts: int

    @property
    def pois(self) -> int:
        """Points of interest, all."""
        return self.bound + self.along

    @property
    def routes(self) -> int:
        """Routes, all."""
        return self.between_cities + self.local + self.derived


class Databases(ABC):
    """Rows by id and by what is asked for; None or nothing where there is none, never an exception.

    Immutable, so that all trials of a process share one.
    """

    @property
    @abstractmethod
    def locations(self) -> Mapping[str, Location]:
        """Every city by its id, in a fixed order."""

    @property
    @abstractmethod
    def contacts(self) -> Mapping[str, Contact]:
        """Everybody in the address book by their id, in a fixed order."""

    @property
    @abstractmethod
    def calendars(self) -> Mapping[str, Calendar]:
        """Every calendar by its id, in a fixed order."""

    @abstractmethod
    def poi(self, poi_id: str) -> Poi | None:
        """Return a point of interest by its id."""

    @abstractmethod
    def pois_at(self, location_id: str, category: Category) -> Sequence[Poi]:
        """Return the points of interest of one category in a city."""

    @abstractmethod
    def pois_along(self, route_id: str, category: Category) -> Sequence[Poi]:
        """Return the points of interest of one category along a city-to-city route."""

    @abstractmethod
    def route(self, route_id: str) -> Route | None:
        """Return a route by its id, stored or derived."""

    @abstractmethod
    def routes(self, start_id: str, destination_id: str) -> Sequence[Route]:
        """Return every route from one place to another, fastest first."""

    @abstractmethod
    def weather(self, location_id: str) -> Weather | None:
        """Return a city's weather."""

    @abstractmethod
    def knows_phone(self, number: str) -> bool:
        """Whether the number belongs to a point of interest or a contact; spaces do not matter."""

    @abstractmethod
    def counts(self) -> Counts:
        """How many rows there are of each kind."""

    def place(self, place_id: str) -> Location | Poi | None:
        """Return a city or a point of interest by its id."""
        return self.locations.get(place_id) or self.poi(place_id)

    def detour(self, route: Route, poi_id: str) -> Detour | None:
        """Return the two routes over a POI along a city-to-city route that are based on this very route."""
        there = _based_on(route, self.routes(route.start_id, poi_id))
        on = _based_on(route, self.routes(poi_id, route.destination_id))
        return Detour(there, on) if there and on else None


def _based_on(base: Route, routes: Sequence[Route]) -> Route | None:
    return next((route for route in routes if route.base_route_id == base.route_id), None)


@dataclass(frozen=True, slots=True)
class SmallRows:
    """The rows that are few enough for dictionaries.

    Attributes:
        locations: Cities.
        weather: Their weather.
        contacts: People.
        calendars: Calendars.
    """

    locations: Sequence[Location] = ()
    weather: Sequence[Weather] = ()
    contacts: Sequence[Contact] = ()
    calendars: Sequence[Calendar] = ()


class InMemory(Databases):
    """Databases whose small rows are at hand, with the look-ups in those.

    Args:
        small: Cities, weather, people and calendars.
    """

    def __init__(self, small: SmallRows) -> None:
        self._locations = MappingProxyType({location.id: location for location in small.locations})
        self._contacts = MappingProxyType({contact.id: contact for contact in small.contacts})
        self._calendars = MappingProxyType({calendar.id: calendar for calendar in small.calendars})
        self._weather = {weather.location_id: weather for weather in small.weather}

    @property
    def locations(self) -> Mapping[str, Location]:
        """See `Databases`."""
        return self._locations

    @property
    def contacts(self) -> Mapping[str, Contact]:
        """See `Databases`."""
        return self._contacts

    @property
    def calendars(self) -> Mapping[str, Calendar]:
        """See `Databases`."""
        return self._calendars

    @property
    def weather_rows(self) -> int:
        """How many cities have weather."""
        return len(self._weather)

    def weather(self, location_id: str) -> Weather | None:
        """See `Databases`."""
        return self._weather.get(location_id)
