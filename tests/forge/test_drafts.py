"""Drafts: which jobs make a request, what is run, and what makes a tool needless."""

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest

from forge.small_world import TABLE, only
from knowact.core.spoken import spoken
from knowact.core.task import Boundary, Topology
from knowact.forge.briefs import brief_of
from knowact.forge.drafts import Draft, Sketch, Unusable, drafted, sketches
from knowact.forge.proving import unproven
from knowact.suites import find
from knowact.worlds.everyday.material import material
from knowact.worlds.scenarios import Scenario

WORLD = only(TABLE)
SEED = 27


def draft(*jobs: str, told: tuple[str, ...] = ()) -> Draft:
    return drafted(Sketch(scenario="one", jobs=jobs, told=told), WORLD, SEED)


def test_jobs_come_with_what_feeds_them_and_may_be_told() -> None:
    found = {(sketch.jobs, sketch.told) for sketch in sketches("one", TABLE)}
    assert found == {
        (("menu",), ()),
        (("booking",), ()),
        (("menu", "bill"), ()),
        (("menu", "bill"), ("menu",)),
        (("menu", "booking"), ()),
        (("menu", "bill", "booking"), ()),
        (("menu", "bill", "booking"), ("menu",)),
    }


def test_what_is_looked_up_is_external_and_feeds_the_sum() -> None:
    made = draft("menu", "bill")
    assert made.kind == (Boundary.HYBRID, Topology.MULTI_HOP, 2)
    assert made.task.required == {"get_restaurant_tonight"}
    price = made.results[0]["menu_eur"]
    assert made.task.plan[1].arguments["right"].value == price
    assert [fact.value for fact in made.task.facts] == [price * made.task.plan[1].arguments["left"].value]
    assert unproven(made.task, SEED, WORLD) == ""


def test_what_the_request_states_makes_its_tool_needless() -> None:
    made = draft("menu", "bill", told=("menu",))
    assert made.kind == (Boundary.INTERNAL, Topology.MULTI_HOP, 2)
    assert made.task.required == frozenset()
    assert made.task.plan[0].told == ("menu_eur",)
    assert unproven(made.task, SEED, WORLD) == ""
    (part, _) = brief_of(made, WORLD, SEED).parts
    assert part.known
    assert [(said.key, said.value, said.how) for said in part.said] == [
        ("1.restaurant", "The Blue Heron", ""),
        ("1.menu_eur", made.results[0]["menu_eur"], "it stands on the board outside"),
    ]


def test_a_told_step_that_leaves_a_used_field_untold_is_no_internal_step() -> None:
    made = draft("menu", "bill", told=("menu",))
    steps = (made.task.plan[0].model_copy(update={"told": ("dish",)}), made.task.plan[1])
    task = made.task.model_copy(update={"plan": steps})
    assert "told, but not its menu_eur" in unproven(task, SEED, WORLD)


def test_shared_values_are_the_same_in_every_job_and_days_rest_on_the_day_shown() -> None:
    made = draft("menu", "bill", "booking")
    bill, booking = made.task.plan[1:]
    assert bill.arguments["left"].value == booking.arguments["people"].value
    assert booking.arguments["date"].origin == "context"
    assert booking.arguments["people"].origin == "query"


@pytest.mark.parametrize(
    ("job", "said"),
    [
        ({"tool": "get_restaurant_tonight", "with": {"restaurant": "Nowhere Inn"}}, "Nowhere Inn"),
        ({"tool": "get_element", "with": {"name": "gold"}}, "neither side"),
        (
            {"tool": "get_restaurant_tonight", "wants": ["first_free"], "with": {"restaurant": 3}},
            "restaurant",
        ),
        ({"tool": "multiply", "with": {"left": 2, "right": 3}, "wants": ["nothing"]}, "how an answer states"),
    ],
)
def test_jobs_that_cannot_be_carried_out_make_no_request(job: dict[str, object], said: str) -> None:
    jobs = {"bad": {"ask": "something", **job}, "other": {"tool": "multiply", "ask": "something"}}
    scenario = Scenario.model_validate({"people": ["a", "b"], "situation": "Somewhere.", "jobs": jobs})
    with pytest.raises(Unusable, match=said):
        drafted(Sketch(scenario="one", jobs=("bad",)), only(scenario), SEED)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1200, "1,200"),
        (2.5, "2.5"),
        ("2026-03-14", "14 March 2026"),
        ([1, "two"], "1, two"),
        ("Utrecht", "Utrecht"),
    ],
)
def test_values_are_said_plainly(value: object, words: str) -> None:
    assert spoken(value) == words  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("name", ["kapro", "ict", "fail_talms", "bfcl", "when2call"])
def test_shipped_facts_are_of_the_kind_that_the_worlds_answers_declare(name: str) -> None:
    declared = material().answers
    (data, *_) = find(name).datasets()
    for line in (data.path / "items.jsonl").read_text(encoding="utf-8").splitlines():
        for task in _tasks_in(json.loads(line)):
            for fact in task["facts"]:
                kinds = {
                    declared[task["plan"][int(place)]["tool"]][field].kind
                    for place, _, field in (source.partition(".") for source in fact["sources"])
                }
                assert fact["kind"] in {*kinds, "list"}, fact


def _tasks_in(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        if "facts" in value and "plan" in value:
            yield value
        for one in cast("dict[str, Any]", value).values():
            yield from _tasks_in(one)
    elif isinstance(value, list):
        for one in cast("list[Any]", value):
            yield from _tasks_in(one)
