"""Distractors: seeded, near ones first, never the task's own, and never a way round."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.conditions.distractors import distractors, keeps_required
from knowact.core.condition import Add, Condition, Hide
from knowact.core.proof import Possibility, prove_task
from knowact.core.task import Task
from knowact.core.tool import Tool
from knowact.worlds.overlay import offered_under
from mini_world import (
    EXTERNAL_MULTI,
    EXTERNAL_SINGLE,
    HYBRID_MULTI,
    INTERNAL_SINGLE,
    TASKS,
    TOOLS,
    make_tool,
)


def harmless(number: int, server: str) -> Tool:
    return make_tool(f"{server}_{number}", {"x": "odd.name"}, {"y": f"odd.value{number}"}, server=server)


NEAR = [harmless(number, "weather") for number in range(6)]
FAR = [harmless(number, "sport") for number in range(20)]
POOL = [*FAR, *NEAR]
DIRECTORY = make_tool("directory", {"person": "contact.name"}, {"town": "contact.city"}, server="people")
"""Tells what `find_contact` tells."""


def added(condition: Condition) -> list[str]:
    return [change.tool for change in condition.changes if isinstance(change, Add)]


class TestTheDraw:
    def test_the_same_seed_gives_the_same_condition(self) -> None:
        assert distractors(EXTERNAL_SINGLE, TOOLS, POOL, 10, 3) == distractors(
            EXTERNAL_SINGLE, TOOLS, POOL, 10, 3
        )

    def test_other_seeds_and_other_tasks_draw_differently(self) -> None:
        other = EXTERNAL_SINGLE.model_copy(update={"id": "other"})
        draws = {tuple(added(distractors(EXTERNAL_SINGLE, TOOLS, POOL, 10, seed))) for seed in range(20)}
        assert len(draws) == 20
        assert added(distractors(other, TOOLS, POOL, 10, 0)) != added(
            distractors(EXTERNAL_SINGLE, TOOLS, POOL, 10, 0)
        )

    @settings(deadline=None, max_examples=40)
    @given(st.sampled_from(TASKS), st.integers(0, 30), st.integers(0, 1000))
    def test_as_many_as_asked_for_or_as_there_are(self, task: Task, count: int, seed: int) -> None:
        condition = distractors(task, TOOLS, POOL, count, seed)
        drawn = added(condition)
        assert len(drawn) == len(set(drawn)) == min(count, len(POOL))
        assert not set(drawn) & set(task.offered)
        assert condition.name == f"distractors-{count}"
        assert condition.withheld == ()

    @pytest.mark.parametrize(("count", "near"), [(4, 4), (6, 6), (10, 6)])
    def test_tools_of_the_same_server_come_first(self, count: int, near: int) -> None:
        for seed in range(10):
            drawn = added(distractors(EXTERNAL_SINGLE, TOOLS, POOL, count, seed))
            assert sum(name.startswith("weather_") for name in drawn) == near

    def test_every_tool_of_the_pool_gets_its_turn(self) -> None:
        draws = Counter(
            name for seed in range(100) for name in added(distractors(INTERNAL_SINGLE, TOOLS, POOL, 13, seed))
        )
        assert set(draws) == {tool.name for tool in POOL}
        assert max(draws.values()) < 100

    @pytest.mark.parametrize("name", ["current_weather", "other::current_weather", "x:: current_weather"])
    def test_the_tasks_own_tool_is_never_drawn_however_it_is_spelt(self, name: str) -> None:
        own = TOOLS["current_weather"].model_copy(update={"name": name})
        assert added(distractors(EXTERNAL_SINGLE, TOOLS, [own], 10, 0)) == []

    def test_one_tool_under_two_spellings_is_drawn_once(self) -> None:
        spelt = [FAR[0].model_copy(update={"name": name}) for name in ("a::sport_0", "b::sport_0")]
        assert len(added(distractors(EXTERNAL_SINGLE, TOOLS, spelt, 10, 0))) == 1

    def test_a_negative_count_is_refused(self) -> None:
        with pytest.raises(ValueError, match="negative"):
            distractors(EXTERNAL_SINGLE, TOOLS, POOL, -1, 0)

    def test_an_empty_pool_only_shuffles(self) -> None:
        condition = distractors(EXTERNAL_MULTI, TOOLS, [], 10, 0)
        assert condition.changes == ()
        assert sorted(condition.order) == sorted(EXTERNAL_MULTI.offered)


class TestTheOrder:
    @settings(deadline=None, max_examples=40)
    @given(st.sampled_from(TASKS), st.integers(0, 12), st.integers(0, 1000))
    def test_it_is_an_order_of_what_is_on_the_table(self, task: Task, count: int, seed: int) -> None:
        condition = distractors(task, TOOLS, POOL, count, seed)
        tools = {**TOOLS, **{tool.name: tool for tool in POOL}}
        shown = [tool.name for tool in offered_under(task.offered, tools, condition)]
        assert shown == list(condition.order)
        assert set(shown) == {*task.offered, *added(condition)}

    def test_no_place_gives_the_tasks_own_tools_away(self) -> None:
        """660 tables of eleven: 60 per place, standard deviation 7.4; four of them are allowed."""
        places = Counter(
            distractors(EXTERNAL_SINGLE, TOOLS, POOL, 10, seed).order.index("current_weather")
            for seed in range(660)
        )
        assert sorted(places) == list(range(11))
        assert all(abs(times - 60) < 30 for times in places.values())

    @pytest.mark.slow
    def test_neither_do_two_of_them_stand_together_or_in_the_plans_order(self) -> None:
        """Two tools among twelve are neighbours in 1/6 of all tables, and in order in half of them."""
        places = [
            tuple(condition.order.index(name) for name in EXTERNAL_MULTI.offered)
            for condition in (distractors(EXTERNAL_MULTI, TOOLS, POOL, 10, seed) for seed in range(400))
        ]
        assert 37 < sum(abs(first - second) == 1 for first, second in places) < 97
        assert 160 < sum(first < second for first, second in places) < 240


class TestTheProof:
    def test_one_that_opens_another_way_is_passed_over(self) -> None:
        for seed in range(10):
            assert "directory" not in added(distractors(EXTERNAL_MULTI, TOOLS, [*POOL, DIRECTORY], 26, seed))

    def test_where_it_opens_nothing_it_may_be_drawn(self) -> None:
        assert added(distractors(EXTERNAL_SINGLE, TOOLS, [DIRECTORY], 10, 0)) == ["directory"]

    def test_two_that_open_a_way_only_together_are_not_both_drawn(self) -> None:
        badge = make_tool("badge_of", {"person": "contact.name"}, {"badge": "contact.badge"})
        city = make_tool("city_of_badge", {"badge": "contact.badge"}, {"town": "contact.city"})
        for seed in range(10):
            assert len(added(distractors(EXTERNAL_MULTI, TOOLS, [badge, city], 10, seed))) == 1

    @settings(deadline=None, max_examples=25)
    @given(st.sampled_from(TASKS), st.integers(0, 1000))
    def test_with_all_of_them_on_the_table_each_required_tool_is_still_required(
        self, task: Task, seed: int
    ) -> None:
        pool = [*FAR[:6], DIRECTORY, *(tool for name, tool in TOOLS.items() if name not in task.offered)]
        condition = distractors(task, TOOLS, pool, 12, seed)
        tools = {**TOOLS, **{tool.name: tool for tool in pool}}
        assert prove_task(task, tools, condition).possibility is Possibility.POSSIBLE
        for name in task.required:
            without = Condition(name="", changes=(Hide(tool=name), *condition.changes))
            assert prove_task(task, tools, without).possibility is not Possibility.POSSIBLE

    def test_what_a_draw_would_do_can_be_asked_beforehand(self) -> None:
        assert keeps_required(EXTERNAL_MULTI, TOOLS, [])
        assert keeps_required(EXTERNAL_MULTI, TOOLS, FAR)
        assert not keeps_required(EXTERNAL_MULTI, TOOLS, [*FAR, DIRECTORY])
        assert keeps_required(HYBRID_MULTI, TOOLS, [make_tool("plus", {}, {"sum": "number.sum"})])

    def test_published_tasks_without_capabilities_get_their_draw_unproven(self) -> None:
        mute = {name: tool.model_copy(update={"capability": None}) for name, tool in TOOLS.items()}
        assert added(distractors(EXTERNAL_MULTI, mute, [DIRECTORY], 10, 0)) == ["directory"]

    def test_a_tool_of_unknown_capability_does_not_switch_the_proof_off(self) -> None:
        mute = FAR[0].model_copy(update={"capability": None, "server": "people"})
        draws = [added(distractors(EXTERNAL_MULTI, TOOLS, [mute, DIRECTORY], 2, seed)) for seed in range(20)]
        assert not [drawn for drawn in draws if "directory" in drawn]
