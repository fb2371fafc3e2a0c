"""`knowact human audit ict`: what people are asked about the data, and what the data say it should be."""

import io
import sys
from collections import Counter
from pathlib import Path

import pytest

from ict_trials import BY_HAND, RELEASE, items_of, planned
from knowact.roles.audit import sampled
from knowact.suites.ict.cases import DEFAULT_DATA
from knowact.suites.ict.suite import SUITE
from running import knowact

assert SUITE.audit is not None
AUDIT = SUITE.audit
QUESTIONS = {question.id: question for question in AUDIT.questions}


@pytest.mark.parametrize("data", [DEFAULT_DATA, BY_HAND, RELEASE])
def test_the_labels_follow_from_what_was_taken_away(data: str) -> None:
    for item in items_of(planned(data=data)):
        lacking = {"AR": "tool", "UR": "information"}[item.labels["part"][:2]]
        wanted = ("yes", "all") if item.gold == "complete" else (lacking, "none")
        found = tuple(QUESTIONS[name].label(item.task) for name in ("feasible", "way"))
        assert found == wanted, item.id
        assert QUESTIONS["natural"].label(item.task) == "yes"


def test_of_partly_possible_items_one_half_is_left() -> None:
    for item in items_of(planned(kind="partly")):
        found = tuple(QUESTIONS[name].label(item.task) for name in ("feasible", "way"))
        assert found == (("half", "part") if item.lacks else ("yes", "all"))


def test_each_label_is_a_choice_and_the_plan_comes_last() -> None:
    labels = {
        name: {q.label(item.task) for item in planned(kind="all").items} for name, q in QUESTIONS.items()
    }
    assert {name: set(q.choices) for name, q in QUESTIONS.items() if name != "natural"} == {
        name: found for name, found in labels.items() if name != "natural"
    }
    assert AUDIT.blind == {"natural", "feasible"}


def test_the_sample_is_spread_over_parts_and_classes() -> None:
    items = {item.task.id: item for item in planned().items}
    drawn = sampled(planned().items, AUDIT.strata, AUDIT.sample, 0)
    whole = Counter((item.labels["part"], item.labels["gold"]) for item in items.values())
    cells = Counter((items[task.id].labels["part"], items[task.id].labels["gold"]) for task in drawn)
    assert len(whole) == 8
    assert cells.total() == AUDIT.sample
    assert all(abs(cells[one] - n * AUDIT.sample / len(items)) < 1 for one, n in whole.items())


def test_a_sitting_shows_neither_label_nor_plan_before_they_are_asked_about(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\ntool\nq\n"))
    words = ("--annotator", "ann", "--n", 8, "--out", tmp_path)
    done = knowact(capsys, "human", "audit", "ict", *words)
    assert done.code == 1
    assert "2 questions done, 22 left." in done.out
    shown = done.out.partition("Task 1 of 8")[2]
    assert not [word for word in ("The plan:", "incomplete", "removal", "replacement") if word in shown]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\nnone\nq\n"))
    again = knowact(capsys, "human", "audit", "ict", *words)
    assert "The plan:" in again.out
    assert "3 questions done, 21 left." in again.out
