"""Generated roads and the places in cities and along them: rows that fit together."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.worlds.car.databases import Databases, geography, ids
from knowact.worlds.car.databases.generated import generated_databases
from knowact.worlds.car.databases.rows import Category, Poi, Route

from .drawn import CITIES, DATA, PLACES, categories, cities, many, pairs, seeds


def hours_and_plugs_are_well_formed(poi: Poi) -> None:
    start, end = (int(hour[:2]) for hour in poi.opening_hours.split(" - "))
    assert 0 <= start < end <= 24
    assert (poi.charging_plugs is not None) == (poi.category == "charging_stations")
    for plug in poi.charging_plugs or ():
        assert ids.is_plug_id(plug.plug_id)
        assert plug.power_kw in ((11, 22) if plug.power_type == "AC" else (50, 100, 150, 200, 250, 300, 350))


def apart(one: Poi, spot: geography.Spot) -> float:
    return geography.kilometers(geography.Spot(one.position.longitude, one.position.latitude), spot)


class TestRoutesBetweenCities:
    @many
    @given(seeds, pairs)
    def test_start_and_end_where_they_say_and_come_fastest_first(
        self, seed: int, pair: tuple[int, int]
    ) -> None:
        data, (start, end) = generated_databases(seed), (CITIES[number] for number in pair)
        routes = data.routes(start.id, end.id)
        assert len(routes) == 3
        assert [route.minutes for route in routes] == sorted(route.minutes for route in routes)
        assert [route.alias[0] for route in routes] == ["fastest", "second", "third"]
        shortest = min(routes, key=lambda route: route.distance_km)
        assert [route for route in routes if "shortest" in route.alias] == [shortest]
        for route in routes:
            assert (route.start_id, route.destination_id) == (start.id, end.id)
            assert data.route(route.route_id) == route
            assert route.includes_toll == ("includes toll road" in route.road_types)

    @many
    @given(seeds, pairs)
    def test_are_somewhat_longer_than_the_great_circle_at_about_80_km_an_hour(
        self, seed: int, pair: tuple[int, int]
    ) -> None:
        one, other = (geography.cities()[number] for number in pair)
        straight = geography.kilometers(one.spot, other.spot)
        for route in generated_databases(seed).routes(one.id, other.id):
            assert 1.19 * 0.95 * straight - 0.01 <= route.distance_km <= 1.21 * 1.05 * straight + 0.01
            assert 0 <= route.duration_minutes < 60
            usual = route.distance_km / 80 * 60
            assert usual / 1.01 * 0.98 - 1 <= route.minutes <= usual / 0.99 * 1.02 + 1

    @many
    @given(seeds, pairs)
    def test_are_the_same_in_both_directions_with_the_roads_reversed(
        self, seed: int, pair: tuple[int, int]
    ) -> None:
        data, (start, end) = generated_databases(seed), (CITIES[number].id for number in pair)
        for there, back in zip(data.routes(start, end), data.routes(end, start), strict=True):
            assert (there.distance_km, there.minutes) == (back.distance_km, back.minutes)
            assert there.name_via.split(", ") == back.name_via.split(", ")[::-1]
            assert there.route_id != back.route_id

    @many
    @given(seeds, st.lists(cities, min_size=3, max_size=3, unique=True))
    def test_over_a_third_city_are_hardly_ever_shorter(self, seed: int, three: list[int]) -> None:
        data, (a, b, c) = generated_databases(seed), (CITIES[number].id for number in three)

        def shortest(start: str, end: str) -> float:
            return min(route.distance_km for route in data.routes(start, end))

        # Roads are at most 1.27 and at least 1.13 times the great circle, which does keep to the rule.
        assert shortest(a, b) <= (shortest(a, c) + shortest(c, b)) * 1.27 / 1.13 + 0.1

    def test_from_a_city_to_itself_there_are_none(self) -> None:
        assert DATA.routes(CITIES[0].id, CITIES[0].id) == ()


class TestPlacesInCities:
    @many
    @given(seeds, cities, categories)
    def test_lie_near_the_centre_and_are_found_by_id(
        self, seed: int, number: int, category: Category
    ) -> None:
        data, city = generated_databases(seed), geography.cities()[number]
        pois = data.pois_at(city.id, category)
        assert len(pois) == 2 or (category == "airports" and len(pois) <= 1)
        assert len({poi.name for poi in pois}) == len(pois)
        for poi in pois:
            assert data.poi(poi.id) == data.place(poi.id) == poi
            assert poi.corresponding_location_id == city.id
            assert apart(poi, city.spot) < (100 if category == "airports" else 9)
            hours_and_plugs_are_well_formed(poi)

    @many
    @given(seeds, cities, st.sampled_from(PLACES), st.integers(0, 1))
    def test_have_two_routes_to_and_from_their_city(
        self, seed: int, number: int, category: Category, rank: int
    ) -> None:
        data, city = generated_databases(seed), CITIES[number]
        poi = data.pois_at(city.id, category)[rank]
        for ends in ((city.id, poi.id), (poi.id, city.id)):
            routes = data.routes(*ends)
            assert len(routes) == 2
            for route in routes:
                assert (route.start_id, route.destination_id, route.base_route_id) == (*ends, None)
                assert data.route(route.route_id) == route
                assert route.distance_km < 12

    @many
    @given(seeds, pairs, categories)
    def test_have_three_routes_from_every_other_city_which_go_on_from_the_centre(
        self, seed: int, pair: tuple[int, int], category: Category
    ) -> None:
        data, (home, away) = generated_databases(seed), (CITIES[number] for number in pair)
        for poi in data.pois_at(home.id, category):
            for ends, bases in (
                ((away.id, poi.id), data.routes(away.id, home.id)),
                ((poi.id, away.id), data.routes(home.id, away.id)),
            ):
                local = data.routes(*(place if place == poi.id else home.id for place in ends))[0]
                for route, base in zip(data.routes(*ends), bases, strict=True):
                    assert (route.start_id, route.destination_id) == ends
                    assert route.base_route_id == base.route_id
                    assert data.route(route.route_id) == route
                    assert route.distance_km == pytest.approx(base.distance_km + local.distance_km, abs=0.01)
                    assert route.minutes > base.minutes


class TestPlacesAlongRoads:
    @many
    @given(seeds, pairs, st.sampled_from(PLACES))
    def test_stand_every_50_km_beside_the_road(
        self, seed: int, pair: tuple[int, int], category: Category
    ) -> None:
        data, (start, end) = generated_databases(seed), (CITIES[number] for number in pair)
        forward = data.routes(*(CITIES[number].id for number in sorted(pair)))
        length, six = forward[0].distance_km, (*data.routes(start.id, end.id), *data.routes(end.id, start.id))
        pois = data.pois_along(six[1].route_id, category)
        assert len(pois) == int(length / 50)
        for stop, poi in enumerate(pois, start=1):
            assert data.poi(poi.id) == poi
            assert set(poi.corresponding_route_ids or ()) == {route.route_id for route in six}
            assert poi.kilometer(forward[0].route_id) == stop * 50
            there, back = poi.kilometer(six[0].route_id), poi.kilometer(six[-1].route_id)
            assert there is not None
            assert back is not None
            assert there + back == pytest.approx(length, abs=0.01)
            hours_and_plugs_are_well_formed(poi)
        assert all(data.pois_along(route.route_id, category) == pois for route in six)

    @many
    @given(seeds, pairs, st.sampled_from(PLACES))
    def test_are_off_the_road_by_what_both_parts_of_a_route_are_longer(
        self, seed: int, pair: tuple[int, int], category: Category
    ) -> None:
        data, (start, end) = generated_databases(seed), (CITIES[number].id for number in pair)
        for base in data.routes(start, end):
            for poi in data.pois_along(base.route_id, category)[:4]:
                detour = data.detour(base, poi.id)
                assert detour is not None
                assert detour.there in data.routes(start, poi.id)
                assert detour.on in data.routes(poi.id, end)
                self.parts_fit(data, base, detour.there, detour.on)

    def parts_fit(self, data: Databases, base: Route, there: Route, on: Route) -> None:
        assert (there.start_id, on.destination_id) == (base.start_id, base.destination_id)
        assert there.destination_id == on.start_id
        for part in (there, on):
            assert data.route(part.route_id) == part
            assert (part.base_route_id, part.name_via, part.alias) == (
                base.route_id,
                base.name_via,
                base.alias,
            )
        off = (there.distance_km + on.distance_km - base.distance_km) / 2
        assert 1 - 0.02 <= off <= 5 + 0.02
        longer = there.minutes + on.minutes - base.minutes
        assert 2 * off / 50 * 60 - 0.1 <= longer <= 2 * off / 50 * 60 + 2.1

    @many
    @given(pairs, cities, st.sampled_from(PLACES))
    def test_have_no_routes_from_other_cities_nor_detours_from_other_roads(
        self, pair: tuple[int, int], third: int, category: Category
    ) -> None:
        start, end = (CITIES[number].id for number in pair)
        pois = DATA.pois_along(DATA.routes(start, end)[0].route_id, category)
        if third in pair or not pois:
            return
        assert DATA.routes(CITIES[third].id, pois[0].id) == ()
        assert DATA.routes(pois[0].id, CITIES[third].id) == ()
        assert DATA.routes(pois[0].id, pois[-1].id) == ()
        other = DATA.routes(start, CITIES[third].id)[0]
        assert DATA.detour(other, pois[0].id) is None

    @many
    @given(pairs, st.sampled_from(PLACES))
    def test_neighbours_have_different_names(self, pair: tuple[int, int], category: Category) -> None:
        start, end = (CITIES[number].id for number in pair)
        names = [poi.name for poi in DATA.pois_along(DATA.routes(start, end)[0].route_id, category)]
        assert all(one != other for one, other in pairwise(names))

    def test_there_are_no_airports_and_none_along_local_routes(self) -> None:
        route = DATA.routes(CITIES[0].id, CITIES[1].id)[0]
        local = DATA.routes(CITIES[0].id, DATA.pois_at(CITIES[0].id, "bakery")[0].id)[0]
        assert DATA.pois_along(route.route_id, "airports") == ()
        assert DATA.pois_along(local.route_id, "bakery") == ()
