"""Whatever a tool that reads the databases is given: a result of its declared shape, or a problem."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from car_calls import JSON, arguments
from checked_world import check_world
from knowact.core.world import Call, Observation
from knowact.worlds.car.catalogue import OPERATIONS
from knowact.worlds.car.databases.rows import CATEGORIES
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.world import CarWorld
from knowact.worlds.check import examples_of

TOOLS = (
    *("get_weather", "get_charging_specs_and_status", "get_distance_by_soc"),
    *("calculate_charging_time_by_soc", "calculate_charging_soc_by_time"),
    *("get_location_id_by_location_name", "get_routes_from_start_to_destination"),
    *("search_poi_at_location", "search_poi_along_the_route", "get_current_navigation_state"),
    *("convert_route_distance_and_time", "get_contact_id_by_contact_name"),
    *("get_contact_information", "get_entries_from_calendar"),
)
DATA = CarWorld().open({}, 0).car.databases
CITIES = tuple(DATA.locations)
MUNICH = "loc_mun_9995"
VALIDATORS: dict[str, Any] = {
    name: Draft202012Validator(OPERATIONS[name].tool.returns or {}) for name in TOOLS
}
PROBLEMS = {"bad_arguments", "not_found", "conflict"}

rules = st.sampled_from(list(Rules))
many = settings(deadline=None, max_examples=150)


@st.composite
def city_routes(draw: st.DrawFn) -> str:
    start, end = draw(st.lists(st.sampled_from(CITIES), min_size=2, max_size=2, unique=True))
    return draw(st.sampled_from(DATA.routes(start, end))).route_id


@st.composite
def poi_ids(draw: st.DrawFn) -> str:
    category = draw(st.sampled_from(CATEGORIES[1:]))
    beside = DATA.pois_along(draw(city_routes()), category)
    return draw(st.sampled_from(beside or DATA.pois_at(MUNICH, category))).id


@st.composite
def plugs(draw: st.DrawFn) -> dict[str, str]:
    found = DATA.pois_along(draw(city_routes()), "charging_stations")
    station = draw(st.sampled_from(found or DATA.pois_at(MUNICH, "charging_stations")))
    plug = draw(st.sampled_from(station.charging_plugs or ()))
    return {"charging_station_id": station.id, "charging_station_plug_id": plug.plug_id}


places = st.sampled_from(CITIES) | poi_ids()
percents = st.integers(0, 100)


def fits(tool: str, seen: Observation) -> None:
    """A problem is a known one and says what it is, a result has its declared shape."""
    if seen.problem is not None:
        assert seen.problem.code in PROBLEMS
        assert seen.problem.message
    else:
        errors = list(VALIDATORS[tool].iter_errors(seen.value))
        assert not errors, errors[0].message


def test_these_are_all_that_there_are() -> None:
    domains = {"Weather", "Charging", "Navigation", "Productivity and communication"}
    found = {n for n, one in OPERATIONS.items() if one.kind == "get" and one.tool.category in domains}
    assert found == set(TOOLS)


@pytest.mark.parametrize("tool", TOOLS)
@settings(deadline=None, max_examples=40)
@given(st.data(), rules)
def test_arguments_that_the_schema_allows(tool: str, data: st.DataObject, rule_set: Rules) -> None:
    given_ = data.draw(arguments(OPERATIONS[tool].tool))
    session = CarWorld(rule_set).open({}, 1)
    before = session.digest()
    fits(tool, session.call(Call(tool, given_)))
    assert session.digest() == before


@pytest.mark.parametrize("tool", TOOLS)
@settings(deadline=None, max_examples=40)
@given(st.data(), rules)
def test_arguments_of_any_kind(tool: str, data: st.DataObject, rule_set: Rules) -> None:
    shapes = OPERATIONS[tool].tool
    odd = st.dictionaries(st.sampled_from([*shapes.properties, "year"]), JSON)
    given_ = {**data.draw(arguments(shapes)), **data.draw(odd)}
    fits(tool, CarWorld(rule_set).open({}, 1).call(Call(tool, given_)))


class TestArgumentsThatNameWhatThereIs:
    @many
    @given(rules, places, places)
    def test_routes(self, rule_set: Rules, start: str, end: str) -> None:
        session, tool = CarWorld(rule_set).open({}, 0), "get_routes_from_start_to_destination"
        seen = session.call(Call(tool, {"start_id": start, "destination_id": end}))
        fits(tool, seen)
        assert seen.ok == bool(DATA.routes(start, end))

    @many
    @given(rules, city_routes(), st.sampled_from(CATEGORIES), st.data())
    def test_places_along_a_route(
        self, rule_set: Rules, route_id: str, category: str, data: st.DataObject
    ) -> None:
        tool = "search_poi_along_the_route"
        given_: dict[str, Any] = {"route_id": route_id, "category_poi": category}
        if category == "charging_stations" or data.draw(st.booleans()):
            route = DATA.route(route_id)
            assert route is not None
            given_["at_kilometer"] = data.draw(st.integers(0, int(route.distance_km)))
        shape = OPERATIONS[tool].tool.properties["filters"]["items"]["enum"]
        given_["filters"] = data.draw(st.lists(st.sampled_from(shape), unique=True))
        seen = CarWorld(rule_set).open({}, 0).call(Call(tool, given_))
        fits(tool, seen)
        assert seen.ok
        assert len(seen.value["pois_found_along_route"]) <= 3

    @many
    @given(rules, plugs(), percents, percents | st.none(), st.integers(0, 3_000))
    def test_charging(
        self, rule_set: Rules, plug: dict[str, str], start: int, target: int | None, minutes: int
    ) -> None:
        session = CarWorld(rule_set).open({}, 0)
        given_ = {**plug, "start_state_of_charge": start}
        seen = session.call(
            Call("calculate_charging_time_by_soc", {**given_, "target_state_of_charge": target})
        )
        fits("calculate_charging_time_by_soc", seen)
        assert seen.ok == (target is None or target >= start)
        seen = session.call(Call("calculate_charging_soc_by_time", {**given_, "charging_time": minutes}))
        fits("calculate_charging_soc_by_time", seen)
        assert start <= seen.value["state_of_charge"] <= 102

    @many
    @given(rules, places, st.integers(0, 23), st.integers(0, 59))
    def test_weather(self, rule_set: Rules, place: str, hour: int, minute: int) -> None:
        given_ = {"location_or_poi_id": place, "month": 2, "day": 14}
        given_ |= {"time_hour_24hformat": hour, "time_minutes": minute}
        fits("get_weather", CarWorld(rule_set).open({}, 0).call(Call("get_weather", given_)))

    @pytest.mark.slow
    @many
    @given(rules, st.lists(places, max_size=4), st.lists(city_routes(), max_size=3))
    def test_the_present_navigation(self, rule_set: Rules, stops: list[str], routes: list[str]) -> None:
        setup: dict[str, Any] = {"waypoints_id": stops, "routes_to_final_destination_id": routes}
        session = CarWorld(rule_set).open(setup, 0)
        seen = session.call(Call("get_current_navigation_state", {"detailed_information": True}))
        fits("get_current_navigation_state", seen)
        assert [stop["id"] for stop in seen.value["details"]["waypoints"]] == stops
        assert [route["route_id"] for route in seen.value["details"]["routes"]] == routes

    @many
    @given(rules, city_routes(), st.integers(0, 4_000), st.sampled_from(["time_minutes", "distance_km"]))
    def test_parts_of_a_route(self, rule_set: Rules, route_id: str, number: int, name: str) -> None:
        tool = "convert_route_distance_and_time"
        seen = CarWorld(rule_set).open({}, 0).call(Call(tool, {"route_id": route_id, name: number}))
        fits(tool, seen)
        route = DATA.route(route_id)
        assert route is not None
        assert seen.ok == (number <= (route.minutes if name == "time_minutes" else route.distance_km))


def test_the_worked_examples_hold_and_everybody_says_the_same() -> None:
    mine = [example for example in examples_of("knowact.worlds.car") if example.tool in TOOLS]
    findings = check_world(CarWorld(), mine, rounds=10)
    failed = [one for one in findings if not one.ok and one.name.partition(":")[0] in TOOLS]
    assert failed == []
    assert all(one.ok for one in findings if one.name.endswith("told alike"))
