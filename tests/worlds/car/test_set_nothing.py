"""The cross-domain tools: plans of the agent's own, sums, times of day, and what the driver likes."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.world import Call, Observation
from knowact.worlds.car.contract import Fault
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.session import CarState
from knowact.worlds.car.world import CarWorld


def opened(rules: Rules = Rules.DEFINITION, **setup: Any) -> CarState:
    return CarWorld(rules).open(setup, 0)


def seen(tool: str, rules: Rules = Rules.DEFINITION, /, **given_here: Any) -> Observation:
    return opened(rules).call(Call(tool, given_here))


STEPS = [
    {"step_description": "look"},
    {"step_description": "choose", "step_dependent_on": [0]},
    {"step_description": "go", "step_dependent_on": [0, 1]},
]


class Book:
    """A session in which plans are written."""

    def __init__(self) -> None:
        self.session = opened()

    def __call__(self, command: str, **given_here: Any) -> Observation:
        return self.session.call(Call("planning_tool", {"command": command, **given_here}))

    def plan(self, command: str, **given_here: Any) -> Mapping[str, Any]:
        return self(command, **given_here).value["plans"][0]

    def statuses(self) -> Sequence[str]:
        return [step["step_status"] for step in self.plan("get")["steps"]]


@pytest.fixture
def book() -> Book:
    written = Book()
    assert written("create", plan_id="p", title="The trip", steps=STEPS).ok
    return written


class TestPlans:
    def test_a_new_plan_is_active_and_only_its_first_step_can_be_done(self, book: Book) -> None:
        waiting = "unresolved_dependencies_and_not_started"
        assert book("get").value["active_plan_id"] == "p"
        assert book.statuses() == ["executable_but_not_started", waiting, waiting]

    def test_a_step_that_is_done_lets_the_next_one_be_done(self, book: Book) -> None:
        done = [{"step_index": 0, "step_status": "completed", "step_notes": "three routes"}]
        told = book.plan("mark_steps", step_updates=done)
        assert [step["step_status"] for step in told["steps"]][:2] == [
            "completed",
            "executable_but_not_started",
        ]
        assert told["steps"][0]["step_notes"] == "three routes"
        assert told["percent_completed"] == 33

    def test_notes_that_make_no_sense_leave_everything_as_it_was(self, book: Book) -> None:
        before = book.plan("get")
        updates = [{"step_index": 0, "step_status": "completed"}, {"step_index": 9}]
        assert not book("mark_steps", step_updates=updates).ok
        assert book.plan("get") == before

    def test_an_update_keeps_what_was_noted_of_steps_that_stay(self, book: Book) -> None:
        book("mark_steps", step_updates=[{"step_index": 0, "step_status": "completed", "step_notes": "n"}])
        steps = [STEPS[0], {"step_description": "something else"}]
        told = book.plan("update", plan_id="p", title="Another", steps=steps)
        assert told["title"] == "Another"
        assert [(step["step_status"], step["step_notes"]) for step in told["steps"]] == [
            ("completed", "n"),
            ("executable_but_not_started", ""),
        ]

    def test_listing_tells_how_far_each_plan_is(self, book: Book) -> None:
        book("create", plan_id="q", title="Warmth", steps=[{"step_description": "read"}])
        told = book("list").value
        assert told["active_plan_id"] == "q"
        assert [(plan["plan_id"], plan["steps"]) for plan in told["plans"]] == [("p", []), ("q", [])]
        assert sum(told["plans"][0]["step_counts"].values()) == 3

    def test_another_plan_can_be_made_active_and_the_active_one_deleted(self, book: Book) -> None:
        book("create", plan_id="q", title="Warmth", steps=[{"step_description": "read"}])
        assert book("set_active", plan_id="p").value["active_plan_id"] == "p"
        assert book("delete", plan_id="q").value["active_plan_id"] == "p"
        assert book("delete", plan_id="p").value["active_plan_id"] is None
        assert not book("get").ok

    @pytest.mark.parametrize(
        ("command", "given_here"),
        [
            ("create", {"plan_id": "p", "title": "again", "steps": STEPS}),
            ("create", {"plan_id": "q", "title": "t", "steps": []}),
            ("create", {"plan_id": "q", "steps": STEPS}),
            ("create", {"title": "t", "steps": STEPS}),
            (
                "create",
                {
                    "plan_id": "q",
                    "title": "t",
                    "steps": [{"step_description": "x", "step_dependent_on": [0]}],
                },
            ),
            ("update", {"title": "t"}),
            ("update", {"plan_id": "p"}),
            ("update", {"plan_id": "q", "title": "t"}),
            ("get", {"plan_id": "q"}),
            ("set_active", {}),
            ("mark_steps", {}),
            ("delete", {}),
            ("burn", {"plan_id": "p"}),
        ],
    )
    def test_what_makes_no_sense_is_refused_and_nobody_counts_it(
        self, book: Book, command: str, given_here: dict[str, Any]
    ) -> None:
        before = book("list").value
        step = book.session.do(Call("planning_tool", {"command": command, **given_here}))
        assert (step.observation.ok, step.fault) == (False, Fault.UNLOGGED)
        assert book("list").value == before

    def test_thinking_does_nothing(self) -> None:
        session = opened()
        before = session.digest()
        assert session.call(Call("think", {"thought": "hm"})).value == {"noted": True}
        assert session.digest() == before


SUMS = st.recursive(
    st.integers(0, 99).map(str) | st.sampled_from(["0.5", "12.25"]),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
    max_leaves=8,
)


class TestSums:
    @pytest.mark.parametrize(
        ("expression", "result"),
        [
            ("2 + 3 * 4", 14),
            ("(2 + 3) * 4", 20),
            ("-3 - -4", 1),
            ("8 / 4 / 2", 1),
            ("2 - 3 - 4", -5),
            ("1 / 3", 0.33),
            (".5 + 5.", 5.5),
            ("--2", 2),
        ],
    )
    def test_a_sum_comes_to_what_it_comes_to(self, expression: str, result: float) -> None:
        assert seen("calculate_math", expression=expression).value == {"result": result}

    @settings(deadline=None, max_examples=100)
    @given(SUMS)
    def test_every_sum_agrees_with_python(self, expression: str) -> None:
        told = seen("calculate_math", expression=expression)
        try:
            right = _by_python(expression)
        except ZeroDivisionError:
            assert not told.ok
        else:
            assert told.value["result"] == pytest.approx(round(right, 2), abs=0.011)

    @pytest.mark.parametrize(
        "expression",
        [
            "",
            "seven",
            "1 +",
            "(1",
            "1)",
            "1 2",
            "1 / 0",
            "1..2",
            ".",
            "__import__",
            "9" * 400,
            "(" * 300,
            "²",
        ],
    )
    def test_what_is_no_sum_is_refused_and_nobody_counts_it(self, expression: str) -> None:
        step = opened().do(Call("calculate_math", {"expression": expression}))
        assert (step.observation.ok, step.fault) == (False, Fault.UNLOGGED)

    @pytest.mark.parametrize(("expression", "result"), [("2 ** 3", 8), ("2 ** -1", 0.5), ("-2 ** 2", -4)])
    def test_powers_are_understood_as_published_only(self, expression: str, result: float) -> None:
        assert not seen("calculate_math", expression=expression).ok
        assert seen("calculate_math", Rules.PUBLISHED, expression=expression).value == {"result": result}

    @pytest.mark.parametrize(
        "expression", ["9 ** 9 ** 9 ** 9", "(0 - 8) ** 0.5", "0 ** -1", "2**" * 60 + "2"]
    )
    def test_powers_without_a_value_are_refused(self, expression: str) -> None:
        assert not seen("calculate_math", Rules.PUBLISHED, expression=expression).ok


def _by_python(expression: str) -> float:
    """Work out a fully bracketed sum with Python's own operators, from the inside out."""
    if not expression.startswith("("):
        return float(expression)
    depth, inside = 0, expression[1:-1]
    for place, character in enumerate(inside):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0 and character in "+-*/" and inside[place - 1] == " ":
            left, right = _by_python(inside[: place - 1]), _by_python(inside[place + 2 :])
            return {"+": left + right, "-": left - right, "*": left * right}.get(
                character, left / right if character == "/" else 0
            )
    raise AssertionError(expression)


