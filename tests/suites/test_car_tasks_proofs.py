"""The provers of CAR tasks: what they catch, held against planted faults and slower provers."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.closure import Atom, Means, Rule
from knowact.core.narrow_closure import prove_narrowly
from knowact.core.proof import Goal, prove
from knowact.core.task import Fact
from knowact.core.tool import Capability, Need, Report
from knowact.suites.car.choices import unsettled
from knowact.suites.car.goals import Description, Reference, needs_of
from knowact.suites.car.proofs import Proofs
from knowact.suites.car.removals import EDITING, kind_of, lost_calls, way_around
from knowact.suites.car.task_files import shipped
from knowact.suites.car.tasks import CarTask, Element, Option, Removal
from knowact.worlds.car.catalogue import tools_of
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.world import CarWorld

DATA = shipped()
PROOFS = Proofs(CarWorld(), DATA.seed)
WEATHER = ("current_slot.condition", "current_slot.temperature_c")
TOOLS = {tool.name: tool for tool in tools_of(Rules.DEFINITION)}


def task_with(tool: str, kind: str = "base") -> CarTask:
    return next(
        task
        for task in DATA.tasks
        if task.type.family == kind and any(one.tool == tool for one in task.reference)
    )


def changed(task: CarTask, **fields: Any) -> CarTask:
    return CarTask.model_validate({**task.model_dump(), **fields})


def complaint(task: CarTask) -> str:
    return "; ".join((*PROOFS.complaints(task), *unsettled(PROOFS, task)))


def test_a_call_that_is_refused_is_found() -> None:
    bad = Reference(tool="set_fan_speed", arguments={"level": 9})
    assert "is refused" in complaint(changed(task_with("set_fan_speed"), reference=[bad]))


def test_a_call_that_changes_nothing_is_found() -> None:
    task = task_with("set_fog_lights")
    last = next(one for one in task.reference if one.tool == "set_fog_lights")
    assert "changes nothing" in complaint(changed(task, reference=[*task.reference, last]))


def test_an_answer_that_the_world_contradicts_is_found() -> None:
    for kind, wrong in (("number", 4711.0), ("text", "nowhere"), ("time", "03:07"), ("list", ("nothing",))):
        task = next(one for one in DATA.tasks if any(fact.kind == kind for fact in one.answers))
        answers = [
            fact.model_copy(update={"value": wrong}) if fact.kind == kind else fact for fact in task.answers
        ]
        assert "but the world says" in complaint(task.model_copy(update={"answers": tuple(answers)}))


def test_an_answer_that_no_call_tells_is_found() -> None:
    task = next(one for one in DATA.tasks if one.answers)
    elsewhere = task.answers[0].model_copy(update={"sources": ("0.nothing_like_it",)})
    assert "told by no call" in complaint(task.model_copy(update={"answers": (elsewhere,)}))
    missing = task.answers[0].model_copy(update={"sources": ("99.anything",)})
    assert "a call that there is not" in complaint(task.model_copy(update={"answers": (missing,)}))


def test_a_broken_policy_is_found() -> None:
    task = task_with("open_close_sunroof")
    opening = next(one for one in task.reference if one.tool == "open_close_sunroof")
    bare = Reference(tool=opening.tool, arguments={"percentage": 70})
    start = {**task.setup, "sunroof_position": 0, "sunshade_position": 0}
    found = complaint(changed(task, setup=start, reference=[bare], goal=None))
    assert "AUT-POL:005" in found
    assert "AUT-POL:009" in found


def test_another_end_than_the_goals_is_found() -> None:
    task = task_with("set_steering_wheel_heating")
    assert "the goal leaves steering_wheel_heating = 0, but the reference leads to" in complaint(
        changed(task, goal=Description(holds={}))
    )


def test_a_forbidden_change_on_the_way_is_found() -> None:
    task = task_with("set_steering_wheel_heating")
    calls = [
        Reference(tool="set_fan_speed", arguments={"level": 5}),
        Reference(tool="set_fan_speed", arguments={"level": 0}),
    ]
    goal = Description(holds={}, forbidden=("fan_speed",))
    start = {**task.setup, "fan_speed": 0}
    assert "fan_speed may never change" in complaint(changed(task, setup=start, reference=calls, goal=goal))


def test_another_end_that_is_as_good_is_taken() -> None:
    goal = Description(holds={"fan_speed": 2}, ends=({"fan_speed": 3},))
    assert [level for level in range(5) if goal.reached({"fan_speed": 0}, {"fan_speed": level})] == [2, 3]


def test_a_need_comes_before_what_hangs_on_it_and_before_nothing_else() -> None:
    calls = [
        Reference(tool="get_climate_settings", reads=("fan_speed",)),
        Reference(tool="get_car_color", reads=("car_color",)),
        Reference(tool="set_fan_speed", arguments={"level": 2}, knowing=(0,)),
        Reference(tool="set_fog_lights", arguments={"on": True}),
    ]
    assert [need.before for need in needs_of(calls)] == [(2,), (1,)]


def test_a_need_comes_before_what_hangs_on_it_by_way_of_another_look() -> None:
    task = next(one for one in DATA.tasks if [call.writes for call in one.reference] == [False, False, True])
    needs = needs_of(task.reference)
    last = len(task.reference) - 1
    assert needs
    assert all(need.before == (last,) for need in needs)


def test_an_unknown_variable_is_no_goal() -> None:
    with pytest.raises(ValueError, match="not a variable of the car"):
        Description(holds={"flux": 1})
    with pytest.raises(ValueError, match="cannot be forbidden"):
        Description(holds={"fan_speed": 1}, forbidden=("fan_speed",))


def removing(task: CarTask, *paths: str) -> CarTask:
    lost = lost_calls(task.reference, paths, TOOLS)
    removal = Removal(paths=paths, kind=kind_of(paths[0]), lost=lost)
    return changed(task, type="hallucination_missing_tool", removal=removal, decoy=None)


def test_taking_away_what_nobody_needs_is_found() -> None:
    found = complaint(removing(task_with("set_steering_wheel_heating"), "get_car_color"))
    assert "possible without the part" in found
    assert "no call of the reference needs the part" in found


def test_taking_away_one_of_several_ways_is_found() -> None:
    task = task_with("navigation_replace_final_destination")
    assert "can lead to the same stops" in complaint(removing(task, "navigation_replace_final_destination"))


def test_what_stands_elsewhere_as_well_is_found() -> None:
    task = task_with("navigation_delete_waypoint")
    state = "result.get_current_navigation_state.details"
    assert "possible without the part" in complaint(removing(task, state))


@pytest.mark.parametrize(
    ("tool", "part", "formula"),
    [
        (
            "get_weather",
            "result.get_weather.current_slot.condition",
            "weather.condition follows from weather.next_condition",
        ),
        (
            "get_distance_by_soc",
            "get_distance_by_soc",
            "charge.distance follows from battery.charge and battery.range",
        ),
        (
            "calculate_charging_time_by_soc",
            "calculate_charging_time_by_soc",
            "charging.minutes follows from charging.reached",
        ),
    ],
)
def test_what_can_be_worked_out_is_found(tool: str, part: str, formula: str) -> None:
    assert formula in complaint(removing(task_with(tool), part))


def test_a_number_that_guidance_would_show_is_found() -> None:
    task = next(one for one in DATA.tasks if one.removal and "pois_found.phone_number" in one.removed[0])
    assert "can still be found out" in complaint(removing(task, task.removed[0]))


def test_what_can_be_set_blindly_is_found() -> None:
    task = task_with("set_fog_lights")
    blind = removing(task, "get_exterior_lights_status")
    names = ("head_lights_low_beams", "head_lights_high_beams")
    calls = [
        one.model_copy(update={"reads": names if one.tool.startswith("get_ext") else one.reads})
        for one in blind.reference
    ]
    assert task.goal is not None
    holds = {**task.goal.holds, "head_lights_low_beams": True, "head_lights_high_beams": False}
    goal = task.goal.model_copy(update={"holds": holds, "forbidden": ()})
    assert "setting everything blindly" in "; ".join(
        PROOFS.impossible(changed(blind, reference=calls, goal=goal))
    )


def needed(task: CarTask, base: CarTask) -> str:
    return "; ".join(PROOFS.needed(task, base))


def test_a_part_that_no_answer_hangs_on_is_found() -> None:
    """As in hallucination_041 of cabin@1-A: the weather was wanted, and the temperature went."""
    task = task_with("get_weather")
    place = next(place for place, one in enumerate(task.reference) if one.tool == "get_weather")
    looked = task.reference[place].model_copy(update={"reads": WEATHER})
    sky, warmth = (Fact(kind="text", value="x", label=name, sources=(f"{place}.{name}",)) for name in WEATHER)
    calls = [*task.reference[:place], looked]
    base = changed(task, reference=calls, goal=Description(holds={}), answers=[sky])
    lacking = removing(base, "result.get_weather.current_slot.temperature_c")
    assert lacking.removal is not None
    assert lacking.removal.lost == (place,)
    assert needed(lacking, base) == "all that the driver wants can be had without the part"
    both = changed(base, answers=[sky, warmth])
    assert needed(lacking, both) == ""
    assert "is wanted, but cannot be given" in needed(
        changed(lacking, answers=both.model_dump()["answers"]), both
    )
    assert "is not wanted, though it can be given" in needed(changed(lacking, answers=[]), both)


def test_a_state_that_can_be_reached_all_the_same_is_found() -> None:
    task = task_with("set_steering_wheel_heating")
    assert needed(removing(task, "set_steering_wheel_heating"), task) == ""
    assert "can be had without the part" in needed(removing(task, "get_car_color"), task)


def open_task(level: str) -> CarTask:
    return next(task for task in DATA.tasks if task.element is not None and task.element.level == level)


def with_element(task: CarTask, **fields: Any) -> CarTask:
    assert task.element is not None
    return changed(task, element=Element.model_validate({**task.element.model_dump(), **fields}))


def test_a_choice_without_its_preference_is_found() -> None:
    task = open_task("preference")
    found = complaint(changed(task, setup={**task.setup, "user_preferences": {}}))
    assert "settled by nobody, not by preference" in found


def test_a_choice_that_the_request_settles_is_found() -> None:
    task = open_task("preference")
    assert task.script is not None
    assert task.element is not None
    right = next(one for one in task.element.options if one.value == task.element.answer)
    script = task.script.model_copy(update={"opening": f"Take {right.words[0]}."})
    assert "settled by request" in complaint(changed(task, script=script))


def test_a_preference_for_something_else_is_found() -> None:
    task = open_task("preference")
    assert task.element is not None
    other = next(one for one in task.element.options if one.value != task.element.answer)
    assert "not" in complaint(with_element(task, answer=other.value))


def test_a_question_for_the_driver_that_a_preference_answers_is_found() -> None:
    task = open_task("user")
    assert task.element is not None
    word = next(one.words[0] for one in task.element.options if one.value == task.element.answer)
    likes = {"weather": {"weather": [f"I always want {word}."]}}
    found = complaint(with_element(changed(task, setup={**task.setup, "user_preferences": likes}), topic=""))
    assert "the internal levels leave no choice" in found


def test_an_answer_that_is_no_option_is_found() -> None:
    assert "is none of the options" in complaint(with_element(open_task("user"), answer="no such thing"))


def test_a_situation_that_does_not_settle_is_found() -> None:
    task = open_task("context")
    assert task.element is not None
    bare = [Option(value=one.value) for one in task.element.options]
    assert "settled by nobody" in complaint(with_element(task, options=bare))


def test_a_task_without_an_open_choice_has_none_to_settle() -> None:
    assert DATA.tasks[0].element is None
    assert not list(unsettled(PROOFS, DATA.tasks[0]))


def test_kinds_of_removals_are_read_off_their_paths() -> None:
    assert kind_of("set_fan_speed") == "tool"
    assert kind_of("set_fan_speed.level") == "parameter"
    assert kind_of("get_user_preferences.preference_categories.weather.weather") == "nested parameter"
    assert kind_of("result.get_weather.current_slot") == "result"


@pytest.mark.parametrize(
    ("start", "end", "tools", "way"),
    [
        ((), ("h", "a"), ["set_new_navigation"], ("set_new_navigation",)),
        (("h", "a"), (), ["delete_current_navigation"], ("delete_current_navigation",)),
        (("h", "a"), (), [one for one in EDITING if one != "delete_current_navigation"], ()),
        (
            ("h", "a"),
            ("h", "b"),
            ["delete_current_navigation", "set_new_navigation"],
            ("delete_current_navigation", "set_new_navigation"),
        ),
        (("h", "a", "b"), ("h", "a"), ["navigation_delete_destination"], ("navigation_delete_destination",)),
        (("h", "a", "b"), ("h", "a"), ["navigation_replace_one_waypoint"], ()),
    ],
)
def test_ways_around_are_found_where_there_are_any(
    start: tuple[str, ...], end: tuple[str, ...], tools: list[str], way: tuple[str, ...]
) -> None:
    assert way_around(start, end, "h", tools) == way


ROUTES = st.lists(st.sampled_from("abc"), max_size=3, unique=True).map(
    lambda stops: ("h", *stops) if stops else ()
)


@settings(deadline=None, max_examples=60)
@given(ROUTES, ROUTES, st.sets(st.sampled_from(EDITING)), st.sampled_from(EDITING))
def test_more_tools_never_close_a_way(
    start: tuple[str, ...], end: tuple[str, ...], tools: set[str], more: str
) -> None:
    if start != end and way_around(start, end, "h", tools):
        assert way_around(start, end, "h", tools | {more})


KINDS = ("a", "b", "c")
THINGS = st.sampled_from(("x", "y", ""))
SUBJECTS = st.lists(THINGS, max_size=2).map(tuple)
ATOMS = st.builds(Atom, st.sampled_from(KINDS), SUBJECTS)
RULES = st.builds(Rule, st.frozensets(ATOMS, max_size=2), st.frozensets(ATOMS, min_size=1, max_size=2))


@st.composite
def means(draw: st.DrawFn) -> Means:
    parameters = draw(st.lists(st.sampled_from("pq"), max_size=2, unique=True))
    return Means(
        Capability(
            about=tuple(parameters),
            needs=tuple(
                Need(parameter=name, attribute=draw(st.sampled_from(KINDS)))
                for name in draw(st.lists(st.sampled_from(["p", "q", "r"]), max_size=2, unique=True))
                if name in parameters or name == "r"
            ),
            reports=(Report(field="f", attribute=draw(st.sampled_from(KINDS))),),
        )
    )


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(
    st.frozensets(ATOMS, max_size=3),
    st.lists(RULES, max_size=3),
    st.frozensets(ATOMS, min_size=1, max_size=2),
    st.lists(means(), max_size=3),
)
def test_the_narrow_closure_says_what_the_wide_one_says(
    given_: frozenset[Atom], rules: list[Rule], wanted: frozenset[Atom], tools: list[Means]
) -> None:
    goal = Goal(given_, tuple(rules), wanted)
    narrow, wide = prove_narrowly(goal, tools), prove(goal, tools)
    # A parameter beside the subject is taken for told, so there it errs towards possible.
    assert narrow.missing <= wide.missing
    if all({need.parameter for need in one.capability.needs} <= {*one.capability.about} for one in tools):
        assert narrow == wide
