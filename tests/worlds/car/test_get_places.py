"""Cities, routes and points of interest: what is found, in which order, and what the published world does."""

from typing import Any

import pytest

from car_asking import done, value
from knowact.worlds.car.catalogue import OPERATIONS
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.databases.rows import CATEGORIES
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.tools.poi_search import NEAR_KM, is_open
from knowact.worlds.car.world import CarWorld

DATA = CarWorld().open({}, 0).car.databases
CITY = {city.name: city.id for city in DATA.locations.values()}
BOTH = list(Rules)


def route(start: str, end: str, alternative: int = 0) -> str:
    return DATA.routes(CITY[start], CITY[end])[alternative].route_id


class TestCityByName:
    @pytest.mark.parametrize(
        ("said", "meant"),
        [
            ("Berlin", "Berlin"),
            ("  berlin ", "Berlin"),
            ("Wien", "Vienna"),
            ("KÖLN", "Cologne"),
            ("Koeln", "Cologne"),
            ("Zurich", "Zürich"),
            ("Frankfurt am Main", "Frankfurt"),
            ("Paris, France", "Paris"),
            ("Andora la Vela", "Andorra la Vella"),
            ("Hanburg", "Hamburg"),
            ("Rom", "Rome"),
        ],
    )
    def test_is_found_with_another_name_or_a_mistake(self, said: str, meant: str) -> None:
        assert value("get_location_id_by_location_name", location=said) == {"id": CITY[meant]}

    @pytest.mark.parametrize("said", ["Bern", "Bari", "Ordino", "x", "Munich Berlin", "B" * 200])
    def test_is_not_guessed(self, said: str) -> None:
        step = done("get_location_id_by_location_name", location=said)
        assert step.observation.problem is not None
        assert step.observation.problem.code == "not_found"

    def test_of_bern_is_berlin_and_of_bari_paris_in_the_published_world(self) -> None:
        found = [
            value("get_location_id_by_location_name", Rules.PUBLISHED, location=said)["id"]
            for said in ("Bern", "Bari", "munich")
        ]
        assert found == [CITY["Berlin"], CITY["Paris"], CITY["Munich"]]
        step = done("get_location_id_by_location_name", Rules.PUBLISHED, location="Wien")
        assert step.fault is Fault.LOGGED

    @pytest.mark.parametrize("rules", BOTH)
    @pytest.mark.parametrize("said", ["", " ", 7, ["Berlin"], None, "B" * 500])
    def test_that_is_empty_or_no_text_is_refused(self, rules: Rules, said: Any) -> None:
        step = done("get_location_id_by_location_name", rules, location=said)
        assert step.observation.problem is not None
        assert step.fault is Fault.LOGGED


class TestRoutes:
    def test_come_fastest_first_without_what_agents_have_no_use_for(self) -> None:
        stop = DATA.pois_along(route("Munich", "Berlin"), "restaurants")[2]
        found = value(
            "get_routes_from_start_to_destination", start_id=CITY["Munich"], destination_id=stop.id
        )["routes"]
        assert [one["alias"][0] for one in found] == ["fastest", "second", "third"]
        assert all("base_route_id" not in one for one in found)

    def test_of_the_published_world_say_what_they_are_derived_from(self) -> None:
        stop = DATA.pois_along(route("Munich", "Berlin"), "restaurants")[2]
        found = value(
            "get_routes_from_start_to_destination",
            Rules.PUBLISHED,
            start_id=CITY["Munich"],
            destination_id=stop.id,
        )["routes"]
        assert [one["base_route_id"] for one in found] == [route("Munich", "Berlin", n) for n in range(3)]

    @pytest.mark.parametrize(
        ("start", "end", "fault"),
        [
            ("poi_res_409798", "poi_bak_108604", Fault.LOGGED),
            ("loc_mun_9995", "loc_mun_9995", Fault.LOGGED),
            ("loc_mun_9995", "loc_abc_123456", Fault.LOGGED),
            ("Munich", "loc_mun_9995", Fault.RAISED),
            ("Munich, Germany", "loc_mun_9995", Fault.LOGGED),
        ],
    )
    def test_that_do_not_exist_are_refused(self, start: str, end: str, fault: Fault) -> None:
        step = done(
            "get_routes_from_start_to_destination", Rules.PUBLISHED, start_id=start, destination_id=end
        )
        assert step.observation.problem is not None
        assert step.fault is fault


