"""What has to be found out: by reads that succeed, are about the right thing and come in time; by asking."""

from typing import Any

import pytest

from car_scores import CLIMATE, FAN, LIGHT, both, values
from car_trials import BERLIN, HERE, NOW, WEATHER, call, city, drive, goal, routes
from knowact.suites.car.differences import explained
from knowact.suites.car.goals import Action, Need, Read, covers, needs_of_actions
from knowact.suites.car.scoring import (
    SUBSET,
    guess,
    score,
    scored_with,
)
from knowact.worlds.car.defects import Defect
from knowact.worlds.car.record import Finding, TaskType, Word
from knowact.worlds.car.rules import Rules


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
    """A read after the write, or in one message with it, has told nothing (D-19)."""

    HELD = goal(CLIMATE, FAN, LIGHT)

    def rates(self, *steps: Any) -> float | None:
        (need,) = self.HELD.needs
        held = self.HELD.model_copy(update={"needs": (need.model_copy(update={"before": (1,)}),)})
        return values(score(drive(*steps, "Done.", Word.STOP), held, Rules.DEFINITION))[SUBSET]

    def test_before_the_write(self) -> None:
        assert self.rates(CLIMATE, FAN, LIGHT) == 1
        assert self.rates(LIGHT, CLIMATE, FAN) == 1

    def test_after_it_or_with_it(self) -> None:
        assert self.rates(FAN, CLIMATE, LIGHT) == 0
        assert self.rates([CLIMATE, FAN], LIGHT) == 0

    def test_another_write_of_the_same_tool_does_not_depend_on_it(self) -> None:
        assert self.rates(call("set_fan_speed", level=1), CLIMATE, FAN, LIGHT) == 1

    def test_what_no_write_depends_on_may_be_read_at_any_time(self) -> None:
        trial = drive(FAN, CLIMATE, LIGHT, "Done.", Word.STOP)
        assert both(trial, self.HELD, SUBSET) == (1, 1)


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
        named = scored_with(drive(unknown, "Hm."), held, frozenset({Defect.FAILED_CALLS_COUNT}))
        assert values(named)[SUBSET] == 1, "that published fault goes by the tool's name alone"
        later = call("get_weather", location_or_poi_id=HERE, **{**NOW, "time_hour_24hformat": 14})
        assert both(drive(later, "Mild."), held, SUBSET) == (1, 1)

    @pytest.mark.parametrize(
        ("asked", "found"), [(12, 1), (14, 1), (9, 1), (11, 1), (8, 0), (15, 0), (21, 0)]
    )
    def test_weather_is_of_its_time_or_of_the_slot_that_is_told_as_the_next(
        self, asked: int, found: int
    ) -> None:
        at = {**NOW, "time_hour_24hformat": asked}
        looked = call("get_weather", location_or_poi_id=HERE, **at)
        trial = drive(looked, "Mild.", rules=Rules.DEFINITION)
        assert both(trial, goal(WEATHER), SUBSET) == (found, 1)

    def test_a_published_look_tells_no_next_slot(self) -> None:
        looked = call("get_weather", location_or_poi_id=HERE, **{**NOW, "time_hour_24hformat": 9})
        assert both(drive(looked, "Mild."), goal(WEATHER), SUBSET) == (0, 1)

    def test_a_goal_can_name_alternatives_and_what_the_reference_does_not_do(self) -> None:
        preferences = Read(
            tool="get_user_preferences", arguments={"preference_categories": {"weather": {"weather": True}}}
        )
        need = Need(any_of=(preferences, Read(tool="get_climate_settings")))
        held = goal(FAN).model_copy(update={"needs": (need,)})
        assert score(drive(FAN, "Three."), held, Rules.DEFINITION).missing == (
            "get_user_preferences or get_climate_settings",
        )
        wide = call("get_user_preferences", preference_categories={"weather": {"weather": True}})
        for read in (CLIMATE, wide):
            assert both(drive(read, FAN, "Three."), held, SUBSET) == (1, 1)

    def test_thinking_and_reckoning_are_never_needed(self) -> None:
        actions = [
            Action(tool=tool) for tool in ("think", "planning_tool", "calculate_math", "set_fan_speed")
        ]
        assert needs_of_actions(actions) == ()

    def test_values_are_covered_whatever_their_order_and_case(self) -> None:
        assert covers({"a": ["y", "x"], "b": 1}, {"a": ["x"]})
        assert covers("Munich ", "munich")
        assert covers({}, {"parking": False})
        assert not covers({"a": ["y"]}, {"a": ["x"]})
        assert not covers(None, {"a": 1})
        assert not covers(3, 4)
