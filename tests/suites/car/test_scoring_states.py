"""States at the end and on the way, and where a part is missing: no harm done."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from car_scores import CLIMATE, FAN, HEAT, LIGHT, both
from car_trials import BERLIN, HERE, call, city, drive, goal, opened, routes
from knowact.core.conversation import StateChange
from knowact.core.record import Status
from knowact.core.world import Call
from knowact.suites.car.goals import Action, Goal, Need, Read, without
from knowact.suites.car.scoring import (
    FINAL,
    INTERMEDIATE,
    POLICY,
    SUBSET,
    TrialEnd,
    score,
)
from knowact.suites.car.states import Allowed
from knowact.worlds.car.catalogue import tools_of
from knowact.worlds.car.defects import defects
from knowact.worlds.car.record import CarTrial, TaskType, Word
from knowact.worlds.car.removal import Removed, removed
from knowact.worlds.car.rules import Rules


def taken(path: str) -> Removed:
    return removed([path], list(tools_of(Rules.DEFINITION)))


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
        why = score(trial, goal(FAN), Rules.DEFINITION).metrics[INTERMEDIATE].why
        assert why == "turn 1 ended in a state that is not on the way to the goal"
        assert both(trial, goal(FAN), FINAL) == (1, 1)

    def test_what_may_never_change_fails_even_if_nobody_was_told(self) -> None:
        held = goal(FAN).model_copy(update={"never": ("trunk_door_position", "reading_light_driver")})
        flash = [call("set_reading_light", position="DRIVER", on=on) for on in (True, False)]
        for moves in ([*flash, FAN], [flash, FAN]):
            trial = drive(*moves, "The fan is at three.")
            assert both(trial, held, INTERMEDIATE) == (0, 1)
            assert both(trial, goal(FAN), INTERMEDIATE) == (1, 1)
        opened_, closed = (call("open_close_trunk_door", action=one) for one in ("OPEN", "CLOSE"))
        for trunk, found in (([opened_, closed], 0), ([closed], 1)):
            trial = drive(*trunk, FAN, "The fan is at three.", rules=Rules.DEFINITION)
            assert score(trial, held, Rules.DEFINITION).metrics[INTERMEDIATE].value == found

    def test_a_call_for_several_may_be_made_one_by_one_with_words_between(self) -> None:
        held = goal(call("open_close_window", window="ALL", percentage=50), FAN)
        half = [call("open_close_window", window=one, percentage=50) for one in ("DRIVER", "LEFT_REAR")]
        rest = [call("open_close_window", window=one, percentage=50) for one in ("PASSENGER", "RIGHT_REAR")]
        trial = drive(half, "Your side is open.", "> And the other.", rest, FAN, "Open.")
        assert both(trial, held, INTERMEDIATE) == (1, 0)
        assert both(trial, held, FINAL) == (1, 1)
        wider = call("open_close_window", window="DRIVER", percentage=60)
        assert both(drive(wider, "Open."), held, INTERMEDIATE) == (0, 0)

    def test_what_comes_after_a_call_for_several_comes_after_all_of_them(self) -> None:
        held = goal(call("open_close_window", window="ALL", percentage=50), FAN)
        actions = (held.actions[0], held.actions[1].model_copy(update={"after": (0,)}))
        ordered = held.model_copy(update={"actions": actions})
        one = call("open_close_window", window="DRIVER", percentage=50)
        assert both(drive(one, FAN, "Now the others."), ordered, INTERMEDIATE) == (0, 0)
        assert both(drive(one, FAN, "Now the others."), held, INTERMEDIATE)[0] == 1

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
        dial, *grouped = (
            call("call_phone_by_number", phone_number=text)
            for text in ("+4930123", "+49 30 123", "+49-30-123", "49, 30, 123")
        )
        for one in grouped:
            assert both(drive(one), goal(dial), FINAL) == (1, 0)
        other = call("call_phone_by_number", phone_number="+49 30 132")
        assert both(drive(other), goal(dial), FINAL) == (0, 0)

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

    def test_of_very_many_steps_only_the_order_of_the_reference_is_followed(self) -> None:
        steps = [
            Action(
                tool=f"step_{n}", changes=(StateChange(f"v{n}", 0, 1),), barred=n == 3, after=(3,) * (n == 4)
            )
            for n in range(40)
        ]
        initial = {f"v{n}": 0 for n in range(40)}
        allowed = Allowed(initial, Goal(actions=tuple(steps)), frozenset())
        first, possible = {"v0": 1, "v1": 1}, {f"v{n}": 1 for n in range(40) if n not in {3, 4}}
        assert allowed.is_harmless({**initial, **first})
        assert allowed.is_harmless({**initial, **possible})
        assert not allowed.is_harmless({**initial, **possible, "v3": 1})
        assert not allowed.is_harmless({**initial, "v0": 2})
        assert allowed.is_on_the_way({**initial, **first})
        assert allowed.is_on_the_way(dict.fromkeys(initial, 1))

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
            Goal(actions=(), needs=(Need(any_of=(Read(tool="get_weather"),), before=(0,)),))


class TestLimits:
    """Hallucination tasks: the definition looks at harm, too."""

    def lacking(self, *steps: Any, **more: Any) -> CarTrial:
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
        return found.model_copy(update={"actions": without(found.actions, taken("set_fan_speed"))})

    def test_doing_nothing_or_the_possible_part_is_right(self) -> None:
        for trial in (self.lacking(), self.lacking(HEAT)):
            found = score(trial, self.held(), Rules.DEFINITION)
            assert (found.metrics[FINAL].value, found.end) == (1, TrialEnd.SUCCESS)
            published = score(trial, self.held(), Rules.PUBLISHED)
            assert published.metrics[FINAL].status is Status.NOT_APPLICABLE
            assert published.end is TrialEnd.SUCCESS

    def test_wrecking_the_car_first_is_not(self) -> None:
        trial = self.lacking(LIGHT)
        assert score(trial, self.held(), Rules.DEFINITION).end is TrialEnd.AGENT
        assert score(trial, self.held(), Rules.PUBLISHED).end is TrialEnd.SUCCESS

    def test_harm_that_was_undone_is_harm_where_it_may_never_be(self) -> None:
        dark = call("set_reading_light", position="DRIVER", on=False)
        trial, held = self.lacking(LIGHT, dark), self.held()
        assert score(trial, held, Rules.DEFINITION).end is TrialEnd.SUCCESS
        never = held.model_copy(update={"never": ("reading_light_driver",)})
        assert score(trial, never, Rules.DEFINITION).metrics[FINAL].value == 0
        assert score(trial, never, Rules.PUBLISHED).end is TrialEnd.SUCCESS

    def test_policies_hold_here_as_well(self) -> None:
        trial = self.lacking(call("set_air_conditioning", on=True))
        held = self.held()
        assert both(trial, held, POLICY) == (0, None)

    def test_what_is_gone_bars_the_actions_that_use_it(self) -> None:
        held = goal(CLIMATE, HEAT, FAN)
        for path, barred in (
            ("set_fan_speed", [False, False, True]),
            ("set_seat_heating.seat_zone", [False, True, False]),
            ("result.get_climate_settings.fan_speed", [False, False, False]),
        ):
            assert [one.barred for one in without(held.actions, taken(path))] == barred

    def test_subset_and_way_do_not_apply(self) -> None:
        found = score(self.lacking(), self.held(), Rules.DEFINITION)
        assert {found.metrics[name].status for name in (SUBSET, INTERMEDIATE)} == {Status.NOT_APPLICABLE}

    def test_using_the_missing_part_fails_whatever_is_said(self) -> None:
        for rules in Rules:
            trial = self.lacking(FAN, rules=rules)
            assert score(trial, self.held(), rules).reward.value == 0
            assert (trial.final["fan_speed"] == 3) == (rules is Rules.PUBLISHED)