class TestPlacesInACity:
    @pytest.mark.parametrize("rules", BOTH)
    def test_are_all_of_that_kind(self, rules: Rules) -> None:
        for category in CATEGORIES:
            found = value("search_poi_at_location", rules, location_id=CITY["Munich"], category_poi=category)
            ids = [poi["id"] for poi in found["pois_found"]]
            assert ids == [poi.id for poi in DATA.pois_at(CITY["Munich"], category)]

    def test_are_filtered_by_what_is_open_now(self) -> None:
        clock = {"year": 2025, "month": 2, "day": 14, "minute": 0}
        pois = DATA.pois_at(CITY["Rome"], "bakery")
        for hour in range(24):
            found = value(
                "search_poi_at_location",
                Rules.DEFINITION,
                {"current_datetime": {**clock, "hour": hour}},
                location_id=CITY["Rome"],
                category_poi="bakery",
                filters=["any::currently_open"],
            )["pois_found"]
            open_now = [poi.id for poi in pois if is_open(poi.opening_hours, hour * 60)]
            assert [poi["id"] for poi in found] == open_now

    def test_are_filtered_by_their_plugs(self) -> None:
        for city in DATA.locations:
            found = value(
                "search_poi_at_location",
                location_id=city,
                category_poi="charging_stations",
                filters=["charging_stations::has_dc_plug", "charging_stations::has_available_plug"],
            )["pois_found"]
            fitting = [
                poi.id
                for poi in DATA.pois_at(city, "charging_stations")
                if any(plug.power_type == "DC" for plug in poi.charging_plugs or ())
                and any(plug.availability == "available" for plug in poi.charging_plugs or ())
            ]
            assert [poi["id"] for poi in found] == fitting

    @pytest.mark.parametrize(
        ("given", "fault"),
        [
            ({"category_poi": ""}, Fault.UNLOGGED),
            ({"filters": ["any::cheap"]}, Fault.LOGGED),
            ({"filters": "any::currently_open"}, Fault.RAISED),
            ({"location_id": "loc_abc_123456"}, Fault.LOGGED),
            ({"location_id": "poi_res_409798"}, Fault.LOGGED),
        ],
    )
    def test_are_refused_as_published(self, given: dict[str, Any], fault: Fault) -> None:
        usual = {"location_id": CITY["Munich"], "category_poi": "bakery"}
        step = done("search_poi_at_location", Rules.PUBLISHED, **{**usual, **given})
        assert step.observation.problem is not None
        assert step.fault is fault

    @pytest.mark.parametrize("category", ["museums", 7, ["bakery"], {"a": 1}])
    def test_of_a_kind_that_there_is_not_are_none_in_the_published_world(self, category: Any) -> None:
        found = value(
            "search_poi_at_location",
            Rules.PUBLISHED,
            location_id=CITY["Munich"],
            category_poi=category,
        )
        assert found == {"pois_found": []}


class TestPlacesAlongARoute:
    def test_are_the_three_with_the_smallest_detour_in_time_or_in_distance(self) -> None:
        whole = DATA.route(route("Munich", "Berlin", 1))
        assert whole is not None
        detours = [DATA.detour(whole, poi.id) for poi in DATA.pois_along(whole.route_id, "bakery")]
        longer = sorted(one.there.minutes + one.on.minutes - whole.minutes for one in detours if one)
        farther = sorted(
            round(one.there.distance_km + one.on.distance_km - whole.distance_km, 2) for one in detours if one
        )
        for filters, expected in (([], longer[:3]), (["any::sort_by_distance"], farther[:3])):
            found = value(
                "search_poi_along_the_route",
                route_id=whole.route_id,
                category_poi="bakery",
                filters=filters,
            )["pois_found_along_route"]
            times = [poi["detour_from_route_time"] for poi in found]
            kilometers = [poi["detour_from_route_km"]["detour"] for poi in found]
            assert expected == (kilometers if filters else [t["hour"] * 60 + t["minutes"] for t in times])

    @pytest.mark.parametrize("rules", BOTH)
    def test_lie_at_most_so_far_from_the_asked_kilometre(self, rules: Rules) -> None:
        start = route("Munich", "Hamburg")
        marks = [poi.kilometer(start) for poi in DATA.pois_along(start, "parking")]
        for asked in (0, 24, 25, 75, 100, 126):
            found = value(
                "search_poi_along_the_route",
                rules,
                route_id=start,
                category_poi="parking",
                at_kilometer=asked,
            )["pois_found_along_route"]
            assert len(found) == sum(abs((mark or 0) - asked) <= NEAR_KM for mark in marks)

    def test_the_description_says_how_far_that_is(self) -> None:
        shape = OPERATIONS["search_poi_along_the_route"].tool.properties["at_kilometer"]
        assert f"at most {NEAR_KM} km" in shape["description"]

    def test_are_measured_on_the_asked_alternative_not_on_the_fastest(self) -> None:
        fastest, other = (DATA.routes(CITY["Munich"], CITY["Madrid"])[number] for number in (0, 2))
        found = value("search_poi_along_the_route", route_id=other.route_id, category_poi="parking")
        for poi in found["pois_found_along_route"]:
            row = DATA.poi(poi["id"])
            assert row is not None
            mark = row.kilometer(other.route_id)
            assert mark is not None
            assert poi["at_kilometer"] / other.distance_km == pytest.approx(
                mark / fastest.distance_km, abs=1e-4
            )

    @pytest.mark.parametrize(
        ("given", "fault"),
        [
            ({"route_id": "rll_mun_ber_000000"}, Fault.LOGGED),
            ({"route_id": "rll_mun"}, Fault.RAISED),
            ({"route_id": "Munich to Berlin"}, Fault.LOGGED),
            ({"category_poi": "museums"}, Fault.LOGGED),
            ({"category_poi": "charging_stations"}, Fault.LOGGED),
            ({"filters": ["any::cheap"]}, Fault.UNLOGGED),
        ],
    )
    def test_are_refused_as_published(self, given: dict[str, Any], fault: Fault) -> None:
        usual = {"route_id": route("Munich", "Berlin"), "category_poi": "bakery"}
        step = done("search_poi_along_the_route", Rules.PUBLISHED, **{**usual, **given})
        assert step.observation.problem is not None
        assert step.fault is fault

    def test_a_route_to_a_place_cannot_be_searched(self) -> None:
        local = DATA.routes(CITY["Munich"], DATA.pois_at(CITY["Munich"], "bakery")[0].id)[0]
        step = done("search_poi_along_the_route", route_id=local.route_id, category_poi="bakery")
        assert step.observation.problem is not None
        assert step.observation.problem.code == "bad_arguments"

    def test_a_kilometre_that_is_not_on_the_route_is_refused_but_not_in_the_published_world(self) -> None:
        given = {"route_id": route("Munich", "Augsburg"), "category_poi": "bakery", "at_kilometer": 900}
        assert not done("search_poi_along_the_route", **given).observation.ok
        found = value("search_poi_along_the_route", Rules.PUBLISHED, **given)
        assert found == {"pois_found_along_route": []}

    def test_the_published_world_shows_every_route_of_a_place(self) -> None:
        given = {"route_id": route("Munich", "Berlin"), "category_poi": "bakery"}
        theirs = value("search_poi_along_the_route", Rules.PUBLISHED, **given)["pois_found_along_route"][0]
        ours = value("search_poi_along_the_route", **given)["pois_found_along_route"][0]
        assert len(theirs["corresponding_route_ids"]) == 6
        assert set(ours) - set(theirs) == {"at_kilometer"}
        assert set(theirs) - set(ours) == {"corresponding_route_ids", "route_positions"}


