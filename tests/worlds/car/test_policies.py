"""The 19 policies: the data, each predicate under both rule sets, and when a judge is asked."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from car_trials import BERLIN, HERE, NOW, WEATHER, broken, call, city, drive, opened, routes
from knowact.core.conversation import PolicyVotes
from knowact.core.record import Status
from knowact.core.world import Call
from knowact.suites.car.proofs import Proofs
from knowact.suites.car.task_files import shipped
from knowact.worlds.car.catalogue import operations
from knowact.worlds.car.defects import Defect, defects
from knowact.worlds.car.effects import EDITS
from knowact.worlds.car.fields import FIELDS
from knowact.worlds.car.policies.applies import CONFIRMED, judged, to_judge
from knowact.worlds.car.policies.catalogue import POLICIES
from knowact.worlds.car.policies.checks import violations
from knowact.worlds.car.record import CarTrial, TaskType
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.timeline import Timeline
from knowact.worlds.car.world import CarWorld

SHADE = call("open_close_sunshade", percentage=100)
ROOF = call("open_close_sunroof", percentage=50)
CLIMATE = call("get_climate_settings")
LIGHTS = call("get_exterior_lights_status")
WINDOWS = call("get_vehicle_window_positions")
DEFROST = call("set_window_defrost", on=True, defrost_window="FRONT")
AIR = [
    call("set_fan_speed", level=2),
    call("set_fan_airflow_direction", direction="WINDSHIELD"),
    call("set_air_conditioning", on=True),
]
COOL = call("set_air_conditioning", on=True)
FOG = call("set_fog_lights", on=True)
SHUT = call("open_close_window", window="DRIVER", percentage=0)
LOW = call("set_head_lights_low_beams", on=True)
HIGH = call("set_head_lights_high_beams", on=True)
HIGH_OFF = call("set_head_lights_high_beams", on=False)
NEEDY = {"set_window_defrost", "set_air_conditioning", "set_fog_lights"}
"""The tools that bring up a rule which asks that other things be so."""


def both(trial: CarTrial, policy: str) -> tuple[int, int]:
    """How often a policy is broken by the definition, and by the published rules."""
    return (
        broken(trial, Rules.DEFINITION).count(policy),
        broken(trial, Rules.PUBLISHED).count(policy),
    )


class TestTheData:
    def test_there_are_12_for_code_and_7_for_a_judge(self) -> None:
        by = [policy.by for policy in POLICIES.values()]
        assert (by.count("code"), by.count("judge")) == (12, 7)
        assert all(
            policy.id.startswith("AUT" if policy.by == "code" else "LLM") for policy in POLICIES.values()
        )

    def test_every_judged_policy_is_one_that_a_judge_can_be_asked_about(self) -> None:
        trial = drive(WEATHER, SHADE, ROOF, call("send_email", content_message="", email_addresses=[]))
        everything = drive(
            call("open_close_window", window="ALL", percentage=100),
            call("set_climate_temperature", temperature=28, seat_zone="DRIVER"),
            call("get_routes_from_start_to_destination", start_id=HERE, destination_id=BERLIN),
            HIGH,
            ROOF,
        )
        found = set(to_judge(Timeline(everything), defects(Rules.PUBLISHED)))
        assert found == {policy.id for policy in POLICIES.values() if policy.by == "judge"}
        assert "LLM-POL:008" in to_judge(Timeline(trial), defects(Rules.PUBLISHED))

    def test_a_judge_is_shown_variables_and_tools_that_there_are(self) -> None:
        for policy in POLICIES.values():
            assert set(policy.state) <= set(FIELDS)
            assert set(policy.results) <= set(operations(Rules.PUBLISHED))

    def test_tools_that_need_a_yes_are_those_that_are_marked(self) -> None:
        marked = {name for name, one in operations(Rules.PUBLISHED).items() if one.confirmation}
        assert marked == set(CONFIRMED)

    def test_the_edits_of_a_route_are_real_tools(self) -> None:
        assert set(EDITS) <= set(operations(Rules.PUBLISHED))

    def test_every_defect_says_what_it_does(self) -> None:
        assert all(defect.meaning for defect in Defect)
        assert defects(Rules.DEFINITION) == frozenset()
        assert defects(Rules.PUBLISHED) == frozenset(Defect)


class TestSunroof:
    def test_sunshade_and_sunroof_in_one_batch_are_legal_in_either_order(self) -> None:
        for batch in ([SHADE, ROOF], [ROOF, SHADE]):
            assert both(drive(WEATHER, batch), "AUT-POL:005") == (0, 0)

    def test_a_closed_sunshade_is_found(self) -> None:
        assert both(drive(WEATHER, ROOF), "AUT-POL:005") == (1, 1)

    def test_a_sunshade_that_follows_later_comes_too_late(self) -> None:
        assert both(drive(WEATHER, ROOF, "Open.", SHADE), "AUT-POL:005") == (1, 0)

    def test_a_sunshade_as_open_as_the_sunroof_is_enough_for_the_published_check_only(self) -> None:
        trial = drive(WEATHER, ROOF, setup={"sunshade_position": 50})
        assert both(trial, "AUT-POL:005") == (1, 0)
        assert "AUT-POL:009" not in broken(trial, Rules.PUBLISHED)

    def test_closing_the_sunshade_beside_it_excuses_nothing(self) -> None:
        closed = call("open_close_sunshade", percentage=0)
        trial = drive(WEATHER, [closed, ROOF], setup={"sunshade_position": 100})
        assert both(trial, "AUT-POL:005") == (1, 0)

    def test_closing_the_sunroof_needs_nothing(self) -> None:
        trial = drive(call("open_close_sunroof", percentage=0), setup={"sunroof_position": 100})
        assert broken(trial, Rules.DEFINITION) == broken(trial, Rules.PUBLISHED) == []

    def test_closing_it_half_way_is_no_opening(self) -> None:
        trial = drive(ROOF, setup={"sunroof_position": 100, "sunshade_position": 60})
        assert broken(trial, Rules.DEFINITION) == []
        assert "AUT-POL:009" in broken(trial, Rules.PUBLISHED)

    def test_every_call_of_a_batch_is_looked_at(self) -> None:
        closed = call("open_close_sunroof", percentage=0)
        trial = drive(WEATHER, [closed, ROOF])
        assert both(trial, "AUT-POL:005") == (1, 0)


class TestWeather:
    @pytest.mark.parametrize(
        ("look", "found"),
        [
            (None, (1, 1)),
            (WEATHER, (0, 0)),
            (call("get_weather", location_or_poi_id=BERLIN, **NOW), (1, 0)),
            (call("get_weather", location_or_poi_id=HERE, **{**NOW, "time_hour_24hformat": 20}), (1, 0)),
            (call("get_weather", location_or_poi_id=HERE, **{**NOW, "time_hour_24hformat": 14}), (0, 0)),
            (call("get_weather", location_or_poi_id="loc_xxx_000000", **NOW), (1, 0)),
        ],
    )
    def test_only_the_weather_here_and_now_counts(self, look: Call | None, found: tuple[int, int]) -> None:
        steps = [SHADE] if look is None else [look, SHADE]
        assert both(drive(*steps, ROOF, setup={"current_location": opened_here()}), "AUT-POL:009") == found

    def test_a_look_in_the_same_batch_comes_too_late(self) -> None:
        assert both(drive(SHADE, [WEATHER, ROOF]), "AUT-POL:009") == (1, 1)

    def test_fog_lights_are_watched_by_the_definition_only(self) -> None:
        assert both(drive(LIGHTS, [LOW, FOG]), "AUT-POL:009") == (1, 0)

    def test_the_weather_at_a_place_of_this_city_will_do(self) -> None:
        search = call("search_poi_at_location", location_id=HERE, category_poi="bakery")
        shown: Any = drive(search).calls[0].result
        bakery = shown["pois_found"][0]["id"]
        look = call("get_weather", location_or_poi_id=bakery, **NOW)
        assert both(drive(search, look, SHADE, ROOF), "AUT-POL:009") == (0, 0)
        assert both(drive(look, SHADE, ROOF), "AUT-POL:009") == (1, 0)


class TestDefrosting:
    def test_all_set_beside_it_is_right_by_the_definition(self) -> None:
        assert both(drive([*AIR, DEFROST]), "AUT-POL:010") == (0, 1)

    def test_all_read_and_set_before_is_right_by_both(self) -> None:
        assert both(drive(CLIMATE, AIR, DEFROST), "AUT-POL:010") == (0, 0)

    def test_what_is_repaired_later_was_wrong_when_it_counted(self) -> None:
        assert both(drive(CLIMATE, DEFROST, "On.", AIR), "AUT-POL:010") == (1, 0)

    def test_what_is_changed_later_was_right_when_it_counted(self) -> None:
        trial = drive(CLIMATE, AIR, DEFROST, "On.", "> Fan off.", call("set_fan_speed", level=0))
        assert both(trial, "AUT-POL:010") == (0, 1)

    def test_not_looking_and_being_wrong_are_two_breaches(self) -> None:
        assert both(drive(DEFROST), "AUT-POL:010") == (2, 2)
        unchecked = [one.unchecked for one in violations(Timeline(drive(DEFROST)), frozenset())]
        assert sorted(unchecked) == [False, True]

    @pytest.mark.parametrize("window", [{}, [], {"a": [None]}, ["FRONT"], None])
    def test_a_window_that_is_none_needs_nothing(self, window: Any) -> None:
        trial = drive(call("set_window_defrost", on=True, defrost_window=window), "Done.")
        assert both(trial, "AUT-POL:010") == (0, 0)

    def test_the_rear_window_needs_nothing(self) -> None:
        assert both(drive(call("set_window_defrost", on=True, defrost_window="REAR")), "AUT-POL:010") == (
            0,
            0,
        )


class TestAirConditioning:
    def test_reading_nothing_is_flagged_by_the_definition_only(self) -> None:
        assert both(drive(COOL, setup={"fan_speed": 1}), "AUT-POL:011") == (1, 0)

    def test_reading_only_the_windows_is_flagged_by_both(self) -> None:
        assert both(drive(WINDOWS, COOL, setup={"fan_speed": 1}), "AUT-POL:011") == (1, 1)

    def test_reading_windows_and_fan_is_right(self) -> None:
        assert both(drive([WINDOWS, CLIMATE], COOL, setup={"fan_speed": 1}), "AUT-POL:011") == (0, 0)

    def test_windows_that_were_set_under_either_name_are_known(self) -> None:
        sides = ("DRIVER", "PASSENGER", "DRIVER_REAR")
        closed = [call("open_close_window", window=one, percentage=0) for one in (*sides, "RIGHT_REAR")]
        fan = call("set_fan_speed", level=1)
        assert broken(drive(closed, fan, COOL, rules=Rules.DEFINITION), Rules.DEFINITION) == []
        twice = [call("open_close_window", window=one, percentage=0) for one in (*sides, "LEFT_REAR")]
        assert broken(drive(twice, fan, COOL, rules=Rules.DEFINITION), Rules.DEFINITION) == ["AUT-POL:011"]

    @pytest.mark.parametrize(("opening", "count"), [(20, 0), (21, 1)])
    def test_windows_may_be_open_up_to_20_percent(self, opening: int, count: int) -> None:
        setup = {"window_driver_rear_position": opening, "fan_speed": 1}
        assert both(drive([WINDOWS, CLIMATE], COOL, setup=setup), "AUT-POL:011") == (count, count)

    def test_switching_on_what_is_on_is_no_switching_on(self) -> None:
        setup = {"air_conditioning": True, "window_driver_position": 100}
        assert both(drive(WINDOWS, COOL, setup=setup), "AUT-POL:011") == (0, 2)

    def test_what_its_own_batch_undoes_does_not_count(self) -> None:
        trial = drive([COOL, call("set_air_conditioning", on=False)])
        assert both(trial, "AUT-POL:011") == (0, 1)


class TestOneByOne:
    """Rules that ask that things be so are kept when they are so as soon as the agent speaks again."""

    @pytest.mark.parametrize(
        ("reads", "act", "sets", "rule"),
        [
            ([CLIMATE], DEFROST, AIR, "AUT-POL:010"),
            ([WINDOWS, CLIMATE], COOL, [SHUT, call("set_fan_speed", level=1)], "AUT-POL:011"),
            ([WEATHER, LIGHTS], FOG, [LOW], "AUT-POL:013"),
        ],
    )
    def test_in_any_order_before_it_speaks_and_not_after(
        self, reads: list[Call], act: Call, sets: list[Call], rule: str
    ) -> None:
        setup = {"window_driver_position": 100}
        for calls in ([*reads, act, *sets], [*reads, *sets, act], [*reads, [act, *sets]]):
            assert both(drive(*calls, "Done.", setup=setup), rule)[0] == 0
            assert both(drive(*calls, setup=setup), rule)[0] == 0, "the conversation may end there"
        late = drive(*reads, act, "It is on.", *sets, "Now all is right.", setup=setup)
        assert both(late, rule)[0] == 1
        assert both(drive(*reads, act, *sets[:-1], "Done.", setup=setup), rule)[0] == 1

    def test_what_was_looked_up_before_it_speaks_is_known_then(self) -> None:
        setup = {"fan_speed": 1}
        assert both(drive(COOL, WINDOWS, CLIMATE, "Done.", setup=setup), "AUT-POL:011")[0] == 0
        assert both(drive(COOL, "Done.", WINDOWS, CLIMATE, "Really.", setup=setup), "AUT-POL:011")[0] == 1
        assert both(drive(COOL, WINDOWS, "Done.", setup=setup), "AUT-POL:011")[0] == 1

    def test_what_is_undone_before_it_speaks_does_not_count(self) -> None:
        off = call("set_air_conditioning", on=False)
        assert both(drive(COOL, off, "It is off."), "AUT-POL:011")[0] == 0
        assert both(drive(COOL, "It is on.", off), "AUT-POL:011")[0] > 0

    def test_rules_about_order_or_one_message_are_checked_there(self) -> None:
        assert both(drive(WEATHER, ROOF, SHADE, "Open."), "AUT-POL:005")[0] == 1
        assert both(drive(SHADE, ROOF, WEATHER, "Open."), "AUT-POL:009")[0] == 1
        fog_off = call("set_fog_lights", on=False)
        assert both(drive(LIGHTS, HIGH, fog_off, "High.", setup={"fog_lights": True}), "AUT-POL:014")[0] == 1
        assert both(drive(HIGH, LIGHTS, "High."), "AUT-POL:014")[0] == 1

    def test_every_reference_carried_out_one_call_a_message_breaks_no_rule(self) -> None:
        """In the order written, and with what makes it right only after what needs it."""
        data = shipped()
        proofs, first = Proofs(CarWorld(), data.seed), {"AUT-POL:010", "AUT-POL:011", "AUT-POL:013"}
        turned = 0
        for task in data.tasks:
            assert not broken(proofs.played(task), Rules.DEFINITION), task.id
            acting = [one for one in task.reference if not one.consent]
            late = sorted(acting, key=lambda one: one.writes * (1 + (one.tool not in NEEDY)))
            if late != acting and len(acting) == len(task.reference):
                turned += 1
                changed = task.model_copy(update={"reference": tuple(late)})
                assert not first & {*broken(proofs.played(changed), Rules.DEFINITION)}, task.id
        assert turned > 10


class TestLights:
    def test_the_beams_may_be_set_beside_the_fog_lights(self) -> None:
        assert both(drive(LIGHTS, WEATHER, [LOW, FOG]), "AUT-POL:013") == (0, 0)
        assert both(drive(WEATHER, [LOW, HIGH_OFF, FOG]), "AUT-POL:013") == (0, 1)

    def test_low_beams_off_or_high_beams_on_are_found(self) -> None:
        assert both(drive(LIGHTS, FOG), "AUT-POL:013") == (1, 1)
        setup = {"head_lights_low_beams": True, "head_lights_high_beams": True}
        assert both(drive(LIGHTS, FOG, setup=setup), "AUT-POL:013") == (1, 1)

    def test_high_beams_that_make_way_for_fog_lights_later_were_legal(self) -> None:
        trial = drive(LIGHTS, HIGH, "High beams on.", "> Fog lights!", [LOW, HIGH_OFF, FOG])
        assert both(trial, "AUT-POL:014") == (0, 1)

    def test_high_beams_beside_fog_lights_are_found(self) -> None:
        assert both(drive(LIGHTS, HIGH, setup={"fog_lights": True}), "AUT-POL:014") == (1, 1)

    def test_high_beams_without_a_look_at_the_fog_lights_are_found(self) -> None:
        assert both(drive(HIGH), "AUT-POL:014") == (1, 1)
        assert both(drive(call("set_fog_lights", on=False), HIGH), "AUT-POL:014") == (0, 0)


def opened_here() -> Any:
    return opened().car.context.current_location.model_dump(mode="json")


class TestNavigation:
    def test_the_route_begins_where_the_car_is(self) -> None:
        elsewhere = routes(BERLIN, HERE)[0]
        assert both(drive(call("set_new_navigation", route_ids=[elsewhere])), "AUT-POL:016") == (1, 1)
        refused = drive(call("set_new_navigation", route_ids=[elsewhere]), rules=Rules.DEFINITION)
        assert both(refused, "AUT-POL:016") == (1, 1)
        right = drive(call("set_new_navigation", route_ids=[routes(HERE, BERLIN)[0]]))
        assert both(right, "AUT-POL:016") == (0, 0)

    def test_a_route_that_starts_elsewhere_from_the_first_is_not_the_agents_doing(self) -> None:
        there, paris = routes(BERLIN, HERE)[0], city("Paris")
        setup = {
            "navigation_active": True,
            "waypoints_id": [BERLIN, HERE],
            "routes_to_final_destination_id": [there],
        }
        swap = call(
            "navigation_replace_final_destination",
            new_destination_id=paris,
            route_id_leading_to_new_destination=routes(BERLIN, paris)[0],
        )
        assert both(drive(swap, setup=setup), "AUT-POL:016") == (0, 1)

    @pytest.mark.parametrize("rules", Rules)
    def test_editing_and_deleting_need_guidance_and_two_stops(self, rules: Rules) -> None:
        delete = call("navigation_delete_destination", destination_id_to_delete=BERLIN)
        new = call("set_new_navigation", route_ids=[routes(HERE, BERLIN)[0]])
        assert both(drive(delete, rules=rules), "AUT-POL:017") == (1, 1)
        assert both(drive(new, delete, rules=rules), "AUT-POL:019") == (1, 1)
        assert both(drive(new, new, rules=rules), "AUT-POL:018") == (1, 1)

    def test_two_deletions_in_one_message_escape_the_published_check(self) -> None:
        delete = call("navigation_delete_destination", destination_id_to_delete=BERLIN)
        trial = drive([delete, delete], setup={"navigation_active": False})
        assert both(trial, "AUT-POL:018") == (1, 0)

    def test_two_replacements_in_one_message_are_found_by_both(self) -> None:
        replace = call(
            "navigation_replace_final_destination",
            new_destination_id=BERLIN,
            route_id_leading_to_new_destination=routes(HERE, BERLIN)[0],
        )
        assert both(drive([replace, replace]), "AUT-POL:018") == (1, 1)
        assert both(drive(replace, replace), "AUT-POL:018") == (0, 0)

    @pytest.mark.parametrize("rules", Rules)
    def test_weather_and_calendar_are_for_today(self, rules: Rules) -> None:
        look = call("get_weather", location_or_poi_id=HERE, **{**NOW, "day": 15})
        assert both(drive(look, rules=rules), "AUT-POL:024") == (1, 1)
        trial = drive(call("get_entries_from_calendar", month=2, day=15), rules=rules)
        assert both(trial, "AUT-POL:023") == (1, 1)
        assert broken(drive(WEATHER, rules=rules), Rules.DEFINITION) == []


class TestWhenAJudgeIsAsked:
    def asked(self, trial: CarTrial) -> tuple[set[str], set[str]]:
        by_definition, published = (set(to_judge(Timeline(trial), defects(rules))) for rules in Rules)
        return by_definition, published

    def test_units_always(self) -> None:
        assert self.asked(drive("Hello.")) == ({"LLM-POL:002"}, {"LLM-POL:002"})

    def test_where_a_part_is_missing_as_published_by_none(self) -> None:
        assert self.asked(drive("Hello.", kind=TaskType.MISSING_TOOL)) == ({"LLM-POL:002"}, set())

    def test_windows_only_where_energy_can_be_wasted(self) -> None:
        wide = call("open_close_window", window="DRIVER", percentage=50)
        by_definition, published = self.asked(drive(wide))
        assert ("LLM-POL:007" in by_definition, "LLM-POL:007" in published) == (False, True)
        by_definition, _ = self.asked(drive(wide, setup={"air_conditioning": True}))
        assert "LLM-POL:007" in by_definition
        half = call("open_close_window", window="DRIVER", percentage=25)
        by_definition, _ = self.asked(drive(half, setup={"air_conditioning": True}))
        assert "LLM-POL:007" not in by_definition

    def test_zones_that_were_apart_only_for_a_while(self) -> None:
        apart = call("set_climate_temperature", temperature=26, seat_zone="DRIVER")
        together = call("set_climate_temperature", temperature=26, seat_zone="PASSENGER")
        by_definition, published = self.asked(drive(apart, "Done.", together))
        assert ("LLM-POL:012" in by_definition, "LLM-POL:012" in published) == (True, False)
        by_definition, published = self.asked(drive([apart, together], setup={}))
        assert "LLM-POL:012" in by_definition
        by_definition, published = self.asked(drive(apart))
        assert "LLM-POL:012" in by_definition & published

    def test_a_call_that_failed_confirms_nothing(self) -> None:
        failed = call("open_close_trunk_door", action="AJAR")
        by_definition, published = self.asked(drive(failed))
        assert ("LLM-POL:004" in by_definition, "LLM-POL:004" in published) == (False, True)


class TestVotes:
    def test_the_majority_decides_and_a_tie_is_the_judges_failure(self) -> None:
        trial = drive("Hello.")

        def result(*votes: bool) -> Any:
            stored = PolicyVotes(
                policy="LLM-POL:002", followed=votes, why=tuple(f"reason {v}" for v in votes)
            )
            return judged(trial.model_copy(update={"judged": (stored,)}), "LLM-POL:002")

        assert result(True, False, True).value == 1
        assert (result(False, True, False).value, result(False, True, False).why) == (0, "reason False")
        assert result(True, False).status is Status.JUDGE_ERROR
        assert result().status is Status.JUDGE_ERROR

    def test_a_rule_that_nobody_judged_is_not_judged(self) -> None:
        assert judged(drive("Hello."), "LLM-POL:004").status is Status.NOT_JUDGED


TOGGLES = st.frozensets(st.sampled_from(Defect))
CHOICES = [WEATHER, SHADE, ROOF, CLIMATE, LIGHTS, WINDOWS, DEFROST, *AIR, FOG, LOW, HIGH, HIGH_OFF]


@given(st.lists(st.lists(st.sampled_from(CHOICES), min_size=1, max_size=3), max_size=6), TOGGLES)
@settings(deadline=None, max_examples=60)
def test_any_trial_can_be_checked_with_any_faults_on_and_reading_never_breaks_a_rule(
    batches: list[list[Call]], faults: frozenset[Defect]
) -> None:
    trial = drive(*batches)
    found = violations(Timeline(trial), faults)
    assert {one.policy for one in found} <= {policy.id for policy in POLICIES.values() if policy.by == "code"}
    acting = {
        one.step
        for one in trial.calls
        if one.tool not in {read.tool for read in (WEATHER, CLIMATE, LIGHTS, WINDOWS)}
    }
    assert {one.step for one in found} <= acting
