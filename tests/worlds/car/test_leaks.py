"""Cars that give away what was taken away from what they tell."""

from collections.abc import Mapping
from typing import Any

import pytest

from car_trials import call
from knowact.core.world import Call, Observation
from knowact.suites.car.proofs import Proofs
from knowact.suites.car.task_files import shipped
from knowact.worlds.car.leaks import Watch
from knowact.worlds.car.removal import Removed, removed
from knowact.worlds.car.session import CarState, Step
from knowact.worlds.car.world import CarWorld

DATA = shipped()
PROOFS = Proofs(CarWorld(), DATA.seed)
LACKING = [task for task in DATA.tasks if task.removal is not None]
FAN = "result.get_climate_settings.fan_speed"


def taken(*paths: str, bare: bool = False) -> Removed:
    """Parts that are gone; `bare` without what would tell them all the same."""
    found = removed(paths, CarWorld().open({}, 0).tools())
    return Removed(found.paths, found.changes[: len(paths)]) if bare else found


def leaks(
    *paths: str, bare: bool = False, world: CarWorld | None = None, own: tuple[Call, ...] = ()
) -> list[str]:
    return list(Watch(world or CarWorld(), {}, 0, taken(*paths, bare=bare), own).leaks())


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (FAN, ["fan_speed is told by set_fan_speed"]),
        (
            "get_seat_heating_level",
            [f"seat_heating_{zone} is told by set_seat_heating" for zone in ("driver", "passenger")],
        ),
        (
            "result.get_temperature_inside_car.climate_temperature_driver",
            ["climate_temperature_driver is told by set_climate_temperature"],
        ),
        (
            "get_reading_lights_status",
            [
                f"reading_light_{seat} is told by set_reading_light"
                for seat in ("driver", "passenger", "driver_rear", "passenger_rear")
            ],
        ),
        (
            "get_steering_wheel_heating_level",
            ["steering_wheel_heating is told by set_steering_wheel_heating"],
        ),
    ],
)
def test_whether_setting_it_made_a_difference_tells_a_reading(path: str, told: list[str]) -> None:
    """As in hallucination_012, 070, 071, 079 and 089 of cabin@1-A, before `changed` went with the reading."""
    assert leaks(path, bare=True) == told
    assert leaks(path) == []


def test_another_way_to_read_it_is_none_that_was_withheld() -> None:
    assert Watch(CarWorld(), {}, 0, taken("get_charging_specs_and_status")).withheld() == ()
    both = taken("get_charging_specs_and_status", "get_fuel_information")
    assert "state_of_charge" in Watch(CarWorld(), {}, 0, both).withheld()
    topic = "get_user_preferences.preference_categories.weather.weather"
    assert Watch(CarWorld(), {}, 0, taken(topic)).withheld() == ("user_preferences.weather.weather",)
    assert Watch(CarWorld(), {}, 0, taken("set_fan_speed", "get_current_navigation_state")).withheld() == ()


class Chatty(CarState):
    """A car that says how fast its fan is, when the fog lights are on and somebody asks for its colour."""

    def do(self, call: Call) -> Step:
        step = super().do(call)
        if call.tool != "get_car_color" or not self.snapshot()["fog_lights"]:
            return step
        told = {**step.observation.value, "car_color": f"as blue as {self.snapshot()['fan_speed']}"}
        return Step(call, Observation(told))


class ChattyWorld(CarWorld):
    """A world of such cars."""

    def open(self, setup: Mapping[str, Any], seed: int) -> CarState:
        return Chatty(super().open(setup, seed).car)


def test_a_read_that_tells_it_after_a_write_is_found() -> None:
    found = ["fan_speed is told by get_car_color after set_fog_lights"]
    assert leaks(FAN, world=ChattyWorld()) == found
    assert leaks("set_fan_speed", world=ChattyWorld()) == [], "nothing was withheld that can be read"


@pytest.mark.parametrize("tool", ["get_car_color", "calculate_math"])
def test_a_row_that_another_tool_shows_is_found(tool: str) -> None:
    """Where its arguments can't be listed, by the calls that the task itself has."""

    class Foretelling(CarState):
        def do(self, call: Call) -> Step:
            if call.tool != tool:
                return super().do(call)
            here = self.car.databases.weather(self.car.context.current_location.id)
            assert here is not None
            return Step(call, Observation({"result": here.weather[0].condition}))

    class Forecast(CarWorld):
        def open(self, setup: Mapping[str, Any], seed: int) -> CarState:
            return Foretelling(super().open(setup, seed).car)

    own = (call("calculate_math", expression="1 + 1"),)
    assert leaks("get_weather", world=Forecast(), own=own) == [f"condition is told by {tool}"]
    assert leaks("get_weather", own=own) == []


@pytest.mark.slow
@pytest.mark.parametrize("task", LACKING, ids=lambda task: task.id)
def test_no_shipped_task_gives_away_what_it_withholds(task: Any) -> None:
    assert list(PROOFS.leaks(task)) == []


@pytest.mark.slow
def test_most_withheld_readings_are_looked_at() -> None:
    """All but those whose whole point is an id, which nobody can guess."""
    tools = list(CarWorld().open({}, 0).tools())
    reading = [task for task in LACKING if task.removed[0].startswith(("get_", "result."))]
    unseen = {
        task.removed[0]
        for task in reading
        if not Watch(CarWorld(), task.setup, DATA.seed, removed(task.removed, tools)).withheld()
    }
    assert unseen <= {
        "get_routes_from_start_to_destination",
        "get_contact_id_by_contact_name",
        "get_location_id_by_location_name",
        "result.search_poi_at_location.pois_found.phone_number",
    }
