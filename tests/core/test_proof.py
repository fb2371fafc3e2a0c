"""Proofs over the mini world, whose every answer can be worked out by hand."""

from collections.abc import Sequence
from typing import Any

import pytest

from knowact.core.closure import Atom
from knowact.core.condition import Add, Change, Condition, Fail, Hide, Mask, Replace
from knowact.core.proof import (
    Goal,
    Possibility,
    Unprovable,
    check_plan,
    describe,
    goal_of,
    means_under,
    prove,
    prove_task,
    solvable,
)
from knowact.core.task import Boundary, Step, Task, Topology
from knowact.core.tool import Tool
from mini_world import (
    CITY_OF_ANN,
    EMAIL_OF_BOB,
    EXTERNAL,
    EXTERNAL_MULTI,
    EXTERNAL_PARALLEL,
    EXTERNAL_SINGLE,
    HYBRID_MULTI,
    HYBRID_MULTI_INTERNAL_FIRST,
    HYBRID_PARALLEL,
    INTERNAL_MULTI,
    INTERNAL_PARALLEL,
    INTERNAL_SINGLE,
    TASKS,
    TOOLS,
    WEATHER_THERE,
    MiniSession,
    from_step,
    make_task,
    make_tool,
    told,
    weather_in,
)
from timing import units

POSSIBLE, PARTLY, IMPOSSIBLE = Possibility.POSSIBLE, Possibility.PARTLY, Possibility.IMPOSSIBLE


def possibility(task: Task, *changes: Change, extra: Sequence[Tool] = ()) -> Possibility:
    tools = {**TOOLS, **{tool.name: tool for tool in extra}}
    return prove_task(task, tools, Condition(name="changed", changes=changes)).possibility


def everything_holds(_task: Task, _results: Sequence[Any]) -> str:
    return ""


by_id = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)


class TestCompleteTasks:
    """The positive control: what is shown below to be impossible is possible before the change."""

    @by_id
    def test_each_of_the_eight_buckets_is_solvable(self, task: Task) -> None:
        assert solvable(task, TOOLS, MiniSession(), everything_holds) == ""

    @by_id
    def test_topology_and_plan_agree(self, task: Task) -> None:
        assert check_plan(task) == ""

    def test_all_eight_buckets_are_here(self) -> None:
        buckets = {(task.boundary, task.topology) for task in TASKS}
        every = {(boundary, topology) for boundary in Boundary for topology in Topology}
        assert buckets == every - {(Boundary.HYBRID, Topology.SINGLE_HOP)}

    @by_id
    def test_tools_that_the_task_does_not_need_change_nothing(self, task: Task) -> None:
        assert possibility(task, *(Add(tool=name) for name in TOOLS if name not in task.offered)) is POSSIBLE

    @by_id
    def test_without_any_tool_only_internal_tasks_stay_possible(self, task: Task) -> None:
        changes = tuple(Hide(tool=name) for name in task.offered)
        assert (possibility(task, *changes) is POSSIBLE) == (task.boundary is Boundary.INTERNAL)

    def test_facts_that_do_not_hold_make_a_task_unsolvable(self) -> None:
        said = solvable(EXTERNAL_SINGLE, TOOLS, MiniSession(), lambda _task, results: f"got {results}")
        assert said == "got ({'temperature': 21, 'rain': False},)"

    def test_what_cannot_be_reached_is_named(self) -> None:
        task = EXTERNAL_SINGLE.model_copy(update={"offered": ()})
        said = solvable(task, TOOLS, MiniSession(), everything_holds)
        assert said == ('not possible with the offered tools; missing: weather.temperature of ("Lisbon")')

    def test_a_plan_that_fails_in_the_world_is_not_solvable(self) -> None:
        task = make_task("nowhere", Topology.SINGLE_HOP, weather_in("Atlantis"))
        said = solvable(task, TOOLS, MiniSession(), everything_holds)
        assert said == "step 0 (current_weather): There is no such thing here."


