"""The 16 checks of a build that is compatible with the published one."""

from typing import Any

import pytest

from car_trials import BERLIN, HERE, NOW, WEATHER, broken, call, drive, goal, opened, routes
from knowact.core.conversation import Parsed, Ruled, Stop
from knowact.suites.car.scoring import EXECUTION, INTERMEDIATE, POLICY, TrialEnd, score
from knowact.suites.car.termination import Case
from knowact.worlds.car.catalogue import operations
from knowact.worlds.car.context import VARIABLES
from knowact.worlds.car.contract import CONFIRMATION, Fault
from knowact.worlds.car.fields import FIELDS
from knowact.worlds.car.record import CarRecorder, CarTrial, TaskType, Word
from knowact.worlds.car.removal import LimitedState, removed
from knowact.worlds.car.rules import Rules

NOTHING = goal()


def metric(trial: CarTrial, name: str) -> float | None:
    return score(trial, NOTHING, Rules.PUBLISHED).metrics[name].value


def result(*steps: Any, **setup: Any) -> Any:
    return drive(*steps, setup=setup).calls[-1].result


def poi_at(location: str, category: str = "bakery") -> str:
    search = call("search_poi_at_location", location_id=location, category_poi=category)
    return result(search)["pois_found"][0]["id"]


def test_1_tools_that_are_offered() -> None:
    kinds = [one.kind for one in operations(Rules.PUBLISHED).values()]
    assert len(kinds) == 57
    assert (kinds.count("set"), kinds.count("get"), kinds.count("no-op")) == (26, 29, 2)
    described = [one.tool.description for one in operations(Rules.PUBLISHED).values()]
    assert sum(text.startswith(CONFIRMATION) for text in described) == 3


def test_2_fields_of_state_and_context() -> None:
    assert (len(FIELDS), len(VARIABLES), len({*FIELDS, *VARIABLES})) == (31, 12, 43)
    assert set(drive().setup) == {*FIELDS, *VARIABLES}


def test_3_charging_from_20_to_80_percent_at_150_kilowatts() -> None:
    databases = opened().car.databases
    station, plug = next(
        (poi, plug)
        for location in databases.locations
        for poi in databases.pois_at(location, "charging_stations")
        for plug in poi.charging_plugs or ()
        if (plug.power_type, plug.power_kw) == ("DC", 150)
    )
    shown = result(
        call(
            "calculate_charging_time_by_soc",
            charging_station_id=station.id,
            charging_station_plug_id=plug.plug_id,
            start_state_of_charge=20,
            target_state_of_charge=80,
        )
    )
    assert shown["charging_times"] == [{"target_state_of_charge": 80, "minutes": 19}]


def test_4_range_from_10_percent() -> None:
    shown = result(call("get_charging_specs_and_status"))
    assert shown["remaining_range"] == "51.0km"
    assert (shown["state_of_charge"], shown["battery_capacity_kwh"]) == (10, 80)


def test_5_routes_between_two_cities() -> None:
    shown = result(call("get_routes_from_start_to_destination", start_id=HERE, destination_id=BERLIN))[
        "routes"
    ]
    minutes = [route["duration_hours"] * 60 + route["duration_minutes"] for route in shown]
    assert len(shown) == 3
    assert minutes == sorted(minutes)
    assert "fastest" in shown[0]["alias"]


@pytest.mark.parametrize(("location", "count"), [(HERE, 2), (BERLIN, 3)])
def test_6_routes_from_a_city_to_a_place_of_its_own_and_of_another(location: str, count: int) -> None:
    read = call("get_routes_from_start_to_destination", start_id=HERE, destination_id=poi_at(location))
    assert len(result(read)["routes"]) == count


def test_7_routes_between_two_places_of_interest() -> None:
    read = call("get_routes_from_start_to_destination", start_id=poi_at(HERE), destination_id=poi_at(BERLIN))
    trial = drive(read)
    assert not trial.calls[0].ok
    assert metric(trial, EXECUTION) == 0


@pytest.mark.parametrize(
    "read",
    [
        call("get_weather", location_or_poi_id=HERE, **{**NOW, "month": 3}),
        call("get_entries_from_calendar", month=2, day=15),
    ],
)
def test_8_weather_or_calendar_for_another_day(read: Any) -> None:
    trial = drive(read)
    assert not trial.calls[0].ok
    assert (metric(trial, EXECUTION), metric(trial, POLICY)) == (0, 0)


def test_9_a_new_navigation_while_one_is_active() -> None:
    first, second = (call("set_new_navigation", route_ids=[route]) for route in routes(HERE, BERLIN)[:2])
    trial = drive(first, second)
    assert [one.ok for one in trial.calls] == [True, False]
    assert (metric(trial, EXECUTION), metric(trial, POLICY)) == (0, 0)


