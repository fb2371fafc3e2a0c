"""Generated data: as many as published, ids that lead to rows, equal bytes everywhere, people and weather."""

import datetime as dt
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact.core.model import Noun
from knowact.core.seeds import generator
from knowact.worlds.car.databases import geography, ids
from knowact.worlds.car.databases.drawn_pois import EVERY_KM
from knowact.worlds.car.databases.generated import Generated, generated_databases
from knowact.worlds.car.databases.rows import CATEGORIES, Category, shown

from .drawn import CITIES, DATA, PLACES, categories, cities, many, pairs, seeds


class TestScale:
    def test_is_the_published_one(self) -> None:
        counts = DATA.counts()
        assert (counts.locations, counts.weather, counts.contacts, counts.calendars) == (48, 48, 100, 100)
        assert (counts.bound, counts.between_cities, counts.local) == (689, 6_768, 2_756)
        assert counts.pois == pytest.approx(130_693, rel=0.002)
        assert counts.routes == pytest.approx(1_763_870, rel=0.002)

    def test_counts_are_what_can_be_found(self) -> None:
        along = {
            poi.id
            for end in range(1, 48)
            for category in PLACES
            for poi in DATA.pois_along(DATA.routes(CITIES[0].id, CITIES[end].id)[0].route_id, category)
        }
        first = [
            int(DATA.routes(CITIES[0].id, CITIES[end].id)[0].distance_km / EVERY_KM) for end in range(1, 48)
        ]
        assert len(along) == 7 * sum(first)

    def test_each_german_city_but_those_that_share_has_its_airport(self) -> None:
        having = [city for city in CITIES if DATA.pois_at(city.id, "airports")]
        assert len(having) == len(geography.airports()) == 17
        assert {city.iso2 for city in having} == {"DE"}


class TestSameBytes:
    def test_on_every_machine_and_python(self) -> None:
        draw, text = generator(0, "sample"), hashlib.sha256()
        for seed in (0, 7):
            data = Generated(seed)
            rows: list[Noun] = [*data.locations.values(), *data.contacts.values(), *data.calendars.values()]
            for _ in range(40):
                start, end = draw.sample(CITIES, 2)
                rows += data.routes(start.id, end.id)
                route, category = draw.choice(data.routes(start.id, end.id)), draw.choice(CATEGORIES)
                pois = [*data.pois_along(route.route_id, category), *data.pois_at(start.id, category)]
                rows += [*pois, *(one for poi in pois[:3] for one in data.routes(start.id, poi.id))]
                weather = data.weather(start.id)
                rows += [weather] if weather else []
            text.update(json.dumps([shown(row) for row in rows], ensure_ascii=False).encode())
        assert text.hexdigest()[:16] == "52645f5937759917"

    def test_whatever_was_asked_before(self) -> None:
        one, other = Generated(5), Generated(5)
        route = one.routes(CITIES[3].id, CITIES[30].id)[1]
        far = one.pois_along(route.route_id, "bakery")[-1]
        for category in reversed(CATEGORIES):
            other.pois_at(CITIES[30].id, category)
        assert other.poi(far.id) == far
        assert other.routes(far.id, CITIES[30].id) == one.routes(far.id, CITIES[30].id)

    @many
    @given(pairs, categories)
    def test_ids_are_keys_and_what_stands_behind_them_differs(
        self, pair: tuple[int, int], category: Category
    ) -> None:
        start, end = (CITIES[number].id for number in pair)
        one, other = generated_databases(1), generated_databases(2)
        assert [r.route_id for r in one.routes(start, end)] == [r.route_id for r in other.routes(start, end)]
        assert one.routes(start, end) != other.routes(start, end)
        assert [p.id for p in one.pois_at(start, category)] == [p.id for p in other.pois_at(start, category)]
        assert list(one.contacts) == list(other.contacts)
        assert list(one.calendars) == list(other.calendars)