class TestRemovedTools:
    @pytest.mark.parametrize(
        ("task", "tool", "expected"),
        [
            (EXTERNAL_SINGLE, "current_weather", IMPOSSIBLE),
            (EXTERNAL_PARALLEL, "current_weather", PARTLY),
            (EXTERNAL_PARALLEL, "find_contact", PARTLY),
            (EXTERNAL_MULTI, "find_contact", IMPOSSIBLE),
            (EXTERNAL_MULTI, "current_weather", IMPOSSIBLE),
            (HYBRID_PARALLEL, "current_weather", PARTLY),
            (HYBRID_MULTI, "current_weather", IMPOSSIBLE),
        ],
        ids=lambda value: getattr(value, "id", str(value)),
    )
    def test_a_required_tool_is_missed(self, task: Task, tool: str, expected: Possibility) -> None:
        assert possibility(task) is POSSIBLE
        assert possibility(task, Hide(tool=tool)) is expected

    def test_preparing_an_argument_is_not_a_part_of_the_answer(self) -> None:
        assert possibility(HYBRID_MULTI_INTERNAL_FIRST, Hide(tool="read_note")) is IMPOSSIBLE

    @pytest.mark.parametrize(
        "task", [task for task in TASKS if task.boundary is not Boundary.EXTERNAL], ids=lambda task: task.id
    )
    def test_a_tool_for_an_internal_step_is_never_missed(self, task: Task) -> None:
        internal = {step.tool for step in task.plan if not step.external}
        assert possibility(task, *(Hide(tool=tool) for tool in internal)) is POSSIBLE

    @by_id
    def test_exactly_the_required_tools_are_missed(self, task: Task) -> None:
        missed = {name for name in task.offered if possibility(task, Hide(tool=name)) is not POSSIBLE}
        assert missed == task.required

    def test_the_witness_is_what_was_wanted_and_not_reached(self) -> None:
        proof = prove_task(EXTERNAL_PARALLEL, TOOLS, Condition(name="", changes=(Hide(tool="find_contact"),)))
        assert proof.missing == {Atom("contact.email", ('"Bob"',))}


class TestEntities:
    def test_knowing_one_city_does_not_tell_the_weather_of_another(self) -> None:
        both = make_task("both", Topology.MULTI_HOP, CITY_OF_ANN, WEATHER_THERE, weather_in("Oslo"))
        assert possibility(both) is POSSIBLE
        proof = prove_task(both, TOOLS, Condition(name="", changes=(Hide(tool="find_contact"),)))
        assert proof.possibility is PARTLY
        assert proof.missing == {Atom("weather.temperature", ('"Lisbon"',))}

    def test_the_same_city_in_the_query_makes_the_first_step_needless(self) -> None:
        same = make_task("same", Topology.MULTI_HOP, CITY_OF_ANN, WEATHER_THERE, weather_in("Lisbon"))
        assert possibility(same, Hide(tool="find_contact")) is POSSIBLE

    def test_one_contacts_email_is_not_anothers(self) -> None:
        wants_both = CITY_OF_ANN.model_copy(update={"wants": ("email",)})
        task = make_task("emails", Topology.PARALLEL, EMAIL_OF_BOB, wants_both)
        assert goal_of(task, TOOLS).wanted == {
            Atom("contact.email", ('"Ann"',)),
            Atom("contact.email", ('"Bob"',)),
        }
        only_bob = Goal(frozenset({Atom("contact.name", ('"Bob"',))}), (), goal_of(task, TOOLS).wanted)
        proof = prove(only_bob, means_under(task.offered, TOOLS))
        assert (proof.possibility, proof.missing) == (PARTLY, {Atom("contact.email", ('"Ann"',))})

    def test_a_value_beside_the_subject_is_not_confused_with_another_one_of_its_kind(self) -> None:
        """Ann's address goes into a note about Ann; knowing an address from the query is no help."""
        file_address = make_tool(
            "file_address",
            {"title": "note.title", "email": "contact.email"},
            {},
            about=["title"],
            changes=["note.exists"],
        )
        said = {"title": told("Ann"), "email": from_step("ann@example.org", 0, "email")}
        filed = Step(tool="file_address", boundary=EXTERNAL, arguments=said)
        message = {"to": told("bob@example.org"), "text": told("hello")}
        sent = Step(tool="send_message", boundary=EXTERNAL, arguments=message)
        task = make_task("file", Topology.MULTI_HOP, CITY_OF_ANN, filed, sent)
        assert possibility(task, extra=[file_address]) is POSSIBLE
        assert possibility(task, Hide(tool="find_contact"), extra=[file_address]) is PARTLY


