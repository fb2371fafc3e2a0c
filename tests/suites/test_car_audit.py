"""`knowact human audit car`: what people are asked about the tasks, and what they see before the plan."""

import io
import sys
from collections import Counter
from pathlib import Path
from typing import cast

import pytest

from car_published import lacking, task, write
from knowact.roles.audit import sampled
from knowact.running.sources import plan_of
from knowact.suites.car.items import CarItem
from knowact.suites.car.suite import SUITE
from running import knowact

assert SUITE.audit is not None
AUDIT = SUITE.audit
QUESTIONS = {question.id: question for question in AUDIT.questions}
ITEMS = cast("tuple[CarItem, ...]", plan_of(SUITE, None).items)


def shown(item: CarItem) -> dict[str, str]:
    assert AUDIT.sections is not None
    return {section.title.partition(" (")[0]: "\n".join(section.lines) for section in AUDIT.sections(item)}


def test_the_labels_follow_from_the_types() -> None:
    for item in ITEMS:
        wanted = {"base": "complete", "user": "ask", "internal": "settled"}
        said = QUESTIONS["has"].label(item.task)
        assert said == ("missing" if item.lacks else wanted[item.labels["subtype"]])
        assert (QUESTIONS["natural"].label(item.task), QUESTIONS["plan"].label(item.task)) == ("yes", "yes")
    assert {QUESTIONS["has"].label(item.task) for item in ITEMS} == set(QUESTIONS["has"].choices)
    assert AUDIT.blind == {"natural", "has"}


def test_the_sample_has_every_type() -> None:
    items = {item.task.id: item for item in ITEMS}
    drawn = sampled(ITEMS, AUDIT.strata, AUDIT.sample, 0)
    kinds = Counter(items[one.id].labels["subtype"] for one in drawn)
    assert kinds.total() == AUDIT.sample
    assert set(kinds) == {item.labels["subtype"] for item in ITEMS}


def test_before_the_plan_people_see_all_that_can_settle_a_choice_and_no_word_of_the_type() -> None:
    for item in ITEMS:
        seen, what = shown(item), item.what
        assert what.script is not None
        assert seen["The driver says:"] == what.script.opening
        element = what.element
        if element is not None and element.level == "preference":
            likes = seen["What the driver likes, as far as it is stored:"]
            assert any(line.startswith(f"{element.topic}: ") for line in likes.splitlines())
        every = "\n".join(seen.values())
        assert what.instruction not in every
        assert item.task.id not in every


def parts(item: CarItem) -> set[str]:
    """Every tool that is shown, with every parameter and result that is shown of it, as paths."""
    assert AUDIT.sections is not None
    lines = next(one.lines for one in AUDIT.sections(item) if one.title.startswith("The tools"))
    found: set[str] = set()
    name = ""
    for line in lines:
        head, _, rest = line.strip().partition(": ")
        if not line.startswith(" "):
            name = head
            found.add(name)
            continue
        before = {"takes": "", "tells": "result."}[head]
        found |= {f"{before}{name}.{field}" for field in rest.split(", ")}
    return found


def test_what_was_taken_away_is_not_shown_and_everything_else_is() -> None:
    every = set[str]().union(*map(parts, ITEMS))
    kinds: set[str] = set()
    for item in ITEMS:
        gone = every - parts(item)
        for path in item.what.absent:
            lost = {one for one in every if one == path or one.removeprefix("result.").startswith(f"{path}.")}
            assert lost or path.startswith("result."), path
            assert lost <= gone
            kinds.add("result" if path.startswith("result.") else "parameter" if "." in path else "tool")
        names = {path.removeprefix("result.").partition(".")[0] for path in item.what.absent}
        assert gone
        others = {path for path in gone if path.removeprefix("result.").partition(".")[0] not in names}
        # Whether a setter has changed something would tell a reading that was taken away.
        assert all(path.endswith(".changed") for path in others)
    assert kinds == {"tool", "parameter", "result"}


def test_a_sitting_shows_script_and_goal_only_with_the_plan(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\nask\n\nno\nq\n"))
    done = knowact(capsys, "human", "audit", "car", "--annotator", "ann", "--n", 1, "--out", tmp_path)
    assert done.code == 0, done.said
    blind, _, seen = done.out.partition("The plan comes next.")
    for title in ("Who drives:", "What it should come to:", "The calls of the reference:", "What is "):
        assert title not in blind
    assert "The calls of the reference:" in seen
    assert "step 0" in seen


def test_published_tasks_have_a_story_in_place_of_an_opening(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    data = write(tmp_path, task(), lacking())
    monkeypatch.setattr(sys, "stdin", io.StringIO("s\nmissing\n\nyes\n" * 2 + "\n"))
    words = ("human", "audit", "car", "--data", data, "--out", tmp_path / "out")
    done = knowact(capsys, *words, "--annotator", "ann")
    assert done.code == 0, done.said
    assert "The driver's story (no opening is written):" in done.out
    told = knowact(capsys, *words, "--summary")
    assert "base_0, kind: rejected; labelled: complete; majority: missing (ann: missing)" in told.out
    assert "hallucination_0, " not in told.out
