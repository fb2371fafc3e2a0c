"""The data of a seed, in the original's size, without a table: every row is made when it is asked for.

What is drawn comes from a generator of its own, named by what it is about, so asking in another order, or
for more, changes nothing. The rules are those of CAR-bench; names and texts
are ours. Durations carry minutes to hours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import cycle
from typing import Final

from knowact.core.seeds import generator
from knowact.worlds.car.databases import drawn_people
from knowact.worlds.car.databases.base import Counts, Databases, Detour, InMemory, SmallRows
from knowact.worlds.car.databases.drawn_pois import (
    EVERY_KM,
    Along,
    beside,
    draw_poi,
    in_town,
    language_of,
    phone_owner,
    poi_id,
    shuffled_names,
)
from knowact.worlds.car.databases.geography import City, Spot, airports, cities, great_circle, kilometers
from knowact.worlds.car.databases.ids import is_route_id, letters, numbering
from knowact.worlds.car.databases.layout import AIRPORTS, Beside, InCity, Pair, indexes_in, pairs, place_at
from knowact.worlds.car.databases.roads import Road, aliases, driven, part_of, roads, route_over
from knowact.worlds.car.databases.rows import CATEGORIES, Category, Location, Poi, Position, Route

ALTERNATIVES: Final = 3
"""Between two cities; within one there are `LOCAL`."""
LOCAL: Final = 2
_ROAD_SPEED: Final = 80.0
_CITY_SPEED: Final = 50.0
_BY_LETTERS: Final[Mapping[str, Category]] = {letters(category): category for category in CATEGORIES}
_KEPT_GROUPS: Final = 512
"""Groups of POIs that are kept: about 8,000 POIs, 20 MB."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The POIs of one category along the roads of a pair, with what each is off the road, in km."""

    pois: tuple[Poi, ...]
    off_road: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Key:
    """What a POI's id says: its category and its index in it."""

    category: Category
    index: int