class TestMasks:
    def test_a_parameter_that_must_be_told_is_missed(self) -> None:
        gone = Mask(tool="current_weather", part="parameter", name="city")
        assert possibility(EXTERNAL_SINGLE, gone) is IMPOSSIBLE
        assert possibility(EXTERNAL_PARALLEL, gone) is PARTLY

    def test_a_parameter_that_may_be_left_out_is_not(self) -> None:
        gone = Mask(tool="current_weather", part="parameter", name="unit")
        assert possibility(EXTERNAL_SINGLE, gone) is POSSIBLE

    def test_a_result_field_that_the_answer_needs_is_missed(self) -> None:
        gone = Mask(tool="current_weather", part="result", name="temperature")
        assert possibility(EXTERNAL_SINGLE, gone) is IMPOSSIBLE

    def test_a_result_field_that_feeds_the_next_step_is_missed(self) -> None:
        gone = Mask(tool="find_contact", part="result", name="city")
        assert possibility(EXTERNAL_MULTI, gone) is IMPOSSIBLE

    def test_another_result_field_is_not(self) -> None:
        assert (
            possibility(EXTERNAL_SINGLE, Mask(tool="current_weather", part="result", name="rain")) is POSSIBLE
        )
        assert possibility(EXTERNAL_MULTI, Mask(tool="find_contact", part="result", name="email")) is POSSIBLE

    def test_masking_a_tool_for_an_internal_step_takes_nothing(self) -> None:
        assert possibility(INTERNAL_SINGLE, Mask(tool="add", part="parameter", name="a")) is POSSIBLE
        assert possibility(HYBRID_MULTI, Mask(tool="add", part="result", name="sum")) is POSSIBLE

    def test_a_list_takes_its_elements_with_it(self) -> None:
        step = Step(
            tool="search_notes", boundary=EXTERNAL, arguments={"topic": told("bike")}, wants=("notes[].id",)
        )
        task = make_task("notes", Topology.SINGLE_HOP, step)
        assert possibility(task, Mask(tool="search_notes", part="result", name="notes[].id")) is IMPOSSIBLE
        assert possibility(task, Mask(tool="search_notes", part="result", name="notes")) is IMPOSSIBLE

    def test_a_masked_subject_parameter_with_a_default_leaves_the_default(self) -> None:
        tides = make_tool(
            "tides", {"port": "port.name"}, {"high": "tide.high"}, about=["port", "day"], free=["day"]
        )
        step = Step(tool="tides", boundary=EXTERNAL, arguments={"port": told("Faro")}, wants=("high",))
        task = make_task("tides today", Topology.SINGLE_HOP, step)
        gone = Mask(tool="tides", part="parameter", name="day")
        assert possibility(task, extra=[tides]) is POSSIBLE
        assert possibility(task, gone, extra=[tides]) is POSSIBLE


class TestFailingAndReplacedTools:
    def test_a_failing_tool_counts_as_absent(self) -> None:
        assert possibility(EXTERNAL_SINGLE, Fail(tool="current_weather")) is IMPOSSIBLE
        assert possibility(EXTERNAL_MULTI, Fail(tool="find_contact")) is IMPOSSIBLE
        assert possibility(INTERNAL_MULTI, Fail(tool="add")) is POSSIBLE

    def test_the_order_of_changes_makes_no_difference(self) -> None:
        equal = TOOLS["current_weather"].model_copy(update={"name": "weather_now"})
        changes = (
            Fail(tool="weather_now"),
            Replace(tool="current_weather", by="weather_now"),
        )
        assert possibility(EXTERNAL_SINGLE, *changes[::-1], extra=[equal]) is IMPOSSIBLE
        assert possibility(EXTERNAL_SINGLE, *changes, extra=[equal]) is IMPOSSIBLE

    def test_a_replaced_tool_is_missed(self) -> None:
        assert possibility(EXTERNAL_SINGLE, Replace(tool="current_weather", by="list_holidays")) is IMPOSSIBLE

    def test_a_tool_replaced_by_an_equal_one_is_not(self) -> None:
        equal = TOOLS["current_weather"].model_copy(update={"name": "weather_now"})
        changed = Replace(tool="current_weather", by="weather_now")
        assert possibility(EXTERNAL_SINGLE, changed, extra=[equal]) is POSSIBLE

    def test_a_tool_that_asks_for_something_unknown_is_no_equal(self) -> None:
        by_station = make_tool(
            "by_station", {"station": "station.id"}, {"temperature": "weather.temperature"}
        )
        changed = Replace(tool="current_weather", by="by_station")
        assert possibility(EXTERNAL_SINGLE, changed, extra=[by_station]) is IMPOSSIBLE


