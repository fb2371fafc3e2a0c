"""`knowact human audit fail-talms`: what people are asked about the data, and what the data say to it."""

import io
import sys
from collections import Counter
from pathlib import Path

import pytest

from fail_talms_trials import items_of, planned, shipped, version_1
from knowact.roles.audit import sampled
from knowact.suites.fail_talms.layout import Split
from knowact.suites.fail_talms.suite import SUITE
from running import knowact

from .release import standard, write

assert SUITE.audit is not None
AUDIT = SUITE.audit
QUESTIONS = {question.id: question for question in AUDIT.questions}
BY_SETTING = {
    Split.PERFECT: "nothing",
    Split.UNDER_SPECIFIED: "information",
    Split.REPLACEABLE: "tool",
    Split.NON_REPLACEABLE: "tool",
    Split.NO_TOOLS: "all_tools",
}


def test_what_is_missing_follows_from_the_setting_but_for_jobs_that_a_model_can_do() -> None:
    for item in (*shipped(), *version_1()):
        by_model = item.labels.get("job") == "a model can do it"
        wanted = "nothing" if by_model else BY_SETTING[item.setting]
        assert QUESTIONS["missing"].label(item.task) == wanted, item.id


def test_how_much_is_left_follows_from_the_proof_and_each_label_is_a_choice() -> None:
    left = {"possible": "everything", "partly_possible": "part", "impossible": "nothing"}
    items = (*shipped(), *version_1())
    assert all(QUESTIONS["left"].label(one.task) == left[one.labels["possibility"]] for one in items)
    for name in ("missing", "left"):
        assert {QUESTIONS[name].label(one.task) for one in items} == set(QUESTIONS[name].choices)
    assert AUDIT.blind == {"natural", "missing"}


def test_published_data_say_what_is_missing_and_only_of_perfect_queries_how_much_is_left(
    tmp_path: Path,
) -> None:
    items = items_of(planned(data=str(write(tmp_path, standard())), probe="awareness"))
    assert {one.setting for one in items} == set(Split)
    for item in items:
        assert QUESTIONS["missing"].label(item.task) == BY_SETTING[item.setting]
        said = QUESTIONS["left"].label(item.task)
        assert said == ("everything" if item.setting is Split.PERFECT else "")


def test_the_sample_has_every_setting_and_every_possibility() -> None:
    items = {item.task.id: item for item in planned().items}
    drawn = sampled(planned().items, AUDIT.strata, AUDIT.sample, 0)
    cells = Counter(tuple(items[task.id].labels[name] for name in AUDIT.strata) for task in drawn)
    assert cells.total() == AUDIT.sample
    assert set(cells) == {tuple(one.labels[name] for name in AUDIT.strata) for one in items.values()}
    assert Counter(setting for setting, _ in cells.elements())["unavailable-replaceable"] >= 15


def test_a_sitting_over_published_data_counts_answers_that_no_label_stands_against(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    data = write(tmp_path / "data", standard())
    size = len(planned(data=str(data), probe="awareness").items)
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\ninformation\n\npart\n" * size + "\n"))
    words = ("human", "audit", "fail-talms", "--data", data, "--out", tmp_path / "out")
    done = knowact(capsys, *words, "--annotator", "ann")
    assert done.code == 0, done.said
    before_the_plan = done.out.partition("Task 1 of")[2].partition("The plan:")[0]
    assert not [word for word in (*(one.value for one in Split), "drop") if f"{word}:" in before_the_plan]
    told = knowact(capsys, *words, "--summary")
    assert told.code == 0, told.said
    rows = [line.split() for line in told.out.splitlines()]
    assert ["left", "(not", "said)", "part"] in [row[:4] for row in rows]
    (left,) = [row for row in rows if row[:5] == ["what", "can", "be", "reached", "all"]]
    perfect = sum(item.labels["setting"] == "perfect" for item in planned(data=str(data)).items)
    assert left[5] == "0.0"
    assert left[-1] == str(perfect)
    assert sum(row[1:2] == ["left:"] for row in rows) == perfect