class Generated(InMemory):
    """The data of a seed. See `Databases`.

    Args:
        seed: What everything is drawn from.
    """

    def __init__(self, seed: int) -> None:
        people = drawn_people.draw_contacts(seed)
        super().__init__(
            SmallRows(
                [_location(city) for city in cities()],
                [drawn_people.draw_weather(seed, city) for city in cities()],
                people,
                drawn_people.draw_calendars(seed, [person.id for person in people], cities()),
            )
        )
        self._seed = seed
        self._cities = cities()
        self._by_letters = {city.letters: city for city in self._cities}
        self._by_id = {city.id: city for city in self._cities}
        self._roads = lru_cache(maxsize=None)(self._draw_roads)
        self._between = lru_cache(maxsize=None)(self._draw_between)
        self._stretch = lru_cache(maxsize=_KEPT_GROUPS)(self._draw_stretch)
        self._in_city = lru_cache(maxsize=_KEPT_GROUPS)(self._draw_in_city)
        self._local = lru_cache(maxsize=_KEPT_GROUPS)(self._draw_local)

    def poi(self, poi_id: str) -> Poi | None:
        """See `Databases`."""
        key = _key(poi_id)
        return self._poi(key) if key else None

    def pois_at(self, location_id: str, category: Category) -> tuple[Poi, ...]:
        """See `Databases`."""
        city = self._by_id.get(location_id)
        return self._in_city(city.number, category) if city else ()

    def pois_along(self, route_id: str, category: Category) -> tuple[Poi, ...]:
        """See `Databases`."""
        route = self.route(route_id)
        if route is None or category == AIRPORTS:
            return ()
        start, end = self._by_id.get(route.start_id), self._by_id.get(route.destination_id)
        if start is None or end is None:
            return ()
        low, high = sorted((start.number, end.number))
        return self._stretch(low, high, category).pois

    def route(self, route_id: str) -> Route | None:
        """See `Databases`."""
        if not is_route_id(route_id):
            return None
        head, _, _ = route_id.rpartition("_")
        kind, start, end = head.split("_")
        index = numbering(head).index_of(route_id)
        if index is None:
            return None
        if kind == "rll":
            return self._city_route(start, end, index)
        to_poi = kind == "rlp"
        city = self._by_letters.get(start if to_poi else end)
        category = _BY_LETTERS.get(end if to_poi else start)
        if kind not in {"rlp", "rpl"} or city is None or category is None:
            return None
        number, alternative = divmod(index, ALTERNATIVES)
        routes = self._poi_routes(city, _Key(category, number), to_poi=to_poi)
        return routes[alternative] if alternative < len(routes) else None

    def routes(self, start_id: str, destination_id: str) -> tuple[Route, ...]:
        """See `Databases`."""
        start, end = self._by_id.get(start_id), self._by_id.get(destination_id)
        if start and end:
            return self._between(start.number, end.number) if start is not end else ()
        if start and (key := _key(destination_id)):
            return self._poi_routes(start, key, to_poi=True)
        if end and (key := _key(start_id)):
            return self._poi_routes(end, key, to_poi=False)
        return ()

    def detour(self, route: Route, poi_id: str) -> Detour | None:
        """See `Databases`; here without the other alternatives, which are not asked for."""
        key, start, end = _key(poi_id), self._by_id.get(route.start_id), self._by_id.get(route.destination_id)
        place = place_at(key.category, key.index) if key else None
        if key is None or start is None or end is None or not isinstance(place, Beside):
            return None
        if {start.number, end.number} != {place.pair.low, place.pair.high}:
            return None
        there = self._over(start, key, place, to_poi=True, only=route)
        on = self._over(end, key, place, to_poi=False, only=route)
        return Detour(there[0], on[0]) if there and on else None

    def knows_phone(self, number: str) -> bool:
        """See `Databases`."""
        owner = phone_owner(self._seed, number)
        if owner is None:
            return False
        share, index = owner
        if share == drawn_people.PHONE_SHARE:
            return index < len(self.contacts)
        return share < len(CATEGORIES) and self._poi(_Key(CATEGORIES[share], index)) is not None

    def counts(self) -> Counts:
        """See `Databases`."""
        stops = sum(self._stops(pair) for pair in pairs().values())
        along = stops * (len(CATEGORIES) - 1)
        bound = sum(
            len(indexes_in(category, city.number)) for category in CATEGORIES for city in self._cities
        )
        between_cities = 2 * ALTERNATIVES * len(pairs())
        foreign = bound * (len(self._cities) - 1)
        return Counts(
            locations=len(self._cities),
            bound=bound,
            along=along,
            weather=self.weather_rows,
            between_cities=between_cities,
            local=2 * LOCAL * bound,
            derived=2 * ALTERNATIVES * (2 * along + foreign),
            calendars=len(self.calendars),
            contacts=len(self.contacts),
        )

    # Roads and routes

    def _draw_roads(self, low: int, high: int) -> tuple[Road, ...]:
        draw = generator(self._seed, "roads", self._cities[low].name, self._cities[high].name)
        straight = pairs()[low, high].straight_km
        return roads(draw, straight, speed=_ROAD_SPEED, alternatives=ALTERNATIVES)

    def _draw_between(self, start: int, end: int) -> tuple[Route, ...]:
        low, high = sorted((start, end))
        origin, goal = self._cities[start], self._cities[end]
        ids = numbering(f"rll_{origin.letters}_{goal.letters}")
        drawn = self._roads(low, high)
        return tuple(
            route_over(road, names, ids.id_of(number), origin.id, goal.id, backwards=start > end)
            for number, (road, names) in enumerate(zip(drawn, aliases(drawn), strict=True))
        )

    def _city_route(self, start: str, end: str, index: int) -> Route | None:
        origin, goal = self._by_letters.get(start), self._by_letters.get(end)
        if origin is None or goal is None or origin is goal or index >= ALTERNATIVES:
            return None
        return self._between(origin.number, goal.number)[index]

    def _poi_routes(self, city: City, key: _Key, *, to_poi: bool) -> tuple[Route, ...]:
        """Return the routes between a city and a POI in one direction; none if there is no such POI."""
        place = place_at(key.category, key.index)
        if isinstance(place, InCity):
            if place.city == city.number:
                return self._local(key.category, key.index, to_poi)
            return self._foreign(city, key, place.city, to_poi=to_poi)
        if place is None or city.number not in (place.pair.low, place.pair.high):
            return ()
        return self._over(city, key, place, to_poi=to_poi)

    def _draw_local(self, category: Category, index: int, to_poi: bool) -> tuple[Route, ...]:  # noqa: FBT001 - a cache's key
        """Routes between a POI and its own city, drawn as between cities but slower."""
        poi, place = self._poi(_Key(category, index)), place_at(category, index)
        assert poi is not None
        assert isinstance(place, InCity)
        city = self._cities[place.city]
        straight = kilometers(city.spot, _spot(poi))
        drawn = roads(generator(self._seed, "local", poi.id), straight, speed=_CITY_SPEED, alternatives=LOCAL)
        start_id, end_id = _ends(city, poi.id, to_poi=to_poi)
        ids = _poi_numbers(city, category, index, to_poi=to_poi)
        return tuple(
            route_over(road, names, ids[number], start_id, end_id, backwards=not to_poi)
            for number, (road, names) in enumerate(zip(drawn, aliases(drawn), strict=True))
        )

    def _foreign(self, city: City, key: _Key, home: int, *, to_poi: bool) -> tuple[Route, ...]:
        """Routes between a city and a POI in another one: to that city, and on from its centre."""
        bases = self._between(city.number, home) if to_poi else self._between(home, city.number)
        start_id, end_id = _ends(city, poi_id(key.category, key.index), to_poi=to_poi)
        ids = _poi_numbers(city, key.category, key.index, to_poi=to_poi)
        leg = self._local(key.category, key.index, to_poi)[0].distance_km
        return tuple(
            part_of(base, ids[number], start_id, end_id, fraction=1, detour_km=leg)
            for number, base in enumerate(bases)
        )

    def _over(
        self, city: City, key: _Key, place: Beside, *, to_poi: bool, only: Route | None = None
    ) -> tuple[Route, ...]:
        """Routes between an end of a stretch of road and a POI beside it; all, or those made of one."""
        pair = place.pair
        if place.stop > self._stops(pair):
            return ()
        stretch = self._stretch(pair.low, pair.high, key.category)
        off_road, poi = stretch.off_road[place.stop - 1], stretch.pois[place.stop - 1]
        far = pair.high if city.number == pair.low else pair.low
        bases = self._between(city.number, far) if to_poi else self._between(far, city.number)
        mark = poi.kilometer(bases[0].route_id) or 0.0
        fraction = driven(mark, self._length(pair), to_poi=to_poi)
        start_id, end_id = _ends(city, poi.id, to_poi=to_poi)
        ids = _poi_numbers(city, key.category, key.index, to_poi=to_poi)
        return tuple(
            part_of(base, ids[number], start_id, end_id, fraction=fraction, detour_km=off_road)
            for number, base in enumerate(bases)
            if only is None or base.route_id == only.route_id
        )

    def _length(self, pair: Pair) -> float:
        """The length of the fastest road, by which places along a pair are counted."""
        return self._roads(pair.low, pair.high)[0].km

    def _stops(self, pair: Pair) -> int:
        return int(self._length(pair) / EVERY_KM)

    # Points of interest

    def _poi(self, key: _Key) -> Poi | None:
        place = place_at(key.category, key.index)
        if isinstance(place, InCity):
            return self._in_city(place.city, key.category)[place.rank]
        if place is None or place.stop > self._stops(place.pair):
            return None
        return self._stretch(place.pair.low, place.pair.high, key.category).pois[place.stop - 1]

    def _draw_in_city(self, number: int, category: Category) -> tuple[Poi, ...]:
        city, indexes = self._cities[number], indexes_in(category, number)
        draw = generator(self._seed, "city", city.name, category)
        if category == AIRPORTS:
            every = [(index, airports()[index].spot, airports()[index].name) for index in indexes]
        else:
            names = shuffled_names(draw, category, language_of(city.country))
            every = [(index, in_town(draw, city.spot), names.pop()) for index in indexes]
        return tuple(
            draw_poi(draw, self._seed, category, index, spot, city.id, name) for index, spot, name in every
        )

    def _draw_stretch(self, low: int, high: int, category: Category) -> _Stretch:
        pair, lower, higher = pairs()[low, high], self._cities[low], self._cities[high]
        forward, backward = self._between(low, high), self._between(high, low)
        ids = tuple(route.route_id for route in (*forward, *backward))
        length, heads = self._length(pair), (ids[0].rpartition("_")[0], ids[-1].rpartition("_")[0])
        draw = generator(self._seed, "stretch", lower.name, higher.name, category)
        languages = (language_of(lower.country), language_of(higher.country))
        names = {each: cycle(shuffled_names(draw, category, each)) for each in dict.fromkeys(languages)}
        way = great_circle(lower.spot, higher.spot)
        pois: list[Poi] = []
        off_road: list[float] = []
        for stop in range(1, self._stops(pair) + 1):
            mark = float(stop * EVERY_KM)
            off = round(draw.uniform(1, 5), 2)
            spot = beside(draw, way(mark / length), off)
            name = next(names[languages[mark > length / 2]])
            where = Along(ids, *heads, mark, round(length - mark, 2))
            pois.append(draw_poi(draw, self._seed, category, pair.first + stop - 1, spot, where, name))
            off_road.append(off)
        return _Stretch(tuple(pois), tuple(off_road))


