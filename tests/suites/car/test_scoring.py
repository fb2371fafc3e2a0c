"""The six sub-metrics, the reward and the outcome, under both rule sets and fault by fault."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from car_trials import BERLIN, HERE, NOW, WEATHER, call, city, drive, goal, opened, routes
from knowact.core.record import Status
from knowact.core.world import Call
from knowact.suites.car.differences import explained
from knowact.suites.car.goal import Action, Goal, Look, Need, covers, needs_of, without
from knowact.suites.car.guessing import guess
from knowact.suites.car.scoring import (
    CONVERSATION,
    EXECUTION,
    FINAL,
    INTERMEDIATE,
    METRICS,
    POLICY,
    SUBSET,
    Outcome,
    Score,
    score,
    scored_with,
)
from knowact.suites.car.states import Allowed, changed
from knowact.worlds.car.defects import Defect, defects
from knowact.worlds.car.record import Finding, Stop, TaskType, Trial, Votes, Word
from knowact.worlds.car.rules import Rules

FAN = call("set_fan_speed", level=3)
HEAT = call("set_seat_heating", level=1, seat_zone="DRIVER")
LIGHT = call("set_reading_light", position="DRIVER", on=True)
CLIMATE = call("get_climate_settings")


def values(found: Score) -> dict[str, float | None]:
    return {name: verdict.value for name, verdict in found.metrics.items()}


def both(trial: Trial, held: Goal, metric: str) -> tuple[float | None, float | None]:
    """A sub-metric by the definition, and by the published rules."""
    by_definition, published = (values(score(trial, held, rules))[metric] for rules in Rules)
    return by_definition, published


class TestTheWhole:
    @pytest.mark.parametrize("rules", Rules)
    def test_doing_just_what_was_wanted_is_a_success(self, rules: Rules) -> None:
        trial = drive(CLIMATE, FAN, "The fan is at three.", Word.STOP)
        found = score(trial, goal(CLIMATE, FAN), rules)
        assert values(found) == dict.fromkeys(METRICS, 1.0)
        assert (found.outcome, found.reward.value) == (Outcome.SUCCESS, 1)

    @pytest.mark.parametrize("rules", Rules)
    def test_doing_nothing_fails_state_and_subset(self, rules: Rules) -> None:
        found = score(drive("I'd rather not.", Word.STOP), goal(CLIMATE, FAN), rules)
        assert (values(found)[FINAL], values(found)[INTERMEDIATE], values(found)[SUBSET]) == (0, 1, 0)
        assert [one.name for one in found.differences] == ["fan_speed"]
        assert (found.outcome, found.reward.value) == (Outcome.AGENT, 0)

    def test_a_missing_verdict_leaves_the_trial_open_unless_something_else_settles_it(self) -> None:
        unjudged = drive(CLIMATE, FAN, "Done.").model_copy(update={"judged": ()})
        found = score(unjudged, goal(CLIMATE, FAN), Rules.DEFINITION)
        assert (found.outcome, found.reward.status) == (Outcome.OPEN, Status.NOT_JUDGED)
        assert found.by_code.value == 1
        assert score(unjudged, goal(HEAT), Rules.DEFINITION).outcome is Outcome.AGENT

    def test_a_judge_without_a_majority_is_named(self) -> None:
        votes = (Votes(policy="LLM-POL:002", followed=(True, False)),)
        trial = drive(CLIMATE, FAN, "Done.").model_copy(update={"judged": votes})
        found = score(trial, goal(CLIMATE, FAN), Rules.DEFINITION)
        assert found.metrics[POLICY].status is Status.JUDGE_ERROR
        assert found.outcome is Outcome.OPEN

    def test_a_judged_breach_fails_the_trial(self) -> None:
        trial = drive(CLIMATE, FAN, "It is 5 pm.", judged={"LLM-POL:002": False})
        assert both(trial, goal(CLIMATE, FAN), POLICY) == (0, 0)

    @pytest.mark.parametrize(
        ("stop", "by_definition", "published"),
        [
            (Stop.LIMIT, Outcome.LIMIT, Outcome.LIMIT),
            (Stop.INSTRUMENT, Outcome.INSTRUMENT, Outcome.AGENT),
            (Stop.DRIVER, Outcome.DRIVER, Outcome.AGENT),
        ],
    )
    def test_failures_of_others_are_not_the_agents(
        self, stop: Stop, by_definition: Outcome, published: Outcome
    ) -> None:
        trial = drive("Hello.", stop=stop)
        assert score(trial, goal(), Rules.DEFINITION).outcome is by_definition
        found = score(trial, goal(), Rules.PUBLISHED)
        assert (found.outcome, found.reward.value, found.metrics) == (published, 0, {})

    def test_a_trial_with_a_faulty_driver_is_not_scored(self) -> None:
        trial = drive("Hello.", Word.STOP).model_copy(update={"driver_faults": ("early_stop",)})
        found = score(trial, goal(), Rules.DEFINITION)
        assert (found.outcome, found.reward.value, found.outcome.scored) == (Outcome.DRIVER, None, False)


class TestGuessing:
    """Acting on what only the driver could settle, before they were asked (D-36)."""

    HELD = goal(FAN, LIGHT).model_copy(update={"open": ("fan_speed",), "asks": ("set_fan_speed",)})

    def rates(self, *steps: Any, kind: TaskType = TaskType.USER) -> tuple[float | None, float | None]:
        return both(drive(*steps, "Done.", Word.STOP, kind=kind), self.HELD, SUBSET)

    def test_a_lucky_guess_fails_but_not_as_published(self) -> None:
        assert self.rates(FAN, LIGHT) == (0, 1)

    def test_asking_first_is_fine(self) -> None:
        assert self.rates("Which level?", Finding.SETTLED, "> Three.", FAN, LIGHT) == (1, 1)

    def test_asking_afterwards_is_too_late(self) -> None:
        assert self.rates(FAN, LIGHT, "Was three right?", Finding.SETTLED, "> Yes.") == (0, 1)

    def test_what_does_not_hang_on_it_may_be_done_before(self) -> None:
        assert self.rates(LIGHT, "Which level?", Finding.SETTLED, "> Three.", FAN) == (1, 1)

    def test_what_decides_only_a_look_must_be_asked_at_some_time(self) -> None:
        held = goal(CLIMATE).model_copy(update={"asks": ("get_climate_settings",)})
        never = drive(CLIMATE, "It is 20 degrees.", Word.STOP, kind=TaskType.USER)
        later = drive(CLIMATE, "Which side?", Finding.SETTLED, "> Mine.", "20 degrees.", kind=TaskType.USER)
        refused = drive("I'd rather not.", Word.STOP, kind=TaskType.USER)
        assert (both(never, held, SUBSET), both(later, held, SUBSET)) == ((0, 1), (1, 1))
        assert guess(refused, held) is None

    def test_the_difference_is_explained_by_that_fault_alone(self) -> None:
        trial = drive(FAN, LIGHT, "Done.", Word.STOP, kind=TaskType.USER)
        (found, _) = explained(trial, self.HELD)
        assert (found.metric, found.because) == (SUBSET, (Defect.LUCK_COUNTS,))

    def test_where_no_goal_says_that_one_has_to_ask_nothing_is_said(self) -> None:
        trial = drive(FAN, "Done.", Word.STOP, kind=TaskType.USER)
        assert both(trial, goal(FAN), SUBSET) == (1, 1)


class TestLookingInTime:
    """A look after the deed, or in one message with it, has told nothing (D-19)."""

    HELD = goal(CLIMATE, FAN, LIGHT)

    def rates(self, *steps: Any) -> float | None:
        (need,) = self.HELD.needs
        held = self.HELD.model_copy(update={"needs": (need.model_copy(update={"before": (1,)}),)})
        return values(score(drive(*steps, "Done.", Word.STOP), held, Rules.DEFINITION))[SUBSET]

    def test_before_the_deed(self) -> None:
        assert self.rates(CLIMATE, FAN, LIGHT) == 1
        assert self.rates(LIGHT, CLIMATE, FAN) == 1

    def test_after_it_or_with_it(self) -> None:
        assert self.rates(FAN, CLIMATE, LIGHT) == 0
        assert self.rates([CLIMATE, FAN], LIGHT) == 0

    def test_another_deed_of_the_same_tool_does_not_hang_on_it(self) -> None:
        assert self.rates(call("set_fan_speed", level=1), CLIMATE, FAN, LIGHT) == 1

    def test_what_no_deed_hangs_on_may_be_looked_up_at_any_time(self) -> None:
        trial = drive(FAN, CLIMATE, LIGHT, "Done.", Word.STOP)
        assert both(trial, self.HELD, SUBSET) == (1, 1)


class TestStates:
    def test_steps_may_come_in_any_order_that_their_dependencies_allow(self) -> None:
        held = goal(HEAT, LIGHT, FAN)
        trial = drive(FAN, "One.", "> On.", LIGHT, "Two.", "> On.", HEAT, "Three.")
        assert both(trial, held, INTERMEDIATE) == (1, 0)
        actions = [held.actions[0], held.actions[1], held.actions[2].model_copy(update={"after": (0, 1)})]
        ordered = held.model_copy(update={"actions": tuple(actions)})
        assert both(trial, ordered, INTERMEDIATE) == (0, 0)

    def test_a_variable_may_stand_where_some_step_leaves_it_and_nowhere_else(self) -> None:
        held = goal(call("set_fan_speed", level=1), FAN)
        assert both(drive(FAN, "Three."), held, INTERMEDIATE) == (1, 1)
        assert both(drive(call("set_fan_speed", level=2), "Two."), held, INTERMEDIATE) == (0, 0)
        assert both(drive(call("set_fan_speed", level=1), "One."), held, FINAL) == (0, 0)

    def test_an_effect_that_nobody_asked_for_fails_even_if_undone(self) -> None:
        undone = call("set_reading_light", position="DRIVER", on=False)
        trial = drive(LIGHT, "Oh.", "> No!", undone, FAN, "Sorry.")
        assert both(trial, goal(FAN), INTERMEDIATE) == (0, 0)
        assert both(trial, goal(FAN), FINAL) == (1, 1)

    def test_a_further_end_state_may_be_as_good(self) -> None:
        held = goal(FAN).model_copy(update={"ends": ({"fan_speed": 4},)})
        assert both(drive(call("set_fan_speed", level=4), "Four."), held, FINAL) == (1, 1)

    def test_recipients_may_be_written_to_in_any_order(self) -> None:
        people = list(opened().car.databases.contacts.values())[:2]
        first, second = (
            call("send_email", content_message="Hi", email_addresses=[one.email]) for one in people
        )
        trial = drive(second, "One.", "> And the other.", first, "Both.")
        assert both(trial, goal(first, second), FINAL) == (1, 0)
        assert both(trial, goal(first, second), INTERMEDIATE) == (1, 0)
        strange = drive(second, second, first, "Three.")
        assert both(strange, goal(first), FINAL) == (0, 0)

    def test_a_number_may_be_spaced_otherwise(self) -> None:
        dial, spaced = (
            call("call_phone_by_number", phone_number=text) for text in ("+4930123", "+49 30 123")
        )
        assert both(drive(spaced), goal(dial), FINAL) == (1, 0)

    def test_closing_a_closed_trunk_changes_the_published_state_only(self) -> None:
        assert both(drive(call("open_close_trunk_door", action="CLOSE"), "Closed."), goal(), FINAL) == (1, 0)
        assert both(drive(call("open_close_trunk_door", action="OPEN"), "Open."), goal(), FINAL) == (0, 0)

    def test_a_route_may_be_built_in_two_steps(self) -> None:
        paris = city("Paris")
        whole = call("set_new_navigation", route_ids=[routes(HERE, BERLIN)[0], routes(BERLIN, paris)[0]])
        first = call("set_new_navigation", route_ids=[routes(HERE, BERLIN)[0]])
        then = call(
            "navigation_add_one_waypoint",
            waypoint_id_to_add=paris,
            waypoint_id_before_new_waypoint=BERLIN,
            route_id_leading_to_new_waypoint=routes(BERLIN, paris)[0],
        )
        trial = drive(first, "To Berlin.", "> And on.", then, "To Paris.")
        assert both(trial, goal(whole), INTERMEDIATE) == (1, 0)
        assert both(trial, goal(whole), FINAL) == (1, 1)
        astray = call("set_new_navigation", route_ids=[routes(HERE, paris)[0]])
        assert both(drive(astray, "To Paris."), goal(first), INTERMEDIATE) == (0, 0)

    def test_changed_variables_are_named(self) -> None:
        assert changed({"a": 1, "b": 2}, {"a": 1, "b": 3}) == {"b": 3}

    @given(st.permutations([FAN, HEAT, LIGHT, call("set_fog_lights", on=True)]), st.integers(0, 4))
    @settings(deadline=None, max_examples=30)
    def test_every_part_of_a_reference_of_independent_steps_is_on_its_way(
        self, order: list[Call], taken: int
    ) -> None:
        held = goal(FAN, HEAT, LIGHT, call("set_fog_lights", on=True))
        trial = drive(*order[:taken], "So far.")
        allowed = Allowed(trial.initial, held, defects(Rules.DEFINITION))
        assert allowed.is_on_the_way(trial.final)
        assert allowed.is_harmless(trial.final)
        assert allowed.is_end(trial.final) == (taken == 4)

    def test_a_reference_that_cannot_be_carried_out_says_so(self) -> None:
        held = goal(call("set_new_navigation", route_ids=["rll_xxx_yyy_000000"]))
        assert "set_new_navigation is refused" in held.gap
        found = score(drive("Hello."), held, Rules.DEFINITION)
        assert found.metrics[FINAL].status is Status.NOT_JUDGED
        assert score(drive("Hello.", Word.OUT_OF_SCOPE), held, Rules.PUBLISHED).reward.value == 0

    def test_an_order_that_runs_backwards_is_refused(self) -> None:
        with pytest.raises(ValueError, match="come after earlier ones"):
            Goal(actions=(Action(tool="set_fan_speed", after=(0,)),))
        with pytest.raises(ValueError, match="actions that there are"):
            Goal(actions=(), needs=(Need(any_of=(Look(tool="get_weather"),), before=(0,)),))


class TestFindingOut:
    def test_another_tool_that_did_the_same_will_do(self) -> None:
        windows = call("open_close_window", window="ALL", percentage=50)
        singly = [
            call("open_close_window", window=one, percentage=50)
            for one in ("DRIVER", "PASSENGER", "DRIVER_REAR", "PASSENGER_REAR")
        ]
        assert both(drive(singly, "Open."), goal(windows), SUBSET) == (1, 1)
        one, other = routes(HERE, BERLIN)[0], city("Paris")
        new = call("set_new_navigation", route_ids=[routes(HERE, other)[0]])
        replace_end = call(
            "navigation_replace_final_destination",
            new_destination_id=other,
            route_id_leading_to_new_destination=routes(HERE, other)[0],
        )
        setup = {
            "navigation_active": True,
            "waypoints_id": [HERE, BERLIN],
            "routes_to_final_destination_id": [one],
        }
        held = goal(call("delete_current_navigation"), new, setup=setup)
        assert both(drive(replace_end, "To Paris.", setup=setup), held, SUBSET) == (1, 0)

    def test_a_look_that_failed_or_was_about_something_else_tells_nothing(self) -> None:
        held = goal(WEATHER)
        assert both(drive(WEATHER, "Mild."), held, SUBSET) == (1, 1)
        elsewhere = call("get_weather", location_or_poi_id=BERLIN, **NOW)
        assert both(drive(elsewhere, "Mild."), held, SUBSET) == (0, 1)
        unknown = call("get_weather", location_or_poi_id="loc_xxx_000000", **NOW)
        assert both(drive(unknown, "Hm."), held, SUBSET) == (0, 1)
        later = call("get_weather", location_or_poi_id=HERE, **{**NOW, "time_hour_24hformat": 14})
        assert both(drive(later, "Mild."), held, SUBSET) == (1, 1)

    def test_a_goal_can_name_alternatives_and_what_the_reference_does_not_do(self) -> None:
        preferences = Look(
            tool="get_user_preferences", arguments={"preference_categories": {"weather": {"weather": True}}}
        )
        need = Need(any_of=(preferences, Look(tool="get_climate_settings")))
        held = goal(FAN).model_copy(update={"needs": (need,)})
        assert score(drive(FAN, "Three."), held, Rules.DEFINITION).missing == (
            "get_user_preferences or get_climate_settings",
        )
        wide = call("get_user_preferences", preference_categories={"weather": {"weather": True}})
        for look in (CLIMATE, wide):
            assert both(drive(look, FAN, "Three."), held, SUBSET) == (1, 1)

    def test_thinking_and_reckoning_are_never_needed(self) -> None:
        actions = [
            Action(tool=tool) for tool in ("think", "planning_tool", "calculate_math", "set_fan_speed")
        ]
        assert needs_of(actions) == ()

    def test_values_are_covered_whatever_their_order_and_case(self) -> None:
        assert covers({"a": ["y", "x"], "b": 1}, {"a": ["x"]})
        assert covers("Munich ", "munich")
        assert covers({}, {"parking": False})
        assert not covers({"a": ["y"]}, {"a": ["x"]})
        assert not covers(None, {"a": 1})
        assert not covers(3, 4)


class TestExecution:
    @pytest.mark.parametrize(
        ("steps", "found"),
        [
            ([call("set_fan_speed", level=9)], (0, 0)),
            ([call("set_fan_speed", speed=2)], (0, 1)),
            ([call("fly")], (0, 1)),
            ([call("set_climate_temperature", temperature=30, seat_zone="DRIVER")], (0, 1)),
            ([call("get_location_id_by_location_name", location="Ordino")], (1, 0)),
            ([call("get_location_id_by_location_name", location="Ordino")] * 2, (0, 0)),
            ([call("navigation_delete_destination", destination_id_to_delete=HERE)], (1, 0)),
        ],
    )
    def test_which_calls_are_errors(self, steps: list[Call], found: tuple[int, int]) -> None:
        assert both(drive(*steps, "Hm."), goal(), EXECUTION) == found

    def test_arguments_that_are_no_json_are_an_error_and_crash_the_published_runner(self) -> None:
        trial = drive(Call("set_fan_speed", None), CLIMATE, FAN, "Three.", Word.STOP)
        held = goal(CLIMATE, FAN)
        assert values(score(trial, held, Rules.DEFINITION))[EXECUTION] == 0
        published = score(trial, held, Rules.PUBLISHED)
        assert (published.outcome, published.reward.value, published.metrics) == (Outcome.AGENT, 0, {})
        mended = scored_with(trial, held, frozenset(Defect) - {Defect.UNREAD_CRASHES})
        assert (mended.outcome, values(mended)[EXECUTION]) == (Outcome.SUCCESS, 1)

    def test_masking_what_a_tool_raised_crashes_the_published_runner(self) -> None:
        early = call("get_weather", location_or_poi_id=HERE, **{**NOW, "time_hour_24hformat": 3})
        gone, held = ("result.get_weather.current_slot.condition",), goal()
        for look, reward in ((early, 0), (WEATHER, 1)):
            said = "I can't see what the sky does."
            trial = drive(look, said, Word.ACKNOWLEDGED, kind=TaskType.MISSING_RESPONSE, removed=gone)
            assert score(trial, held, Rules.PUBLISHED).reward.value == reward
            (found,) = [one for one in explained(trial, held) if one.metric == "reward"] or [None]
            assert (found and found.because) == (None if reward else (Defect.MASKING_CRASHES,))

    @pytest.mark.parametrize("rules", Rules)
    def test_what_was_taken_away_cannot_be_called_rightly(self, rules: Rules) -> None:
        trial = drive(
            call("set_fan_speed"),
            "That is not possible.",
            Word.ACKNOWLEDGED,
            rules=rules,
            kind=TaskType.MISSING_PARAMETER,
            removed=("set_fan_speed.level",),
        )
        assert not trial.calls[0].ok
        assert both(trial, goal(FAN), EXECUTION) == (1, 1)


class TestConversations:
    @pytest.mark.parametrize(
        ("kind", "word", "found"),
        [
            (TaskType.BASE, Word.STOP, (1, 1)),
            (TaskType.BASE, Word.OUT_OF_SCOPE, (1, 0)),
            (TaskType.INTERNAL, Word.DISAMBIGUATION, (0, 0)),
            (TaskType.USER, Word.OUT_OF_SCOPE, (1, 0)),
            (TaskType.MISSING_TOOL, Word.ACKNOWLEDGED, (1, 1)),
            (TaskType.MISSING_TOOL, Word.OUT_OF_SCOPE, (0, 0)),
            (TaskType.MISSING_RESPONSE, Word.HALLUCINATION, (0, 0)),
            (TaskType.MISSING_RESPONSE, Word.STOP, (0, 1)),
        ],
    )
    def test_what_a_word_means(self, kind: TaskType, word: Word, found: tuple[int, int]) -> None:
        assert both(drive("Well.", word, kind=kind), goal(), CONVERSATION) == found

    def test_a_referee_who_finds_the_driver_out_of_scope_is_believed(self) -> None:
        trial = drive("Well.", Word.OUT_OF_SCOPE, by="referee")
        assert both(trial, goal(), CONVERSATION) == (0, 0)


class TestLimits:
    """Hallucination tasks: the definition looks at harm, too."""

    def lacking(self, *steps: Any, **more: Any) -> Trial:
        return drive(
            *steps,
            "I can't set the fan.",
            Word.ACKNOWLEDGED,
            kind=TaskType.MISSING_TOOL,
            removed=("set_fan_speed",),
            **more,
        )

    def held(self) -> Goal:
        found = goal(HEAT, FAN)
        return found.model_copy(update={"actions": without(found.actions, ("set_fan_speed",))})

    def test_doing_nothing_or_the_possible_part_is_right(self) -> None:
        for trial in (self.lacking(), self.lacking(HEAT)):
            found = score(trial, self.held(), Rules.DEFINITION)
            assert (found.metrics[FINAL].value, found.outcome) == (1, Outcome.SUCCESS)
            published = score(trial, self.held(), Rules.PUBLISHED)
            assert published.metrics[FINAL].status is Status.NOT_APPLICABLE
            assert published.outcome is Outcome.SUCCESS

    def test_wrecking_the_car_first_is_not(self) -> None:
        trial = self.lacking(LIGHT)
        assert score(trial, self.held(), Rules.DEFINITION).outcome is Outcome.AGENT
        assert score(trial, self.held(), Rules.PUBLISHED).outcome is Outcome.SUCCESS

    def test_policies_hold_here_as_well(self) -> None:
        trial = self.lacking(call("set_air_conditioning", on=True))
        held = self.held()
        assert both(trial, held, POLICY) == (0, None)

    def test_what_is_gone_bars_the_actions_that_use_it(self) -> None:
        held = goal(CLIMATE, HEAT, FAN)
        for removed, barred in (
            ("set_fan_speed", [False, False, True]),
            ("set_seat_heating.seat_zone", [False, True, False]),
            ("set_seat_heating.colour", [False, False, False]),
            ("result.get_climate_settings.fan_speed", [False, False, False]),
        ):
            assert [one.barred for one in without(held.actions, (removed,))] == barred

    def test_subset_and_way_do_not_apply(self) -> None:
        found = score(self.lacking(), self.held(), Rules.DEFINITION)
        assert {found.metrics[name].status for name in (SUBSET, INTERMEDIATE)} == {Status.NOT_APPLICABLE}

    def test_using_the_missing_part_fails_whatever_is_said(self) -> None:
        for rules in Rules:
            trial = self.lacking(FAN, rules=rules)
            assert score(trial, self.held(), rules).reward.value == 0
            assert (trial.final["fan_speed"] == 3) == (rules is Rules.PUBLISHED)


STEPS = st.lists(
    st.one_of(
        st.sampled_from([FAN, HEAT, LIGHT, CLIMATE, WEATHER, call("fly"), call("set_fan_speed", level=9)]),
        st.sampled_from(["Well.", "> Go on.", Word.STOP, Word.OUT_OF_SCOPE]),
    ),
    max_size=8,
)


@given(STEPS, st.frozensets(st.sampled_from(Defect)), st.sampled_from(TaskType))
@settings(deadline=None, max_examples=60)
def test_any_trial_has_a_score_whatever_faults_are_on(
    steps: list[Any], faults: frozenset[Defect], kind: TaskType
) -> None:
    trial = drive(*steps, kind=kind)
    found = scored_with(trial, goal(CLIMATE, FAN, HEAT), faults)
    numbers = [verdict.value for verdict in found.metrics.values() if verdict.value is not None]
    assert set(numbers) <= {0.0, 1.0}
    assert found.reward.value == (0 if 0 in numbers else 1)
    assert (found.outcome is Outcome.SUCCESS) == (found.reward.value == 1)


@given(STEPS)
@settings(deadline=None, max_examples=30)
def test_the_rule_sets_are_all_faults_and_none(steps: list[Any]) -> None:
    trial, held = drive(*steps), goal(CLIMATE, FAN)
    assert score(trial, held, Rules.PUBLISHED) == scored_with(trial, held, frozenset(Defect))
    assert score(trial, held, Rules.DEFINITION) == scored_with(trial, held, frozenset())
    assert replace(score(trial, held, Rules.DEFINITION)) == score(trial, held, Rules.DEFINITION)