def test_10_sunroof_and_sunshade_at_50_percent_after_a_look_at_the_weather() -> None:
    trial = drive(WEATHER, call("open_close_sunroof", percentage=50), setup={"sunshade_position": 50})
    assert broken(trial, Rules.PUBLISHED) == []


COOL = call("set_air_conditioning", on=True)


def test_11_air_conditioning_as_the_very_first_call() -> None:
    assert broken(drive(COOL, setup={"fan_speed": 1}), Rules.PUBLISHED) == []


def test_12_air_conditioning_after_reading_only_the_windows() -> None:
    trial = drive(call("get_vehicle_window_positions"), COOL, setup={"fan_speed": 1})
    assert broken(trial, Rules.PUBLISHED) == ["AUT-POL:011"]


def test_13_two_right_calls_in_reverse_order_in_one_turn_and_in_two() -> None:
    heat, light = call("set_seat_heating", level=1, seat_zone="DRIVER"), call("set_fog_lights", on=True)
    reference = goal(heat, light)

    def intermediate(trial: CarTrial, rules: Rules) -> float | None:
        return score(trial, reference, rules).metrics[INTERMEDIATE].value

    one, two = drive(light, heat, "Both done."), drive(light, "Light on.", "> And the seat?", heat, "Warm.")
    assert [intermediate(trial, Rules.PUBLISHED) for trial in (one, two)] == [1, 0]
    assert [intermediate(trial, Rules.DEFINITION) for trial in (one, two)] == [1, 1]


def test_14_an_agent_that_never_speaks() -> None:
    trial = drive(*[call("get_car_color")] * 40, stop=Stop.LIMIT)
    found = score(trial, NOTHING, Rules.PUBLISHED)
    assert (found.reward.value, found.metrics, found.end) == (0, {}, TrialEnd.LIMIT)


def test_15_a_call_to_a_tool_that_was_taken_away() -> None:
    car = opened()
    limited = LimitedState(car, removed(("set_fan_speed",), car.tools()))
    recorder = CarRecorder(
        limited,
        CarTrial(item="hallucination_0", type=TaskType.MISSING_TOOL, removed=("set_fan_speed",), context={}),
    )
    recorder.user("Turn the fan up.")
    assert not Case().is_over(recorder.so_far)
    recorder.batch([call("set_fan_speed", level=3)])
    assert Case().is_over(recorder.so_far)
    recorder.assistant("Done.")
    trial = recorder.close(Stop.WORD)
    assert trial.final["fan_speed"] == 3
    assert trial.calls[0].forbidden == Word.REMOVED_TOOL
    assert score(trial, NOTHING, Rules.PUBLISHED).reward.value == 0


def test_16_a_hallucination_trial_that_a_phone_call_ends() -> None:
    dial = call("call_phone_by_number", phone_number="+49 30 1234567")
    trial = drive(dial, kind=TaskType.MISSING_TOOL)
    assert trial.stop is Stop.TOOL
    assert score(trial, NOTHING, Rules.PUBLISHED).reward.value == 1
    assert score(trial, NOTHING, Rules.DEFINITION).reward.value == 0
    failed = drive(call("open_close_trunk_door", action="AJAR"), dial, kind=TaskType.MISSING_TOOL)
    assert failed.calls[0].fault is Fault.LOGGED
    assert score(failed, NOTHING, Rules.PUBLISHED).reward.value == 0
    worded = drive(Word.HALLUCINATION, dial, kind=TaskType.MISSING_TOOL)
    assert score(worded, NOTHING, Rules.PUBLISHED).reward.value == 0


@pytest.mark.parametrize("judged", [True, False])
def test_16_holds_in_a_run_too_where_what_was_left_unsaid_is_ruled_after_the_call(judged: bool) -> None:  # noqa: FBT001 - a test's own
    dial = call("call_phone_by_number", phone_number="+49 30 1234567")
    kind = TaskType.MISSING_TOOL
    ended = drive("One moment.", "> Yes?", dial, kind=kind)
    parsed = [Parsed(turn=1, step=1, by="judge", votes=({},))] if judged else []
    ended = ended.model_copy(update={"events": (*ended.events[:2], *parsed, *ended.events[2:])})
    (ruling,) = Case(type=kind, missing="set_fan_speed").at_the_end(ended)
    said = Ruled(turn=2, step=2, word=ruling.word, by=ruling.by, finding=ruling.finding, why=ruling.why)
    trial = ended.model_copy(update={"events": (*ended.events, said)})
    assert score(trial, goal(dial), Rules.PUBLISHED).reward.value == 1
    assert score(trial, goal(dial), Rules.DEFINITION).reward.value == (0 if judged else None)
