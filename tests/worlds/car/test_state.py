"""The 31 variables and the 12: ranges, defaults, changes and undoing."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.conversation import StateChange
from knowact.core.errors import BadUsage, UnknownName
from knowact.worlds.car.context import VARIABLES, ChargingCurve, Context, Moment, context_of
from knowact.worlds.car.fields import FIELDS, Choice, Field, Level, Switch, Text, Texts, fields_of
from knowact.worlds.car.rules import Rules, rules_named
from knowact.worlds.car.state import State
from knowact.worlds.car.world import CarWorld


def admitted(kind: Field) -> st.SearchStrategy[Any]:
    match kind:
        case Switch():
            return st.booleans()
        case Level(lowest, highest, step):
            steps = st.integers(int(lowest / step), int(highest / step))
            return steps.map(lambda number: number * step)
        case Choice(words):
            return st.sampled_from(words)
        case Text():
            return st.text(max_size=10)
        case Texts():
            return st.lists(st.text(max_size=10), max_size=4)


writings = st.lists(
    st.sampled_from(list(FIELDS)).flatmap(lambda name: st.tuples(st.just(name), admitted(FIELDS[name]))),
    max_size=12,
)


class TestVariables:
    def test_there_are_31_that_change_and_12_that_do_not(self) -> None:
        assert (len(FIELDS), len(VARIABLES)) == (31, 12)
        assert not set(FIELDS) & set(VARIABLES)

    @pytest.mark.parametrize("rules", list(Rules))
    def test_every_default_is_a_value_that_the_variable_can_have(self, rules: Rules) -> None:
        for kind in fields_of(rules).values():
            assert kind.admitted(kind.default) == kind.default

    def test_the_defaults_are_those_of_the_spec(self) -> None:
        snapshot = State({}).snapshot()
        assert snapshot["climate_temperature_driver"] == 20
        assert snapshot["fan_airflow_direction"] == "FEET"
        assert snapshot["air_circulation"] == "AUTO"
        assert snapshot["ambient_light"] == "OFF"
        assert sum(value in (0, [], False) for value in snapshot.values()) == 25

    @pytest.mark.parametrize(
        ("name", "wrong"),
        [
            ("sunroof_position", 101),
            ("sunroof_position", -1),
            ("sunroof_position", 0.5),
            ("sunroof_position", True),
            ("sunroof_position", float("nan")),
            ("sunroof_position", 10**400),
            ("climate_temperature_driver", 15.5),
            ("climate_temperature_driver", 20.25),
            ("seat_heating_driver", 4),
            ("fan_speed", 6),
            ("fog_lights", 1),
            ("fog_lights", "true"),
            ("ambient_light", "NONE"),
            ("ambient_light", ["RED"]),
            ("fan_airflow_direction", "feet"),
            ("trunk_door_position", "ajar"),
            ("waypoints_id", "loc_mun_9995"),
            ("waypoints_id", [1]),
        ],
    )
    def test_what_a_variable_cannot_have_is_refused(self, name: str, wrong: Any) -> None:
        with pytest.raises(BadUsage, match=name):
            State({name: wrong})
        with pytest.raises(ValueError, match=name):
            State({}).set(name, wrong)

    def test_the_trunk_has_one_vocabulary_but_not_as_published(self) -> None:
        assert State({"trunk_door_position": "closed"}).snapshot()["trunk_door_position"] == "CLOSE"
        published = State({}, Rules.PUBLISHED)
        assert published.snapshot()["trunk_door_position"] == "closed"
        published.set("trunk_door_position", "CLOSE")
        assert published.changed

    def test_no_other_variable_can_be_written(self) -> None:
        with pytest.raises(KeyError):
            State({}).set("radio", True)


class TestChanges:
    @settings(deadline=None)
    @given(writings)
    def test_what_is_written_is_read_back(self, written: list[tuple[str, Any]]) -> None:
        state = State({})
        for name, value in written:
            state.set(name, value)
        for name, value in dict(written).items():
            assert state.snapshot()[name] == value

    @settings(deadline=None)
    @given(writings, writings)
    def test_undoing_leads_back_to_where_the_call_began(
        self, first: list[tuple[str, Any]], second: list[tuple[str, Any]]
    ) -> None:
        state = State({})
        for name, value in first:
            state.set(name, value)
        state.begin()
        before = state.snapshot()
        for name, value in second:
            state.set(name, value)
        state.undo()
        assert state.snapshot() == before
        assert not state.changed
        assert state.changes() == ()

    @settings(deadline=None)
    @given(writings)
    def test_the_changes_are_exactly_the_difference(self, written: list[tuple[str, Any]]) -> None:
        state = State({})
        before = state.snapshot()
        state.begin()
        for name, value in written:
            state.set(name, value)
        changes = state.changes()
        assert state.changed == bool(changes) == (state.snapshot() != before)
        assert {**before, **{change.name: change.after for change in changes}} == state.snapshot()
        assert all(before[change.name] == change.before != change.after for change in changes)

    def test_writing_back_and_forth_is_no_change(self) -> None:
        state = State({})
        state.begin()
        state.set("fan_speed", 3)
        state.set("fan_speed", 0)
        assert state.changes() == ()

    def test_a_change_names_before_and_after(self) -> None:
        state = State({"waypoints_id": ["a"]})
        state.begin()
        state.set("waypoints_id", ["a", "b"])
        assert state.changes() == (StateChange("waypoints_id", ["a"], ["a", "b"]),)

    def test_equal_values_look_equal_however_they_were_written(self) -> None:
        usual, written = State({}), State({})
        written.set("fan_speed", 0.0)
        written.set("climate_temperature_driver", 20)
        assert json.dumps(usual.snapshot()) == json.dumps(written.snapshot())

    def test_a_list_that_was_read_is_the_readers_own(self) -> None:
        state = State({"waypoints_id": ["a"]})
        state.texts("waypoints_id").append("b")
        assert state.texts("waypoints_id") == ["a"]


class TestContext:
    def test_the_defaults_are_those_of_the_spec(self) -> None:
        context = context_of({})
        assert (context.battery_capacity_kwh, context.useable_battery_percentage) == (80, 95)
        assert (context.max_charging_power_ac, context.max_charging_power_dc) == (11, 250)
        assert (context.energy_consumption, context.state_of_charge) == (15, 10)
        assert context.current_location.id == "loc_mun_9995"
        assert context.current_datetime == Moment(year=2025, month=2, day=14, hour=12, minute=0)
        assert context.usable_energy_kwh == 76

    def test_the_default_location_is_the_city_that_the_databases_know(self) -> None:
        here = context_of({}).current_location
        known = CarWorld().open({}, 0).car.databases.locations[here.id]
        assert (known.name, known.position) == (here.name, here.position)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"battery_capacity_kwh": 59},
            {"max_charging_power_ac": 12},
            {"current_datetime": {"year": 2025, "month": 2, "day": 30, "hour": 0, "minute": 0}},
            {"seats_occupied": {"roof": True}},
            {"user_preferences": {"weather": {"weather": "sun"}}},
            {"charging_curve_parameters": {"thresholds": [10, 5], "power_shares": [1, 2]}},
            {"charging_curve_parameters": {"thresholds": [10], "power_shares": [1, 2]}},
            {"charging_curve_parameters": {"x": [10, 20], "y": [1, 2]}},
            {"charging_curve_parameters": [1, 2]},
        ],
    )
    def test_what_a_variable_cannot_have_is_refused(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(BadUsage, match=next(iter(wrong))):
            context_of(wrong)

    @pytest.mark.parametrize(
        "names", [("soc_tresholds", "power_percentages"), ("thresholds", "power_shares")]
    )
    def test_the_curve_is_read_by_name_in_any_order_and_as_fractions_too(
        self, names: tuple[str, str]
    ) -> None:
        lists: list[tuple[str, Any]] = list(zip(names, ([50.0, 100.0], [1, 0.4]), strict=True))
        for curve in (dict(lists), dict(reversed(lists))):
            read = context_of({"charging_curve_parameters": curve}).charging_curve_parameters
            assert read == ChargingCurve(thresholds=(50, 100), power_shares=(100, 40))

    @pytest.mark.parametrize(
        ("percent", "share"), [(0, 0.6), (5, 0.6), (5.1, 0.9), (20, 1), (100, 0.2), (100.5, 0)]
    )
    def test_a_share_holds_up_to_its_threshold(self, percent: float, share: float) -> None:
        assert Context().charging_curve_parameters.share(percent) == pytest.approx(share)


class TestRules:
    @pytest.mark.parametrize(
        ("name", "rules"),
        [
            ("definition", Rules.DEFINITION),
            ("strict", Rules.DEFINITION),
            ("published", Rules.PUBLISHED),
            ("rev_a", Rules.PUBLISHED),
        ],
    )
    def test_rule_sets_have_names_and_aliases(self, name: str, rules: Rules) -> None:
        assert rules_named(name) is rules

    def test_another_name_is_refused_with_the_near_ones(self) -> None:
        with pytest.raises(UnknownName, match="rev_a"):
            rules_named("rev_b")