def moment(*numbers: int) -> dict[str, int]:
    return dict(zip(("year", "month", "day", "hour", "minute"), numbers, strict=True))


class TestTimes:
    @pytest.mark.parametrize(
        ("start", "spans", "end", "published"),
        [
            ((2025, 2, 14, 12, 0), [(1, 30), (0, 45)], (2025, 2, 14, 14, 15), (2025, 2, 14, 14, 15)),
            ((2025, 2, 14, 23, 50), [(0, 20)], (2025, 2, 15, 0, 10), (2025, 2, 15, 0, 10)),
            ((2025, 2, 28, 23, 0), [(2, 0)], (2025, 3, 1, 1, 0), (2025, 2, 29, 1, 0)),
            ((2025, 3, 30, 23, 0), [(2, 0)], (2025, 3, 31, 1, 0), None),
            ((2025, 12, 31, 23, 59), [(0, 1)], (2026, 1, 1, 0, 0), None),
            ((2025, 2, 30, 10, 0), [(1, 0)], None, (2025, 2, 30, 11, 0)),
            ((2025, 5, 10, 1, 0), [(-2, 0)], (2025, 5, 9, 23, 0), (2025, 5, 9, 23, 0)),
            ((9999, 12, 31, 23, 0), [(2, 0)], None, None),
        ],
    )
    def test_time_goes_on_by_the_calendar_and_as_published_by_months_of_thirty_days(
        self,
        start: tuple[int, ...],
        spans: list[tuple[int, int]],
        end: tuple[int, ...] | None,
        published: tuple[int, ...] | None,
    ) -> None:
        given_here = {
            "original_datetime": moment(*start),
            "times_to_add": [{"hours": hours, "minutes": minutes} for hours, minutes in spans],
        }
        for rules, right in ((Rules.DEFINITION, end), (Rules.PUBLISHED, published)):
            told = seen("calculate_datetime", rules, **given_here)
            assert told.value == (None if right is None else moment(*right))
            assert told.ok == (right is not None)