class TestOtherWays:
    def test_a_tool_that_reports_the_same_opens_another_way(self) -> None:
        directory = make_tool("directory", {"person": "contact.name"}, {"town": "contact.city"})
        changes = (Hide(tool="find_contact"), Add(tool="directory"))
        assert possibility(EXTERNAL_MULTI, *changes, extra=[directory]) is POSSIBLE

    def test_a_way_round_over_three_tools_is_found(self) -> None:
        """A badge from the name, an office from the badge, and the city from the office."""
        names = ("contact.name", "contact.badge", "contact.office", "contact.city")
        around = [
            make_tool(f"way_{n}", {"of": names[n]}, {"out": names[n + 1]}) for n in range(len(names) - 1)
        ]
        changes = (Hide(tool="find_contact"), *(Add(tool=tool.name) for tool in around))
        assert possibility(EXTERNAL_MULTI, *changes, extra=around) is POSSIBLE
        assert possibility(EXTERNAL_MULTI, *changes[:-1], extra=around) is IMPOSSIBLE

    def test_a_short_cut_past_the_first_step_is_found(self) -> None:
        short_cut = make_tool(
            "weather_at_contact", {"person": "contact.name"}, {"temperature": "weather.temperature"}
        )
        changes = (Hide(tool="find_contact"), Add(tool="weather_at_contact"))
        assert possibility(EXTERNAL_MULTI, *changes, extra=[short_cut]) is POSSIBLE

    def test_a_list_that_says_what_is_looked_up_makes_the_second_step_needless(self) -> None:
        """It is about nothing in particular; so it is about this product, too."""
        price = {"sku": "product.sku", "price": "product.price"}
        whole = make_tool("list_products", {}, price)
        bare = make_tool("list_numbers", {}, {"sku": "product.sku"})
        one = make_tool("get_product", {"sku": "product.sku"}, {"price": "product.price"})
        look_up = Step(
            tool="get_product",
            boundary=EXTERNAL,
            arguments={"sku": from_step("B2", 0, "sku")},
            wants=("price",),
        )
        without = [
            possibility(
                make_task("price", Topology.MULTI_HOP, Step(tool=first.name, boundary=EXTERNAL), look_up),
                Hide(tool="get_product"),
                extra=[first, one],
            )
            for first in (whole, bare)
        ]
        assert without == [POSSIBLE, IMPOSSIBLE]


class TestEffects:
    SENT = make_task(
        "message",
        Topology.MULTI_HOP,
        Step(tool="find_contact", boundary=EXTERNAL, arguments={"name": told("Ann")}),
        Step(
            tool="send_message",
            boundary=EXTERNAL,
            arguments={"to": from_step("ann@example.org", 0, "email"), "text": told("hello")},
        ),
    )

    def test_an_effect_is_wanted_without_being_asked_for(self) -> None:
        assert goal_of(self.SENT, TOOLS).wanted == {Atom("message.sent", ('"ann@example.org"',))}

    @pytest.mark.parametrize("tool", ["find_contact", "send_message"])
    def test_it_takes_both_tools(self, tool: str) -> None:
        assert possibility(self.SENT) is POSSIBLE
        assert possibility(self.SENT, Hide(tool=tool)) is IMPOSSIBLE


