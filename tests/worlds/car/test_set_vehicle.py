"""Vehicle functions: what each set tool writes, what the get tools read back, and what is refused how."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from car_calls import arguments
from knowact.core.world import Call
from knowact.worlds.car.catalogue import OPERATIONS
from knowact.worlds.car.contract import CONFIRMATION, Fault
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.session import CarState, Step
from knowact.worlds.car.world import CarWorld


def opened(rules: Rules = Rules.DEFINITION, **setup: Any) -> CarState:
    return CarWorld(rules).open(setup, 0)


def done(tool: str, rules: Rules = Rules.DEFINITION, /, **given: Any) -> Step:
    return opened(rules).do(Call(tool, given))


SIDES = {"ALL_ZONES": ("driver", "passenger"), "DRIVER": ("driver",), "PASSENGER": ("passenger",)}
SEATS = {
    "ALL": ("driver", "passenger", "driver_rear", "passenger_rear"),
    "DRIVER": ("driver",),
    "PASSENGER": ("passenger",),
    "DRIVER_REAR": ("driver_rear",),
    "PASSENGER_REAR": ("passenger_rear",),
    "RIGHT_REAR": ("passenger_rear",),
    "LEFT_REAR": ("driver_rear",),
}
PANES = {"ALL": ("front", "rear"), "FRONT": ("front",), "REAR": ("rear",)}
Reading = Callable[[Mapping[str, Any]], Mapping[str, Any]]
READ_BACK: Mapping[str, tuple[str, Reading]] = {
    "open_close_sunroof": (
        "get_sunroof_and_sunshade_position",
        lambda a: {"sunroof_position": a["percentage"]},
    ),
    "open_close_sunshade": (
        "get_sunroof_and_sunshade_position",
        lambda a: {"sunshade_position": a["percentage"]},
    ),
    "open_close_trunk_door": ("get_trunk_door_position", lambda a: {"trunk_door_position": a["action"]}),
    "open_close_window": (
        "get_vehicle_window_positions",
        lambda a: {f"window_{seat}_position": a["percentage"] for seat in SEATS[a["window"]]},
    ),
    "set_air_circulation": ("get_climate_settings", lambda a: {"air_circulation": a["mode"]}),
    "set_air_conditioning": ("get_climate_settings", lambda a: {"air_conditioning": a["on"]}),
    "set_ambient_lights": (
        "get_ambient_light_status_and_color",
        lambda a: {"ambient_light": a["lightcolor"] if a["on"] and a["lightcolor"] != "NONE" else "OFF"},
    ),
    "set_climate_temperature": (
        "get_temperature_inside_car",
        lambda a: {f"climate_temperature_{side}": a["temperature"] for side in SIDES[a["seat_zone"]]},
    ),
    "set_fan_airflow_direction": (
        "get_climate_settings",
        lambda a: {"fan_airflow_direction": a["direction"]},
    ),
    "set_fan_speed": ("get_climate_settings", lambda a: {"fan_speed": a["level"]}),
    "set_fog_lights": ("get_exterior_lights_status", lambda a: {"fog_lights": a["on"]}),
    "set_head_lights_high_beams": (
        "get_exterior_lights_status",
        lambda a: {"head_lights_high_beams": a["on"]},
    ),
    "set_head_lights_low_beams": (
        "get_exterior_lights_status",
        lambda a: {"head_lights_low_beams": a["on"]},
    ),
    "set_reading_light": (
        "get_reading_lights_status",
        lambda a: {f"reading_light_{seat}": a["on"] for seat in SEATS[a["position"]]},
    ),
    "set_seat_heating": (
        "get_seat_heating_level",
        lambda a: {f"seat_heating_{side}": a["level"] for side in SIDES[a["seat_zone"]]},
    ),
    "set_steering_wheel_heating": (
        "get_steering_wheel_heating_level",
        lambda a: {"steering_wheel_heating": a["level"]},
    ),
    "set_window_defrost": (
        "get_climate_settings",
        lambda a: {f"window_{pane}_defrost": a["on"] for pane in PANES[a["defrost_window"]]},
    ),
}


class TestSetThenGet:
    def test_every_vehicle_set_tool_is_read_back_here(self) -> None:
        vehicle = {
            name
            for name, one in OPERATIONS.items()
            if one.kind == "set" and one.tool.category == "Vehicle functions"
        }
        assert set(READ_BACK) == vehicle
        assert len(vehicle) == 17

    @pytest.mark.parametrize("tool", READ_BACK)
    @settings(deadline=None, max_examples=25)
    @given(st.data())
    def test_what_was_set_reads_back_and_nothing_else_moved(self, tool: str, data: st.DataObject) -> None:
        given_here = data.draw(arguments(OPERATIONS[tool].tool).filter(lambda a: not wrong(tool, a)))
        session = opened()
        before = session.snapshot()
        step = session.do(Call(tool, given_here))
        reader, expected = READ_BACK[tool]
        assert step.observation.ok
        told = session.call(Call(reader)).value
        assert {name: told[name] for name in expected(given_here)} == expected(given_here)
        moved = {name for name, value in session.snapshot().items() if before[name] != value}
        assert moved == {change.name for change in step.changes} <= set(expected(given_here))
        assert step.observation.value["changed"] == bool(step.changes)

    @pytest.mark.parametrize("tool", READ_BACK)
    @settings(deadline=None, max_examples=10)
    @given(st.data())
    def test_the_same_call_again_says_that_nothing_changed(self, tool: str, data: st.DataObject) -> None:
        given_here = data.draw(arguments(OPERATIONS[tool].tool).filter(lambda a: not wrong(tool, a)))
        session = opened()
        session.do(Call(tool, given_here))
        again = session.do(Call(tool, given_here))
        assert again.observation.value["changed"] is False
        assert again.changes == ()


def wrong(tool: str, given_here: Mapping[str, Any]) -> bool:
    """Whether the worked examples that the values come from are refused."""
    return not opened().call(Call(tool, given_here)).ok


class TestWords:
    def test_exactly_three_tools_ask_for_a_confirmation_first(self) -> None:
        marked = {name for name, one in OPERATIONS.items() if one.tool.description.startswith(CONFIRMATION)}
        assert marked == {"send_email", "open_close_trunk_door", "set_head_lights_high_beams"}

    def test_the_right_rear_seat_is_the_passengers_but_not_as_published(self) -> None:
        call = Call("open_close_window", {"window": "RIGHT_REAR", "percentage": 50})
        here, there = opened(), opened(Rules.PUBLISHED)
        assert [change.name for change in here.do(call).changes] == ["window_passenger_rear_position"]
        assert [change.name for change in there.do(call).changes] == ["window_driver_rear_position"]

    def test_the_published_trunk_leaves_its_first_word_even_when_closed_again(self) -> None:
        call = Call("open_close_trunk_door", {"action": "CLOSE"})
        assert opened().do(call).changes == ()
        assert [change.before for change in opened(Rules.PUBLISHED).do(call).changes] == ["closed"]

    def test_the_published_world_does_not_say_whether_anything_changed(self) -> None:
        session = opened(Rules.PUBLISHED)
        assert session.call(Call("set_fan_speed", {"level": 3})).value == {"level": 3}
        shown = next(tool for tool in session.tools() if tool.name == "set_fan_speed")
        assert shown.returns is not None
        assert "changed" not in str(shown.returns)

    def test_fuel_is_told_by_the_definition_only(self) -> None:
        assert done("get_fuel_information").observation.value["fuel_type"] == "ELECTRICITY"
        there = done("get_fuel_information", Rules.PUBLISHED).observation
        assert there.problem is not None
        assert there.problem.code == "unknown_tool"

    def test_nothing_switches_anything_else(self) -> None:
        for tool, given_here in (
            ("set_window_defrost", {"on": True, "defrost_window": "ALL"}),
            ("set_fog_lights", {"on": True}),
            ("open_close_sunroof", {"percentage": 100}),
        ):
            step = done(tool, **given_here)
            assert {change.name for change in step.changes} <= {
                "window_front_defrost",
                "window_rear_defrost",
                "fog_lights",
                "sunroof_position",
            }


@pytest.mark.parametrize(
    ("tool", "given_here", "fault"),
    [
        ("open_close_sunroof", {"percentage": 101}, Fault.LOGGED),
        ("open_close_sunroof", {"percentage": -1}, Fault.LOGGED),
        ("open_close_sunroof", {"percentage": 50.5}, Fault.RAISED),
        ("open_close_sunroof", {"percentage": "50"}, Fault.RAISED),
        ("open_close_sunroof", {}, Fault.RAISED),
        ("open_close_sunroof", {"percentage": 50, "speed": 1}, Fault.RAISED),
        ("open_close_trunk_door", {"action": "closed"}, Fault.LOGGED),
        ("open_close_window", {"window": "ROOF", "percentage": 1}, Fault.LOGGED),
        ("open_close_window", {"window": ["DRIVER"], "percentage": 1}, Fault.LOGGED),
        ("open_close_window", {"window": "DRIVER", "percentage": 200}, Fault.LOGGED),
        ("set_air_circulation", {"mode": "COLD"}, Fault.LOGGED),
        ("set_air_conditioning", {"on": "perhaps"}, Fault.RAISED),
        ("set_air_conditioning", {"on": []}, Fault.RAISED),
        ("set_ambient_lights", {"on": True, "lightcolor": "BLACK"}, Fault.LOGGED),
        ("set_climate_temperature", {"temperature": -1, "seat_zone": "DRIVER"}, Fault.LOGGED),
        ("set_climate_temperature", {"temperature": 101, "seat_zone": "DRIVER"}, Fault.LOGGED),
        ("set_climate_temperature", {"temperature": 15, "seat_zone": "DRIVER"}, Fault.RAISED),
        ("set_climate_temperature", {"temperature": 30, "seat_zone": "DRIVER"}, Fault.RAISED),
        ("set_climate_temperature", {"temperature": 20.2, "seat_zone": "DRIVER"}, Fault.RAISED),
        ("set_climate_temperature", {"temperature": "warm", "seat_zone": "DRIVER"}, Fault.RAISED),
        ("set_climate_temperature", {"temperature": 20, "seat_zone": "REAR"}, Fault.LOGGED),
        ("set_fan_airflow_direction", {"direction": "UP"}, Fault.LOGGED),
        ("set_fan_speed", {"level": 6}, Fault.LOGGED),
        ("set_fan_speed", {"level": None}, Fault.RAISED),
        ("set_reading_light", {"position": ["ALL"], "on": True}, Fault.LOGGED),
        ("set_seat_heating", {"level": 4, "seat_zone": "DRIVER"}, Fault.LOGGED),
        ("set_steering_wheel_heating", {"level": -1}, Fault.LOGGED),
        ("set_window_defrost", {"on": True, "defrost_window": "SIDE"}, Fault.LOGGED),
    ],
)
@pytest.mark.parametrize("rules", list(Rules))
def test_what_is_wrong_changes_nothing_and_is_classed_as_published(
    tool: str, given_here: dict[str, Any], fault: Fault, rules: Rules
) -> None:
    step = done(tool, rules, **given_here)
    assert step.observation.problem is not None
    assert step.observation.problem.code == "bad_arguments"
    assert (step.fault, step.changes, step.policies) == (fault, (), ())


@pytest.mark.parametrize("word", ["true", "True", "on", "1", "yes", 1])
def test_the_published_world_reads_words_as_true(word: Any) -> None:
    step = done("set_fog_lights", Rules.PUBLISHED, on=word)
    assert [(change.before, change.after) for change in step.changes] == [(False, True)]
    assert done("set_fog_lights", on=word).observation.problem is not None