LIKES = {"vehicle_settings": {"climate_control": ["Likes it cool."], "vehicle_settings": ["No music."]}}


class TestPreferences:
    def test_only_what_was_asked_for_is_told(self) -> None:
        session = opened(user_preferences=LIKES)
        asked = {"vehicle_settings": {"climate_control": True, "vehicle_settings": False}}
        told = session.call(Call("get_user_preferences", {"preference_categories": asked}))
        assert told.value == {"vehicle_settings": {"climate_control": ["Likes it cool."]}}

    def test_what_is_not_known_is_an_empty_list(self) -> None:
        asked = {"weather": {"weather": True}}
        assert seen("get_user_preferences", preference_categories=asked).value == {"weather": {"weather": []}}

    def test_unknown_topics_are_refused_but_ignored_as_published(self) -> None:
        asked = {"music": {"radio": True}, "vehicle_settings": {"seats": True, "climate_control": True}}
        assert not seen("get_user_preferences", preference_categories=asked).ok
        session = opened(Rules.PUBLISHED, user_preferences=LIKES)
        told = session.call(Call("get_user_preferences", {"preference_categories": asked}))
        assert told.value == {"vehicle_settings": {"climate_control": ["Likes it cool."]}}

    @pytest.mark.parametrize("asked", ["all", {"weather": True}, {"weather": None}])
    def test_a_category_that_is_no_map_raises_as_published(self, asked: Any) -> None:
        given_here = {"preference_categories": asked}
        step = opened(Rules.PUBLISHED).do(Call("get_user_preferences", given_here))
        assert (step.observation.ok, step.fault) == (False, Fault.RAISED)