class TestInternalSteps:
    def test_one_that_feeds_a_tool_needs_no_tool_itself(self) -> None:
        assert possibility(HYBRID_MULTI_INTERNAL_FIRST, Hide(tool="add")) is POSSIBLE

    def test_one_that_is_fed_by_a_tool_waits_for_it(self) -> None:
        proof = prove_task(HYBRID_MULTI, TOOLS, Condition(name="", changes=(Hide(tool="current_weather"),)))
        assert proof.missing == {Atom("number.sum", ("21", "5"))}

    def test_internal_tasks_are_possible_with_no_tool_at_all(self) -> None:
        for task in (INTERNAL_SINGLE, INTERNAL_PARALLEL, INTERNAL_MULTI):
            assert possibility(task, *(Hide(tool=name) for name in task.offered)) is POSSIBLE


class TestUnprovable:
    def test_a_tool_that_the_world_does_not_have(self) -> None:
        with pytest.raises(Unprovable, match="'current_weather', which the world does not have"):
            goal_of(EXTERNAL_SINGLE, {})

    def test_a_tool_of_unknown_capability_in_the_plan(self) -> None:
        mute = TOOLS["current_weather"].model_copy(update={"capability": None})
        with pytest.raises(Unprovable, match="the tool 'current_weather' declares no capability"):
            goal_of(EXTERNAL_SINGLE, {"current_weather": mute})

    def test_a_tool_of_unknown_capability_on_the_table(self) -> None:
        mute = make_tool("mute", {}, {}).model_copy(update={"capability": None})
        with pytest.raises(Unprovable, match="'mute'"):
            possibility(EXTERNAL_SINGLE, Add(tool="mute"), extra=[mute])

    def test_an_added_tool_that_nobody_has(self) -> None:
        with pytest.raises(Unprovable, match="'ghost'"):
            possibility(EXTERNAL_SINGLE, Add(tool="ghost"))

    def test_a_wanted_field_that_nobody_reports(self) -> None:
        step = weather_in("Lisbon").model_copy(update={"wants": ("humidity",)})
        with pytest.raises(Unprovable, match="'humidity'"):
            goal_of(make_task("humid", Topology.SINGLE_HOP, step), TOOLS)

    def test_a_fed_argument_from_a_field_that_nobody_reports(self) -> None:
        there = WEATHER_THERE.model_copy(update={"arguments": {"city": from_step("Lisbon", 0, "town")}})
        with pytest.raises(Unprovable, match="'town'"):
            goal_of(make_task("town", Topology.MULTI_HOP, CITY_OF_ANN, there), TOOLS)

    def test_an_argument_from_a_step_that_does_not_exist(self) -> None:
        there = WEATHER_THERE.model_copy(update={"arguments": {"city": from_step("Lisbon", 5, "city")}})
        with pytest.raises(Unprovable):
            goal_of(make_task("late", Topology.MULTI_HOP, CITY_OF_ANN, there), TOOLS)

    def test_an_external_step_that_nobody_needs(self) -> None:
        step = weather_in("Lisbon").model_copy(update={"wants": ()})
        task = make_task("pointless", Topology.SINGLE_HOP, step)
        with pytest.raises(Unprovable, match="wanted"):
            goal_of(task, TOOLS)


def test_a_goal_without_wants_is_possible_with_nothing() -> None:
    assert prove(Goal(frozenset(), (), frozenset()), ()).possibility is POSSIBLE


def test_atoms_are_described_in_a_fixed_order() -> None:
    atoms = {Atom("b.x", ("1", "2")), Atom("a.y", ("3",))}
    assert describe(atoms) == "a.y of (3); b.x of (1, 2)"


def test_thousands_of_tasks_are_proven_in_seconds() -> None:
    conditions = [Condition(name=name, changes=(Hide(tool=name),)) for name in TOOLS]

    def prove_all() -> None:
        for task in TASKS:
            for condition in conditions:
                assert prove_task(task, TOOLS, condition).possibility in Possibility

    assert 40 * len(TASKS) * len(TOOLS) > 2_000
    assert units(lambda: [prove_all() for _ in range(40)], tries=1) < 600