@pytest.mark.parametrize(
    ("hours", "inside", "outside"),
    [
        ("08:00h - 18:00h", (8 * 60, 18 * 60), (8 * 60 - 1, 18 * 60 + 1)),
        ("00:00h - 24:00h", (0, 24 * 60 - 1), ()),
        ("20:00h - 03:00h", (60, 20 * 60, 23 * 60), (12 * 60, 3 * 60 + 1)),
    ],
)
def test_a_place_is_open_from_the_first_to_the_last_minute_and_over_midnight(
    hours: str, inside: tuple[int, ...], outside: tuple[int, ...]
) -> None:
    assert all(is_open(hours, minute) for minute in inside)
    assert not any(is_open(hours, minute) for minute in outside)


class TestPartsOfARoute:
    @pytest.mark.parametrize("rules", BOTH)
    def test_are_proportional(self, rules: Rules) -> None:
        whole = DATA.route(route("Munich", "Berlin"))
        assert whole is not None
        tool = "convert_route_distance_and_time"
        half = value(tool, rules, route_id=whole.route_id, time_minutes=whole.minutes // 2)
        assert half["distance_km"] == round(whole.distance_km * (whole.minutes // 2) / whole.minutes, 1)
        back = value(tool, rules, route_id=whole.route_id, distance_km=int(whole.distance_km))
        assert back["time_minutes"] == pytest.approx(whole.minutes, abs=1)

    @pytest.mark.parametrize(
        "given",
        [{}, {"time_minutes": 5, "distance_km": 5}, {"time_minutes": 9_999}, {"distance_km": 9_999}],
    )
    def test_need_one_number_within_the_route(self, given: dict[str, int]) -> None:
        step = done(
            "convert_route_distance_and_time", Rules.PUBLISHED, route_id=route("Munich", "Berlin"), **given
        )
        assert step.observation.problem is not None
        assert step.fault is Fault.LOGGED


class TestPresentNavigation:
    def test_is_what_the_state_says(self) -> None:
        stop = DATA.pois_at(CITY["Berlin"], "parking")[0]
        setup = {
            "navigation_active": True,
            "waypoints_id": [CITY["Munich"], CITY["Berlin"], stop.id],
            "routes_to_final_destination_id": [
                route("Munich", "Berlin"),
                DATA.routes(CITY["Berlin"], stop.id)[0].route_id,
            ],
        }
        brief = value("get_current_navigation_state", Rules.DEFINITION, setup)
        assert brief == setup
        full = value("get_current_navigation_state", Rules.DEFINITION, setup, detailed_information=True)
        assert [place["name"] for place in full["details"]["waypoints"]] == ["Munich", "Berlin", stop.name]
        assert [one["route_id"] for one in full["details"]["routes"]] == brief[
            "routes_to_final_destination_id"
        ]

    def test_leaves_out_in_full_what_no_database_has(self) -> None:
        setup = {"waypoints_id": ["loc_abc_123456"], "routes_to_final_destination_id": ["rll_x"]}
        full = value("get_current_navigation_state", Rules.DEFINITION, setup, detailed_information=True)
        assert full["waypoints_id"] == ["loc_abc_123456"]
        assert full["details"] == {"waypoints": [], "routes": []}