class TestIds:
    @many
    @given(st.integers(0, 10**6 - 1), st.sampled_from(["poi_res", "rlp_mun_cha", "rpl_air_düs"]))
    def test_lead_back_to_their_index(self, index: int, prefix: str) -> None:
        numbers = ids.numbering(prefix)
        assert numbers.index_of(numbers.id_of(index)) == index

    @many
    @given(st.sets(st.integers(0, 10**4 - 1), min_size=2, max_size=50))
    def test_of_different_rows_differ(self, indexes: set[int]) -> None:
        numbers = ids.numbering("con", 4)
        assert len({numbers.id_of(index) for index in indexes}) == len(indexes)

    @many
    @given(st.text(max_size=24))
    def test_that_nobody_gave_lead_nowhere(self, text: str) -> None:
        assert DATA.poi(text) is None
        assert DATA.route(text) is None
        assert DATA.routes(text, text) == ()
        assert DATA.place(text) is None
        assert DATA.weather(text) is None

    @many
    @given(st.from_regex(r"r(ll|lp|pl|pp)_[a-zü]{3}_[a-zü]{3}_[0-9]{6}", fullmatch=True))
    def test_of_routes_that_there_are_not_lead_nowhere_or_to_a_route_of_that_id(self, text: str) -> None:
        route = DATA.route(text)
        assert route is None or route.route_id == text

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("loc_mun_9995", "location"),
            ("loc_düs_727847", "location"),
            ("poi_res_123456", "poi"),
            ("rll_ber_mun_123456", "route"),
            ("rpp_res_bak_123456", "route"),
            ("plg_cha_123456", "plug"),
            ("con_1234", "contact"),
            ("cal_1234", ""),
            ("loc_muni_123456", ""),
            ("poi_res_12a456", ""),
            ("rxl_ber_mun_123456", ""),
            ("rll_a_b_mun_123456", ""),
            ("", ""),
        ],
    )
    def test_have_their_format(self, text: str, kind: str) -> None:
        formats = {
            "location": ids.is_location_id,
            "poi": ids.is_poi_id,
            "route": ids.is_route_id,
            "plug": ids.is_plug_id,
            "contact": ids.is_contact_id,
        }
        assert [name for name, fits in formats.items() if fits(text)] == ([kind] if kind else [])
        assert ids.is_place_id(text) == (kind in {"location", "poi"})

    def test_of_cities_say_them_by_three_letters(self) -> None:
        assert len({city.letters for city in geography.cities()}) == len(CITIES)
        assert CITIES[0].id == "loc_mun_9995"


class TestWeatherAndPeople:
    @many
    @given(st.integers(0, 200), cities)
    def test_weather_fills_the_day_within_the_published_ranges(self, seed: int, number: int) -> None:
        weather = generated_databases(seed % 4).weather(CITIES[number].id)
        assert weather is not None
        assert [slot.start_time for slot in weather.weather] == [f"{hour:02d}:00" for hour in range(0, 24, 3)]
        assert [slot.end_time for slot in weather.weather] == [f"{hour:02d}:00" for hour in range(3, 25, 3)]
        for slot in weather.weather:
            assert -16 <= slot.temperature_c <= 29
            assert 0 <= slot.wind_speed_kph <= 35
            assert 40 <= slot.humidity_percent <= 100

    @pytest.mark.parametrize("seed", range(3))
    def test_people_have_addresses_and_numbers_of_their_own(self, seed: int) -> None:
        people = generated_databases(seed).contacts.values()
        assert len({person.email for person in people}) == len({p.phone_number for p in people}) == 100
        assert len({(person.name.first_name, person.name.last_name) for person in people}) == 100
        assert sum(person.name.first_name == "Nele" for person in people) == 8

    @pytest.mark.parametrize("seed", range(3))
    def test_meetings_are_on_weekdays_one_after_the_other_among_people_in_cities(self, seed: int) -> None:
        data = generated_databases(seed)
        names = {city.name for city in CITIES}
        for calendar in data.calendars.values():
            day = calendar.date
            assert dt.date(day.year, day.month, day.day).weekday() < 5
            starts = [int(m.start.hour) * 60 + int(m.start.minute) for m in calendar.meetings]
            assert 12 * 60 + 30 <= starts[0] <= 15 * 60 + 30
            assert starts[1] >= starts[0] + 60
            for meeting in calendar.meetings:
                assert meeting.location in names
                assert 2 <= len(set(meeting.attendees)) <= 5
                assert set(meeting.attendees) <= set(data.contacts)

    @many
    @given(seeds, pairs, st.sampled_from(PLACES))
    def test_phone_numbers_are_known_and_no_two_places_share_one(
        self, seed: int, pair: tuple[int, int], category: Category
    ) -> None:
        data = generated_databases(seed)
        start, end = (CITIES[number].id for number in pair)
        rows = [
            *data.pois_along(data.routes(start, end)[0].route_id, category),
            *data.pois_at(start, category),
            *data.contacts.values(),
        ]
        assert len({row.phone_number for row in rows}) == len(rows)
        assert all(data.knows_phone(row.phone_number) for row in rows)

    @pytest.mark.parametrize("number", ["", "+49 199 123", "+49 89 1234567", "+49 199 9999999", "call me"])
    def test_numbers_of_nobody_are_not_known(self, number: str) -> None:
        assert not DATA.knows_phone(number)


def test_a_seed_is_loaded_once() -> None:
    assert generated_databases(0) is DATA
