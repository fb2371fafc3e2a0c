"""Range and charging: the published check values, and that times and states of charge agree."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from car_asking import done
from knowact.worlds.car.battery import Charging, kilometers
from knowact.worlds.car.context import ChargingCurve, Context
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.databases.rows import Plug, PowerType
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.world import CarWorld

DATA = CarWorld().open({}, 0).car.databases


def station_with(power_type: PowerType, power_kw: int) -> dict[str, str]:
    """The ids of a charging station and of a plug that it has."""
    for city in DATA.locations:
        for poi in DATA.pois_at(city, "charging_stations"):
            for one in poi.charging_plugs or ():
                if (one.power_type, one.power_kw) == (power_type, power_kw):
                    return {"charging_station_id": poi.id, "charging_station_plug_id": one.plug_id}
    raise AssertionError


STATION = DATA.pois_at("loc_mun_9995", "charging_stations")[0]
PLUG = next(iter(STATION.charging_plugs or ()))
AT = {"charging_station_id": STATION.id, "charging_station_plug_id": PLUG.plug_id}

many = settings(deadline=None, max_examples=120)
percents = st.integers(0, 100)
powers = st.sampled_from([11, 22, 50, 150, 350])
contexts = st.builds(
    Context,
    battery_capacity_kwh=st.sampled_from([60, 80, 100]),
    useable_battery_percentage=st.sampled_from([90, 95]),
    max_charging_power_ac=st.sampled_from([11, 22]),
    max_charging_power_dc=st.sampled_from([150, 250, 1000]),
)


def plug(power_kw: int, power_type: PowerType = "DC") -> Plug:
    return Plug(plug_id="plg_cha_000000", power_type=power_type, power_kw=power_kw, availability="available")


class TestPublishedValues:
    """Check values worked out by hand, with the default context."""

    FAST = Charging.at(Context(), plug(150))

    def test_of_the_range_with_ten_percent(self) -> None:
        assert kilometers(Context(), 10) == 51
        seen = done("get_charging_specs_and_status").observation
        assert seen.value["remaining_range"] == "51.0km"

    def test_of_charging_by_target(self) -> None:
        assert self.FAST.published_minutes(20, 80) == 19
        assert self.FAST.published_minutes(85, 80) == 0
        assert self.FAST.published_minutes(85, 100) == 11

    def test_of_charging_by_time(self) -> None:
        assert self.FAST.published_percent(20, 30) == 98
        assert self.FAST.published_percent(20, 600) == 101

    def test_the_definition_ends_at_the_target_and_at_full(self) -> None:
        # 50 points at 150 kW, then 10 at 135 kW, of 76 kWh.
        assert self.FAST.minutes(20, 80) == 19
        assert self.FAST.minutes(20, 70) == pytest.approx(50 * 0.76 / 150 * 60, abs=1)
        assert self.FAST.percent(20, 600) == 100


class TestCharging:
    @many
    @given(contexts, powers, percents, percents)
    def test_for_the_time_that_a_target_takes_reaches_it_and_no_minute_less_does(
        self, context: Context, power: int, start: int, target: int
    ) -> None:
        charging = Charging.at(context, plug(power))
        needed = charging.minutes(start, target)
        assert needed is not None
        assert needed == 0 if target <= start else needed > 0
        if needed:
            assert charging.percent(start, needed) >= target
            assert charging.percent(start, needed - 1) <= target

    @many
    @given(contexts, powers, percents, st.lists(st.integers(0, 2_000), min_size=2, max_size=2))
    def test_longer_never_ends_lower_and_never_above_full(
        self, context: Context, power: int, start: int, minutes: list[int]
    ) -> None:
        charging = Charging.at(context, plug(power))
        short, long = sorted(minutes)
        assert start <= charging.percent(start, short) <= charging.percent(start, long) <= 100

    @many
    @given(contexts, powers, percents, percents)
    def test_is_told_within_a_few_minutes_of_the_published_simulation(
        self, context: Context, power: int, start: int, target: int
    ) -> None:
        charging = Charging.at(context, plug(power))
        ours, theirs = charging.minutes(start, target), charging.published_minutes(start, target)
        assert ours is not None
        assert theirs is not None
        # They keep a minute's power for all of it, and stop a point early, which is slowest at the top.
        assert -2 <= ours - theirs <= 1 / charging.gain(100) + 4

    def test_takes_the_weaker_of_car_and_plug(self) -> None:
        slow = Context(max_charging_power_ac=11, max_charging_power_dc=150)
        assert Charging.at(slow, plug(350)).greatest_kw == 150
        assert Charging.at(slow, plug(50)).greatest_kw == 50
        assert Charging.at(slow, plug(22, "AC")).greatest_kw == 11

    def test_never_ends_where_the_curve_does(self) -> None:
        curve = ChargingCurve(thresholds=(50,), power_shares=(100,))
        charging = Charging.at(Context(charging_curve_parameters=curve), plug(150))
        assert charging.minutes(20, 60) is charging.published_minutes(20, 60) is None
        assert charging.percent(20, 6_000) == 50
        assert 50 <= charging.published_percent(20, 6_000) < 50 + charging.gain(50) + 1


class TestTools:
    def test_a_distance_is_what_the_points_carry(self) -> None:
        seen = done("get_distance_by_soc", initial_state_of_charge=60, final_state_of_charge=10).observation
        assert seen.value["distance_km"] == kilometers(Context(), 50)

    @pytest.mark.parametrize("rules", list(Rules))
    def test_the_battery_does_not_fill_by_driving(self, rules: Rules) -> None:
        step = done("get_distance_by_soc", rules, initial_state_of_charge=10, final_state_of_charge=60)
        assert step.observation.problem is not None
        assert step.fault is Fault.LOGGED

    def test_the_published_range_is_not_checked(self) -> None:
        seen = done("get_distance_by_soc", Rules.PUBLISHED, initial_state_of_charge=150).observation
        assert seen.value["distance_km"] == kilometers(Context(), 150)
        assert not done("get_distance_by_soc", initial_state_of_charge=150).observation.ok

    @pytest.mark.parametrize("rules", list(Rules))
    def test_without_a_target_there_are_the_usual_two(self, rules: Rules) -> None:
        seen = done("calculate_charging_time_by_soc", rules, **AT, start_state_of_charge=30).observation
        assert [one["target_state_of_charge"] for one in seen.value["charging_times"]] == [80, 100]

    def test_a_target_of_nothing_is_reached_at_once_but_not_in_the_published_world(self) -> None:
        at = station_with("AC", 11)
        given: dict[str, Any] = {**at, "start_state_of_charge": 0, "target_state_of_charge": 0}
        ours = done("calculate_charging_time_by_soc", **given).observation.value
        theirs = done("calculate_charging_time_by_soc", Rules.PUBLISHED, **given).observation.value
        assert ours["charging_times"] == [{"target_state_of_charge": 0, "minutes": 0}]
        # The figure of spec car-bench.md: the way to 80 percent at 11 kW.
        assert theirs["charging_times"] == [{"target_state_of_charge": 0, "minutes": 348}]

    def test_of_the_published_check_values_without_a_target(self) -> None:
        at = station_with("DC", 150)
        tool, rules = "calculate_charging_time_by_soc", Rules.PUBLISHED
        times = done(tool, rules, **at, start_state_of_charge=85).observation.value["charging_times"]
        assert [one["minutes"] for one in times] == [0, 11]
        for minutes, percent in ((30, 98), (600, 101)):
            seen = done(
                "calculate_charging_soc_by_time",
                rules,
                **at,
                start_state_of_charge=20,
                charging_time=minutes,
            ).observation
            assert seen.value["state_of_charge"] == percent

    @pytest.mark.parametrize(
        ("given", "fault"),
        [
            ({"start_state_of_charge": 90, "target_state_of_charge": 20}, Fault.LOGGED),
            ({"start_state_of_charge": 101}, Fault.LOGGED),
            ({"charging_station_id": "poi_cha_000000"}, Fault.LOGGED),
            ({"charging_station_id": "station"}, Fault.RAISED),
            ({"charging_station_id": "the station"}, Fault.LOGGED),
            ({"charging_station_plug_id": "plg_cha_000000"}, Fault.LOGGED),
            ({"charging_station_id": DATA.pois_at("loc_mun_9995", "bakery")[0].id}, Fault.RAISED),
        ],
    )
    def test_what_does_not_fit_is_refused_as_published(self, given: dict[str, Any], fault: Fault) -> None:
        usual: dict[str, Any] = {**AT, "start_state_of_charge": 10}
        step = done("calculate_charging_time_by_soc", Rules.PUBLISHED, **{**usual, **given})
        assert step.observation.problem is not None
        assert step.fault is fault