def _location(city: City) -> Location:
    position = Position(longitude=city.spot.longitude, latitude=city.spot.latitude)
    return Location(id=city.id, name=city.name, position=position, iso2=city.country)


def _key(poi_id: str) -> _Key | None:
    head, _, _ = poi_id.rpartition("_")
    category = _BY_LETTERS.get(head.removeprefix("poi_"))
    index = numbering(head).index_of(poi_id) if category and head.startswith("poi_") else None
    return None if category is None or index is None else _Key(category, index)


def _spot(poi: Poi) -> Spot:
    return Spot(poi.position.longitude, poi.position.latitude)


def _ends(city: City, other: str, *, to_poi: bool) -> tuple[str, str]:
    return (city.id, other) if to_poi else (other, city.id)


def _poi_numbers(city: City, category: Category, index: int, *, to_poi: bool) -> tuple[str, ...]:
    """Return the ids of the alternatives between a city and a POI in one direction."""
    head = f"rlp_{city.letters}_{letters(category)}" if to_poi else f"rpl_{letters(category)}_{city.letters}"
    return tuple(numbering(head).id_of(index * ALTERNATIVES + number) for number in range(ALTERNATIVES))


# Rows never change, so the sessions of a process share them; more than a few seeds at once are not in use.
@lru_cache(maxsize=4)
def generated_databases(seed: int) -> Databases:
    """Return the data of a seed; rows are made when they are asked for. The same object every time."""
    return Generated(seed)
