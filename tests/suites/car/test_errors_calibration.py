"""The labelled set of the error classes, how it is played, and the rates that the docs and reports print."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from car_agents import held, shipped
from knowact.agents.car import Talk, move
from knowact.core.errors import BadUsage
from knowact.core.seeds import generator
from knowact.reading.calibration import Part
from knowact.suites.car.casting import part_of
from knowact.suites.car.errors_calibration import (
    CLASSES,
    MARK,
    Classified,
    calibrate,
    classified,
    error_instruments,
    matrix,
    rates,
    stamped,
    stamps,
    stored,
    summary,
)
from knowact.suites.car.errors_set import ErrorItem, Other, Step, labelled, played
from knowact.suites.car.items import CarItem
from knowact.suites.car.suite import SUITE

PAGE = Path(__file__).parents[3] / "docs" / "suites" / "car.md"


def car(task: str) -> CarItem:
    return next(one for one in shipped() if one.what.id == task)


def item(task: str, *steps: Step, **fields: Any) -> ErrorItem:
    given = {"label": "none", "made": "hand", "kind": "x", "why": "y", **fields}
    return ErrorItem.model_validate({"id": "i", "task": task, "steps": steps, **given})


def found(label: str, got: str) -> Classified:
    one = item("base_001", "Hello.", label=label)
    return Classified(one, played(one, car("base_001")), got, 5, "because")


def test_the_set_is_large_and_of_every_kind() -> None:
    items = labelled()
    types = {one.what.id: one.what.type for one in shipped()}
    assert len(items) >= 220
    assert sum(one.made == "hand" for one in items) >= 80
    assert {types[one.task] for one in items} == set(types.values())
    assert min(Counter(one.label for one in items)[label] for label in CLASSES) >= 20
    assert all(one.why for one in items)


def test_half_is_held_out() -> None:
    seen, unseen = classified(Part.SEEN), classified(Part.HELD_OUT)
    assert len(seen) + len(unseen) == len(labelled())
    assert abs(len(seen) - len(unseen)) < len(labelled()) / 10
    assert not {one.item.id for one in seen} & {one.item.id for one in unseen}


def test_no_task_has_changed_since_its_trials_were_labelled() -> None:
    then, now = json.loads(stamped().read_text("utf-8")), stamps()
    changed = sorted(task for task in now if then.get(task) != now[task])
    items = [one.id for one in labelled() if one.task in changed]
    hint = "look at the labels of these trials, then: python -m knowact.suites.car.errors_calibration --stamp"
    assert not items, hint


def test_every_policy_that_a_label_says_is_broken_is_put_to_the_judge() -> None:
    for one in classified(Part.ALL):
        assert set(one.item.broken) <= {votes.policy for votes in one.trial.judged}, one.item.id


def test_the_page_prints_the_rates_on_held_out_trials() -> None:
    block = PAGE.read_text("utf-8").split(MARK, 1)[1]
    printed = re.search(r"```text\n(.*?)\n```", block, re.DOTALL)
    assert printed is not None
    hint = "python -m knowact.suites.car.errors_calibration --write --page docs/suites/car.md"
    assert printed.group(1) == summary(Part.HELD_OUT), hint


def test_reports_print_the_same_rates_without_playing_anything() -> None:
    hint = "python -m knowact.suites.car.errors_calibration --write"
    assert json.loads(stored().read_text("utf-8")) == rates(), hint
    names = [one.name for one in SUITE.instruments()]
    assert [one.name for one in error_instruments()] == [f"error class {name}" for name in CLASSES]
    assert set(names) >= {one.name for one in error_instruments()}


@pytest.mark.parametrize("agent", ["oracle", "premature", "fabricator", "asker"])
@pytest.mark.parametrize("task", ["base_007", "hallucination_007", "disambiguation_007", "base_042"])
def test_a_trial_is_played_as_the_engine_would_hold_it(agent: str, task: str) -> None:
    seat, steps = car(task), list[Step]()
    for turn in range(41):
        made = move(agent, Talk(part_of(seat.what), turn, generator(0, agent)))
        calls = tuple(Other(tool=one.tool, arguments=dict(one.arguments)) for one in made.calls)  # pyright: ignore[reportArgumentType, reportCallIssue] - these agents' arguments are never texts
        steps.append(calls or made.text)
    trial = played(item(task, *steps), seat, graded=False)
    assert trial.model_dump() == held(agent, seat).model_copy(update={"spent": ()}).model_dump()


def test_a_call_that_the_reference_does_not_have_is_no_silence() -> None:
    with pytest.raises(BadUsage, match="label this trial anew"):
        played(item("base_001", ("set_fan_speed",)), car("base_001"))


def test_votes_are_those_of_the_item() -> None:
    steps = (("open_close_trunk_door",), "It's open.")
    broken = played(item("base_022", *steps, broken=("LLM-POL:004",)), car("base_022"))
    assert [one.policy for one in broken.judged if not all(one.followed)] == ["LLM-POL:004"]
    assert all(all(one.followed) for one in played(item("base_022", *steps), car("base_022")).judged)
    assert played(item("base_022", *steps), car("base_022"), graded=False).judged == ()


def test_each_way_to_err_is_counted_for_its_class() -> None:
    trials = [found("E1", "E1"), found("E1", "E3"), found("E3", "E3"), found("none", "E1")]
    early, logic = calibrate(trials, "E1", Part.SEEN), calibrate(trials, "E3", Part.SEEN)
    assert (early.false_positive.value, early.false_negative.value) == (0.5, 0.5)
    assert (logic.false_positive.value, logic.false_negative.value) == (pytest.approx(1 / 3), 0)


def test_the_matrix_has_a_row_per_label_and_a_column_per_class_found() -> None:
    rows = matrix([found("E1", "E3"), found("none", "none")]).splitlines()
    assert [row.split() for row in rows] == [
        ["label", "none", "E1", "E3"],
        ["none", "1", ".", "."],
        ["E1", ".", ".", "1"],
    ]
